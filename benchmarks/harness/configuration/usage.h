#ifndef ASSAY_BENCHMARKS_HARNESS_CONFIGURATION_USAGE_H_
#define ASSAY_BENCHMARKS_HARNESS_CONFIGURATION_USAGE_H_

// ---------------------------------------------------------------------------------------------
// usage.h: the table of flags for people: --help, and docs/flags.md.
//
// Example:
//   std::cout << UsageText();
// ---------------------------------------------------------------------------------------------

#include <string>

namespace assay::configuration {

std::string UsageText();

// Tables in Markdown, one a section: each flag with its values, its default and what it is part of.
std::string FlagTables();

}  // namespace assay::configuration

#endif  // ASSAY_BENCHMARKS_HARNESS_CONFIGURATION_USAGE_H_

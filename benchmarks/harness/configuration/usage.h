#ifndef ASSAY_BENCHMARKS_HARNESS_CONFIGURATION_USAGE_H_
#define ASSAY_BENCHMARKS_HARNESS_CONFIGURATION_USAGE_H_

// ---------------------------------------------------------------------------------------------
// usage.h: the table of flags for people: --help, and docs/data/flags.md.
//
// Example:
//   std::cout << ShortUsageText();   // and UsageText() for --help=all
// ---------------------------------------------------------------------------------------------

#include <string>

namespace assay::configuration {

// All flags of a case.
std::string UsageText();
// The flags of every day, each in a line: what --help says first.
std::string ShortUsageText();

// Tables in Markdown, one a section: each flag with its values, its default and what it is part of.
std::string FlagTables();

}  // namespace assay::configuration

#endif  // ASSAY_BENCHMARKS_HARNESS_CONFIGURATION_USAGE_H_

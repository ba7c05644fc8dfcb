#ifndef ASSAY_BENCHMARKS_HARNESS_CONFIGURATION_USAGE_H_
#define ASSAY_BENCHMARKS_HARNESS_CONFIGURATION_USAGE_H_

// ---------------------------------------------------------------------------------------------
// usage.h: the table of flags for people: --help, and docs/data/flags.md.
//
// Example:
//   std::cout << ShortUsageText();   // and UsageText() for --help=all
// ---------------------------------------------------------------------------------------------

#include <string>
#include <string_view>
#include <vector>

namespace assay::configuration {

// All flags of a case.
std::string UsageText();
// The head of a case's --help: what is typed for the case of this label, or for an example.
std::string ShortHead(std::string_view label = "");
// The flags of every day, each in a line: what --help says first. A program that is no case gives
// its own `head`, and in `refused` the flags that it refuses, which are left out.
std::string ShortUsageText(std::string_view head = "",
                           const std::vector<std::string_view>& refused = {});

// Tables in Markdown, one a section: each flag with its values, its default and what it is part of.
std::string FlagTables();

}  // namespace assay::configuration

#endif  // ASSAY_BENCHMARKS_HARNESS_CONFIGURATION_USAGE_H_

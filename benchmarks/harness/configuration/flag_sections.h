#ifndef ASSAY_BENCHMARKS_HARNESS_CONFIGURATION_FLAG_SECTIONS_H_
#define ASSAY_BENCHMARKS_HARNESS_CONFIGURATION_FLAG_SECTIONS_H_

// ---------------------------------------------------------------------------------------------
// flag_sections.h: the rows of the table of flags, section by section. A new flag is a row in one
// of the files that the functions name.
//
// Not for: looking a flag up (case_flags.h).
// ---------------------------------------------------------------------------------------------

#include <string>
#include <vector>

#include "benchmarks/harness/configuration/flag_spec.h"

namespace assay::configuration {

// A part of --help.
struct FlagSection {
  std::string title;
  std::vector<FlagSpec> flags = {};
  std::string after = "";  // paragraphs behind the flags
};

FlagSection MeasuredFlags();  // measured_flags.cc
FlagSection CalledFlags();    // called_flags.cc
FlagSection TrainedFlags();
FlagSection ComparedFlags();  // compared_flags.cc
FlagSection GivenFlags();
FlagSection KeptFlags();  // kept_flags.cc
FlagSection ProfiledFlags();
FlagSection ToolFlags();  // tool_flags.cc

}  // namespace assay::configuration

#endif  // ASSAY_BENCHMARKS_HARNESS_CONFIGURATION_FLAG_SECTIONS_H_

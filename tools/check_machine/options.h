// -----------------------------------------------------------------------------
// File: options.h
// -----------------------------------------------------------------------------
//
// The command line of //tools:check_machine.
//
//   absl::StatusOr<Options> options = ParseOptions({"--format=json", "--gate"});

#ifndef ASSAY_TOOLS_CHECK_MACHINE_OPTIONS_H_
#define ASSAY_TOOLS_CHECK_MACHINE_OPTIONS_H_

#include <string>
#include <string_view>
#include <vector>

#include "absl/status/statusor.h"
#include "benchmarks/harness/output/output.h"

namespace assay::check_machine {

struct Options {
  output::Format format = output::Format::kText;
  bool gpu = false;   // one is asked for: none is bad
  bool gate = false;  // exit 2 where something is bad
  bool help = false;
};

// `words` without the program's name. InvalidArgument as of base::ParseFlags (flags.h).
absl::StatusOr<Options> ParseOptions(const std::vector<std::string>& words);

std::string_view UsageText();

}  // namespace assay::check_machine

#endif  // ASSAY_TOOLS_CHECK_MACHINE_OPTIONS_H_

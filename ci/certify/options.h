// -----------------------------------------------------------------------------
// File: options.h
// -----------------------------------------------------------------------------
//
// The command line of //tools:certify.
//
//   absl::StatusOr<Options> options = ParseOptions({"--goals=G1,G3", "--quick"});

#ifndef ASSAY_CI_CERTIFY_OPTIONS_H_
#define ASSAY_CI_CERTIFY_OPTIONS_H_

#include <string>
#include <string_view>
#include <vector>

#include "absl/status/statusor.h"
#include "benchmarks/harness/output/output.h"

namespace assay::certify {

// "G1" .. "G16".
const std::vector<std::string>& AllGoals();

struct Options {
  output::Format format = output::Format::kText;
  std::vector<std::string> goals = {};  // in the order of UsageText(); never empty
  std::string known_misses = {};        // a file; empty: known_misses.textproto
  bool quick = false;
  bool real = false;
  int flakes = 5;
  std::string python = {};  // starts spread_subject.py; empty: not built
  bool help = false;
  bool null_reading = false;  // for the certificate's own use: print one and end
};

// `words` without the program's name. InvalidArgument as of base::ParseFlags (flags.h).
absl::StatusOr<Options> ParseOptions(const std::vector<std::string>& words);

std::string_view UsageText();

}  // namespace assay::certify

#endif  // ASSAY_CI_CERTIFY_OPTIONS_H_

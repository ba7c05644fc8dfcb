// -----------------------------------------------------------------------------
// File: translation.h
// -----------------------------------------------------------------------------
//
// Translates a preset or the flags of another suite into flags of run_suite, which its own parser
// then reads. So a preset can do nothing that flags cannot do, and its meaning can be printed.
//
//   Translation said;
//   base::FlagTable table = {{"amp", Means(said, kDynamo, {"--autocast=bf16"})},
//                            {"xla_flags", Refuses("there is no XLA here")}};

#ifndef ASSAY_TOOLS_SUITE_PRESETS_TRANSLATION_H_
#define ASSAY_TOOLS_SUITE_PRESETS_TRANSLATION_H_

#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "absl/status/status.h"
#include "benchmarks/harness/base/flags.h"

namespace assay::suite {

inline constexpr std::string_view kXla = "PyTorch/XLA";
inline constexpr std::string_view kDynamo = "TorchDynamo";
inline constexpr std::string_view kOpenXla = "OpenXLA";

struct Translation {
  std::string preset = {};              // the suite or the preset; empty: none
  std::vector<std::string> words = {};  // "--modes=wall"
  int repeat = 0;              // --repeat, which each suite implements differently; 0: not given
  bool amp = false;            // TorchDynamo's --amp, whose dtype depends on the device
  std::string amp_dtype = {};  // as a value of --autocast; empty: not given

  // InvalidArgument if another preset is in use. An empty name is of all suites.
  absl::Status Use(std::string_view name);
  void Say(std::vector<std::string> more);
};

// Flags of another suite. All but Means() take a value; `said` outlives them.
base::Flag Means(Translation& said, std::string_view suite, std::vector<std::string> words);
// Each % in `words` is replaced by the value.
base::Flag MeansValue(Translation& said, std::string_view suite, std::vector<std::string> words);
// The flags for each value; "*" for any other one. A text that begins with '!' refuses the value,
// with the reason after it.
base::Flag MeansByValue(Translation& said, std::string_view suite,
                        std::map<std::string, std::vector<std::string>> meanings);
base::Flag Refuses(std::string reason, bool is_switch = true);

// Adds refused flags that have one reason; "name=" takes a value, "name" does not.
void AddRefused(base::FlagTable& flags, const std::string& reason,
                const std::vector<std::string>& names);

}  // namespace assay::suite

#endif  // ASSAY_TOOLS_SUITE_PRESETS_TRANSLATION_H_

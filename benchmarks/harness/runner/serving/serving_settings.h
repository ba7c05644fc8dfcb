#ifndef ASSAY_BENCHMARKS_HARNESS_RUNNER_SERVING_SERVING_SETTINGS_H_
#define ASSAY_BENCHMARKS_HARNESS_RUNNER_SERVING_SERVING_SETTINGS_H_

// ---------------------------------------------------------------------------------------------
// serving_settings.h: the values of the flags of a case under load (configuration/load_flags.h), and
// the mistakes that its workers can be made to make.
//
// Example:
//   auto serving = ReadServingSettings(line.values);   // StatusOr<shared_ptr<const ServingSettings>>
// ---------------------------------------------------------------------------------------------

#include <cstdint>
#include <memory>
#include <string_view>
#include <vector>

#include "absl/status/statusor.h"
#include "absl/time/time.h"
#include "benchmarks/harness/configuration/flag_spec.h"
#include "benchmarks/harness/load/load_generator.h"

namespace assay::runner {

struct ServingSettings {
  // Without rate and samples. Where the folder is empty, the generator's files are not kept.
  load::Load load = {};
  // Rates of the scenario server; empty: the load needs none, or the peak is searched for.
  std::vector<double> rates = {};
  bool find_peak = false;
  int workers = 1;
  int64_t max_batch = 0;  // 0: the case's
  absl::Duration max_wait = absl::ZeroDuration();
  int64_t samples = 0;  // 0: as many as the subject wants
  // Bounds of decoders; infinite: none.
  absl::Duration first_token_bound = absl::InfiniteDuration();
  absl::Duration per_token_bound = absl::InfiniteDuration();
};

// For a command line with --scenario. InvalidArgument, naming the flags, for a scenario that lacks one;
// ARTIFACT_UNAVAILABLE where the file of arrivals cannot be read.
absl::StatusOr<std::shared_ptr<const ServingSettings>> ReadServingSettings(
    const configuration::FlagValues& values);

// Mistakes of workers, by which tests prove that wrong replies are found (--mistake).
namespace serving_mistakes {
inline constexpr std::string_view kSwapped = "swapped_replies";    // of two requests
inline constexpr std::string_view kCached = "cached_reply";        // that of an earlier request
inline constexpr std::string_view kDropped = "dropped_reply";      // the last of a batch
inline constexpr std::string_view kDoubled = "doubled_reply";      // likewise
inline constexpr std::string_view kTruncated = "truncated_reply";  // without its last elements
inline constexpr std::string_view kOldCache =
    "old_cache";  // of a decoder: that of a slot's last request
inline constexpr std::string_view kAll[] = {kSwapped, kCached,    kDropped,
                                            kDoubled, kTruncated, kOldCache};
}  // namespace serving_mistakes

}  // namespace assay::runner

#endif  // ASSAY_BENCHMARKS_HARNESS_RUNNER_SERVING_SERVING_SETTINGS_H_

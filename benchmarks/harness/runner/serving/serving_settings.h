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
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "absl/status/statusor.h"
#include "absl/time/time.h"
#include "benchmarks/harness/configuration/flag_spec.h"
#include "benchmarks/harness/configuration/load_flags.h"
#include "benchmarks/harness/load/load_generator.h"
#include "benchmarks/harness/load/scheduled_generator.h"

namespace assay::runner {

struct ServingSettings {
  load::Scenario scenario = load::Scenario::kServer;
  std::vector<double> rates =
      {};  // of server; empty: the scenario has none, or the peak is searched for
  bool find_peak = false;
  double burstiness = 0;                     // 0: LoadGen's arrivals
  std::vector<load::Arrival> arrivals = {};  // of a file; empty: none
  int64_t concurrency = 0;                   // of a closed loop; 0: none
  std::optional<configuration::LatencyBound> bound = {};
  absl::Duration duration = absl::Seconds(10);  // of each rate
  int workers = 1;
  std::optional<absl::Duration> first_token_bound = {};  // of decoders
  std::optional<absl::Duration> per_token_bound = {};
  int64_t max_batch = 0;  // 0: the case's
  absl::Duration max_wait = absl::ZeroDuration();
  int64_t samples = 32;
  bool samples_given = false;
  uint64_t seed = 0;
  std::string log_folder = "";  // empty: the generator's files are not kept
};

// Whether LoadGen sends the requests.
bool NeedsLoadGen(const ServingSettings& settings);

// For a command line with --scenario. InvalidArgument, naming the flags, for a scenario that lacks one.
absl::StatusOr<std::shared_ptr<const ServingSettings>> ReadServingSettings(
    const configuration::FlagValues& values);

// Mistakes of workers, by which tests prove that wrong replies are found (--mistake).
namespace serving_mistakes {
inline constexpr std::string_view kSwapped = "swapped_replies";    // two of a batch
inline constexpr std::string_view kCached = "cached_reply";        // that of the batch before
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

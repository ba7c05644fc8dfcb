#include "benchmarks/harness/runner/serving/serving_settings.h"

#include <cmath>
#include <string>
#include <utility>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_format.h"
#include "benchmarks/harness/configuration/case_flags.h"
#include "benchmarks/harness/configuration/load_flags.h"
#include "benchmarks/harness/load/scheduled_generator.h"
#include "benchmarks/harness/runner/verdict/run_status.h"

namespace assay::runner {
namespace {

// Checks the rules that the table of flags cannot say.
absl::Status CheckRates(const ServingSettings& settings) {
  const load::Load& load = settings.load;
  const bool timed = !load.arrivals.empty() || load.concurrency > 0;
  if (load.scenario == load::Scenario::kServer && settings.rates.empty() && !settings.find_peak &&
      !timed) {
    return absl::InvalidArgumentError(
        "--scenario=server: how many queries arrive a second? Give --qps=10, or --find-peak with "
        "--latency-bound=100ms@p99");
  }
  for (const double rate : settings.rates) {
    if (rate * absl::ToDoubleSeconds(load.duration) >= 1) continue;
    return absl::InvalidArgumentError(absl::StrFormat(
        "--qps=%g: that is less than one query within --duration=%s; give --duration=%.0fs, or a "
        "higher --qps",
        rate, absl::FormatDuration(load.duration), std::ceil(10 / rate)));
  }
  if (settings.find_peak && load.bound.bound == absl::InfiniteDuration()) {
    return absl::InvalidArgumentError(
        "--find-peak: the highest rate that keeps which bound? Give --latency-bound=100ms@p99");
  }
  return absl::OkStatus();
}

}  // namespace

absl::StatusOr<std::shared_ptr<const ServingSettings>> ReadServingSettings(
    const configuration::FlagValues& values) {
  using configuration::IsGiven;
  using configuration::ParseTime;
  using configuration::ToWholeNumber;
  using configuration::ValueOf;
  ServingSettings settings;
  load::Load& load = settings.load;
  // The table has read the values: none can be wrong by itself.
  load.scenario = *load::ParseScenario(ValueOf(values, "scenario"));
  load.burstiness = configuration::ToRealNumber(ValueOf(values, "burstiness"));
  load.concurrency = ToWholeNumber(ValueOf(values, "concurrency"));
  if (IsGiven(values, "arrivals")) {
    absl::StatusOr<std::vector<load::Arrival>> arrivals =
        load::ReadArrivals(ValueOf(values, "arrivals"));
    const std::string wrong = absl::StrCat("--arrivals: ", arrivals.status().message());
    if (absl::IsNotFound(arrivals.status())) return Ended(ARTIFACT_UNAVAILABLE, wrong);
    if (!arrivals.ok()) return absl::InvalidArgumentError(wrong);
    load.arrivals = *std::move(arrivals);
  }
  load.duration = *ParseTime(ValueOf(values, "duration"));
  if (IsGiven(values, "latency-bound"))
    load.bound = *configuration::ParseLatencyBound(ValueOf(values, "latency-bound"));
  load.seed = static_cast<uint64_t>(ToWholeNumber(ValueOf(values, "load-seed")));
  load.log_folder = ValueOf(values, "load-logs");
  settings.rates = configuration::RatesOf(ValueOf(values, "qps"));
  settings.find_peak = ValueOf(values, "find-peak") == "true";
  settings.workers = static_cast<int>(ToWholeNumber(ValueOf(values, "workers")));
  settings.max_batch = ToWholeNumber(ValueOf(values, "max-batch"));
  settings.max_wait = *ParseTime(ValueOf(values, "max-wait"));
  settings.samples = ToWholeNumber(ValueOf(values, "samples"));
  for (const auto& [name, bound] : {std::pair{"ttft-bound", &settings.first_token_bound},
                                    {"tpot-bound", &settings.per_token_bound}})
    if (IsGiven(values, name)) *bound = *ParseTime(ValueOf(values, name));
  if (absl::Status checked = CheckRates(settings); !checked.ok()) return checked;
  return std::make_shared<const ServingSettings>(std::move(settings));
}

}  // namespace assay::runner

#include "benchmarks/harness/runner/serving/serving_settings.h"

#include <cmath>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_format.h"
#include "benchmarks/harness/configuration/case_flags.h"

namespace assay::runner {
namespace {

// Which flags the scenario needs, and which it cannot use.
absl::Status CheckRates(const ServingSettings& settings) {
  const std::string_view name = load::ScenarioName(settings.scenario);
  const bool server = settings.scenario == load::Scenario::kServer;
  if (!server && !NeedsLoadGen(settings)) {
    return absl::InvalidArgumentError(
        absl::StrCat("--burstiness, --arrivals and --concurrency say when requests arrive, and "
                     "those of --scenario=",
                     name, " follow the replies; give --scenario=server"));
  }
  const bool timed = !settings.arrivals.empty() || settings.concurrency > 0;
  if (server && settings.rates.empty() && !settings.find_peak && !timed) {
    return absl::InvalidArgumentError(
        "--scenario=server: how many queries arrive a second? Give --qps=10, or --find-peak with "
        "--latency-bound=100ms@p99");
  }
  if (!server && (!settings.rates.empty() || settings.find_peak)) {
    return absl::InvalidArgumentError(absl::StrCat(
        settings.find_peak ? "--find-peak" : "--qps", ": requests of --scenario=", name,
        " follow the replies and have no rate; leave it out, or give --scenario=server"));
  }
  const double seconds = absl::ToDoubleSeconds(settings.duration);
  for (const double rate : settings.rates) {
    if (rate * seconds >= 1) continue;
    return absl::InvalidArgumentError(absl::StrFormat(
        "--qps=%g: that is less than one query within --duration=%s; give --duration=%.0fs, or a "
        "higher --qps",
        rate, absl::FormatDuration(settings.duration), std::ceil(10 / rate)));
  }
  if (settings.find_peak && !settings.bound) {
    return absl::InvalidArgumentError(
        "--find-peak: the highest rate that keeps which bound? Give --latency-bound=100ms@p99");
  }
  if (settings.scenario == load::Scenario::kOffline && settings.bound) {
    return absl::InvalidArgumentError(
        "--latency-bound: in --scenario=offline all requests come at once, and the last one waits "
        "for all the others; leave it out");
  }
  return absl::OkStatus();
}

}  // namespace

absl::StatusOr<std::shared_ptr<const ServingSettings>> ReadServingSettings(
    const configuration::FlagValues& values) {
  using configuration::IsGiven;
  using configuration::ToWholeNumber;
  using configuration::ValueOf;
  ServingSettings settings;
  // The table has read the values: none can be wrong by itself.
  settings.scenario = *load::ParseScenario(ValueOf(values, "scenario"));
  if (IsGiven(values, "qps")) settings.rates = configuration::RatesOf(ValueOf(values, "qps"));
  if (IsGiven(values, "burstiness"))
    settings.burstiness = configuration::ToRealNumber(ValueOf(values, "burstiness"));
  if (IsGiven(values, "concurrency"))
    settings.concurrency = ToWholeNumber(ValueOf(values, "concurrency"));
  if (IsGiven(values, "arrivals")) {
    absl::StatusOr<std::vector<load::Arrival>> arrivals =
        load::ReadArrivals(ValueOf(values, "arrivals"));
    if (!arrivals.ok())
      return absl::InvalidArgumentError(absl::StrCat("--arrivals: ", arrivals.status().message()));
    settings.arrivals = *std::move(arrivals);
  }
  settings.find_peak = ValueOf(values, "find-peak") == "true";
  if (IsGiven(values, "latency-bound"))
    settings.bound = *configuration::ParseLatencyBound(ValueOf(values, "latency-bound"));
  for (const auto& [name, bound] : {std::pair{"ttft-bound", &settings.first_token_bound},
                                    {"tpot-bound", &settings.per_token_bound}})
    if (IsGiven(values, name)) *bound = *configuration::ParseTime(ValueOf(values, name));
  settings.duration = *configuration::ParseTime(ValueOf(values, "duration"));
  settings.workers = static_cast<int>(ToWholeNumber(ValueOf(values, "workers")));
  if (IsGiven(values, "max-batch"))
    settings.max_batch = ToWholeNumber(ValueOf(values, "max-batch"));
  settings.max_wait = *configuration::ParseTime(ValueOf(values, "max-wait"));
  settings.samples = ToWholeNumber(ValueOf(values, "samples"));
  settings.samples_given = IsGiven(values, "samples");
  settings.seed = static_cast<uint64_t>(ToWholeNumber(ValueOf(values, "load-seed")));
  settings.log_folder = ValueOf(values, "load-logs");
  const absl::Status checked = CheckRates(settings);
  if (!checked.ok()) return checked;
  return std::make_shared<const ServingSettings>(std::move(settings));
}

bool NeedsLoadGen(const ServingSettings& settings) {
  return settings.burstiness == 0 && settings.arrivals.empty() && settings.concurrency == 0;
}

}  // namespace assay::runner

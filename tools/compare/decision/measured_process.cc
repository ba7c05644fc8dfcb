#include "tools/compare/decision/measured_process.h"

#include <unistd.h>

#include <cmath>
#include <cstdlib>
#include <filesystem>
#include <map>
#include <string_view>

#include "absl/algorithm/container.h"
#include "absl/cleanup/cleanup.h"
#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_format.h"
#include "absl/strings/str_join.h"
#include "absl/strings/strip.h"
#include "benchmarks/harness/base/sha256.h"

namespace assay::compare {
namespace {

using processes::ChildCommand;
using processes::ChildEnd;

namespace fs = std::filesystem;

constexpr std::string_view kTimedCheck = "timed_is_verified";  // runner/verdict/timed_check.h

MeasuredProcess Failed(Outcome outcome, std::string message, const ChildEnd& end) {
  MeasuredProcess process;
  process.outcome = outcome;
  process.message = std::move(message);
  process.elapsed = end.elapsed;
  return process;
}

std::string WorkloadOf(const Record& record) {
  std::map<std::string, std::string> parameters;  // sorted, unlike the proto's map
  for (const auto& [name, value] : record.workload().parameters()) {
    parameters[name] = value.ShortDebugString();
  }
  std::string text =
      absl::StrCat(record.benchmark_case().model(), " batch ", record.workload().batch(), " ",
                   CaseMode_Name(record.benchmark_case().mode()));
  for (const auto& [name, value] : parameters) absl::StrAppend(&text, " ", name, "=", value);
  for (const TensorSpec& input : record.workload().inputs()) {
    absl::StrAppend(&text, " ", input.name(), "[", absl::StrJoin(input.shape(), ","), "]");
  }
  return text;
}

// Times depend on values: zeros, subnormals and saturated activations take other times.
std::string WeightsOf(const Record& record) {
  if (!record.has_weights()) return "seeded";
  return absl::StrCat(record.weights().name(), " sha256 ", record.weights().sha256().substr(0, 8));
}

std::string SettingOf(const Record& record, const std::string& name) {
  const auto& settings = record.configuration().settings();
  const auto found = settings.find(name);
  return found == settings.end() ? "" : found->second;
}

// The rule and its limits, without what is said about them.
std::string LimitsOf(const Record& record) {
  VerifyParameters verify = record.benchmark_case().verify();
  verify.clear_batch();
  verify.clear_provenance();
  return verify.ShortDebugString();
}

std::string RuleGivenOf(const Record& record) {
  const std::string& provenance = record.benchmark_case().verify().provenance();
  return absl::StartsWith(provenance, "flag ") ? provenance : "none";  // as rule_flag.cc says it
}

std::string OutputsOf(const Record& record) {
  std::string text;
  for (const OutputVerdict& output : record.verdict().outputs()) {
    absl::StrAppend(&text, output.name(), " ", output.rms_limit(), " ", output.max_limit(), " ",
                    output.elements_compared(), "\n");
  }
  return absl::StrCat(record.verdict().outputs_size(), ", digest of their limits ",
                      base::Sha256Hex(text).substr(0, 8));
}

// How a side was verified.
void AddVerification(const Record& record, std::vector<Trait>& traits) {
  // coverage.h says that a side was not verified at all.
  const std::string verified = record.verdict().outputs().empty() ? "not verified" : "";
  traits.push_back({"rule given", RuleGivenOf(record)});
  // Another dtype or another workload is a trait of its own.
  const std::string cased =
      absl::StrCat(Dtype_Name(record.benchmark_case().dtype()), " ", WorkloadOf(record));
  traits.push_back(
      {"limits", LimitsOf(record),
       absl::StrCat(cased, SettingOf(record, "autocast"), " ", SettingOf(record, "lowering")),
       /*of_the_case=*/true});
  traits.push_back({"outputs compared", OutputsOf(record),
                    absl::StrCat(verified, record.configuration().digest()),
                    /*of_the_case=*/true});
  traits.push_back({"reference",
                    absl::StrCat("sha256 ", record.verdict().reference().sha256().substr(0, 8)),
                    absl::StrCat(cased, verified), /*of_the_case=*/true});
}

// Why nobody knows that the timed call of a measurement computes what was verified.
std::string UnverifiedOf(const Record& record, const Measurement& m) {
  const int runs = record.verdict().runs(), passed = record.verdict().passed_runs();
  if (passed < runs) return absl::StrCat("passed in ", passed, " of ", runs, " accuracy runs");
  for (const Check& check : m.checks()) {
    if (check.name() != kTimedCheck) continue;
    if (check.status() == CHECK_OK) return "";
    return absl::StrCat(kTimedCheck, " ",
                        absl::StripPrefix(CheckStatus_Name(check.status()), "CHECK_"),
                        check.detail().empty() ? "" : ": ", check.detail());
  }
  return absl::StrCat("there is no check ", kTimedCheck);
}

// "server at 20/s".
std::string LoadOf(const Served& served) {
  return served.asked_qps() > 0
             ? absl::StrFormat("%s at %.6g/s", served.scenario(), served.asked_qps())
             : served.scenario();
}

// Adds the percentiles up to p99 that there were enough queries for.
void AddPercentiles(const std::string& head,
                    const google::protobuf::RepeatedPtrField<LatencyPercentile>& percentiles,
                    std::vector<ModeMedian>& to) {
  for (const LatencyPercentile& one : percentiles) {
    if (one.share() <= 0.99)
      to.push_back(
          {.mode = absl::StrFormat("%s p%g", head, 100 * one.share()), .median_ns = one.ns()});
  }
}

bool IsSearch(const Record& record) {
  return absl::c_any_of(record.served(), [](const Served& served) { return served.peak(); });
}

// Every reply of a run under load is verified while it is measured.
std::vector<ModeMedian> LatenciesOf(const Record& record) {
  std::vector<ModeMedian> all;
  const bool searched = IsSearch(record);
  for (const Served& served : record.served()) {
    std::vector<ModeMedian> latencies;
    if (searched) {  // rates on the way to the peak differ from run to run
      if (served.peak())
        latencies.push_back({.mode = "1 / peak rate", .median_ns = 1e9 / served.asked_qps()});
    } else if (served.scenario() == "offline") {
      latencies.push_back(
          {.mode = "offline, a request", .median_ns = 1e9 / served.requests_per_s()});
    } else {
      AddPercentiles(LoadOf(served), served.percentiles(), latencies);
    }
    if (!searched) {
      AddPercentiles(absl::StrCat(LoadOf(served), " first token"), served.first_token(), latencies);
      AddPercentiles(absl::StrCat(LoadOf(served), " per token"), served.per_token(), latencies);
    }
    for (ModeMedian& latency : latencies) {
      for (const Check& check : served.checks()) {
        const std::string text = absl::StrCat(check.name(), ": ", check.detail());
        if (check.status() == CHECK_FLAGGED) latency.flags.push_back(text);
        if (check.status() == CHECK_NOTED) latency.notes.push_back(text);
      }
      all.push_back(std::move(latency));
    }
  }
  return all;
}

}  // namespace

bool IsTail(std::string_view mode) {
  return absl::EndsWith(mode, " p90") || absl::EndsWith(mode, " p99");
}

std::vector<Trait> TraitsOf(const Record& record) {
  const Environment& environment = record.environment();
  std::vector<std::string> modes;
  for (const Measurement& m : record.measurements()) {
    modes.push_back(
        absl::StrCat(m.mode(), "/", m.step(), m.preset().empty() ? "" : " as ", m.preset()));
  }
  // Rates on the way to a peak differ from run to run.
  for (const Served& served : record.served()) {
    if (!IsSearch(record)) {
      modes.push_back(absl::StrCat(LoadOf(served), " seed ", served.seed()));
    } else if (served.peak()) {
      modes.push_back(absl::StrCat("search for the peak, seed ", served.seed()));
    }
  }
  std::string machine =
      absl::StrCat(environment.cpu_model(), ", ", environment.cpu_count(), " CPUs");
  if (record.device() == CUDA) absl::StrAppend(&machine, ", ", environment.gpu_name());
  if (!environment.node().empty()) absl::StrAppend(&machine, ", node ", environment.node());
  std::vector<Trait> traits = {
      {"dtype", Dtype_Name(record.benchmark_case().dtype()), "", /*of_the_case=*/true},
      {"device", DeviceType_Name(record.device())},
      {"workload", WorkloadOf(record), "", /*of_the_case=*/true},
      {"weights", WeightsOf(record)},
      {"modes", absl::StrJoin(modes, " ")},
      {"machine", machine},
      {"threads", absl::StrCat(environment.threads()), SettingOf(record, "threads")}};
  AddVerification(record, traits);
  return traits;
}

std::vector<std::string> Differences(const std::vector<Trait>& baseline,
                                     const std::vector<Trait>& candidate, Traits which) {
  std::vector<std::string> differences;
  for (size_t i = 0; i < std::min(baseline.size(), candidate.size()); ++i) {
    const Trait &a = baseline[i], &b = candidate[i];
    if (a.value == b.value || a.explained_by != b.explained_by) continue;
    if (which == Traits::kOfTheRun && a.of_the_case) continue;
    differences.push_back(absl::StrCat(a.name, ": ", a.value, " against ", b.value));
  }
  return differences;
}

absl::StatusOr<std::vector<ModeMedian>> MediansOf(const Record& record, Metric metric) {
  if ((metric == Metric::kCpu || metric == Metric::kInstructions) && record.device() != CPU) {
    return absl::FailedPreconditionError(
        absl::StrCat("--metric=", MetricName(metric),
                     " is of work on the CPU, and this ran on a GPU, for which the CPU only waits: "
                     "--metric=wall or min"));
  }
  if (metric != Metric::kWall && record.served_size() > 0) {
    return absl::FailedPreconditionError(
        absl::StrCat("--metric=", MetricName(metric),
                     " is of single calls, and this is a run under load: --metric=wall"));
  }
  std::vector<ModeMedian> medians = LatenciesOf(record);
  for (const Measurement& m : record.measurements()) {
    ModeMedian median;
    median.mode = m.step().empty() || m.step() == "forward" ? m.mode()
                                                            : absl::StrCat(m.mode(), "/", m.step());
    median.median_ns = ValueOf(m, metric);
    // One-time work such as compiling happens in the verified call, which comes first.
    const bool verified_first = median.mode == m.mode() && record.verdict().first_call_s() > 0;
    if (metric == Metric::kWall) {  // what follows from it is wall time, too
      median.first_call_ns =
          verified_first ? 1e9 * record.verdict().first_call_s() : m.first_call_ns();
    }
    if (metric == Metric::kInstructions && !m.has_instructions_per_call()) {
      return absl::UnavailableError(absl::StrCat(
          "instructions were not counted",
          m.instructions_missing().empty() ? "" : absl::StrCat(": ", m.instructions_missing()),
          "; --metric=cpu compares CPU times"));
    }
    for (const Check& check : m.checks()) {
      const std::string text =
          absl::StrCat(check.name(), check.detail().empty() ? "" : ": ", check.detail());
      const bool flagged = check.status() == CHECK_FLAGGED;
      if (flagged && Concerns(text, metric)) median.flags.push_back(text);
      if (check.status() == CHECK_NOTED || (flagged && !Concerns(text, metric)))
        median.notes.push_back(text);
    }
    median.unverified = UnverifiedOf(record, m);
    medians.push_back(std::move(median));
  }
  if (medians.empty()) return absl::InvalidArgumentError("its record holds no measurement");
  for (const ModeMedian& median : medians) {
    if (!std::isfinite(median.median_ns) || median.median_ns <= 0) {
      return absl::InvalidArgumentError(
          absl::StrCat("its ", metric == Metric::kWall ? "median" : MetricName(metric), " of mode ",
                       median.mode, " is ", median.median_ns, " ns"));
    }
  }
  return medians;
}

Outcome OutcomeOf(const absl::Status& refused) {
  if (absl::IsFailedPrecondition(refused)) return OUTCOME_UNSPECIFIED;
  return absl::IsUnavailable(refused) ? NO_DEVICE : CRASH;
}

MeasuredProcess Interpret(const CaseProcess& from, Metric metric) {
  MeasuredProcess process = Failed(from.outcome, from.message, from.end);
  if (from.outcome != from.record.outcome()) return process;  // its output does not count
  process.record = from.record;
  for (Measurement& m : *process.record.mutable_measurements()) m.clear_samples_ns();
  process.traits = TraitsOf(process.record);
  if (!process.Usable()) return process;
  absl::StatusOr<std::vector<ModeMedian>> medians = MediansOf(process.record, metric);
  if (!medians.ok()) {
    return Failed(OutcomeOf(medians.status()), std::string(medians.status().message()), from.end);
  }
  process.medians = *std::move(medians);
  return process;
}

MeasuredProcess RunMeasured(const MeasuredCommand& command, const std::atomic<bool>* interrupted) {
  std::string folder = (fs::temp_directory_path() / "assay-compare-XXXXXX").string();
  if (mkdtemp(folder.data()) == nullptr) {
    return Failed(RECORD_FAILED, absl::StrCat("cannot make a folder like ", folder), {});
  }
  absl::Cleanup remove = [&folder] {
    std::error_code ignored;
    fs::remove_all(folder, ignored);
  };
  const std::string path = folder + "/record.jsonl";
  ChildCommand child{
      .arguments = command.command,
      .environment = {"ASSAY_LAYOUT_PADDING=" + std::string(command.padding_bytes, 'x')},
      .folder = command.folder,
      .timeout = command.timeout};
  child.environment.insert(child.environment.end(), command.environment.begin(),
                           command.environment.end());
  child.arguments.insert(child.arguments.end(), command.flags.begin(), command.flags.end());
  return Interpret(processes::RunCase(child, path, interrupted), command.metric);
}

}  // namespace assay::compare

#include "benchmarks/harness/runner/settings.h"

#include <initializer_list>
#include <string_view>

#include "absl/flags/flag.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "absl/strings/str_split.h"
#include "absl/strings/strip.h"
#include "benchmarks/harness/runner/measuring.h"

ABSL_FLAG(std::string, case, "", "binary Registry; set by the case's target");
ABSL_FLAG(std::string, case_name, "", "label of the case, where --case holds several");
ABSL_FLAG(std::string, reference, "", "reference blob; set by the case's target");
ABSL_FLAG(std::string, cuda_plugin, "",
          "libassay_cuda.so; set by the case's target with --config=cuda");
ABSL_FLAG(std::string, device, "cpu", "cpu or cuda");
ABSL_FLAG(std::string, action, "measure", "measure, verify or smoke");
ABSL_FLAG(std::string, verify, "on",
          "on, or off: measure without comparing; recorded as NOT_VERIFIED");
ABSL_FLAG(std::string, modes, "",
          "comma-separated: wall, throughput, hot, cold; empty: the device's default");
ABSL_FLAG(double, budget, 1.0, "seconds of sampling for each mode, more than 0");
ABSL_FLAG(int, threads, 0, "threads of one operator; 0: LibTorch's default, the number of cores");
ABSL_FLAG(std::string, allocator, "retain",
          "retain: freed memory stays with the process; default: glibc's own policy");
ABSL_FLAG(std::string, record, "", "append the record of this run to this file, one JSON line");
ABSL_FLAG(std::string, export_state, "",
          "write the seeded weights to this safetensors file and exit");
ABSL_FLAG(std::string, export_inputs, "",
          "write the verified inputs to this safetensors file and exit");
ABSL_FLAG(std::string, export_reference, "",
          "write this suite's own float64 outputs as a reference blob and exit");

namespace assay::runner {
namespace {

// Which of `names` the flag says.
absl::StatusOr<int> Choice(std::string_view flag, const std::string& value,
                           std::initializer_list<std::string_view> names) {
  int index = 0;
  for (const std::string_view name : names) {
    if (value == name) return index;
    ++index;
  }
  return absl::InvalidArgumentError(
      absl::StrCat("--", flag, "=", value, ": one of ", absl::StrJoin(names, ", ")));
}

// Every flag that is one of a few words.
absl::Status ReadChoices(Settings& settings) {
  const absl::StatusOr<int> device = Choice("device", absl::GetFlag(FLAGS_device), {"cpu", "cuda"});
  if (!device.ok()) return device.status();
  settings.device = *device == 0 ? CPU : CUDA;
  const absl::StatusOr<int> action =
      Choice("action", absl::GetFlag(FLAGS_action), {"measure", "verify", "smoke"});
  if (!action.ok()) return action.status();
  settings.action = static_cast<Action>(*action);
  const absl::StatusOr<int> verify = Choice("verify", absl::GetFlag(FLAGS_verify), {"on", "off"});
  if (!verify.ok()) return verify.status();
  settings.verify = *verify == 0;
  const absl::StatusOr<int> allocator =
      Choice("allocator", absl::GetFlag(FLAGS_allocator), {"retain", "default"});
  if (!allocator.ok()) return allocator.status();
  settings.retain_memory = *allocator == 0;
  return absl::OkStatus();
}

absl::Status ReadModes(Settings& settings) {
  for (const std::string_view name :
       absl::StrSplit(absl::GetFlag(FLAGS_modes), ',', absl::SkipEmpty())) {
    const absl::StatusOr<sampling::Mode> mode = sampling::ParseMode(name);
    if (!mode.ok()) return mode.status();
    settings.modes.push_back(*mode);
  }
  return absl::OkStatus();
}

}  // namespace

absl::StatusOr<Settings> ReadSettings(const CommandLine& line) {
  Settings settings;
  settings.case_path = absl::GetFlag(FLAGS_case);
  settings.case_name = absl::GetFlag(FLAGS_case_name);
  settings.reference_path = absl::GetFlag(FLAGS_reference);
  settings.cuda_plugin_path = absl::GetFlag(FLAGS_cuda_plugin);
  settings.record_path = absl::GetFlag(FLAGS_record);
  settings.exports = {.state = absl::GetFlag(FLAGS_export_state),
                      .inputs = absl::GetFlag(FLAGS_export_inputs),
                      .reference = absl::GetFlag(FLAGS_export_reference)};
  absl::Status status = ReadChoices(settings);
  if (status.ok()) status = ReadModes(settings);
  if (!status.ok()) return status;

  const double budget = absl::GetFlag(FLAGS_budget);
  if (!(budget > 0)) {
    return absl::InvalidArgumentError(absl::StrCat("--budget=", budget, ": seconds, more than 0"));
  }
  settings.budget = absl::Seconds(line.min_time_s > 0 ? line.min_time_s : budget);
  settings.threads = absl::GetFlag(FLAGS_threads);
  if (settings.threads < 0) {
    return absl::InvalidArgumentError(absl::StrCat("--threads=", settings.threads, ": 0 or more"));
  }
  for (std::string_view argument : line.benchmark_arguments) {
    if (absl::ConsumePrefix(&argument, "--benchmark_filter=")) settings.filter = argument;
  }
  const absl::StatusOr<bool> filter = MatchesFilter("", settings.filter);
  if (!filter.ok()) return filter.status();
  return settings;
}

}  // namespace assay::runner

#ifndef ASSAY_BENCHMARKS_HARNESS_RUNNER_SETTINGS_H_
#define ASSAY_BENCHMARKS_HARNESS_RUNNER_SETTINGS_H_

// ---------------------------------------------------------------------------------------------
// settings.h: the values of the flags in the types that the rest of the program uses, and what goes
// together.
//
// Not for: parsing argv (command_line.h).
//
// Example:
//   absl::StatusOr<Settings> settings = ReadSettings(line);
// ---------------------------------------------------------------------------------------------

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "absl/status/statusor.h"
#include "absl/time/time.h"
#include "benchmarks/harness/configuration/with_call_flags.h"
#include "benchmarks/harness/runner/command_line.h"
#include "benchmarks/harness/runner/given/given_files.h"
#include "benchmarks/harness/runner/measuring.h"
#include "benchmarks/harness/runner/profile_flags.h"
#include "benchmarks/harness/runner/serving/served_case.h"
#include "benchmarks/harness/runner/vary/mix.h"
#include "benchmarks/harness/runner/verdict/accuracy_settings.h"
#include "benchmarks/harness/runner/verdict/exporting.h"
#include "benchmarks/harness/sampling/presets.h"
#include "defs/proto/record.pb.h"
#include "defs/proto/suite.pb.h"

namespace assay::runner {

enum class Action { kMeasure, kVerify, kSmoke };
std::string_view ActionName(Action action);  // the word that --action takes

struct Settings {
  std::string case_path;
  std::string case_name;  // empty: the file's only case
  // The case's own reference, or a copy of it elsewhere (its digest is checked); empty: the lock
  // has no row for the case.
  std::string reference_path;
  GivenPaths given;  // its reference only together with the user's weights or inputs
  std::string cuda_plugin_path;
  std::string module_path;                         // that the back end reads; empty: none
  std::vector<std::string> module_libraries = {};  // of operators that the module calls
  DeviceType device = CPU;
  Action action = Action::kMeasure;
  bool verify = true;
  AccuracySettings accuracy = {};
  configuration::CallFlags call = {};       // an execution or batch other than the case's
  std::vector<int64_t> dynamic_batch = {};  // a run for each; empty: one
  std::optional<Mix> mix = {};              // sizes that change from call to call; absent: one size
  bool shared = false;                      // other runs were made in this process before
  std::vector<Method> methods = {};         // empty: the device's default modes
  std::vector<std::string> steps = {};      // empty: the case's default steps
  sampling::PresetOptions preset = {};
  std::string filter;  // Google Benchmark's
  // The budget of sampling, for each mode. If the user gave it, it holds for the checks as well.
  absl::Duration budget;
  bool strict_budget = false;
  absl::Duration timeout;     // of the whole run; zero: none
  absl::Duration spent;       // of the timeout, before the case was opened
  double injected_share = 0;  // of each call's time, spent spinning after it
  std::string mistake;        // a mistake that the program makes on purpose; empty: none
  int threads = 0;            // 0: LibTorch's default
  bool retain_memory = true;
  std::string record_path;  // empty: no record
  std::string plot_path;    // ends with .svg, .png or .html; empty: no picture
  ExportPaths exports;
  ProfileSettings profile = {};
  bool serves = false;  // --scenario: requests in the place of timed calls
  std::shared_ptr<const ServingSettings> serving =
      {};                         // nullptr: not read, or no code of load is linked
  bool peaks = false;             // also measure the machine's peaks
  bool energy = false;            // also count the energy of calls
  TraceReplay trace_replay = {};  // for the record, of a program that is a trace
  bool randomize_inputs = false;  // each timed call gets other inputs than the one before
};

// InvalidArgument, naming the flags that do not go together.
absl::StatusOr<Settings> ReadSettings(const CommandLine& line);

}  // namespace assay::runner

#endif  // ASSAY_BENCHMARKS_HARNESS_RUNNER_SETTINGS_H_

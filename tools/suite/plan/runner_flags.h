// -----------------------------------------------------------------------------
// File: runner_flags.h
// -----------------------------------------------------------------------------
//
// The runner's flags that a plan may hold: how a case is called and how it is measured. A repeated
// flag is a factor of the plan's product. Flags have one order and one spelling, so that equal
// configurations are equal texts.
//
// Not for: flags that name output files (--record and so on), which belong to launch/.
//
//   for (const RunnerFlag& flag : RunnerFlags()) ...
//   absl::StatusOr<std::string> value = FindRunnerFlag("batch")->read("08");   // "8"

#ifndef ASSAY_TOOLS_SUITE_PLAN_RUNNER_FLAGS_H_
#define ASSAY_TOOLS_SUITE_PLAN_RUNNER_FLAGS_H_

#include <functional>
#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "absl/status/statusor.h"
#include "benchmarks/harness/runner/as_called.h"
#include "defs/suite.pb.h"

namespace assay::suite {

struct RunnerFlag {
  std::string name;  // "memory-format"
  // Brings a value into its only spelling. InvalidArgument says what is allowed.
  std::function<absl::StatusOr<std::string>(const std::string&)> read;
  bool is_switch = false;
  // The case's value, or the runner's default, without the flag; absent: it depends.
  std::function<std::string(const BenchmarkCase&)> own = nullptr;
  // For a flag that changes how the case is called: enters the value for the runner's AsCalled().
  std::function<void(const std::string& value, runner::CallFlags&)> call = nullptr;
};

// In the order in which a configuration has them.
const std::vector<RunnerFlag>& RunnerFlags();

// nullptr if no flag has this name.
const RunnerFlag* FindRunnerFlag(std::string_view name);

// Values of flags by name, for one configuration.
using FlagValues = std::map<std::string, std::string>;

// As words for the runner, in the order of RunnerFlags().
std::vector<std::string> FlagWords(const FlagValues& values);

// "fp32", as in a case's name.
std::string DtypeText(Dtype dtype);

}  // namespace assay::suite

#endif  // ASSAY_TOOLS_SUITE_PLAN_RUNNER_FLAGS_H_

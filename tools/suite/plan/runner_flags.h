// -----------------------------------------------------------------------------
// File: runner_flags.h
// -----------------------------------------------------------------------------
//
// The runner's flags that a plan may hold: how a case is called and how it is measured. Repeated,
// each is a factor of the plan's product. In one order and one spelling, so that equal
// configurations are equal texts.
//
// Not for: flags that say where things go (--record and so on), which are the launching half's.
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
  // The one way to write a value. InvalidArgument says what is allowed.
  std::function<absl::StatusOr<std::string>(const std::string&)> read;
  bool is_switch = false;
  // The value that a case has, or the runner takes, without the flag; absent: it depends.
  std::function<std::string(const BenchmarkCase&)> own = nullptr;
  // Of a flag that changes how the case is called: says it to the runner's AsCalled().
  std::function<void(const std::string& value, runner::CallFlags&)> call = nullptr;
};

// In the order in which a configuration has them.
const std::vector<RunnerFlag>& RunnerFlags();

// nullptr where there is none of this name.
const RunnerFlag* FindRunnerFlag(std::string_view name);

// Values of flags by their names, for one configuration.
using FlagValues = std::map<std::string, std::string>;

// As the runner takes them, in the order of RunnerFlags().
std::vector<std::string> FlagWords(const FlagValues& values);

// "fp32": as in a case's name.
std::string DtypeText(Dtype dtype);

}  // namespace assay::suite

#endif  // ASSAY_TOOLS_SUITE_PLAN_RUNNER_FLAGS_H_

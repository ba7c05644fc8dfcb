// -----------------------------------------------------------------------------
// File: plan.h
// -----------------------------------------------------------------------------
//
// Turns a request into the list of configurations to run: the product of the chosen cases with
// every value of every flag, without impossible combinations and without duplicates, and of that
// list one shard.
//
//   --dtype, --test, --batch   choose cases of the registry. A batch that no case of a model's shape
//                              has is the nearest smaller case with --batch=N (or the smallest one)
//   any flag of the runner     says how each of them is called and measured (runner_flags.h)
//   a flag of a back end       of the configurations that the back end calls
//
// --batch=search is one configuration for all batches of a model's shape. Combinations that the
// runner's rules (configuration/with_call_flags.h) do not allow are dropped and counted by reason. A
// configuration whose device is missing is not dropped: it is run and recorded as NO_DEVICE.
//
//   PlanRequest request = {.selection = {.filters = {"^resnet18_"}},
//                          .dtypes = {FP32, BF16},
//                          .flags = {{"memory-format", {"contiguous", "channels_last"}}}};
//   absl::StatusOr<Plan> plan = MakePlan(request, registry);

#ifndef ASSAY_TOOLS_SUITE_PLAN_PLAN_H_
#define ASSAY_TOOLS_SUITE_PLAN_PLAN_H_

#include <cstdint>
#include <map>
#include <string>
#include <vector>

#include "absl/status/statusor.h"
#include "defs/proto/suite.pb.h"
#include "tools/suite/plan/known_skips.h"
#include "tools/suite/plan/selection.h"
#include "tools/suite/plan/shard.h"
#include "tools/suite/plan/suite_data.pb.h"
#include "tools/suite/planned_run.h"

namespace assay::suite {

struct PlanRequest {
  Selection selection = {};
  std::vector<Dtype> dtypes = {};     // empty: all
  std::vector<CaseMode> tests = {};   // empty: evaluation cases, and cases that --only names
  std::vector<int64_t> batches = {};  // empty: all that the registry has
  bool search_batch = false;          // --batch=search: the largest that fits
  // Values of flags that a plan may vary by name, as their `read` returned them; not "batch".
  std::map<std::string, std::vector<std::string>> flags = {};
  // Values of flags that belong to a back end, by its name: {"torchscript": {"torchscript_freeze": …}}.
  std::map<std::string, std::map<std::string, std::vector<std::string>>> backend_flags = {};
  Shard shard = {};
  bool skip_known = true;           // false: --no-skip
  DeviceType default_device = CPU;  // for cases without --device
  OtherSuites others = {};
  KnownSkipTable known_skips = {};
};

struct Plan {
  // In the registry's order; those of one case in the order of the flags' values.
  std::vector<PlannedRun> configurations = {};
  std::map<std::string, int64_t> dropped = {};  // reason -> how many combinations
  int64_t in_all_shards = 0;
  std::vector<std::string> remarks = {};  // what a person might miss: "3 training cases ..."
};

// Errors of SelectCases(). InvalidArgument for a batch search that no run could decide. NotFound,
// with what was dropped, if there is nothing to run in all shards together; a single shard may be
// empty.
absl::StatusOr<Plan> MakePlan(const PlanRequest& request, const Registry& registry);

}  // namespace assay::suite

#endif  // ASSAY_TOOLS_SUITE_PLAN_PLAN_H_

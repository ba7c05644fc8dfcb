// -----------------------------------------------------------------------------
// File: plan.h
// -----------------------------------------------------------------------------
//
// From what a person asks for to the list of what is run: the product of the chosen cases with
// every value of every flag, without what cannot be, without anything twice, and of that one part.
//
//   --dtype, --test, --batch   choose cases of the registry. A batch that no case of a model's shape
//                              has is the nearest smaller case with --batch=N (or the smallest one)
//   any flag of the runner     says how each of them is called and measured (runner_flags.h)
//
// --batch=search is one configuration for all batches of a model's shape. What cannot be is dropped
// and counted by its reason. The runner's own rules say what can
// (runner/as_called.h). A device that is not there is no such reason: it is run, and recorded as
// NO_DEVICE.
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
#include "defs/suite.pb.h"
#include "tools/suite/configuration.h"
#include "tools/suite/plan/known_skips.h"
#include "tools/suite/plan/selection.h"
#include "tools/suite/plan/shard.h"
#include "tools/suite/plan/suite_data.pb.h"

namespace assay::suite {

struct PlanRequest {
  Selection selection = {};
  std::vector<Dtype> dtypes = {};     // empty: all
  std::vector<CaseMode> tests = {};   // empty: evaluating ones, and what --only names itself
  std::vector<int64_t> batches = {};  // empty: all that the registry has
  bool search_batch = false;  // --batch=search: the largest that fits, found by who runs the plan
  // Values of flags of RunnerFlags() by name, as their `read` returned them; not "batch".
  std::map<std::string, std::vector<std::string>> flags = {};
  Shard shard = {};
  bool skip_known = true;           // false: --no-skip
  DeviceType default_device = CPU;  // of cases that are called without --device
  Tiers tiers = {};
  KnownSkipTable known_skips = {};
};

struct Plan {
  // In the registry's order; those of one case in that of the flags' values.
  std::vector<Configuration> configurations = {};
  std::map<std::string, int64_t> dropped = {};  // reason -> how many combinations
  int64_t in_all_shards = 0;
  std::vector<std::string> remarks = {};  // what a person may miss, "3 training cases ..."
};

// What SelectCases() fails with. InvalidArgument where a batch is searched for that no run would tell.
// NotFound, with what was dropped, where nothing is left to run (in
// all shards: a shard may be empty).
absl::StatusOr<Plan> MakePlan(const PlanRequest& request, const Registry& registry);

}  // namespace assay::suite

#endif  // ASSAY_TOOLS_SUITE_PLAN_PLAN_H_

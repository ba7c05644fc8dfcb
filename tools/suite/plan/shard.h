// -----------------------------------------------------------------------------
// File: shard.h
// -----------------------------------------------------------------------------
//
// One of N parts of a plan, for N machines. A configuration's shard depends only on its label and
// flags, not on the rest of the plan. So the shards are disjoint, together they are the whole plan,
// and a new case moves no other case to another machine.
//
//   absl::StatusOr<Shard> shard = ParseShard("0/3");
//   if (shard->Has(configuration)) ...

#ifndef ASSAY_TOOLS_SUITE_PLAN_SHARD_H_
#define ASSAY_TOOLS_SUITE_PLAN_SHARD_H_

#include <cstdint>
#include <string_view>

#include "absl/status/statusor.h"
#include "tools/suite/planned_run.h"

namespace assay::suite {

struct Shard {
  int64_t index = 0;
  int64_t count = 1;

  bool Has(const PlannedRun& configuration) const;
};

// "0/3" to "2/3". InvalidArgument, saying what is allowed, for anything else.
absl::StatusOr<Shard> ParseShard(std::string_view text);

}  // namespace assay::suite

#endif  // ASSAY_TOOLS_SUITE_PLAN_SHARD_H_

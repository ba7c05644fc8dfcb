#ifndef ASSAY_BENCHMARKS_HARNESS_RUNNER_AS_CALLED_H_
#define ASSAY_BENCHMARKS_HARNESS_RUNNER_AS_CALLED_H_

// ---------------------------------------------------------------------------------------------
// as_called.h: a case as the command line wants it called: another execution, another batch.
//
// The reference stays the case's: an execution is judged by the same float64 truth (under autocast
// by the limits of its dtype), and another batch by the rows that it shares with the reference.
//
// Not for: whether the back end can do it (execution/executable.h).
//
// Example:
//   absl::StatusOr<ResolvedCase> called = AsCalled(c, {.batch = 17}, /*verified=*/true);
// ---------------------------------------------------------------------------------------------

#include <cstdint>
#include <optional>

#include "absl/status/statusor.h"
#include "defs/suite.pb.h"

namespace assay::runner {

// What flags say; absent: as the case has it.
struct CallFlags {
  std::optional<int64_t> batch = {};
  std::optional<MemoryFormat> memory_format = {};
  std::optional<Dtype> autocast = {};
  std::optional<MatmulPrecision> matmul_precision = {};
  std::optional<bool> deterministic = {};

  bool any() const {
    return batch || memory_format || autocast || matmul_precision || deterministic;
  }
};

// `compared`: whether outputs are to be compared with the case's reference. InvalidArgument, naming
// the flag and the mend, where that cannot be: a training case with another batch, autocast to a
// dtype without limits.
absl::StatusOr<ResolvedCase> AsCalled(const ResolvedCase& c, const CallFlags& flags, bool compared);

}  // namespace assay::runner

#endif  // ASSAY_BENCHMARKS_HARNESS_RUNNER_AS_CALLED_H_

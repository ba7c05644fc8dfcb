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
//   absl::StatusOr<ResolvedCase> called = AsCalled(c, {.batch = 17}, Comparison::kMeasured);
// ---------------------------------------------------------------------------------------------

#include <cstdint>
#include <optional>
#include <string>

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
  std::optional<bool> no_grad = {};
  // Of training cases.
  std::string optimizer = {};  // the one that is measured and compared; empty: see AsCalled()
  std::optional<int64_t> accumulation = {};
  std::optional<bool> grad_scaler = {};  // absent: with autocast to fp16
  std::optional<double> clip_norm = {};

  bool any() const {
    return batch || memory_format || autocast || matmul_precision || deterministic || no_grad ||
           !optimizer.empty() || accumulation || grad_scaler || clip_norm;
  }
};

// What becomes of the case's outputs.
enum class Comparison {
  kNone,          // nothing is compared
  kMeasured,      // those of what is measured: of one optimizer
  kAllOptimizers  // those of all optimizers of a training case, where the flags name none
};

// InvalidArgument, naming the flag and the mend, where what is compared cannot be: a training case
// with another batch, autocast to a dtype without limits; and for flags that do not fit the case.
absl::StatusOr<ResolvedCase> AsCalled(const ResolvedCase& c, const CallFlags& flags,
                                      Comparison comparison);

}  // namespace assay::runner

#endif  // ASSAY_BENCHMARKS_HARNESS_RUNNER_AS_CALLED_H_

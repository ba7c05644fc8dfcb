#ifndef ASSAY_BENCHMARKS_HARNESS_CONFIGURATION_WITH_CALL_FLAGS_H_
#define ASSAY_BENCHMARKS_HARNESS_CONFIGURATION_WITH_CALL_FLAGS_H_

// ---------------------------------------------------------------------------------------------
// with_call_flags.h: applies the command line's flags to a case: another execution, another batch.
//
// The reference stays the case's. Another execution is compared with the same float64 reference
// (under autocast with the limits of its dtype, and where float32 products are rounded with those of
// that rounding), and another batch by the rows that it shares with the reference.
//
// Not for: whether the back end can do it (execution/executable.h).
//
// Example:
//   absl::StatusOr<ResolvedCase> called = WithCallFlags(c, {.batch = 17}, Comparison::kMeasured, CPU);
// ---------------------------------------------------------------------------------------------

#include <cstdint>
#include <optional>
#include <string>

#include "absl/status/statusor.h"
#include "defs/proto/suite.pb.h"

namespace assay::configuration {

// The values of the flags; an absent one leaves the case's value.
struct CallFlags {
  std::optional<int64_t> batch = {};
  std::optional<MemoryFormat> memory_format = {};
  std::string backend = {};  // empty: the case's
  std::optional<std::string> lowering = {};
  std::optional<Dtype> autocast = {};
  std::optional<MatmulPrecision> matmul_precision = {};
  std::optional<bool> deterministic = {};
  std::optional<bool> no_grad = {};
  // These three are for training cases only.
  std::string optimizer = {};  // the one that is measured and compared; empty: see WithCallFlags()
  std::optional<int64_t> accumulation = {};
  std::optional<bool> grad_scaler = {};  // absent: on for autocast to fp16
  std::optional<double> clip_norm = {};

  bool any() const {
    return batch || memory_format || !backend.empty() || lowering || autocast || matmul_precision ||
           deterministic || no_grad || !optimizer.empty() || accumulation || grad_scaler ||
           clip_norm;
  }
};

// Which of the case's outputs are compared.
enum class Comparison {
  kNone,          // nothing is compared
  kMeasured,      // the outputs of the step that is measured: of one optimizer
  kAllOptimizers  // the outputs of all optimizers of a training case, where the flags name none
};

// "fp32", as in a case's name. base/dtype.h would bring LibTorch to programs that only plan.
std::string DtypeText(Dtype dtype);

// InvalidArgument, naming the flag and the fix, for flags that do not fit the case and for
// comparisons that are impossible: a training case with another batch, autocast to a dtype without
// limits.
absl::StatusOr<ResolvedCase> WithCallFlags(const ResolvedCase& c, const CallFlags& flags,
                                           Comparison comparison, DeviceType device);

}  // namespace assay::configuration

#endif  // ASSAY_BENCHMARKS_HARNESS_CONFIGURATION_WITH_CALL_FLAGS_H_

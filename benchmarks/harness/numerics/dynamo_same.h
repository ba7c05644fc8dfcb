#ifndef ASSAY_BENCHMARKS_HARNESS_NUMERICS_DYNAMO_SAME_H_
#define ASSAY_BENCHMARKS_HARNESS_NUMERICS_DYNAMO_SAME_H_

// ---------------------------------------------------------------------------------------------
// dynamo_same.h: TorchDynamo's same() for one tensor of floats, pytorch/torch/_dynamo/utils.py.
//
// The outputs are compared with those of an eager run in the case's dtype: where eager itself is
// far from float64, another execution may be as far. In this order:
//
// 1  res is close to ref within tol + tol·|res| everywhere                               → same
// 2  in cosine mode: cosine(ref, res) >= cosine_min, norms below 1e-6 counted as 1e-6    → same,
//    else not
// 3  without a float64 run                                                               → not
// 4  ref holds NaN, res and float64 do not, and res is within 4e-2 + 4e-2·|res| of float64 → same
// 5  rmse(res, float64) <= multiplier · rmse(ref, float64) + tol / 10                    → same
// 6  both root mean squares are NaN and NaN may equal NaN                                → same
//
//   multiplier  the one that is forced, else the first that applies of
//       10      larger multipliers asked for, at most 10 elements
//        8      larger multipliers asked for, at most 500 elements
//        3      fewer than 1000 elements; 4 dimensions, the last two 1; tol of at least 0.02
//        3      bf16, fp16
//        2
//
// The tolerance of 1 grows with |res|, as torch.allclose(ref, res) has it. Unlike there, 4 does not
// round float64 to the dtype first, which is less than a tenth of its tolerance.
//
// Booleans and integers are not for this function: Dynamo compares booleans by allclose as uint8,
// which for every tol below 0.5 is equality (rules.h: EXACT), or by their intersection over union.
//
// Example:
//   SameResult result = DynamoSame({.ref = eager, .res = got, .fp64 = truth, .shape = {8, 1000},
//                                   .dtype = BF16}, {.tol = 1e-2});
// ---------------------------------------------------------------------------------------------

#include <cstdint>

#include "absl/types/span.h"
#include "defs/proto/suite.pb.h"

namespace assay::numerics {

struct SameInput {
  absl::Span<const double> ref = {};     // eager; any number of these three lists may hold NaN
  absl::Span<const double> res = {};     // the outputs that are judged; as many
  absl::Span<const double> fp64 = {};    // float64; as many, or none
  absl::Span<const int64_t> shape = {};  // of the whole output, of which these may be a sample
  Dtype dtype = Dtype::DTYPE_UNSPECIFIED;
};

struct SameOptions {
  double tol = 1e-4;
  double forced_multiplier = 0;  // 0: the table's
  bool larger_multiplier = false;
  double cosine_min = 0;   // 0: no cosine mode
  bool equal_nan = false;  // as in Dynamo's runs in types other than float32
};

enum class SameWay { kNot, kClose, kCosine, kBetterThanRef, kRmse, kBothNan };

struct SameResult {
  SameWay way = SameWay::kNot;
  double multiplier = 0;                // the other fields are 0 if they were not needed
  double ref_error = 0, res_error = 0;  // rmse to float64
  double cosine = 0;

  bool passed() const { return way != SameWay::kNot; }
};

inline constexpr double kBetterThanRefTolerance = 4e-2;

SameResult DynamoSame(const SameInput& input, const SameOptions& options);

double DynamoMultiplier(absl::Span<const int64_t> shape, Dtype dtype, const SameOptions& options);

}  // namespace assay::numerics

#endif  // ASSAY_BENCHMARKS_HARNESS_NUMERICS_DYNAMO_SAME_H_

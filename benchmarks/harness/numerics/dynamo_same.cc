#include "benchmarks/harness/numerics/dynamo_same.h"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>

#include "absl/types/span.h"
#include "benchmarks/harness/numerics/error_measures.h"
#include "defs/proto/suite.pb.h"

namespace assay::numerics {
namespace {

// torch.allclose(a, b, atol = tolerance, rtol = tolerance).
bool AllClose(absl::Span<const double> a, absl::Span<const double> b, double tolerance,
              bool equal_nan) {
  for (std::size_t i = 0; i < a.size(); ++i) {
    if (equal_nan && std::isnan(a[i]) && std::isnan(b[i])) continue;
    if (a[i] == b[i]) continue;  // infinities too
    if (!(std::abs(a[i] - b[i]) <= tolerance + tolerance * std::abs(b[i])) || std::isinf(b[i]))
      return false;
  }
  return true;
}

bool HasNan(absl::Span<const double> values) {
  return std::any_of(values.begin(), values.end(), [](double x) { return std::isnan(x); });
}

// torch.nn.functional.cosine_similarity(a, b, dim = 0, eps = 1e-6).
double TorchCosine(absl::Span<const double> a, absl::Span<const double> b) {
  constexpr double kEps = 1e-6;
  const auto shrunk = [](absl::Span<const double> v) {
    double squares = 0;
    for (const double x : v) squares += x * x;
    return std::min(1.0, std::sqrt(squares) / kEps);
  };
  return Cosine(a, b) * shrunk(a) * shrunk(b);
}

}  // namespace

double DynamoMultiplier(absl::Span<const int64_t> shape, Dtype dtype, const SameOptions& options) {
  if (options.forced_multiplier > 0) return options.forced_multiplier;
  int64_t elements = 1;
  for (const int64_t size : shape) elements *= size;
  if (options.larger_multiplier && elements <= 10) return 10;
  if (options.larger_multiplier && elements <= 500) return 8;
  const bool pointwise = shape.size() == 4 && shape[2] == 1 && shape[3] == 1;
  if (elements < 1000 || pointwise || options.tol >= 2e-2) return 3;
  return dtype == Dtype::FP16 || dtype == Dtype::BF16 ? 3 : 2;
}

SameResult DynamoSame(const SameInput& input, const SameOptions& options) {
  SameResult result;
  const auto as = [&result](SameWay way) {
    result.way = way;
    return result;
  };
  if (AllClose(input.ref, input.res, options.tol, options.equal_nan)) return as(SameWay::kClose);
  if (options.cosine_min > 0) {
    result.cosine = TorchCosine(input.ref, input.res);
    return as(result.cosine >= options.cosine_min ? SameWay::kCosine : SameWay::kNot);
  }
  if (input.fp64.empty()) return result;
  // Values close to float64's are numbers, although `ref` holds NaN.
  if (HasNan(input.ref) && !HasNan(input.fp64) &&
      AllClose(input.fp64, input.res, kBetterThanRefTolerance, options.equal_nan))
    return as(SameWay::kBetterThanRef);
  result.multiplier = DynamoMultiplier(input.shape, input.dtype, options);
  result.ref_error = RootMeanSquareError(input.ref, input.fp64);
  result.res_error = RootMeanSquareError(input.res, input.fp64);
  if (result.res_error <= result.multiplier * result.ref_error + options.tol / 10)
    return as(SameWay::kRmse);
  const bool both_nan = std::isnan(result.ref_error) && std::isnan(result.res_error);
  return as(options.equal_nan && both_nan ? SameWay::kBothNan : SameWay::kNot);
}

}  // namespace assay::numerics

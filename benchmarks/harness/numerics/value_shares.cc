#include "benchmarks/harness/numerics/value_shares.h"

#include <ATen/ops/abs.h>
#include <c10/core/ScalarType.h>

#include <cmath>
#include <limits>

namespace assay::numerics {
namespace {

double SmallestNormal(at::ScalarType type) {
  switch (type) {
    case at::kHalf:
      return std::ldexp(1.0, -14);
    case at::kDouble:
      return std::numeric_limits<double>::min();
    default:  // float32 and bfloat16 have the same exponents
      return std::numeric_limits<float>::min();
  }
}

}  // namespace

ValueShares SharesOf(at::ArrayRef<at::Tensor> tensors) {
  double elements = 0, zeros = 0, subnormals = 0;
  for (const at::Tensor& tensor : tensors) {
    if (!tensor.defined() || !tensor.is_floating_point()) continue;
    elements += static_cast<double>(tensor.numel());
    const double nonzero = static_cast<double>(tensor.count_nonzero().item<int64_t>());
    const double normal = static_cast<double>(
        (tensor.abs().ge(SmallestNormal(tensor.scalar_type()))).count_nonzero().item<int64_t>());
    zeros += static_cast<double>(tensor.numel()) - nonzero;
    // NaN is neither: it is not zero, and it compares as not normal.
    subnormals +=
        nonzero - normal - static_cast<double>(tensor.isnan().count_nonzero().item<int64_t>());
  }
  if (elements == 0) return {};
  return {.zeros = zeros / elements, .subnormals = subnormals / elements};
}

double SubnormalShareOfSamples(at::ArrayRef<at::Tensor> tensors) {
  constexpr int64_t kMost = 16384;
  double elements = 0, subnormals = 0;
  for (const at::Tensor& tensor : tensors) {
    const at::ScalarType type = tensor.defined() ? tensor.scalar_type() : at::kInt;
    const bool slow = type == at::kBFloat16 || type == at::kFloat || type == at::kDouble;
    if (!slow || tensor.layout() != at::kStrided || tensor.numel() == 0) continue;
    const int64_t step = (tensor.numel() + kMost - 1) / kMost;
    const at::Tensor flat = tensor.detach().reshape({-1});
    const auto numel = static_cast<double>(tensor.numel());
    elements += numel;
    subnormals += numel * SharesOf({flat.slice(0, 0, tensor.numel(), step)}).subnormals;
  }
  return elements == 0 ? 0 : subnormals / elements;
}

}  // namespace assay::numerics

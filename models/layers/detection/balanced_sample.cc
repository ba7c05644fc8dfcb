#include "models/layers/detection/balanced_sample.h"

#include <ATen/TensorOperators.h>
#include <ATen/ops/arange.h>

#include <algorithm>

namespace assay::models {
namespace {

constexpr int64_t kMultiplier = 2654435761;  // odd, near 2^32 over the golden ratio
constexpr int64_t kModulus = int64_t{1} << 32;

// The first `most` of the places in the order of their hashes, which all differ.
at::Tensor FirstOf(const at::Tensor& places, int64_t most) {
  const at::Tensor order =
      (at::arange(places.size(0), places.options()) * kMultiplier).remainder(kModulus).argsort();
  return places.index_select(0, order.narrow(0, 0, std::min(most, places.size(0))));
}

}  // namespace

BalancedSample SampledPlaces(const at::Tensor& labels, int64_t count, double share) {
  const auto most = static_cast<int64_t>(static_cast<double>(count) * share);
  const at::Tensor objects = FirstOf(labels.ge(1).nonzero().squeeze(1), most);
  return {objects, FirstOf(labels.eq(0).nonzero().squeeze(1), count - objects.size(0))};
}

}  // namespace assay::models

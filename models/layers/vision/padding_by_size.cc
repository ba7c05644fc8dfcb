#include "models/layers/vision/padding_by_size.h"

#include <ATen/ops/constant_pad_nd.h>

#include <algorithm>

namespace assay::models {

at::Tensor PaddedBySize(const at::Tensor& x, int64_t kernel, int64_t stride) {
  const auto missing = [&](int64_t pixels) {
    const int64_t last = (pixels - 1) / stride * stride;
    return std::max<int64_t>(0, last + kernel - pixels);
  };
  const int64_t rows = missing(x.size(2)), columns = missing(x.size(3));
  return at::constant_pad_nd(x, {columns / 2, columns - columns / 2, rows / 2, rows - rows / 2}, 0);
}

}  // namespace assay::models

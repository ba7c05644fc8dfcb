#include "models/layers/vision/windows.h"

#include <ATen/ops/constant_pad_nd.h>

namespace assay::models {

at::Tensor PaddedToMultiples(const at::Tensor& x, const WindowSizes& multiple) {
  WindowSizes behind;
  for (int64_t d = 0; d < 3; ++d)
    behind[d] = (multiple[d] - x.size(d + 1) % multiple[d]) % multiple[d];
  if (behind == WindowSizes{0, 0, 0}) return x;
  return at::constant_pad_nd(x, {0, 0, 0, behind[2], 0, behind[1], 0, behind[0]});
}

at::Tensor Windows(const at::Tensor& x, const WindowSizes& window) {
  const auto [frames, rows, columns] = window;
  return x
      .view({x.size(0), x.size(1) / frames, frames, x.size(2) / rows, rows, x.size(3) / columns,
             columns, x.size(4)})
      .permute({0, 1, 3, 5, 2, 4, 6, 7})
      .reshape({-1, frames * rows * columns, x.size(4)});
}

at::Tensor WithoutWindows(const at::Tensor& windows, const WindowSizes& window,
                          const at::Tensor& like) {
  const auto [frames, rows, columns] = window;
  return windows
      .view({like.size(0), like.size(1) / frames, like.size(2) / rows, like.size(3) / columns,
             frames, rows, columns, like.size(4)})
      .permute({0, 1, 4, 2, 5, 3, 6, 7})
      .reshape(like.sizes());
}

}  // namespace assay::models

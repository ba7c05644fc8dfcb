#include "models/layers/sequence/relative_position.h"

#include <ATen/ops/empty.h>

#include <cmath>

namespace assay::models {

at::Tensor RelativePositionIndex(int64_t side) {
  const int64_t tokens = side * side;
  at::Tensor index = at::empty({tokens, tokens}, at::kLong);
  int64_t* out = index.mutable_data_ptr<int64_t>();
  for (int64_t first = 0; first < tokens; ++first) {
    for (int64_t second = 0; second < tokens; ++second) {
      const int64_t rows = first / side - second / side + side - 1;
      const int64_t columns = first % side - second % side + side - 1;
      *out++ = rows * (2 * side - 1) + columns;
    }
  }
  return index;
}

at::Tensor RelativePositionBias(const at::Tensor& table, const at::Tensor& index) {
  const int64_t tokens = std::lround(std::sqrt(static_cast<double>(index.numel())));
  return table.index_select(0, index.view(-1))
      .view({tokens, tokens, table.size(1)})
      .permute({2, 0, 1})
      .contiguous()
      .unsqueeze(0);
}

}  // namespace assay::models

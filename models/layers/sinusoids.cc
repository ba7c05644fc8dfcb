#include "models/layers/sinusoids.h"

#include <ATen/ops/empty.h>

#include <cmath>

namespace assay::models {

at::Tensor Sinusoids(int64_t rows, int64_t features) {
  const int64_t half = features / 2;
  const auto rate = static_cast<float>(-(std::log(10000.0) / static_cast<double>(half - 1)));
  const at::Tensor table = at::empty({rows, features}, at::kFloat);
  float* const values = table.mutable_data_ptr<float>();
  for (int64_t j = 0; j < half; ++j) {
    const float power = static_cast<float>(j) * rate;
    const auto step = static_cast<float>(std::exp(static_cast<double>(power)));
    for (int64_t row = 0; row < rows; ++row) {
      const float angle = static_cast<float>(row) * step;
      values[row * features + j] = static_cast<float>(std::sin(static_cast<double>(angle)));
      values[row * features + half + j] = static_cast<float>(std::cos(static_cast<double>(angle)));
    }
  }
  return table;
}

}  // namespace assay::models

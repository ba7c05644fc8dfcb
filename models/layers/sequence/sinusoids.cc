#include "models/layers/sequence/sinusoids.h"

#include <ATen/ops/empty.h>

#include <cmath>
#include <vector>

namespace assay::models {
namespace {

float Rounded(double value) { return static_cast<float>(value); }

at::Tensor SinesAndCosines(int64_t rows, const std::vector<float>& steps) {
  const auto half = static_cast<int64_t>(steps.size());
  const at::Tensor table = at::empty({rows, 2 * half}, at::kFloat);
  float* value = table.mutable_data_ptr<float>();
  for (int64_t row = 0; row < rows; ++row, value += 2 * half) {
    for (int64_t j = 0; j < half; ++j) {
      const float angle = static_cast<float>(row) * steps[j];
      value[j] = Rounded(std::sin(static_cast<double>(angle)));
      value[half + j] = Rounded(std::cos(static_cast<double>(angle)));
    }
  }
  return table;
}

}  // namespace

at::Tensor Sinusoids(int64_t rows, int64_t features) {
  const int64_t half = features / 2;
  const float rate = Rounded(-(std::log(10000.0) / static_cast<double>(half - 1)));
  std::vector<float> steps;
  for (int64_t j = 0; j < half; ++j) {
    const float power = static_cast<float>(j) * rate;
    steps.push_back(Rounded(std::exp(static_cast<double>(power))));
  }
  return SinesAndCosines(rows, steps);
}

at::Tensor InterleavedSinusoids(int64_t rows, int64_t features) {
  const float rate = Rounded(-(std::log(10000.0) / static_cast<double>(features)));
  std::vector<float> steps;
  for (int64_t j = 0; j < features; j += 2) {
    const float power = static_cast<float>(j) * rate;
    steps.push_back(Rounded(std::exp(static_cast<double>(power))));
  }
  return SinesAndCosines(rows, steps).unflatten(1, {2, -1}).transpose(1, 2).flatten(1);
}

at::Tensor RotarySinusoids(int64_t rows, int64_t features) {
  std::vector<float> steps;
  for (int64_t j = 0; j < features; j += 2) {
    const float power = static_cast<float>(j) / static_cast<float>(features);
    steps.push_back(1 / Rounded(std::pow(10000.0, static_cast<double>(power))));
  }
  return SinesAndCosines(rows, steps);
}

}  // namespace assay::models

// A softmax of rows for float32 on the CPU by LibTorch's stable ABI: the library runs with LibTorch 2.10 and every later
// one, and compiles in a fraction of the time.
//
//   tools/bazel run //tools:kernel -- tools/kernel/examples/stable_softmax.cc --like=aten::softmax.int
#include <torch/csrc/stable/library.h>
#include <torch/csrc/stable/ops.h>
#include <torch/csrc/stable/tensor.h>

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <limits>

namespace {

using torch::stable::Tensor;

// x -> its softmax y, both of n elements.
void Row(const float* x, float* y, int64_t n) {
  float most = -std::numeric_limits<float>::infinity(), sum = 0;
  for (int64_t i = 0; i < n; ++i) most = std::max(most, x[i]);
  for (int64_t i = 0; i < n; ++i) sum += y[i] = std::exp(x[i] - most);
  for (int64_t i = 0; i < n; ++i) y[i] /= sum;
}

Tensor Softmax(const Tensor& self, int64_t dim) {
  STD_TORCH_CHECK(self.scalar_type() == torch::headeronly::ScalarType::Float,
                  "mine::softmax takes float32");
  STD_TORCH_CHECK(dim == -1 || dim == self.dim() - 1, "mine::softmax takes rows");
  const Tensor x = torch::stable::contiguous(self);
  Tensor y = torch::stable::empty_like(x);
  const int64_t n = self.dim() == 0 ? 1 : x.size(x.dim() - 1);
  const float* const from = x.const_data_ptr<float>();
  float* const to = y.mutable_data_ptr<float>();
  for (int64_t at = 0; at < x.numel(); at += n) Row(from + at, to + at, n);
  return y;
}

}  // namespace

STABLE_TORCH_LIBRARY(mine, library) { library.def("softmax(Tensor self, int dim) -> Tensor"); }

STABLE_TORCH_LIBRARY_IMPL(mine, CPU, library) { library.impl("softmax", TORCH_BOX(&Softmax)); }

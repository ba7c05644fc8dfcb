// Right, but for one element that it reads behind memory of its own: only the address sanitizer sees that.
#include <ATen/core/Tensor.h>
#include <torch/library.h>

#include <memory>

#include "row_softmax.h"

namespace {

void Row(const float* x, float* y, int64_t n) {
  const auto copy = std::make_unique<float[]>(static_cast<size_t>(n));
  std::copy(x, x + n, copy.get());
  const volatile float* const own = copy.get();
  static_cast<void>(own[n]);
  RightRow(copy.get(), y, n);
}

at::Tensor Softmax(const at::Tensor& self, int64_t dim) { return SoftmaxBy(self, dim, Row); }

}  // namespace

TORCH_LIBRARY(mine, library) {
  library.def("softmax(Tensor self, int dim) -> Tensor");
  library.impl("softmax", c10::DispatchKey::CPU, &Softmax);
}

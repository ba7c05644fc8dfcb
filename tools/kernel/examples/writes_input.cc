// Computes within its input, which holds the result afterwards.
#include <ATen/core/Tensor.h>
#include <torch/library.h>

#include "row_softmax.h"

namespace {

void Row(const float* x, float* y, int64_t n) {
  RightRow(x, const_cast<float*>(x),
           n);  // NOLINT(cppcoreguidelines-pro-type-const-cast): the mistake
  std::copy(x, x + n, y);
}

at::Tensor Softmax(const at::Tensor& self, int64_t dim) { return SoftmaxBy(self, dim, Row); }

}  // namespace

TORCH_LIBRARY(mine, library) {
  library.def("softmax(Tensor self, int dim) -> Tensor");
  library.impl("softmax", c10::DispatchKey::CPU, &Softmax);
}

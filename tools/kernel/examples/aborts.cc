// Ends the process.
#include <ATen/core/Tensor.h>
#include <torch/library.h>

#include <cstdlib>

#include "row_softmax.h"

namespace {

at::Tensor Softmax(const at::Tensor& /*self*/, int64_t /*dim*/) { std::abort(); }

}  // namespace

TORCH_LIBRARY(mine, library) {
  library.def("softmax(Tensor self, int dim) -> Tensor");
  library.impl("softmax", c10::DispatchKey::CPU, &Softmax);
}

// Wants a function of LibTorch that this version does not have: it cannot be loaded.
#include <torch/library.h>

namespace at {
Tensor OfAnotherVersion();
}

namespace {

at::Tensor Softmax(const at::Tensor& /*self*/, int64_t /*dim*/) { return at::OfAnotherVersion(); }

TORCH_LIBRARY(mine, library) {
  library.def("softmax(Tensor self, int dim) -> Tensor");
  library.impl("softmax", c10::DispatchKey::CPU, &Softmax);
}

}  // namespace

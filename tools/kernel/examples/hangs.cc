// Never returns.
#include <ATen/core/Tensor.h>
#include <torch/library.h>

#include <chrono>
#include <thread>

#include "row_softmax.h"

namespace {

at::Tensor Softmax(const at::Tensor& /*self*/, int64_t /*dim*/) {
  while (true) std::this_thread::sleep_for(std::chrono::hours(1));
}

}  // namespace

TORCH_LIBRARY(mine, library) {
  library.def("softmax(Tensor self, int dim) -> Tensor");
  library.impl("softmax", c10::DispatchKey::CPU, &Softmax);
}

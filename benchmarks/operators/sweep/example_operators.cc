// An example of a kernel author's library that registers operators. //benchmarks/operators:sweep
// checks it with --load-library=libexample_operators.so and --samples=example_samples.txt.
#include <ATen/TensorOperators.h>
#include <ATen/core/Tensor.h>
#include <ATen/ops/empty_like.h>
#include <c10/util/Exception.h>
#include <torch/library.h>

#include <cmath>

namespace {

// x / (1 + exp(-x)), for contiguous float32 on the CPU.
at::Tensor Silu(const at::Tensor& self) {
  TORCH_CHECK(self.scalar_type() == at::kFloat && self.is_contiguous(),
              "example::silu takes contiguous float32");
  at::Tensor result = at::empty_like(self);
  const float* from = self.const_data_ptr<float>();
  float* to = result.mutable_data_ptr<float>();
  for (int64_t i = 0; i < self.numel(); ++i) to[i] = from[i] / (1 + std::exp(-from[i]));
  return result;
}

// Made of ATen's operators, so it has every dtype and gradients without further code.
at::Tensor ScaledAdd(const at::Tensor& a, const at::Tensor& b, double scale) {
  return a + b * scale;
}

}  // namespace

TORCH_LIBRARY(example, library) {
  library.def("silu(Tensor self) -> Tensor");
  library.impl("silu", c10::DispatchKey::CPU, &Silu);
  library.def("scaled_add(Tensor a, Tensor b, float scale) -> Tensor", &ScaledAdd);
}

// An RMS norm of rows for the definition rmsnorm_h128.json:
//
//   tools/bazel run //tools:kernel -- tools/kernel/examples/rmsnorm.cc
//       --flashinfer-trace=tools/kernel/examples/rmsnorm_h128.json --workload=tools/kernel/examples/rmsnorm_h128.jsonl
#include <ATen/Parallel.h>
#include <ATen/core/Tensor.h>
#include <ATen/ops/empty.h>
#include <c10/util/BFloat16.h>
#include <c10/util/Exception.h>
#include <torch/library.h>

#include <cmath>
#include <cstdint>

namespace {

at::Tensor RmsNorm(const at::Tensor& hidden_states, const at::Tensor& weight, double eps) {
  TORCH_CHECK(hidden_states.scalar_type() == at::kBFloat16 && weight.scalar_type() == at::kBFloat16,
              "mine::rmsnorm takes bfloat16");
  const at::Tensor x = hidden_states.contiguous(), w = weight.contiguous();
  at::Tensor y = at::empty(x.sizes(), x.options());
  const int64_t n = x.size(-1), rows = n == 0 ? 0 : x.numel() / n;
  const auto* const from = x.const_data_ptr<at::BFloat16>();
  const auto* const scale = w.const_data_ptr<at::BFloat16>();
  auto* const to = y.mutable_data_ptr<at::BFloat16>();
  at::parallel_for(0, rows, 1 + 32768 / (n + 1), [&](int64_t begin, int64_t end) {
    for (int64_t row = begin; row < end; ++row) {
      float squares = 0;
      for (int64_t i = 0; i < n; ++i)
        squares += float(from[row * n + i]) * float(from[row * n + i]);
      const float factor = 1 / std::sqrt(squares / float(n) + float(eps));
      for (int64_t i = 0; i < n; ++i)
        to[row * n + i] = float(from[row * n + i]) * factor * float(scale[i]);
    }
  });
  return y;
}

}  // namespace

TORCH_LIBRARY(mine, library) {
  library.def("rmsnorm(Tensor hidden_states, Tensor weight, float eps) -> Tensor");
  library.impl("rmsnorm", c10::DispatchKey::CPU, &RmsNorm);
}

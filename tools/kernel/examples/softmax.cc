// A softmax of rows for float32 on the CPU:
//
//   tools/bazel run //tools:kernel -- tools/kernel/examples/softmax.cc --like=aten::softmax.int
#include <ATen/Parallel.h>
#include <ATen/core/Tensor.h>
#include <ATen/ops/empty_like.h>
#include <c10/util/Exception.h>
#include <torch/library.h>

#include <bit>
#include <cstdint>
#include <limits>

namespace {

// exp(x) of x <= 0 to 2e-7 of its value, without a branch, so that a loop over it is vectorised: 2^k times a
// polynomial (Cephes, expf.c). 0 where it would be subnormal; NaN stays NaN.
inline float Exp(float x) {
  constexpr float kLeast = -87.33F, kLog2E = 1.44269504F, kToInteger = 12582912.F;  // 1.5 * 2^23
  const float clamped = x < kLeast ? kLeast : x;
  const float k = (clamped * kLog2E + kToInteger) - kToInteger;
  const float r = (clamped - k * 0.693359375F) + k * 2.12194440e-4F;
  float p = 1.9875691500e-4F;
  p = p * r + 1.3981999507e-3F;
  p = p * r + 8.3334519073e-3F;
  p = p * r + 4.1665795894e-2F;
  p = p * r + 1.6666665459e-1F;
  p = p * r + 5.0000001201e-1F;
  const auto power =
      std::bit_cast<float>((static_cast<uint32_t>(static_cast<int32_t>(k)) + 127) << 23);
  return x < kLeast ? 0.F : (p * r * r + r + 1) * power;
}

// x -> its softmax y, both of n elements.
void Row(const float* x, float* y, int64_t n) {
  float most = -std::numeric_limits<float>::infinity(), sum = 0;
#pragma omp simd reduction(max : most)
  for (int64_t i = 0; i < n; ++i) most = x[i] > most ? x[i] : most;
#pragma omp simd reduction(+ : sum)
  for (int64_t i = 0; i < n; ++i) sum += y[i] = Exp(x[i] - most);
  const float share = 1 / sum;
#pragma omp simd
  for (int64_t i = 0; i < n; ++i) y[i] *= share;
}

at::Tensor Softmax(const at::Tensor& self, int64_t dim) {
  TORCH_CHECK(self.scalar_type() == at::kFloat, "mine::softmax takes float32");
  if (self.dim() == 0) return Softmax(self.reshape({1}), 0).reshape({});
  const at::Tensor x = self.transpose(dim, -1).contiguous();
  const at::Tensor y = at::empty_like(x);
  const int64_t n = x.size(-1), rows = n == 0 ? 0 : x.numel() / n;
  const float* const from = x.const_data_ptr<float>();
  float* const to = y.mutable_data_ptr<float>();
  at::parallel_for(0, rows, 1 + 32768 / (n + 1), [&](int64_t begin, int64_t end) {
    for (int64_t row = begin; row < end; ++row) Row(from + row * n, to + row * n, n);
  });
  return y.transpose(dim, -1).contiguous();
}

}  // namespace

TORCH_LIBRARY(mine, library) {
  library.def("softmax(Tensor self, int dim) -> Tensor");
  library.impl("softmax", c10::DispatchKey::CPU, &Softmax);
}

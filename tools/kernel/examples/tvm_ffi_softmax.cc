// A softmax of rows for float32 on the CPU as a TVM-FFI library: it knows nothing of LibTorch, and writes its output where the caller
// says.
//
//   tools/bazel run //tools:kernel -- tools/kernel/examples/tvm_ffi_softmax.cc --like=aten::softmax.int
#include <tvm/ffi/container/tensor.h>
#include <tvm/ffi/error.h>
#include <tvm/ffi/function.h>

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <limits>

namespace {

using tvm::ffi::TensorView;

// x -> its softmax y, both of n elements.
void Row(const float* x, float* y, int64_t n) {
  float most = -std::numeric_limits<float>::infinity(), sum = 0;
  for (int64_t i = 0; i < n; ++i) most = std::max(most, x[i]);
  for (int64_t i = 0; i < n; ++i) sum += y[i] = std::exp(x[i] - most);
  for (int64_t i = 0; i < n; ++i) y[i] /= sum;
}

bool IsFloat32(const TensorView& tensor) {
  return tensor.dtype().code == kDLFloat && tensor.dtype().bits == 32;
}

void Softmax(TensorView self, int64_t dim, TensorView out) {
  if (!IsFloat32(self) || !IsFloat32(out)) TVM_FFI_THROW(TypeError) << "softmax takes float32";
  if (dim != -1 && dim != self.ndim() - 1) TVM_FFI_THROW(ValueError) << "softmax takes rows";
  if (!self.IsContiguous() || !out.IsContiguous() || self.numel() != out.numel())
    TVM_FFI_THROW(ValueError) << "softmax takes contiguous tensors of one shape";
  const int64_t n = self.ndim() == 0 ? 1 : self.size(self.ndim() - 1);
  const float* const from = static_cast<const float*>(self.data_ptr());
  float* const to = static_cast<float*>(out.data_ptr());
  for (int64_t at = 0; at < self.numel(); at += n) Row(from + at, to + at, n);
}

}  // namespace

TVM_FFI_DLL_EXPORT_TYPED_FUNC(softmax, Softmax);

// For tvm_ffi_candidate_test: TVM-FFI functions of the C interface alone.
#include <tvm/ffi/c_api.h>

#include <algorithm>
#include <cstdint>

namespace {

// f(i) to each element i of a contiguous output in float32.
template <typename Function>
int Fill(const TVMFFIAny& output, const Function& f) {
  const DLTensor& tensor = *static_cast<const DLTensor*>(output.v_ptr);
  int64_t elements = 1;
  for (int i = 0; i < tensor.ndim; ++i) elements *= tensor.shape[i];
  for (int64_t i = 0; i < elements; ++i) static_cast<float*>(tensor.data)[i] = f(i);
  return 0;
}

}  // namespace

extern "C" {

// (self, out), of matrices whatever their strides are.
int __tvm_ffi_relu(void* /*self*/, const TVMFFIAny* args, int32_t count, TVMFFIAny* /*result*/) {
  if (count != 2 || args[0].type_index != kTVMFFIDLTensorPtr) return -2;
  const DLTensor& x = *static_cast<const DLTensor*>(args[0].v_ptr);
  return Fill(args[1], [&x](int64_t i) {
    const int64_t at = i / x.shape[1] * x.strides[0] + i % x.shape[1] * x.strides[1];
    return std::max(static_cast<const float*>(x.data)[at], 0.0F);
  });
}

// Element i of its last argument: the type of argument i; the number of arguments behind the last one.
int __tvm_ffi_types(void* /*self*/, const TVMFFIAny* args, int32_t count, TVMFFIAny* /*result*/) {
  return Fill(args[count - 1], [args, count](int64_t i) {
    return static_cast<float>(i < count ? args[i].type_index : count);
  });
}

int __tvm_ffi_refuses(void* /*self*/, const TVMFFIAny* /*args*/, int32_t /*count*/,
                      TVMFFIAny* /*result*/) {
  TVMFFIErrorSetRaisedFromCStr("ValueError", "no kernel for this");
  return -1;
}

// To both of its outputs, (self, dim, values, indices).
int __tvm_ffi_two(void* /*self*/, const TVMFFIAny* args, int32_t count, TVMFFIAny* /*result*/) {
  if (count != 4) return -2;
  const DLTensor& indices = *static_cast<const DLTensor*>(args[3].v_ptr);
  if (indices.dtype.code != kDLInt || indices.dtype.bits != 64 || indices.ndim != 1) return -2;
  static_cast<int64_t*>(indices.data)[0] = args[1].v_int64;
  return Fill(args[2], [](int64_t) { return 5.0F; });
}
}

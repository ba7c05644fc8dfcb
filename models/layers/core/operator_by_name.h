#ifndef ASSAY_MODELS_LAYERS_CORE_OPERATOR_BY_NAME_H_
#define ASSAY_MODELS_LAYERS_CORE_OPERATOR_BY_NAME_H_

// ---------------------------------------------------------------------------------------------
// models/layers/core/operator_by_name.h: operators that have no function of their own in ATen's headers,
// and whether one has a kernel.
//
// Not for calls of others; a call by name takes about a microsecond longer.
//
// Example:
//
//     at::Tensor y = CallByName("quantized::add", "", {a, b, scale, zero}).toTensor();
// ---------------------------------------------------------------------------------------------

#include <ATen/core/ivalue.h>
#include <ATen/core/stack.h>

namespace assay::models {

// The first result. `overload` is the part of the name behind the dot. Lets c10::Error through.
c10::IValue CallByName(const char* name, const char* overload, torch::jit::Stack arguments);

// Whether it has a kernel for tensors on the CPU, of LibTorch or of whoever has registered one.
bool HasKernelForCpu(const char* name, const char* overload);

}  // namespace assay::models

#endif  // ASSAY_MODELS_LAYERS_CORE_OPERATOR_BY_NAME_H_

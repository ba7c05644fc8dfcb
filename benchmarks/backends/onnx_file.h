#ifndef ASSAY_BENCHMARKS_BACKENDS_ONNX_INPUTS_H_
#define ASSAY_BENCHMARKS_BACKENDS_ONNX_INPUTS_H_

// ---------------------------------------------------------------------------------------------
// onnx_inputs.h: what an ONNX file says of its inputs and ONNX Runtime does not pass on: whether an
// input has a shape at all. The library gives an input of any rank no dimensions, as it does a scalar.
//
// Not for: checking a file; bytes that are no ONNX file have no such inputs.
//
// Example:
//   for (const std::string& name : OnnxInputsWithoutShape(bytes)) ...   // ask for --input-spec
// ---------------------------------------------------------------------------------------------

#include <string>
#include <string_view>
#include <vector>

namespace assay::backends {

// Names of the graph's inputs that are tensors of any rank.
std::vector<std::string> OnnxInputsWithoutShape(std::string_view bytes);

}  // namespace assay::backends

#endif  // ASSAY_BENCHMARKS_BACKENDS_ONNX_INPUTS_H_

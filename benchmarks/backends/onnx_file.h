#ifndef ASSAY_BENCHMARKS_BACKENDS_ONNX_FILE_H_
#define ASSAY_BENCHMARKS_BACKENDS_ONNX_FILE_H_

// ---------------------------------------------------------------------------------------------
// onnx_file.h: what an ONNX file says and its runtimes do not pass on: whether an input has a shape at
// all (ONNX Runtime gives an input of any rank no dimensions, as it does a scalar), and which files
// beside it hold its weights.
//
// Not for: checking a file; bytes that are no ONNX file have no such inputs and files.
//
// Example:
//   for (const std::string& name : OnnxInputsWithoutShape(bytes)) ...   // ask for --input-spec
// ---------------------------------------------------------------------------------------------

#include <string>
#include <string_view>
#include <vector>

#include "absl/status/status.h"

namespace assay::backends {

// Names of the graph's inputs that are tensors of any rank.
std::vector<std::string> OnnxInputsWithoutShape(std::string_view bytes);

// The paths of the files that hold tensors of the file `path` (external data), each once, in alphabetical
// order.
std::vector<std::string> FilesBesideOnnx(const std::string& path);

// InvalidArgument, naming the first that is missing.
absl::Status CheckFilesBesideOnnx(const std::string& path);

}  // namespace assay::backends

#endif  // ASSAY_BENCHMARKS_BACKENDS_ONNX_FILE_H_

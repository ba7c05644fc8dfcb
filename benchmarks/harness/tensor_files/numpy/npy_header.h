#ifndef ASSAY_BENCHMARKS_HARNESS_TENSOR_FILES_NUMPY_NPY_HEADER_H_
#define ASSAY_BENCHMARKS_HARNESS_TENSOR_FILES_NUMPY_NPY_HEADER_H_

// ---------------------------------------------------------------------------------------------
// npy_header.h: the dictionary at the beginning of a .npy file.
//
// Not for: anything outside of the target :npy.
//
// Example:
//   ParseNpyHeader("{'descr': '<f4', 'fortran_order': False, 'shape': (2,), }\n")->shape  // {2}
// ---------------------------------------------------------------------------------------------

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "benchmarks/harness/tensor_files/safetensors.h"

namespace assay::tensor_files::internal {

struct NpyHeader {
  SafetensorsDtype dtype = SafetensorsDtype::kF32;
  bool fortran_order = false;
  std::vector<int64_t> shape;
};

// DataLoss: "not a usable npy file: " and the problem.
absl::Status NpyFault(std::string_view problem);

// `text` is everything between the header's length and the elements.
absl::StatusOr<NpyHeader> ParseNpyHeader(std::string_view text);

}  // namespace assay::tensor_files::internal

#endif  // ASSAY_BENCHMARKS_HARNESS_TENSOR_FILES_NUMPY_NPY_HEADER_H_

#ifndef ASSAY_BENCHMARKS_HARNESS_TENSOR_FILES_NUMPY_NPY_FOLDER_H_
#define ASSAY_BENCHMARKS_HARNESS_TENSOR_FILES_NUMPY_NPY_FOLDER_H_

// ---------------------------------------------------------------------------------------------
// npy_folder.h: a folder of input_0.npy, input_1.npy, …: OpenXLA's inputs_npy and outputs_npy.
//
// The number is the position of the input or output, so the order is numeric (input_10 after
// input_9), whatever the file system lists first. A gap, a second spelling of a number (input_01)
// and any other file are refused: the folder may be incomplete or mixed up.
//
// Not for: arrays by name (npz.h), nor for the .tgz in which OpenXLA keeps such folders: unpack it.
//
// Example:
//   absl::StatusOr<std::vector<NpyFile>> inputs = ReadNpyFolder("inputs_npy", "input");
// ---------------------------------------------------------------------------------------------

#include <string>
#include <string_view>
#include <vector>

#include "absl/status/statusor.h"
#include "benchmarks/harness/tensor_files/numpy/npy.h"

namespace assay::tensor_files {

// Element i is STEM_i.npy. NotFound where there is no folder or it has none; FailedPrecondition
// where something else is in it or a number is missing, naming it; errors of ReadNpy.
absl::StatusOr<std::vector<NpyFile>> ReadNpyFolder(const std::string& folder,
                                                   std::string_view stem);

}  // namespace assay::tensor_files

#endif  // ASSAY_BENCHMARKS_HARNESS_TENSOR_FILES_NUMPY_NPY_FOLDER_H_

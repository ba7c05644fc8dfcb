#ifndef ASSAY_BENCHMARKS_HARNESS_TENSOR_FILES_NUMPY_NPZ_H_
#define ASSAY_BENCHMARKS_HARNESS_TENSOR_FILES_NUMPY_NPZ_H_

// ---------------------------------------------------------------------------------------------
// npz.h: arrays by name out of numpy.savez and savez_compressed, without LibTorch and Python.
//
// A .npz file is a zip archive with a member NAME.npy for each array. Names are letters, digits,
// '_', '.' and '-'; nothing is unpacked to disk. What an archive may not be: zip_archive.h. One
// that declares more than 200 times its size (above 16 MiB), or more than 4 GiB, is refused.
//
// Not for: large states (a zip member has to be in memory as a whole): use safetensors.
//
// Example:
//   absl::StatusOr<std::vector<NpyFile>> outputs = ReadNpz("outputs.npz");
//   if (!outputs.ok()) return outputs.status();
//   for (const NpyFile& output : *outputs) tensors.push_back(output.array.Tensor(output.name));
// ---------------------------------------------------------------------------------------------

#include <string>
#include <string_view>
#include <vector>

#include "absl/status/statusor.h"
#include "benchmarks/harness/tensor_files/numpy/npy.h"

namespace assay::tensor_files {

// Sorted by name. DataLoss, saying which member is wrong and how.
absl::StatusOr<std::vector<NpyFile>> ParseNpz(std::string_view file);

// ReadFile's errors, and ParseNpz's with the path before them.
absl::StatusOr<std::vector<NpyFile>> ReadNpz(const std::string& path);

}  // namespace assay::tensor_files

#endif  // ASSAY_BENCHMARKS_HARNESS_TENSOR_FILES_NUMPY_NPZ_H_

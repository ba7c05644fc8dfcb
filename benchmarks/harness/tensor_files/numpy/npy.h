#ifndef ASSAY_BENCHMARKS_HARNESS_TENSOR_FILES_NUMPY_NPY_H_
#define ASSAY_BENCHMARKS_HARNESS_TENSOR_FILES_NUMPY_NPY_H_

// ---------------------------------------------------------------------------------------------
// npy.h: NumPy's array files, without LibTorch and without Python.
//
// The format is numpy.lib.format, versions 1.0 to 3.0: "\x93NUMPY", the version, the header's
// length, a Python dictionary such as {'descr': '<f4', 'fortran_order': False, 'shape': (2, 3), },
// the elements. The dictionary is parsed, never evaluated. Stricter than NumPy: the file ends where
// the array does, each key is there once, and only plain little-endian numbers and booleans are
// taken; Python objects (which NumPy unpickles, i.e. executes), structures, text, dates and
// big-endian numbers are refused by name.
//
// Nothing is allocated before shape and dtype have been found to equal the file's size; an array in
// Fortran's order is then copied into C's order, any other is a view.
//
// Not for: writing (references travel as safetensors), nor for archives (npz.h).
//
// Example:
//   absl::StatusOr<NpyFile> file = ReadNpy("inputs_npy/input_0.npy");
//   if (!file.ok()) return file.status();
//   SafetensorsTensor tensor = file->array.Tensor("input");
// ---------------------------------------------------------------------------------------------

#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "absl/status/statusor.h"
#include "benchmarks/harness/tensor_files/safetensors.h"

namespace assay::tensor_files {

// Far above any input or output of a case; a wrong path should not fill the memory.
inline constexpr int64_t kMostNpyBytes = int64_t{1} << 32;

struct NpyArray {
  SafetensorsDtype dtype = SafetensorsDtype::kF32;
  std::vector<int64_t> shape;                     // empty for a scalar
  std::string_view viewed;                        // of the file, where it is in C's order
  std::shared_ptr<const std::string> transposed;  // from Fortran's order; else nullptr

  // The elements, row-major. Not aligned: copy them, don't cast.
  std::string_view Data() const { return transposed == nullptr ? viewed : *transposed; }

  // A view under a name; valid as long as the file's bytes and this array are.
  SafetensorsTensor Tensor(std::string name) const {
    return {std::move(name), dtype, shape, Data()};
  }
};

// An array together with the bytes that it views.
struct NpyFile {
  std::string name;                          // without ".npy"
  std::shared_ptr<const std::string> bytes;  // the whole file
  NpyArray array;
};

// DataLoss, saying what is wrong and what is allowed. The result views `file`.
absl::StatusOr<NpyArray> ParseNpy(std::string_view file);

// ReadFile's errors, and ParseNpy's with the path before them.
absl::StatusOr<NpyFile> ReadNpy(const std::string& path);

}  // namespace assay::tensor_files

#endif  // ASSAY_BENCHMARKS_HARNESS_TENSOR_FILES_NUMPY_NPY_H_

#ifndef ASSAY_BENCHMARKS_HARNESS_TENSOR_FILES_SAFETENSORS_TORCH_H_
#define ASSAY_BENCHMARKS_HARNESS_TENSOR_FILES_SAFETENSORS_TORCH_H_

// ---------------------------------------------------------------------------------------------
// safetensors_torch.h: safetensors files as at::Tensor.
//
// Reading copies nothing: a tensor is a view of the mapped file and keeps the mapping alive for as
// long as it exists. Writing to such a tensor changes this process's copy only, never the file
// (mapped_file.h, which also says what happens when another process shortens the file).
//
// Not for: references (reference.h knows their layout and checks their digest first).
//
// Example:
//   WriteTensors("weights.safetensors", {{"fc.weight", weight}}, {{"seed", "0"}});
//   absl::StatusOr<std::vector<StoredTensor>> tensors = ReadTensors("weights.safetensors");
// ---------------------------------------------------------------------------------------------

#include <map>
#include <memory>
#include <string>
#include <vector>

#include "ATen/core/Tensor.h"
#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "benchmarks/harness/tensor_files/mapped_file.h"
#include "benchmarks/harness/tensor_files/safetensors.h"

namespace assay::tensor_files {

struct StoredTensor {
  std::string name;
  at::Tensor tensor;
};

// LibTorch's type of the same bits.
at::ScalarType ScalarTypeOf(SafetensorsDtype dtype);

// A new CPU tensor with a copy of the bytes. DataLoss where a BOOL is neither 0 nor 1.
absl::StatusOr<at::Tensor> CopyTensor(const SafetensorsTensor& tensor);

// A CPU tensor that views the entry's bytes where they lie, or has a copy of them where they are
// not aligned to the size of an element (the format does not ask for it). Errors as above.
absl::StatusOr<at::Tensor> ViewTensor(const std::shared_ptr<const MappedFile>& file,
                                      const SafetensorsIndex& index, const SafetensorsEntry& entry);

// All tensors, in the order of their bytes, on the CPU. Errors of MappedFile::Open and
// ParseSafetensors, with the path in front.
absl::StatusOr<std::vector<StoredTensor>> ReadTensors(const std::string& path);

// Writes tensors of any device and layout of memory, as row-major. Same content, same bytes,
// whatever the order of `tensors`. InvalidArgument for dtypes that the format lacks.
absl::Status WriteTensors(const std::string& path, const std::vector<StoredTensor>& tensors,
                          const std::map<std::string, std::string>& metadata);

}  // namespace assay::tensor_files

#endif  // ASSAY_BENCHMARKS_HARNESS_TENSOR_FILES_SAFETENSORS_TORCH_H_

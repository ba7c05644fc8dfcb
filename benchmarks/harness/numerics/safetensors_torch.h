#ifndef ASSAY_BENCHMARKS_HARNESS_NUMERICS_SAFETENSORS_TORCH_H_
#define ASSAY_BENCHMARKS_HARNESS_NUMERICS_SAFETENSORS_TORCH_H_

// ---------------------------------------------------------------------------------------------
// safetensors_torch.h: safetensors files as at::Tensor.
//
// Not for: references (reference.h knows their layout and checks their digest first), nor for
// files larger than memory.
//
// Example:
//   WriteTensors("weights.safetensors", {{"fc.weight", weight}}, {{"seed", "0"}});
//   absl::StatusOr<std::vector<StoredTensor>> tensors = ReadTensors("weights.safetensors");
// ---------------------------------------------------------------------------------------------

#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "ATen/core/Tensor.h"
#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "benchmarks/harness/numerics/safetensors.h"

namespace assay::numerics {

struct StoredTensor {
  std::string name;
  at::Tensor tensor;
};

// A new CPU tensor with a copy of the entry's bytes.
absl::StatusOr<at::Tensor> ToTensor(std::string_view file, const SafetensorsIndex& index,
                                    const SafetensorsEntry& entry);

// All tensors, in the order of their bytes, on the CPU. Errors of ReadFile and ParseSafetensors,
// with the path in front.
absl::StatusOr<std::vector<StoredTensor>> ReadTensors(const std::string& path);

// Writes tensors of any device and layout of memory, as row-major. Same content, same bytes,
// whatever the order of `tensors`. InvalidArgument for dtypes that the format lacks.
absl::Status WriteTensors(const std::string& path, const std::vector<StoredTensor>& tensors,
                          const std::map<std::string, std::string>& metadata);

}  // namespace assay::numerics

#endif  // ASSAY_BENCHMARKS_HARNESS_NUMERICS_SAFETENSORS_TORCH_H_

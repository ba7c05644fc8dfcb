#ifndef ASSAY_BENCHMARKS_HARNESS_NUMERICS_TENSOR_VALUES_H_
#define ASSAY_BENCHMARKS_HARNESS_NUMERICS_TENSOR_VALUES_H_

// ---------------------------------------------------------------------------------------------
// tensor_values.h: a tensor's elements as doubles, wherever and however it is stored.
//
// Not for: complex, sparse and quantized tensors.
//
// Example:
//   absl::StatusOr<TensorValues> values = ValuesOf(logits);       // one copy to the CPU
//   if (values->nonfinite() == 0) Use(values->stats(), values->At(sample_indices));
// ---------------------------------------------------------------------------------------------

#include <c10/util/ArrayRef.h>

#include <cstdint>
#include <optional>
#include <vector>

#include "ATen/core/Tensor.h"
#include "absl/status/statusor.h"
#include "benchmarks/harness/numerics/output_stats.h"

namespace assay::numerics {

class TensorValues {
 public:
  const OutputStats& stats() const { return stats_; }
  int64_t elements() const { return flat_.numel(); }
  int64_t nonfinite() const { return nonfinite_; }              // how many
  int64_t first_nonfinite() const { return first_nonfinite_; }  // flat index; -1: none

  double At(int64_t flat_index) const;
  // Indices must lie within the elements.
  std::vector<double> At(const std::vector<int64_t>& flat_indices) const;
  std::vector<double> All() const;

 private:
  friend absl::StatusOr<TensorValues> ValuesOf(const at::Tensor& tensor);
  void Scan();

  at::Tensor flat_;  // CPU, contiguous, one-dimensional, of the tensor's own dtype
  OutputStats stats_;
  int64_t nonfinite_ = 0;
  int64_t first_nonfinite_ = -1;
};

// Row-major; an index for each of the shape's dimensions.
std::vector<int64_t> Unravel(int64_t flat_index, c10::IntArrayRef shape);

// The position of the first element, in row-major order, that is NaN or infinite; nullopt if all
// are finite, which is found out on the tensor's own device. Lets c10::Error through.
std::optional<std::vector<int64_t>> FirstNonfinite(const at::Tensor& tensor);

// Copies the tensor to the CPU and looks at every element once, in pieces: large outputs need no
// second copy in float64. The errors of torch_status.h, which for a CUDA tensor may be those of
// earlier kernels.
absl::StatusOr<TensorValues> ValuesOf(const at::Tensor& tensor);

}  // namespace assay::numerics

#endif  // ASSAY_BENCHMARKS_HARNESS_NUMERICS_TENSOR_VALUES_H_

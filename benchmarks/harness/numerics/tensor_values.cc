#include "benchmarks/harness/numerics/tensor_values.h"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <optional>
#include <utility>
#include <vector>

#include "ATen/core/Tensor.h"
#include "ATen/ops/index_select.h"
#include "ATen/ops/isfinite.h"
#include "ATen/ops/tensor.h"
#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/types/span.h"
#include "benchmarks/harness/base/torch_status.h"

namespace assay::numerics {
namespace {

constexpr int64_t kChunk = int64_t{1} << 16;  // elements; small enough for the cache

std::vector<double> Doubles(const at::Tensor& flat) {
  const at::Tensor wide = flat.to(at::kDouble).contiguous();
  const double* data = wide.const_data_ptr<double>();
  return std::vector<double>(data, data + wide.numel());
}

}  // namespace

void TensorValues::Scan() {
  OutputStatsBuilder builder;
  for (int64_t begin = 0; begin < flat_.numel(); begin += kChunk) {
    const std::vector<double> chunk =
        Doubles(flat_.slice(0, begin, std::min(begin + kChunk, flat_.numel())));
    for (size_t i = 0; i < chunk.size(); ++i) {
      if (std::isfinite(chunk[i])) continue;
      if (nonfinite_++ == 0) first_nonfinite_ = begin + static_cast<int64_t>(i);
    }
    builder.Add(chunk);
  }
  stats_ = builder.Stats();
}

double TensorValues::At(int64_t flat_index) const {
  return flat_.slice(0, flat_index, flat_index + 1).to(at::kDouble).item<double>();
}

std::vector<double> TensorValues::At(const std::vector<int64_t>& flat_indices) const {
  return Doubles(at::index_select(flat_, 0, at::tensor(flat_indices, at::kLong)));
}

std::vector<double> TensorValues::All() const { return Doubles(flat_); }

std::vector<int64_t> Unravel(int64_t flat_index, c10::IntArrayRef shape) {
  std::vector<int64_t> index(shape.size());
  for (size_t i = shape.size(); i-- > 0;) {
    index[i] = flat_index % shape[i];
    flat_index /= shape[i];
  }
  return index;
}

std::optional<std::vector<int64_t>> FirstNonfinite(const at::Tensor& tensor) {
  const at::Tensor finite = at::isfinite(tensor);
  if (finite.all().item<bool>()) return std::nullopt;
  return Unravel(finite.logical_not().flatten().to(at::kByte).argmax().item<int64_t>(),
                 tensor.sizes());
}

absl::StatusOr<TensorValues> ValuesOf(const at::Tensor& tensor) {
  TensorValues values;
  const absl::Status status = base::CatchTorch("reading a tensor", [&] {
    values.flat_ = tensor.detach().cpu().resolve_neg().contiguous().view({-1});
    values.Scan();
  });
  if (!status.ok()) return status;
  return values;
}

}  // namespace assay::numerics

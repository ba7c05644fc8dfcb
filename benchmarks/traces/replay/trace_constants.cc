#include "benchmarks/traces/replay/trace_constants.h"

#include <ATen/ops/empty_strided.h>
#include <ATen/ops/zeros.h>
#include <unistd.h>

#include <algorithm>
#include <cmath>
#include <limits>

#include "absl/strings/str_cat.h"
#include "benchmarks/harness/text/byte_text.h"
#include "benchmarks/traces/replay/traced_call.h"

namespace assay::traces {

std::vector<int64_t> StridesOf(const TraceTensor& tensor) {
  if (tensor.has_strides) return tensor.strides;
  std::vector<int64_t> strides(tensor.sizes.size(), 1);
  for (size_t i = strides.size(); i-- > 1;)
    strides[i - 1] = strides[i] * std::max<int64_t>(tensor.sizes[i], 1);
  return strides;
}

TraceConstants::TraceConstants(const TraceTree& tree, const Storages& storages,
                               const std::vector<size_t>& calls, const GraphValues& values)
    : tree_(tree),
      of_trace_(storages),
      seed_(values.seed),
      saved_(values.saved),
      needed_(NeededValues(tree, storages, calls)) {}

at::Tensor TraceConstants::Flat(int storage) const {
  const auto base = bases_.lower_bound({storage, ""});
  if (base == bases_.end() || base->first.first != storage) return {};
  return base->second.flatten();
}

at::Tensor TraceConstants::Of(size_t node, const TraceTensor& tensor, int storage, size_t place) {
  const at::ScalarType dtype = *ScalarTypeOf(tensor.dtype);
  if (storage == kNoStorage) return at::empty_strided(tensor.sizes, StridesOf(tensor), dtype);
  at::Tensor& base = bases_[{storage, tensor.dtype}];
  if (!base.defined()) base = NewBase(node, tensor, dtype, storage, place);
  if (base.unsafeGetTensorImpl()->is_wrapped_number()) return base;
  const bool whole = tensor.offset == 0 && tensor.elements == base.numel() &&
                     base.dim() == static_cast<int64_t>(tensor.sizes.size());
  return whole ? base : base.as_strided(tensor.sizes, StridesOf(tensor), tensor.offset);
}

at::Tensor TraceConstants::NewBase(size_t node, const TraceTensor& tensor, at::ScalarType dtype,
                                   int storage, size_t place) {
  const auto size = static_cast<int64_t>(c10::elementSize(dtype));
  const int64_t elements = (of_trace_.all[static_cast<size_t>(storage)].bytes + size - 1) / size;
  bytes += elements * size;
  ++storages;
  const int64_t memory = sysconf(_SC_PHYS_PAGES) * sysconf(_SC_PAGESIZE);
  if (bytes > memory || bytes < 0) {
    status_ = absl::ResourceExhaustedError(
        absl::StrCat("the trace's tensors need more memory than the ", base::ByteText(memory),
                     " of this machine; tensor ", tensor.id, " alone has a storage of ",
                     base::ByteText(elements * size)));
    TORCH_CHECK(false, status_.message());
  }
  const std::optional<double> wrapped = WrappedNumber(node, tensor, place);
  const bool number = tensor.sizes.empty() && elements == 1;
  at::Tensor base = SavedBase(dtype, elements, storage);
  if (!base.defined()) base = SeededBase(dtype, elements, storage, number, wrapped);
  if (!number) return base;
  base = base.reshape({});
  if (wrapped) base.unsafeGetTensorImpl()->set_wrapped_number(true);
  return base;
}

// Memory with its saved bytes; undefined where there are none.
at::Tensor TraceConstants::SavedBase(at::ScalarType dtype, int64_t elements, int storage) {
  // Tensors of several dtypes may lie in one memory.
  if (const auto known = bytes_.find(storage); known != bytes_.end()) {
    --storages;
    return known->second.view(dtype).narrow(0, 0, elements);
  }
  const auto first = first_values_.find(of_trace_.all[static_cast<size_t>(storage)].id);
  if (first == first_values_.end()) return {};
  constexpr int64_t kLargestElement = 16;
  const int64_t all =
      (elements * static_cast<int64_t>(c10::elementSize(dtype)) + kLargestElement - 1) /
      kLargestElement * kLargestElement;
  at::Tensor content = at::zeros({all}, at::kByte);
  const int64_t saved = std::min(all, first->second.numel());
  content.narrow(0, 0, saved).copy_(first->second.narrow(0, 0, saved));
  saved_->Release(first->second);
  bytes_[storage] = content;
  return content.view(dtype).narrow(0, 0, elements);
}

at::Tensor TraceConstants::SeededBase(at::ScalarType dtype, int64_t elements, int storage,
                                      bool number, std::optional<double> wrapped) {
  SeededValues values = {.seed = seed_, .name = absl::StrCat("storage.", storage)};
  const auto needed = needed_.find(storage);
  if (needed != needed_.end()) {
    values.limit = needed->second.limit;
    values.indexes = needed->second.indexes;
    values.positive = needed->second.positive;
  }
  values.positive |= number;
  at::Tensor base = SeededStorage(dtype, elements, values);
  if (wrapped && !std::isnan(*wrapped)) return base.fill_(*wrapped);
  ++seeded;
  // A count or a factor, rather than an index.
  if (number && !at::isFloatingType(dtype) && !values.indexes) base.fill_(1);
  return base;
}

// The value of a tensor that stands for a number of the program, as of x + 1, which has no say in
// the dtype of the result; NaN where it isn't known. LibTorch's observer doesn't say which tensors
// are numbers; a result of another dtype does.
std::optional<double> TraceConstants::WrappedNumber(size_t node, const TraceTensor& tensor,
                                                    size_t place) const {
  const TraceNode& of = tree_.nodes.CallOf(node);
  if (saved_ != nullptr && saved_->exact) {
    if (of.recorded == nullptr) return std::nullopt;
    const auto number = of.recorded->wrapped_numbers.find(place);
    if (number == of.recorded->wrapped_numbers.end()) return std::nullopt;
    return number->second;
  }
  if (!tensor.sizes.empty() || (tensor.dtype != "double" && tensor.dtype != "long int"))
    return std::nullopt;
  bool makes = false, any = false;
  ForEachTensor(of.outputs, [&](const TraceTensor& made) {
    any = true;
    makes |= made.dtype == tensor.dtype;
  });
  if (!any || makes) return std::nullopt;
  return std::numeric_limits<double>::quiet_NaN();
}

}  // namespace assay::traces

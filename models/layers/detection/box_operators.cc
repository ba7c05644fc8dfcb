#include "models/layers/detection/box_operators.h"

#include <ATen/Dispatch.h>
#include <ATen/core/dispatch/Dispatcher.h>
#include <ATen/ops/empty.h>
#include <torch/library.h>

#include <algorithm>
#include <optional>

#include "absl/strings/str_cat.h"
#include "models/layers/detection/deform_conv2d.h"
#include "models/layers/detection/region_operators.h"
#include "models/layers/detection/roi_align.h"

namespace assay::models {
namespace {

// With `labels`, boxes of different labels do not meet.
at::Tensor KeptBoxes(const at::Tensor& boxes, const at::Tensor& scores, const int64_t* labels,
                     double iou_threshold) {
  const int64_t count = boxes.size(0);
  const at::Tensor order =
      std::get<1>(scores.sort(/*stable=*/true, /*dim=*/0, /*descending=*/true)).contiguous();
  const at::Tensor columns = boxes.t().contiguous();  // (4, K)
  at::Tensor kept = at::empty({count}, at::kLong);
  int64_t found = 0;
  AT_DISPATCH_FLOATING_TYPES(boxes.scalar_type(), "nms", [&] {
    const auto* x1 = columns.const_data_ptr<scalar_t>();
    const auto *y1 = x1 + count, *x2 = y1 + count, *y2 = x2 + count;
    const auto* ordered = order.const_data_ptr<int64_t>();
    auto* out = kept.mutable_data_ptr<int64_t>();
    const auto area = [&](int64_t i) { return (x2[i] - x1[i]) * (y2[i] - y1[i]); };
    std::vector<bool> suppressed(static_cast<size_t>(count));
    for (int64_t a = 0; a < count; ++a) {
      const int64_t i = ordered[a];
      if (suppressed[i]) continue;
      out[found++] = i;
      const scalar_t own = area(i);
      for (int64_t b = a + 1; b < count; ++b) {
        const int64_t j = ordered[b];
        if (suppressed[j] || (labels != nullptr && labels[i] != labels[j])) continue;
        const scalar_t width =
            std::max<scalar_t>(0, std::min(x2[i], x2[j]) - std::max(x1[i], x1[j]));
        const scalar_t height =
            std::max<scalar_t>(0, std::min(y2[i], y2[j]) - std::max(y1[i], y1[j]));
        const scalar_t both = width * height;
        if (both / (own + area(j) - both) > iou_threshold) suppressed[j] = true;
      }
    }
  });
  return kept.narrow(0, 0, found).clone();
}

void CheckBoxes(const at::Tensor& boxes, const at::Tensor& scores) {
  TORCH_CHECK_VALUE(boxes.dim() == 2 && boxes.size(1) == 4, "nms: boxes is ", boxes.sizes(),
                    "; it must be (K, 4)");
  TORCH_CHECK_VALUE(
      boxes.is_cpu() && (boxes.scalar_type() == at::kFloat || boxes.scalar_type() == at::kDouble),
      "nms: boxes is ", boxes.scalar_type(), " on ", boxes.device(),
      "; this kernel is for float32 and float64 on the CPU");
  TORCH_CHECK_VALUE(scores.dim() == 1 && scores.size(0) == boxes.size(0) && scores.is_cpu(),
                    "nms: scores are ", scores.sizes(), " on ", scores.device(),
                    "; they must be one for each of ", boxes.size(0), " boxes, on the CPU");
}

}  // namespace

at::Tensor Nms(const at::Tensor& boxes, const at::Tensor& scores, double iou_threshold) {
  CheckBoxes(boxes, scores);
  return KeptBoxes(boxes, scores, /*labels=*/nullptr, iou_threshold);
}

at::Tensor NmsByLabel(const at::Tensor& boxes, const at::Tensor& scores, const at::Tensor& labels,
                      double iou_threshold) {
  CheckBoxes(boxes, scores);
  TORCH_CHECK_VALUE(labels.sizes() == scores.sizes() && labels.scalar_type() == at::kLong,
                    "nms: labels are ", labels.scalar_type(), " ", labels.sizes(),
                    "; they must be int64, one for each of ", boxes.size(0), " boxes");
  const at::Tensor in_a_row = labels.contiguous();
  return KeptBoxes(boxes, scores, in_a_row.const_data_ptr<int64_t>(), iou_threshold);
}

std::vector<std::string> RegisterTorchvisionOperators() {
  static const std::vector<std::string> foreign = [] {
    std::vector<std::string> found;
    auto& library = *new torch::Library(torch::Library::FRAGMENT, "torchvision", std::nullopt,
                                        __FILE__, __LINE__);
    const auto add = [&](const char* name, const char* arguments, const auto& kernel) {
      const std::string whole = absl::StrCat("torchvision::", name);
      if (c10::Dispatcher::singleton().findSchema({whole, ""})) {
        found.push_back(whole);
        return;
      }
      library.def(absl::StrCat(name, arguments).c_str());
      library.impl(name, torch::dispatch(c10::DispatchKey::CPU, kernel));
    };
    add("nms", "(Tensor dets, Tensor scores, float iou_threshold) -> Tensor", TORCH_FN(Nms));
    constexpr char kRegions[] =
        "(Tensor input, Tensor rois, float spatial_scale, SymInt pooled_height, SymInt "
        "pooled_width";
    const auto add_of_regions = [&](const char* name, std::string_view rest, const auto& kernel) {
      add(name, absl::StrCat(kRegions, rest).c_str(), kernel);
    };
    add_of_regions("roi_align", ", int sampling_ratio, bool aligned) -> Tensor",
                   TORCH_FN(RoiAlign));
    add_of_regions("roi_pool", ") -> (Tensor, Tensor)", TORCH_FN(RoiPool));
    add_of_regions("ps_roi_pool", ") -> (Tensor, Tensor)", TORCH_FN(PsRoiPool));
    add_of_regions("ps_roi_align", ", int sampling_ratio) -> (Tensor, Tensor)",
                   TORCH_FN(PsRoiAlign));
    add("deform_conv2d",
        "(Tensor input, Tensor weight, Tensor offset, Tensor mask, Tensor bias, SymInt stride_h, "
        "SymInt stride_w, SymInt pad_h, SymInt pad_w, SymInt dilation_h, SymInt dilation_w, SymInt "
        "groups, SymInt offset_groups, bool use_mask) -> Tensor",
        TORCH_FN(DeformConv2d));
    return found;
  }();
  return foreign;
}

}  // namespace assay::models

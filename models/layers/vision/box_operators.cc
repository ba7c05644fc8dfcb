#include "models/layers/vision/box_operators.h"

#include <ATen/Dispatch.h>
#include <ATen/Parallel.h>
#include <ATen/core/dispatch/Dispatcher.h>
#include <ATen/ops/empty.h>
#include <torch/library.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <optional>

#include "absl/strings/str_cat.h"
#include "models/layers/vision/deform_conv2d.h"

namespace assay::models {
namespace {

constexpr int64_t kBoxNumbers = 4;

// Throws c10::ValueError unless the tensor is on the CPU, in float32 or float64 and of `columns` columns.
void CheckRows(const char* op, const char* name, const at::Tensor& rows, int64_t columns) {
  TORCH_CHECK_VALUE(rows.dim() == 2 && rows.size(1) == columns, op, ": ", name, " is ",
                    rows.sizes(), "; it must be (K, ", columns, ")");
  TORCH_CHECK_VALUE(rows.is_cpu(), op, ": ", name, " is on ", rows.device(),
                    "; this kernel is for the CPU");
  TORCH_CHECK_VALUE(rows.scalar_type() == at::kFloat || rows.scalar_type() == at::kDouble, op, ": ",
                    name, " is ", rows.scalar_type(), "; it must be float32 or float64");
}

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
  CheckRows("nms", "boxes", boxes, kBoxNumbers);
  TORCH_CHECK_VALUE(scores.dim() == 1 && scores.size(0) == boxes.size(0) && scores.is_cpu(),
                    "nms: scores are ", scores.sizes(), " on ", scores.device(),
                    "; they must be one for each of ", boxes.size(0), " boxes, on the CPU");
}

// The place of a bilinear sample: four pixels of a plane and their weights.
template <typename T>
struct Sample {
  std::array<int64_t, 4> pixels = {};
  std::array<T, 4> weights = {};
};

// The two pixels around a coordinate and the weight of the second; none if it is outside of the image.
template <typename T>
struct Between {
  int64_t low, high;
  T weight;
};

template <typename T>
std::optional<Between<T>> Around(T at, int64_t size) {
  if (at < -1 || at > static_cast<T>(size)) return std::nullopt;
  at = std::max<T>(at, 0);
  const auto low = static_cast<int64_t>(at);
  if (low >= size - 1) return Between<T>{size - 1, size - 1, 0};
  return Between<T>{low, low + 1, at - static_cast<T>(low)};
}

template <typename T>
Sample<T> SampleAt(T y, T x, int64_t height, int64_t width) {
  const auto rows = Around(y, height), columns = Around(x, width);
  if (!rows || !columns) return {};
  const T ly = rows->weight, lx = columns->weight, hy = 1 - ly, hx = 1 - lx;
  return {{rows->low * width + columns->low, rows->low * width + columns->high,
           rows->high * width + columns->low, rows->high * width + columns->high},
          {hy * hx, hy * lx, ly * hx, ly * lx}};
}

// One axis of a region on the features: where it begins, the size of a cell, samples in a cell.
template <typename T>
struct Axis {
  T start, cell;
  int64_t samples;

  Axis(T begin, T end, T scale, int64_t cells, int64_t ratio, bool aligned) {
    const T offset = aligned ? static_cast<T>(0.5) : 0;
    start = begin * scale - offset;
    T length = (end * scale - offset) - start;
    if (!aligned) length = std::max<T>(length, 1);
    cell = length / static_cast<T>(cells);
    samples = ratio > 0 ? ratio : static_cast<int64_t>(std::ceil(length / static_cast<T>(cells)));
  }
  T At(int64_t index, int64_t sample) const {
    return start + static_cast<T>(index) * cell +
           (static_cast<T>(sample) + static_cast<T>(0.5)) * cell / static_cast<T>(samples);
  }
};

// One region's part of the result, from one image's features.
template <typename T>
void AlignRegion(const T* features, at::IntArrayRef sizes, const Axis<T>& y, const Axis<T>& x,
                 int64_t pooled_height, int64_t pooled_width, T* out) {
  const int64_t channels = sizes[1], height = sizes[2], width = sizes[3];
  const T count = static_cast<T>(std::max<int64_t>(y.samples * x.samples, 1));
  std::vector<Sample<T>> samples;
  for (int64_t row = 0; row < pooled_height; ++row) {
    for (int64_t column = 0; column < pooled_width; ++column) {
      samples.clear();
      for (int64_t i = 0; i < y.samples; ++i) {
        for (int64_t j = 0; j < x.samples; ++j)
          samples.push_back(SampleAt(y.At(row, i), x.At(column, j), height, width));
      }
      for (int64_t channel = 0; channel < channels; ++channel) {
        const T* plane = features + channel * height * width;
        T sum = 0;
        for (const Sample<T>& s : samples) {
          sum += s.weights[0] * plane[s.pixels[0]] + s.weights[1] * plane[s.pixels[1]] +
                 s.weights[2] * plane[s.pixels[2]] + s.weights[3] * plane[s.pixels[3]];
        }
        out[(channel * pooled_height + row) * pooled_width + column] = sum / count;
      }
    }
  }
}

void CheckRegions(const at::Tensor& features, const at::Tensor& regions, int64_t pooled_height,
                  int64_t pooled_width) {
  CheckRows("roi_align", "rois", regions, 1 + kBoxNumbers);
  TORCH_CHECK_VALUE(features.dim() == 4 && features.is_cpu() && features.size(2) > 0 &&
                        features.size(3) > 0 && features.scalar_type() == regions.scalar_type(),
                    "roi_align: the input is ", features.scalar_type(), " ", features.sizes(),
                    " on ", features.device(), "; it must be ", regions.scalar_type(),
                    " (N, C, H, W) on the CPU, as the rois are");
  TORCH_CHECK_VALUE(pooled_height > 0 && pooled_width > 0, "roi_align: the result is ",
                    pooled_height, " x ", pooled_width, "; each must be at least 1");
  if (regions.size(0) == 0) return;
  const at::Tensor images = regions.select(1, 0);
  const double least = images.min().item<double>(), most = images.max().item<double>();
  TORCH_CHECK_VALUE(least >= 0 && most < static_cast<double>(features.size(0)),
                    "roi_align: rois name the images ", least, " to ", most, " of ",
                    features.size(0), "; the first column must be from 0 to ",
                    features.size(0) - 1);
  TORCH_CHECK_VALUE(regions.isfinite().all().item<bool>(),
                    "roi_align: a roi is NaN or infinite; leave such boxes out");
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

at::Tensor RoiAlign(const at::Tensor& features, const at::Tensor& regions, double spatial_scale,
                    int64_t pooled_height, int64_t pooled_width, int64_t sampling_ratio,
                    bool aligned) {
  CheckRegions(features, regions, pooled_height, pooled_width);
  const at::Tensor x = features.contiguous(), rows = regions.contiguous();
  const int64_t count = rows.size(0), of_image = x.size(1) * x.size(2) * x.size(3);
  const int64_t of_region = x.size(1) * pooled_height * pooled_width;
  at::Tensor out = at::empty({count, x.size(1), pooled_height, pooled_width}, x.options());
  AT_DISPATCH_FLOATING_TYPES(x.scalar_type(), "roi_align", [&] {
    const auto* in = x.const_data_ptr<scalar_t>();
    const auto* boxes = rows.const_data_ptr<scalar_t>();
    auto* result = out.mutable_data_ptr<scalar_t>();
    const auto scale = static_cast<scalar_t>(spatial_scale);
    at::parallel_for(0, count, /*grain_size=*/1, [&](int64_t begin, int64_t end) {
      for (int64_t k = begin; k < end; ++k) {
        const scalar_t* box = boxes + k * (1 + kBoxNumbers);
        const auto image = static_cast<int64_t>(box[0]);
        AlignRegion<scalar_t>(in + image * of_image, x.sizes(),
                              {box[2], box[4], scale, pooled_height, sampling_ratio, aligned},
                              {box[1], box[3], scale, pooled_width, sampling_ratio, aligned},
                              pooled_height, pooled_width, result + k * of_region);
      }
    });
  });
  return out;
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
    add("roi_align",
        "(Tensor input, Tensor rois, float spatial_scale, SymInt pooled_height, SymInt "
        "pooled_width, int sampling_ratio, bool aligned) -> Tensor",
        TORCH_FN(RoiAlign));
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

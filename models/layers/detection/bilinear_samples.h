#ifndef ASSAY_MODELS_LAYERS_DETECTION_BILINEAR_SAMPLES_H_
#define ASSAY_MODELS_LAYERS_DETECTION_BILINEAR_SAMPLES_H_

// ---------------------------------------------------------------------------------------------
// models/layers/detection/bilinear_samples.h: where operators of regions read features between pixels, in the order
// of operations of torchvision 0.26. A region is a row of 5 numbers: that of an image, and a box.
//
// Not for: operators that read whole pixels (region_operators.cc).
//
// Example:
//
//     Axis<T> y(box[2], box[4], scale, 7, 2, false), x(box[1], box[3], scale, 7, 2, false);
//     std::optional<Sample<T>> sample = SampleAt(y.At(row, i), x.At(column, j), height, width);
// ---------------------------------------------------------------------------------------------

#include <ATen/core/Tensor.h>
#include <c10/util/Exception.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>
#include <optional>

namespace assay::models {

inline constexpr int64_t kRegionNumbers = 5;

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
std::optional<Sample<T>> SampleAt(T y, T x, int64_t height, int64_t width) {
  const auto rows = Around(y, height), columns = Around(x, width);
  if (!rows || !columns) return std::nullopt;
  const T ly = rows->weight, lx = columns->weight, hy = 1 - ly, hx = 1 - lx;
  return Sample<T>{{rows->low * width + columns->low, rows->low * width + columns->high,
                    rows->high * width + columns->low, rows->high * width + columns->high},
                   {hy * hx, hy * lx, ly * hx, ly * lx}};
}

template <typename T>
T ValueOf(const T* plane, const Sample<T>& s) {
  return s.weights[0] * plane[s.pixels[0]] + s.weights[1] * plane[s.pixels[1]] +
         s.weights[2] * plane[s.pixels[2]] + s.weights[3] * plane[s.pixels[3]];
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
    TORCH_CHECK_VALUE(ratio > 0 || std::abs(length) < 1e6, "a region of ", length,
                      " pixels has too many samples; give a sampling_ratio");
    samples = ratio > 0 ? ratio : static_cast<int64_t>(std::ceil(length / static_cast<T>(cells)));
  }
  T At(int64_t index, int64_t sample) const {
    return start + static_cast<T>(index) * cell +
           (static_cast<T>(sample) + static_cast<T>(0.5)) * cell / static_cast<T>(samples);
  }
};

// Refuses features (N, C, H, W) and regions (K, 5) that do not fit together, in the name of `op`.
void CheckRegions(const char* op, const at::Tensor& features, const at::Tensor& regions,
                  int64_t pooled_height, int64_t pooled_width);

}  // namespace assay::models

#endif  // ASSAY_MODELS_LAYERS_DETECTION_BILINEAR_SAMPLES_H_

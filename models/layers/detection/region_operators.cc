#include "models/layers/detection/region_operators.h"

#include <ATen/Dispatch.h>
#include <ATen/Parallel.h>
#include <ATen/ops/empty.h>
#include <ATen/ops/zeros.h>
#include <c10/util/Exception.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <optional>
#include <utility>
#include <vector>

namespace assay::models {
namespace {

constexpr int64_t kRegionNumbers = 5;

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
          samples.push_back(
              SampleAt(y.At(row, i), x.At(column, j), height, width).value_or(Sample<T>{}));
      }
      for (int64_t channel = 0; channel < channels; ++channel) {
        const T* plane = features + channel * height * width;
        T sum = 0;
        for (const Sample<T>& sample : samples) sum += ValueOf(plane, sample);
        out[(channel * pooled_height + row) * pooled_width + column] = sum / count;
      }
    }
  }
}

// The sizes that an operator of regions is called with.
struct Pooling {
  double scale;
  int64_t rows, columns;  // of the result
  int64_t samples = 0;
  // Whether each cell of the result reads a channel of its own.
  bool own_channels = false;
};

// One axis of a region in whole pixels. A region has at least one, whatever its box says.
template <typename T>
struct PixelAxis {
  int64_t start, end;  // pixels that a cell may begin and end at: 0 to `end`
  T cell;

  // `more`: pixels that a region has beyond the distance of its borders.
  PixelAxis(T begin, T border, T scale, int64_t cells, int64_t more, int64_t last)
      : start(Rounded(begin * scale)), end(last) {
    const int64_t length = std::max<int64_t>(Rounded(border * scale) - start + more, 1);
    cell = static_cast<T>(length) / static_cast<T>(cells);
  }
  std::pair<int64_t, int64_t> Of(int64_t index) const {
    const auto inside = [this](T at) {
      return std::clamp<int64_t>(static_cast<int64_t>(at) + start, 0, end);
    };
    return {inside(std::floor(static_cast<T>(index) * cell)),
            inside(std::ceil(static_cast<T>(index + 1) * cell))};
  }
  static int64_t Rounded(T at) {
    constexpr T kMost = 1e9;  // no image is larger
    return static_cast<int64_t>(std::round(std::clamp(at, -kMost, kMost)));
  }
};

// A cell of the result, and the pixel or the channel that it is made of.
template <typename T>
struct Cell {
  T value;
  int64_t source;
};

// The greatest pixel of each cell; 0 for a cell outside of the image.
template <typename T>
struct Maxima {
  int64_t width;
  PixelAxis<T> y, x;

  Maxima(const T* box, const Pooling& p, at::IntArrayRef sizes)
      : width(sizes[3]),
        y(box[2], box[4], static_cast<T>(p.scale), p.rows, /*more=*/1, sizes[2]),
        x(box[1], box[3], static_cast<T>(p.scale), p.columns, /*more=*/1, sizes[3]) {}
  Cell<T> At(const T* plane, int64_t row, int64_t column) const {
    const auto [top, bottom] = y.Of(row);
    const auto [left, right] = x.Of(column);
    if (bottom <= top || right <= left) return {0, -1};
    Cell<T> most = {std::numeric_limits<float>::lowest(), -1};  // as torchvision, in float64 too
    for (int64_t i = top; i < bottom; ++i) {
      for (int64_t j = left; j < right; ++j) {
        if (plane[i * width + j] > most.value) most = {plane[i * width + j], i * width + j};
      }
    }
    return most;
  }
};

// The mean of each cell's pixels; torchvision leaves out the last row and column of the image.
template <typename T>
struct Means {
  int64_t width;
  PixelAxis<T> y, x;

  Means(const T* box, const Pooling& p, at::IntArrayRef sizes)
      : width(sizes[3]),
        y(box[2], box[4], static_cast<T>(p.scale), p.rows, /*more=*/0, sizes[2] - 1),
        x(box[1], box[3], static_cast<T>(p.scale), p.columns, /*more=*/0, sizes[3] - 1) {}
  Cell<T> At(const T* plane, int64_t row, int64_t column) const {
    const auto [top, bottom] = y.Of(row);
    const auto [left, right] = x.Of(column);
    if (bottom <= top || right <= left) return {0, -1};
    T sum = 0;
    for (int64_t i = top; i < bottom; ++i) {
      for (int64_t j = left; j < right; ++j) sum += plane[i * width + j];
    }
    return {sum / static_cast<T>((bottom - top) * (right - left)), -1};
  }
};

// The mean of each cell's bilinear samples, NaN where a cell has none.
template <typename T>
struct SampledMeans {
  int64_t height, width;
  Axis<T> y, x;

  SampledMeans(const T* box, const Pooling& p, at::IntArrayRef sizes)
      : height(sizes[2]),
        width(sizes[3]),
        y(box[2], box[4], static_cast<T>(p.scale), p.rows, p.samples, /*aligned=*/true),
        x(box[1], box[3], static_cast<T>(p.scale), p.columns, p.samples, /*aligned=*/true) {}
  Cell<T> At(const T* plane, int64_t row, int64_t column) const {
    T sum = 0;
    for (int64_t i = 0; i < y.samples; ++i) {
      for (int64_t j = 0; j < x.samples; ++j) {
        const auto sample = SampleAt(y.At(row, i), x.At(column, j), height, width);
        if (sample) sum += ValueOf(plane, *sample);
      }
    }
    return {sum / static_cast<T>(y.samples * x.samples), -1};
  }
};

void CheckRegions(const char* op, const at::Tensor& features, const at::Tensor& regions,
                  int64_t pooled_height, int64_t pooled_width) {
  TORCH_CHECK_VALUE(regions.dim() == 2 && regions.size(1) == kRegionNumbers, op, ": rois is ",
                    regions.sizes(), "; it must be (K, 5)");
  TORCH_CHECK_VALUE(regions.is_cpu() && (regions.scalar_type() == at::kFloat ||
                                         regions.scalar_type() == at::kDouble),
                    op, ": rois is ", regions.scalar_type(), " on ", regions.device(),
                    "; this kernel is for float32 and float64 on the CPU");
  TORCH_CHECK_VALUE(features.dim() == 4 && features.is_cpu() && features.size(2) > 0 &&
                        features.size(3) > 0 && features.scalar_type() == regions.scalar_type(),
                    op, ": the input is ", features.scalar_type(), " ", features.sizes(), " on ",
                    features.device(), "; it must be ", regions.scalar_type(),
                    " (N, C, H, W) on the CPU, as the rois are");
  TORCH_CHECK_VALUE(pooled_height > 0 && pooled_width > 0, op, ": the result is ", pooled_height,
                    " x ", pooled_width, "; each must be at least 1");
  if (regions.size(0) == 0) return;
  const at::Tensor images = regions.select(1, 0);
  const double least = images.min().item<double>(), most = images.max().item<double>();
  TORCH_CHECK_VALUE(least >= 0 && most < static_cast<double>(features.size(0)), op,
                    ": rois name the images ", least, " to ", most, " of ", features.size(0),
                    "; the first column must be from 0 to ", features.size(0) - 1);
  TORCH_CHECK_VALUE(regions.isfinite().all().item<bool>(), op,
                    ": a roi is NaN or infinite; leave such boxes out");
}

// The results of `Kind`, and the sources of their values.
template <template <typename> class Kind>
std::tuple<at::Tensor, at::Tensor> PooledCells(const char* op, const at::Tensor& features,
                                               const at::Tensor& regions, const Pooling& p) {
  CheckRegions(op, features, regions, p.rows, p.columns);
  const at::Tensor x = features.contiguous(), boxes = regions.contiguous();
  const int64_t cells = p.rows * p.columns, plane = x.size(2) * x.size(3);
  TORCH_CHECK_VALUE(!p.own_channels || x.size(1) % cells == 0, op, ": the input has ", x.size(1),
                    " channels; a result of ", p.rows, " x ", p.columns, " needs a multiple of ",
                    cells);
  const int64_t channels = p.own_channels ? x.size(1) / cells : x.size(1);
  at::Tensor out = at::empty({boxes.size(0), channels, p.rows, p.columns}, x.options());
  at::Tensor sources = at::zeros(out.sizes(), x.options().dtype(at::kInt));
  AT_DISPATCH_FLOATING_TYPES(x.scalar_type(), "regions", [&] {
    const auto* in = x.const_data_ptr<scalar_t>();
    const auto* box = boxes.const_data_ptr<scalar_t>();
    auto* values = out.mutable_data_ptr<scalar_t>();
    auto* source = sources.mutable_data_ptr<int32_t>();
    at::parallel_for(0, boxes.size(0), /*grain_size=*/1, [&](int64_t begin, int64_t end) {
      for (int64_t k = begin; k < end; ++k) {
        const Kind<scalar_t> kind(box + k * kRegionNumbers, p, x.sizes());
        const auto* image = in + static_cast<int64_t>(box[k * kRegionNumbers]) * x.size(1) * plane;
        for (int64_t i = 0; i < channels * cells; ++i) {
          const int64_t channel = p.own_channels ? i : i / cells, cell = i % cells;
          const auto made = kind.At(image + channel * plane, cell / p.columns, cell % p.columns);
          const int64_t at = k * channels * cells + i;
          values[at] = made.value;
          source[at] = static_cast<int32_t>(p.own_channels ? channel : made.source);
        }
      }
    });
  });
  return {out, sources};
}

}  // namespace

at::Tensor RoiAlign(const at::Tensor& features, const at::Tensor& regions, double spatial_scale,
                    int64_t pooled_height, int64_t pooled_width, int64_t sampling_ratio,
                    bool aligned) {
  CheckRegions("roi_align", features, regions, pooled_height, pooled_width);
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
        const scalar_t* box = boxes + k * kRegionNumbers;
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

std::tuple<at::Tensor, at::Tensor> RoiPool(const at::Tensor& features, const at::Tensor& regions,
                                           double spatial_scale, int64_t pooled_height,
                                           int64_t pooled_width) {
  return PooledCells<Maxima>(
      "roi_pool", features, regions,
      {.scale = spatial_scale, .rows = pooled_height, .columns = pooled_width});
}

std::tuple<at::Tensor, at::Tensor> PsRoiPool(const at::Tensor& features, const at::Tensor& regions,
                                             double spatial_scale, int64_t pooled_height,
                                             int64_t pooled_width) {
  return PooledCells<Means>("ps_roi_pool", features, regions,
                            {.scale = spatial_scale,
                             .rows = pooled_height,
                             .columns = pooled_width,
                             .own_channels = true});
}

std::tuple<at::Tensor, at::Tensor> PsRoiAlign(const at::Tensor& features, const at::Tensor& regions,
                                              double spatial_scale, int64_t pooled_height,
                                              int64_t pooled_width, int64_t sampling_ratio) {
  return PooledCells<SampledMeans>("ps_roi_align", features, regions,
                                   {.scale = spatial_scale,
                                    .rows = pooled_height,
                                    .columns = pooled_width,
                                    .samples = sampling_ratio,
                                    .own_channels = true});
}

}  // namespace assay::models

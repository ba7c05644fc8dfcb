#include "models/layers/detection/region_operators.h"

#include <ATen/Dispatch.h>
#include <ATen/Parallel.h>
#include <ATen/ops/empty.h>
#include <ATen/ops/zeros.h>
#include <c10/util/Exception.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>

#include "models/layers/detection/bilinear_samples.h"

namespace assay::models {
namespace {

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

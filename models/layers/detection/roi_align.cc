#include "models/layers/detection/roi_align.h"

#include <ATen/Dispatch.h>
#include <ATen/Parallel.h>
#include <ATen/ops/zeros.h>
#include <torch/csrc/autograd/custom_function.h>

#include <algorithm>
#include <vector>

#include "models/layers/core/gradient.h"
#include "models/layers/detection/bilinear_samples.h"

namespace assay::models {
namespace {

struct Alignment {
  double scale;
  int64_t rows, columns;  // of the result
  int64_t samples;        // a side in a cell; 0 or less: as many as it has pixels
  bool aligned;
};

// The samples of one region's cells.
template <typename T>
class AlignedRegion {
 public:
  // `sizes`: of the features.
  AlignedRegion(const T* numbers, const Alignment& a, at::IntArrayRef sizes)
      : image_(static_cast<int64_t>(numbers[0])),
        height_(sizes[2]),
        width_(sizes[3]),
        y_(numbers[2], numbers[4], static_cast<T>(a.scale), a.rows, a.samples, a.aligned),
        x_(numbers[1], numbers[3], static_cast<T>(a.scale), a.columns, a.samples, a.aligned) {}

  int64_t image() const { return image_; }
  // Divides the sum of a cell's samples.
  T count() const { return static_cast<T>(std::max<int64_t>(y_.samples * x_.samples, 1)); }
  // Until the next call.
  const std::vector<Sample<T>>& Of(int64_t row, int64_t column) {
    samples_.clear();
    for (int64_t i = 0; i < y_.samples; ++i) {
      for (int64_t j = 0; j < x_.samples; ++j) {
        samples_.push_back(
            SampleAt(y_.At(row, i), x_.At(column, j), height_, width_).value_or(Sample<T>{}));
      }
    }
    return samples_;
  }

 private:
  int64_t image_, height_, width_;
  Axis<T> y_, x_;
  std::vector<Sample<T>> samples_;
};

at::Tensor Aligned(const at::Tensor& features, const at::Tensor& regions, const Alignment& a) {
  const at::Tensor x = features.contiguous(), boxes = regions.contiguous();
  const int64_t count = boxes.size(0), channels = x.size(1), plane = x.size(2) * x.size(3);
  const int64_t cells = a.rows * a.columns;
  // Made of the features, so that whoever watches operators sees on what the result depends (layer_trace.h).
  at::Tensor out = x.new_empty({count, channels, a.rows, a.columns});
  AT_DISPATCH_FLOATING_TYPES(x.scalar_type(), "roi_align", [&] {
    const auto* in = x.const_data_ptr<scalar_t>();
    const auto* numbers = boxes.const_data_ptr<scalar_t>();
    auto* result = out.mutable_data_ptr<scalar_t>();
    at::parallel_for(0, count, /*grain_size=*/1, [&](int64_t begin, int64_t end) {
      for (int64_t k = begin; k < end; ++k) {
        AlignedRegion<scalar_t> region(numbers + k * kRegionNumbers, a, x.sizes());
        for (int64_t cell = 0; cell < cells; ++cell) {
          const auto& samples = region.Of(cell / a.columns, cell % a.columns);
          for (int64_t channel = 0; channel < channels; ++channel) {
            const scalar_t* of_channel = in + (region.image() * channels + channel) * plane;
            scalar_t sum = 0;
            for (const Sample<scalar_t>& sample : samples) sum += ValueOf(of_channel, sample);
            result[(k * channels + channel) * cells + cell] = sum / region.count();
          }
        }
      }
    });
  });
  return out;
}

// Regions may overlap, so that threads share out the channels.
at::Tensor GradientOfFeatures(const at::Tensor& of_result, const at::Tensor& regions,
                              const Alignment& a, at::IntArrayRef sizes) {
  const at::Tensor gradient = of_result.contiguous(), boxes = regions.contiguous();
  const int64_t count = boxes.size(0), channels = sizes[1], plane = sizes[2] * sizes[3];
  const int64_t cells = a.rows * a.columns;
  at::Tensor out = at::zeros(sizes, gradient.options());
  AT_DISPATCH_FLOATING_TYPES(gradient.scalar_type(), "roi_align_gradient", [&] {
    const auto* in = gradient.const_data_ptr<scalar_t>();
    const auto* numbers = boxes.const_data_ptr<scalar_t>();
    auto* result = out.mutable_data_ptr<scalar_t>();
    at::parallel_for(0, channels, /*grain_size=*/1, [&](int64_t begin, int64_t end) {
      for (int64_t k = 0; k < count; ++k) {
        AlignedRegion<scalar_t> region(numbers + k * kRegionNumbers, a, sizes);
        for (int64_t cell = 0; cell < cells; ++cell) {
          const auto& samples = region.Of(cell / a.columns, cell % a.columns);
          for (int64_t channel = begin; channel < end; ++channel) {
            scalar_t* of_channel = result + (region.image() * channels + channel) * plane;
            const scalar_t part = in[(k * channels + channel) * cells + cell] / region.count();
            for (const Sample<scalar_t>& sample : samples) {
              for (size_t i = 0; i < sample.pixels.size(); ++i)
                of_channel[sample.pixels[i]] += part * sample.weights[i];
            }
          }
        }
      }
    });
  });
  return out;
}

struct Differentiable : torch::autograd::Function<Differentiable> {
  static at::Tensor forward(torch::autograd::AutogradContext* context, const at::Tensor& features,
                            const at::Tensor& regions, const Alignment& a) {
    context->save_for_backward({regions});
    context->saved_data["sizes"] = features.sizes().vec();
    context->saved_data["scale"] = a.scale;
    context->saved_data["numbers"] = std::vector<int64_t>{a.rows, a.columns, a.samples, a.aligned};
    return Aligned(features, regions, a);
  }

  static torch::autograd::tensor_list backward(torch::autograd::AutogradContext* context,
                                               const torch::autograd::tensor_list& gradients) {
    const std::vector<int64_t> numbers = context->saved_data["numbers"].toIntVector();
    const Alignment a = {.scale = context->saved_data["scale"].toDouble(),
                         .rows = numbers[0],
                         .columns = numbers[1],
                         .samples = numbers[2],
                         .aligned = numbers[3] != 0};
    return {GradientOfFeatures(gradients[0], context->get_saved_variables()[0], a,
                               context->saved_data["sizes"].toIntVector()),
            at::Tensor(), at::Tensor()};
  }
};

}  // namespace

at::Tensor RoiAlign(const at::Tensor& features, const at::Tensor& regions, double spatial_scale,
                    int64_t pooled_height, int64_t pooled_width, int64_t sampling_ratio,
                    bool aligned) {
  CheckRegions("roi_align", features, regions, pooled_height, pooled_width);
  const Alignment a = {.scale = spatial_scale,
                       .rows = pooled_height,
                       .columns = pooled_width,
                       .samples = sampling_ratio,
                       .aligned = aligned};
  return AutogradRecords(features) ? Differentiable::apply(features, regions, a)
                                   : Aligned(features, regions, a);
}

}  // namespace assay::models

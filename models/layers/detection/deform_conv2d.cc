#include "models/layers/detection/deform_conv2d.h"

#include <ATen/Dispatch.h>
#include <ATen/Parallel.h>
#include <ATen/ops/bmm.h>
#include <ATen/ops/empty.h>
#include <ATen/ops/stack.h>
#include <c10/util/Exception.h>

#include <cmath>
#include <vector>

namespace assay::models {
namespace {

// One axis of a convolution.
struct KernelAxis {
  int64_t size, kernel, stride, padding, dilation;

  int64_t Cells() const {
    return (size + 2 * padding - (dilation * (kernel - 1) + 1)) / stride + 1;
  }
  template <typename T>
  T At(int64_t cell, int64_t tap) const {
    return static_cast<T>(cell * stride - padding + tap * dilation);
  }
};

// A bilinear sample of a plane; pixels outside of it are 0.
template <typename T>
T Sampled(const T* plane, int64_t height, int64_t width, T y, T x) {
  if (!(y > -1 && x > -1 && y < static_cast<T>(height) && x < static_cast<T>(width))) return 0;
  const T top = std::floor(y), left = std::floor(x);
  const auto row = static_cast<int64_t>(top), column = static_cast<int64_t>(left);
  const T down = y - top, right = x - left;
  const auto pixel = [&](int64_t i, int64_t j) {
    return i < 0 || j < 0 || i >= height || j >= width ? T{0} : plane[i * width + j];
  };
  return (1 - down) * (1 - right) * pixel(row, column) +
         (1 - down) * right * pixel(row, column + 1) + down * (1 - right) * pixel(row + 1, column) +
         down * right * pixel(row + 1, column + 1);
}

void CheckDeformed(const at::Tensor& input, const at::Tensor& weight, const at::Tensor& offset,
                   const at::Tensor& mask, const at::Tensor& bias, const KernelAxis& y,
                   const KernelAxis& x, int64_t groups, int64_t offset_groups, bool use_mask) {
  const auto check = [&](const at::Tensor& tensor, const char* name, at::IntArrayRef sizes) {
    TORCH_CHECK_VALUE(
        tensor.sizes() == sizes && tensor.is_cpu() && tensor.scalar_type() == input.scalar_type(),
        "deform_conv2d: ", name, " is ", tensor.scalar_type(), " ", tensor.sizes(), " on ",
        tensor.device(), "; it must be ", input.scalar_type(), " ", sizes, " on the CPU");
  };
  TORCH_CHECK_VALUE(
      input.is_cpu() && (input.scalar_type() == at::kFloat || input.scalar_type() == at::kDouble),
      "deform_conv2d: the input is ", input.scalar_type(), " on ", input.device(),
      "; this kernel is for float32 and float64 on the CPU");
  const int64_t taps = offset_groups * y.kernel * x.kernel;
  check(weight, "the weight", {weight.size(0), input.size(1) / groups, y.kernel, x.kernel});
  check(offset, "the offset", {input.size(0), 2 * taps, y.Cells(), x.Cells()});
  if (use_mask) check(mask, "the mask", {input.size(0), taps, y.Cells(), x.Cells()});
  check(bias, "the bias", {weight.size(0)});
}

}  // namespace

at::Tensor DeformConv2d(const at::Tensor& input, const at::Tensor& weight, const at::Tensor& offset,
                        const at::Tensor& mask, const at::Tensor& bias, int64_t stride_h,
                        int64_t stride_w, int64_t pad_h, int64_t pad_w, int64_t dilation_h,
                        int64_t dilation_w, int64_t groups, int64_t offset_groups, bool use_mask) {
  TORCH_CHECK_VALUE(input.dim() == 4 && weight.dim() == 4, "deform_conv2d: the input is ",
                    input.sizes(), " and the weight ", weight.sizes(),
                    "; both have four dimensions");
  TORCH_CHECK_VALUE(stride_h > 0 && stride_w > 0 && dilation_h > 0 && dilation_w > 0 &&
                        pad_h >= 0 && pad_w >= 0 && groups > 0 && offset_groups > 0 &&
                        input.size(1) % groups == 0 && input.size(1) % offset_groups == 0 &&
                        weight.size(0) % groups == 0,
                    "deform_conv2d: ", input.size(1), " channels in ", groups, " groups and ",
                    offset_groups, " of offsets, strides ", stride_h, " and ", stride_w,
                    "; groups must divide the channels, and strides must be at least 1");
  const KernelAxis y = {input.size(2), weight.size(2), stride_h, pad_h, dilation_h};
  const KernelAxis x = {input.size(3), weight.size(3), stride_w, pad_w, dilation_w};
  TORCH_CHECK_VALUE(y.Cells() > 0 && x.Cells() > 0, "deform_conv2d: the result is ", y.Cells(),
                    " x ", x.Cells(), "; each must be at least 1");
  CheckDeformed(input, weight, offset, mask, bias, y, x, groups, offset_groups, use_mask);
  const at::Tensor images = input.contiguous(), moves = offset.contiguous();
  const at::Tensor shares = use_mask ? mask.contiguous() : mask;
  const int64_t channels = input.size(1), of_group = channels / offset_groups;
  const int64_t taps = y.kernel * x.kernel, cells = y.Cells() * x.Cells();
  const at::Tensor kernels = weight.reshape({groups, weight.size(0) / groups, -1});
  const auto columns_of = [&](int64_t image) {
    at::Tensor columns = at::empty({channels, taps, cells}, input.options());
    AT_DISPATCH_FLOATING_TYPES(input.scalar_type(), "deform_conv2d", [&] {
      const auto* planes = images.const_data_ptr<scalar_t>() + image * channels * y.size * x.size;
      const auto* move =
          moves.const_data_ptr<scalar_t>() + image * offset_groups * taps * 2 * cells;
      const auto* share =
          use_mask ? shares.const_data_ptr<scalar_t>() + image * offset_groups * taps * cells
                   : nullptr;
      auto* out = columns.mutable_data_ptr<scalar_t>();
      at::parallel_for(0, channels * taps, /*grain_size=*/1, [&](int64_t begin, int64_t end) {
        for (int64_t row = begin; row < end; ++row) {
          const int64_t channel = row / taps, tap = row % taps;
          const int64_t at = channel / of_group * taps + tap;  // among offsets and masks
          for (int64_t cell = 0; cell < cells; ++cell) {
            const scalar_t down =
                y.At<scalar_t>(cell / x.Cells(), tap / x.kernel) + move[2 * at * cells + cell];
            const scalar_t right = x.At<scalar_t>(cell % x.Cells(), tap % x.kernel) +
                                   move[(2 * at + 1) * cells + cell];
            const scalar_t value =
                Sampled(planes + channel * y.size * x.size, y.size, x.size, down, right);
            out[row * cells + cell] = share ? share[at * cells + cell] * value : value;
          }
        }
      });
    });
    return columns.view({groups, channels / groups * taps, cells});
  };
  std::vector<at::Tensor> results;
  for (int64_t image = 0; image < input.size(0); ++image)
    results.push_back(at::bmm(kernels, columns_of(image)).view({-1, y.Cells(), x.Cells()}));
  if (results.empty()) return at::empty({0, weight.size(0), y.Cells(), x.Cells()}, input.options());
  return at::stack(results) + bias.view({1, -1, 1, 1});
}

}  // namespace assay::models

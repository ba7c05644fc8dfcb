#include "models/layers/detection/deform_conv2d.h"

#include <ATen/ops/allclose.h>
#include <ATen/ops/arange.h>
#include <ATen/ops/conv2d.h>
#include <ATen/ops/tensor.h>
#include <ATen/ops/zeros.h>

#include <string>

#include "gmock/gmock.h"
#include "gtest/gtest.h"

namespace assay::models {
namespace {

using testing::HasSubstr;

at::Tensor Sawtooth(at::IntArrayRef sizes, int64_t period, double step, double from) {
  const int64_t count = c10::multiply_integers(sizes);
  return (at::arange(count, at::kDouble).remainder(period) * step + from).view(sizes);
}

// Two images of four channels in two groups, with two groups of offsets.
struct Call {
  at::Tensor input = Sawtooth({2, 4, 4, 5}, 7, 1, 0), weight = Sawtooth({2, 2, 2, 3}, 5, 1, -2);
  at::Tensor offset = Sawtooth({2, 24, 5, 2}, 9, 0.4, -1.7);
  at::Tensor mask = Sawtooth({2, 12, 5, 2}, 4, 0.25, 0), bias = at::tensor({0.5, -1.});

  at::Tensor Result(bool use_mask) const {
    return DeformConv2d(input, weight, offset, mask, bias, 1, 2, 1, 0, 1, 1, 2, 2, use_mask);
  }
};

// torchvision.ops.deform_conv2d of torchvision 0.26 gives these, with and without a mask.
TEST(DeformConv2dTest, ComputesAsTorchvisionDoes) {
  const at::Tensor masked = at::tensor(
      {6.155,  2.5925, -3.01,  -1.72,   -7.815, 8.54,    -0.55,  -5.09,   -5.5,  -15.825,
       2.87,   0.615,  -1.095, -0.9275, -0.06,  -0.2125, 0.0,    3.15,    3.31,  -1.9625,
       -4.175, 2.0625, 2.125,  -0.235,  2.45,   -9.13,   -4.575, -1.5975, 2.75,  6.3925,
       -3.755, -5.38,  -0.385, -0.11,   6.58,   -3.35,   -4.355, 0.1675,  6.495, 14.305});
  const at::Tensor whole =
      at::tensor({12.41,  3.47,  -13.59, -6.28, -26.72, 5.66,   1.85,   -2.44, -8.6,  -28.84,
                  7.49,   -1.08, 9.71,   -2.57, -3.47,  -1.85,  8.92,   15.2,  4.36,  -2.35,
                  -14.76, -6.47, 6.85,   -4.2,  7.34,   -18.94, -24.47, 2.41,  -1.77, 8.37,
                  -8.01,  -6.72, 5.89,   7.26,  18.21,  -2.6,   -14.31, -3.79, 15.99, 23.74});
  Call call;
  for (const bool use_mask : {true, false}) {
    const at::Tensor want = (use_mask ? masked : whole).to(at::kDouble).view({2, 2, 5, 2});
    EXPECT_TRUE(at::allclose(call.Result(use_mask), want, 1e-12, 1e-6)) << use_mask;
  }
  Call narrow;
  for (at::Tensor* tensor :
       {&narrow.input, &narrow.weight, &narrow.offset, &narrow.mask, &narrow.bias})
    *tensor = tensor->to(at::kFloat);
  EXPECT_TRUE(at::allclose(narrow.Result(true).to(at::kDouble), call.Result(true), 1e-4, 1e-4));
}

TEST(DeformConv2dTest, IsAConvolutionWhereNothingMoves) {
  for (const at::ScalarType dtype : {at::kDouble, at::kFloat}) {
    Call call;
    call.offset = at::zeros({2, 24, 5, 2}, at::kDouble);
    for (at::Tensor* tensor : {&call.input, &call.weight, &call.bias, &call.offset, &call.mask})
      *tensor = tensor->to(dtype);
    const double close = dtype == at::kFloat ? 1e-4 : 1e-8;
    EXPECT_TRUE(at::allclose(call.Result(false),
                             at::conv2d(call.input, call.weight, call.bias, {1, 2}, {1, 0}, 1, 2),
                             close, close));
  }
}

TEST(DeformConv2dTest, RefusesWhatDoesNotFit) {
  const auto problem = [](auto change) -> std::string {
    Call call;
    change(call);
    try {
      call.Result(true);
    } catch (const c10::Error& error) {
      return error.what_without_backtrace();
    }
    return "no error";
  };
  EXPECT_THAT(
      problem([](Call& call) { call.offset = call.offset.narrow(1, 0, 8); }),
      HasSubstr("the offset is Double [2, 8, 5, 2] on cpu; it must be Double [2, 24, 5, 2]"));
  EXPECT_THAT(problem([](Call& call) { call.mask = call.mask.to(at::kFloat); }),
              HasSubstr("the mask is Float"));
  EXPECT_THAT(problem([](Call& call) { call.input = call.input.to(at::kHalf); }),
              HasSubstr("this kernel is for float32 and float64"));
  EXPECT_THAT(problem([](Call& call) { call.input = call.input.narrow(1, 0, 3); }),
              HasSubstr("3 channels in 2 groups"));
  EXPECT_THAT(problem([](Call& call) { call.input = call.input.narrow(3, 0, 1); }),
              HasSubstr("each must be at least 1"));
}

}  // namespace
}  // namespace assay::models

#ifndef ASSAY_MODELS_LAYERS_CORE_STATIC_INT8_H_
#define ASSAY_MODELS_LAYERS_CORE_STATIC_INT8_H_

// ---------------------------------------------------------------------------------------------
// models/layers/core/static_int8.h: what the lowering int8_static makes of a layer: LibTorch's kernels for
// integers, and beside them the same computation in float64.
//
// Activations are unsigned integers of 8 bits: value = (integer - zero) * scale. The scale is fixed
// before the first call. A layer watches one call in float64; the range of its result, 0 included, then
// has 128 steps, as torch.ao's MinMaxObserver with reduce_range counts them. So a sum of two products
// fits 16 bits up to the integer 127, and there a CPU without VNNI computes the same as one with it. A
// value beyond the range is rounded likewise, up to the integer 255, but FBGEMM's kernels may then cut such a
// sum off at 16 bits. A judge compares only rows that stay in the range (JudgedLayers.rows).
//
// Weights are signed integers of 8 bits and have a scale for each output channel, as of torch.ao's
// PerChannelMinMaxObserver. A norm is merged into its convolution before.
//
// A layer that is given floats rounds them by the range of its own input. Its result stays integers.
//
// With a judge, each result is compared with the integer to which float64 rounds. They must be equal. Only
// where float64 lies nearer to the middle of two integers than float32 tells, either is right. A weight is
// compared with the tensors from which it was made (ErrorOfWeight).
//
// Not for: training, and weights of linear layers alone (rounded_weight.h).
//
// Example, in a layer:
//
//   if (lowering.watches) int8_ = std::make_unique<StaticInt8>(lowering, lowering.layer);
//   else int8_->Multiply({.weight = weight_, .bias = bias_}, {weight_, bias_});
//   ...
//   if (int8_ && int8_->lowered()) return int8_->Call(x);
//   const at::Tensor y = at::linear(x, weight_, bias_);
//   if (int8_) int8_->Watch(x, y);
// ---------------------------------------------------------------------------------------------

#include <ATen/core/Tensor.h>

#include <cstdint>
#include <functional>
#include <string>

#include "defs/case/lowerings.h"
#include "models/layers/core/activation.h"
#include "models/layers/core/conv2d.h"

namespace assay::models {

// How floats lie on integers.
struct Steps {
  double scale = 1;  // a float32 number
  int64_t zero = 0;
};

// The smallest and the largest of all values seen, and 0.
struct ValueRange {
  float low = 0;
  float high = 0;

  void Add(const at::Tensor& values);
  Steps steps() const;
};

// Integers as float64 computes them.
struct EmulatedIntegers {
  at::Tensor values;  // before rounding, in steps, without the zero
  at::Tensor parts;   // the magnitudes of what is added up to them
  Steps on;
  int64_t highest = 255;  // with the zero; the lowest is 0, which is the zero itself behind a ReLU
};

// Compares a quantized tensor; leaves `layer` empty. On other steps all integers are wrong.
LayerError ErrorOf(const at::Tensor& quantized, const EmulatedIntegers& truth);

// A weight (out, ...) and its bias (out), which may be undefined.
struct WeightAndBias {
  at::Tensor weight;
  at::Tensor bias = {};
};

// Compares a weight, quantized by channel, and its float32 bias with what they stand for; leaves `layer`
// empty. Each integer must be the nearest one in steps of 1 / 127.5 of its channel's largest magnitude in float64,
// and the bias must be the nearest float32.
LayerError ErrorOfWeight(const WeightAndBias& kept, const WeightAndBias& truth);

class StaticInt8 {
 public:
  StaticInt8(const Lowering& lowering, std::string layer);

  // Takes the floats of one call into the ranges.
  void Watch(const at::Tensor& input, const at::Tensor& result);

  struct Product {
    at::Tensor weight;                          // (out, in), or a convolution's
    at::Tensor bias = {};                       // (out), or undefined
    const Conv2d* convolution = nullptr;        // whose kernel's way this is; null: a linear layer
    Activation activation = Activation::kNone;  // behind it: none, kRelu or kRelu6
  };
  // One of these ends the watching. Multiply() returns the integers of the weight, which a judge compares with
  // `truth`. It and Add() throw c10::Error if nothing was watched.
  at::Tensor Multiply(const Product& product, const WeightAndBias& truth);
  void Add(Activation activation);  // of two inputs; the activation as above, without kRelu6
  void Average();                   // over height and width: (N, C, H, W) -> (N, C)

  bool lowered() const { return kernel_ != nullptr; }
  bool judges() const { return judged_ != nullptr; }
  // Inputs are quantized, or floats. The result is quantized.
  at::Tensor Call(const at::Tensor& x, const at::Tensor& other = {}) const;

 private:
  Steps WatchedSteps() const;
  at::Tensor JudgedRows(const at::Tensor& x) const;  // undefined if x is
  at::Tensor Quantized(const at::Tensor& x) const;
  void Judge(const at::Tensor& quantized, const EmulatedIntegers& truth, const char* part) const;

  const std::string layer_;
  JudgedLayers* const judged_;  // null: nobody judges
  bool watched_ = false;
  ValueRange input_;
  ValueRange result_;
  std::function<at::Tensor(const at::Tensor& x, const at::Tensor& other)> kernel_;
  std::function<EmulatedIntegers(const at::Tensor& x, const at::Tensor& other)> emulated_;
};

}  // namespace assay::models

#endif  // ASSAY_MODELS_LAYERS_CORE_STATIC_INT8_H_

#include "models/layers/sequence/recurrent.h"

#include <ATen/ops/_cudnn_rnn_flatten_weight.h>
#include <ATen/ops/_use_cudnn_rnn_flatten_weight.h>
#include <ATen/ops/cudnn_is_acceptable.h>
#include <ATen/ops/gru.h>
#include <ATen/ops/lstm.h>
#include <ATen/ops/zeros.h>
#include <c10/core/GradMode.h>

#include <tuple>
#include <utility>

#include "models/layers/core/recipes.h"

namespace assay::models {
namespace {

constexpr bool kBiases = true, kBidirectional = false, kRowsFirst = true;
constexpr int64_t kLayers = 1, kTensorsOfALayer = 4, kNoProjection = 0;
constexpr int64_t kCudnnLstm = 2, kCudnnGru = 3, kGatesOfALstm = 4;
constexpr double kDropout = 0;

}  // namespace

CudnnRecurrent CudnnRecurrentOf(int64_t gates, const RecurrentOptions& options) {
  return {.mode = gates == kGatesOfALstm ? kCudnnLstm : kCudnnGru,
          .in = options.in,
          .hidden = options.hidden};
}

Recurrent::Recurrent(Layer& parent, std::string name, int64_t gates,
                     const RecurrentOptions& options)
    : Layer(parent, std::move(name)), cudnn_(CudnnRecurrentOf(gates, options)) {
  const int64_t rows = gates * options.hidden;
  AddParameter("weight_ih_l0", {rows, options.in}, WeightInit(options.in), of_input_);
  AddParameter("weight_hh_l0", {rows, options.hidden}, WeightInit(options.hidden), of_hidden_);
  AddParameter("bias_ih_l0", {rows}, BiasInit(), bias_of_input_);
  AddParameter("bias_hh_l0", {rows}, BiasInit(), bias_of_hidden_);
}

std::array<at::Tensor, 4> Recurrent::Weights() const {
  return {of_input_, of_hidden_, bias_of_input_, bias_of_hidden_};
}

void Recurrent::Moved() {
  // at::lstm() and at::gru() ask the same before they call cuDNN.
  if (!at::cudnn_is_acceptable(of_input_) || !at::_use_cudnn_rnn_flatten_weight()) return;
  const c10::NoGradGuard no_grad;
  at::_cudnn_rnn_flatten_weight(Weights(), kTensorsOfALayer, cudnn_.in, cudnn_.mode, cudnn_.hidden,
                                kNoProjection, kLayers, kRowsFirst, kBidirectional);
}

at::Tensor Recurrent::FirstState(const at::Tensor& x) const {
  return at::zeros({1, x.size(0), of_hidden_.size(1)}, x.options());
}

Gru::Gru(Layer& parent, std::string name, const RecurrentOptions& options)
    : Recurrent(parent, std::move(name), /*gates=*/3, options) {}

at::Tensor Gru::Forward(const at::Tensor& x) const {
  return std::get<0>(at::gru(x, FirstState(x), Weights(), kBiases, kLayers, kDropout, training(),
                             kBidirectional, kRowsFirst));
}

Lstm::Lstm(Layer& parent, std::string name, const RecurrentOptions& options)
    : Recurrent(parent, std::move(name), kGatesOfALstm, options) {}

at::Tensor Lstm::Forward(const at::Tensor& x) const {
  const at::Tensor zeros = FirstState(x);
  return std::get<0>(at::lstm(x, {zeros, zeros}, Weights(), kBiases, kLayers, kDropout, training(),
                              kBidirectional, kRowsFirst));
}

}  // namespace assay::models

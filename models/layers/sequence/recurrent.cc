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

#include "absl/strings/str_cat.h"
#include "models/layers/core/recipes.h"

namespace assay::models {
namespace {

constexpr bool kBiases = true, kRowsFirst = true;
constexpr int64_t kTensorsOfALayer = 4, kNoProjection = 0;
constexpr int64_t kCudnnLstm = 2, kCudnnGru = 3, kGatesOfALstm = 4;
constexpr double kDropout = 0;

int64_t Directions(const RecurrentOptions& options) { return options.both_ways ? 2 : 1; }

}  // namespace

CudnnRecurrent CudnnRecurrentOf(int64_t gates, const RecurrentOptions& options) {
  return {.mode = gates == kGatesOfALstm ? kCudnnLstm : kCudnnGru,
          .in = options.in,
          .hidden = options.hidden};
}

Recurrent::Recurrent(Layer& parent, std::string name, int64_t gates,
                     const RecurrentOptions& options)
    : Layer(parent, std::move(name)),
      options_(options),
      cudnn_(CudnnRecurrentOf(gates, options)),
      tensors_(static_cast<size_t>(kTensorsOfALayer * options.layers * Directions(options))) {
  const int64_t rows = gates * options.hidden;
  auto tensor = tensors_.begin();
  for (int64_t layer = 0; layer < options.layers; ++layer) {
    const int64_t in = layer == 0 ? options.in : Directions(options) * options.hidden;
    for (int64_t direction = 0; direction < Directions(options); ++direction) {
      const std::string end = absl::StrCat("_l", layer, direction == 0 ? "" : "_reverse");
      AddParameter("weight_ih" + end, {rows, in}, WeightInit(in), *tensor++);
      AddParameter("weight_hh" + end, {rows, options.hidden}, WeightInit(options.hidden),
                   *tensor++);
      AddParameter("bias_ih" + end, {rows}, BiasInit(), *tensor++);
      AddParameter("bias_hh" + end, {rows}, BiasInit(), *tensor++);
    }
  }
}

void Recurrent::Moved() {
  // at::lstm() and at::gru() ask the same before they call cuDNN.
  if (!at::cudnn_is_acceptable(tensors_[0]) || !at::_use_cudnn_rnn_flatten_weight()) return;
  const c10::NoGradGuard no_grad;
  at::_cudnn_rnn_flatten_weight(Weights(), kTensorsOfALayer, cudnn_.in, cudnn_.mode, cudnn_.hidden,
                                kNoProjection, options_.layers, kRowsFirst, options_.both_ways);
}

at::Tensor Recurrent::FirstState(const at::Tensor& x) const {
  return at::zeros({options_.layers * Directions(options_), x.size(0), options_.hidden},
                   x.options());
}

Gru::Gru(Layer& parent, std::string name, const RecurrentOptions& options)
    : Recurrent(parent, std::move(name), /*gates=*/3, options) {}

at::Tensor Gru::Forward(const at::Tensor& x) const {
  return std::get<0>(at::gru(x, FirstState(x), Weights(), kBiases, options().layers, kDropout,
                             training(), options().both_ways, kRowsFirst));
}

Lstm::Lstm(Layer& parent, std::string name, const RecurrentOptions& options)
    : Recurrent(parent, std::move(name), kGatesOfALstm, options) {}

at::Tensor Lstm::Forward(const at::Tensor& x) const {
  const at::Tensor zeros = FirstState(x);
  return std::get<0>(at::lstm(x, {zeros, zeros}, Weights(), kBiases, options().layers, kDropout,
                              training(), options().both_ways, kRowsFirst));
}

}  // namespace assay::models

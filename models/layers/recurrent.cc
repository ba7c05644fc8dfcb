#include "models/layers/recurrent.h"

#include <ATen/ops/gru.h>
#include <ATen/ops/lstm.h>
#include <ATen/ops/zeros.h>

#include <tuple>
#include <utility>

#include "models/layers/recipes.h"

namespace assay::models {
namespace {

constexpr bool kBiases = true, kBidirectional = false, kRowsFirst = true;
constexpr int64_t kLayers = 1;
constexpr double kDropout = 0;

}  // namespace

Recurrent::Recurrent(Layer& parent, std::string name, int64_t gates,
                     const RecurrentOptions& options)
    : Layer(parent, std::move(name)) {
  const int64_t rows = gates * options.hidden;
  AddParameter("weight_ih_l0", {rows, options.in}, WeightInit(options.in), of_input_);
  AddParameter("weight_hh_l0", {rows, options.hidden}, WeightInit(options.hidden), of_hidden_);
  AddParameter("bias_ih_l0", {rows}, BiasInit(), bias_of_input_);
  AddParameter("bias_hh_l0", {rows}, BiasInit(), bias_of_hidden_);
}

std::array<at::Tensor, 4> Recurrent::Weights() const {
  return {of_input_, of_hidden_, bias_of_input_, bias_of_hidden_};
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
    : Recurrent(parent, std::move(name), /*gates=*/4, options) {}

at::Tensor Lstm::Forward(const at::Tensor& x) const {
  const at::Tensor zeros = FirstState(x);
  return std::get<0>(at::lstm(x, {zeros, zeros}, Weights(), kBiases, kLayers, kDropout, training(),
                              kBidirectional, kRowsFirst));
}

}  // namespace assay::models

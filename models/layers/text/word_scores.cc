#include "models/layers/text/word_scores.h"

#include <utility>

#include "models/layers/core/recipes.h"

namespace assay::models {
namespace {

std::unique_ptr<LayerNorm> Norm(Layer& parent, const WordScoresNames& names,
                                const WordScoresOptions& options) {
  return std::make_unique<LayerNorm>(
      parent, names.norm,
      LayerNormOptions{.features = options.features, .eps = options.layer_norm_eps});
}

}  // namespace

WordScores::Bias::Bias(Layer& parent, std::string name, int64_t vocab_size)
    : Layer(parent, std::move(name)) {
  AddParameter("bias", {vocab_size}, BiasInit(), bias_);
}

WordScores::WordScores(Layer& parent, const WordScoresNames& names,
                       const WordScoresOptions& options)
    : activation_(options.activation),
      bias_(names.bias_owner == nullptr
                ? nullptr
                : std::make_unique<Bias>(parent, names.bias_owner, options.vocab_size)),
      norm_(names.norm_first ? Norm(parent, names, options) : nullptr),
      dense_(parent, names.dense, {.in = options.in, .out = options.features}) {
  if (norm_ == nullptr) norm_ = Norm(parent, names, options);
  // transformers ties the bias with the weight, or neither.
  const bool tied = bias_ != nullptr && options.words != nullptr;
  decoder_ =
      std::make_unique<Linear>(parent, names.decoder,
                               LinearOptions{.in = options.features,
                                             .out = options.vocab_size,
                                             .tied_weight = options.words,
                                             .tied_bias = tied ? &bias_->tensor() : nullptr});
}

at::Tensor WordScores::Forward(const at::Tensor& x) const {
  return decoder_->Forward(norm_->Forward(Activate(activation_, dense_.Forward(x))));
}

}  // namespace assay::models

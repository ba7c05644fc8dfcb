#ifndef ASSAY_MODELS_LAYERS_TEXT_WORD_SCORES_H_
#define ASSAY_MODELS_LAYERS_TEXT_WORD_SCORES_H_

// ---------------------------------------------------------------------------------------------
// models/layers/text/word_scores.h: a score for each word at each token, as BERT and those after it have
// it.
//
//     x ── linear ── GELU ── norm ── linear, whose weight is the word embedding's ──
//
// Not for: one projection alone (linear.h).
//
// Example:
//
// WordScores scores{*this, kNames, {.in = 768, .features = 768, .vocab_size = 30522,
// .layer_norm_eps = 1e-12, .words = &embeddings.words()}}; at::Tensor logits = scores.Forward(x);
// // (N, S, 768) -> (N, S, 30522)
// ---------------------------------------------------------------------------------------------

#include <ATen/core/Tensor.h>

#include <cstdint>
#include <memory>
#include <string>

#include "models/layers/core/activation.h"
#include "models/layers/core/layer.h"
#include "models/layers/core/layer_norm.h"
#include "models/layers/core/linear.h"

namespace assay::models {

struct WordScoresNames {
  const char*
      bias_owner;  // the module with a parameter "bias" that the scores' bias is tied to, or null
  const char* dense;
  const char* norm;
  const char* decoder;
  bool norm_first = false;  // in the state
};

struct WordScoresOptions {
  int64_t in;
  int64_t features;  // of a row of the word embedding
  int64_t vocab_size;
  double layer_norm_eps;
  Activation activation = Activation::kGelu;
  const at::Tensor*
      words;  // the embedding (vocab_size, features); null: the weight is not tied to it
};

class WordScores {
 public:
  WordScores(Layer& parent, const WordScoresNames& names, const WordScoresOptions& options);

  // (N, S, in) -> (N, S, vocab_size)
  at::Tensor Forward(const at::Tensor& x) const;

 private:
  class Bias final : public Layer {
   public:
    Bias(Layer& parent, std::string name, int64_t vocab_size);
    const at::Tensor& tensor() const { return bias_; }

   private:
    at::Tensor bias_;
  };

  Activation activation_;
  std::unique_ptr<Bias> bias_;  // or null
  std::unique_ptr<LayerNorm> norm_;
  Linear dense_;
  std::unique_ptr<Linear> decoder_;
};

}  // namespace assay::models

#endif  // ASSAY_MODELS_LAYERS_TEXT_WORD_SCORES_H_

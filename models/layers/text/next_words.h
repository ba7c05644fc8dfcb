#ifndef ASSAY_MODELS_LAYERS_TEXT_NEXT_WORDS_H_
#define ASSAY_MODELS_LAYERS_TEXT_NEXT_WORDS_H_

// ---------------------------------------------------------------------------------------------
// models/layers/text/next_words.h: a decoder of tokens with a score for each next word, all at once or
// one token after another with a cache, and its loss.
//
// A Trunk is the family's: Trunk(Layer& parent, const Trunk::Options& options), Forward(tokens,
// memories) -> (N, n, features), where without a cache there are no memories, blocks(), and words(),
// the table (words, features) of its word embedding.
//
// Not for: a decoder behind an encoder (bart), encoders (text_heads.h).
//
// Example:
//
//     ForNextWords<Trunk> model(options, /*tied=*/true);
// ---------------------------------------------------------------------------------------------

#include <ATen/core/Tensor.h>

#include <cstdint>
#include <vector>

#include "models/generator.h"
#include "models/layers/core/layered_model.h"
#include "models/layers/core/linear.h"
#include "models/layers/sequence/decoder_memory.h"
#include "models/layers/text/text_heads.h"
#include "models/trainable.h"

namespace assay::models {

template <typename Trunk>
class ForNextWords final : public LayeredModel, public Trainable, public Generator {
 public:
  // `tied`: whether the scores' weight is the word embedding's. If not, they have a bias.
  ForNextWords(const typename Trunk::Options& trunk, bool tied)
      : trunk_(*this, trunk),
        scores_(*this, "lm_head",
                {.in = trunk_.words().size(1),
                 .out = trunk_.words().size(0),
                 .bias = !tied,
                 .tied_weight = tied ? &trunk_.words() : nullptr}) {}

  // Tokens, int64 (N, S) -> logits (N, S, words).
  std::vector<at::Tensor> Forward(at::ArrayRef<at::Tensor> inputs) override {
    return {scores_.Forward(trunk_.Forward(inputs[0], {}))};
  }

  // The mean over all tokens but the first; labels int64 (N, S).
  at::Tensor Loss(at::ArrayRef<at::Tensor> outputs, at::ArrayRef<at::Tensor> targets) override {
    return NextWordLoss(outputs[0], targets[0]);
  }

  std::vector<at::Tensor> NewCache(at::ArrayRef<at::Tensor> inputs, int64_t capacity) override {
    return NewDecoderCache({.blocks = trunk_.blocks(),
                            .features = trunk_.words().size(1),
                            .rows = inputs[0].size(0),
                            .capacity = capacity},
                           trunk_.words().options());
  }

  at::Tensor Extend(const at::Tensor& tokens, const CachePlace& place,
                    at::ArrayRef<at::Tensor> cache) override {
    const std::vector<DecoderMemory> memories = CachedMemories(trunk_.blocks(), cache, place);
    return scores_.Forward(trunk_.Forward(tokens, memories).select(1, -1));
  }

 private:
  Trunk trunk_;
  Linear scores_;
};

}  // namespace assay::models

#endif  // ASSAY_MODELS_LAYERS_TEXT_NEXT_WORDS_H_

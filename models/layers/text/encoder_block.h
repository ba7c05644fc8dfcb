#ifndef ASSAY_MODELS_LAYERS_TEXT_ENCODER_BLOCK_H_
#define ASSAY_MODELS_LAYERS_TEXT_ENCODER_BLOCK_H_

// ---------------------------------------------------------------------------------------------
// models/layers/text/encoder_block.h: the block of a vision transformer.
//
//     x ──┬── norm ── self-attention ── (scale) ──+──┬── norm ── feed-forward ── (scale) ──+──
//         └───────────────────────────────────────┘  └────────────────────────────────────┘
//
// Query, key and value come from one product. The scales of the branches, one number for each
// channel, are optional.
//
// Not for: positions inside attention (beit, swin), norms behind the branches (bert).
//
// Example:
//
//     constexpr EncoderBlockNames kNames = {...};               // those of the family
//     EncoderBlocks blocks{*this, "blocks.", 12, kNames, {.features = 768, .heads = 12}};
//     at::Tensor y = blocks.Forward(x);                         // (N, tokens, 768), as x
// ---------------------------------------------------------------------------------------------

#include <ATen/core/Tensor.h>

#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "models/layers/core/layer.h"
#include "models/layers/core/layer_norm.h"
#include "models/layers/core/linear.h"
#include "models/layers/text/feed_forward.h"

namespace assay::models {

struct EncoderBlockNames {
  const char* norm1;
  const char* attention;
  const char* in_weight;  // of the product for query, key and value, within the attention
  const char* in_bias;
  const char* out;
  const char* norm2;
  const char* widen;
  const char* narrow;
};

struct EncoderBlockOptions {
  int64_t features;  // width of a token, a multiple of heads
  int64_t heads;
  int64_t hidden = 0;   // width of the feed-forward; 0: four times that of a token
  bool scaled = false;  // the branches, by "ls1.gamma" and "ls2.gamma"
};

class EncoderBlock final : public Layer {
 public:
  EncoderBlock(Layer& parent, std::string name, const EncoderBlockNames& names,
               const EncoderBlockOptions& options);

  at::Tensor Forward(const at::Tensor& x) const;

 private:
  class SelfAttention final : public Layer {
   public:
    SelfAttention(Layer& parent, const EncoderBlockNames& names,
                  const EncoderBlockOptions& options);

    at::Tensor Forward(const at::Tensor& x) const;

   private:
    int64_t heads_;
    Linear out_;
    at::Tensor in_weight_;  // (3 * features, features): query, key, value
    at::Tensor in_bias_;    // (3 * features)
  };

  // The identity where branches are not scaled.
  class Scale final : public Layer {
   public:
    Scale(Layer& parent, std::string name, const EncoderBlockOptions& options);

    at::Tensor Forward(const at::Tensor& x) const { return gamma_.defined() ? x.mul(gamma_) : x; }

   private:
    at::Tensor gamma_;  // (features), or undefined
  };

  LayerNorm norm1_;
  SelfAttention attention_;
  Scale scale1_;
  LayerNorm norm2_;
  FeedForward feed_forward_;
  Scale scale2_;
};

// As many one behind the other, called prefix + "0" and so on.
class EncoderBlocks {
 public:
  EncoderBlocks(Layer& parent, std::string_view prefix, int64_t count,
                const EncoderBlockNames& names, const EncoderBlockOptions& options);

  at::Tensor Forward(at::Tensor x) const;

 private:
  std::vector<std::unique_ptr<EncoderBlock>> blocks_;
};

}  // namespace assay::models

#endif  // ASSAY_MODELS_LAYERS_TEXT_ENCODER_BLOCK_H_

#ifndef ASSAY_MODELS_LAYERS_TEXT_FAIRSEQ_BLOCK_H_
#define ASSAY_MODELS_LAYERS_TEXT_FAIRSEQ_BLOCK_H_

// ---------------------------------------------------------------------------------------------
// models/layers/text/fairseq_block.h: the transformer block of fairseq's encoders and decoders, as
// transformers' BART, OPT, XGLM, CLIP and wav2vec2 have it: attention to itself, in a decoder attention to an
// encoder's output, and two linear layers, each with a residual and a norm before or behind it.
//
//     self_attn.{k,v,q,out}_proj   self_attn_layer_norm
//     encoder_attn.…               encoder_attn_layer_norm       where it attends to an encoder
//     fc1, fc2                     final_layer_norm              or what `names` says
//
// Not for: embeddings, masks of positions.
//
// Example, in a decoder:
//
//     FairseqBlock block{*this, "layers.0",
//                        {.features = 768, .heads = 12, .hidden = 3072, .causal = true}};
//     x = block.Forward(x, {}, &memory);
// ---------------------------------------------------------------------------------------------

#include <ATen/core/Tensor.h>

#include <cstdint>
#include <memory>
#include <string>

#include "models/layers/core/activation.h"
#include "models/layers/core/dropout.h"
#include "models/layers/core/layer.h"
#include "models/layers/core/layer_norm.h"
#include "models/layers/core/linear.h"
#include "models/layers/sequence/decoder_memory.h"
#include "models/layers/sequence/key_value_cache.h"

namespace assay::models {

// The names of the parts, besides those of attention's parts.
struct FairseqBlockNames {
  std::string attention = "self_attn";
  std::string norm1 = "self_attn_layer_norm";
  std::string widen = "fc1";
  std::string narrow = "fc2";
  std::string norm2 = "final_layer_norm";
};

struct FairseqBlockOptions {
  int64_t features;
  int64_t heads;   // they divide the features
  int64_t hidden;  // width between the two linear layers
  bool norm_first = true;
  Activation activation = Activation::kGelu;
  double dropout = 0.1;
  double attention_dropout = 0;
  double activation_dropout = 0;  // between the two linear layers
  bool causal = false;            // a decoder: it sees no later token
  bool attends_encoder =
      false;  // has the tensors for it; a memory with an encoder's output uses them
  bool key_bias = true;
  bool in_steps = false;  // attention by AttendInSteps: with a mask even where causal
  FairseqBlockNames names = {};
};

class FairseqAttention final : public Layer {
 public:
  FairseqAttention(Layer& parent, std::string name, const FairseqBlockOptions& options);

  KeyValue KeysAndValues(const at::Tensor& x) const { return {key_.Forward(x), value_.Forward(x)}; }

  // x (N, n, features) asks `seen`; `mask` as of Attend().
  at::Tensor Forward(const at::Tensor& x, const KeyValue& seen, const at::Tensor& mask,
                     bool causal) const;

 private:
  int64_t heads_;
  bool in_steps_;
  Linear key_;
  Linear value_;
  Linear query_;
  Linear out_;
  Dropout dropout_;  // of attention's weights
};

class FairseqBlock final : public Layer {
 public:
  FairseqBlock(Layer& parent, std::string name, const FairseqBlockOptions& options);

  // x (N, n, features) -> the same; `mask` is added to the scores of its attention to itself.
  // `memory` is null where there is neither a cache nor an encoder.
  at::Tensor Forward(const at::Tensor& x, const at::Tensor& mask,
                     const DecoderMemory* memory) const;

  // Its keys and values of an encoder's output.
  KeyValue OfEncoded(const at::Tensor& encoded) const { return cross_->KeysAndValues(encoded); }

 private:
  FairseqBlockOptions options_;
  FairseqAttention self_;
  LayerNorm self_norm_;
  std::unique_ptr<FairseqAttention> cross_;
  std::unique_ptr<LayerNorm> cross_norm_;
  std::unique_ptr<Linear> between_;
  std::unique_ptr<Linear> out_;
  std::unique_ptr<LayerNorm> norm_;
  Dropout dropout_;
  Dropout activation_dropout_;
};

}  // namespace assay::models

#endif  // ASSAY_MODELS_LAYERS_TEXT_FAIRSEQ_BLOCK_H_

#include "models/layers/text/fairseq_block.h"

#include <utility>

#include "models/layers/sequence/attention.h"
#include "models/layers/sequence/residual_sum.h"

namespace assay::models {
namespace {

// Factors on the recipes of weights, for the reasons that models/bert/bert.cc gives.
constexpr double kFairseqQueryKeyGain = 2;
constexpr double kFairseqAttentionOutputGain = 0.5;

LinearOptions FairseqProjection(const FairseqBlockOptions& options, double gain, bool bias = true) {
  return {.in = options.features, .out = options.features, .bias = bias, .gain = gain};
}

}  // namespace

FairseqAttention::FairseqAttention(Layer& parent, std::string name,
                                   const FairseqBlockOptions& options)
    : Layer(parent, std::move(name)),
      heads_(options.heads),
      in_steps_(options.in_steps),
      key_(*this, "k_proj", FairseqProjection(options, kFairseqQueryKeyGain, options.key_bias)),
      value_(*this, "v_proj", FairseqProjection(options, 1)),
      query_(*this, "q_proj", FairseqProjection(options, kFairseqQueryKeyGain)),
      out_(*this, "out_proj", FairseqProjection(options, kFairseqAttentionOutputGain)),
      dropout_(*this, options.attention_dropout) {}

at::Tensor FairseqAttention::Forward(const at::Tensor& x, const KeyValue& seen,
                                     const at::Tensor& mask, bool causal) const {
  const AttentionOptions options = {.heads = heads_,
                                    .mask = mask,
                                    .dropout = dropout_.active_probability(),
                                    .causal = causal && !in_steps_,
                                    .in_steps = in_steps_};
  return out_.Forward(Attend(query_.Forward(x), seen.key, seen.value, options));
}

FairseqBlock::FairseqBlock(Layer& parent, std::string name, const FairseqBlockOptions& options)
    : Layer(parent, std::move(name)),
      options_(options),
      self_(*this, options.names.attention, options),
      self_norm_(*this, options.names.norm1, {.features = options.features}),
      dropout_(*this, options.dropout),
      activation_dropout_(*this, options.activation_dropout) {
  const LayerNormOptions norm = {.features = options.features};
  if (options.attends_encoder) {
    cross_ = std::make_unique<FairseqAttention>(*this, "encoder_attn", options);
    cross_norm_ = std::make_unique<LayerNorm>(*this, "encoder_attn_layer_norm", norm);
  }
  between_ = std::make_unique<Linear>(*this, options.names.widen,
                                      LinearOptions{.in = options.features, .out = options.hidden});
  out_ = std::make_unique<Linear>(*this, options.names.narrow,
                                  LinearOptions{.in = options.hidden, .out = options.features});
  norm_ = std::make_unique<LayerNorm>(*this, options.names.norm2, norm);
}

at::Tensor FairseqBlock::Forward(const at::Tensor& x, const at::Tensor& mask,
                                 const DecoderMemory* memory) const {
  // The input and what a sub-layer makes of it, with the sub-layer's norm.
  const auto added = [this](const LayerNorm& norm, const at::Tensor& in, const auto& sub_layer) {
    const at::Tensor branch = sub_layer(options_.norm_first ? norm.Forward(in) : in);
    const at::Tensor sum = ResidualSum(dropout_.Forward(branch), in);
    return options_.norm_first ? sum : norm.Forward(sum);
  };
  at::Tensor y = added(self_norm_, x, [&](const at::Tensor& in) {
    KeyValue seen = self_.KeysAndValues(in);
    if (memory != nullptr && memory->cache)
      seen = memory->cache->Add(seen.key, seen.value, memory->place);
    const bool rows_differ = memory != nullptr && memory->seen.defined();
    return self_.Forward(in, seen, rows_differ ? memory->seen : mask,
                         options_.causal && !rows_differ);
  });
  if (memory != nullptr && memory->encoded.key.defined()) {
    y = added(*cross_norm_, y, [&](const at::Tensor& in) {
      return cross_->Forward(in, memory->encoded, memory->encoded_mask, false);
    });
  }
  return added(*norm_, y, [&](const at::Tensor& in) {
    return out_->Forward(
        activation_dropout_.Forward(Activate(options_.activation, between_->Forward(in))));
  });
}

}  // namespace assay::models

#include "models/layers/text/encoder_block.h"

#include <ATen/ops/linear.h>

#include <utility>

#include "absl/strings/str_cat.h"
#include "models/layers/core/recipes.h"
#include "models/layers/sequence/attention.h"

namespace assay::models {
namespace {

constexpr double kViTEps = 1e-6;
constexpr int64_t kFeedForward = 4;  // its usual hidden width, in widths of a token

}  // namespace

EncoderBlock::SelfAttention::SelfAttention(Layer& parent, const EncoderBlockNames& names,
                                           const EncoderBlockOptions& options)
    : Layer(parent, names.attention),
      heads_(options.heads),
      out_(*this, names.out, {.in = options.features, .out = options.features}) {
  const int64_t features = options.features;
  AddParameter(names.in_weight, {3 * features, features}, WeightInit(features), in_weight_);
  AddParameter(names.in_bias, {3 * features}, BiasInit(), in_bias_);
}

at::Tensor EncoderBlock::SelfAttention::Forward(const at::Tensor& x) const {
  const std::vector<at::Tensor> of = at::linear(x, in_weight_, in_bias_).chunk(3, -1);
  return out_.Forward(Attend(of[0], of[1], of[2], {.heads = heads_}));
}

EncoderBlock::Scale::Scale(Layer& parent, std::string name, const EncoderBlockOptions& options)
    : Layer(parent, std::move(name)) {
  if (options.scaled) AddParameter("gamma", {options.features}, ScaleInit(), gamma_);
}

EncoderBlock::EncoderBlock(Layer& parent, std::string name, const EncoderBlockNames& names,
                           const EncoderBlockOptions& options)
    : Layer(parent, std::move(name)),
      norm1_(*this, names.norm1, {.features = options.features, .eps = kViTEps}),
      attention_(*this, names, options),
      scale1_(*this, "ls1", options),
      norm2_(*this, names.norm2, {.features = options.features, .eps = kViTEps}),
      feed_forward_(
          *this, {names.widen, names.narrow},
          {.features = options.features,
           .hidden = options.hidden > 0 ? options.hidden : kFeedForward * options.features}),
      scale2_(*this, "ls2", options) {}

at::Tensor EncoderBlock::Forward(const at::Tensor& x) const {
  const at::Tensor attended = scale1_.Forward(attention_.Forward(norm1_.Forward(x))).add(x);
  return scale2_.Forward(feed_forward_.Forward(norm2_.Forward(attended))).add(attended);
}

EncoderBlocks::EncoderBlocks(Layer& parent, std::string_view prefix, int64_t count,
                             const EncoderBlockNames& names, const EncoderBlockOptions& options) {
  for (int64_t i = 0; i < count; ++i) {
    blocks_.push_back(
        std::make_unique<EncoderBlock>(parent, absl::StrCat(prefix, i), names, options));
  }
}

at::Tensor EncoderBlocks::Forward(at::Tensor x) const {
  for (const std::unique_ptr<EncoderBlock>& block : blocks_) x = block->Forward(x);
  return x;
}

}  // namespace assay::models

#include "models/sam/mask_decoder.h"

#include <ATen/TensorOperators.h>
#include <ATen/ops/concat.h>
#include <ATen/ops/matmul.h>
#include <ATen/ops/stack.h>

#include "absl/strings/str_cat.h"
#include "models/layers/core/activation.h"
#include "models/layers/sequence/attention.h"

namespace assay::models {

SamAttention::SamAttention(Layer& parent, std::string name, const SamDecoderOptions& options,
                           int64_t inner)
    : Layer(parent, std::move(name)),
      heads_(options.heads),
      query_(*this, "q_proj", {.in = options.channels, .out = inner}),
      key_(*this, "k_proj", {.in = options.channels, .out = inner}),
      value_(*this, "v_proj", {.in = options.channels, .out = inner}),
      out_(*this, "out_proj", {.in = inner, .out = options.channels}) {}

at::Tensor SamAttention::Forward(const at::Tensor& query, const at::Tensor& key,
                                 const at::Tensor& value) const {
  return out_.Forward(
      Attend(query_.Forward(query), key_.Forward(key), value_.Forward(value), {.heads = heads_}));
}

SamDecoderLayer::SamDecoderLayer(Layer& parent, std::string name, const SamDecoderOptions& o,
                                 bool first)
    : Layer(parent, std::move(name)),
      first_(first),
      self_(*this, "self_attn", o, o.channels),
      norm1_(*this, "layer_norm1", SamNorm(o.channels)),
      to_image_(*this, "cross_attn_token_to_image", o, o.channels / 2),
      norm2_(*this, "layer_norm2", SamNorm(o.channels)),
      feed_forward_(*this, {"mlp.lin1", "mlp.lin2"},
                    {.features = o.channels, .hidden = o.mlp, .activation = Activation::kRelu}),
      norm3_(*this, "layer_norm3", SamNorm(o.channels)),
      norm4_(*this, "layer_norm4", SamNorm(o.channels)),
      to_tokens_(*this, "cross_attn_image_to_token", o, o.channels / 2) {}

void SamDecoderLayer::Forward(Seen& seen) const {
  at::Tensor& x = seen.tokens;
  if (first_) {
    x = norm1_.Forward(self_.Forward(x, x, x));
  } else {
    const at::Tensor placed = x + seen.token_places;
    x = norm1_.Forward(x + self_.Forward(placed, placed, x));
  }
  const at::Tensor keys = seen.image + seen.image_places;
  x = norm2_.Forward(x + to_image_.Forward(x + seen.token_places, keys, seen.image));
  x = norm3_.Forward(x + feed_forward_.Forward(x));
  seen.image = norm4_.Forward(seen.image + to_tokens_.Forward(keys, x + seen.token_places, x));
}

std::vector<std::unique_ptr<SamPerceptron>> SamMaskDecoder::MakeMasks() {
  std::vector<std::unique_ptr<SamPerceptron>> masks;
  for (int64_t i = 0; i < kMasks; ++i)
    masks.push_back(std::make_unique<SamPerceptron>(
        *this, absl::StrCat("output_hypernetworks_mlps.", i), o_.channels, o_.channels / 8));
  return masks;
}

std::vector<at::Tensor> SamMaskDecoder::Forward(const at::Tensor& image,
                                                const at::Tensor& image_places,
                                                const at::Tensor& prompts) const {
  const int64_t batch = prompts.size(0), count = prompts.size(1), side = o_.side;
  const at::Tensor own = at::concat({iou_token_.rows, mask_tokens_.rows});
  const at::Tensor tokens =
      at::concat({own.expand({batch, count, -1, -1}), prompts}, 2).flatten(0, 1);
  SamDecoderLayer::Seen seen = {.tokens = tokens,
                                .token_places = tokens,
                                .image = image.repeat_interleave(count, 0),
                                .image_places = image_places};
  layer0_.Forward(seen);
  layer1_.Forward(seen);
  const at::Tensor x =
      last_norm_.Forward(seen.tokens + last_.Forward(seen.tokens + tokens,
                                                     seen.image + seen.image_places, seen.image));
  at::Tensor large = up1_.Forward(seen.image.transpose(1, 2).unflatten(2, {side, side}));
  large = Activate(Activation::kGelu, up_norm_.ForwardOverChannels(large));
  large = Activate(Activation::kGelu, up2_.Forward(large));
  std::vector<at::Tensor> weights;
  for (const auto& mask : masks_)
    weights.push_back(mask->Forward(x.select(1, 1 + static_cast<int64_t>(weights.size()))));
  const at::Tensor masks = at::matmul(at::stack(weights, 1), large.flatten(2));
  return {masks.view({batch, count, kMasks, 4 * side, 4 * side}).slice(2, 1),
          iou_.Forward(x.select(1, 0)).view({batch, count, kMasks}).slice(2, 1)};
}

}  // namespace assay::models

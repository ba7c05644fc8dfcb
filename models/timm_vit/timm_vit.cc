// Vision transformers as timm builds them (timm/models/vision_transformer.py, timm/models/deit.py):
// ViT, DeiT, DINOv2, SigLIP. Tensor names, order and shapes are timm's, so its checkpoints fit.

#include <ATen/core/Tensor.h>
#include <ATen/ops/concat.h>

#include <cstdint>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "models/layers/core/layer_norm.h"
#include "models/layers/core/layered_model.h"
#include "models/layers/core/linear.h"
#include "models/layers/core/parameter_checks.h"
#include "models/layers/core/recipes.h"
#include "models/layers/sequence/attention.h"
#include "models/layers/text/encoder_block.h"
#include "models/layers/text/feed_forward.h"
#include "models/layers/vision/patches.h"
#include "models/parameters.h"
#include "models/registry.h"

namespace assay::models {
namespace {

constexpr double kEps = 1e-6;
constexpr int64_t kFeedForward = 4;  // its hidden width, in widths of a token

constexpr EncoderBlockNames kBlockNames = {.norm1 = "norm1",
                                           .attention = "attn",
                                           .in_weight = "qkv.weight",
                                           .in_bias = "qkv.bias",
                                           .out = "proj",
                                           .norm2 = "norm2",
                                           .widen = "mlp.fc1",
                                           .narrow = "mlp.fc2"};

// The way in which a whole image is read from its tokens.
enum class Pool {
  kToken,      // a class token
  kDistilled,  // a class token and one for distillation, each with a head of its own: their mean
  kMap,        // attention of a learned query to all patches
};

struct TimmVitOptions {
  PatchesOptions patches;
  int64_t layers;
  int64_t heads;
  int64_t feed_forward;  // hidden width of a block's; 0: four times that of a token
  bool layer_scale;
  Pool pool;
  int64_t num_classes;  // 0: features in place of logits

  int64_t own_tokens() const { return pool == Pool::kMap ? 0 : pool == Pool::kToken ? 1 : 2; }
};

// One query attends to all patches; a feed-forward follows.
class AttentionPool final : public Layer {
 public:
  AttentionPool(Layer& parent, int64_t features, int64_t heads)
      : Layer(parent, "attn_pool"),
        heads_(heads),
        query_(*this, "q", {.in = features, .out = features}),
        key_value_(*this, "kv", {.in = features, .out = 2 * features}),
        projection_(*this, "proj", {.in = features, .out = features}),
        norm_(*this, "norm", {.features = features, .eps = kEps}),
        feed_forward_(*this, {"mlp.fc1", "mlp.fc2"},
                      {.features = features, .hidden = kFeedForward * features}) {
    AddParameter("latent", {1, 1, features}, EmbeddingInit(), latent_);
  }

  // x (N, patches, features) -> (N, features).
  at::Tensor Forward(const at::Tensor& x) const {
    const at::Tensor query = query_.Forward(latent_.expand({x.size(0), -1, -1}));
    const std::vector<at::Tensor> of = key_value_.Forward(x).chunk(2, -1);
    const at::Tensor y = projection_.Forward(Attend(query, of[0], of[1], {.heads = heads_}));
    return feed_forward_.Forward(norm_.Forward(y)).add(y).select(1, 0);
  }

 private:
  int64_t heads_;
  Linear query_;
  Linear key_value_;
  Linear projection_;
  LayerNorm norm_;
  FeedForward feed_forward_;
  at::Tensor latent_;  // (1, 1, features)
};

class TimmVit final : public LayeredModel {
 public:
  explicit TimmVit(const TimmVitOptions& options)
      : pool_(options.pool),
        patches_(*this, "patch_embed.proj", options.patches),
        blocks_(*this, "blocks.", options.layers, kBlockNames,
                {.features = options.patches.features,
                 .heads = options.heads,
                 .hidden = options.feed_forward,
                 .scaled = options.layer_scale}),
        norm_(*this, "norm", {.features = options.patches.features, .eps = kEps}) {
    const int64_t features = options.patches.features;
    if (options.own_tokens() > 0) {
      AddParameter("cls_token", {1, 1, features}, EmbeddingInit(), class_token_);
    }
    AddParameter("pos_embed", {1, options.own_tokens() + options.patches.count(), features},
                 EmbeddingInit(), positions_);
    if (options.pool == Pool::kDistilled) {
      AddParameter("dist_token", {1, 1, features}, EmbeddingInit(), distillation_token_);
    }
    if (options.pool == Pool::kMap) {
      attention_pool_ = std::make_unique<AttentionPool>(*this, features, options.heads);
    }
    if (options.num_classes == 0) return;
    const LinearOptions head = {.in = features, .out = options.num_classes};
    head_ = std::make_unique<Linear>(*this, "head", head);
    if (options.pool == Pool::kDistilled) {
      distillation_head_ = std::make_unique<Linear>(*this, "head_dist", head);
    }
  }

  // Images (N, 3, resolution, resolution) -> logits (N, num_classes) or features (N, hidden).
  std::vector<at::Tensor> Forward(at::ArrayRef<at::Tensor> inputs) override {
    at::Tensor x = patches_.Forward(inputs[0]);
    std::vector<at::Tensor> sequence;
    for (const at::Tensor& token : {class_token_, distillation_token_}) {
      if (token.defined()) sequence.push_back(token.expand({x.size(0), -1, -1}));
    }
    sequence.push_back(std::move(x));
    x = (sequence.size() > 1 ? at::concat(sequence, 1) : sequence[0]).add(positions_);
    x = norm_.Forward(blocks_.Forward(x));
    if (attention_pool_) return {Head(head_, attention_pool_->Forward(x))};
    const at::Tensor result = Head(head_, x.select(1, 0));
    if (pool_ == Pool::kToken) return {result};
    return {Head(distillation_head_, x.select(1, 1)).add(result).div(2)};
  }

 private:
  static at::Tensor Head(const std::unique_ptr<Linear>& head, const at::Tensor& x) {
    return head ? head->Forward(x) : x;
  }

  const Pool pool_;
  Patches patches_;
  EncoderBlocks blocks_;
  LayerNorm norm_;
  std::unique_ptr<AttentionPool> attention_pool_;  // null: a token is read
  std::unique_ptr<Linear> head_;                   // null: features are the result
  std::unique_ptr<Linear> distillation_head_;
  at::Tensor class_token_;         // (1, 1, features), or undefined
  at::Tensor distillation_token_;  // the same
  at::Tensor positions_;           // (1, tokens, features)
};

absl::StatusOr<std::unique_ptr<Model>> Make(const char* implementation, int64_t num_classes,
                                            const Parameters& parameters) {
  const absl::StatusOr<PatchesOptions> patches = ReadPatches(implementation, parameters);
  if (!patches.ok()) return patches.status();
  absl::Status status = CheckMultiple(implementation, parameters, "hidden", "heads");
  if (!status.ok()) return status;
  const std::string& pool = parameters.Text("pool");
  return std::make_unique<TimmVit>(
      TimmVitOptions{.patches = *patches,
                     .layers = parameters.Integer("layers"),
                     .heads = parameters.Integer("heads"),
                     .feed_forward = parameters.Integer("feed_forward"),
                     .layer_scale = parameters.Flag("layer_scale"),
                     .pool = pool == "token"       ? Pool::kToken
                             : pool == "distilled" ? Pool::kDistilled
                                                   : Pool::kMap,
                     .num_classes = num_classes});
}

ASSAY_MODEL_IMPLEMENTATION("timm_vit", [](const Parameters& parameters) {
  return Make("timm_vit", parameters.Integer("num_classes"), parameters);
});

ASSAY_MODEL_IMPLEMENTATION("timm_vit_features", [](const Parameters& parameters) {
  return Make("timm_vit_features", 0, parameters);
});

}  // namespace
}  // namespace assay::models

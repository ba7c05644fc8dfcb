#ifndef ASSAY_MODELS_SAM_MASK_DECODER_H_
#define ASSAY_MODELS_SAM_MASK_DECODER_H_

// ---------------------------------------------------------------------------------------------
// models/sam/mask_decoder.h: the decoder of SAM, in which the prompts' tokens and the image attend to each
// other, with the tensor names of transformers' SamMaskDecoder.
//
// Not for: what makes tokens of prompts and features of an image (sam.cc).
//
// Example:
//
//     SamMaskDecoder decoder{*this, "mask_decoder", {.channels = 256, .heads = 8, .mlp = 2048, .side = 64}};
//     std::vector<at::Tensor> masks_and_scores = decoder.Forward(image, image_places, prompts);
// ---------------------------------------------------------------------------------------------

#include <ATen/core/Tensor.h>

#include <cstdint>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "models/layers/core/layer.h"
#include "models/layers/core/layer_norm.h"
#include "models/layers/core/linear.h"
#include "models/layers/core/recipes.h"
#include "models/layers/text/feed_forward.h"
#include "models/layers/vision/conv_transpose2d.h"

namespace assay::models {

inline LayerNormOptions SamNorm(int64_t features) { return {.features = features, .eps = 1e-6}; }

// One parameter of the module `name`, or the same tensor as `of`.
class SamTable final : public Layer {
 public:
  SamTable(Layer& parent, const char* name, const char* parameter, at::IntArrayRef shape,
           Init init = EmbeddingInit())
      : Layer(parent, name) {
    AddParameter(parameter, shape, init, rows);
  }
  SamTable(Layer& parent, const char* name, const char* parameter, const SamTable& of)
      : Layer(parent, name) {
    AddAlias(parameter, rows, of.rows);
  }

  at::Tensor rows;
};

struct SamDecoderOptions {
  int64_t channels;  // of prompts and of the image
  int64_t heads, mlp;
  int64_t side;  // of the image, patches
};

// Its queries, keys and values have `inner` features.
class SamAttention final : public Layer {
 public:
  SamAttention(Layer& parent, std::string name, const SamDecoderOptions& options, int64_t inner);

  at::Tensor Forward(const at::Tensor& query, const at::Tensor& key, const at::Tensor& value) const;

 private:
  int64_t heads_;
  Linear query_, key_, value_, out_;
};

class SamDecoderLayer final : public Layer {
 public:
  // Tokens of prompts and masks, and patches, with what is added to the queries and keys of each.
  struct Seen {
    at::Tensor tokens, token_places;  // (M, n, channels)
    at::Tensor image, image_places;   // (M, patches, channels), (patches, channels)
  };

  SamDecoderLayer(Layer& parent, std::string name, const SamDecoderOptions& options, bool first);

  void Forward(Seen& seen) const;

 private:
  bool first_;
  SamAttention self_;
  LayerNorm norm1_;
  SamAttention to_image_;
  LayerNorm norm2_;
  FeedForward feed_forward_;
  LayerNorm norm3_, norm4_;
  SamAttention to_tokens_;
};

// Three linear layers with ReLU between them.
class SamPerceptron final : public Layer {
 public:
  SamPerceptron(Layer& parent, std::string name, int64_t in, int64_t out)
      : Layer(parent, std::move(name)),
        first_(*this, "proj_in", {.in = in, .out = in}),
        last_(*this, "proj_out", {.in = in, .out = out}),
        middle_(*this, "layers.0", {.in = in, .out = in}) {}

  at::Tensor Forward(const at::Tensor& x) const {
    return last_.Forward(middle_.Forward(first_.Forward(x).relu_()).relu_());
  }

 private:
  Linear first_, last_, middle_;
};

class SamMaskDecoder final : public Layer {
 public:
  SamMaskDecoder(Layer& parent, std::string name, const SamDecoderOptions& options)
      : Layer(parent, std::move(name)), o_(options) {}

  // Patches (N, side * side, channels), the places of these (side * side, channels), and prompts
  // (N, P, tokens, channels) -> scores of masks (N, P, 3, 4 side, 4 side), and how well each should fit (N, P, 3).
  std::vector<at::Tensor> Forward(const at::Tensor& image, const at::Tensor& image_places,
                                  const at::Tensor& prompts) const;

 private:
  static constexpr int64_t kMasks = 4;  // the first one is not given

  SamTable Tokens(const char* name, int64_t rows) {
    return SamTable(*this, name, "weight", {rows, o_.channels});
  }
  static ConvTranspose2dOptions Doubling(int64_t in, int64_t out) {
    return {.in = in, .out = out, .kernel = 2, .stride = 2, .bias = true};
  }
  std::vector<std::unique_ptr<SamPerceptron>> MakeMasks();

  const SamDecoderOptions o_;
  SamTable iou_token_ = Tokens("iou_token", 1), mask_tokens_ = Tokens("mask_tokens", kMasks);
  SamDecoderLayer layer0_{*this, "transformer.layers.0", o_, /*first=*/true};
  SamDecoderLayer layer1_{*this, "transformer.layers.1", o_, /*first=*/false};
  SamAttention last_{*this, "transformer.final_attn_token_to_image", o_, o_.channels / 2};
  LayerNorm last_norm_{*this, "transformer.layer_norm_final_attn", {.features = o_.channels}};
  ConvTranspose2d up1_{*this, "upscale_conv1", Doubling(o_.channels, o_.channels / 4)};
  ConvTranspose2d up2_{*this, "upscale_conv2", Doubling(o_.channels / 4, o_.channels / 8)};
  LayerNorm up_norm_{*this, "upscale_layer_norm", SamNorm(o_.channels / 4)};
  // Weights of the features of a large pixel.
  std::vector<std::unique_ptr<SamPerceptron>> masks_ = MakeMasks();
  SamPerceptron iou_{*this, "iou_prediction_head", o_.channels, kMasks};
};

}  // namespace assay::models

#endif  // ASSAY_MODELS_SAM_MASK_DECODER_H_

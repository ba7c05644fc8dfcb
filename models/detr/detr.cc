// DETR as transformers builds it (models/detr/modeling_detr.py, DetrForObjectDetection): a ResNet with frozen
// norms, a transformer whose decoder asks by learned queries, and for each query scores of labels and a box.
// Tensor names, order and shapes are those of its state_dict with timm's ResNet, so its checkpoints fit.
// The image is one that has no padding, so that no pixel is masked.

#include <ATen/TensorOperators.h>
#include <ATen/core/Tensor.h>
#include <ATen/ops/arange.h>
#include <ATen/ops/concat.h>
#include <ATen/ops/pow.h>
#include <ATen/ops/stack.h>
#include <ATen/ops/tensor.h>
#include <ATen/ops/zeros.h>

#include <cstdint>
#include <memory>
#include <numbers>
#include <string>
#include <utility>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/str_cat.h"
#include "models/detector.h"
#include "models/layers/core/conv2d.h"
#include "models/layers/core/dropout.h"
#include "models/layers/core/embedding.h"
#include "models/layers/core/layer_norm.h"
#include "models/layers/core/layered_model.h"
#include "models/layers/core/linear.h"
#include "models/layers/sequence/attention.h"
#include "models/layers/vision/image_input.h"
#include "models/layers/vision/resnet_backbone.h"
#include "models/parameters.h"
#include "models/registry.h"

namespace assay::models {
namespace {

constexpr int64_t kStride = 32;  // pixels of the image, a side, in one of the features
constexpr double kDropout = 0.1;
constexpr double kTemperature = 10000;
constexpr int kBoxLayers = 3;
// Factors on the recipe of weights, as of other transformers whose norms follow (recipes.h): without them
// attention is nearly uniform and its branch is as large as what it is added to.
constexpr double kQueryGain = 2, kOutputGain = 0.3;

struct DetrOptions {
  ResNetBackboneOptions backbone;
  int64_t d_model, heads, encoder_layers, decoder_layers, ffn_dim, num_queries, num_labels;
};

class DetrAttention final : public Layer {
 public:
  DetrAttention(Layer& parent, std::string name, const DetrOptions& options)
      : Layer(parent, std::move(name)),
        heads_(options.heads),
        key_(*this, "k_proj", Square(options, kQueryGain)),
        value_(*this, "v_proj", Square(options, 1)),
        query_(*this, "q_proj", Square(options, kQueryGain)),
        out_(*this, "o_proj", Square(options, kOutputGain)) {}

  at::Tensor Forward(const at::Tensor& query, const at::Tensor& key,
                     const at::Tensor& value) const {
    return out_.Forward(
        Attend(query_.Forward(query), key_.Forward(key), value_.Forward(value), {.heads = heads_}));
  }

 private:
  static LinearOptions Square(const DetrOptions& options, double gain) {
    return {.in = options.d_model, .out = options.d_model, .gain = gain};
  }

  int64_t heads_;
  Linear key_;
  Linear value_;
  Linear query_;
  Linear out_;
};

// The part of the image that the attention sees.
struct Pixels {
  at::Tensor features;  // (N, H * W, d_model)
  at::Tensor places;    // (H * W, d_model), added to keys
};

// An encoder's layer, or a decoder's, which has attention to the encoder's output as well.
class DetrLayer final : public Layer {
 public:
  DetrLayer(Layer& parent, std::string name, const DetrOptions& options, bool decodes)
      : Layer(parent, std::move(name)),
        self_(*this, "self_attn", options),
        self_norm_(*this, "self_attn_layer_norm", {.features = options.d_model}),
        cross_(decodes ? std::make_unique<DetrAttention>(*this, "encoder_attn", options) : nullptr),
        cross_norm_(decodes
                        ? std::make_unique<LayerNorm>(*this, "encoder_attn_layer_norm",
                                                      LayerNormOptions{.features = options.d_model})
                        : nullptr),
        widen_(*this, "mlp.fc1", {.in = options.d_model, .out = options.ffn_dim}),
        narrow_(*this, "mlp.fc2",
                {.in = options.ffn_dim, .out = options.d_model, .gain = kOutputGain}),
        norm_(*this, "final_layer_norm", {.features = options.d_model}) {}

  // x (N, n, d_model), and what is added to its queries and keys.
  at::Tensor Forward(at::Tensor x, const at::Tensor& places, const Pixels* pixels) const {
    const at::Tensor placed = x + places;
    x = self_norm_.Forward(x + dropout_.Forward(self_.Forward(placed, placed, x)));
    if (cross_) {
      const at::Tensor found =
          cross_->Forward(x + places, pixels->features + pixels->places, pixels->features);
      x = cross_norm_->Forward(x + dropout_.Forward(found));
    }
    return norm_.Forward(x + dropout_.Forward(narrow_.Forward(widen_.Forward(x).relu_())));
  }

 private:
  DetrAttention self_;
  LayerNorm self_norm_;
  std::unique_ptr<DetrAttention> cross_;
  std::unique_ptr<LayerNorm> cross_norm_;
  Linear widen_;
  Linear narrow_;
  LayerNorm norm_;
  Dropout dropout_{*this, kDropout};
};

// Sines and cosines of places from 1 to `count`, which are spread over a circle: (count, features).
at::Tensor PlacesOf(int64_t count, int64_t features, const at::TensorOptions& options) {
  constexpr double kEpsilon = 1e-6;
  const at::Tensor angle = at::arange(1, count + 1, options) /
                           (static_cast<double>(count) + kEpsilon) * (2 * std::numbers::pi);
  const at::Tensor wave =
      at::pow(kTemperature, 2 * at::arange(features / 2, options) / static_cast<double>(features));
  const at::Tensor phase = angle.unsqueeze(1) / wave;
  return at::stack({phase.sin(), phase.cos()}, 2).flatten(1);
}

// Pixels stand row by row, (H * W, d_model): half of the features tell the row, half the column.
at::Tensor PlacesOfPixels(const at::Tensor& features, int64_t d_model) {
  const at::TensorOptions options = features.options().dtype(at::kDouble);
  const int64_t height = features.size(2), width = features.size(3), half = d_model / 2;
  const at::Tensor rows = PlacesOf(height, half, options).unsqueeze(1);
  const at::Tensor columns = PlacesOf(width, half, options).unsqueeze(0);
  return at::concat({rows.expand({height, width, half}), columns.expand({height, width, half})}, 2)
      .flatten(0, 1)
      .to(features.scalar_type());
}

class Detr final : public LayeredModel, public Detector {
 public:
  explicit Detr(const DetrOptions& options)
      : d_model_(options.d_model),
        body_(*this, "model.backbone.model.", options.backbone),
        queries_(*this, "model.query_position_embeddings",
                 {.rows = options.num_queries, .features = options.d_model}),
        projection_(*this, "model.input_projection",
                    {.in = body_.high_channels(), .out = d_model_, .kernel = 1, .bias = true}),
        encoder_(Layers("model.encoder.layers.", options.encoder_layers, options, false)),
        decoder_(Layers("model.decoder.layers.", options.decoder_layers, options, true)),
        norm_(*this, "model.decoder.layernorm", {.features = d_model_}),
        labels_(*this, "class_labels_classifier", {.in = d_model_, .out = options.num_labels + 1}) {
    for (int i = 0; i < kBoxLayers; ++i) {
      boxes_.push_back(std::make_unique<Linear>(
          *this, absl::StrCat("bbox_predictor.layers.", i),
          LinearOptions{.in = d_model_, .out = i + 1 < kBoxLayers ? d_model_ : 4}));
    }
  }

  // Images (N, 3, H, W) -> for each query scores of labels and of none (N, queries, num_labels + 1), and a
  // box: its centre, width and height as shares of the image (N, queries, 4).
  std::vector<at::Tensor> Forward(at::ArrayRef<at::Tensor> inputs) override {
    CheckImage(inputs[0], "detr", {.minimum = kStride});
    height_ = inputs[0].size(2);
    width_ = inputs[0].size(3);
    const at::Tensor features = projection_.Forward(body_.High(body_.Low(inputs[0])));
    Pixels pixels = {.features = features.flatten(2).transpose(1, 2),
                     .places = PlacesOfPixels(features, d_model_)};
    pixels.features = dropout_.Forward(pixels.features);
    for (const auto& layer : encoder_)
      pixels.features = layer->Forward(pixels.features, pixels.places, nullptr);
    const at::Tensor& queries = queries_.weight();
    at::Tensor x = at::zeros({features.size(0), queries.size(0), d_model_}, features.options());
    for (const auto& layer : decoder_) x = layer->Forward(x, queries, &pixels);
    x = norm_.Forward(x);
    at::Tensor box = x;
    for (int i = 0; i < kBoxLayers; ++i) {
      box = boxes_[i]->Forward(box);
      if (i + 1 < kBoxLayers) box = box.relu_();
    }
    return {labels_.Forward(x), box.sigmoid()};
  }

  // Each query's likeliest label.
  at::Tensor Detections(at::ArrayRef<at::Tensor> outputs) override {
    const auto dtype = outputs[0].scalar_type() == at::kDouble ? at::kDouble : at::kFloat;
    const at::Tensor shares = outputs[0].to(dtype).softmax(-1);
    const auto [scores, labels] = shares.narrow(2, 0, shares.size(2) - 1).max(-1);
    const at::Tensor boxes = outputs[1].to(dtype);
    const at::Tensor sides = at::tensor({width_, height_}, boxes.options());
    const at::Tensor centre = boxes.narrow(2, 0, 2), half = 0.5 * boxes.narrow(2, 2, 2);
    return at::concat({labels.to(dtype).unsqueeze(2), scores.unsqueeze(2), (centre - half) * sides,
                       (centre + half) * sides},
                      2);
  }

 private:
  std::vector<std::unique_ptr<DetrLayer>> Layers(const std::string& prefix, int64_t count,
                                                 const DetrOptions& options, bool decodes) {
    std::vector<std::unique_ptr<DetrLayer>> layers;
    for (int64_t i = 0; i < count; ++i)
      layers.push_back(
          std::make_unique<DetrLayer>(*this, absl::StrCat(prefix, i), options, decodes));
    return layers;
  }

  int64_t d_model_;
  ResNetBackbone body_;
  Embedding queries_;
  Conv2d projection_;
  std::vector<std::unique_ptr<DetrLayer>> encoder_;
  std::vector<std::unique_ptr<DetrLayer>> decoder_;
  LayerNorm norm_;
  Linear labels_;
  std::vector<std::unique_ptr<Linear>> boxes_;
  Dropout dropout_{*this, kDropout};  // of what the encoder gets
  int64_t height_ = 0, width_ = 0;    // of the last image
};

ASSAY_MODEL_IMPLEMENTATION(
    "detr", [](const Parameters& parameters) -> absl::StatusOr<std::unique_ptr<Model>> {
      const DetrOptions options = {
          .backbone = {.bottleneck = parameters.Text("backbone") == "resnet50",
                       .layers = parameters.Text("backbone") == "resnet50"
                                     ? std::vector<int64_t>{3, 4, 6, 3}
                                     : std::vector<int64_t>{2, 2, 2, 2},
                       .frozen_norms = true},
          .d_model = parameters.Integer("d_model"),
          .heads = parameters.Integer("attention_heads"),
          .encoder_layers = parameters.Integer("encoder_layers"),
          .decoder_layers = parameters.Integer("decoder_layers"),
          .ffn_dim = parameters.Integer("ffn_dim"),
          .num_queries = parameters.Integer("num_queries"),
          .num_labels = parameters.Integer("num_labels")};
      if (options.d_model % options.heads != 0 || options.d_model % 4 != 0) {
        return absl::InvalidArgumentError(
            absl::StrCat("detr: d_model ", options.d_model, " and attention_heads ", options.heads,
                         "; d_model must be a multiple of attention_heads and of 4"));
      }
      return std::make_unique<Detr>(options);
    });

}  // namespace
}  // namespace assay::models

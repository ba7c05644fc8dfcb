// Conformer as torchaudio builds it (torchaudio/models/conformer.py): an encoder of the frames of a
// sound, each of whose layers convolves over time beside its attention, between two halves of a
// feed-forward. Tensor names, order and shapes are its state_dict's, so its checkpoints fit.
//
// torchaudio makes the padding of a row out of its length; here it is given as a mask. Convolutions see
// padded frames, as torchaudio's do.

#include <ATen/TensorOperators.h>
#include <ATen/core/Tensor.h>
#include <ATen/ops/glu.h>
#include <ATen/ops/linear.h>
#include <c10/util/Exception.h>

#include <cstdint>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/str_cat.h"
#include "models/layers/core/activation.h"
#include "models/layers/core/batch_norm2d.h"
#include "models/layers/core/dropout.h"
#include "models/layers/core/group_norm.h"
#include "models/layers/core/layer_norm.h"
#include "models/layers/core/layered_model.h"
#include "models/layers/core/linear.h"
#include "models/layers/core/parameter_checks.h"
#include "models/layers/core/recipes.h"
#include "models/layers/sequence/attention.h"
#include "models/layers/sequence/conv1d.h"
#include "models/parameters.h"
#include "models/registry.h"

namespace assay::models {
namespace {

struct ConformerOptions {
  int64_t input_dim;
  int64_t num_heads;
  int64_t ffn_dim;
  int64_t num_layers;
  int64_t kernel;  // of the convolution over time
  double dropout;
  bool group_norm;         // behind this convolution, in the place of a batch norm
  bool convolution_first;  // in front of the attention
};

class FeedForwardHalf final : public Layer {
 public:
  FeedForwardHalf(Layer& parent, std::string name, const ConformerOptions& options)
      : Layer(parent, std::move(name)),
        norm_(*this, "sequential.0", {.features = options.input_dim}),
        widen_(*this, "sequential.1", {.in = options.input_dim, .out = options.ffn_dim}),
        narrow_(*this, "sequential.4", {.in = options.ffn_dim, .out = options.input_dim}),
        dropout_(*this, options.dropout) {}

  at::Tensor Forward(const at::Tensor& x) const {
    const at::Tensor y = Activate(Activation::kSilu, widen_.Forward(norm_.Forward(x)));
    return dropout_.Forward(narrow_.Forward(dropout_.Forward(y))) * 0.5 + x;
  }

 private:
  LayerNorm norm_;
  Linear widen_;
  Linear narrow_;
  Dropout dropout_;
};

class SelfAttention final : public Layer {
 public:
  SelfAttention(Layer& parent, const ConformerOptions& options)
      : Layer(parent, "self_attn"), heads_(options.num_heads), dropout_(*this, options.dropout) {
    const int64_t features = options.input_dim;
    AddParameter("in_proj_weight", {3 * features, features}, WeightInit(features), in_weight_);
    AddParameter("in_proj_bias", {3 * features}, BiasInit(), in_bias_);
    out_ =
        std::make_unique<Linear>(*this, "out_proj", LinearOptions{.in = features, .out = features});
  }

  at::Tensor Forward(const at::Tensor& x, const at::Tensor& mask) const {
    const std::vector<at::Tensor> parts = at::linear(x, in_weight_, in_bias_).chunk(3, -1);
    return out_->Forward(
        Attend(parts[0], parts[1], parts[2],
               {.heads = heads_, .mask = mask, .dropout = dropout_.active_probability()}));
  }

 private:
  int64_t heads_;
  at::Tensor in_weight_;  // (3 * features, features): query, key, value
  at::Tensor in_bias_;    // (3 * features)
  std::unique_ptr<Linear> out_;
  Dropout dropout_;
};

class Convolution final : public Layer {
 public:
  Convolution(Layer& parent, const ConformerOptions& options)
      : Layer(parent, "conv_module"),
        norm_(*this, "layer_norm", {.features = options.input_dim}),
        widen_(*this, "sequential.0", Pointwise(options.input_dim, 2 * options.input_dim)),
        over_time_(*this, "sequential.2",
                   {.in = options.input_dim,
                    .out = options.input_dim,
                    .kernel = options.kernel,
                    .padding = options.kernel / 2,
                    .groups = options.input_dim,
                    .bias = true}) {
    if (options.group_norm) {
      group_norm_ = std::make_unique<GroupNorm>(
          *this, "sequential.3", GroupNormOptions{.groups = 1, .channels = options.input_dim});
    } else {
      batch_norm_ = std::make_unique<BatchNorm1d>(
          *this, "sequential.3", BatchNorm1dOptions{.channels = options.input_dim});
    }
    out_ = std::make_unique<Conv1d>(*this, "sequential.5",
                                    Pointwise(options.input_dim, options.input_dim));
    dropout_ = std::make_unique<Dropout>(*this, options.dropout);
  }

  // (N, T, features), as the result.
  at::Tensor Forward(const at::Tensor& x) const {
    at::Tensor y = at::glu(widen_.Forward(norm_.Forward(x).transpose(1, 2)), 1);
    y = over_time_.Forward(y);
    y = group_norm_ ? group_norm_->Forward(y) : batch_norm_->Forward(y);
    y = out_->Forward(Activate(Activation::kSilu, y));
    return x + dropout_->Forward(y).transpose(1, 2);
  }

 private:
  static Conv1dOptions Pointwise(int64_t in, int64_t out) {
    return {.in = in, .out = out, .kernel = 1, .bias = true};
  }

  LayerNorm norm_;
  Conv1d widen_;
  Conv1d over_time_;
  std::unique_ptr<GroupNorm> group_norm_;
  std::unique_ptr<BatchNorm1d> batch_norm_;
  std::unique_ptr<Conv1d> out_;
  std::unique_ptr<Dropout> dropout_;
};

class ConformerLayer final : public Layer {
 public:
  ConformerLayer(Layer& parent, std::string name, const ConformerOptions& options)
      : Layer(parent, std::move(name)),
        convolution_first_(options.convolution_first),
        first_(*this, "ffn1", options),
        attention_norm_(*this, "self_attn_layer_norm", {.features = options.input_dim}),
        attention_(*this, options),
        convolution_(*this, options),
        second_(*this, "ffn2", options),
        norm_(*this, "final_layer_norm", {.features = options.input_dim}),
        dropout_(*this, options.dropout) {}

  at::Tensor Forward(const at::Tensor& x, const at::Tensor& mask) const {
    at::Tensor y = first_.Forward(x);
    if (convolution_first_) y = convolution_.Forward(y);
    y = dropout_.Forward(attention_.Forward(attention_norm_.Forward(y), mask)) + y;
    if (!convolution_first_) y = convolution_.Forward(y);
    return norm_.Forward(second_.Forward(y));
  }

 private:
  bool convolution_first_;
  FeedForwardHalf first_;
  LayerNorm attention_norm_;
  SelfAttention attention_;
  Convolution convolution_;
  FeedForwardHalf second_;
  LayerNorm norm_;
  Dropout dropout_;
};

class Conformer final : public LayeredModel {
 public:
  explicit Conformer(const ConformerOptions& options) : features_(options.input_dim) {
    for (int64_t i = 0; i < options.num_layers; ++i) {
      layers_.push_back(
          std::make_unique<ConformerLayer>(*this, absl::StrCat("conformer_layers.", i), options));
    }
  }

  // Frames (N, T, features) and their mask, int64 (N, T), 0 for padding -> encoded frames, as given.
  std::vector<at::Tensor> Forward(at::ArrayRef<at::Tensor> inputs) override {
    at::Tensor x = inputs[0];
    TORCH_CHECK_VALUE(x.dim() == 3 && x.size(2) == features_, "conformer: the frames are ",
                      x.sizes(), "; want (N, frames, ", features_, ")");
    const at::Tensor mask = PaddingMask(inputs[1], x.scalar_type());
    for (const std::unique_ptr<ConformerLayer>& layer : layers_) x = layer->Forward(x, mask);
    return {x};
  }

 private:
  int64_t features_;
  std::vector<std::unique_ptr<ConformerLayer>> layers_;
};

ASSAY_MODEL_IMPLEMENTATION(
    "conformer", [](const Parameters& parameters) -> absl::StatusOr<std::unique_ptr<Model>> {
      const absl::Status status = CheckMultiple("conformer", parameters, "input_dim", "num_heads");
      if (!status.ok()) return status;
      const ConformerOptions options = {.input_dim = parameters.Integer("input_dim"),
                                        .num_heads = parameters.Integer("num_heads"),
                                        .ffn_dim = parameters.Integer("ffn_dim"),
                                        .num_layers = parameters.Integer("num_layers"),
                                        .kernel = parameters.Integer("depthwise_conv_kernel_size"),
                                        .dropout = parameters.Real("dropout"),
                                        .group_norm = parameters.Flag("use_group_norm"),
                                        .convolution_first = parameters.Flag("convolution_first")};
      if (options.kernel % 2 == 0) {
        return absl::InvalidArgumentError(
            absl::StrCat("conformer: depthwise_conv_kernel_size ", options.kernel,
                         " is even; give an odd one, which keeps the number of frames"));
      }
      return std::make_unique<Conformer>(options);
    });

}  // namespace
}  // namespace assay::models

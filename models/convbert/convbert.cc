// ConvBERT as Hugging Face transformers builds it (ConvBertForMaskedLM): an encoder like BERT's, where
// half of each token's features come from attention and half from convolutions whose kernels depend
// on the tokens, with a score for each word. Tensor names, order and shapes are its state_dict's, so
// its checkpoints fit.
//
// transformers has no fused attention here: scores, softmax and their product with the values are
// operators of their own. As in bert.cc the mask is always applied; convolutions see padding.

#include <ATen/TensorOperators.h>
#include <ATen/core/Tensor.h>
#include <ATen/ops/cat.h>
#include <ATen/ops/im2col.h>
#include <ATen/ops/matmul.h>
#include <ATen/ops/softmax.h>

#include <cmath>
#include <cstdint>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/str_cat.h"
#include "models/layers/core/activation.h"
#include "models/layers/core/dropout.h"
#include "models/layers/core/embedding.h"
#include "models/layers/core/layer.h"
#include "models/layers/core/layer_norm.h"
#include "models/layers/core/linear.h"
#include "models/layers/core/parameter_checks.h"
#include "models/layers/core/recipes.h"
#include "models/layers/sequence/attention.h"
#include "models/layers/sequence/conv1d.h"
#include "models/layers/sequence/residual_sum.h"
#include "models/layers/text/text_heads.h"
#include "models/layers/text/word_scores.h"
#include "models/parameters.h"
#include "models/registry.h"

namespace assay::models {
namespace {

// transformers' default for hidden_dropout_prob and attention_probs_dropout_prob.
constexpr double kDropout = 0.1;

// Factors on the recipes of weights. With plain weights attention is nearly uniform, and so are the
// kernels of the convolutions: a wrong mask, key or neighbour would not be seen.
constexpr double kQueryKeyGain = 2;
constexpr double kAttentionOutputGain = 0.5;

struct ConvBertOptions {
  int64_t vocab_size;
  int64_t embedding_size;
  int64_t hidden_size;
  int64_t num_hidden_layers;
  int64_t heads;  // those that are left of num_attention_heads, head_ratio to 1
  int64_t intermediate_size;
  int64_t conv_kernel_size;
  int64_t num_groups;
  int64_t max_position_embeddings;
  int64_t type_vocab_size;
  double layer_norm_eps;

  int64_t half() const { return hidden_size / 2; }
};

class Embeddings final : public Layer {
 public:
  Embeddings(Layer& parent, std::string name, const ConvBertOptions& options)
      : Layer(parent, std::move(name)),
        words_(*this, "word_embeddings",
               {.rows = options.vocab_size, .features = options.embedding_size}),
        positions_(*this, "position_embeddings",
                   {.rows = options.max_position_embeddings, .features = options.embedding_size}),
        types_(*this, "token_type_embeddings",
               {.rows = options.type_vocab_size, .features = options.embedding_size}),
        norm_(*this, "LayerNorm",
              {.features = options.embedding_size, .eps = options.layer_norm_eps}) {}

  at::Tensor Forward(const at::Tensor& input_ids, const at::Tensor& token_type_ids) const {
    at::Tensor x = words_.Forward(input_ids);
    x.add_(positions_.Rows(0, input_ids.size(1)));
    x.add_(types_.Forward(token_type_ids));
    return dropout_.Forward(norm_.Forward(x));
  }

  const at::Tensor& words() const { return words_.weight(); }

 private:
  Embedding words_;
  Embedding positions_;
  Embedding types_;
  LayerNorm norm_;
  Dropout dropout_{*this, kDropout};
};

// A convolution of each channel alone, then one that mixes the channels of each token.
class SeparableConv1d final : public Layer {
 public:
  SeparableConv1d(Layer& parent, std::string name, int64_t in, int64_t out, int64_t kernel)
      : Layer(parent, std::move(name)),
        depthwise_(*this, "depthwise",
                   {.in = in, .out = in, .kernel = kernel, .padding = kernel / 2, .groups = in}),
        pointwise_(*this, "pointwise", {.in = in, .out = out, .kernel = 1}) {
    AddParameter("bias", {out, 1}, BiasInit(), bias_);
  }

  // (N, in, S) -> (N, out, S).
  at::Tensor Forward(const at::Tensor& x) const {
    return pointwise_.Forward(depthwise_.Forward(x)).add_(bias_);
  }

 private:
  Conv1d depthwise_;
  Conv1d pointwise_;
  at::Tensor bias_;
};

// The two halves of a token's new features: by attention, and by convolutions.
class SelfAttention final : public Layer {
 public:
  SelfAttention(Layer& parent, std::string name, const ConvBertOptions& options)
      : Layer(parent, std::move(name)),
        heads_(options.heads),
        kernel_(options.conv_kernel_size),
        query_(*this, "query", Half(options, kQueryKeyGain)),
        key_(*this, "key", Half(options, kQueryKeyGain)),
        value_(*this, "value", Half(options, 1)),
        span_key_(*this, "key_conv_attn_layer", options.hidden_size, options.half(), kernel_),
        kernels_(*this, "conv_kernel_layer", {.in = options.half(), .out = heads_ * kernel_}),
        convolved_(*this, "conv_out_layer", Half(options, 1)) {}

  // (N, S, hidden) -> the same.
  at::Tensor Forward(const at::Tensor& x, const at::Tensor& mask) const {
    const at::Tensor query = query_.Forward(x);
    const at::Tensor heads = SplitHeads(query, heads_);
    at::Tensor scores = at::matmul(heads, SplitHeads(key_.Forward(x), heads_).transpose(-1, -2)) /
                        std::sqrt(static_cast<double>(heads.size(-1)));
    scores = scores + mask;
    const at::Tensor attended = AttendByScores(scores, SplitHeads(value_.Forward(x), heads_),
                                               dropout_.active_probability());
    return at::cat({attended, Convolved(x, query).view(attended.sizes())}, 2).flatten(2);
  }

 private:
  static LinearOptions Half(const ConvBertOptions& options, double gain) {
    return {.in = options.hidden_size, .out = options.half(), .gain = gain};
  }

  // Each head of each token is a weighted sum over its neighbours, of which the query, times a
  // summary of the span around the token, makes the weights: (N * S * heads, d, 1).
  at::Tensor Convolved(const at::Tensor& x, const at::Tensor& query) const {
    const at::Tensor span = span_key_.Forward(x.transpose(1, 2)).transpose(1, 2);
    const at::Tensor weights =
        at::softmax(kernels_.Forward(span * query).reshape({-1, kernel_, 1}), 1);
    const at::Tensor values = convolved_.Forward(x).transpose(1, 2).contiguous().unsqueeze(-1);
    const at::Tensor neighbours =  // (N, half * kernel, S)
        at::im2col(values, {kernel_, 1}, /*dilation=*/{1, 1}, /*padding=*/{(kernel_ - 1) / 2, 0},
                   /*stride=*/{1, 1});
    const int64_t features = query.size(2) / heads_;
    return at::matmul(neighbours.transpose(1, 2).reshape({-1, features, kernel_}), weights);
  }

  int64_t heads_;
  int64_t kernel_;
  Linear query_;
  Linear key_;
  Linear value_;
  SeparableConv1d span_key_;
  Linear kernels_;
  Linear convolved_;
  Dropout dropout_{*this, kDropout};  // of attention's weights
};

// Linear layers side by side, each for its own part of the features.
class GroupedLinear final : public Layer {
 public:
  GroupedLinear(Layer& parent, std::string name, int64_t in, int64_t out, int64_t groups)
      : Layer(parent, std::move(name)) {
    AddParameter("weight", {groups, in / groups, out / groups}, WeightInit(in / groups), weight_);
    AddParameter("bias", {out}, BiasInit(), bias_);
  }

  at::Tensor Forward(const at::Tensor& x) const {
    const at::Tensor parts = x.reshape({-1, weight_.size(0), weight_.size(1)}).permute({1, 0, 2});
    const at::Tensor y = at::matmul(parts, weight_).permute({1, 0, 2});
    return y.reshape({x.size(0), x.size(1), bias_.size(0)}) + bias_;
  }

 private:
  at::Tensor weight_;  // (groups, in / groups, out / groups)
  at::Tensor bias_;    // (out)
};

// A layer of one group has the names and shapes of a linear one.
class Dense {
 public:
  Dense(Layer& parent, const std::string& name, int64_t groups, const LinearOptions& options) {
    if (groups == 1) {
      linear_ = std::make_unique<Linear>(parent, name, options);
    } else {
      grouped_ = std::make_unique<GroupedLinear>(parent, name, options.in, options.out, groups);
    }
  }

  at::Tensor Forward(const at::Tensor& x) const {
    return linear_ ? linear_->Forward(x) : grouped_->Forward(x);
  }

 private:
  std::unique_ptr<Linear> linear_;
  std::unique_ptr<GroupedLinear> grouped_;
};

// A projection back to the hidden size, added to what went into the sub-layer, then a norm: as
// PostNorm, but for the groups.
class Output final : public Layer {
 public:
  Output(Layer& parent, std::string name, const ConvBertOptions& options, int64_t groups,
         const LinearOptions& dense)
      : Layer(parent, std::move(name)),
        dense_(*this, "dense", groups, dense),
        norm_(*this, "LayerNorm", {.features = dense.out, .eps = options.layer_norm_eps}) {}

  at::Tensor Forward(const at::Tensor& x, const at::Tensor& residual) const {
    return norm_.Forward(ResidualSum(dropout_.Forward(dense_.Forward(x)), residual));
  }

 private:
  Dense dense_;
  LayerNorm norm_;
  Dropout dropout_{*this, kDropout};
};

class EncoderLayer final : public Layer {
 public:
  EncoderLayer(Layer& parent, std::string name, const ConvBertOptions& options)
      : Layer(parent, std::move(name)),
        attention_(*this, "attention.self", options),
        attention_output_(
            *this, "attention.output", options, 1,
            {.in = options.hidden_size, .out = options.hidden_size, .gain = kAttentionOutputGain}),
        intermediate_(*this, "intermediate.dense", options.num_groups,
                      {.in = options.hidden_size, .out = options.intermediate_size}),
        output_(*this, "output", options, options.num_groups,
                {.in = options.intermediate_size, .out = options.hidden_size}) {}

  at::Tensor Forward(const at::Tensor& x, const at::Tensor& mask) const {
    const at::Tensor y = attention_output_.Forward(attention_.Forward(x, mask), x);
    return output_.Forward(Activate(Activation::kGelu, intermediate_.Forward(y)), y);
  }

 private:
  SelfAttention attention_;
  Output attention_output_;
  Dense intermediate_;
  Output output_;
};

constexpr WordScoresNames kWordScores = {.bias_owner = nullptr,
                                         .dense = "generator_predictions.dense",
                                         .norm = "generator_predictions.LayerNorm",
                                         .decoder = "generator_lm_head",
                                         .norm_first = true};

class Trunk {
 public:
  using Options = ConvBertOptions;

  Trunk(Layer& parent, const ConvBertOptions& options)
      : embeddings_(parent, "convbert.embeddings", options) {
    const int64_t embedding = options.embedding_size, hidden = options.hidden_size;
    if (embedding != hidden) {
      projection_ = std::make_unique<Linear>(parent, "convbert.embeddings_project",
                                             LinearOptions{.in = embedding, .out = hidden});
    }
    for (int64_t i = 0; i < options.num_hidden_layers; ++i) {
      layers_.push_back(std::make_unique<EncoderLayer>(
          parent, absl::StrCat("convbert.encoder.layer.", i), options));
    }
  }

  // input_ids, attention_mask and token_type_ids, int64 (N, S) -> (N, S, hidden).
  at::Tensor Forward(at::ArrayRef<at::Tensor> inputs) const {
    at::Tensor x = embeddings_.Forward(inputs[0], inputs[2]);
    if (projection_) x = projection_->Forward(x);
    const at::Tensor mask = PaddingMask(inputs[1], x.scalar_type());
    for (const std::unique_ptr<EncoderLayer>& layer : layers_) x = layer->Forward(x, mask);
    return x;
  }

  const at::Tensor& words() const { return embeddings_.words(); }

 private:
  Embeddings embeddings_;
  std::unique_ptr<Linear> projection_;
  std::vector<std::unique_ptr<EncoderLayer>> layers_;
};

absl::StatusOr<std::unique_ptr<Model>> Build(const Parameters& parameters) {
  for (const auto& [value, divisor] :
       {std::pair("num_attention_heads", "head_ratio"),
        std::pair("hidden_size", "num_attention_heads"), std::pair("hidden_size", "num_groups"),
        std::pair("intermediate_size", "num_groups")}) {
    const absl::Status status = CheckMultiple("convbert_masked_lm", parameters, value, divisor);
    if (!status.ok()) return status;
  }
  const ConvBertOptions options = {
      .vocab_size = parameters.Integer("vocab_size"),
      .embedding_size = parameters.Integer("embedding_size"),
      .hidden_size = parameters.Integer("hidden_size"),
      .num_hidden_layers = parameters.Integer("num_hidden_layers"),
      .heads = parameters.Integer("num_attention_heads") / parameters.Integer("head_ratio"),
      .intermediate_size = parameters.Integer("intermediate_size"),
      .conv_kernel_size = parameters.Integer("conv_kernel_size"),
      .num_groups = parameters.Integer("num_groups"),
      .max_position_embeddings = parameters.Integer("max_position_embeddings"),
      .type_vocab_size = parameters.Integer("type_vocab_size"),
      .layer_norm_eps = parameters.Real("layer_norm_eps")};
  if (options.hidden_size % (2 * options.heads) != 0) {
    return absl::InvalidArgumentError(
        absl::StrCat("convbert_masked_lm: hidden_size ", options.hidden_size,
                     " is not a multiple of twice the heads that head_ratio leaves, ",
                     options.heads, ": half of each head's features come from convolutions"));
  }
  if (options.conv_kernel_size % 2 == 0) {
    return absl::InvalidArgumentError(
        absl::StrCat("convbert_masked_lm: conv_kernel_size ", options.conv_kernel_size,
                     " is even; a token has as many neighbours before as behind it"));
  }
  return std::make_unique<ForWords<Trunk>>(
      options, kWordScores,
      ForWordsOptions{.in = options.hidden_size, .layer_norm_eps = options.layer_norm_eps});
}

ASSAY_MODEL_IMPLEMENTATION("convbert_masked_lm", Build);

}  // namespace
}  // namespace assay::models

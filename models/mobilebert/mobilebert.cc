// MobileBERT as Hugging Face transformers builds it ("sdpa" attention): a thin and deep BERT, with a
// score for each word (MobileBertForMaskedLM) or for where an answer begins and ends
// (MobileBertForQuestionAnswering). Tensor names, order and shapes are its state_dict's, so its
// checkpoints fit.
//
// Each layer narrows its input, attends and runs several feed-forward networks on the narrow tokens,
// and widens the result. Query and key share one narrowed input, and the value reads the wide one.
// In place of a norm there is a factor and a summand for each feature.

#include <ATen/TensorOperators.h>
#include <ATen/core/Tensor.h>
#include <ATen/ops/cat.h>
#include <ATen/ops/constant_pad_nd.h>
#include <ATen/ops/matmul.h>

#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/str_cat.h"
#include "models/layers/core/activation.h"
#include "models/layers/core/dropout.h"
#include "models/layers/core/embedding.h"
#include "models/layers/core/layer_norm.h"
#include "models/layers/core/layered_model.h"
#include "models/layers/core/linear.h"
#include "models/layers/core/parameter_checks.h"
#include "models/layers/core/recipes.h"
#include "models/layers/sequence/attention.h"
#include "models/layers/text/text_heads.h"
#include "models/parameters.h"
#include "models/registry.h"
#include "models/trainable.h"

namespace assay::models {
namespace {

// transformers' default for attention_probs_dropout_prob; hidden_dropout_prob is 0.
constexpr double kAttentionDropout = 0.1;

// Factor on the recipe of query and key. With plain weights attention is nearly uniform, and a wrong
// mask or key would not be seen.
constexpr double kQueryKeyGain = 2;
// Factors on the recipes of a projection that is added to a residual, and of the scales behind the
// sum. There is no norm, and these keep the tokens of 24 layers near one size and apart: of the spread
// of google/mobilebert-uncased's last hidden state 44 % is between tokens, with gains of 1 and scales
// of 0.7 it was 1 %, and float32's rounding 3e-5 of the scores of answers.
constexpr double kSumGain = 0.3;
constexpr double kSumScale = 0.9;

struct MobileBertOptions {
  int64_t vocab_size;
  int64_t embedding_size;
  int64_t hidden_size;
  int64_t num_hidden_layers;
  int64_t num_attention_heads;
  int64_t intermediate_size;
  int64_t intra_bottleneck_size;
  int64_t num_feedforward_networks;
  int64_t max_position_embeddings;
  int64_t type_vocab_size;
  double layer_norm_eps;
};

// The family has this where BERT has a norm (transformers' NoNorm).
class NoNorm final : public Layer {
 public:
  NoNorm(Layer& parent, std::string name, int64_t features, double scale)
      : Layer(parent, std::move(name)) {
    AddParameter("bias", {features}, BiasInit(), bias_);
    AddParameter("weight", {features}, ScaleInit(scale), weight_);
  }

  at::Tensor Forward(const at::Tensor& x) const { return (x * weight_).add_(bias_); }

 private:
  at::Tensor bias_;
  at::Tensor weight_;
};

// A projection, added to a residual where there is one, and the NoNorm behind it.
class Projection final : public Layer {
 public:
  Projection(Layer& parent, std::string name, int64_t in, int64_t out, bool summed)
      : Layer(parent, std::move(name)),
        dense_(*this, "dense", {.in = in, .out = out, .gain = summed ? kSumGain : 1}),
        norm_(*this, "LayerNorm", out, summed ? kSumScale : 1) {}

  at::Tensor Forward(const at::Tensor& x) const { return norm_.Forward(dense_.Forward(x)); }
  at::Tensor Forward(const at::Tensor& x, const at::Tensor& residual) const {
    return norm_.Forward(dense_.Forward(x) + residual);
  }

 private:
  Linear dense_;
  NoNorm norm_;
};

class Embeddings final : public Layer {
 public:
  Embeddings(Layer& parent, std::string name, const MobileBertOptions& options)
      : Layer(parent, std::move(name)),
        words_(*this, "word_embeddings",
               {.rows = options.vocab_size, .features = options.embedding_size}),
        positions_(*this, "position_embeddings",
                   {.rows = options.max_position_embeddings, .features = options.hidden_size}),
        types_(*this, "token_type_embeddings",
               {.rows = options.type_vocab_size, .features = options.hidden_size}),
        transformation_(*this, "embedding_transformation",
                        {.in = 3 * options.embedding_size, .out = options.hidden_size}),
        norm_(*this, "LayerNorm", options.hidden_size, kSumScale) {}

  // Each token is made of three words: its successor's, its own and its predecessor's.
  at::Tensor Forward(const at::Tensor& input_ids, const at::Tensor& token_type_ids) const {
    const at::Tensor words = words_.Forward(input_ids);
    const int64_t tokens = words.size(1), others = tokens - 1;
    const at::Tensor next = at::constant_pad_nd(words.narrow(1, 1, others), {0, 0, 0, 1});
    const at::Tensor before = at::constant_pad_nd(words.narrow(1, 0, others), {0, 0, 1, 0});
    at::Tensor x = transformation_.Forward(at::cat({next, words, before}, 2));
    x.add_(positions_.Rows(0, tokens));
    x.add_(types_.Forward(token_type_ids));
    return norm_.Forward(x);
  }

  const at::Tensor& words() const { return words_.weight(); }

 private:
  Embedding words_;
  Embedding positions_;
  Embedding types_;
  Linear transformation_;
  NoNorm norm_;
};

// One of the narrow feed-forward networks but for the last, whose result the layer widens.
class FeedForward final : public Layer {
 public:
  FeedForward(Layer& parent, std::string name, const MobileBertOptions& options)
      : Layer(parent, std::move(name)),
        intermediate_(*this, "intermediate.dense",
                      {.in = options.intra_bottleneck_size, .out = options.intermediate_size}),
        output_(*this, "output", options.intermediate_size, options.intra_bottleneck_size,
                /*summed=*/true) {}

  at::Tensor Forward(const at::Tensor& x) const {
    return output_.Forward(intermediate_.Forward(x).relu_(), x);
  }

 private:
  Linear intermediate_;
  Projection output_;
};

class EncoderLayer final : public Layer {
 public:
  EncoderLayer(Layer& parent, std::string name, const MobileBertOptions& options)
      : Layer(parent, std::move(name)),
        heads_(options.num_attention_heads),
        query_(*this, "attention.self.query", Narrow(options, kQueryKeyGain)),
        key_(*this, "attention.self.key", Narrow(options, kQueryKeyGain)),
        value_(*this, "attention.self.value",
               {.in = options.hidden_size, .out = options.intra_bottleneck_size}),
        attention_output_(*this, "attention.output", options.intra_bottleneck_size,
                          options.intra_bottleneck_size, /*summed=*/true),
        intermediate_(*this, "intermediate.dense",
                      {.in = options.intra_bottleneck_size, .out = options.intermediate_size}),
        output_(*this, "output", options.intermediate_size, options.intra_bottleneck_size,
                /*summed=*/true),
        widened_(*this, "output.bottleneck", options.intra_bottleneck_size, options.hidden_size,
                 /*summed=*/true),
        narrowed_(*this, "bottleneck.input", options.hidden_size, options.intra_bottleneck_size,
                  /*summed=*/false),
        narrowed_for_attention_(*this, "bottleneck.attention", options.hidden_size,
                                options.intra_bottleneck_size, /*summed=*/false) {
    for (int64_t i = 0; i + 1 < options.num_feedforward_networks; ++i)
      networks_.push_back(std::make_unique<FeedForward>(*this, absl::StrCat("ffn.", i), options));
  }

  at::Tensor Forward(const at::Tensor& x, const at::Tensor& mask) const {
    const at::Tensor narrow = narrowed_.Forward(x);
    const at::Tensor shared = narrowed_for_attention_.Forward(x);
    const at::Tensor attended =
        Attend(query_.Forward(shared), key_.Forward(shared), value_.Forward(x),
               {.heads = heads_, .mask = mask, .dropout = dropout_.active_probability()});
    at::Tensor y = attention_output_.Forward(attended, narrow);
    for (const std::unique_ptr<FeedForward>& network : networks_) y = network->Forward(y);
    return widened_.Forward(output_.Forward(intermediate_.Forward(y).relu_(), y), x);
  }

 private:
  static LinearOptions Narrow(const MobileBertOptions& options, double gain) {
    return {
        .in = options.intra_bottleneck_size, .out = options.intra_bottleneck_size, .gain = gain};
  }

  int64_t heads_;
  Linear query_;
  Linear key_;
  Linear value_;
  Dropout dropout_{*this, kAttentionDropout};  // of attention's weights
  Projection attention_output_;
  Linear intermediate_;
  Projection output_;
  Projection widened_;
  Projection narrowed_;
  Projection narrowed_for_attention_;
  std::vector<std::unique_ptr<FeedForward>> networks_;
};

// transformers' MobileBertModel.
class Trunk final : public Layer {
 public:
  using Options = MobileBertOptions;

  Trunk(Layer& parent, const MobileBertOptions& options)
      : Layer(parent, "mobilebert"), embeddings_(*this, "embeddings", options) {
    for (int64_t i = 0; i < options.num_hidden_layers; ++i) {
      layers_.push_back(
          std::make_unique<EncoderLayer>(*this, absl::StrCat("encoder.layer.", i), options));
    }
  }

  // input_ids, attention_mask and token_type_ids, int64 (N, S) -> (N, S, hidden).
  at::Tensor Forward(at::ArrayRef<at::Tensor> inputs) const {
    at::Tensor x = embeddings_.Forward(inputs[0], inputs[2]);
    const at::Tensor mask = PaddingMask(inputs[1], x.scalar_type());
    for (const std::unique_ptr<EncoderLayer>& layer : layers_) x = layer->Forward(x, mask);
    return x;
  }

  const at::Tensor& words() const { return embeddings_.words(); }

 private:
  Embeddings embeddings_;
  std::vector<std::unique_ptr<EncoderLayer>> layers_;
};

// Columns that the embedding's table lacks to be as wide as a token: a layer that is only a weight.
class MissingColumns final : public Layer {
 public:
  MissingColumns(Layer& parent, std::string name, const MobileBertOptions& options)
      : Layer(parent, std::move(name)) {
    AddParameter("weight", {options.hidden_size - options.embedding_size, options.vocab_size},
                 WeightInit(options.hidden_size), weight_);
  }

  const at::Tensor& weight() const { return weight_; }

 private:
  at::Tensor weight_;
};

// A score for each word at each token.
class ScoresOfWords final : public Layer {
 public:
  ScoresOfWords(Layer& parent, const MobileBertOptions& options, const at::Tensor& words)
      : Layer(parent, "cls.predictions"),
        words_(words),
        dense_(*this, "transform.dense", {.in = options.hidden_size, .out = options.hidden_size}),
        norm_(*this, "transform.LayerNorm",
              {.features = options.hidden_size, .eps = options.layer_norm_eps}),
        columns_(*this, "dense", options) {
    AddParameter("bias", {options.vocab_size}, BiasInit(), bias_);
    decoder_ = std::make_unique<Linear>(*this, "decoder",
                                        LinearOptions{.in = options.embedding_size,
                                                      .out = options.vocab_size,
                                                      .tied_weight = &words_,
                                                      .tied_bias = &bias_});
  }

  at::Tensor Forward(const at::Tensor& x) const {
    const at::Tensor y = norm_.Forward(Activate(Activation::kRelu, dense_.Forward(x)));
    return at::matmul(y, at::cat({words_.t(), columns_.weight()}, 0)).add_(bias_);
  }

 private:
  const at::Tensor& words_;  // of the embedding: (vocabulary, embedding)
  Linear dense_;
  LayerNorm norm_;
  MissingColumns columns_;
  at::Tensor bias_;
  std::unique_ptr<Linear> decoder_;  // the names of table and bias in a state_dict
};

class MobileBertForMaskedLm final : public LayeredModel, public Trainable {
 public:
  explicit MobileBertForMaskedLm(const MobileBertOptions& options)
      : trunk_(*this, options), head_(*this, options, trunk_.words()) {}

  // The trunk's inputs -> logits (N, S, vocabulary).
  std::vector<at::Tensor> Forward(at::ArrayRef<at::Tensor> inputs) override {
    return {head_.Forward(trunk_.Forward(inputs))};
  }

  // The mean over all tokens; labels int64 (N, S).
  at::Tensor Loss(at::ArrayRef<at::Tensor> outputs, at::ArrayRef<at::Tensor> targets) override {
    return WordLoss(outputs[0], targets[0]);
  }

 private:
  Trunk trunk_;
  ScoresOfWords head_;
};

absl::StatusOr<MobileBertOptions> ReadOptions(std::string_view implementation,
                                              const Parameters& parameters) {
  absl::Status status =
      CheckMultiple(implementation, parameters, "intra_bottleneck_size", "num_attention_heads");
  if (!status.ok()) return status;
  const MobileBertOptions options = {
      .vocab_size = parameters.Integer("vocab_size"),
      .embedding_size = parameters.Integer("embedding_size"),
      .hidden_size = parameters.Integer("hidden_size"),
      .num_hidden_layers = parameters.Integer("num_hidden_layers"),
      .num_attention_heads = parameters.Integer("num_attention_heads"),
      .intermediate_size = parameters.Integer("intermediate_size"),
      .intra_bottleneck_size = parameters.Integer("intra_bottleneck_size"),
      .num_feedforward_networks = parameters.Integer("num_feedforward_networks"),
      .max_position_embeddings = parameters.Integer("max_position_embeddings"),
      .type_vocab_size = parameters.Integer("type_vocab_size"),
      .layer_norm_eps = parameters.Real("layer_norm_eps")};
  if (options.embedding_size >= options.hidden_size) {
    return absl::InvalidArgumentError(absl::StrCat(
        implementation, ": embedding_size ", options.embedding_size,
        " is not less than hidden_size ", options.hidden_size, ", whose columns it lacks"));
  }
  return options;
}

ASSAY_MODEL_IMPLEMENTATION(
    "mobilebert_masked_lm",
    [](const Parameters& parameters) -> absl::StatusOr<std::unique_ptr<Model>> {
      const absl::StatusOr<MobileBertOptions> o = ReadOptions("mobilebert_masked_lm", parameters);
      if (!o.ok()) return o.status();
      return std::make_unique<MobileBertForMaskedLm>(*o);
    });

ASSAY_MODEL_IMPLEMENTATION(
    "mobilebert_question_answering",
    [](const Parameters& parameters) -> absl::StatusOr<std::unique_ptr<Model>> {
      const absl::StatusOr<MobileBertOptions> o =
          ReadOptions("mobilebert_question_answering", parameters);
      if (!o.ok()) return o.status();
      return std::make_unique<ForQuestionAnswering<Trunk>>(*o, o->hidden_size);
    });

}  // namespace
}  // namespace assay::models

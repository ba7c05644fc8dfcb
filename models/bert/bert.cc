// BERT as Hugging Face transformers builds it (exact GELU, "sdpa" attention): the encoder with pooler
// (BertModel), with a score for each word (BertForMaskedLM), for where an answer begins and ends
// (BertForQuestionAnswering), and for each class of a row (BertForSequenceClassification). Tensor names, order and shapes are
// its state_dict's, so its checkpoints fit.
//
// One difference: transformers looks whether any token is padding and drops the mask if none is.
// That reads a number back from the device in each call, which stalls a GPU and cannot be captured
// in a CUDA graph; here the mask is always applied. The results are the same.

#include <ATen/core/Tensor.h>
#include <ATen/ops/cross_entropy_loss.h>
#include <ATen/ops/gelu.h>

#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/str_cat.h"
#include "models/layers/attention.h"
#include "models/layers/dropout.h"
#include "models/layers/embedding.h"
#include "models/layers/gradient.h"
#include "models/layers/layer_norm.h"
#include "models/layers/layered_model.h"
#include "models/layers/linear.h"
#include "models/layers/parameter_checks.h"
#include "models/layers/recipes.h"
#include "models/layers/residual_sum.h"
#include "models/parameters.h"
#include "models/registry.h"
#include "models/trainable.h"

namespace assay::models {
namespace {

// transformers' default for hidden_dropout_prob and attention_probs_dropout_prob.
constexpr double kDropout = 0.1;

// Factors on the recipes of weights. With plain weights all tokens of a layer grow alike, since a
// norm follows each sum, and attention is nearly uniform: a wrong mask or key would not be seen.
constexpr double kQueryKeyGain = 2;
constexpr double kAttentionOutputGain = 0.3;

struct BertOptions {
  int64_t vocab_size;
  int64_t hidden_size;
  int64_t num_hidden_layers;
  int64_t num_attention_heads;
  int64_t intermediate_size;
  int64_t max_position_embeddings;
  int64_t type_vocab_size;
  double layer_norm_eps;
};

class Embeddings final : public Layer {
 public:
  Embeddings(Layer& parent, std::string name, const BertOptions& options)
      : Layer(parent, std::move(name)),
        words_(*this, "word_embeddings",
               {.rows = options.vocab_size, .features = options.hidden_size}),
        positions_(*this, "position_embeddings",
                   {.rows = options.max_position_embeddings, .features = options.hidden_size}),
        types_(*this, "token_type_embeddings",
               {.rows = options.type_vocab_size, .features = options.hidden_size}),
        norm_(*this, "LayerNorm",
              {.features = options.hidden_size, .eps = options.layer_norm_eps}) {}

  at::Tensor Forward(const at::Tensor& input_ids, const at::Tensor& token_type_ids) const {
    at::Tensor x = words_.Forward(input_ids);
    x.add_(types_.Forward(token_type_ids));
    x.add_(positions_.Rows(0, input_ids.size(1)));
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

// A projection back to the hidden size, added to what went into the sub-layer, then a norm.
class Output final : public Layer {
 public:
  Output(Layer& parent, std::string name, const BertOptions& options, int64_t in, double gain)
      : Layer(parent, std::move(name)),
        dense_(*this, "dense", {.in = in, .out = options.hidden_size, .gain = gain}),
        norm_(*this, "LayerNorm",
              {.features = options.hidden_size, .eps = options.layer_norm_eps}) {}

  at::Tensor Forward(const at::Tensor& x, const at::Tensor& residual) const {
    return norm_.Forward(ResidualSum(dropout_.Forward(dense_.Forward(x)), residual));
  }

 private:
  Linear dense_;
  LayerNorm norm_;
  Dropout dropout_{*this, kDropout};
};

class EncoderLayer final : public Layer {
 public:
  EncoderLayer(Layer& parent, std::string name, const BertOptions& options)
      : Layer(parent, std::move(name)),
        heads_(options.num_attention_heads),
        query_(*this, "attention.self.query", Square(options.hidden_size, kQueryKeyGain)),
        key_(*this, "attention.self.key", Square(options.hidden_size, kQueryKeyGain)),
        value_(*this, "attention.self.value", Square(options.hidden_size, 1)),
        attention_output_(*this, "attention.output", options, options.hidden_size,
                          kAttentionOutputGain),
        intermediate_(*this, "intermediate.dense",
                      {.in = options.hidden_size, .out = options.intermediate_size}),
        output_(*this, "output", options, options.intermediate_size, 1) {}

  at::Tensor Forward(const at::Tensor& x, const at::Tensor& mask) const {
    const at::Tensor attended = attention_output_.Forward(
        Attend(query_.Forward(x), key_.Forward(x), value_.Forward(x),
               {.heads = heads_, .mask = mask, .dropout = dropout_.active_probability()}),
        x);
    at::Tensor between = intermediate_.Forward(attended);
    // In place where no gradient needs the input: these are the largest tensors of the model.
    between = AutogradRecords(between) ? at::gelu(between) : at::gelu_(between);
    return output_.Forward(between, attended);
  }

 private:
  static LinearOptions Square(int64_t size, double gain) {
    return {.in = size, .out = size, .gain = gain};
  }

  int64_t heads_;
  Linear query_;
  Linear key_;
  Linear value_;
  Dropout dropout_{*this, kDropout};  // of attention's weights
  Output attention_output_;
  Linear intermediate_;
  Output output_;
};

// Embeddings and encoder, which the models below share; `prefix` stands before the names.
class Trunk {
 public:
  Trunk(Layer& parent, const std::string& prefix, const BertOptions& options)
      : embeddings_(parent, prefix + "embeddings", options) {
    for (int64_t i = 0; i < options.num_hidden_layers; ++i) {
      layers_.push_back(std::make_unique<EncoderLayer>(
          parent, absl::StrCat(prefix, "encoder.layer.", i), options));
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

// transformers' BertPooler: (N, S, hidden) -> (N, hidden), from each row's first token.
at::Tensor Pooled(const Linear& pooler, const at::Tensor& x) {
  return pooler.Forward(x.select(1, 0)).tanh_();
}

class Bert final : public LayeredModel {
 public:
  explicit Bert(const BertOptions& options)
      : trunk_(*this, "", options),
        pooler_(*this, "pooler.dense", {.in = options.hidden_size, .out = options.hidden_size}) {}

  // The trunk's inputs -> last_hidden_state (N, S, hidden) and pooler_output (N, hidden).
  std::vector<at::Tensor> Forward(at::ArrayRef<at::Tensor> inputs) override {
    const at::Tensor x = trunk_.Forward(inputs);
    return {x, Pooled(pooler_, x)};
  }

 private:
  Trunk trunk_;
  Linear pooler_;
};

// A score for each word at each token. The scores' weight is the embedding's, if they are tied.
class MaskedLmHead final : public Layer {
 public:
  MaskedLmHead(Layer& parent, const BertOptions& options, const at::Tensor* words)
      : Layer(parent, "cls.predictions"),
        dense_(*this, "transform.dense", {.in = options.hidden_size, .out = options.hidden_size}),
        norm_(*this, "transform.LayerNorm",
              {.features = options.hidden_size, .eps = options.layer_norm_eps}) {
    AddParameter("bias", {options.vocab_size}, BiasInit(), bias_);
    decoder_ =
        std::make_unique<Linear>(*this, "decoder",
                                 LinearOptions{.in = options.hidden_size,
                                               .out = options.vocab_size,
                                               .tied_weight = words,
                                               .tied_bias = words == nullptr ? nullptr : &bias_});
  }

  at::Tensor Forward(const at::Tensor& x) const {
    at::Tensor y = dense_.Forward(x);
    y = AutogradRecords(y) ? at::gelu(y) : at::gelu_(y);
    return decoder_->Forward(norm_.Forward(y));
  }

 private:
  Linear dense_;
  LayerNorm norm_;
  at::Tensor bias_;
  std::unique_ptr<Linear> decoder_;
};

class BertForMaskedLm final : public LayeredModel, public Trainable {
 public:
  BertForMaskedLm(const BertOptions& options, bool tied)
      : trunk_(*this, "bert.", options), head_(*this, options, tied ? &trunk_.words() : nullptr) {}

  // The trunk's inputs -> logits (N, S, vocabulary).
  std::vector<at::Tensor> Forward(at::ArrayRef<at::Tensor> inputs) override {
    return {head_.Forward(trunk_.Forward(inputs))};
  }

  // The mean over all tokens; labels int64 (N, S).
  at::Tensor Loss(at::ArrayRef<at::Tensor> outputs, at::ArrayRef<at::Tensor> targets) override {
    return at::cross_entropy_loss(outputs[0].flatten(0, 1), targets[0].flatten());
  }

 private:
  Trunk trunk_;
  MaskedLmHead head_;
};

// Scores of each token as an answer's first and as its last.
class BertForQuestionAnswering final : public LayeredModel, public Trainable {
 public:
  explicit BertForQuestionAnswering(const BertOptions& options)
      : trunk_(*this, "bert.", options),
        scores_(*this, "qa_outputs", {.in = options.hidden_size, .out = 2}) {}

  // The trunk's inputs -> start_logits and end_logits (N, S).
  std::vector<at::Tensor> Forward(at::ArrayRef<at::Tensor> inputs) override {
    const at::Tensor scores = scores_.Forward(trunk_.Forward(inputs));
    return {scores.select(-1, 0).contiguous(), scores.select(-1, 1).contiguous()};
  }

  // The mean of that of the first tokens and that of the last; both int64 (N).
  at::Tensor Loss(at::ArrayRef<at::Tensor> outputs, at::ArrayRef<at::Tensor> targets) override {
    return (at::cross_entropy_loss(outputs[0], targets[0]) +
            at::cross_entropy_loss(outputs[1], targets[1])) /
           2;
  }

 private:
  Trunk trunk_;
  Linear scores_;
};

class BertForSequenceClassification final : public LayeredModel, public Trainable {
 public:
  BertForSequenceClassification(const BertOptions& options, int64_t classes)
      : trunk_(*this, "bert.", options),
        pooler_(*this, "bert.pooler.dense",
                {.in = options.hidden_size, .out = options.hidden_size}),
        classifier_(*this, "classifier", {.in = options.hidden_size, .out = classes}) {}

  // The trunk's inputs -> logits (N, classes).
  std::vector<at::Tensor> Forward(at::ArrayRef<at::Tensor> inputs) override {
    return {classifier_.Forward(dropout_.Forward(Pooled(pooler_, trunk_.Forward(inputs))))};
  }

  // The mean over the rows; labels int64 (N).
  at::Tensor Loss(at::ArrayRef<at::Tensor> outputs, at::ArrayRef<at::Tensor> targets) override {
    return at::cross_entropy_loss(outputs[0], targets[0]);
  }

 private:
  Trunk trunk_;
  Linear pooler_;
  Dropout dropout_{*this, kDropout};
  Linear classifier_;
};

absl::StatusOr<BertOptions> ReadOptions(std::string_view implementation,
                                        const Parameters& parameters) {
  absl::Status status =
      CheckMultiple(implementation, parameters, "hidden_size", "num_attention_heads");
  if (!status.ok()) return status;
  return BertOptions{.vocab_size = parameters.Integer("vocab_size"),
                     .hidden_size = parameters.Integer("hidden_size"),
                     .num_hidden_layers = parameters.Integer("num_hidden_layers"),
                     .num_attention_heads = parameters.Integer("num_attention_heads"),
                     .intermediate_size = parameters.Integer("intermediate_size"),
                     .max_position_embeddings = parameters.Integer("max_position_embeddings"),
                     .type_vocab_size = parameters.Integer("type_vocab_size"),
                     .layer_norm_eps = parameters.Real("layer_norm_eps")};
}

// `more`: what the model is built of beside the options.
template <typename Built, typename... More>
absl::StatusOr<std::unique_ptr<Model>> Build(std::string_view implementation,
                                             const Parameters& parameters, More... more) {
  const absl::StatusOr<BertOptions> options = ReadOptions(implementation, parameters);
  if (!options.ok()) return options.status();
  return std::make_unique<Built>(*options, more...);
}

ASSAY_MODEL_IMPLEMENTATION("bert", [](const Parameters& parameters) {
  return Build<Bert>("bert", parameters);
});

ASSAY_MODEL_IMPLEMENTATION("bert_masked_lm", [](const Parameters& parameters) {
  return Build<BertForMaskedLm>("bert_masked_lm", parameters,
                                parameters.Flag("tie_word_embeddings"));
});

ASSAY_MODEL_IMPLEMENTATION("bert_question_answering", [](const Parameters& parameters) {
  return Build<BertForQuestionAnswering>("bert_question_answering", parameters);
});

ASSAY_MODEL_IMPLEMENTATION("bert_sequence_classification", [](const Parameters& parameters) {
  return Build<BertForSequenceClassification>("bert_sequence_classification", parameters,
                                              parameters.Integer("num_labels"));
});

}  // namespace
}  // namespace assay::models

// BERT's encoder as Hugging Face transformers builds it (BertModel with pooler, exact GELU, "sdpa"
// attention). Tensor names, order and shapes are its state_dict's, so its checkpoints fit.
//
// One difference: transformers looks whether any token is padding and drops the mask if none is.
// That reads a number back from the device in each call, which stalls a GPU and cannot be captured
// in a CUDA graph; here the mask is always applied. The results are the same.

#include <ATen/core/Tensor.h>
#include <ATen/ops/gelu.h>

#include <cstdint>
#include <memory>
#include <string>
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
#include "models/layers/residual_sum.h"
#include "models/parameters.h"
#include "models/registry.h"

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
  Embeddings(Layer& parent, const BertOptions& options)
      : Layer(parent, "embeddings"),
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
    x.add_(positions_.FirstRows(input_ids.size(1)));
    return dropout_.Forward(norm_.Forward(x));
  }

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

class Bert final : public LayeredModel {
 public:
  explicit Bert(const BertOptions& options)
      : embeddings_(*this, options),
        layers_(MakeLayers(options)),
        pooler_(*this, "pooler.dense", {.in = options.hidden_size, .out = options.hidden_size}) {}

  // input_ids, attention_mask and token_type_ids, int64 (N, S) -> last_hidden_state (N, S, hidden)
  // and pooler_output (N, hidden).
  std::vector<at::Tensor> Forward(at::ArrayRef<at::Tensor> inputs) override {
    at::Tensor x = embeddings_.Forward(inputs[0], inputs[2]);
    const at::Tensor mask = PaddingMask(inputs[1], x.scalar_type());
    for (const std::unique_ptr<EncoderLayer>& layer : layers_) x = layer->Forward(x, mask);
    return {x, pooler_.Forward(x.select(1, 0)).tanh_()};
  }

 private:
  std::vector<std::unique_ptr<EncoderLayer>> MakeLayers(const BertOptions& options) {
    std::vector<std::unique_ptr<EncoderLayer>> layers;
    for (int64_t i = 0; i < options.num_hidden_layers; ++i) {
      layers.push_back(
          std::make_unique<EncoderLayer>(*this, absl::StrCat("encoder.layer.", i), options));
    }
    return layers;
  }

  Embeddings embeddings_;
  std::vector<std::unique_ptr<EncoderLayer>> layers_;
  Linear pooler_;
};

ASSAY_MODEL_IMPLEMENTATION(
    "bert", [](const Parameters& parameters) -> absl::StatusOr<std::unique_ptr<Model>> {
      absl::Status status = CheckMultiple("bert", parameters, "hidden_size", "num_attention_heads");
      if (!status.ok()) return status;
      const BertOptions options = {
          .vocab_size = parameters.Integer("vocab_size"),
          .hidden_size = parameters.Integer("hidden_size"),
          .num_hidden_layers = parameters.Integer("num_hidden_layers"),
          .num_attention_heads = parameters.Integer("num_attention_heads"),
          .intermediate_size = parameters.Integer("intermediate_size"),
          .max_position_embeddings = parameters.Integer("max_position_embeddings"),
          .type_vocab_size = parameters.Integer("type_vocab_size"),
          .layer_norm_eps = parameters.Real("layer_norm_eps")};
      return std::make_unique<Bert>(options);
    });

}  // namespace
}  // namespace assay::models

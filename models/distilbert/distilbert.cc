// DistilBERT as Hugging Face transformers builds it (exact GELU, "sdpa" attention): with a score
// for each word (DistilBertForMaskedLM) and for where an answer begins and ends
// (DistilBertForQuestionAnswering). Tensor names, order and shapes are its state_dict's, so its
// checkpoints fit.
//
// It is half as many of BERT's layers under other names, without token types, and without dropout
// behind attention.

#include <ATen/core/Tensor.h>

#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/str_cat.h"
#include "models/layers/core/dropout.h"
#include "models/layers/core/embedding.h"
#include "models/layers/core/layer.h"
#include "models/layers/core/layer_norm.h"
#include "models/layers/core/linear.h"
#include "models/layers/core/parameter_checks.h"
#include "models/layers/sequence/attention.h"
#include "models/layers/sequence/residual_sum.h"
#include "models/layers/text/feed_forward.h"
#include "models/layers/text/text_heads.h"
#include "models/layers/text/word_scores.h"
#include "models/parameters.h"
#include "models/registry.h"

namespace assay::models {
namespace {

constexpr double kEps = 1e-12;

// transformers' default for dropout, attention_dropout and qa_dropout.
constexpr double kDropout = 0.1;

// Factors on the recipes of weights, as in bert_encoder.h: with plain ones a wrong mask or key
// would not be seen.
constexpr double kQueryKeyGain = 2;
constexpr double kAttentionOutputGain = 0.3;

constexpr WordScoresNames kWordScores = {.bias_owner = nullptr,
                                         .dense = "vocab_transform",
                                         .norm = "vocab_layer_norm",
                                         .decoder = "vocab_projector"};

struct DistilBertOptions {
  int64_t vocab_size;
  int64_t max_position_embeddings;
  int64_t dim;
  int64_t n_layers;
  int64_t n_heads;
  int64_t hidden_dim;
};

class Block final : public Layer {
 public:
  Block(Layer& parent, std::string name, const DistilBertOptions& options)
      : Layer(parent, std::move(name)),
        heads_(options.n_heads),
        query_(*this, "attention.q_lin", Square(options, kQueryKeyGain)),
        key_(*this, "attention.k_lin", Square(options, kQueryKeyGain)),
        value_(*this, "attention.v_lin", Square(options, 1)),
        out_(*this, "attention.out_lin", Square(options, kAttentionOutputGain)),
        attention_norm_(*this, "sa_layer_norm", {.features = options.dim, .eps = kEps}),
        feed_forward_(*this, {"ffn.lin1", "ffn.lin2"},
                      {.features = options.dim, .hidden = options.hidden_dim}),
        output_norm_(*this, "output_layer_norm", {.features = options.dim, .eps = kEps}) {}

  at::Tensor Forward(const at::Tensor& x, const at::Tensor& mask) const {
    const at::Tensor attended = out_.Forward(
        Attend(query_.Forward(x), key_.Forward(x), value_.Forward(x),
               {.heads = heads_, .mask = mask, .dropout = dropout_.active_probability()}));
    const at::Tensor y = attention_norm_.Forward(ResidualSum(attended, x));
    return output_norm_.Forward(ResidualSum(dropout_.Forward(feed_forward_.Forward(y)), y));
  }

 private:
  static LinearOptions Square(const DistilBertOptions& options, double gain) {
    return {.in = options.dim, .out = options.dim, .gain = gain};
  }

  int64_t heads_;
  Linear query_;
  Linear key_;
  Linear value_;
  Linear out_;
  LayerNorm attention_norm_;
  FeedForward feed_forward_;
  LayerNorm output_norm_;
  Dropout dropout_{*this, kDropout};
};

class Embeddings final : public Layer {
 public:
  Embeddings(Layer& parent, const DistilBertOptions& options)
      : Layer(parent, "distilbert.embeddings"),
        words_(*this, "word_embeddings",
               {.rows = options.vocab_size, .features = options.dim, .padding_idx = 0}),
        positions_(*this, "position_embeddings",
                   {.rows = options.max_position_embeddings, .features = options.dim}),
        norm_(*this, "LayerNorm", {.features = options.dim, .eps = kEps}) {}

  at::Tensor Forward(const at::Tensor& input_ids) const {
    const at::Tensor x = words_.Forward(input_ids).add_(positions_.Rows(0, input_ids.size(1)));
    return dropout_.Forward(norm_.Forward(x));
  }

  const at::Tensor& words() const { return words_.weight(); }

 private:
  Embedding words_;
  Embedding positions_;
  LayerNorm norm_;
  Dropout dropout_{*this, kDropout};
};

class Trunk {
 public:
  using Options = DistilBertOptions;

  Trunk(Layer& parent, const DistilBertOptions& options) : embeddings_(parent, options) {
    for (int64_t i = 0; i < options.n_layers; ++i) {
      blocks_.push_back(std::make_unique<Block>(
          parent, absl::StrCat("distilbert.transformer.layer.", i), options));
    }
  }

  // input_ids and attention_mask, int64 (N, S) -> (N, S, dim).
  at::Tensor Forward(at::ArrayRef<at::Tensor> inputs) const {
    at::Tensor x = embeddings_.Forward(inputs[0]);
    const at::Tensor mask = PaddingMask(inputs[1], x.scalar_type());
    for (const std::unique_ptr<Block>& block : blocks_) x = block->Forward(x, mask);
    return x;
  }

  const at::Tensor& words() const { return embeddings_.words(); }

 private:
  Embeddings embeddings_;
  std::vector<std::unique_ptr<Block>> blocks_;
};

absl::StatusOr<DistilBertOptions> ReadOptions(std::string_view implementation,
                                              const Parameters& parameters) {
  const absl::Status status = CheckMultiple(implementation, parameters, "dim", "n_heads");
  if (!status.ok()) return status;
  return DistilBertOptions{.vocab_size = parameters.Integer("vocab_size"),
                           .max_position_embeddings = parameters.Integer("max_position_embeddings"),
                           .dim = parameters.Integer("dim"),
                           .n_layers = parameters.Integer("n_layers"),
                           .n_heads = parameters.Integer("n_heads"),
                           .hidden_dim = parameters.Integer("hidden_dim")};
}

ASSAY_MODEL_IMPLEMENTATION(
    "distilbert_masked_lm",
    [](const Parameters& parameters) -> absl::StatusOr<std::unique_ptr<Model>> {
      const absl::StatusOr<DistilBertOptions> options =
          ReadOptions("distilbert_masked_lm", parameters);
      if (!options.ok()) return options.status();
      return std::make_unique<ForWords<Trunk>>(
          *options, kWordScores, ForWordsOptions{.in = options->dim, .layer_norm_eps = kEps});
    });

ASSAY_MODEL_IMPLEMENTATION(
    "distilbert_question_answering",
    [](const Parameters& parameters) -> absl::StatusOr<std::unique_ptr<Model>> {
      const absl::StatusOr<DistilBertOptions> options =
          ReadOptions("distilbert_question_answering", parameters);
      if (!options.ok()) return options.status();
      return std::make_unique<ForQuestionAnswering<Trunk>>(*options, options->dim, kDropout);
    });

}  // namespace
}  // namespace assay::models

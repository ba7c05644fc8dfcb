// BERT of Megatron-LM as Hugging Face transformers builds it (exact GELU; attention step by step,
// since it has no other): with a score for each word, masked (MegatronBertForMaskedLM) or the next
// one (MegatronBertForCausalLM), and for where an answer begins and ends
// (MegatronBertForQuestionAnswering). Tensor names, order and shapes are its state_dict's, so its
// checkpoints fit.
//
// It is BERT with the norms before the branches: none behind the embeddings, one behind the last
// layer.

#include <ATen/core/Tensor.h>

#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "absl/status/statusor.h"
#include "absl/strings/str_cat.h"
#include "models/layers/core/dropout.h"
#include "models/layers/core/embedding.h"
#include "models/layers/core/layer.h"
#include "models/layers/core/layer_norm.h"
#include "models/layers/core/linear.h"
#include "models/layers/sequence/attention.h"
#include "models/layers/sequence/residual_sum.h"
#include "models/layers/text/bert_encoder.h"
#include "models/layers/text/bert_heads.h"
#include "models/layers/text/feed_forward.h"
#include "models/layers/text/word_scores.h"
#include "models/parameters.h"
#include "models/registry.h"

namespace assay::models {
namespace {

constexpr WordScoresNames kWordScores = {.bias_owner = "cls.predictions",
                                         .dense = "cls.predictions.transform.dense",
                                         .norm = "cls.predictions.transform.LayerNorm",
                                         .decoder = "cls.predictions.decoder"};

LayerNormOptions Norm(const BertEncoderOptions& options) {
  return {.features = options.hidden_size, .eps = options.layer_norm_eps};
}

class Embeddings final : public Layer {
 public:
  Embeddings(Layer& parent, std::string name, const BertEmbeddingsOptions& options)
      : Layer(parent, std::move(name)),
        words_(*this, "word_embeddings",
               {.rows = options.vocab_size,
                .features = options.features,
                .padding_idx = options.pad_token_id}),
        positions_(*this, "position_embeddings",
                   {.rows = options.max_position_embeddings, .features = options.features}),
        types_(*this, "token_type_embeddings",
               {.rows = options.type_vocab_size, .features = options.features}) {}

  at::Tensor Forward(const at::Tensor& input_ids, const at::Tensor& token_type_ids) const {
    at::Tensor x = words_.Forward(input_ids);
    x.add_(types_.Forward(token_type_ids));
    x.add_(positions_.Rows(0, input_ids.size(1)));
    return dropout_.Forward(x);
  }

  const at::Tensor& words() const { return words_.weight(); }

 private:
  Embedding words_;
  Embedding positions_;
  Embedding types_;
  Dropout dropout_{*this, kBertDropout};
};

class Block final : public Layer {
 public:
  Block(Layer& parent, std::string name, const BertEncoderOptions& options)
      : Layer(parent, std::move(name)),
        heads_(options.num_attention_heads),
        norm1_(*this, "attention.ln", Norm(options)),
        query_(*this, "attention.self.query", Square(options, kBertQueryKeyGain)),
        key_(*this, "attention.self.key", Square(options, kBertQueryKeyGain)),
        value_(*this, "attention.self.value", Square(options, 1)),
        attention_output_(*this, "attention.output.dense", Square(options, 1)),
        norm2_(*this, "ln", Norm(options)),
        feed_forward_(*this, {"intermediate.dense", "output.dense"},
                      {.features = options.hidden_size, .hidden = options.intermediate_size}) {}

  at::Tensor Forward(const at::Tensor& x, const at::Tensor& mask) const {
    const at::Tensor normed = norm1_.Forward(x);
    const at::Tensor attended = attention_output_.Forward(
        Attend(query_.Forward(normed), key_.Forward(normed), value_.Forward(normed),
               {.heads = heads_,
                .mask = mask,
                .dropout = dropout_.active_probability(),
                .in_steps = true}));
    const at::Tensor y = ResidualSum(dropout_.Forward(attended), x);
    return ResidualSum(dropout_.Forward(feed_forward_.Forward(norm2_.Forward(y))), y);
  }

 private:
  static LinearOptions Square(const BertEncoderOptions& options, double gain) {
    return {.in = options.hidden_size, .out = options.hidden_size, .gain = gain};
  }

  int64_t heads_;
  LayerNorm norm1_;
  Linear query_;
  Linear key_;
  Linear value_;
  Linear attention_output_;
  LayerNorm norm2_;
  FeedForward feed_forward_;
  Dropout dropout_{*this, kBertDropout};
};

class Trunk {
 public:
  using Options = BertOptions;

  Trunk(Layer& parent, const BertOptions& options)
      : causal_(options.causal), embeddings_(parent, "bert.embeddings", options.embeddings) {
    for (int64_t i = 0; i < options.encoder.num_hidden_layers; ++i) {
      blocks_.push_back(
          std::make_unique<Block>(parent, absl::StrCat("bert.encoder.layer.", i), options.encoder));
    }
    norm_ = std::make_unique<LayerNorm>(parent, "bert.encoder.ln", Norm(options.encoder));
  }

  // input_ids, attention_mask and token_type_ids, int64 (N, S) -> (N, S, hidden).
  at::Tensor Forward(at::ArrayRef<at::Tensor> inputs) const {
    at::Tensor x = embeddings_.Forward(inputs[0], inputs[2]);
    const at::Tensor mask = PaddingMask(inputs[1], x.scalar_type(), causal_);
    for (const std::unique_ptr<Block>& block : blocks_) x = block->Forward(x, mask);
    return norm_->Forward(x);
  }

  const at::Tensor& words() const { return embeddings_.words(); }

 private:
  bool causal_;
  Embeddings embeddings_;
  std::vector<std::unique_ptr<Block>> blocks_;
  std::unique_ptr<LayerNorm> norm_;
};

ASSAY_MODEL_IMPLEMENTATION("megatron_bert_lm", [](const Parameters& parameters) {
  return BertForWords<Trunk>(ReadBertOptions("megatron_bert_lm", parameters), kWordScores,
                             parameters);
});

ASSAY_MODEL_IMPLEMENTATION("megatron_bert_question_answering", [](const Parameters& parameters) {
  return BertForQuestionAnswering<Trunk>(
      ReadBertOptions("megatron_bert_question_answering", parameters));
});

}  // namespace
}  // namespace assay::models

#ifndef ASSAY_MODELS_LAYERS_TEXT_BERT_ENCODER_H_
#define ASSAY_MODELS_LAYERS_TEXT_BERT_ENCODER_H_

// ---------------------------------------------------------------------------------------------
// models/layers/text/bert_encoder.h: embeddings and layers of BERT, which transformers repeats under the
// same names in RoBERTa and ELECTRA, the embeddings in ALBERT, the layers in LayoutLM.
//
//     x ──┬── self-attention ──+── norm ──┬── feed-forward ──+── norm ──
//         └────────────────────┘          └──────────────────┘
//
// BigBird has another attention between the same layers.
//
// Not for: norms before the branches (megatron_bert, encoder_block.h), other names (distilbert).
//
// Example:
//
//     absl::StatusOr<BertOptions> options = ReadBertOptions("bert", parameters);
//     BertTrunk trunk{*this, *options};
//     at::Tensor x = trunk.Forward({input_ids, attention_mask, token_type_ids});  // (N, S, hidden)
// ---------------------------------------------------------------------------------------------

#include <ATen/core/Tensor.h>

#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "absl/functional/function_ref.h"
#include "absl/status/statusor.h"
#include "models/layers/core/activation.h"
#include "models/layers/core/dropout.h"
#include "models/layers/core/embedding.h"
#include "models/layers/core/layer.h"
#include "models/layers/core/layer_norm.h"
#include "models/layers/core/linear.h"
#include "models/layers/sequence/attention.h"
#include "models/parameters.h"

namespace assay::models {

// transformers' default for hidden_dropout_prob and attention_probs_dropout_prob.
inline constexpr double kBertDropout = 0.1;

// Factors on the recipes of weights. With plain weights all tokens of a layer grow alike, since a
// norm follows each sum, and attention is nearly uniform: a wrong mask or key would not be seen.
inline constexpr double kBertQueryKeyGain = 2;
inline constexpr double kBertAttentionOutputGain = 0.3;

struct BertEmbeddingsOptions {
  int64_t vocab_size;
  int64_t features;
  int64_t max_position_embeddings;
  int64_t type_vocab_size;
  double layer_norm_eps;
  double dropout = kBertDropout;
  bool dropout_first = false;  // BigBird's: in front of the norm
  int64_t pad_token_id = 0;    // the word that gets no gradient
  // RoBERTa's: positions are counted from pad_token_id + 1 on, and only at tokens other than it,
  // which stand at pad_token_id itself. Their table comes last in the state.
  bool counted_positions = false;
};

class BertEmbeddings final : public Layer {
 public:
  BertEmbeddings(Layer& parent, std::string name, const BertEmbeddingsOptions& options);

  // Both int64 (N, S) -> (N, S, features). Undefined token types are all the first.
  at::Tensor Forward(const at::Tensor& input_ids, const at::Tensor& token_type_ids) const;

  // (vocab_size, features)
  const at::Tensor& words() const { return words_.weight(); }

 private:
  std::unique_ptr<Embedding> PositionTable(const BertEmbeddingsOptions& options);
  at::Tensor Positions(const at::Tensor& input_ids) const;

  const bool dropout_first_;
  const int64_t pad_token_id_;
  const bool counted_positions_;
  Embedding words_;
  std::unique_ptr<Embedding> positions_;
  Embedding types_;
  LayerNorm norm_;
  Dropout dropout_;
};

struct BertEncoderOptions {
  int64_t hidden_size;  // a multiple of num_attention_heads
  int64_t num_hidden_layers;
  int64_t num_attention_heads;
  int64_t intermediate_size;
  double layer_norm_eps;
  Activation activation = Activation::kGelu;
};

// A layer's result for query, key and value, all (N, S, hidden), like Attend(). Of the options it gets
// heads and dropout.
using BertAttention =
    absl::FunctionRef<at::Tensor(const at::Tensor& query, const at::Tensor& key,
                                 const at::Tensor& value, const AttentionOptions& options)>;

// One layer.
class BertLayer final : public Layer {
 public:
  BertLayer(Layer& parent, std::string name, const BertEncoderOptions& options);

  // (N, S, hidden) -> as x.
  at::Tensor Forward(const at::Tensor& x, BertAttention attention) const;

 private:
  // A projection back to the hidden size, added to what went into the branch, then a norm.
  class Output final : public Layer {
   public:
    Output(Layer& parent, std::string name, const BertEncoderOptions& options, int64_t in,
           double gain);

    at::Tensor Forward(const at::Tensor& x, const at::Tensor& residual) const;

   private:
    Linear dense_;
    LayerNorm norm_;
    Dropout dropout_{*this, kBertDropout};
  };

  int64_t heads_;
  Activation activation_;
  Linear query_;
  Linear key_;
  Linear value_;
  Dropout dropout_{*this, kBertDropout};  // of attention's weights
  Output attention_output_;
  Linear intermediate_;
  Output output_;
};

// num_hidden_layers of them one behind the other, called prefix + "0" and so on.
class BertEncoder {
 public:
  BertEncoder(Layer& parent, std::string_view prefix, const BertEncoderOptions& options);

  at::Tensor Forward(at::Tensor x, BertAttention attention) const;
  // With Attend() and a mask as of attention.h.
  at::Tensor Forward(at::Tensor x, const at::Tensor& mask) const;

 private:
  std::vector<std::unique_ptr<BertLayer>> layers_;
};

// A projection of each row's first token, then tanh: (N, S, hidden) -> (N, hidden).
class BertPooler final : public Layer {
 public:
  BertPooler(Layer& parent, std::string name, int64_t hidden_size);

  at::Tensor Forward(const at::Tensor& x) const { return dense_.Forward(x.select(1, 0)).tanh_(); }

 private:
  Linear dense_;
};

struct BertOptions {
  BertEmbeddingsOptions embeddings;
  BertEncoderOptions encoder;
  std::string prefix = "bert.";  // before the names
  bool causal = false;           // whether a token sees only itself and those before it
};

// Reads the parameters by BertConfig's names. InvalidArgument if the heads do not divide the hidden
// size; the message begins with `implementation`.
absl::StatusOr<BertOptions> ReadBertOptions(std::string_view implementation,
                                            const Parameters& parameters);

// Embeddings and encoder: the trunk of text_heads.h.
class BertTrunk {
 public:
  using Options = BertOptions;

  BertTrunk(Layer& parent, const BertOptions& options);

  // input_ids, attention_mask and, or not, token_type_ids, int64 (N, S) -> (N, S, hidden).
  at::Tensor Forward(at::ArrayRef<at::Tensor> inputs) const;

  const at::Tensor& words() const { return embeddings_.words(); }

 private:
  bool causal_;
  BertEmbeddings embeddings_;
  BertEncoder encoder_;
};

}  // namespace assay::models

#endif  // ASSAY_MODELS_LAYERS_TEXT_BERT_ENCODER_H_

// BigBird as Hugging Face transformers builds it (BigBirdForMaskedLM, "block_sparse" attention): an
// encoder like BERT whose rows are cut into blocks of tokens, with a score for each word. Tensor names,
// order and shapes are its state_dict's, so its checkpoints fit; the pooler is never read.
//
// The first and the last block attend to all tokens. The others attend to these two, to their
// neighbours and to "random" blocks: in evaluation transformers takes the first block for each of them,
// and so does this code in training too, where transformers draws them from numpy. Rows are padded to
// whole blocks. transformers changes to full attention for good when it meets a row that is too short;
// here such a row is refused.

#include <ATen/TensorOperators.h>
#include <ATen/core/Tensor.h>
#include <ATen/ops/arange.h>
#include <ATen/ops/cat.h>
#include <ATen/ops/constant_pad_nd.h>
#include <ATen/ops/full.h>
#include <ATen/ops/matmul.h>
#include <ATen/ops/softmax.h>
#include <ATen/ops/tanh.h>
#include <ATen/ops/zeros.h>
#include <c10/util/Exception.h>

#include <cmath>
#include <cstdint>
#include <memory>

#include "absl/status/statusor.h"
#include "models/layers/core/activation.h"
#include "models/layers/core/linear.h"
#include "models/layers/sequence/attention.h"
#include "models/layers/text/bert_encoder.h"
#include "models/layers/text/text_heads.h"
#include "models/layers/text/word_scores.h"
#include "models/parameters.h"
#include "models/registry.h"

namespace assay::models {
namespace {

constexpr WordScoresNames kWordScores = {.bias_owner = "cls.predictions",
                                         .dense = "cls.predictions.transform.dense",
                                         .norm = "cls.predictions.transform.LayerNorm",
                                         .decoder = "cls.predictions.decoder"};
constexpr double kHidden = -10000;  // added to the score of a key that is padding

struct BigBirdOptions {
  BertOptions bert;
  int64_t block_size;
  int64_t num_random_blocks;
};

// The key blocks that some query blocks see: a table (query blocks, key blocks) of their numbers, and
// what to add to the scores of their tokens, (N, 1, query blocks, 1, tokens).
struct Seen {
  at::Tensor table;
  at::Tensor added;

  // x (N, heads, blocks, b, d) -> (N, heads, query blocks, tokens, d).
  at::Tensor Of(const at::Tensor& x) const {
    return x.index_select(2, table.flatten())
        .view({x.size(0), x.size(1), table.size(0), table.size(1) * x.size(3), x.size(4)});
  }
};

// A call of the encoder needs this beside its rows, which have n blocks of b tokens.
struct Sparsity {
  int64_t b;
  at::Tensor tokens;  // (N, 1, n b, 1): 1, or 0 for padding
  at::Tensor added;   // (N, 1, 1, n b): to the scores of the first and the last block
  Seen near;          // by the blocks beside these two
  Seen middle;        // by all others
};

// mask (N, n b), 0 for padding.
Sparsity SparsityOf(const at::Tensor& mask, int64_t b, int64_t random, at::ScalarType dtype) {
  const int64_t rows = mask.size(0), n = mask.size(1) / b;
  const at::Tensor tokens = mask.ne(0).to(dtype);
  const at::Tensor added = (1 - tokens) * kHidden;
  const auto options = mask.options().dtype(at::kLong);
  // The first block, as itself and in the place of random ones, then `others`, then the last one.
  const auto seen = [&](const at::Tensor& others) -> Seen {
    const int64_t blocks = others.size(0);
    const at::Tensor table = at::cat(
        {at::zeros({blocks, 1 + random}, options), others, at::full({blocks, 1}, n - 1, options)},
        1);
    return {.table = table,
            .added = added.view({rows, n, b})
                         .index_select(1, table.flatten())
                         .view({rows, 1, blocks, 1, table.size(1) * b})};
  };
  const at::Tensor neighbours =
      at::arange(2, n - 2, options).unsqueeze(1) + at::arange(-1, 2, options);
  const at::Tensor first = at::arange(1, 3, options), last = at::arange(n - 3, n - 1, options);
  return {.b = b,
          .tokens = tokens.view({rows, 1, n * b, 1}),
          .added = added.view({rows, 1, 1, n * b}),
          .near = seen(at::cat({first, last}).view({2, 2})),
          .middle = seen(neighbours)};
}

// softmax(Q K^T / sqrt(d) + added) V over the last two dimensions.
at::Tensor Weighted(const at::Tensor& query, const at::Tensor& key, const at::Tensor& value,
                    const at::Tensor& added) {
  const double scale = 1 / std::sqrt(static_cast<double>(query.size(-1)));
  const at::Tensor scores = at::matmul(query, key.transpose(-1, -2)).mul_(scale).add_(added);
  return at::matmul(at::softmax(scores, -1), value);
}

// query, key and value (N, n b, heads * d) -> the same.
at::Tensor AttendSparsely(const at::Tensor& query, const at::Tensor& key, const at::Tensor& value,
                          int64_t heads, const Sparsity& sparsity) {
  const int64_t rows = query.size(0), b = sparsity.b, length = query.size(1), n = length / b;
  const at::Tensor q = SplitHeads(query, heads), k = SplitHeads(key, heads),
                   v = SplitHeads(value, heads);
  const auto blocks = [&](const at::Tensor& x) { return x.view({rows, heads, -1, b, x.size(3)}); };
  const at::Tensor queries = blocks(q), keys = blocks(k), values = blocks(v);
  const at::Tensor ends = blocks(
      Weighted(at::cat({q.narrow(2, 0, b), q.narrow(2, length - b, b)}, 2), k, v, sparsity.added));
  const at::Tensor near =
      Weighted(at::cat({queries.narrow(2, 1, 1), queries.narrow(2, n - 2, 1)}, 2),
               sparsity.near.Of(keys), sparsity.near.Of(values), sparsity.near.added);
  const at::Tensor middle = Weighted(queries.narrow(2, 2, n - 4), sparsity.middle.Of(keys),
                                     sparsity.middle.Of(values), sparsity.middle.added);
  const at::Tensor attended = at::cat({ends.narrow(2, 0, 1), near.narrow(2, 0, 1), middle,
                                       near.narrow(2, 1, 1), ends.narrow(2, 1, 1)},
                                      2);
  return attended.flatten(2, 3).mul(sparsity.tokens).transpose(1, 2).flatten(2);
}

class Trunk {
 public:
  using Options = BigBirdOptions;

  Trunk(Layer& parent, const BigBirdOptions& options)
      : options_(options),
        embeddings_(parent, "bert.embeddings", options.bert.embeddings),
        encoder_(parent, "bert.encoder.layer.", options.bert.encoder),
        pooler_(parent, "bert.pooler",
                {.in = options.bert.encoder.hidden_size, .out = options.bert.encoder.hidden_size}) {
  }

  // input_ids, attention_mask and token_type_ids, int64 (N, S) -> (N, S, hidden).
  at::Tensor Forward(at::ArrayRef<at::Tensor> inputs) const {
    const int64_t tokens = inputs[0].size(1), b = options_.block_size;
    const int64_t random = options_.num_random_blocks, most = (5 + 2 * random) * b;
    TORCH_CHECK_VALUE(tokens > most, "bigbird: rows of ", tokens,
                      " tokens are too short for block-sparse attention; with blocks of ", b,
                      " and ", random, " random blocks give more than ", most);
    const auto padded = [padding = (b - tokens % b) % b](const at::Tensor& x) {
      return padding > 0 ? at::constant_pad_nd(x, {0, padding}, 0) : x;
    };
    const at::Tensor x = embeddings_.Forward(padded(inputs[0]), padded(inputs[2]));
    const Sparsity sparsity = SparsityOf(padded(inputs[1]), b, random, x.scalar_type());
    const auto attend = [&sparsity](const at::Tensor& query, const at::Tensor& key,
                                    const at::Tensor& value, const AttentionOptions& options) {
      return AttendSparsely(query, key, value, options.heads, sparsity);
    };
    const at::Tensor y = encoder_.Forward(x, attend).narrow(1, 0, tokens);
    // transformers computes this in each call, although no head of ours reads it.
    at::tanh(pooler_.Forward(y.select(1, 0)));
    return y;
  }

  const at::Tensor& words() const { return embeddings_.words(); }

 private:
  BigBirdOptions options_;
  BertEmbeddings embeddings_;
  BertEncoder encoder_;
  Linear pooler_;
};

ASSAY_MODEL_IMPLEMENTATION(
    "bigbird_masked_lm",
    [](const Parameters& parameters) -> absl::StatusOr<std::unique_ptr<Model>> {
      absl::StatusOr<BertOptions> bert = ReadBertOptions("bigbird_masked_lm", parameters);
      if (!bert.ok()) return bert.status();
      bert->embeddings.dropout_first = true;
      bert->encoder.activation = Activation::kGeluTanh;
      return std::make_unique<ForWords<Trunk>>(
          BigBirdOptions{.bert = *bert,
                         .block_size = parameters.Integer("block_size"),
                         .num_random_blocks = parameters.Integer("num_random_blocks")},
          kWordScores,
          ForWordsOptions{.in = bert->encoder.hidden_size,
                          .layer_norm_eps = bert->encoder.layer_norm_eps,
                          .activation = Activation::kGeluTanh});
    });

}  // namespace
}  // namespace assay::models

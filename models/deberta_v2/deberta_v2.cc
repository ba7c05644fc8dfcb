// DeBERTa versions 2 and 3 as Hugging Face transformers builds them: an encoder whose attention tells
// content from position, with a score for each word (DebertaV2ForMaskedLM) or for where an answer
// begins and ends (DebertaV2ForQuestionAnswering). Tensor names, order and shapes are its
// state_dict's, so its checkpoints fit.
//
// A score is the sum of three products: of query and key, of query and the key of a distance, and of
// key and the query of a distance. Distances share buckets, the more of them the larger they are, and
// the projections of content make keys and queries of the buckets' embeddings, too (share_att_key).

#include <ATen/TensorOperators.h>
#include <ATen/core/Tensor.h>
#include <ATen/ops/arange.h>
#include <ATen/ops/gather.h>
#include <ATen/ops/matmul.h>
#include <ATen/ops/where.h>

#include <cmath>
#include <cstdint>
#include <memory>
#include <optional>
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
#include "models/layers/sequence/attention.h"
#include "models/layers/sequence/conv1d.h"
#include "models/layers/text/post_norm.h"
#include "models/layers/text/text_heads.h"
#include "models/layers/text/word_scores.h"
#include "models/parameters.h"
#include "models/registry.h"
#include "models/trainable.h"

namespace assay::models {
namespace {

// transformers' default for hidden_dropout_prob and attention_probs_dropout_prob.
constexpr double kDropout = 0.1;

// Factors on the recipes of weights, as in bert.cc: with plain weights attention is nearly uniform,
// and a wrong mask, distance or key would not be seen.
constexpr double kQueryKeyGain = 2;
constexpr double kAttentionOutputGain = 0.5;

struct DebertaOptions {
  int64_t vocab_size;
  int64_t hidden_size;
  int64_t num_hidden_layers;
  int64_t num_attention_heads;
  int64_t intermediate_size;
  int64_t max_position_embeddings;
  int64_t position_buckets;
  int64_t conv_kernel_size;
  bool relative_attention;
  double layer_norm_eps;
};

class Embeddings final : public Layer {
 public:
  Embeddings(Layer& parent, std::string name, const DebertaOptions& options)
      : Layer(parent, std::move(name)),
        words_(*this, "word_embeddings",
               {.rows = options.vocab_size, .features = options.hidden_size}) {
    if (!options.relative_attention) {
      positions_.emplace(*this, "position_embeddings",
                         EmbeddingOptions{.rows = options.max_position_embeddings,
                                          .features = options.hidden_size});
    }
    norm_.emplace(*this, "LayerNorm",
                  LayerNormOptions{.features = options.hidden_size, .eps = options.layer_norm_eps});
  }

  // mask: ones and zeros (N, S, 1) in the model's dtype.
  at::Tensor Forward(const at::Tensor& input_ids, const at::Tensor& mask) const {
    at::Tensor x = words_.Forward(input_ids);
    if (positions_) x.add_(positions_->Rows(0, input_ids.size(1)));
    return dropout_.Forward(norm_->Forward(x) * mask);
  }

  const at::Tensor& words() const { return words_.weight(); }

 private:
  Embedding words_;
  std::optional<Embedding> positions_;
  std::optional<LayerNorm> norm_;
  Dropout dropout_{*this, kDropout};
};

// The number of each distance's bucket, int64: distances up to half of the buckets have one each,
// those beyond share the other half, by their logarithm, so that `longest` - 1 is in the last.
at::Tensor Buckets(const at::Tensor& distances, int64_t buckets, int64_t longest) {
  const int64_t alone = buckets / 2;
  const auto middle = static_cast<double>(alone);
  const double range = std::log(static_cast<double>(longest - 1) / middle);
  const at::Tensor size = distances.abs();
  const at::Tensor shared = (size.clamp_min(alone)
                                 .to(at::kDouble)
                                 .div(middle)
                                 .log_()
                                 .div_(range)
                                 .mul_(middle - 1)
                                 .ceil_())
                                .add_(middle)
                                .to(at::kLong);
  return at::where(size.le(alone), distances, shared * distances.sign());
}

// The part of the buckets that all layers read.
struct Distances {
  at::Tensor table;  // (2 * buckets, hidden)
  // Rows of the table, int64 (S, S): at (s, t) that of token s seen from token t, and the reverse.
  at::Tensor forth;
  at::Tensor back;
};

class Attention final : public Layer {
 public:
  Attention(Layer& parent, std::string name, const DebertaOptions& options)
      : Layer(parent, std::move(name)),
        heads_(options.num_attention_heads),
        query_(*this, "self.query_proj", Square(options.hidden_size, kQueryKeyGain)),
        key_(*this, "self.key_proj", Square(options.hidden_size, kQueryKeyGain)),
        value_(*this, "self.value_proj", Square(options.hidden_size, 1)),
        output_(*this, "output",
                {.in = options.hidden_size,
                 .out = options.hidden_size,
                 .eps = options.layer_norm_eps,
                 .dropout = kDropout,
                 .gain = kAttentionOutputGain}) {}

  // hidden (N, 1, S, S): true where a query or a key is padding. A padded query has the same score
  // for all keys, and so attends to all alike.
  at::Tensor Forward(const at::Tensor& x, const at::Tensor& hidden,
                     const std::optional<Distances>& distances) const {
    const at::Tensor query = SplitHeads(query_.Forward(x), heads_);
    const at::Tensor key = SplitHeads(key_.Forward(x), heads_);
    const double products = distances ? 3 : 1;
    const double scale = std::sqrt(static_cast<double>(query.size(-1)) * products);
    at::Tensor scores = at::matmul(query, key.transpose(-1, -2) / scale);
    if (distances) scores = scores + OfDistances(query, key, *distances) / scale;
    scores.masked_fill_(hidden, LowestScore(scores.scalar_type()));
    const at::Tensor attended = AttendByScores(scores, SplitHeads(value_.Forward(x), heads_),
                                               dropout_.active_probability());
    return output_.Forward(attended.flatten(2), x);
  }

 private:
  static LinearOptions Square(int64_t size, double gain) {
    return {.in = size, .out = size, .gain = gain};
  }

  at::Tensor OfDistances(const at::Tensor& query, const at::Tensor& key,
                         const Distances& distances) const {
    const at::Tensor table = position_dropout_.Forward(distances.table).unsqueeze(0);
    const at::Tensor its_query = SplitHeads(query_.Forward(table), heads_).transpose(-1, -2);
    const at::Tensor its_key = SplitHeads(key_.Forward(table), heads_).transpose(-1, -2);
    const std::vector<int64_t> shape = {query.size(0), heads_, query.size(2), key.size(2)};
    const at::Tensor to_position =
        at::gather(at::matmul(query, its_key), -1, distances.forth.expand(shape));
    const at::Tensor from_position =
        at::gather(at::matmul(key, its_query), -1, distances.back.expand(shape));
    return to_position + from_position.transpose(-1, -2);
  }

  int64_t heads_;
  Linear query_;
  Linear key_;
  Linear value_;
  Dropout position_dropout_{*this, kDropout};
  Dropout dropout_{*this, kDropout};  // of attention's weights
  PostNorm output_;
};

class EncoderLayer final : public Layer {
 public:
  EncoderLayer(Layer& parent, std::string name, const DebertaOptions& options)
      : Layer(parent, std::move(name)),
        attention_(*this, "attention", options),
        intermediate_(*this, "intermediate.dense",
                      {.in = options.hidden_size, .out = options.intermediate_size}),
        output_(*this, "output",
                {.in = options.intermediate_size,
                 .out = options.hidden_size,
                 .eps = options.layer_norm_eps,
                 .dropout = kDropout}) {}

  at::Tensor Forward(const at::Tensor& x, const at::Tensor& hidden,
                     const std::optional<Distances>& distances) const {
    const at::Tensor y = attention_.Forward(x, hidden, distances);
    return output_.Forward(Activate(Activation::kGelu, intermediate_.Forward(y)), y);
  }

 private:
  Attention attention_;
  Linear intermediate_;
  PostNorm output_;
};

// A convolution of the first layer's input, added to its output.
class Convolution final : public Layer {
 public:
  Convolution(Layer& parent, std::string name, const DebertaOptions& options)
      : Layer(parent, std::move(name)),
        conv_(*this, "conv",
              {.in = options.hidden_size,
               .out = options.hidden_size,
               .kernel = options.conv_kernel_size,
               .padding = (options.conv_kernel_size - 1) / 2,
               .bias = true}),
        norm_(*this, "LayerNorm",
              {.features = options.hidden_size, .eps = options.layer_norm_eps}) {}

  // mask: ones and zeros (N, S, 1) in the model's dtype.
  at::Tensor Forward(const at::Tensor& in, const at::Tensor& out, const at::Tensor& mask) const {
    at::Tensor y = conv_.Forward(in.transpose(1, 2).contiguous()).transpose(1, 2).contiguous();
    y = y.masked_fill_(mask.eq(0), 0);
    y = Activate(Activation::kGelu, dropout_.Forward(y));
    return norm_.Forward(out + y) * mask;
  }

 private:
  Conv1d conv_;
  LayerNorm norm_;
  Dropout dropout_{*this, kDropout};
};

// transformers' DebertaV2Model.
class Trunk final : public Layer {
 public:
  using Options = DebertaOptions;

  Trunk(Layer& parent, const DebertaOptions& options)
      : Layer(parent, "deberta"),
        buckets_(options.position_buckets),
        longest_(options.max_position_embeddings),
        embeddings_(*this, "embeddings", options) {
    for (int64_t i = 0; i < options.num_hidden_layers; ++i) {
      layers_.push_back(
          std::make_unique<EncoderLayer>(*this, absl::StrCat("encoder.layer.", i), options));
    }
    if (options.relative_attention) {
      table_.emplace(*this, "encoder.rel_embeddings",
                     EmbeddingOptions{.rows = 2 * buckets_, .features = options.hidden_size});
      norm_.emplace(
          *this, "encoder.LayerNorm",
          LayerNormOptions{.features = options.hidden_size, .eps = options.layer_norm_eps});
    }
    if (options.conv_kernel_size > 0) convolution_.emplace(*this, "encoder.conv", options);
  }

  // input_ids and attention_mask, int64 (N, S) -> (N, S, hidden).
  at::Tensor Forward(at::ArrayRef<at::Tensor> inputs) const {
    const at::Tensor tokens = inputs[1].ne(0);
    const at::Tensor mask = tokens.unsqueeze(2).to(words().scalar_type());
    const at::Tensor hidden =
        tokens.unsqueeze(1).logical_and(tokens.unsqueeze(2)).logical_not_().unsqueeze(1);
    std::optional<Distances> distances;
    if (table_) distances = DistancesOf(inputs[0]);
    const at::Tensor embedded = embeddings_.Forward(inputs[0], mask);
    at::Tensor x = embedded;
    for (size_t i = 0; i < layers_.size(); ++i) {
      x = layers_[i]->Forward(x, hidden, distances);
      if (i == 0 && convolution_) x = convolution_->Forward(embedded, x, mask);
    }
    return x;
  }

  const at::Tensor& words() const { return embeddings_.words(); }

 private:
  Distances DistancesOf(const at::Tensor& input_ids) const {
    const at::Tensor places = at::arange(input_ids.size(1), input_ids.options());
    const at::Tensor bucket =
        Buckets(places.unsqueeze(1) - places.unsqueeze(0), buckets_, longest_);
    const int64_t last = 2 * buckets_ - 1;
    return {.table = norm_->Forward(table_->weight()),
            .forth = (bucket + buckets_).clamp_(0, last),
            .back = (buckets_ - bucket).clamp_(0, last)};
  }

  int64_t buckets_;
  int64_t longest_;
  Embeddings embeddings_;
  std::vector<std::unique_ptr<EncoderLayer>> layers_;
  std::optional<Embedding> table_;
  std::optional<LayerNorm> norm_;
  std::optional<Convolution> convolution_;
};

constexpr WordScoresNames kWordScores = {.bias_owner = "cls.predictions",
                                         .dense = "cls.predictions.transform.dense",
                                         .norm = "cls.predictions.transform.LayerNorm",
                                         .decoder = "cls.predictions.decoder"};

absl::StatusOr<DebertaOptions> ReadOptions(std::string_view implementation,
                                           const Parameters& parameters) {
  absl::Status status =
      CheckMultiple(implementation, parameters, "hidden_size", "num_attention_heads");
  if (!status.ok()) return status;
  const DebertaOptions options = {
      .vocab_size = parameters.Integer("vocab_size"),
      .hidden_size = parameters.Integer("hidden_size"),
      .num_hidden_layers = parameters.Integer("num_hidden_layers"),
      .num_attention_heads = parameters.Integer("num_attention_heads"),
      .intermediate_size = parameters.Integer("intermediate_size"),
      .max_position_embeddings = parameters.Integer("max_position_embeddings"),
      .position_buckets = parameters.Integer("position_buckets"),
      .conv_kernel_size = parameters.Integer("conv_kernel_size"),
      .relative_attention = parameters.Flag("relative_attention"),
      .layer_norm_eps = parameters.Real("layer_norm_eps")};
  if (options.conv_kernel_size > 0 && options.conv_kernel_size % 2 == 0) {
    return absl::InvalidArgumentError(absl::StrCat(
        implementation, ": conv_kernel_size ", options.conv_kernel_size,
        " is even; a row would come out shorter than it went in. An odd number, or 0 for none"));
  }
  if (options.max_position_embeddings <= options.position_buckets / 2 + 1) {
    return absl::InvalidArgumentError(absl::StrCat(
        implementation, ": max_position_embeddings ", options.max_position_embeddings,
        " leaves no distance for the upper half of position_buckets ", options.position_buckets));
  }
  return options;
}

ASSAY_MODEL_IMPLEMENTATION(
    "deberta_v2_masked_lm",
    [](const Parameters& parameters) -> absl::StatusOr<std::unique_ptr<Model>> {
      const absl::StatusOr<DebertaOptions> o = ReadOptions("deberta_v2_masked_lm", parameters);
      if (!o.ok()) return o.status();
      return std::make_unique<ForWords<Trunk>>(
          *o, kWordScores,
          ForWordsOptions{.in = o->hidden_size, .layer_norm_eps = o->layer_norm_eps});
    });

ASSAY_MODEL_IMPLEMENTATION(
    "deberta_v2_question_answering",
    [](const Parameters& parameters) -> absl::StatusOr<std::unique_ptr<Model>> {
      const absl::StatusOr<DebertaOptions> o =
          ReadOptions("deberta_v2_question_answering", parameters);
      if (!o.ok()) return o.status();
      return std::make_unique<ForQuestionAnswering<Trunk>>(*o, o->hidden_size);
    });

}  // namespace
}  // namespace assay::models

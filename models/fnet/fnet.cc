// FNet as Hugging Face transformers builds it (FNetForMaskedLM): an encoder like BERT's whose tokens
// are mixed by a Fourier transform in place of attention, with a score for each word. Tensor names,
// order and shapes are its state_dict's, so its checkpoints fit.
//
// There is no mask: padding is mixed like any other token. ATen has no transform in bf16.

#include <ATen/TensorOperators.h>
#include <ATen/core/Tensor.h>
#include <ATen/ops/fft_fftn.h>
#include <ATen/ops/real.h>

#include <cstdint>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "absl/status/statusor.h"
#include "absl/strings/str_cat.h"
#include "models/layers/core/activation.h"
#include "models/layers/core/dropout.h"
#include "models/layers/core/embedding.h"
#include "models/layers/core/layer.h"
#include "models/layers/core/layer_norm.h"
#include "models/layers/core/linear.h"
#include "models/layers/text/post_norm.h"
#include "models/layers/text/text_heads.h"
#include "models/layers/text/word_scores.h"
#include "models/parameters.h"
#include "models/registry.h"

namespace assay::models {
namespace {

// transformers' default for hidden_dropout_prob.
constexpr double kDropout = 0.1;

struct FnetOptions {
  int64_t vocab_size;
  int64_t hidden_size;
  int64_t num_hidden_layers;
  int64_t intermediate_size;
  int64_t max_position_embeddings;
  int64_t type_vocab_size;
  double layer_norm_eps;
};

class Embeddings final : public Layer {
 public:
  Embeddings(Layer& parent, std::string name, const FnetOptions& options)
      : Layer(parent, std::move(name)),
        words_(*this, "word_embeddings",
               {.rows = options.vocab_size, .features = options.hidden_size}),
        positions_(*this, "position_embeddings",
                   {.rows = options.max_position_embeddings, .features = options.hidden_size}),
        types_(*this, "token_type_embeddings",
               {.rows = options.type_vocab_size, .features = options.hidden_size}),
        norm_(*this, "LayerNorm", {.features = options.hidden_size, .eps = options.layer_norm_eps}),
        projection_(*this, "projection", {.in = options.hidden_size, .out = options.hidden_size}) {}

  at::Tensor Forward(const at::Tensor& input_ids, const at::Tensor& token_type_ids) const {
    at::Tensor x = words_.Forward(input_ids);
    x.add_(types_.Forward(token_type_ids));
    x.add_(positions_.Rows(0, input_ids.size(1)));
    return dropout_.Forward(projection_.Forward(norm_.Forward(x)));
  }

  const at::Tensor& words() const { return words_.weight(); }

 private:
  Embedding words_;
  Embedding positions_;
  Embedding types_;
  LayerNorm norm_;
  Linear projection_;
  Dropout dropout_{*this, kDropout};
};

class EncoderLayer final : public Layer {
 public:
  EncoderLayer(Layer& parent, std::string name, const FnetOptions& options)
      : Layer(parent, std::move(name)),
        norm_(*this, "fourier.output.LayerNorm",
              {.features = options.hidden_size, .eps = options.layer_norm_eps}),
        intermediate_(*this, "intermediate.dense",
                      {.in = options.hidden_size, .out = options.intermediate_size}),
        output_(*this, "output",
                {.in = options.intermediate_size,
                 .out = options.hidden_size,
                 .eps = options.layer_norm_eps,
                 .dropout = kDropout}) {}

  at::Tensor Forward(const at::Tensor& x) const {
    // Over tokens and features; the imaginary part is dropped.
    const at::Tensor mixed = at::real(at::fft_fftn(x, {}, at::IntArrayRef({1, 2})));
    const at::Tensor y = norm_.Forward(x + mixed);
    return output_.Forward(Activate(Activation::kGeluTanh, intermediate_.Forward(y)), y);
  }

 private:
  LayerNorm norm_;
  Linear intermediate_;
  PostNorm output_;
};

constexpr WordScoresNames kWordScores = {.bias_owner = "cls.predictions",
                                         .dense = "cls.predictions.transform.dense",
                                         .norm = "cls.predictions.transform.LayerNorm",
                                         .decoder = "cls.predictions.decoder"};

class Trunk {
 public:
  using Options = FnetOptions;

  Trunk(Layer& parent, const FnetOptions& options)
      : embeddings_(parent, "fnet.embeddings", options) {
    for (int64_t i = 0; i < options.num_hidden_layers; ++i) {
      layers_.push_back(
          std::make_unique<EncoderLayer>(parent, absl::StrCat("fnet.encoder.layer.", i), options));
    }
    pooler_ = std::make_unique<Linear>(
        parent, "fnet.pooler.dense",
        LinearOptions{.in = options.hidden_size, .out = options.hidden_size});
  }

  // input_ids and token_type_ids, int64 (N, S) -> (N, S, hidden).
  at::Tensor Forward(at::ArrayRef<at::Tensor> inputs) const {
    at::Tensor x = embeddings_.Forward(inputs[0], inputs[1]);
    for (const std::unique_ptr<EncoderLayer>& layer : layers_) x = layer->Forward(x);
    // Nobody reads the pooled token, but transformers' class has a pooler here and calls it.
    pooler_->Forward(x.select(1, 0)).tanh_();
    return x;
  }

  const at::Tensor& words() const { return embeddings_.words(); }

 private:
  Embeddings embeddings_;
  std::vector<std::unique_ptr<EncoderLayer>> layers_;
  std::unique_ptr<Linear> pooler_;
};

ASSAY_MODEL_IMPLEMENTATION(
    "fnet_masked_lm", [](const Parameters& parameters) -> absl::StatusOr<std::unique_ptr<Model>> {
      const FnetOptions options = {
          .vocab_size = parameters.Integer("vocab_size"),
          .hidden_size = parameters.Integer("hidden_size"),
          .num_hidden_layers = parameters.Integer("num_hidden_layers"),
          .intermediate_size = parameters.Integer("intermediate_size"),
          .max_position_embeddings = parameters.Integer("max_position_embeddings"),
          .type_vocab_size = parameters.Integer("type_vocab_size"),
          .layer_norm_eps = parameters.Real("layer_norm_eps")};
      return std::make_unique<ForWords<Trunk>>(
          options, kWordScores,
          ForWordsOptions{.in = options.hidden_size,
                          .layer_norm_eps = options.layer_norm_eps,
                          .activation = Activation::kGeluTanh});
    });

}  // namespace
}  // namespace assay::models

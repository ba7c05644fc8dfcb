// The Speech-Transformer as kaituoxu's code builds it, TorchBench's speech_transformer: an encoder of
// frames and a decoder of words. Their norms stand behind the branches, and both add the positions of
// "Attention is all you need". Tensor names, order and shapes are those of that code. Words are given: beam search
// is not here.

#include <ATen/TensorOperators.h>
#include <ATen/core/Tensor.h>
#include <ATen/ops/arange.h>
#include <ATen/ops/concat.h>
#include <ATen/ops/full.h>
#include <ATen/ops/log_softmax.h>
#include <ATen/ops/zeros.h>
#include <c10/util/Exception.h>

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <deque>
#include <limits>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/str_cat.h"
#include "models/layers/core/dropout.h"
#include "models/layers/core/embedding.h"
#include "models/layers/core/layer_norm.h"
#include "models/layers/core/layered_model.h"
#include "models/layers/core/linear.h"
#include "models/layers/core/parameter_checks.h"
#include "models/layers/sequence/attention.h"
#include "models/layers/sequence/interleaved_positions.h"
#include "models/parameters.h"
#include "models/registry.h"
#include "models/trainable.h"

namespace assay::models {
namespace {

constexpr double kDropout = 0.1, kSmoothing = 0.1;
constexpr int64_t kPositions = 5000;

// With plain weights attention is nearly uniform, and a wrong mask would not be seen.
constexpr double kQueryKeyGain = 2;

struct BlockOptions {
  int64_t features;
  int64_t heads;
  int64_t head_features;
  int64_t hidden;
};

class Attention final : public Layer {
 public:
  Attention(Layer& parent, std::string name, const BlockOptions& o)
      : Layer(parent, std::move(name)),
        heads_(o.heads),
        query_(*this, "w_qs", Projection(o, kQueryKeyGain)),
        key_(*this, "w_ks", Projection(o, kQueryKeyGain)),
        value_(*this, "w_vs", Projection(o, 1)),
        norm_(*this, "layer_norm", {.features = o.features}),
        out_(*this, "fc", {.in = o.heads * o.head_features, .out = o.features}),
        dropout_(*this, kDropout) {}

  // x (N, S, features) reads memory (N, T, features).
  at::Tensor Forward(const at::Tensor& x, const at::Tensor& memory, const at::Tensor& mask) const {
    const at::Tensor attended =
        Attend(query_.Forward(x), key_.Forward(memory), value_.Forward(memory),
               {.heads = heads_, .mask = mask, .dropout = dropout_.active_probability()});
    return norm_.Forward(dropout_.Forward(out_.Forward(attended)) + x);
  }

 private:
  static LinearOptions Projection(const BlockOptions& o, double gain) {
    return {.in = o.features, .out = o.heads * o.head_features, .gain = gain};
  }

  const int64_t heads_;
  Linear query_, key_, value_;
  LayerNorm norm_;
  Linear out_;
  Dropout dropout_;
};

class FeedForwardNorm final : public Layer {
 public:
  FeedForwardNorm(Layer& parent, std::string name, const BlockOptions& o)
      : Layer(parent, std::move(name)),
        widen_(*this, "w_1", {.in = o.features, .out = o.hidden}),
        narrow_(*this, "w_2", {.in = o.hidden, .out = o.features}),
        norm_(*this, "layer_norm", {.features = o.features}),
        dropout_(*this, kDropout) {}

  at::Tensor Forward(const at::Tensor& x) const {
    return norm_.Forward(dropout_.Forward(narrow_.Forward(widen_.Forward(x).relu_())) + x);
  }

 private:
  Linear widen_, narrow_;
  LayerNorm norm_;
  Dropout dropout_;
};

class EncoderLayer final : public Layer {
 public:
  EncoderLayer(Layer& parent, std::string name, const BlockOptions& o)
      : Layer(parent, std::move(name)),
        attention_(*this, "slf_attn", o),
        feed_(*this, "pos_ffn", o) {}

  // `present` (N, T, 1) is 0 behind the end of a row.
  at::Tensor Forward(const at::Tensor& x, const at::Tensor& mask, const at::Tensor& present) const {
    return feed_.Forward(attention_.Forward(x, x, mask) * present) * present;
  }

 private:
  Attention attention_;
  FeedForwardNorm feed_;
};

class DecoderLayer final : public Layer {
 public:
  DecoderLayer(Layer& parent, std::string name, const BlockOptions& o)
      : Layer(parent, std::move(name)),
        attention_(*this, "slf_attn", o),
        cross_(*this, "enc_attn", o),
        feed_(*this, "pos_ffn", o) {}

  at::Tensor Forward(const at::Tensor& x, const at::Tensor& mask, const at::Tensor& present,
                     const at::Tensor& memory, const at::Tensor& memory_mask) const {
    const at::Tensor y = attention_.Forward(x, x, mask) * present;
    return feed_.Forward(cross_.Forward(y, memory, memory_mask) * present) * present;
  }

 private:
  Attention attention_, cross_;
  FeedForwardNorm feed_;
};

// 0 where `present`, a boolean (N, 1, S or 1, T), and minus infinity elsewhere: (N, 1, queries, T).
at::Tensor Additive(const at::Tensor& present, int64_t queries, const at::TensorOptions& options) {
  return at::zeros(present.sizes(), options)
      .masked_fill_(present.logical_not(), -std::numeric_limits<double>::infinity())
      .expand({-1, 1, queries, -1});
}

class SpeechTransformer final : public LayeredModel, public Trainable {
 public:
  explicit SpeechTransformer(const Parameters& p)
      : features_(p.Integer("heads") * p.Integer("head_features")),
        sos_(p.Integer("sos")),
        eos_(p.Integer("eos")),
        in_(*this, "encoder.linear_in", {.in = p.Integer("input_features"), .out = features_}),
        norm_in_(*this, "encoder.layer_norm_in", {.features = features_}),
        frame_positions_(*this, "encoder.positional_encoding", "speech_transformer", kPositions,
                         features_),
        dropout_(*this, kDropout) {
    const BlockOptions options = {.features = features_,
                                  .heads = p.Integer("heads"),
                                  .head_features = p.Integer("head_features"),
                                  .hidden = p.Integer("hidden")};
    for (int64_t i = 0; i < p.Integer("layers"); ++i)
      encoder_.emplace_back(*this, absl::StrCat("encoder.layer_stack.", i), options);
    words_.emplace(*this, "decoder.tgt_word_emb",
                   EmbeddingOptions{.rows = p.Integer("vocab_size"), .features = features_});
    word_positions_.emplace(*this, "decoder.positional_encoding", "speech_transformer", kPositions,
                            features_);
    for (int64_t i = 0; i < p.Integer("layers"); ++i)
      decoder_.emplace_back(*this, absl::StrCat("decoder.layer_stack.", i), options);
    scores_.emplace(*this, "decoder.tgt_word_prj",
                    LinearOptions{.in = features_,
                                  .out = p.Integer("vocab_size"),
                                  .bias = false,
                                  .tied_weight = &words_->weight()});
  }

  // Frames (N, T, input features), how many of them each row has, int64 (N), words int64 (N, U) ->
  // scores of the first word, of the one behind each word, and so on: (N, U + 1, vocab_size).
  std::vector<at::Tensor> Forward(at::ArrayRef<at::Tensor> inputs) override {
    const at::Tensor& frames = inputs[0];
    const int64_t length = frames.size(1);
    const at::Tensor in_row =
        at::arange(length, inputs[1].options()).lt(inputs[1].unsqueeze(1));  // (N, T)
    const at::Tensor present = in_row.unsqueeze(-1).to(frames.scalar_type());
    const at::Tensor mask = Additive(in_row.unsqueeze(1).unsqueeze(1), length, frames.options());
    at::Tensor memory =
        dropout_.Forward(norm_in_.Forward(in_.Forward(frames)) + frame_positions_.First(length));
    for (const EncoderLayer& layer : encoder_) memory = layer.Forward(memory, mask, present);

    const at::Tensor begin = at::full({frames.size(0), 1}, sos_, inputs[2].options());
    const at::Tensor given = at::concat({begin, inputs[2]}, 1);
    const int64_t words = given.size(1);
    const at::Tensor is_word = given.ne(eos_);
    const at::Tensor place = at::arange(words, given.options());
    const at::Tensor before = place.le(place.unsqueeze(1));  // (query, key)
    const at::Tensor seen = is_word.unsqueeze(1).unsqueeze(1).logical_and(before);
    const at::Tensor words_mask = Additive(seen, words, frames.options());
    const at::Tensor memory_mask =
        Additive(in_row.unsqueeze(1).unsqueeze(1), words, frames.options());
    const at::Tensor word_present = is_word.unsqueeze(-1).to(frames.scalar_type());
    at::Tensor x =
        dropout_.Forward(words_->Forward(given) * std::sqrt(static_cast<double>(features_)) +
                         word_positions_->First(words));
    for (const DecoderLayer& layer : decoder_)
      x = layer.Forward(x, words_mask, word_present, memory, memory_mask);
    return {scores_->Forward(x)};
  }

  // The cross entropy with words int64 (N, U + 1), which have 0.9 of the probability; all words share the
  // rest. Rows of one length: nothing is left out as padding.
  at::Tensor Loss(at::ArrayRef<at::Tensor> outputs, at::ArrayRef<at::Tensor> targets) override {
    const at::Tensor logarithms = at::log_softmax(outputs[0], -1);
    const at::Tensor right = logarithms.gather(-1, targets[0].unsqueeze(-1)).squeeze(-1);
    const double spread = kSmoothing / static_cast<double>(logarithms.size(-1));
    return (right * (1 - kSmoothing) + (logarithms.sum(-1) - right) * spread).mean().neg();
  }

 private:
  const int64_t features_, sos_, eos_;
  Linear in_;
  LayerNorm norm_in_;
  InterleavedPositions frame_positions_;
  std::deque<EncoderLayer> encoder_;
  std::optional<Embedding> words_;
  std::optional<InterleavedPositions> word_positions_;
  std::deque<DecoderLayer> decoder_;
  std::optional<Linear> scores_;
  Dropout dropout_;
};

// A sentence that begins with its end would leave the first word nothing to see.
absl::Status Check(const Parameters& p) {
  const int64_t sos = p.Integer("sos"), eos = p.Integer("eos"), words = p.Integer("vocab_size");
  if (sos == eos || std::max(sos, eos) >= words) {
    return absl::InvalidArgumentError(
        absl::StrCat("speech_transformer: sos ", sos, " and eos ", eos,
                     " must be two words of the vocabulary, which has ", words));
  }
  return CheckEven("speech_transformer", "heads * head_features",
                   p.Integer("heads") * p.Integer("head_features"));
}

ASSAY_MODEL_IMPLEMENTATION("speech_transformer",
                           [](const Parameters& parameters)
                               -> absl::StatusOr<std::unique_ptr<Model>> {
                             if (absl::Status status = Check(parameters); !status.ok())
                               return status;
                             return std::make_unique<SpeechTransformer>(parameters);
                           });

}  // namespace
}  // namespace assay::models

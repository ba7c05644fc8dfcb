// Whisper as Hugging Face transformers builds it (WhisperForConditionalGeneration, "sdpa"
// attention): two convolutions and an encoder over the frames of a log-mel spectrogram, a decoder
// of tokens that attends to it, and a score for each next word, all at once or one token after
// another with a cache; and WhisperForAudioClassification, the encoder with a score for each class of
// the whole sound. Tensor names, order and shapes are its state_dict's, so its checkpoints fit.
// Keys have no bias, and nothing is dropped in training.

#include <ATen/core/Tensor.h>

#include <cstdint>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/str_cat.h"
#include "models/generator.h"
#include "models/layers/core/activation.h"
#include "models/layers/core/embedding.h"
#include "models/layers/core/layer_norm.h"
#include "models/layers/core/layered_model.h"
#include "models/layers/core/linear.h"
#include "models/layers/core/parameter_checks.h"
#include "models/layers/core/recipes.h"
#include "models/layers/sequence/conv1d.h"
#include "models/layers/sequence/decoder_memory.h"
#include "models/layers/sequence/key_value_cache.h"
#include "models/layers/text/fairseq_block.h"
#include "models/layers/text/text_heads.h"
#include "models/parameters.h"
#include "models/registry.h"
#include "models/trainable.h"

namespace assay::models {
namespace {

struct WhisperOptions {
  int64_t vocab_size = 0;
  int64_t num_mel_bins;
  int64_t d_model;
  int64_t layers;  // of the encoder, and as many of the decoder
  int64_t attention_heads;
  int64_t ffn_dim;
  int64_t max_source_positions;  // of the encoder, for two frames each
  int64_t max_target_positions = 0;
};

std::unique_ptr<FairseqBlock> NewBlock(Layer& parent, int64_t number, const WhisperOptions& options,
                                       bool decoder) {
  return std::make_unique<FairseqBlock>(parent, absl::StrCat("layers.", number),
                                        FairseqBlockOptions{.features = options.d_model,
                                                            .heads = options.attention_heads,
                                                            .hidden = options.ffn_dim,
                                                            .dropout = 0,
                                                            .causal = decoder,
                                                            .attends_encoder = decoder,
                                                            .key_bias = false});
}

// Sinusoids that files hold and nobody trains.
class GivenPositions final : public Layer {
 public:
  GivenPositions(Layer& parent, std::string name, const WhisperOptions& options)
      : Layer(parent, std::move(name)) {
    AddBuffer("weight", {options.max_source_positions, options.d_model}, EmbeddingInit(), table_);
  }

  const at::Tensor& table() const { return table_; }

 private:
  at::Tensor table_;
};

class Encoder final : public Layer {
 public:
  Encoder(Layer& parent, std::string name, const WhisperOptions& options)
      : Layer(parent, std::move(name)),
        conv1_(*this, "conv1",
               {.in = options.num_mel_bins,
                .out = options.d_model,
                .kernel = 3,
                .padding = 1,
                .bias = true}),
        conv2_(*this, "conv2",
               {.in = options.d_model,
                .out = options.d_model,
                .kernel = 3,
                .stride = 2,
                .padding = 1,
                .bias = true}),
        positions_(*this, "embed_positions", options) {
    for (int64_t i = 0; i < options.layers; ++i)
      blocks_.push_back(NewBlock(*this, i, options, false));
    norm_ = std::make_unique<LayerNorm>(*this, "layer_norm",
                                        LayerNormOptions{.features = options.d_model});
  }

  // (N, mel bins, frames) -> (N, frames / 2, d_model).
  at::Tensor Forward(const at::Tensor& frames) const {
    at::Tensor x = Activate(Activation::kGelu, conv1_.Forward(frames));
    x = Activate(Activation::kGelu, conv2_.Forward(x));
    x = x.permute({0, 2, 1}).add(positions_.table());
    for (const std::unique_ptr<FairseqBlock>& block : blocks_) {
      x = block->Forward(x, {}, nullptr);
      constexpr double kLargest = 65504 - 1000;
      if (x.scalar_type() == at::kHalf) x.clamp_(-kLargest, kLargest);
    }
    return norm_->Forward(x);
  }

 private:
  Conv1d conv1_;
  Conv1d conv2_;
  GivenPositions positions_;
  std::vector<std::unique_ptr<FairseqBlock>> blocks_;
  std::unique_ptr<LayerNorm> norm_;
};

class Decoder final : public Layer {
 public:
  Decoder(Layer& parent, std::string name, const WhisperOptions& options)
      : Layer(parent, std::move(name)),
        words_(*this, "embed_tokens", {.rows = options.vocab_size, .features = options.d_model}),
        positions_(*this, "embed_positions",
                   {.rows = options.max_target_positions, .features = options.d_model}) {
    for (int64_t i = 0; i < options.layers; ++i)
      blocks_.push_back(NewBlock(*this, i, options, true));
    norm_ = std::make_unique<LayerNorm>(*this, "layer_norm",
                                        LayerNormOptions{.features = options.d_model});
  }

  // Tokens (N, n) -> (N, n, d_model); a memory for each block.
  at::Tensor Forward(const at::Tensor& tokens, const std::vector<DecoderMemory>& memories) const {
    at::Tensor x = words_.Forward(tokens);
    x.add_(positions_.Rows(memories.front().place, tokens.size(1)));
    for (size_t i = 0; i < blocks_.size(); ++i) x = blocks_[i]->Forward(x, {}, &memories[i]);
    return norm_->Forward(x);
  }

  // Each block's keys and values of the encoder's output.
  std::vector<KeyValue> OfEncoded(const at::Tensor& encoded) const {
    std::vector<KeyValue> of_blocks;
    for (const std::unique_ptr<FairseqBlock>& block : blocks_)
      of_blocks.push_back(block->OfEncoded(encoded));
    return of_blocks;
  }

  const at::Tensor& words() const { return words_.weight(); }

 private:
  Embedding words_;
  Embedding positions_;
  std::vector<std::unique_ptr<FairseqBlock>> blocks_;
  std::unique_ptr<LayerNorm> norm_;
};

class Whisper final : public LayeredModel, public Trainable, public Generator {
 public:
  explicit Whisper(const WhisperOptions& options)
      : options_(options),
        encoder_(*this, "model.encoder", options),
        decoder_(*this, "model.decoder", options),
        scores_(*this, "proj_out",
                {.in = options.d_model,
                 .out = options.vocab_size,
                 .bias = false,
                 .tied_weight = &decoder_.words()}) {}

  // Frames (N, mel bins, frames) and the decoder's tokens, int64 (N, T) -> logits (N, T, vocabulary).
  std::vector<at::Tensor> Forward(at::ArrayRef<at::Tensor> inputs) override {
    const auto memories = Memories(decoder_.OfEncoded(encoder_.Forward(inputs[0])), {});
    return {scores_.Forward(decoder_.Forward(inputs[1], memories))};
  }

  // The mean over all tokens; labels int64 (N, T), each that of the token behind.
  at::Tensor Loss(at::ArrayRef<at::Tensor> outputs, at::ArrayRef<at::Tensor> targets) override {
    return WordLoss(outputs[0], targets[0]);
  }

  std::vector<at::Tensor> NewCache(at::ArrayRef<at::Tensor> inputs, int64_t capacity) override {
    return NewDecoderCache({.blocks = options_.layers,
                            .features = options_.d_model,
                            .rows = inputs[0].size(0),
                            .capacity = capacity,
                            .encoded = options_.max_source_positions,
                            .masked = false},
                           decoder_.words().options());
  }

  at::Tensor Prefill(at::ArrayRef<at::Tensor> inputs, at::ArrayRef<at::Tensor> cache) override {
    KeepEncoded(decoder_.OfEncoded(encoder_.Forward(inputs[0])), {}, cache);
    return Extend(inputs[1], 0, cache);
  }

  at::Tensor Extend(const at::Tensor& tokens, const CachePlace& place,
                    at::ArrayRef<at::Tensor> cache) override {
    const auto memories = CachedMemories(options_.layers, cache, place);
    return scores_.Forward(decoder_.Forward(tokens, memories).select(1, -1));
  }

 private:
  WhisperOptions options_;
  Encoder encoder_;
  Decoder decoder_;
  Linear scores_;
};

class WhisperForAudioClassification final : public LayeredModel {
 public:
  WhisperForAudioClassification(const WhisperOptions& options, int64_t projected, int64_t classes)
      : encoder_(*this, "encoder", options),
        projector_(*this, "projector", {.in = options.d_model, .out = projected}),
        classifier_(*this, "classifier", {.in = projected, .out = classes}) {}

  // Frames (N, mel bins, frames) -> logits (N, classes).
  std::vector<at::Tensor> Forward(at::ArrayRef<at::Tensor> inputs) override {
    return {classifier_.Forward(projector_.Forward(encoder_.Forward(inputs[0])).mean(1))};
  }

 private:
  Encoder encoder_;
  Linear projector_;
  Linear classifier_;
};

absl::StatusOr<WhisperOptions> OptionsOf(const Parameters& parameters) {
  const absl::Status status = CheckMultiple("whisper", parameters, "d_model", "attention_heads");
  if (!status.ok()) return status;
  return WhisperOptions{.num_mel_bins = parameters.Integer("num_mel_bins"),
                        .d_model = parameters.Integer("d_model"),
                        .layers = parameters.Integer("layers"),
                        .attention_heads = parameters.Integer("attention_heads"),
                        .ffn_dim = parameters.Integer("ffn_dim"),
                        .max_source_positions = parameters.Integer("max_source_positions")};
}

ASSAY_MODEL_IMPLEMENTATION(
    "whisper", [](const Parameters& parameters) -> absl::StatusOr<std::unique_ptr<Model>> {
      absl::StatusOr<WhisperOptions> options = OptionsOf(parameters);
      if (!options.ok()) return options.status();
      options->vocab_size = parameters.Integer("vocab_size");
      options->max_target_positions = parameters.Integer("max_target_positions");
      return std::make_unique<Whisper>(*options);
    });

ASSAY_MODEL_IMPLEMENTATION(
    "whisper_audio_classification",
    [](const Parameters& parameters) -> absl::StatusOr<std::unique_ptr<Model>> {
      const absl::StatusOr<WhisperOptions> options = OptionsOf(parameters);
      if (!options.ok()) return options.status();
      return std::make_unique<WhisperForAudioClassification>(
          *options, parameters.Integer("classifier_proj_size"), parameters.Integer("num_labels"));
    });

}  // namespace
}  // namespace assay::models

// wav2vec 2.0 as Hugging Face transformers builds it (Wav2Vec2ForCTC, "sdpa" attention): seven
// convolutions over a sound, an encoder of their frames, whose positions a convolution adds, and a
// score for each letter at each frame. The loss (CTC) sums over all ways to spread the letters of a
// row over its frames. Tensor names, order and shapes are its state_dict's, so its checkpoints fit.
//
// Two differences in training: no layer is left out (layerdrop 0), and no frame is masked
// (apply_spec_augment false). Both draw random numbers outside of LibTorch's generator. So
// masked_spec_embed is never read.

#include <ATen/TensorOperators.h>
#include <ATen/core/Tensor.h>
#include <ATen/ops/_weight_norm.h>
#include <ATen/ops/conv1d.h>
#include <ATen/ops/ctc_loss.h>
#include <ATen/ops/log_softmax.h>
#include <c10/core/ScalarType.h>
#include <c10/util/Exception.h>

#include <array>
#include <cmath>
#include <cstdint>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/str_cat.h"
#include "models/layers/core/activation.h"
#include "models/layers/core/dropout.h"
#include "models/layers/core/group_norm.h"
#include "models/layers/core/layer_norm.h"
#include "models/layers/core/layered_model.h"
#include "models/layers/core/linear.h"
#include "models/layers/core/parameter_checks.h"
#include "models/layers/core/recipes.h"
#include "models/layers/sequence/conv1d.h"
#include "models/layers/text/fairseq_block.h"
#include "models/parameters.h"
#include "models/registry.h"
#include "models/trainable.h"

namespace assay::models {
namespace {

constexpr double kDropout = 0.1;  // transformers' default for all of its probabilities
constexpr int64_t kBlank = 0;     // the letter that stands between letters
// The convolutions over the sound. A frame sees kWindow samples, and the next one begins 320 later.
constexpr std::array<int64_t, 7> kKernels = {10, 3, 3, 3, 3, 2, 2};
constexpr std::array<int64_t, 7> kStrides = {5, 2, 2, 2, 2, 2, 2};
constexpr int64_t kWindow = 400;
// A GELU takes a third off the size of a sound of standard deviation 1, and no norm restores it.
constexpr double kConvolutionGain = 1.5;

struct Wav2Vec2Options {
  int64_t vocab_size;
  int64_t hidden_size;
  int64_t num_hidden_layers;
  int64_t num_attention_heads;
  int64_t intermediate_size;
  int64_t conv_dim;
  bool every_norm;  // behind each convolution, over the channels; else behind the first, over time
  bool conv_bias;
  bool norm_first;  // in the encoder
  int64_t positions_kernel;
  int64_t positions_groups;
};

class SoundConvolution final : public Layer {
 public:
  SoundConvolution(Layer& parent, const Wav2Vec2Options& options, size_t number)
      : Layer(parent, absl::StrCat("conv_layers.", number)),
        conv_(*this, "conv",
              {.in = number == 0 ? 1 : options.conv_dim,
               .out = options.conv_dim,
               .kernel = kKernels[number],
               .stride = kStrides[number],
               .bias = options.conv_bias,
               .gain = kConvolutionGain}) {
    if (options.every_norm) {
      norm_ = std::make_unique<LayerNorm>(*this, "layer_norm",
                                          LayerNormOptions{.features = options.conv_dim});
    } else if (number == 0) {
      time_norm_ = std::make_unique<GroupNorm>(
          *this, "layer_norm",
          GroupNormOptions{.groups = options.conv_dim, .channels = options.conv_dim});
    }
  }

  // (N, channels, frames), as the result.
  at::Tensor Forward(const at::Tensor& x) const {
    at::Tensor y = conv_.Forward(x);
    if (norm_ != nullptr) y = norm_->Forward(y.transpose(1, 2)).transpose(1, 2);
    if (time_norm_ != nullptr) y = time_norm_->Forward(y);
    return Activate(Activation::kGelu, y);
  }

 private:
  Conv1d conv_;
  std::unique_ptr<LayerNorm> norm_;
  std::unique_ptr<GroupNorm> time_norm_;
};

class FeatureProjection final : public Layer {
 public:
  FeatureProjection(Layer& parent, const Wav2Vec2Options& options)
      : Layer(parent, "feature_projection"),
        norm_(*this, "layer_norm", {.features = options.conv_dim}),
        projection_(*this, "projection", {.in = options.conv_dim, .out = options.hidden_size}) {}

  at::Tensor Forward(const at::Tensor& x) const { return projection_.Forward(norm_.Forward(x)); }

 private:
  LayerNorm norm_;
  Linear projection_;
};

// A convolution over time whose weight is kept as a direction and a length, one for each of its taps.
class Positions final : public Layer {
 public:
  Positions(Layer& parent, const Wav2Vec2Options& options)
      : Layer(parent, "pos_conv_embed.conv"),
        kernel_(options.positions_kernel),
        groups_(options.positions_groups) {
    const int64_t out = options.hidden_size, in = out / groups_;
    AddParameter("bias", {out}, BiasInit(), bias_);
    // A length so that the weight has the standard deviation 1 / sqrt(in * kernel).
    AddParameter("parametrizations.weight.original0", {1, 1, kernel_},
                 ScaleInit(std::sqrt(static_cast<double>(out) / static_cast<double>(kernel_))),
                 length_);
    AddParameter("parametrizations.weight.original1", {out, in, kernel_}, WeightInit(in * kernel_),
                 direction_);
  }

  // (N, frames, features), as the result.
  at::Tensor Forward(const at::Tensor& x) const {
    const at::Tensor weight = at::_weight_norm(direction_, length_, /*dim=*/2);
    const at::Tensor y = at::conv1d(x.transpose(1, 2), weight, bias_, /*stride=*/1,
                                    /*padding=*/kernel_ / 2, /*dilation=*/1, groups_);
    // An even kernel makes one frame more.
    return Activate(Activation::kGelu, y.narrow(2, 0, x.size(1))).transpose(1, 2);
  }

 private:
  int64_t kernel_;
  int64_t groups_;
  at::Tensor bias_;
  at::Tensor length_;
  at::Tensor direction_;
};

class Encoder final : public Layer {
 public:
  Encoder(Layer& parent, const Wav2Vec2Options& options)
      : Layer(parent, "encoder"),
        norm_first_(options.norm_first),
        positions_(*this, options),
        norm_(*this, "layer_norm", {.features = options.hidden_size}),
        dropout_(*this, kDropout) {
    for (int64_t i = 0; i < options.num_hidden_layers; ++i) {
      blocks_.push_back(std::make_unique<FairseqBlock>(
          *this, absl::StrCat("layers.", i),
          FairseqBlockOptions{.features = options.hidden_size,
                              .heads = options.num_attention_heads,
                              .hidden = options.intermediate_size,
                              .norm_first = options.norm_first,
                              .dropout = kDropout,
                              .attention_dropout = kDropout,
                              .activation_dropout = kDropout,
                              .names = {.attention = "attention",
                                        .norm1 = "layer_norm",
                                        .widen = "feed_forward.intermediate_dense",
                                        .narrow = "feed_forward.output_dense"}}));
    }
  }

  at::Tensor Forward(const at::Tensor& x) const {
    at::Tensor y = x + positions_.Forward(x);
    y = dropout_.Forward(norm_first_ ? y : norm_.Forward(y));
    for (const std::unique_ptr<FairseqBlock>& block : blocks_) y = block->Forward(y, {}, nullptr);
    return norm_first_ ? norm_.Forward(y) : y;
  }

 private:
  bool norm_first_;
  Positions positions_;
  LayerNorm norm_;
  std::vector<std::unique_ptr<FairseqBlock>> blocks_;
  Dropout dropout_;
};

class Trunk final : public Layer {
 public:
  Trunk(Layer& parent, const Wav2Vec2Options& options) : Layer(parent, "wav2vec2") {
    AddParameter("masked_spec_embed", {options.hidden_size}, EmbeddingInit(), masked_);
    for (size_t i = 0; i < kKernels.size(); ++i)
      convolutions_.push_back(std::make_unique<SoundConvolution>(extractor_, options, i));
    projection_ = std::make_unique<FeatureProjection>(*this, options);
    encoder_ = std::make_unique<Encoder>(*this, options);
  }

  // A sound (N, samples) -> (N, frames, features).
  at::Tensor Forward(const at::Tensor& sound) const {
    TORCH_CHECK_VALUE(sound.dim() == 2 && sound.size(1) >= kWindow, "wav2vec2: the sound is ",
                      sound.sizes(), "; want (N, samples) with at least ", kWindow,
                      " samples, the window of a frame");
    at::Tensor x = sound.unsqueeze(1);
    for (const std::unique_ptr<SoundConvolution>& convolution : convolutions_)
      x = convolution->Forward(x);
    return encoder_->Forward(projection_->Forward(x.transpose(1, 2)));
  }

 private:
  class Extractor final : public Layer {
   public:
    explicit Extractor(Layer& parent) : Layer(parent, "feature_extractor") {}
  };

  at::Tensor masked_;
  Extractor extractor_{*this};
  std::vector<std::unique_ptr<SoundConvolution>> convolutions_;
  std::unique_ptr<FeatureProjection> projection_;
  std::unique_ptr<Encoder> encoder_;
};

class Wav2Vec2 final : public LayeredModel, public Trainable {
 public:
  explicit Wav2Vec2(const Wav2Vec2Options& options)
      : trunk_(*this, options),
        dropout_(*this, kDropout),
        scores_(*this, "lm_head", {.in = options.hidden_size, .out = options.vocab_size}) {}

  // A sound (N, samples) -> logits (N, frames, letters).
  std::vector<at::Tensor> Forward(at::ArrayRef<at::Tensor> inputs) override {
    return {scores_.Forward(dropout_.Forward(trunk_.Forward(inputs[0])))};
  }

  // The mean over the rows of what a row's letters, int64 (N, letters), cost each.
  at::Tensor Loss(at::ArrayRef<at::Tensor> outputs, at::ArrayRef<at::Tensor> targets) override {
    const int64_t rows = outputs[0].size(0), frames = outputs[0].size(1);
    const int64_t letters = targets[0].size(1);
    // Between two equal letters there is a blank.
    TORCH_CHECK_VALUE(frames >= 2 * letters - 1, "wav2vec2: ", frames,
                      " frames have no place for every row of ", letters,
                      " letters; give a longer sound or fewer letters");
    const at::ScalarType wide = c10::promoteTypes(outputs[0].scalar_type(), at::kFloat);
    return at::ctc_loss(at::log_softmax(outputs[0], -1, wide).transpose(0, 1), targets[0],
                        std::vector<int64_t>(rows, frames), std::vector<int64_t>(rows, letters),
                        kBlank);
  }

 private:
  Trunk trunk_;
  Dropout dropout_;
  Linear scores_;
};

ASSAY_MODEL_IMPLEMENTATION(
    "wav2vec2", [](const Parameters& parameters) -> absl::StatusOr<std::unique_ptr<Model>> {
      absl::Status status =
          CheckMultiple("wav2vec2", parameters, "hidden_size", "num_attention_heads");
      status.Update(
          CheckMultiple("wav2vec2", parameters, "hidden_size", "num_conv_pos_embedding_groups"));
      if (!status.ok()) return status;
      return std::make_unique<Wav2Vec2>(
          Wav2Vec2Options{.vocab_size = parameters.Integer("vocab_size"),
                          .hidden_size = parameters.Integer("hidden_size"),
                          .num_hidden_layers = parameters.Integer("num_hidden_layers"),
                          .num_attention_heads = parameters.Integer("num_attention_heads"),
                          .intermediate_size = parameters.Integer("intermediate_size"),
                          .conv_dim = parameters.Integer("conv_dim"),
                          .every_norm = parameters.Text("feat_extract_norm") == "layer",
                          .conv_bias = parameters.Flag("conv_bias"),
                          .norm_first = parameters.Flag("do_stable_layer_norm"),
                          .positions_kernel = parameters.Integer("num_conv_pos_embeddings"),
                          .positions_groups = parameters.Integer("num_conv_pos_embedding_groups")});
    });

}  // namespace
}  // namespace assay::models

// Demucs of facebookresearch/demucs's first version, which TorchBench has (demucs/model.py): convolutions
// with a stride shorten a sound, an LSTM looks at all of it, and transposed convolutions make the sound of
// each source; as in a U-Net each sees what its opposite made. Tensor names, order and shapes are the
// original's. `rescale` there scales the first weights of a training, which are seeded here. Options that no
// published model changes are left out: glu, rewrite, upsample and growth.

#include <ATen/TensorOperators.h>
#include <ATen/core/Tensor.h>
#include <ATen/ops/glu.h>
#include <ATen/ops/l1_loss.h>
#include <c10/util/Exception.h>

#include <cstdint>
#include <deque>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/str_cat.h"
#include "models/layers/core/conv_nd.h"
#include "models/layers/core/layered_model.h"
#include "models/layers/core/linear.h"
#include "models/layers/sequence/conv1d.h"
#include "models/layers/sequence/recurrent.h"
#include "models/parameters.h"
#include "models/registry.h"
#include "models/trainable.h"

namespace assay::models {
namespace {

// Factors on the weights' recipe, for what the activation in front of a layer takes away.
constexpr double kBehindGlu = 1.85, kBehindRelu = 1.4142135623730951, kBehindLstm = 2;

struct DemucsOptions {
  int64_t sources;
  int64_t audio_channels;
  int64_t channels;  // of the first convolution; each further one has twice as many
  int64_t depth;
  int64_t kernel;
  int64_t stride;
  int64_t context;  // steps that a decoder sees before it lengthens the sound
  int64_t lstm_layers;

  int64_t Channels(int64_t level) const { return channels << level; }
  int64_t Out(int64_t level) const {
    return level == 0 ? sources * audio_channels : Channels(level - 1);
  }
  // The shortest sound of which the LSTM's steps are as many as the first decoder sees.
  int64_t Shortest() const {
    int64_t steps = context;
    for (int64_t level = 0; level < depth; ++level) steps = (steps - 1) * stride + kernel;
    return steps;
  }
};

// The middle of x (..., T) that is `steps` long; what is left over is one longer behind it.
at::Tensor CentreOf(const at::Tensor& x, int64_t steps) {
  return x.narrow(-1, (x.size(-1) - steps) / 2, steps);
}

class Encoder final : public Layer {
 public:
  Encoder(Layer& parent, std::string name, const DemucsOptions& o, int64_t level)
      : Layer(parent, std::move(name)),
        shorten_(*this, "0",
                 {.in = level == 0 ? o.audio_channels : o.Channels(level - 1),
                  .out = o.Channels(level),
                  .kernel = o.kernel,
                  .stride = o.stride,
                  .bias = true,
                  .gain = kBehindGlu}),
        rewrite_(*this, "2",
                 {.in = o.Channels(level),
                  .out = 2 * o.Channels(level),
                  .kernel = 1,
                  .bias = true,
                  .gain = kBehindRelu}) {}

  at::Tensor Forward(const at::Tensor& x) const {
    return at::glu(rewrite_.Forward(shorten_.Forward(x).relu_()), 1);
  }

 private:
  Conv1d shorten_, rewrite_;
};

class Decoder final : public Layer {
 public:
  Decoder(Layer& parent, std::string name, const DemucsOptions& o, int64_t level)
      : Layer(parent, std::move(name)),
        last_(level == 0),
        rewrite_(*this, "0",
                 {.in = o.Channels(level),
                  .out = 2 * o.Channels(level),
                  .kernel = o.context,
                  .bias = true}),
        lengthen_(*this, "2",
                  {.in = o.Channels(level),
                   .out = o.Out(level),
                   .kernel = {o.kernel},
                   .stride = {o.stride},
                   .transposed = true,
                   .gain = kBehindGlu}) {}

  at::Tensor Forward(const at::Tensor& x) const {
    at::Tensor y = lengthen_.Forward(at::glu(rewrite_.Forward(x), 1));
    return last_ ? y : y.relu_();
  }

 private:
  const bool last_;
  Conv1d rewrite_;
  ConvNd lengthen_;
};

class Demucs final : public LayeredModel, public Trainable {
 public:
  explicit Demucs(const DemucsOptions& o) : options_(o) {
    for (int64_t i = 0; i < o.depth; ++i)
      encoders_.emplace_back(*this, absl::StrCat("encoder.", i), o, i);
    for (int64_t i = 0; i < o.depth; ++i)
      decoders_.emplace_back(*this, absl::StrCat("decoder.", i), o, o.depth - 1 - i);
    if (o.lstm_layers == 0) return;
    const int64_t features = o.Channels(o.depth - 1);
    lstm_ = std::make_unique<Lstm>(
        *this, "lstm.lstm",
        RecurrentOptions{
            .in = features, .hidden = features, .layers = o.lstm_layers, .both_ways = true});
    linear_ = std::make_unique<Linear>(
        *this, "lstm.linear",
        LinearOptions{.in = 2 * features, .out = features, .gain = kBehindLstm});
  }

  // A sound (N, audio channels, samples) -> that of each source (N, sources, audio channels, fewer samples),
  // from the middle.
  std::vector<at::Tensor> Forward(at::ArrayRef<at::Tensor> inputs) override {
    at::Tensor x = inputs[0];
    TORCH_CHECK_VALUE(
        x.dim() == 3 && x.size(1) == options_.audio_channels && x.size(2) >= options_.Shortest(),
        "demucs: the sound is ", x.sizes(), "; want (N, ", options_.audio_channels, ", samples), ",
        options_.Shortest(), " samples or more");
    std::vector<at::Tensor> saved;
    for (const Encoder& encoder : encoders_) saved.push_back(x = encoder.Forward(x));
    if (lstm_) x = linear_->Forward(lstm_->Forward(x.transpose(1, 2))).transpose(1, 2);
    for (const Decoder& decoder : decoders_) {
      x = decoder.Forward(x + CentreOf(saved.back(), x.size(2)));
      saved.pop_back();
    }
    return {x.view({x.size(0), options_.sources, options_.audio_channels, x.size(2)})};
  }

  // Targets: the sounds of the sources (N, sources, audio channels, samples).
  at::Tensor Loss(at::ArrayRef<at::Tensor> outputs, at::ArrayRef<at::Tensor> targets) override {
    return at::l1_loss(outputs[0], CentreOf(targets[0], outputs[0].size(3)));
  }

 private:
  const DemucsOptions options_;
  std::deque<Encoder> encoders_;
  std::deque<Decoder> decoders_;  // the deepest first
  std::unique_ptr<Lstm> lstm_;
  std::unique_ptr<Linear> linear_;
};

ASSAY_MODEL_IMPLEMENTATION(
    "demucs", [](const Parameters& p) -> absl::StatusOr<std::unique_ptr<Model>> {
      const DemucsOptions options = {.sources = p.Integer("sources"),
                                     .audio_channels = p.Integer("audio_channels"),
                                     .channels = p.Integer("channels"),
                                     .depth = p.Integer("depth"),
                                     .kernel = p.Integer("kernel_size"),
                                     .stride = p.Integer("stride"),
                                     .context = p.Integer("context"),
                                     .lstm_layers = p.Integer("lstm_layers")};
      // A decoder's result is at least a kernel long, and the next decoder sees `context` steps of it.
      if (options.kernel < options.context) {
        return absl::InvalidArgumentError(absl::StrCat(
            "demucs: kernel_size ", options.kernel, " is smaller than context ", options.context));
      }
      return std::make_unique<Demucs>(options);
    });

}  // namespace
}  // namespace assay::models

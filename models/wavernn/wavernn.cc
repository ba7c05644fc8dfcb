// WaveRNN as torchaudio builds it (torchaudio/models/wavernn.py): a score for each value that a
// sample of sound may have, from the samples before it and the spectrogram around it. Tensor names,
// order and shapes are torchaudio's, so its checkpoints fit.
//
// Forward is the training pass, which is given all samples. WaveRNN.infer(), which draws one sample
// after another, is not here.

#include <ATen/core/Tensor.h>
#include <ATen/ops/cat.h>
#include <ATen/ops/cross_entropy_loss.h>
#include <c10/util/Exception.h>

#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/str_cat.h"
#include "models/layers/core/batch_norm2d.h"
#include "models/layers/core/conv2d.h"
#include "models/layers/core/layered_model.h"
#include "models/layers/core/linear.h"
#include "models/layers/sequence/conv1d.h"
#include "models/layers/sequence/recurrent.h"
#include "models/layers/sequence/residual_sum.h"
#include "models/parameters.h"
#include "models/registry.h"
#include "models/trainable.h"

namespace assay::models {
namespace {

constexpr int64_t kAuxiliaryParts = 4;  // one for each layer that reads them

struct WaveRnnOptions {
  std::vector<int64_t> upsample_scales;
  int64_t n_classes;
  int64_t hop_length;
  int64_t n_res_block;
  int64_t n_rnn;
  int64_t n_fc;
  int64_t kernel_size;
  int64_t n_freq;
  int64_t n_hidden;
  int64_t n_output;

  int64_t auxiliary() const { return n_output / kAuxiliaryParts; }
};

// Each element of the last dimension so many times in a row.
at::Tensor Stretched(const at::Tensor& x, int64_t times) { return x.repeat_interleave(times, -1); }

class ResBlock final : public Layer {
 public:
  ResBlock(Layer& parent, std::string name, int64_t channels)
      : Layer(parent, std::move(name)),
        conv1_(*this, "resblock_model.0", {.in = channels, .out = channels, .kernel = 1}),
        norm1_(*this, "resblock_model.1", {.channels = channels}),
        conv2_(*this, "resblock_model.3", {.in = channels, .out = channels, .kernel = 1}),
        norm2_(*this, "resblock_model.4", {.channels = channels}) {}

  // (N, channels, frames).
  at::Tensor Forward(const at::Tensor& x) {
    const at::Tensor between = norm1_.Forward(conv1_.Forward(x)).relu_();
    return ResidualSum(norm2_.Forward(conv2_.Forward(between)), x);
  }

 private:
  Conv1d conv1_;
  BatchNorm1d norm1_;
  Conv1d conv2_;
  BatchNorm1d norm2_;
};

// Makes the features that the layers get beside the spectrogram itself.
class MelResNet final : public Layer {
 public:
  MelResNet(Layer& parent, std::string name, const WaveRnnOptions& options)
      : Layer(parent, std::move(name)),
        in_(*this, "melresnet_model.0",
            {.in = options.n_freq, .out = options.n_hidden, .kernel = options.kernel_size}),
        norm_(*this, "melresnet_model.1", {.channels = options.n_hidden}) {
    int64_t number = 3;  // in a sequence that counts the ReLU too
    for (int64_t i = 0; i < options.n_res_block; ++i) {
      blocks_.push_back(std::make_unique<ResBlock>(
          *this, absl::StrCat("melresnet_model.", number++), options.n_hidden));
    }
    out_ = std::make_unique<Conv1d>(
        *this, absl::StrCat("melresnet_model.", number),
        Conv1dOptions{.in = options.n_hidden, .out = options.n_output, .kernel = 1, .bias = true});
  }

  // Spectrogram (N, n_freq, frames + kernel_size - 1) -> (N, n_output, frames).
  at::Tensor Forward(const at::Tensor& specgram) {
    at::Tensor x = norm_.Forward(in_.Forward(specgram)).relu_();
    for (const std::unique_ptr<ResBlock>& block : blocks_) x = block->Forward(x);
    return out_->Forward(x);
  }

 private:
  Conv1d in_;
  BatchNorm1d norm_;
  std::vector<std::unique_ptr<ResBlock>> blocks_;
  std::unique_ptr<Conv1d> out_;
};

// From frames to samples.
class Upsample final : public Layer {
 public:
  Upsample(Layer& parent, std::string name, const WaveRnnOptions& options)
      : Layer(parent, std::move(name)),
        scales_(options.upsample_scales),
        hop_(options.hop_length),
        cut_frames_((options.kernel_size - 1) / 2),
        resnet_(*this, "resnet", options) {
    for (size_t i = 0; i < scales_.size(); ++i) {
      // The even numbers are those of the stretches.
      convs_.push_back(std::make_unique<Conv2d>(
          *this, absl::StrCat("upsample_layers.", 2 * i + 1),
          Conv2dOptions{
              .in = 1, .out = 1, .kernel = {1, 2 * scales_[i] + 1}, .padding = {0, scales_[i]}}));
    }
  }

  struct Samples {
    at::Tensor specgram;   // (N, samples, n_freq)
    at::Tensor auxiliary;  // (N, samples, n_output)
  };

  // Spectrogram (N, 1, n_freq, frames + kernel_size - 1) -> frames * hop_length samples.
  Samples Forward(const at::Tensor& specgram) {
    const at::Tensor auxiliary = Stretched(resnet_.Forward(specgram.squeeze(1)), hop_);
    at::Tensor x = specgram;
    for (size_t i = 0; i < convs_.size(); ++i) x = convs_[i]->Forward(Stretched(x, scales_[i]));
    // The frames that the kernel of the residual network has no output for.
    const int64_t cut = cut_frames_ * hop_;
    x = x.squeeze(1).slice(-1, cut, -cut);
    return {x.transpose(1, 2), auxiliary.transpose(1, 2)};
  }

 private:
  std::vector<int64_t> scales_;
  int64_t hop_;
  int64_t cut_frames_;  // at either end
  MelResNet resnet_;
  std::vector<std::unique_ptr<Conv2d>> convs_;
};

class WaveRnn final : public LayeredModel, public Trainable {
 public:
  explicit WaveRnn(const WaveRnnOptions& options)
      : options_(options),
        upsample_(*this, "upsample", options),
        fc_(*this, "fc", {.in = options.n_freq + options.auxiliary() + 1, .out = options.n_rnn}),
        rnn1_(*this, "rnn1", {.in = options.n_rnn, .hidden = options.n_rnn}),
        rnn2_(*this, "rnn2", {.in = options.n_rnn + options.auxiliary(), .hidden = options.n_rnn}),
        fc1_(*this, "fc1", {.in = options.n_rnn + options.auxiliary(), .out = options.n_fc}),
        fc2_(*this, "fc2", {.in = options.n_fc + options.auxiliary(), .out = options.n_fc}),
        fc3_(*this, "fc3", {.in = options.n_fc, .out = options.n_classes}) {}

  // Waveform (N, 1, samples), spectrogram (N, 1, n_freq, frames + kernel_size - 1) -> logits
  // (N, 1, samples, n_classes), where a frame has hop_length samples.
  std::vector<at::Tensor> Forward(at::ArrayRef<at::Tensor> inputs) override {
    CheckInputs(inputs[0], inputs[1]);
    const auto [specgram, auxiliary] = upsample_.Forward(inputs[1]);
    const std::vector<at::Tensor> parts = Parts(auxiliary);
    at::Tensor x =
        fc_.Forward(at::cat({inputs[0].squeeze(1).unsqueeze(-1), specgram, parts[0]}, -1));
    // Not in place (recurrent.h).
    x = rnn1_.Forward(x).add(x);
    x = rnn2_.Forward(at::cat({x, parts[1]}, -1)).add(x);
    x = fc1_.Forward(at::cat({x, parts[2]}, -1)).relu_();
    x = fc2_.Forward(at::cat({x, parts[3]}, -1)).relu_();
    return {fc3_.Forward(x).unsqueeze(1)};
  }

  // The mean over all samples; values int64 (N, 1, samples).
  at::Tensor Loss(at::ArrayRef<at::Tensor> outputs, at::ArrayRef<at::Tensor> targets) override {
    return at::cross_entropy_loss(outputs[0].flatten(0, 2), targets[0].flatten());
  }

 private:
  void CheckInputs(const at::Tensor& waveform, const at::Tensor& specgram) const {
    const int64_t frames = specgram.dim() == 4 ? specgram.size(3) - options_.kernel_size + 1 : 0;
    TORCH_CHECK_VALUE(frames > 0 && specgram.size(1) == 1 && specgram.size(2) == options_.n_freq,
                      "wavernn: the spectrogram is ", specgram.sizes(), "; want (N, 1, ",
                      options_.n_freq, ", frames), ", options_.kernel_size, " frames or more");
    TORCH_CHECK_VALUE(
        waveform.sizes() == at::IntArrayRef({specgram.size(0), 1, frames * options_.hop_length}),
        "wavernn: the waveform is ", waveform.sizes(), "; want (", specgram.size(0), ", 1, ",
        frames * options_.hop_length, ") for a spectrogram ", specgram.sizes());
  }

  std::vector<at::Tensor> Parts(const at::Tensor& auxiliary) const {
    std::vector<at::Tensor> parts;
    for (int64_t i = 0; i < kAuxiliaryParts; ++i)
      parts.push_back(auxiliary.narrow(-1, i * options_.auxiliary(), options_.auxiliary()));
    return parts;
  }

  const WaveRnnOptions options_;
  Upsample upsample_;
  Linear fc_;
  Gru rnn1_;
  Gru rnn2_;
  Linear fc1_;
  Linear fc2_;
  Linear fc3_;
};

absl::Status Check(const WaveRnnOptions& options) {
  int64_t product = 1;
  for (const int64_t scale : options.upsample_scales) product *= scale;
  if (product != options.hop_length) {
    return absl::InvalidArgumentError(absl::StrCat("wavernn: upsample_scales multiply to ", product,
                                                   ", not to hop_length ", options.hop_length));
  }
  if (options.kernel_size < 3 || options.kernel_size % 2 == 0) {
    return absl::InvalidArgumentError(absl::StrCat(
        "wavernn: kernel_size ", options.kernel_size,
        "; want an odd number from 3 on, since as many frames are cut off at either end"));
  }
  return absl::OkStatus();
}

ASSAY_MODEL_IMPLEMENTATION(
    "wavernn", [](const Parameters& parameters) -> absl::StatusOr<std::unique_ptr<Model>> {
      const WaveRnnOptions options = {.upsample_scales = parameters.Integers("upsample_scales"),
                                      .n_classes = parameters.Integer("n_classes"),
                                      .hop_length = parameters.Integer("hop_length"),
                                      .n_res_block = parameters.Integer("n_res_block"),
                                      .n_rnn = parameters.Integer("n_rnn"),
                                      .n_fc = parameters.Integer("n_fc"),
                                      .kernel_size = parameters.Integer("kernel_size"),
                                      .n_freq = parameters.Integer("n_freq"),
                                      .n_hidden = parameters.Integer("n_hidden"),
                                      .n_output = parameters.Integer("n_output")};
      const absl::Status status = Check(options);
      if (!status.ok()) return status;
      return std::make_unique<WaveRnn>(options);
    });

}  // namespace
}  // namespace assay::models

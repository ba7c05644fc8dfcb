// Hybrid Demucs as torchaudio builds it (torchaudio/models/_hdemucs.py): two U-Nets, one of a song's
// spectrogram and one of its samples (levels.h), take the sounds of the sources out of it. The model adds
// up what both have found. Tensor names, order and shapes are torchaudio's, so its checkpoints fit.
//
// Options that no published model changes are constants, with torchaudio's defaults. ATen has no Fourier
// transform in bf16, and none in fp16 on a CPU. In these dtypes the spectrogram, its inverse and the sum of
// both sounds are float32, as in torchaudio's model under autocast.

#include <ATen/OpMathType.h>
#include <ATen/TensorOperators.h>
#include <ATen/core/Tensor.h>
#include <ATen/ops/constant_pad_nd.h>
#include <ATen/ops/hann_window.h>
#include <ATen/ops/istft.h>
#include <ATen/ops/l1_loss.h>
#include <ATen/ops/pad.h>
#include <ATen/ops/stft.h>
#include <ATen/ops/view_as_complex.h>
#include <ATen/ops/view_as_real.h>
#include <ATen/ops/zeros_like.h>
#include <c10/util/Exception.h>

#include <cstdint>
#include <deque>
#include <memory>
#include <optional>
#include <string_view>
#include <utility>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/str_cat.h"
#include "models/hdemucs/levels.h"
#include "models/layers/core/layered_model.h"
#include "models/layers/core/recipes.h"
#include "models/parameters.h"
#include "models/registry.h"
#include "models/trainable.h"

namespace assay::models {
namespace {

constexpr double kFrequencyScale = 10, kFrequencyWeight = 0.2;
constexpr double kSmallest = 1e-5;  // is added to the deviation that divides

// The transform of `nfft` samples at each step, four of which are `nfft` samples long.
class FourierTransform final : public Layer {
 public:
  FourierTransform(Layer& parent, int64_t nfft) : Layer(parent, ""), nfft_(nfft) {
    AddConstant(at::hann_window(nfft, at::kDouble), window_, /*keeps_dtype=*/true);
  }

  // One sample more than are reflected at most. torchaudio puts zeros behind some shorter sounds, and refuses
  // others.
  int64_t Shortest() const { return Edge() + Hop(); }

  // A sound (N, channels, samples) -> (N, 2 * channels, nfft / 2, steps): of each channel the real parts,
  // then the imaginary ones. The highest frequency is left out.
  at::Tensor Spectrogram(const at::Tensor& sound) const {
    const int64_t samples = sound.size(2), steps = Steps(samples);
    const at::Tensor longer =
        at::pad(sound, {Edge(), Edge() + steps * Hop() - samples}, "reflect").flatten(0, 1);
    const at::Tensor z = at::stft(longer, nfft_, Hop(), nfft_, window_.to(longer.scalar_type()),
                                  /*center=*/true, "reflect", /*normalized=*/true, std::nullopt,
                                  /*return_complex=*/true)
                             .narrow(1, 0, nfft_ / 2)
                             .narrow(2, kStepsBefore, steps)
                             .unflatten(0, {sound.size(0), -1});
    return at::view_as_real(z).permute({0, 1, 4, 2, 3}).flatten(1, 2);
  }

  // The other way round, of each source: (N, sources, 2 * channels, nfft / 2, steps) -> (N, sources,
  // channels, samples).
  at::Tensor Sounds(const at::Tensor& spectrogram, int64_t samples) const {
    const at::Tensor parts = spectrogram.unflatten(2, {-1, 2}).permute({0, 1, 2, 4, 5, 3});
    const at::Tensor z = at::constant_pad_nd(at::view_as_complex(parts.contiguous()),
                                             {kStepsBefore, kStepsBefore, 0, 1});
    const int64_t length = Hop() * Steps(samples) + 2 * Edge();
    return at::istft(z.flatten(0, 2), nfft_, Hop(), nfft_, window_.to(spectrogram.scalar_type()),
                     /*center=*/true, /*normalized=*/true, std::nullopt, length)
        .narrow(1, Edge(), samples)
        .unflatten(0, z.sizes().slice(0, 3));
  }

 private:
  // Steps of what is reflected alone, which are left out on both sides.
  static constexpr int64_t kStepsBefore = 2;

  int64_t Hop() const { return nfft_ / 4; }
  // Samples that are reflected on both sides of a sound.
  int64_t Edge() const { return Hop() / 2 * 3; }
  int64_t Steps(int64_t samples) const { return (samples + Hop() - 1) / Hop(); }

  const int64_t nfft_;
  at::Tensor window_;  // (nfft)
};

// torchaudio's _ScaledEmbedding: what the outermost level adds to its result, by its frequency.
struct FrequencyEmbedding final : Layer {
  FrequencyEmbedding(Layer& parent, int64_t frequencies, int64_t channels)
      : Layer(parent, "freq_emb.embedding") {
    AddParameter("weight", {frequencies, channels}, BiasInit(), weight);
  }

  // x (N, channels, frequencies, steps), as the result.
  at::Tensor AddedTo(const at::Tensor& x) const {
    return x + (weight * kFrequencyScale * kFrequencyWeight).t().unsqueeze(2);
  }

  at::Tensor weight;  // (frequencies, channels)
};

// Each row's mean and deviation over the dimensions behind it.
struct Scale {
  explicit Scale(const at::Tensor& x) {
    std::vector<int64_t> others;
    for (int64_t d = 1; d < x.dim(); ++d) others.push_back(d);
    mean = x.mean(others, /*keepdim=*/true);
    deviation = x.std(others, /*unbiased=*/true, /*keepdim=*/true);
  }
  at::Tensor Normalized(const at::Tensor& x) const { return (x - mean) / (deviation + kSmallest); }
  // From x (N, sources * channels, ...), which becomes (N, sources, channels, ...).
  at::Tensor Restored(const at::Tensor& x, int64_t sources) const {
    return x.unflatten(1, {sources, -1}) * deviation.unsqueeze(1) + mean.unsqueeze(1);
  }
  at::Tensor mean, deviation;  // (N, 1, ...)
};

struct UNet {
  UNet(Layer& parent, std::string_view name, const std::vector<Level>& levels) {
    for (size_t i = 0; i < levels.size(); ++i)
      encoders.emplace_back(parent, absl::StrCat(name, "_encoder.", i), levels[i]);
    for (size_t i = 0; i < levels.size(); ++i)
      decoders.emplace_back(parent, absl::StrCat(name, "_decoder.", i), levels.rbegin()[i]);
  }
  std::deque<Encoder> encoders;
  std::deque<Decoder> decoders;  // the innermost first
};

class HDemucs final : public LayeredModel, public Trainable {
 public:
  HDemucs(const HDemucsOptions& o, const Levels& levels)
      : options_(o),
        fourier_(*this, o.nfft),
        spectrogram_(*this, "freq", levels.spectrogram),
        sound_(*this, "time", levels.sound),
        embedding_(*this, o.nfft / 8, o.channels) {}

  // A song (N, audio channels, samples) -> the sound of each source (N, sources, audio channels, samples).
  std::vector<at::Tensor> Forward(at::ArrayRef<at::Tensor> inputs) override {
    const at::Tensor& song = inputs[0];
    TORCH_CHECK_VALUE(song.dim() == 3 && song.size(1) == options_.audio_channels &&
                          song.size(2) >= fourier_.Shortest(),
                      "hdemucs: the song is ", song.sizes(), "; want (N, ", options_.audio_channels,
                      ", samples), ", fourier_.Shortest(), " samples or more");
    const at::ScalarType dtype = song.scalar_type();
    const at::Tensor wide = song.to(at::toOpMathType(dtype));
    const at::Tensor spectrogram = fourier_.Spectrogram(wide);
    const Scale of_spectrogram(spectrogram), of_song(wide);
    const auto [x, y] = Separated(of_spectrogram.Normalized(spectrogram).to(dtype),
                                  of_song.Normalized(wide).to(dtype));
    const at::Tensor sounds =
        fourier_.Sounds(of_spectrogram.Restored(x, options_.sources), song.size(2));
    return {(of_song.Restored(y, options_.sources) + sounds).to(dtype)};
  }

  // Targets: the sounds of the sources, as Forward gives them. The loss is that of the original's training.
  at::Tensor Loss(at::ArrayRef<at::Tensor> outputs, at::ArrayRef<at::Tensor> targets) override {
    return at::l1_loss(outputs[0], targets[0]);
  }

 private:
  // Sends a spectrogram and a song through both U-Nets. The results have the sources as channels, one behind
  // the other.
  std::pair<at::Tensor, at::Tensor> Separated(at::Tensor x, at::Tensor y) const {
    std::vector<Passed> of_x, of_y;
    for (size_t i = 0; i < spectrogram_.encoders.size(); ++i) {
      const int64_t steps = x.size(-1);
      at::Tensor met;
      if (i < sound_.encoders.size()) {
        const int64_t samples = y.size(-1);
        y = sound_.encoders[i].Forward(y, /*met=*/{});
        of_y.push_back({samples, y});
        if (sound_.encoders[i].empty()) met = y;
      }
      x = spectrogram_.encoders[i].Forward(x, met);
      if (i == 0) x = embedding_.AddedTo(x);
      of_x.push_back({steps, x});
    }
    x = at::zeros_like(x);  // the innermost decoder reads only what is passed to it
    auto beside = sound_.decoders.begin();
    for (const Decoder& decoder : spectrogram_.decoders) {
      const auto [made, read] = decoder.Forward(x, of_x.back());
      x = made;
      of_x.pop_back();
      if (of_x.size() >= of_y.size()) continue;
      if (beside == sound_.decoders.begin()) y = read.squeeze(2);
      y = beside++->Forward(y, of_y.back()).first;
      of_y.pop_back();
    }
    return {x, y};
  }

  const HDemucsOptions options_;
  FourierTransform fourier_;
  UNet spectrogram_, sound_;
  FrequencyEmbedding embedding_;
};

ASSAY_MODEL_IMPLEMENTATION(
    "hdemucs", [](const Parameters& p) -> absl::StatusOr<std::unique_ptr<Model>> {
      const HDemucsOptions options = {.sources = p.Integer("sources"),
                                      .audio_channels = p.Integer("audio_channels"),
                                      .channels = p.Integer("channels"),
                                      .nfft = p.Integer("nfft"),
                                      .depth = p.Integer("depth")};
      const Levels levels = LevelsOf(options);
      if (!levels.sound.back().empty) {
        return absl::InvalidArgumentError(absl::StrCat(
            "hdemucs: nfft ", options.nfft, " needs more levels than depth ", options.depth));
      }
      if (levels.samples_of_a_step * 4 != options.nfft) {
        return absl::InvalidArgumentError(absl::StrCat(
            "hdemucs: nfft ", options.nfft,
            "; give 2048 or a power of 4, so that a step of the spectrogram is as long "
            "as one of the sound"));
      }
      return std::make_unique<HDemucs>(options, levels);
    });

}  // namespace
}  // namespace assay::models

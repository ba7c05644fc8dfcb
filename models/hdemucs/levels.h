#ifndef ASSAY_MODELS_HDEMUCS_LEVELS_H_
#define ASSAY_MODELS_HDEMUCS_LEVELS_H_

// ---------------------------------------------------------------------------------------------
// models/hdemucs/levels.h: the encoders and decoders of Hybrid Demucs, torchaudio's _HEncLayer and
// _HDecLayer, and which ones a model has.
//
// One U-Net is of the spectrogram (N, channels, frequencies, steps), the other of the sound (N, channels,
// samples). Each level of the first has a quarter of the frequencies, each of the second a quarter of the
// samples. They meet where one frequency is left: there the sound has as many steps as the spectrogram,
// and is added to it.
//
// Example:
//
//     Levels levels = LevelsOf({.sources = 4, .audio_channels = 2, .channels = 48, .nfft = 4096, .depth = 6});
//     // levels.spectrogram has 6 levels, levels.sound 5; levels.samples_of_a_step is 1024
// ---------------------------------------------------------------------------------------------

#include <ATen/core/Tensor.h>

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "models/hdemucs/dconv.h"
#include "models/layers/core/conv_nd.h"
#include "models/layers/core/group_norm.h"
#include "models/layers/core/layer.h"

namespace assay::models {

struct HDemucsOptions {
  int64_t sources;
  int64_t audio_channels;
  int64_t channels;  // of the outermost level; each further one has twice as many
  int64_t nfft;      // samples of a Fourier transform
  int64_t depth;
};

// An encoder, and the decoder that is its opposite.
struct Level {
  int64_t in, out;  // channels that the encoder reads and gives
  int64_t decoded;  // channels that the decoder gives
  int64_t kernel, stride, padding;
  bool over_frequencies;  // of a spectrogram; otherwise over the steps of a sound
  bool deep;              // with norms, LSTMs and attention
  bool outermost;
  bool empty;  // one convolution alone: where the sound meets the spectrogram

  // `many` frequencies and `one` step, or `many` steps.
  std::vector<int64_t> Along(int64_t many, int64_t one) const {
    return over_frequencies ? std::vector<int64_t>{many, one} : std::vector<int64_t>{many};
  }
  std::vector<int64_t> Around(int64_t many) const { return Along(many, many); }
};

struct Levels {
  std::vector<Level> spectrogram, sound;  // the outermost first
  int64_t samples_of_a_step = 1;          // of the sound's innermost level
};

Levels LevelsOf(const HDemucsOptions& o);

// Goes from an encoder to the decoder that is its opposite.
struct Passed {
  int64_t steps;      // of what the encoder read
  at::Tensor result;  // is not read if the level is empty
};

class Encoder final : public Layer {
 public:
  Encoder(Layer& parent, std::string name, const Level& level);

  // x (N, in, F, T) or (N, in, T) -> (N, out, F', T) or (N, out, T'). `met` (N, out, T) is the result of
  // the sound's empty level where both U-Nets meet, elsewhere undefined.
  at::Tensor Forward(at::Tensor x, const at::Tensor& met) const;

  bool empty() const { return level_.empty; }

 private:
  const Level level_;
  ConvNd conv_;
  std::unique_ptr<Layer> unused_norm_;
  std::optional<GroupNorm> norm1_;
  std::optional<ConvNd> rewrite_;
  std::optional<GroupNorm> norm2_;
  std::optional<DConv> dconv_;
};

class Decoder final : public Layer {
 public:
  Decoder(Layer& parent, std::string name, const Level& level);

  // The result, and what the transposed convolution read: where both U-Nets meet, it is what the sound's
  // first decoder reads.
  std::pair<at::Tensor, at::Tensor> Forward(at::Tensor x, const Passed& passed) const;

 private:
  const Level level_;
  ConvNd conv_tr_;
  std::optional<GroupNorm> norm2_;
  std::optional<ConvNd> rewrite_;
  std::optional<GroupNorm> norm1_;
};

}  // namespace assay::models

#endif  // ASSAY_MODELS_HDEMUCS_LEVELS_H_

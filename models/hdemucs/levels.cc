#include "models/hdemucs/levels.h"

#include <ATen/TensorOperators.h>
#include <ATen/ops/constant_pad_nd.h>
#include <ATen/ops/gelu.h>
#include <ATen/ops/glu.h>

namespace assay::models {
namespace {

// torchaudio's defaults, which no published model changes.
constexpr int64_t kKernel = 8, kStride = 4, kStrideBelow = 2, kContext = 1, kGroups = 4;
constexpr int64_t kFirstDeep = 4;
// For this one, torchaudio has half a stride where the U-Nets meet.
constexpr int64_t kHalvedNfft = 2048;

// Factors on the weights' recipe, for what the activation in front of a layer takes away.
constexpr double kBehindGelu = 1.2, kBehindGlu = 1.85;

// A norm that torchaudio registers and never calls: training leaves it as it is.
class UnusedNorm final : public Layer {
 public:
  UnusedNorm(Layer& parent, std::string name, int64_t channels)
      : Layer(parent, std::move(name)),
        norm_(*this, "", {.groups = kGroups, .channels = channels}) {
    Freeze();
  }

 private:
  GroupNorm norm_;
};

at::Tensor Normed(const std::optional<GroupNorm>& norm, const at::Tensor& x) {
  return norm ? norm->Forward(x) : x;
}

}  // namespace

Levels LevelsOf(const HDemucsOptions& o) {
  Levels levels;
  int64_t frequencies = o.nfft / 2;
  for (int64_t i = 0; i < o.depth; ++i) {
    const bool below = frequencies == 1, meet = !below && frequencies <= kKernel;
    Level level = {.in = i == 0 ? o.audio_channels : o.channels << (i - 1),
                   .out = o.channels << i,
                   .decoded = i == 0 ? o.audio_channels * o.sources : o.channels << (i - 1),
                   .kernel = kKernel,
                   .stride = kStride,
                   .padding = kKernel / 4,
                   .over_frequencies = false,
                   .deep = i >= kFirstDeep,
                   .outermost = i == 0,
                   .empty = false};
    Level halved = level;
    halved.stride = kStrideBelow;
    halved.kernel = 2 * kStrideBelow;
    halved.padding = halved.kernel / 4;
    if (below) {
      levels.spectrogram.push_back(halved);
      continue;
    }
    Level& sound = levels.sound.emplace_back(meet && o.nfft == kHalvedNfft ? halved : level);
    sound.empty = meet;
    levels.samples_of_a_step *= sound.stride;

    level.over_frequencies = true;
    if (i == 0) {  // real and imaginary parts
      level.in *= 2;
      level.decoded *= 2;
    }
    if (meet) {
      level.kernel = frequencies;
      level.padding = 0;
    }
    levels.spectrogram.push_back(level);
    frequencies = meet ? 1 : frequencies / kStride;
  }
  return levels;
}

Encoder::Encoder(Layer& parent, std::string name, const Level& level)
    : Layer(parent, std::move(name)),
      level_(level),
      conv_(*this, "conv",
            {.in = level.in,
             .out = level.out,
             .kernel = level.Along(level.kernel, 1),
             .stride = level.Along(level.stride, 1),
             .padding = level.Along(level.padding, 0),
             .gain = level.outermost ? 1 : kBehindGlu}) {
  if (level.empty) {
    if (level.deep) unused_norm_ = std::make_unique<UnusedNorm>(*this, "norm1", level.out);
    return;
  }
  if (level.deep)
    norm1_.emplace(*this, "norm1", GroupNormOptions{.groups = kGroups, .channels = level.out});
  rewrite_.emplace(
      *this, "rewrite",
      ConvNdOptions{
          .in = level.out, .out = 2 * level.out, .kernel = level.Around(1), .gain = kBehindGelu});
  if (level.deep)
    norm2_.emplace(*this, "norm2", GroupNormOptions{.groups = kGroups, .channels = 2 * level.out});
  dconv_.emplace(*this, "dconv", level.out, level.deep);
}

at::Tensor Encoder::Forward(at::Tensor x, const at::Tensor& met) const {
  if (!level_.over_frequencies) {
    if (x.dim() == 4) x = x.flatten(1, 2);  // one frequency is left
    const int64_t more = x.size(2) % level_.stride;
    if (more > 0) x = at::constant_pad_nd(x, {0, level_.stride - more});
  }
  at::Tensor y = conv_.Forward(x);
  if (level_.empty) return y;
  if (met.defined()) y = y + met.unsqueeze(2);
  y = at::gelu(Normed(norm1_, y));
  if (level_.over_frequencies) {
    const int64_t frequencies = y.size(2);
    y = dconv_->Forward(y.transpose(1, 2).flatten(0, 1));
    y = y.unflatten(0, {-1, frequencies}).transpose(1, 2);
  } else {
    y = dconv_->Forward(y);
  }
  return at::glu(Normed(norm2_, rewrite_->Forward(y)), 1);
}

Decoder::Decoder(Layer& parent, std::string name, const Level& level)
    : Layer(parent, std::move(name)),
      level_(level),
      conv_tr_(*this, "conv_tr",
               {.in = level.out,
                .out = level.decoded,
                .kernel = level.Along(level.kernel, 1),
                .stride = level.Along(level.stride, 1),
                .transposed = true,
                .gain = kBehindGlu}) {
  if (level.deep)
    norm2_.emplace(*this, "norm2", GroupNormOptions{.groups = kGroups, .channels = level.decoded});
  if (level.empty) return;
  rewrite_.emplace(*this, "rewrite",
                   ConvNdOptions{.in = level.out,
                                 .out = 2 * level.out,
                                 .kernel = level.Around(1 + 2 * kContext),
                                 .padding = level.Around(kContext)});
  if (level.deep)
    norm1_.emplace(*this, "norm1", GroupNormOptions{.groups = kGroups, .channels = 2 * level.out});
}

std::pair<at::Tensor, at::Tensor> Decoder::Forward(at::Tensor x, const Passed& passed) const {
  if (level_.over_frequencies && x.dim() == 3) x = x.unsqueeze(2);
  at::Tensor y = x;
  if (!level_.empty) y = at::glu(Normed(norm1_, rewrite_->Forward(x + passed.result)), 1);
  at::Tensor z = Normed(norm2_, conv_tr_.Forward(y));
  const int64_t kept = level_.over_frequencies ? z.size(2) - 2 * level_.padding : passed.steps;
  z = z.narrow(2, level_.padding, kept);
  return {level_.outermost ? z : at::gelu(z), y};
}

}  // namespace assay::models

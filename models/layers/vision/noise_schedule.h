#ifndef ASSAY_MODELS_LAYERS_VISION_NOISE_SCHEDULE_H_
#define ASSAY_MODELS_LAYERS_VISION_NOISE_SCHEDULE_H_

// ---------------------------------------------------------------------------------------------
// noise_schedule.h: the numbers of a denoising loop over the 1000 noise levels of Stable Diffusion,
// as the schedulers of diffusers with its published settings have them (scaled_linear betas from
// 0.00085 to 0.012, "leading" steps with an offset of 1). Their table alphas_cumprod is float32, and
// that is a part of what they compute: KeptSignal() is equal to it to the bit, on each processor. All
// other numbers are float64 (Euler's sigmas are float32 in diffusers, and differ between processors).
//
// Example:
//   const NoiseSchedule schedule = MakeNoiseSchedule(Sampler::kDdim, 20);
//   image = image * schedule.initial;
//   for (const DenoisingStep& step : schedule.steps)
//     image = step.keep * image + step.noise * network(image * step.input, step.time);
// ---------------------------------------------------------------------------------------------

#include <cstdint>
#include <vector>

namespace assay::models {

// Deterministic DDIM (eta = 0), and Euler's method.
enum class Sampler { kDdim, kEuler };

struct DenoisingStep {
  int64_t time = 0;  // noise level that the network is told, 0 to 999
  double input = 1;  // factor of the image that the network reads
  double keep = 1;   // factor of the image in the next one
  double noise = 0;  // factor of the noise that the network tells
};

struct NoiseSchedule {
  double initial = 1;  // factor of noise of variance 1, where the loop begins
  std::vector<DenoisingStep> steps;
};

// The share of the signal's variance that is left at each noise level.
std::vector<float> KeptSignal();

// `steps` from 1 to 999.
NoiseSchedule MakeNoiseSchedule(Sampler sampler, int64_t steps);

}  // namespace assay::models

#endif  // ASSAY_MODELS_LAYERS_VISION_NOISE_SCHEDULE_H_

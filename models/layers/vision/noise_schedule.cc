#include "models/layers/vision/noise_schedule.h"

#include <cmath>

namespace assay::models {
namespace {

constexpr int64_t kLevels = 1000;
constexpr int64_t kFirstLevel = 1;  // of the last step

// The standard deviation of the noise beside a signal of factor 1.
double Sigma(double kept) { return std::sqrt((1 - kept) / kept); }

}  // namespace

std::vector<float> KeptSignal() {
  // at::linspace in float32 counts from the nearer end, with one rounding a number; at::cumprod
  // multiplies in float64.
  const auto first = static_cast<float>(std::sqrt(0.00085));
  const auto last = static_cast<float>(std::sqrt(0.012));
  const float step = (last - first) / static_cast<float>(kLevels - 1);
  std::vector<float> kept;
  double product = 1;
  for (int64_t i = 0; i < kLevels; ++i) {
    const float root = i < kLevels / 2 ? std::fma(step, static_cast<float>(i), first)
                                       : std::fma(-step, static_cast<float>(kLevels - 1 - i), last);
    // Exact in float64, so that no compiler joins two operations of float32 into one.
    const auto beta = static_cast<float>(double{root} * root);
    product *= static_cast<float>(1 - double{beta});
    kept.push_back(static_cast<float>(product));
  }
  return kept;
}

NoiseSchedule MakeNoiseSchedule(Sampler sampler, int64_t steps) {
  const std::vector<float> table = KeptSignal();
  const int64_t apart = kLevels / steps;
  NoiseSchedule schedule;
  for (int64_t i = steps - 1; i >= 0; --i) {
    DenoisingStep step{.time = i * apart + kFirstLevel};
    const int64_t next = step.time - apart;
    if (sampler == Sampler::kDdim) {
      const double kept = table[step.time], kept_next = table[next < 0 ? 0 : next];
      step.keep = std::sqrt(kept_next / kept);
      step.noise = std::sqrt(1 - kept_next) - step.keep * std::sqrt(1 - kept);
    } else {
      const double sigma = Sigma(table[step.time]), sigma_next = i == 0 ? 0 : Sigma(table[next]);
      if (schedule.steps.empty()) schedule.initial = std::hypot(sigma, 1);
      step.input = 1 / std::hypot(sigma, 1);
      step.noise = sigma_next - sigma;
    }
    schedule.steps.push_back(step);
  }
  return schedule;
}

}  // namespace assay::models

#include "models/layers/vision/noise_schedule.h"

#include <cmath>
#include <numeric>
#include <vector>

#include "gmock/gmock.h"
#include "gtest/gtest.h"

namespace assay::models {
namespace {

// All numbers are of the schedulers of diffusers 0.42.1.
TEST(NoiseScheduleTest, KeptSignalIsAlphasCumprodToTheBit) {
  const std::vector<float> kept = KeptSignal();
  ASSERT_EQ(kept.size(), 1000);
  EXPECT_EQ(kept[0], 0.9991499781608582F);
  EXPECT_EQ(kept[1], 0.9982960224151611F);
  EXPECT_EQ(kept[499], 0.27766942977905273F);
  EXPECT_EQ(kept[500], 0.27633246779441833F);
  EXPECT_EQ(kept[999], 0.00466009508818388F);
  EXPECT_EQ(std::accumulate(kept.begin(), kept.end(), 0.0), 373.3764712619595);
}

TEST(NoiseScheduleTest, DdimStepsToTheFirstLevel) {
  const NoiseSchedule schedule = MakeNoiseSchedule(Sampler::kDdim, 3);
  EXPECT_EQ(schedule.initial, 1);
  double image = 0.5;
  std::vector<int64_t> times;
  std::vector<double> images;
  for (const DenoisingStep& step : schedule.steps) {
    EXPECT_EQ(step.input, 1);
    image = step.keep * image + step.noise * -0.25;
    times.push_back(step.time);
    images.push_back(image);
  }
  EXPECT_THAT(times, testing::ElementsAre(667, 334, 1));
  EXPECT_THAT(images,
              testing::Pointwise(testing::DoubleNear(1e-14),
                                 {1.4943139839469517, 2.2678857590312176, 2.271890986814612}));
}

TEST(NoiseScheduleTest, EulerStepsAlongTheDeviationsOfTheNoise) {
  const NoiseSchedule schedule = MakeNoiseSchedule(Sampler::kEuler, 3);
  EXPECT_NEAR(schedule.initial, 3.0955, 5e-5);
  std::vector<double> sigmas = {2.9295, 0.9355, 0.0413, 0};
  ASSERT_EQ(schedule.steps.size(), 3);
  for (size_t i = 0; i < 3; ++i) {
    EXPECT_EQ(schedule.steps[i].keep, 1);
    EXPECT_NEAR(schedule.steps[i].noise, sigmas[i + 1] - sigmas[i], 1e-4);
    EXPECT_NEAR(schedule.steps[i].input, 1 / std::sqrt(sigmas[i] * sigmas[i] + 1), 1e-4);
  }
}

}  // namespace
}  // namespace assay::models

#include "benchmarks/harness/statistics/geometric_mean.h"

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <limits>
#include <random>
#include <string>
#include <vector>

#include "benchmarks/harness/statistics/student.h"
#include "benchmarks/harness/statistics/t_tests.h"
#include "benchmarks/harness/statistics/testing/draws.h"
#include "gtest/gtest.h"

namespace assay::statistics {
namespace {

TEST(GeometricMeanOverModels, GivesEachModelOneVoice) {
  std::vector<Ratio> ratios = {{"mlp", std::log(4.0), 0}};
  for (int i = 0; i < 40; ++i) ratios.push_back({"bert", 0, 0});
  const auto mean = GeometricMeanOverModels(ratios);
  ASSERT_TRUE(mean.ok());
  EXPECT_NEAR(mean->ratio, 2, 1e-12);  // not 4^(1/41)
  EXPECT_EQ(mean->models, 2);
  EXPECT_EQ(mean->interval.low, mean->ratio);
}

TEST(GeometricMeanOverModels, CarriesErrorsOn) {
  // Two models: (0.01 + 0.03) / 2 from errors 0.003 and 0.004, and 0.06 with 0.006.
  const auto mean =
      GeometricMeanOverModels({{"a", 0.01, 0.003}, {"b", 0.06, 0.006}, {"a", 0.03, 0.004}});
  ASSERT_TRUE(mean.ok());
  const double error = std::hypot(0.0025 / 2, 0.006 / 2);
  EXPECT_NEAR(std::log(mean->ratio), 0.04, 1e-12);
  EXPECT_NEAR(std::log(mean->interval.high), 0.04 + 1.959963984540054 * error, 1e-12);
  EXPECT_NEAR(std::log(mean->interval.low), 0.04 - 1.959963984540054 * error, 1e-12);
}

TEST(GeometricMeanOverModels, OfOneCaseIsItsOwnInterval) {
  const auto mean = GeometricMeanOverModels({{"a", 0.02, 0.01, 9}});
  EXPECT_NEAR(std::log(mean->interval.high), 0.02 + CriticalT(0.05, 9) * 0.01, 1e-12);
}

TEST(GeometricMeanOverModels, TurnsRoundWithTheBaselineAndForgetsTheOrder) {
  std::vector<Ratio> ratios = {{"a", 0.3, 0.1, 4}, {"b", -0.1, 0.2, 9}, {"a", 0.7, 0.05}};
  const auto mean = GeometricMeanOverModels(ratios);
  std::reverse(ratios.begin(), ratios.end());
  EXPECT_NEAR(GeometricMeanOverModels(ratios)->ratio, mean->ratio, 1e-15);
  for (Ratio& r : ratios) r.log_ratio = -r.log_ratio;
  const auto inverse = GeometricMeanOverModels(ratios);
  EXPECT_NEAR(inverse->ratio * mean->ratio, 1, 1e-14);
  EXPECT_NEAR(inverse->interval.low * mean->interval.high, 1, 1e-14);
}

TEST(GeometricMeanOverModels, RefusesNothingAndNonsense) {
  EXPECT_EQ(GeometricMeanOverModels({}).status().code(), absl::StatusCode::kFailedPrecondition);
  const double nan = std::nan(""), infinite = std::numeric_limits<double>::infinity();
  for (const Ratio& bad : {Ratio{"a", nan, 0}, Ratio{"a", infinite, 0}, Ratio{"a", 0, nan},
                           Ratio{"a", 0, -1}, Ratio{"a", 0, 1, 0}, Ratio{"a", 0, 1, nan}}) {
    const auto refused = GeometricMeanOverModels({{"b", 0, 0}, bad});
    EXPECT_EQ(refused.status().code(), absl::StatusCode::kInvalidArgument);
    EXPECT_NE(refused.status().message().find(" a has"), std::string::npos) << refused.status();
  }
  EXPECT_EQ(GeometricMeanOverModels({{"b", 0, 0}}, 1).status().code(),
            absl::StatusCode::kInvalidArgument);
}

// Four models of 1, 2, 3 and 4 cases, each measured by 8 pairs.
TEST(GeometricMeanOverModels, CoversTheTrueMeanOfItsModels) {
  std::mt19937_64 random(31);
  int held = 0;
  constexpr int kSets = 8000;
  for (int set = 0; set < kSets; ++set) {
    std::vector<Ratio> ratios;
    for (int model = 1; model <= 4; ++model) {
      for (int c = 0; c < model; ++c) {
        std::vector<double> x = Draw(Shape::kNormal, 8, random);
        for (double& v : x) v = 0.01 * model + 0.002 * (c + 1) * v;
        const TTest t = *PairedT(x);
        ratios.push_back({std::to_string(model), t.estimate, t.standard_error, 7});
      }
    }
    const GeometricMean mean = *GeometricMeanOverModels(ratios);
    held += mean.interval.low <= std::exp(0.025) && std::exp(0.025) <= mean.interval.high;
  }
  std::printf("geometric mean: coverage %.4f\n", held / double{kSets});
  EXPECT_NEAR(held / double{kSets}, 0.95, 0.01);
}

}  // namespace
}  // namespace assay::statistics

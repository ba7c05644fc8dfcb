#include "benchmarks/harness/statistics/describe/modality.h"

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <functional>
#include <initializer_list>
#include <limits>
#include <random>
#include <string>
#include <utility>
#include <vector>

#include "gtest/gtest.h"

namespace assay::statistics {
namespace {

using Source = std::function<double(std::mt19937_64&)>;

Modality Assess(std::vector<double> x) {
  std::sort(x.begin(), x.end());
  const auto result = AssessModality(x);
  EXPECT_TRUE(result.ok()) << result.status();
  return *result;
}

struct Flags {
  double share, highest;
};

Flags Flagged(const Source& draw, int n, int sets) {
  std::mt19937_64 random(n);
  int flagged = 0;
  double highest = 0;
  for (int set = 0; set < sets; ++set) {
    std::vector<double> x(n);
    for (double& v : x) v = draw(random);
    const Modality m = Assess(x);
    flagged += m.bimodal;
    highest = std::max(highest, m.score);
  }
  return {flagged / static_cast<double>(sets), highest};
}

Source Normal(double mean, double sd) {
  return [=](std::mt19937_64& r) { return std::normal_distribution<double>(mean, sd)(r); };
}

Source Mixture(double high_share, double low, double high, double sd) {
  return [=](std::mt19937_64& r) {
    const bool up = std::uniform_real_distribution<double>()(r) < high_share;
    return std::normal_distribution<double>(up ? high : low, sd)(r);
  };
}

// A clock that shows whole ticks of `tick`, rounded down to nanoseconds, under a smooth
// distribution.
Source Ticks(double tick, double mean, double sd) {
  return [=](std::mt19937_64& r) {
    const double ticks = std::round(std::normal_distribution<double>(mean, sd)(r) / tick);
    return std::floor(ticks * tick);
  };
}

TEST(AssessModality, DoesNotFlagOneMode) {
  const struct {
    const char* name;
    Source draw;
  } sources[] = {
      {"normal", Normal(1e6, 1e4)},
      {"uniform", [](auto& r) { return std::uniform_real_distribution<double>(1, 2)(r); }},
      {"exponential", [](auto& r) { return 5 + std::exponential_distribution<double>(1)(r); }},
      {"lognormal 0.3", [](auto& r) { return std::lognormal_distribution<double>(0, 0.3)(r); }},
      {"lognormal 1", [](auto& r) { return std::lognormal_distribution<double>(0, 1)(r); }},
      {"lognormal 2", [](auto& r) { return std::lognormal_distribution<double>(0, 2)(r); }},
      {"Student 2", [](auto& r) { return 50 + std::student_t_distribution<double>(2)(r); }},
      {"2 % outliers", Mixture(0.02, 1, 30, 0.02)},
      {"2 % outliers below", Mixture(0.98, 1, 30, 0.02)},
      {"two near modes", Mixture(0.5, 1, 1.03, 0.01)},
      {"ticks, about 1 seen", Ticks(100, 1030, 20)},
      {"ticks, 2 seen", Ticks(100, 1050, 30)},
      {"ticks, 2 seen, low", Ticks(100, 350, 20)},
      {"ticks, 3 seen", Ticks(100, 1000, 60)},
      {"ticks, 10 seen", Ticks(100, 5000, 200)},
      {"ticks of 41.67, 2 seen", Ticks(1000.0 / 24, 395, 12)},
      {"ticks of 41.67, 3 seen", Ticks(1000.0 / 24, 800, 25)},
      {"ticks of 41.67, 2 seen at 50", Ticks(1000.0 / 24, 2105, 14)},
      {"ticks of 1", Ticks(1, 900.5, 0.4)},
      {"ticks of 32, many", Ticks(32, 9000, 90)},
  };
  for (const auto& source : sources) {
    for (int n : {30, 50, 300, 5000}) {
      const int sets = n <= 300 ? 2000 : 50;
      const Flags flags = Flagged(source.draw, n, sets);
      std::printf("%-28s n = %4d: flagged %.4f, highest score %.2f\n", source.name, n, flags.share,
                  flags.highest);
      EXPECT_LE(flags.share, std::string(source.name) == "lognormal 2" ? 0.01 : 0.001)
          << source.name << " " << n;
    }
  }
}

TEST(AssessModality, FlagsTwoModes) {
  for (double share : {0.2, 0.35, 0.5, 0.65, 0.8}) {
    for (double sd : {0.0001, 0.005, 0.015}) {
      for (int n : {50, 300, 5000}) {
        const Flags flags = Flagged(Mixture(share, 0.9, 1.1, sd), n, n <= 300 ? 400 : 40);
        EXPECT_GE(flags.share, n == 50 ? 0.87 : 0.99) << share << " " << sd << " " << n;
      }
    }
  }
}

TEST(AssessModality, FlagsTwoModesAmongOutliersAndSkew) {
  const Source draw = [](std::mt19937_64& r) {
    const double u = std::uniform_real_distribution<double>()(r);
    if (u < 0.02) return 1000.0;
    return (u < 0.4 ? 1.1 : 0.9) + std::exponential_distribution<double>(100)(r);
  };
  EXPECT_GE(Flagged(draw, 300, 400).share, 0.99);
}

TEST(AssessModality, SaysWhereTheModesAreAndHowManyAreThere) {
  std::vector<double> x;
  for (int i = 0; i < 100; ++i) x.push_back((i % 10 < 3 ? 110 : 90) + 0.01 * (i % 7));
  const Modality m = Assess(x);
  EXPECT_TRUE(m.bimodal);
  EXPECT_NEAR(m.low_mode, 90.03, 1e-9);
  EXPECT_NEAR(m.high_mode, 110.03, 0.011);
  EXPECT_NEAR(m.low_share, 0.7, 1e-12);
  EXPECT_NEAR(m.high_share, 0.3, 1e-12);
  EXPECT_NEAR(m.separation, 20.0 / 90, 1e-3);
}

// Two exact values, as a scripted clock gives.
TEST(AssessModality, TellsTicksFromModes) {
  const auto of = [](double low, double high) {
    std::vector<double> x;
    for (int i = 0; i < 100; ++i) x.push_back(i % 5 < 2 ? high : low);
    return Assess(x).bimodal;
  };
  EXPECT_TRUE(of(900, 1100));
  EXPECT_TRUE(of(0.9, 1.1));
  EXPECT_TRUE(of(900, 2000));
  EXPECT_FALSE(of(900, 1000));     // 9 and 10 ticks
  EXPECT_FALSE(of(1000, 1001));    // closer than 5 %
  EXPECT_FALSE(of(100, 200));      // 1 and 2 ticks
  EXPECT_TRUE(of(950, 1050));      // 9.5 ticks, each more than a tenth of the lower value
  EXPECT_FALSE(of(1050, 1150));    // 10.5 ticks, each less
  EXPECT_TRUE(of(415.7, 515.7));   // more than 0.15 of a tick beside a whole number
  EXPECT_FALSE(of(414.3, 514.3));  // less
}

std::vector<double> Groups(std::initializer_list<std::pair<int, double>> groups) {
  std::vector<double> x;
  for (const auto& [count, value] : groups) x.insert(x.end(), count, value);
  return x;
}

TEST(AssessModality, WantsAnEighthOfTheSamplesInEachMode) {
  EXPECT_TRUE(Assess(Groups({{125, 900}, {875, 1100}})).bimodal);
  EXPECT_FALSE(Assess(Groups({{124, 900}, {876, 1100}})).bimodal);
  EXPECT_TRUE(Assess(Groups({{875, 900}, {125, 1100}})).bimodal);
  EXPECT_FALSE(Assess(Groups({{876, 900}, {124, 1100}})).bimodal);
}

TEST(AssessModality, LeavesATwentiethOfTheSamplesOutAtEitherEnd) {
  EXPECT_TRUE(Assess(Groups({{450, 900}, {500, 1100}, {50, 1e6}})).bimodal);
  EXPECT_FALSE(Assess(Groups({{450, 900}, {499, 1100}, {51, 1e6}})).bimodal);
  EXPECT_TRUE(Assess(Groups({{50, -1e6}, {450, 900}, {500, 1100}})).bimodal);
  EXPECT_FALSE(Assess(Groups({{51, -1e6}, {450, 900}, {499, 1100}})).bimodal);
}

// 250 samples each at 10 below and above two means d apart. Without 50 at either end the means are 10 / 9
// nearer to each other, and the deviation is 10 sqrt(80 / 81). 4.5 + 30 / sqrt(1000) is 5.449.
TEST(AssessModality, HoldsTheScoreToALimitThatFallsWithTheSamples) {
  for (const auto& [d, bimodal] : {std::pair{56.2, false}, {56.5, true}}) {
    const Modality m =
        Assess(Groups({{250, 143.8}, {250, 163.8}, {250, 143.8 + d}, {250, 163.8 + d}}));
    EXPECT_NEAR(m.score, (d - 20.0 / 9) / (10 * std::sqrt(80.0 / 81)), 1e-9);
    EXPECT_EQ(m.bimodal, bimodal) << m.score;
  }
}

TEST(AssessModality, PartsWithoutAnySpreadAreAsFarApartAsCanBeTold) {
  std::vector<double> x(50, 900.0);
  x.insert(x.end(), 50, 2000.0);  // 0.82 of the ticks between them: no clock's
  EXPECT_NEAR(Assess(x).score, 1e9, 1);
}

TEST(AssessModality, DoesNotChangeWithTheUnit) {
  std::mt19937_64 random(3);
  std::vector<double> x(200), y;
  for (double& v : x) v = Mixture(0.4, 0.9, 1.1, 0.02)(random);
  for (double v : x) y.push_back(1e9 * v);
  const Modality one = Assess(x), other = Assess(y);
  EXPECT_EQ(one.bimodal, other.bimodal);
  EXPECT_NEAR(one.score, other.score, 1e-6);
  EXPECT_NEAR(one.separation, other.separation, 1e-9);
}

TEST(AssessModality, OfEqualValuesIsOneMode) {
  const Modality m = Assess(std::vector<double>(30, 4.0));
  EXPECT_FALSE(m.bimodal);
  EXPECT_EQ(m.low_mode, 4);
  EXPECT_EQ(m.low_share, 1);
  EXPECT_EQ(m.high_share, 0);
  EXPECT_EQ(m.separation, 0);
  EXPECT_EQ(m.score, 0);
}

TEST(AssessModality, HasNoSeparationFromALowModeOfZero) {
  EXPECT_EQ(Assess(Groups({{500, 0}, {500, 200}})).separation, 0);
}

TEST(AssessModality, RefusesTooFewAndNonFiniteValues) {
  EXPECT_EQ(AssessModality(std::vector<double>(29, 1.0)).status().code(),
            absl::StatusCode::kFailedPrecondition);
  std::vector<double> x(30, 1.0);
  x.back() = std::numeric_limits<double>::infinity();
  EXPECT_EQ(AssessModality(x).status().code(), absl::StatusCode::kInvalidArgument);
}

}  // namespace
}  // namespace assay::statistics

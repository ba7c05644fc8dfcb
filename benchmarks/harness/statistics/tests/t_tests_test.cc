#include "benchmarks/harness/statistics/tests/t_tests.h"

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <limits>
#include <random>
#include <string>
#include <tuple>
#include <vector>

#include "benchmarks/harness/statistics/testing/draws.h"
#include "benchmarks/harness/statistics/testing/golden.h"
#include "gtest/gtest.h"

namespace assay::statistics {
namespace {

void ExpectAgreement(const absl::StatusOr<TTest>& test, const nlohmann::json& c, double relative) {
  ASSERT_TRUE(test.ok()) << test.status();
  const double unit = relative * std::abs(c["low"].get<double>());
  EXPECT_TRUE(Near(test->statistic, c["statistic"], relative, 1e-12)) << c;
  EXPECT_TRUE(Near(test->p_value, c["p"], 40 * relative)) << c << test->p_value;
  EXPECT_TRUE(Near(test->interval.low, c["low"], relative, unit)) << c << test->interval.low;
  EXPECT_TRUE(Near(test->interval.high, c["high"], relative, unit)) << c << test->interval.high;
}

TEST(PairedT, AgreesWithSciPy) {
  for (const auto& c : Goldens("paired_t")) {
    const auto test = PairedT(Numbers(c["x"]), c["confidence"]);
    // The nearly constant set is 1e9 with steps of 1e-3: ten digits are lost before any formula.
    ExpectAgreement(test, c, c["name"] == "nearly constant" ? 1e-6 : 1e-9);
    EXPECT_TRUE(Near(test->estimate, c["estimate"], 1e-9, 1e-15));
    EXPECT_EQ(test->degrees_of_freedom, c["df"].get<double>());
  }
}

TEST(WelchT, AgreesWithSciPy) {
  for (const auto& c : Goldens("welch_t")) {
    const auto test = WelchT(Numbers(c["x"]), Numbers(c["y"]));
    ExpectAgreement(test, c, 1e-6);
    EXPECT_TRUE(Near(test->degrees_of_freedom, c["df"], 1e-6)) << c;
    EXPECT_TRUE(Near(test->standard_error, c["standard_error"], 1e-6)) << c;
  }
}

TEST(ModeratedPairedT, AgreesWithSmythsFormulaeInNumPy) {
  for (const auto& c : Goldens("moderated_t")) {
    const auto prior = FitVariancePrior(Numbers(c["variances"]), c["df_each"]);
    ASSERT_TRUE(prior.ok()) << prior.status();
    const double df = c["prior_df"];
    if (df < 0) {
      EXPECT_EQ(prior->degrees_of_freedom, HUGE_VAL);
    } else {
      EXPECT_TRUE(Near(prior->degrees_of_freedom, df, 1e-8)) << c["name"];
    }
    EXPECT_TRUE(Near(prior->variance, c["prior_variance"], 1e-9)) << c["name"];
    ExpectAgreement(ModeratedPairedT(Numbers(c["x"]), *prior), c, 1e-8);
  }
}

TEST(ModeratedPairedT, WithoutAPriorIsThePlainTest) {
  const std::vector<double> x = {0.1, 0.3, -0.2, 0.4};
  const auto plain = PairedT(x), moderated = ModeratedPairedT(x, {});
  EXPECT_EQ(plain->p_value, moderated->p_value);
  const auto faint = ModeratedPairedT(x, {.degrees_of_freedom = 1e-9, .variance = 5});
  EXPECT_NEAR(faint->p_value, plain->p_value, 1e-8);
}

TEST(ModeratedPairedT, WithAnInfinitePriorIsTheNormalTest) {
  const auto test = ModeratedPairedT({1, 3}, {.degrees_of_freedom = HUGE_VAL, .variance = 2}, 0.95);
  ASSERT_TRUE(test.ok());
  EXPECT_NEAR(test->statistic, 2, 1e-12);
  EXPECT_NEAR(test->p_value, 0.04550026389635842, 1e-12);
  EXPECT_NEAR(test->interval.high, 2 + 1.959963984540054, 1e-9);
  const auto large = ModeratedPairedT({1, 3}, {.degrees_of_freedom = 1e9, .variance = 2});
  EXPECT_NEAR(large->p_value, test->p_value, 1e-7);
}

TEST(FitVariancePrior, FindsThePriorThatMadeTheVariances) {
  std::mt19937_64 random(3);
  std::chi_squared_distribution<double> prior(20), sampling(9);
  std::vector<double> variances(20000);
  for (double& v : variances) v = 4 * (20 / prior(random)) * sampling(random) / 9;
  const auto fitted = FitVariancePrior(variances, 9);
  ASSERT_TRUE(fitted.ok());
  EXPECT_NEAR(fitted->degrees_of_freedom, 20, 1.5);
  EXPECT_NEAR(fitted->variance, 4, 0.05);
}

TEST(FitVariancePrior, OfVariancesAsEqualAsChanceAllowsIsInfinite) {
  const auto fitted = FitVariancePrior({2, 2, 2, 2}, 9);
  ASSERT_TRUE(fitted.ok());
  EXPECT_EQ(fitted->degrees_of_freedom, HUGE_VAL);
  EXPECT_TRUE(std::isfinite(fitted->variance));
}

// With n degrees of freedom each, chance explains trigamma(n / 2) = 2 / n + 2 / n^2 + ... of the
// logarithms' variance. The rest y gives a prior of 2 x with trigamma(x) = y: x is
// 1 / y + 1 / 2 - y / 12 .... The half is left out if y is below 1e-6.
TEST(FitVariancePrior, OfVariancesThatHardlyDifferIsLong) {
  for (const auto& [rest, half] : {std::pair{0.95e-6, 0.0}, {1.05e-6, 0.5}, {9e-6, 0.5}}) {
    const double step = std::sqrt(2 * (rest + 1e-7 + 0.5e-14));
    const auto fitted = FitVariancePrior({1, std::exp(step)}, 2e7);
    ASSERT_TRUE(fitted.ok());
    EXPECT_NEAR(fitted->degrees_of_freedom, 2 * (1 / rest + half), 0.1);
  }
}

TEST(FitVariancePrior, TakesAVarianceForAHundredThousandthOfTheMedianAtLeast) {
  const auto fit = [](double least) {
    return FitVariancePrior({least, 1, 1, 2}, 9)->degrees_of_freedom;
  };
  EXPECT_EQ(fit(0), fit(1e-5));
  EXPECT_EQ(fit(0), fit(0.95e-5));
  EXPECT_LT(fit(0), fit(1.05e-5));
}

TEST(FitVariancePrior, ScalesAndForgetsTheOrder) {
  std::vector<double> v = {1, 30, 0.1, 8, 2, 0.5};
  const auto fitted = FitVariancePrior(v, 4);
  std::reverse(v.begin(), v.end());
  for (double& x : v) x *= 1e-12;
  const auto scaled = FitVariancePrior(v, 4);
  EXPECT_NEAR(scaled->degrees_of_freedom, fitted->degrees_of_freedom, 1e-9);
  EXPECT_TRUE(Near(scaled->variance, 1e-12 * fitted->variance, 1e-9));
}

TEST(FitVariancePrior, TakesSomeZerosAndRefusesMostlyZerosAndNonsense) {
  EXPECT_TRUE(FitVariancePrior({0, 1, 2, 1.5}, 9).ok());
  EXPECT_EQ(FitVariancePrior({0, 0, 0, 1}, 9).status().code(),
            absl::StatusCode::kFailedPrecondition);
  EXPECT_EQ(FitVariancePrior({1}, 9).status().code(), absl::StatusCode::kFailedPrecondition);
  for (double bad : {-1.0, HUGE_VAL, std::nan("")}) {
    EXPECT_EQ(FitVariancePrior({1, bad}, 9).status().code(), absl::StatusCode::kInvalidArgument);
  }
  for (double bad : {0.0, -1.0, HUGE_VAL, std::nan("")}) {
    EXPECT_EQ(FitVariancePrior({1, 2}, bad).status().code(), absl::StatusCode::kInvalidArgument);
  }
}

TEST(PairedT, MovesWithShiftAndScaleAndMirrors) {
  const std::vector<double> x = {0.2, 1.4, -0.3, 0.9, 0.55};
  std::vector<double> scaled, mirrored;
  for (double v : x) {
    scaled.push_back(1e-9 * v);
    mirrored.push_back(-v);
  }
  const auto test = PairedT(x), small = PairedT(scaled), other = PairedT(mirrored);
  EXPECT_NEAR(small->p_value, test->p_value, 1e-12);
  EXPECT_NEAR(small->interval.low, 1e-9 * test->interval.low, 1e-20);
  EXPECT_EQ(other->p_value, test->p_value);
  EXPECT_EQ(other->interval.low, -test->interval.high);
}

TEST(WelchT, OfAPairSwappedHasTheOppositeSign) {
  const std::vector<double> x = {1, 2, 4}, y = {2, 5, 6, 9};
  const auto there = WelchT(x, y), back = WelchT(y, x);
  EXPECT_GT(there->estimate, 0);
  EXPECT_EQ(there->estimate, -back->estimate);
  EXPECT_EQ(there->p_value, back->p_value);
  EXPECT_EQ(there->interval.low, -back->interval.high);
}

TEST(TTests, OfNoVarianceAreDefined) {
  EXPECT_EQ(WelchT({3, 3, 3}, {4, 4})->degrees_of_freedom, 3);
  // Thirds of 0.1 don't add up exactly; the variance is still none.
  const auto constant = PairedT({0.1, 0.1, 0.1});
  EXPECT_EQ(constant->estimate, 0.1);
  EXPECT_EQ(constant->standard_error, 0);
  EXPECT_EQ(constant->p_value, 0);
  EXPECT_EQ(constant->statistic, HUGE_VAL);
  EXPECT_EQ(constant->interval.low, 0.1);
  EXPECT_EQ(constant->interval.high, 0.1);
  const auto zero = PairedT({0, 0});
  EXPECT_EQ(zero->p_value, 1);
  EXPECT_EQ(zero->statistic, 0);
  EXPECT_EQ(WelchT({3, 3}, {3, 3, 3})->p_value, 1);
  EXPECT_EQ(WelchT({3, 3}, {2, 2, 2})->statistic, -HUGE_VAL);
  EXPECT_EQ(WelchT({3, 3}, {2, 4, 9})->degrees_of_freedom, 2);
  const auto moderated = ModeratedPairedT({0.1, 0.1}, {.degrees_of_freedom = 4, .variance = 0.01});
  EXPECT_GT(moderated->p_value, 0.05);
}

TEST(TTests, StayFiniteForTinyAndHugeVariances) {
  const auto tiny = WelchT({1e-160, 2e-160}, {3e-160, 5e-160});
  EXPECT_TRUE(std::isfinite(tiny->degrees_of_freedom)) << tiny->degrees_of_freedom;
  EXPECT_TRUE(std::isfinite(tiny->p_value));
}

TEST(TTests, RefuseTooFewValuesAndNonsense) {
  EXPECT_EQ(PairedT({1}).status().code(), absl::StatusCode::kFailedPrecondition);
  EXPECT_NE(PairedT({1}).status().message().find("needs 2 values, there are 1"), std::string::npos);
  EXPECT_EQ(WelchT({1, 2}, {1}).status().code(), absl::StatusCode::kFailedPrecondition);
  for (double bad : {std::nan(""), HUGE_VAL, -HUGE_VAL}) {
    EXPECT_EQ(PairedT({1, bad}).status().code(), absl::StatusCode::kInvalidArgument);
    EXPECT_EQ(WelchT({1, 2}, {bad, 1}).status().code(), absl::StatusCode::kInvalidArgument);
    EXPECT_EQ(PairedT({1, 2}, bad).status().code(), absl::StatusCode::kInvalidArgument);
    EXPECT_EQ(ModeratedPairedT({1, 2}, {.degrees_of_freedom = 3, .variance = bad}).status().code(),
              absl::StatusCode::kInvalidArgument);
  }
  EXPECT_EQ(ModeratedPairedT({1, 2}, {.degrees_of_freedom = -1, .variance = 1}).status().code(),
            absl::StatusCode::kInvalidArgument);
  EXPECT_EQ(PairedT({1, 2}, 1).status().code(), absl::StatusCode::kInvalidArgument);
}

double PairedCoverage(Shape shape, int count) {
  const double share = Coverage(shape, count, 20000, 100 + count,
                                [](const std::vector<double>& x) { return PairedT(x)->interval; });
  std::printf("paired t, shape %d, n = %2d: coverage %.4f\n", static_cast<int>(shape), count,
              share);
  return share;
}

// Four standard errors of 20000 sets are 0.0062.
TEST(PairedT, CoversTheTrueMean) {
  for (int n : {5, 10, 20, 50}) {
    EXPECT_NEAR(PairedCoverage(Shape::kNormal, n), 0.95, 0.0062) << n;
    const double bimodal = PairedCoverage(Shape::kBimodal, n);
    EXPECT_GT(bimodal, 0.93) << n;
    EXPECT_LT(bimodal, 0.97) << n;
    const double skewed = PairedCoverage(Shape::kSkewed, n);
    EXPECT_GT(skewed, 0.93) << n;
    EXPECT_LT(skewed, 0.97) << n;
  }
}

// The header's caveat.
TEST(PairedT, FallsShortForDifferencesThatDependOnTheirPredecessors) {
  EXPECT_LT(PairedCoverage(Shape::kAutoregressive, 20), 0.9);
}

TEST(WelchT, CoversTheTrueDifferenceOfUnlikeSamples) {
  for (int n : {5, 10, 20, 50}) {
    std::mt19937_64 random(n);
    int held = 0;
    constexpr int kSets = 10000;
    for (int set = 0; set < kSets; ++set) {
      std::vector<double> x = Draw(Shape::kNormal, n, random);
      std::vector<double> y = Draw(Shape::kNormal, 2 * n, random);
      for (double& v : y) v = 1 + 3 * v;
      const Interval i = WelchT(x, y)->interval;
      held += i.low <= 1 && 1 <= i.high;
    }
    std::printf("Welch, n = %d and %d: coverage %.4f\n", n, 2 * n, held / double{kSets});
    EXPECT_NEAR(held / double{kSets}, 0.95, 0.0095) << n;
  }
}

// The prior is fitted on all the cases and then used on each, as a comparison does.
double ModeratedCoverage(int cases, int pairs, int campaigns) {
  std::mt19937_64 random(cases * 100 + pairs);
  std::chi_squared_distribution<double> chi(20);
  int held = 0;
  for (int campaign = 0; campaign < campaigns; ++campaign) {
    std::vector<std::vector<double>> data;
    std::vector<double> variances;
    for (int c = 0; c < cases; ++c) {
      data.push_back(Draw(Shape::kNormal, pairs, random));
      const double sd = std::sqrt(20 / chi(random));
      for (double& v : data.back()) v *= sd;
      const double error = PairedT(data.back())->standard_error;
      variances.push_back(error * error * pairs);
    }
    const VariancePrior prior = *FitVariancePrior(variances, pairs - 1);
    for (const auto& x : data) {
      const Interval i = ModeratedPairedT(x, prior)->interval;
      held += i.low <= 0 && 0 <= i.high;
    }
  }
  return static_cast<double>(held) / (cases * campaigns);
}

TEST(ModeratedPairedT, CoversTheTrueMeanWithAFittedPrior) {
  for (const auto& [cases, pairs, low] :
       {std::tuple{300, 5, 0.945}, {300, 10, 0.945}, {30, 8, 0.94}, {10, 8, 0.93}, {3, 8, 0.9}}) {
    const double share = ModeratedCoverage(cases, pairs, 24000 / cases);
    std::printf("moderated t, %d cases of %d pairs: coverage %.4f\n", cases, pairs, share);
    EXPECT_GT(share, low);
    EXPECT_LT(share, 0.96);
  }
}

}  // namespace
}  // namespace assay::statistics

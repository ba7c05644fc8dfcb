#include "benchmarks/harness/numerics/rules.h"

#include <cmath>
#include <cstdint>
#include <iterator>
#include <limits>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "defs/case/philox.h"
#include "gtest/gtest.h"

namespace assay::numerics {
namespace {

ReferenceOutput Whole(std::vector<double> values) {
  ReferenceOutput output;
  output.name = "y";
  output.shape = {static_cast<int64_t>(values.size())};
  output.values = std::move(values);
  output.stats = StatsOf(output.values);
  return output;
}

VerifyParameters Limits(Rule rule) {
  VerifyParameters limits;
  limits.set_rule(rule);
  return limits;
}

VerifyParameters RelativeLimits(double rms, double max) {
  VerifyParameters limits = Limits(RELATIVE_TO_STD);
  limits.set_rms_limit(rms);
  limits.set_max_limit(max);
  return limits;
}

VerifyParameters AllcloseLimits(double atol, double rtol) {
  VerifyParameters limits = Limits(ALLCLOSE);
  limits.set_atol(atol);
  limits.set_rtol(rtol);
  return limits;
}

VerifyParameters CosineLimits(double minimum) {
  VerifyParameters limits = Limits(COSINE);
  limits.set_cosine_min(minimum);
  return limits;
}

RuleResult JudgeWhole(const ReferenceOutput& want, const std::vector<double>& got,
                      const VerifyParameters& limits, const std::vector<double>& baseline = {}) {
  return Judge({.want = &want,
                .got = got,
                .baseline = baseline,
                .got_stats = StatsOf(got),
                .dtype = Dtype::FP32},
               limits);
}

// Mean 0, standard deviation 1.
const std::vector<double> kPlusMinus = {1, -1, 1, -1};

TEST(ScaleTest, IsTheStandardDeviationWhereThereIsOne) {
  const Scale scale = ScaleOf(StatsOf(kPlusMinus));
  EXPECT_EQ(scale.value, 1);
  EXPECT_EQ(scale.unit, "std");
}

TEST(ScaleTest, FallsBackToTheLargestValueThenToOne) {
  const std::vector<double> one = {-3}, constant = {5, 5, 5 + 1e-9}, zeros = {0, 0};
  EXPECT_EQ(ScaleOf(StatsOf(one)).value, 3) << "a single number has no spread";
  EXPECT_NEAR(ScaleOf(StatsOf(constant)).value, 5, 1e-8) << "nor has a rounded constant";
  EXPECT_EQ(ScaleOf(StatsOf(zeros)).value, 1);
  EXPECT_EQ(ScaleOf(StatsOf(zeros)).unit, "1");
}

TEST(ScaleTest, AMillionthOfTheLargestValueIsNoSpread) {
  EXPECT_EQ(ScaleOf({.std = 2.0001e-6, .max_abs = 2}).unit, "std");
  EXPECT_EQ(ScaleOf({.std = 1.9999e-6, .max_abs = 2}).unit, "max|want|");
}

TEST(RelativeToStdTest, TheRmsLimitDecidesBothWays) {
  const ReferenceOutput want = Whole(kPlusMinus);
  const std::vector<double> got = {1.1, -1, 1, -1};  // rms 0.05, max 0.1
  EXPECT_TRUE(JudgeWhole(want, got, RelativeLimits(0.0501, 1)).passed);
  EXPECT_FALSE(JudgeWhole(want, got, RelativeLimits(0.0499, 1)).passed);
}

TEST(RelativeToStdTest, TheMaxLimitDecidesBothWays) {
  const ReferenceOutput want = Whole(kPlusMinus);
  const std::vector<double> got = {1, -1, 1, -0.9};
  EXPECT_TRUE(JudgeWhole(want, got, RelativeLimits(1, 0.1001)).passed);
  const RuleResult result = JudgeWhole(want, got, RelativeLimits(1, 0.0999));
  EXPECT_FALSE(result.passed);
  EXPECT_EQ(result.wrong, 1);
  EXPECT_EQ(result.worst, 3u);
}

TEST(RelativeToStdTest, AnElementBeyondTenDeviationsIsHeldToAShareOfItsDistance) {
  std::vector<double> values(10'000, 0);
  for (std::size_t i = 0; i < values.size(); ++i) values[i] = i % 2 == 0 ? 64 : 66;
  values[0] = 65 + 50;  // std 1.1
  const ReferenceOutput want = Whole(values);
  std::vector<double> got = values;
  got[0] = 65 + 50 * 1.009;
  EXPECT_TRUE(JudgeWhole(want, got, RelativeLimits(1, 0.1)).passed);
  got[0] = 65 + 50 * 1.011;
  EXPECT_EQ(JudgeWhole(want, got, RelativeLimits(1, 0.1)).wrong, 1);
}

TEST(RelativeToStdTest, ErrorsAreCountedInStandardDeviations) {
  std::vector<double> values, got;
  for (const double x : kPlusMinus) values.push_back(1000 * x);
  got = values;
  got[1] += 10;
  const RuleResult result = JudgeWhole(Whole(values), got, RelativeLimits(1, 1));
  EXPECT_NEAR(result.max_error, 0.01, 1e-15);
  EXPECT_NEAR(result.rms_error, 0.005, 1e-15);
}

TEST(RelativeToStdTest, ShiftingBothChangesNothing) {
  std::vector<double> values = kPlusMinus, got = {1.1, -1, 1, -1};
  for (double& x : values) x += 64;
  for (double& x : got) x += 64;
  EXPECT_TRUE(JudgeWhole(Whole(values), got, RelativeLimits(0.0501, 0.101)).passed);
  EXPECT_FALSE(JudgeWhole(Whole(values), got, RelativeLimits(0.0499, 0.101)).passed);
}

TEST(ExactTest, OneElementOffFails) {
  const ReferenceOutput want = Whole({3, 0, 7, 7});
  EXPECT_TRUE(JudgeWhole(want, {3, 0, 7, 7}, Limits(EXACT)).passed);
  const RuleResult result = JudgeWhole(want, {3, 1, 7, 7}, Limits(EXACT));
  EXPECT_FALSE(result.passed);
  EXPECT_EQ(result.wrong, 1);
  EXPECT_EQ(result.worst, 1u);
  EXPECT_TRUE(std::isfinite(result.rms_error) && std::isfinite(result.max_error) &&
              std::isfinite(result.cosine));
}

TEST(ExactTest, AConstantOutputCanFailToo) {
  const ReferenceOutput want = Whole({7, 7});
  EXPECT_TRUE(JudgeWhole(want, {7, 7}, Limits(EXACT)).passed);
  EXPECT_FALSE(JudgeWhole(want, {7, 6}, Limits(EXACT)).passed);
  EXPECT_FALSE(JudgeWhole(Whole({0, 0}), {0, 1}, Limits(EXACT)).passed);
}

TEST(ExactTest, IntegersThatFloat64CannotTellApartAreNotEqual) {
  EXPECT_TRUE(JudgeWhole(Whole({0x1p53 - 1}), {0x1p53 - 1}, Limits(EXACT)).passed);
  EXPECT_FALSE(JudgeWhole(Whole({0x1p53}), {0x1p53}, Limits(EXACT)).passed);
}

TEST(RelativeToStdTest, LimitsOfZeroDemandEquality) {
  const ReferenceOutput want = Whole(kPlusMinus);
  EXPECT_TRUE(JudgeWhole(want, kPlusMinus, RelativeLimits(0, 0)).passed);
  EXPECT_FALSE(JudgeWhole(want, {1, -1, 1, std::nextafter(-1, 0)}, RelativeLimits(0, 0)).passed);
}

TEST(RelativeToStdTest, AReferenceWithoutSpreadHasAFloor) {
  EXPECT_TRUE(JudgeWhole(Whole({3}), {3.00001}, RelativeLimits(1e-5, 1e-5)).passed);
  EXPECT_FALSE(JudgeWhole(Whole({3}), {3.00004}, RelativeLimits(1e-5, 1e-5)).passed);
  EXPECT_TRUE(JudgeWhole(Whole({0, 0}), {0, 9e-6}, RelativeLimits(1e-5, 1e-5)).passed);
  EXPECT_FALSE(JudgeWhole(Whole({0, 0}), {0, 1.1e-5}, RelativeLimits(1e-5, 1e-5)).passed);
}

TEST(AllcloseTest, ToleranceIsAbsolutePlusRelativeToTheReference) {
  const ReferenceOutput want = Whole({100, -100, 0});
  // 0.25 + 0.01 * |want|: 1.25, 1.25, 0.25.
  EXPECT_TRUE(JudgeWhole(want, {101.25, -101.25, 0.25}, AllcloseLimits(0.25, 0.01)).passed);
  EXPECT_FALSE(JudgeWhole(want, {101.26, -100, 0}, AllcloseLimits(0.25, 0.01)).passed);
  EXPECT_FALSE(JudgeWhole(want, {100, -101.26, 0}, AllcloseLimits(0.25, 0.01)).passed);
  EXPECT_FALSE(JudgeWhole(want, {100, -100, -0.26}, AllcloseLimits(0.25, 0.01)).passed);
}

TEST(AllcloseTest, TheWorstElementIsTheOneFurthestBeyondItsTolerance) {
  const ReferenceOutput want = Whole({1000, 0});
  const RuleResult result = JudgeWhole(want, {1009, 1}, AllcloseLimits(0, 0.01));
  EXPECT_EQ(result.worst, 1u) << "the larger error is within 1 % of its value";
  EXPECT_EQ(result.wrong, 1);
}

TEST(CosineTest, DecidesByTheAngle) {
  const ReferenceOutput want = Whole({1, 0});
  const double angle = std::acos(0.99);
  EXPECT_TRUE(JudgeWhole(want, {std::cos(angle * 0.99), std::sin(angle * 0.99)}, CosineLimits(0.99))
                  .passed);
  EXPECT_FALSE(
      JudgeWhole(want, {std::cos(angle * 1.01), std::sin(angle * 1.01)}, CosineLimits(0.99))
          .passed);
  EXPECT_FALSE(JudgeWhole(want, {-1, 0}, CosineLimits(0.99)).passed);
}

TEST(CosineTest, ZerosAgreeWithZerosOnly) {
  EXPECT_TRUE(JudgeWhole(Whole({0, 0}), {0, 0}, CosineLimits(0.99)).passed);
  EXPECT_FALSE(JudgeWhole(Whole({0, 0}), {0, 1e-30}, CosineLimits(0.99)).passed);
  EXPECT_FALSE(JudgeWhole(Whole({1, 0}), {0, 0}, CosineLimits(0.99)).passed);
}

VerifyParameters DynamoLimits(double tol, double multiplier = 0) {
  VerifyParameters limits = Limits(DYNAMO_SAME);
  limits.set_atol(tol);
  limits.set_multiplier(multiplier);
  return limits;
}

TEST(DynamoSameTest, PassesWhatIsCloseToTheBaselineHoweverWrongThatIs) {
  const ReferenceOutput want = Whole(kPlusMinus);
  const std::vector<double> baseline = {2, -2, 2, -2};
  EXPECT_TRUE(JudgeWhole(want, {2.0002, -2, 2, -2}, DynamoLimits(1e-4), baseline).passed);
}

TEST(DynamoSameTest, OtherwiseTheErrorMayBeAMultipleOfTheBaselines) {
  const ReferenceOutput want = Whole(kPlusMinus);
  const std::vector<double> baseline = {1.01, -1.01, 1.01, -1.01};  // rmse 0.01
  // Limit: 2 * 0.01 + 0.001 / 10.
  const auto off_by = [](double error) {
    return std::vector<double>{1 - error, -1 + error, 1 - error, -1 + error};
  };
  EXPECT_TRUE(JudgeWhole(want, off_by(0.0200), DynamoLimits(0.001, 2), baseline).passed);
  EXPECT_FALSE(JudgeWhole(want, off_by(0.0202), DynamoLimits(0.001, 2), baseline).passed);
  EXPECT_TRUE(JudgeWhole(want, off_by(0.0202), DynamoLimits(0.001, 3), baseline).passed);
}

TEST(DynamoSameTest, WithoutABaselineTheReferenceStandsIn) {
  const ReferenceOutput want = Whole(kPlusMinus);
  EXPECT_TRUE(JudgeWhole(want, {1.0019, -1, 1, -1}, DynamoLimits(0.001)).passed);
  EXPECT_FALSE(JudgeWhole(want, {1.0021, -1, 1, -1}, DynamoLimits(0.001)).passed);
}

TEST(DynamoSameTest, CountsTheElementsThatAreNotCloseToTheBaseline) {
  const RuleResult result = JudgeWhole(Whole(kPlusMinus), {1, -1, 1.5, -1}, DynamoLimits(0.001));
  EXPECT_FALSE(result.passed);
  EXPECT_EQ(result.worst, 2u);
  EXPECT_EQ(result.wrong, 1);
  EXPECT_TRUE(result.counts_wrong);
  EXPECT_EQ(result.tolerance, "tol 0.001 + tol·|got| = 0.0025");
}

TEST(DynamoSameTest, TheMultiplierIsThatOfTheWholeOutputAndItsLimits) {
  const std::vector<double> got = {0.975, -0.975, 0.975, -0.975};  // rmse 0.025
  const std::vector<double> baseline = {1.01, -1.01, 1.01, -1.01};
  ReferenceOutput want = Whole(kPlusMinus);
  EXPECT_TRUE(JudgeWhole(want, got, DynamoLimits(1e-3), baseline).passed) << "3 · 0.01 + 0.0001";
  want.shape = {1000};  // of which these four are kept
  EXPECT_FALSE(JudgeWhole(want, got, DynamoLimits(1e-3), baseline).passed) << "2 · 0.01 + 0.0001";
  want.shape = {500};
  VerifyParameters larger = DynamoLimits(1e-3);
  larger.set_larger_multiplier(true);
  const std::vector<double> far = {0.93, -0.93, 0.93, -0.93};
  EXPECT_TRUE(JudgeWhole(want, far, larger, baseline).passed) << "8 · 0.01 + 0.0001";
  EXPECT_FALSE(JudgeWhole(want, far, DynamoLimits(1e-3), baseline).passed);
}

TEST(DynamoSameTest, ABaselineWithNanIsBeatenByWhatIsWithinFourHundredths) {
  const ReferenceOutput want = Whole(kPlusMinus);
  const std::vector<double> baseline(4, NAN);
  EXPECT_TRUE(JudgeWhole(want, {1.08, -1, 1, -1}, DynamoLimits(1e-3), baseline).passed);
  EXPECT_FALSE(JudgeWhole(want, {1.09, -1, 1, -1}, DynamoLimits(1e-3), baseline).passed);
}

TEST(DynamoSameTest, CosineModeComparesDirectionsWithTheBaseline) {
  VerifyParameters limits = DynamoLimits(1e-3);
  limits.set_cosine_min(0.99);
  const ReferenceOutput want = Whole({1, 0});
  EXPECT_TRUE(JudgeWhole(want, {0, 2}, limits, {0, 1}).passed) << "the reference is not asked";
  const RuleResult result = JudgeWhole(want, {1, 0}, limits, {0, 1});
  ASSERT_FALSE(result.passed);
  EXPECT_NE(result.reasons[0].find("cosine 0 to the baseline, limit 0.99"), std::string::npos)
      << result.reasons[0];
}

VerifyParameters MeanRelativeLimits(double limit) {
  VerifyParameters limits = Limits(MEAN_RELATIVE);
  limits.set_mean_relative_limit(limit);
  return limits;
}

TEST(MeanRelativeTest, TheMeanDecidesBothWays) {
  const ReferenceOutput want = Whole({100, -1, 4, 10});
  const std::vector<double> got = {101, -1, 4.12, 10};  // 1 %, 0, 3 %, 0: mean 1 %
  EXPECT_TRUE(JudgeWhole(want, got, MeanRelativeLimits(0.0101)).passed);
  EXPECT_FALSE(JudgeWhole(want, got, MeanRelativeLimits(0.0099)).passed);
  EXPECT_FALSE(JudgeWhole(Whole({0, 1}), {1e-9, 1}, MeanRelativeLimits(0.02)).passed)
      << "0 was wanted";
}

TEST(DetectionsTest, DecidesByTheShareOfBoxesFoundAgain) {
  VerifyParameters limits = Limits(DETECTIONS);
  limits.set_corner_limit(0.5);
  limits.set_score_limit(0.01);
  limits.set_matched_min(1);
  ReferenceOutput want = Whole({1, .9, 0, 0, 10, 20, 2, .8, 5, 5, 50, 60});
  const std::vector<double> turned = {2, .8, 5, 5.25, 50, 60, 1, .9, 0, 0, 10, 20},
                            half = {2, .8, 5, 5, 50, 70, 1, .9, 0, 0, 10, 20};
  want.shape = {1, 2, 6};
  const RuleResult right = JudgeWhole(want, turned, limits);
  EXPECT_TRUE(right.passed);
  EXPECT_EQ(right.boxes_matched, 1);
  EXPECT_EQ(right.corner_error, 0.25);
  EXPECT_EQ(right.rms_error + right.max_error + right.cosine, 0) << "rows may change places";
  for (const auto& [score, passed] : {std::pair{.805, true}, {.815, false}}) {
    std::vector<double> scored = turned;
    scored[1] = score;
    EXPECT_EQ(JudgeWhole(want, scored, limits).passed, passed) << score;
  }
  const RuleResult wrong = JudgeWhole(want, half, limits);
  ASSERT_FALSE(wrong.passed);
  EXPECT_EQ(wrong.wrong, 1);
  EXPECT_NE(wrong.reasons[0].find("1 of 2 boxes have no match (label, corners within 0.5 px, score "
                                  "within 0.01); 50 % have one, least 100 %"),
            std::string::npos)
      << wrong.reasons[0];
  limits.set_matched_min(0.5);
  EXPECT_TRUE(JudgeWhole(want, half, limits).passed);
  limits.set_matched_min(0);
  EXPECT_FALSE(CheckLimits(limits).ok());
  limits.set_matched_min(1);
  want.shape = {12};
  EXPECT_FALSE(JudgeWhole(want, turned, limits).passed) << "these are no rows of boxes";
}

VerifyParameters IouLimits(double minimum) {
  VerifyParameters limits = Limits(IOU);
  limits.set_iou_min(minimum);
  return limits;
}

TEST(IouTest, DecidesByTheShareOfWhatIsTrueInEither) {
  std::vector<double> mask(200, 0);
  for (size_t i = 0; i < 100; ++i) mask[i] = 1;
  const ReferenceOutput want = Whole(mask);
  std::vector<double> one_less = mask, two_less = mask;
  one_less[0] = 0;
  two_less[0] = two_less[1] = 0;
  EXPECT_TRUE(JudgeWhole(want, one_less, IouLimits(0.99)).passed) << "99 of 100";
  EXPECT_FALSE(JudgeWhole(want, two_less, IouLimits(0.99)).passed) << "98 of 100";
  EXPECT_TRUE(JudgeWhole(want, two_less, IouLimits(0.95)).passed);
  EXPECT_FALSE(JudgeWhole(want, one_less, Limits(EXACT)).passed);
}

TEST(IouTest, IsForBooleans) {
  EXPECT_FALSE(JudgeWhole(Whole({1, 0}), {0.5, 0}, IouLimits(0.5)).passed);
}

// Each norm is at least its share of the reference's. Those below a thousandth of the largest are held to none.
TEST(LeastShareTest, HoldsEachNormFromAThousandthOfTheLargestOn) {
  const ReferenceOutput want = Whole({1000, 1, 0.999});
  const auto judged = [&](const std::vector<double>& got) {
    return Judge({.want = &want,
                  .got = got,
                  .got_stats = StatsOf(got),
                  .dtype = Dtype::FP32,
                  .least_share = 0.5},
                 RelativeLimits(1, 1));
  };
  EXPECT_TRUE(judged({1000, 0.5, 0}).passed);
  EXPECT_TRUE(judged({1000, 2, 0}).passed);
  const RuleResult missing = judged({1000, 0.499, 0});
  EXPECT_FALSE(missing.passed);
  EXPECT_EQ(missing.worst, 1u);
}

std::vector<VerifyParameters> GenerousLimitsOfEveryRule() {
  return {RelativeLimits(1e6, 1e6), AllcloseLimits(1e6, 1e6), DynamoLimits(0.9), CosineLimits(1e-9),
          MeanRelativeLimits(1e6)};
}

TEST(EveryRuleTest, EqualValuesPass) {
  for (const VerifyParameters& limits : GenerousLimitsOfEveryRule()) {
    EXPECT_TRUE(JudgeWhole(Whole(kPlusMinus), kPlusMinus, limits).passed)
        << Rule_Name(limits.rule());
  }
}

TEST(EveryRuleTest, NanAndInfinityFailHoweverGenerousTheLimits) {
  for (const VerifyParameters& limits : GenerousLimitsOfEveryRule()) {
    for (const double bad : {NAN, INFINITY, -INFINITY}) {
      const RuleResult result = JudgeWhole(Whole(kPlusMinus), {1, -1, bad, -1}, limits);
      EXPECT_FALSE(result.passed) << Rule_Name(limits.rule()) << " " << bad;
      EXPECT_EQ(result.worst, 2u);
      EXPECT_FALSE(std::isfinite(result.max_error)) << "a NaN is no small error";
      EXPECT_FALSE(std::isfinite(result.rms_error));
    }
  }
}

// If every number is NaN, nothing is left to compare, and a cosine would see zeros.
TEST(EveryRuleTest, NanIsNoZeroAndNoBoxThatIsNear) {
  VerifyParameters limits = Limits(DETECTIONS);
  limits.set_corner_limit(1e6);
  limits.set_score_limit(1e6);
  limits.set_matched_min(1);
  ReferenceOutput boxes = Whole({1, .9, 0, 0, 10, 20});
  boxes.shape = {1, 1, 6};
  ASSERT_TRUE(JudgeWhole(boxes, boxes.values, limits).passed);
  for (const double bad : {NAN, INFINITY}) {
    EXPECT_FALSE(JudgeWhole(Whole({0, 0}), {bad, bad}, CosineLimits(0.99)).passed) << bad;
    EXPECT_FALSE(JudgeWhole(Whole({0, 0}), {bad, 0}, IouLimits(0.01)).passed) << bad;
    EXPECT_FALSE(JudgeWhole(Whole({0, 0}), {bad, 0}, Limits(EXACT)).passed) << bad;
    for (const size_t number : {1u, 3u}) {
      std::vector<double> got = boxes.values;
      got[number] = bad;
      EXPECT_FALSE(JudgeWhole(boxes, got, limits).passed) << number << " " << bad;
    }
  }
}

TEST(EveryRuleTest, LimitsThatLetAnythingPassAreRefused) {
  for (VerifyParameters limits : GenerousLimitsOfEveryRule()) {
    EXPECT_TRUE(CheckLimits(limits).ok()) << limits.ShortDebugString();
    limits.set_atol(INFINITY);
    EXPECT_FALSE(CheckLimits(limits).ok());
  }
  EXPECT_FALSE(CheckLimits(VerifyParameters()).ok()) << "no rule";
  EXPECT_FALSE(CheckLimits(RelativeLimits(-1, 1)).ok());
  EXPECT_FALSE(CheckLimits(RelativeLimits(1, INFINITY)).ok());
  EXPECT_FALSE(CheckLimits(RelativeLimits(NAN, 1)).ok());
  EXPECT_FALSE(CheckLimits(AllcloseLimits(0, NAN)).ok());
  EXPECT_FALSE(CheckLimits(DynamoLimits(0, INFINITY)).ok());
  EXPECT_FALSE(CheckLimits(DynamoLimits(1)).ok()) << "x is within 1 + |x| of anything small";
  EXPECT_FALSE(CheckLimits(MeanRelativeLimits(0)).ok()) << "a forgotten limit";
  EXPECT_FALSE(CheckLimits(MeanRelativeLimits(INFINITY)).ok());
  EXPECT_TRUE(CheckLimits(IouLimits(1)).ok());
  EXPECT_FALSE(CheckLimits(IouLimits(0)).ok());
  EXPECT_FALSE(CheckLimits(IouLimits(1.01)).ok());
  EXPECT_FALSE(CheckLimits(CosineLimits(0)).ok()) << "a forgotten minimum";
  EXPECT_FALSE(CheckLimits(CosineLimits(1.1)).ok());
  EXPECT_FALSE(CheckLimits(CosineLimits(NAN)).ok());
}

// A large output of which the reference keeps every 16th element.
struct Sampled {
  ReferenceOutput want;
  std::vector<double> all;

  Sampled() {
    const PhiloxStream stream(0, "y");
    for (uint64_t i = 0; i < 65536; ++i) all.push_back(PhiloxStream::Uniform(stream.Word(i)));
    want.name = "y";
    want.shape = {65536};
    want.sampled = true;
    want.stats = StatsOf(all);
    for (size_t i = 0; i < all.size(); i += 16) {
      want.indices.push_back(static_cast<int64_t>(i));
      want.values.push_back(all[i]);
    }
  }

  RuleResult Judged(const std::vector<double>& got, const VerifyParameters& limits) const {
    std::vector<double> kept;
    for (const int64_t index : want.indices) kept.push_back(got[static_cast<size_t>(index)]);
    return Judge({.want = &want, .got = kept, .got_stats = StatsOf(got), .dtype = Dtype::FP32},
                 limits);
  }
};

TEST(SampledTest, DamageBesideTheSampleShowsInTheStatistics) {
  const Sampled sampled;
  std::vector<double> got = sampled.all;
  for (size_t i = 0; i < got.size(); ++i) {
    if (i % 16 == 5) got[i] = 0;  // never sampled
  }
  for (const VerifyParameters& limits :
       {RelativeLimits(1e-3, 1e-2), AllcloseLimits(1e-3, 1e-3), DynamoLimits(1e-3)}) {
    const RuleResult result = sampled.Judged(got, limits);
    EXPECT_EQ(result.max_error, 0) << "the sample saw nothing";
    ASSERT_FALSE(result.passed) << Rule_Name(limits.rule());
    EXPECT_NE(result.reasons[0].find("L2 norm of all 65536"), std::string::npos)
        << result.reasons[0];
  }
}

// Two programs that add the same values in other orders differ by less than 1e-10 of the largest one.
TEST(SampledTest, SumsOfTheWholeMayDifferByTheirRounding) {
  const Sampled sampled;
  for (const auto& [share, passed] :
       {std::pair{0.95, true}, {1.05, false}, {-0.95, true}, {-1.05, false}}) {
    OutputStats mean = sampled.want.stats, norm = mean;
    mean.mean += share * 1e-10 * mean.max_abs;
    norm.l2_norm *= 1 + share * 1e-10;
    for (const OutputStats& stats : {mean, norm}) {
      const RuleResult result = Judge({.want = &sampled.want,
                                       .got = sampled.want.values,
                                       .got_stats = stats,
                                       .dtype = Dtype::FP32},
                                      RelativeLimits(1e-15, 1e-15));
      EXPECT_EQ(result.passed, passed) << share;
    }
  }
}

TEST(SampledTest, TheLargestOfTheWholeIsHeldToAShareOfItsDistance) {
  Sampled sampled;
  sampled.all[5] = 50;
  sampled.want.stats = StatsOf(sampled.all);  // std 0.6
  std::vector<double> got = sampled.all;
  got[5] = 50 * 1.009;
  EXPECT_TRUE(sampled.Judged(got, RelativeLimits(1, 0.1)).passed);
  got[5] = 50 * 1.011;
  EXPECT_FALSE(sampled.Judged(got, RelativeLimits(1, 0.1)).passed);
}

// It lies 45 from the mean, and so may be off by a tenth of 4.5.
TEST(SampledTest, TheLargestOfTheWholeMayLieAcrossZeroFromTheMean) {
  for (const double sign : {1, -1}) {
    Sampled sampled;
    for (double& value : sampled.all) value = sign * (value + 5);
    sampled.all[5] = sign * -40;
    for (size_t i = 0; i < sampled.want.values.size(); ++i)
      sampled.want.values[i] = sampled.all[static_cast<size_t>(sampled.want.indices[i])];
    sampled.want.stats = StatsOf(sampled.all);
    ASSERT_NEAR(sampled.want.stats.mean, sign * 5, 0.02);
    for (const auto& [error, passed] :
         {std::pair{0.44, true}, {-0.44, true}, {0.46, false}, {-0.46, false}}) {
      std::vector<double> got = sampled.all;
      got[5] += error;
      EXPECT_EQ(JudgeWhole(Whole(sampled.all), got, RelativeLimits(1, 0.1)).passed, passed);
      EXPECT_EQ(sampled.Judged(got, RelativeLimits(1, 0.1)).passed, passed) << sign << " " << error;
    }
  }
}

// Its standard deviation of 0.58 leaves no room for an element across zero from the mean, which is 100: an element may be off by a
// tenth of 0.58.
TEST(SampledTest, ASpikeFailsWhereTheMeanIsLargeAndTheSpreadSmall) {
  Sampled sampled;
  for (double& value : sampled.all) value += 100;
  for (double& value : sampled.want.values) value += 100;
  sampled.want.stats = StatsOf(sampled.all);
  for (const auto& [error, passed] : {std::pair{0.057, true}, {0.059, false}}) {
    std::vector<double> got = sampled.all;
    got[5] = sampled.want.stats.max_abs + error;
    EXPECT_EQ(sampled.Judged(got, RelativeLimits(1, 0.1)).passed, passed) << error;
  }
}

TEST(SampledTest, MasksAndRelativeErrorsBoundTheMeanOfTheWhole) {
  Sampled masks;
  for (double& x : masks.all) x = x > 0 ? 1 : 0;
  for (double& x : masks.want.values) x = x > 0 ? 1 : 0;
  masks.want.stats = StatsOf(masks.all);
  std::vector<double> got = masks.all;
  for (size_t i = 0; i < got.size(); ++i) {
    if (i % 16 == 5) got[i] = 1;  // a thirty-second more are true
  }
  EXPECT_FALSE(masks.Judged(got, IouLimits(0.99)).passed);
  EXPECT_TRUE(masks.Judged(got, IouLimits(0.9)).passed);
  const Sampled sampled;
  std::vector<double> shifted = sampled.all;
  for (size_t i = 0; i < shifted.size(); ++i) {
    if (i % 16 != 0) shifted[i] += 0.05;
  }
  EXPECT_FALSE(sampled.Judged(shifted, MeanRelativeLimits(0.02)).passed);
}

TEST(SampledTest, AShiftOrASpikeBesideTheSampleShows) {
  const Sampled sampled;
  std::vector<double> shifted = sampled.all, spiked = sampled.all;
  for (size_t i = 0; i < shifted.size(); ++i) {
    if (i % 16 != 0) shifted[i] += 0.01;
  }
  spiked[3] = 2;
  EXPECT_FALSE(sampled.Judged(shifted, RelativeLimits(1e-3, 1e-1)).passed);
  EXPECT_FALSE(sampled.Judged(spiked, RelativeLimits(1e-1, 1e-1)).passed);
}

// Whatever passes as a whole must pass as a sample: the bounds on statistics follow from the rule.
TEST(SampledTest, NeverContradictsTheRuleOnTheWhole) {
  const Sampled sampled;
  const ReferenceOutput whole = Whole(sampled.all);
  const PhiloxStream noise(1, "noise");
  for (int kind = 0; kind < 4; ++kind) {
    std::vector<double> got = sampled.all;
    for (size_t i = 0; i < got.size(); ++i) {
      const double u = PhiloxStream::Uniform(noise.Word(i));
      if (kind == 0) got[i] += 0.01;  // the mean takes all of the rms
      if (kind == 1) got[i] *= 1.01;  // the norm does
      if (kind == 2) got[i] += 0.01 * u;
      if (kind == 3 && u > 0.999) got[i] += 0.2;
    }
    const RuleResult loose = JudgeWhole(whole, got, RelativeLimits(1, 1));
    // Just wide enough for the whole.
    const VerifyParameters limits =
        RelativeLimits(loose.rms_error * (1 + 1e-9), loose.max_error * (1 + 1e-9));
    ASSERT_TRUE(JudgeWhole(whole, got, limits).passed);
    const RuleResult result = sampled.Judged(got, limits);
    for (const std::string& reason : result.reasons) {
      EXPECT_EQ(reason.find("whole"), std::string::npos) << kind << ": " << reason;
    }
  }
}

// With a baseline whose root mean square error is 0.01 and a multiplier of 2, the whole may be off by
// 2 * 0.01 + 0.001 / 10.
TEST(SampledTest, TheWholeMayBeOffByAMultipleOfTheBaselinesErrorAndATenthOfTheTolerance) {
  const Sampled sampled;
  std::vector<double> baseline = sampled.want.values;
  for (double& value : baseline) value += 0.01;
  const auto judged = [&](double error) {
    std::vector<double> got = sampled.all, kept;
    for (double& value : got) value += error;
    for (const int64_t index : sampled.want.indices)
      kept.push_back(got[static_cast<size_t>(index)]);
    return Judge({.want = &sampled.want,
                  .got = kept,
                  .baseline = baseline,
                  .got_stats = StatsOf(got),
                  .dtype = Dtype::FP32},
                 DynamoLimits(0.001, 2));
  };
  EXPECT_TRUE(judged(0.0200).passed);
  EXPECT_TRUE(judged(0.0200).reasons.empty());
}

// A baseline whose error lies in one element beside the sample: 99 of 65536, a root mean square of 0.39. What is equal to it is the
// same. With a multiplier of 2 the largest may be off by 2 * 99.
TEST(SampledTest, TheStatisticsOfTheBaselineShowAnErrorBesideTheSample) {
  const Sampled sampled;
  const auto spiked = [&](double value) {
    std::vector<double> values = sampled.all;
    values[5] = value;
    return values;
  };
  const auto judged = [&](double value, std::optional<OutputStats> of_baseline) {
    return Judge({.want = &sampled.want,
                  .got = sampled.want.values,
                  .baseline = sampled.want.values,
                  .got_stats = StatsOf(spiked(value)),
                  .baseline_stats = of_baseline,
                  .dtype = Dtype::FP32},
                 DynamoLimits(0.001, 2))
        .passed;
  };
  const OutputStats of_baseline = StatsOf(spiked(100));
  EXPECT_TRUE(judged(100, of_baseline));
  EXPECT_TRUE(judged(198, of_baseline));
  EXPECT_FALSE(judged(200, of_baseline));
  EXPECT_FALSE(judged(100, StatsOf(sampled.all)));
  EXPECT_FALSE(judged(100, std::nullopt));
}

// By what a rule allows each element follows how far the statistics of all may be off: the mean by the root mean square error, the
// norm by that times the root of their number, the largest by the largest error.
TEST(SampledTest, StatisticsOfTheWholeMayBeOffByWhatTheRuleAllowsItsElements) {
  const Sampled sampled;
  const OutputStats& stats = sampled.want.stats;
  const double size = std::sqrt(stats.mean * stats.mean + stats.std * stats.std);
  constexpr double kElements = 65536, kRoot = 256;
  // |got - baseline| <= tol + tol * |got|, where |got| <= (|baseline| + tol) / (1 - tol).
  const auto close = [](double tol, double baseline) { return (tol + tol * baseline) / (1 - tol); };
  std::vector<double> off = sampled.want.values;
  for (double& value : off) value += 0.01;
  const std::vector<double> nan(off.size(), NAN);
  const double within = close(1e-3, size), multiple = 2 * 0.01 + 1e-3 / 10,
               apart = 0.01 + close(0.1, size + 0.01), better = close(4e-2, size);
  const struct {
    VerifyParameters limits;
    double mean, rms, max;
    std::vector<double> baseline = {};
  } rows[] = {
      {RelativeLimits(0.01, 0.1), 0.01 * stats.std, 0.01 * stats.std, 0.1 * stats.std},
      {AllcloseLimits(0.01, 0.02), 0.01 + 0.02 * size, 0.01 + 0.02 * size,
       0.01 + 0.02 * stats.max_abs},
      {MeanRelativeLimits(0.01), 0.01 * stats.max_abs, 0.01 * stats.max_abs * kRoot,
       0.01 * stats.max_abs * kElements},
      {DynamoLimits(1e-3), within, within, within * kRoot},
      {DynamoLimits(1e-3, 2), multiple, multiple, multiple * kRoot, off},
      {DynamoLimits(0.1, 2), apart, apart, apart * kRoot, off},
      {DynamoLimits(1e-3), better, better, better * kRoot, nan},
  };
  for (size_t row = 0; row < std::size(rows); ++row) {
    for (const auto& [share, passed] :
         {std::pair{0.999, true}, {1.001, false}, {-0.999, true}, {-1.001, false}}) {
      OutputStats mean = stats, norm = stats, largest = stats;
      mean.mean += share * rows[row].mean;
      norm.l2_norm += share * rows[row].rms * kRoot;
      largest.max_abs += share * rows[row].max;
      for (const OutputStats& got : {mean, norm, largest}) {
        const RuleResult result = Judge({.want = &sampled.want,
                                         .got = sampled.want.values,
                                         .baseline = rows[row].baseline,
                                         .got_stats = got,
                                         .dtype = Dtype::FP32},
                                        rows[row].limits);
        EXPECT_EQ(result.passed, passed)
            << row << " " << share << " " << got.mean << " " << got.l2_norm << " " << got.max_abs;
      }
    }
  }
}

TEST(SampledTest, ACosineBoundsNoStatistic) {
  const Sampled sampled;
  VerifyParameters dynamo = DynamoLimits(1e-3);
  dynamo.set_cosine_min(0.99);
  for (const VerifyParameters& limits : {CosineLimits(0.99), dynamo}) {
    const RuleResult result = Judge({.want = &sampled.want,
                                     .got = sampled.want.values,
                                     .got_stats = {.mean = 9, .l2_norm = 9, .max_abs = 9},
                                     .dtype = Dtype::FP32},
                                    limits);
    EXPECT_TRUE(result.passed) << Rule_Name(limits.rule());
  }
}

TEST(SampledTest, WhatIsNotTheSameAsTheBaselineIsToldOnce) {
  const Sampled sampled;
  std::vector<double> got = sampled.all;
  for (double& value : got) value += 1;
  EXPECT_EQ(sampled.Judged(got, DynamoLimits(1e-3)).reasons.size(), 1u);
}

// The first rows of a sampled reference: its statistics are the kept elements' own, which are not
// those of all elements even where the output is right.
TEST(SampledTest, NothingOfTheWholeIsHeldAgainstTheStatisticsOfAPart) {
  Sampled sampled;
  sampled.want.stats = StatsOf(sampled.want.values);
  EXPECT_FALSE(sampled.Judged(sampled.all, RelativeLimits(1e-6, 1e-6)).passed)
      << "as if they were the whole's";
  sampled.want.stats_of_sample = true;
  EXPECT_TRUE(sampled.Judged(sampled.all, RelativeLimits(0, 0)).passed);
  std::vector<double> wrong = sampled.all;
  wrong[16] += 1;
  EXPECT_FALSE(sampled.Judged(wrong, RelativeLimits(1e-3, 1e-2)).passed);
}

TEST(SampledTest, EqualOutputsPassWithLimitsOfZero) {
  const Sampled sampled;
  EXPECT_TRUE(sampled.Judged(sampled.all, RelativeLimits(0, 0)).passed);
  EXPECT_TRUE(sampled.Judged(sampled.all, AllcloseLimits(0, 0)).passed);
}

}  // namespace
}  // namespace assay::numerics

#include "benchmarks/harness/numerics/comparison.h"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <functional>
#include <limits>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "ATen/TensorOperators.h"
#include "ATen/core/Tensor.h"
#include "ATen/ops/arange.h"
#include "ATen/ops/concat.h"
#include "ATen/ops/empty.h"
#include "ATen/ops/full.h"
#include "ATen/ops/full_like.h"
#include "ATen/ops/ones.h"
#include "ATen/ops/roll.h"
#include "ATen/ops/scalar_tensor.h"
#include "ATen/ops/softmax.h"
#include "ATen/ops/stack.h"
#include "ATen/ops/tensor.h"
#include "ATen/ops/zeros_like.h"
#include "benchmarks/harness/numerics/reference_writer.h"
#include "benchmarks/harness/numerics/seeded_tensor.h"
#include "gmock/gmock.h"
#include "google/protobuf/util/json_util.h"
#include "gtest/gtest.h"

namespace assay::numerics {
namespace {

at::Tensor Seeded(at::IntArrayRef shape, std::string_view name) {
  at::Tensor tensor = at::empty(shape, at::kFloat);
  EXPECT_TRUE(Fill(tensor, 0, name, {.multiplier = std::sqrt(3.0)}).ok());
  return tensor;
}

ReferenceOutputs ReferenceOf(const std::vector<NamedOutput>& outputs) {
  ReferenceOutputs reference;
  reference.sha256 = std::string(64, 'a');
  reference.metadata = {{"provenance", "torchvision 0.26.0, float64"}};
  for (const NamedOutput& output : outputs) {
    const absl::StatusOr<ReferenceOutput> made = MakeReferenceOutput(output);
    EXPECT_TRUE(made.ok()) << made.status();
    reference.outputs.push_back(*made);
  }
  return reference;
}

// Outputs of one dtype, of which only name and dimensions are specified.
ExpectedOutputs Expected(const ReferenceOutputs& reference, const std::vector<std::string>& names,
                         Dtype dtype = FP32) {
  ExpectedOutputs expected;
  for (const std::string& name : names) {
    ExpectedOutput& output = *expected.Add();
    output.set_name(name);
    output.set_dtype(dtype);
    const ReferenceOutput* want = reference.Find(name);
    for (std::size_t i = 0; want != nullptr && i < want->shape.size(); ++i) output.add_shape(-1);
  }
  return expected;
}

// Every output with the same dtype and rule.
Verdict CompareNamed(const ReferenceOutputs& reference, const std::vector<std::string>& names,
                     at::ArrayRef<at::Tensor> got, const VerifyParameters& limits, Dtype dtype,
                     at::ArrayRef<at::Tensor> baseline = {}) {
  return Compare(reference, Expected(reference, names, dtype), got, limits, baseline);
}

VerifyParameters RelativeLimits() {  // the suite's default for fp32
  VerifyParameters limits;
  limits.set_rule(RELATIVE_TO_STD);
  limits.set_rms_limit(1e-5);
  limits.set_max_limit(1e-4);
  limits.set_provenance("measured");
  return limits;
}

VerifyParameters AllcloseLimits() {
  VerifyParameters limits;
  limits.set_rule(ALLCLOSE);
  limits.set_atol(1e-4);
  limits.set_rtol(1e-5);
  return limits;
}

VerifyParameters DynamoLimits() {
  VerifyParameters limits;
  limits.set_rule(DYNAMO_SAME);
  limits.set_atol(1e-4);
  return limits;
}

VerifyParameters CosineLimits() {
  VerifyParameters limits;
  limits.set_rule(COSINE);
  limits.set_cosine_min(0.9999);
  return limits;
}

// Two outputs, one kept whole and one as a sample.
class ComparisonTest : public testing::Test {
 protected:
  ComparisonTest()
      : logits_(Seeded({64, 1000}, "logits")),
        pooled_(Seeded({22, 22}, "pooled")),
        reference_(ReferenceOf({{"logits", logits_}, {"pooled", pooled_}})) {
    EXPECT_TRUE(reference_.Find("logits")->sampled);
    EXPECT_FALSE(reference_.Find("pooled")->sampled);
  }

  Verdict CompareAll(const std::vector<at::Tensor>& got,
                     const VerifyParameters& limits = RelativeLimits(),
                     Dtype dtype = Dtype::FP32) const {
    return CompareNamed(reference_, {"logits", "pooled"}, got, limits, dtype);
  }

  const at::Tensor logits_, pooled_;
  const ReferenceOutputs reference_;
};

TEST_F(ComparisonTest, TheReferencesOwnValuesPassEveryRule) {
  for (const VerifyParameters& limits :
       {RelativeLimits(), AllcloseLimits(), DynamoLimits(), CosineLimits()}) {
    const Verdict verdict = CompareAll({logits_, pooled_}, limits);
    EXPECT_EQ(verdict.outcome(), PASS) << verdict.message();
    EXPECT_EQ(verdict.message(), "");
    EXPECT_EQ(verdict.rule(), limits.rule());
  }
}

TEST_F(ComparisonTest, RoundingOfTheDtypePasses) {
  const Verdict verdict = CompareAll({logits_ * (1 + 1e-6), pooled_ + 1e-6});
  EXPECT_EQ(verdict.outcome(), PASS) << verdict.message();
}

TEST_F(ComparisonTest, APassSaysHowCloseItWas) {
  at::Tensor pooled = pooled_.clone();
  pooled[2][3] += 5e-5;
  const Verdict verdict = CompareAll({logits_, pooled});
  ASSERT_EQ(verdict.outcome(), PASS) << verdict.message();
  EXPECT_EQ(verdict.limits_provenance(), "measured");
  EXPECT_EQ(verdict.reference().sha256(), reference_.sha256);
  const OutputVerdict& logits = verdict.outputs(0);
  EXPECT_EQ(logits.name(), "logits");
  EXPECT_EQ(logits.elements(), 64000);
  EXPECT_EQ(logits.elements_compared(), 512);
  EXPECT_EQ(logits.max_error(), 0);
  EXPECT_NEAR(logits.cosine(), 1, 1e-15);
  const OutputVerdict& output = verdict.outputs(1);
  EXPECT_EQ(output.elements(), 484);
  EXPECT_EQ(output.elements_compared(), 484);
  EXPECT_NEAR(output.max_error(), 5e-5, 1e-6);
  EXPECT_NEAR(output.rms_error(), 5e-5 / 22, 1e-8);
  EXPECT_EQ(output.rms_limit(), 1e-5);
  EXPECT_EQ(output.max_limit(), 1e-4);
  ASSERT_EQ(output.worst_index_size(), 2);
  EXPECT_EQ(output.worst_index(0), 2);
  EXPECT_EQ(output.worst_index(1), 3);
}

TEST_F(ComparisonTest, AnOutputsFactorIsOfItsOwnLimits) {
  ExpectedOutputs expected = Expected(reference_, {"logits", "pooled"});
  expected[1].set_limit_factor(4);
  for (const auto& [error, outcome] : {std::pair{3.8e-4, PASS}, {4.2e-4, FAIL_ACCURACY}}) {
    at::Tensor pooled = pooled_.clone();
    pooled[2][3] += error;
    const Verdict verdict = Compare(reference_, expected, {logits_, pooled}, RelativeLimits());
    EXPECT_EQ(verdict.outcome(), outcome) << verdict.message();
    EXPECT_DOUBLE_EQ(verdict.outputs(0).max_limit(), 1e-4);
    EXPECT_DOUBLE_EQ(verdict.outputs(1).rms_limit(), 4e-5);
    EXPECT_DOUBLE_EQ(verdict.outputs(1).max_limit(), 4e-4);
  }
}

TEST(NormsComparisonTest, AMissingOneFailsHoweverSmallBesideTheOthers) {
  const ReferenceOutputs reference =
      ReferenceOf({{"norms", at::tensor({1.0F, 900.0F, 0.01F, 0.0F})}});
  ExpectedOutputs expected = Expected(reference, {"norms"});
  const auto outcome = [&](const at::Tensor& got) {
    VerifyParameters limits = RelativeLimits();
    limits.set_rms_limit(1e-2);
    limits.set_max_limit(1e-2);
    return Compare(reference, expected, {got}, limits);
  };
  const at::Tensor missing = at::tensor({0.0F, 900.0F, 0.01F, 0.0F});
  EXPECT_EQ(outcome(missing).outcome(), PASS);
  expected[0].set_least_share(0.1);
  EXPECT_EQ(outcome(missing).outcome(), FAIL_ACCURACY);
  EXPECT_THAT(
      outcome(missing).outputs(0).message(),
      testing::HasSubstr("0 is less than 0.1 of the reference's 1: something is missing there"));
  EXPECT_EQ(outcome(at::tensor({0.11F, 900.0F, 0.0F, 0.001F})).outcome(), PASS)
      << "below a thousandth of the largest is rounding";
}

// Twenty thousand weights of 1 in two tensors have a norm of 100 in each. Float32 may lose 2^-24 * 100 =
// 6.0e-6 of it, and 6.0e-6 / 0.9 = 6.6e-6 is the smallest norm that it cannot lose nine tenths of.
TEST(NormsComparisonTest, AnUpdateThatRoundingTakesIsHeldToNoShare) {
  const auto outcome = [&](Dtype dtype, const std::string& norms, double want) {
    const at::ScalarType type = dtype == FP32 ? at::kFloat : at::kDouble;
    const at::Tensor weights = at::full({20'000}, 1.0, type);
    const auto of = [&](double first) { return at::tensor({first, 1e-3}).to(type); };
    const ReferenceOutputs reference =
        ReferenceOf({{"sgd.step1.parameters", weights}, {norms, of(want)}});
    ExpectedOutputs expected = Expected(reference, {"sgd.step1.parameters", norms}, dtype);
    expected[1].set_least_share(0.1);
    VerifyParameters limits = RelativeLimits();
    limits.set_rms_limit(1e-1);
    limits.set_max_limit(1e-1);
    return Compare(reference, expected, {weights, of(0)}, limits).outcome();
  };
  EXPECT_EQ(outcome(FP32, "sgd.step1.update_norms", 6.5e-6), PASS);
  EXPECT_EQ(outcome(FP32, "sgd.step1.update_norms", 6.7e-6), FAIL_ACCURACY);
  EXPECT_EQ(outcome(FP64, "sgd.step1.update_norms", 6.5e-6), FAIL_ACCURACY)
      << "float64 loses nothing";
  EXPECT_EQ(outcome(FP32, "sgd.step1.gradient_norms", 6.5e-6), FAIL_ACCURACY)
      << "a gradient is added to no weight";
}

// Of 1000 elements, in float32 twice as much (dynamo_same.h). 16 bits hold all of the values.
TEST(DynamoComparisonTest, SixteenBitsMayErrThreeTimesAsMuchAsTheBaseline) {
  const at::Tensor truth = at::ones({1000});
  const ReferenceOutputs reference = ReferenceOf({{"y", truth}});
  for (const auto& [dtype, outcome] : {std::pair{FP32, FAIL_ACCURACY}, {BF16, PASS}}) {
    const at::ScalarType type = dtype == FP32 ? at::kFloat : at::kBFloat16;
    const Verdict verdict = CompareNamed(reference, {"y"}, {(truth - 2.5 / 128).to(type)},
                                         DynamoLimits(), dtype, {(truth + 1.0 / 128).to(type)});
    EXPECT_EQ(verdict.outcome(), outcome) << verdict.message();
  }
}

// Its error lies in one element that the reference does not keep.
TEST(DynamoComparisonTest, WhatEqualsTheBaselineIsTheSameAlsoBesideTheSample) {
  const at::Tensor truth = Seeded({1000}, "truth");
  const ReferenceOutputs reference = ReferenceOf({{"y", truth}});
  const std::vector<int64_t>& kept = reference.outputs[0].indices;
  int64_t beside = 0;
  while (std::binary_search(kept.begin(), kept.end(), beside)) ++beside;
  at::Tensor baseline = truth.clone();
  baseline[beside] = 100;
  const auto outcome = [&](const at::Tensor& got) {
    return CompareNamed(reference, {"y"}, {got}, DynamoLimits(), FP32, {baseline}).outcome();
  };
  EXPECT_EQ(outcome(baseline), PASS);
  EXPECT_EQ(outcome(5 * baseline), FAIL_ACCURACY);
  EXPECT_EQ(outcome(truth), PASS);
}

// Every way of being wrong that matters, for a whole output and for a sampled one, under every
// rule that claims to see it.
struct Mutation {
  std::string_view what;
  std::function<at::Tensor(const at::Tensor&)> apply;
  Outcome outcome;
  bool changes_direction;  // whether COSINE can see it
};

const std::vector<Mutation>& Mutations() {
  static const auto& mutations = *new std::vector<Mutation>{
      {"scaled by 1.001", [](const at::Tensor& t) { return t * 1.001; }, FAIL_ACCURACY, false},
      {"shifted", [](const at::Tensor& t) { return t + 0.001; }, FAIL_ACCURACY, false},
      {"noise", [](const at::Tensor& t) { return t + 0.1 * Seeded(t.sizes(), "noise"); },
       FAIL_ACCURACY, true},
      {"all zeros", [](const at::Tensor& t) { return at::zeros_like(t); }, FAIL_ACCURACY, true},
      {"negated", [](const at::Tensor& t) { return -t; }, FAIL_ACCURACY, true},
      {"rows rotated", [](const at::Tensor& t) { return at::roll(t, 1, 0); }, FAIL_ACCURACY, true},
      {"columns flipped", [](const at::Tensor& t) { return t.flip(1); }, FAIL_ACCURACY, true},
      {"elements shuffled into rows",
       [](const at::Tensor& t) { return t.t().contiguous().view(t.sizes()); }, FAIL_ACCURACY, true},
      {"last row is the first",
       [](const at::Tensor& t) {
         at::Tensor c = t.clone();
         c[-1].copy_(c[0]);
         return c;
       },
       FAIL_ACCURACY, true},
      {"one row of zeros",
       [](const at::Tensor& t) {
         at::Tensor c = t.clone();
         c[17].zero_();
         return c;
       },
       FAIL_ACCURACY, true},
      {"every row the same", [](const at::Tensor& t) { return t.slice(0, 0, 1).expand_as(t); },
       FAIL_ACCURACY, true},
      {"softmaxed", [](const at::Tensor& t) { return at::softmax(t, 1); }, FAIL_ACCURACY, true},
      {"clipped at 1.5", [](const at::Tensor& t) { return t.clamp_max(1.5); }, FAIL_ACCURACY, true},
      {"rounded to bf16 inside",
       [](const at::Tensor& t) { return t.to(at::kBFloat16).to(at::kFloat); }, FAIL_ACCURACY,
       false},
      {"a NaN",
       [](const at::Tensor& t) {
         at::Tensor c = t.clone();
         c[5][6] = NAN;
         return c;
       },
       FAIL_NONFINITE, true},
      {"an infinity",
       [](const at::Tensor& t) {
         at::Tensor c = t.clone();
         c[5][6] = INFINITY;
         return c;
       },
       FAIL_NONFINITE, true},
      {"all NaN", [](const at::Tensor& t) { return at::full_like(t, NAN); }, FAIL_NONFINITE, true},
      {"bf16", [](const at::Tensor& t) { return t.to(at::kBFloat16); }, FAIL_DTYPE, true},
      {"fp64", [](const at::Tensor& t) { return t.to(at::kDouble); }, FAIL_DTYPE, true},
      {"integers", [](const at::Tensor& t) { return t.to(at::kLong); }, FAIL_DTYPE, true},
      {"booleans", [](const at::Tensor& t) { return t.to(at::kBool); }, FAIL_DTYPE, true},
      {"complex", [](const at::Tensor& t) { return t.to(at::kComplexFloat); }, FAIL_DTYPE, true},
      {"sparse", [](const at::Tensor& t) { return t.to_sparse(); }, FAIL_DTYPE, true},
      {"truncated", [](const at::Tensor& t) { return t.slice(0, 0, -1); }, FAIL_SHAPE, true},
      {"one row too many",
       [](const at::Tensor& t) {
         return at::concat({t, t.slice(0, 0, 1)});
       },
       FAIL_SHAPE, true},
      {"broadcastable row", [](const at::Tensor& t) { return t.slice(0, 0, 1); }, FAIL_SHAPE, true},
      {"broadcastable scalar", [](const at::Tensor& t) { return t[0][0]; }, FAIL_SHAPE, true},
      {"one element", [](const at::Tensor& t) { return t.flatten().slice(0, 0, 1); }, FAIL_SHAPE,
       true},
      {"flattened", [](const at::Tensor& t) { return t.flatten(); }, FAIL_SHAPE, true},
      {"dimension of one added", [](const at::Tensor& t) { return t.unsqueeze(0); }, FAIL_SHAPE,
       true},
      {"empty", [](const at::Tensor& t) { return t.slice(0, 0, 0); }, FAIL_SHAPE, true},
      {"undefined", [](const at::Tensor&) { return at::Tensor(); }, FAIL_SHAPE, true},
  };
  return mutations;
}

// 100 logits, of which every fourth is masked by -inf, and one is NaN.
at::Tensor Masked() {
  at::Tensor logits = Seeded({4, 25}, "masked");
  logits.view({-1}).slice(0, 0, 100, 4).fill_(-std::numeric_limits<float>::infinity());
  logits[3][3] = NAN;
  return logits;
}

ReferenceOutputs ReferenceOfMasked(const at::Tensor& masked) {
  ReferenceOutputs reference;
  const auto made =
      MakeReferenceOutput({"masked", masked.to(at::kDouble)}, /*whole_limit=*/int64_t{10});
  EXPECT_TRUE(made.ok()) << made.status();
  if (made.ok()) reference.outputs.push_back(*made);
  return reference;
}

TEST(Compare, InfinityAndNanMustStandWhereTheReferenceHasThem) {
  const at::Tensor masked = Masked();
  const ReferenceOutputs reference = ReferenceOfMasked(masked);
  const float infinity = std::numeric_limits<float>::infinity();
  const struct {
    std::string_view what;
    int64_t index;
    float value;
    Outcome outcome;
  } changes[] = {{"nothing", 0, -infinity, PASS},
                 {"another NaN", 78, -NAN, PASS},
                 {"a number in the place of -inf", 4, -3.4e38F, FAIL_NONFINITE},
                 {"inf in the place of -inf", 4, infinity, FAIL_NONFINITE},
                 {"NaN in the place of -inf", 4, NAN, FAIL_NONFINITE},
                 {"-inf in the place of NaN", 78, -infinity, FAIL_NONFINITE},
                 {"-inf in the place of a number", 5, -infinity, FAIL_NONFINITE},
                 {"NaN in the place of a number", 5, NAN, FAIL_NONFINITE},
                 {"another number", 5, 7, FAIL_ACCURACY}};
  for (const VerifyParameters& limits : {RelativeLimits(), AllcloseLimits(), DynamoLimits()}) {
    for (const auto& change : changes) {
      at::Tensor got = masked.clone();
      got.view({-1})[change.index] = change.value;
      const Verdict verdict = CompareNamed(reference, {"masked"}, {got}, limits, FP32);
      EXPECT_EQ(verdict.outcome(), change.outcome) << change.what << "\n" << verdict.message();
      EXPECT_EQ(verdict.outputs(0).elements_compared(), 100);
      if (change.outcome != FAIL_NONFINITE) continue;
      EXPECT_EQ(verdict.outputs(0).worst_index(1), change.index % 25) << change.what;
    }
  }
}

TEST(Compare, SaysWhichPartOfAnOutputIsNaNOrInfinite) {
  const at::Tensor masked = Masked();
  const Verdict verdict =
      CompareNamed(ReferenceOfMasked(masked), {"masked"}, {masked}, RelativeLimits(), FP32);
  ASSERT_EQ(verdict.checks_size(), 1);
  EXPECT_EQ(verdict.checks(0).name(), "nonfinite_outputs");
  EXPECT_EQ(verdict.checks(0).status(), CHECK_NOTED);
  EXPECT_EQ(
      verdict.checks(0).detail(),
      "masked is NaN in 1 % and infinite in 25 % of its elements, just where the reference is; "
      "the limits are of the others");
}

// Four thousand elements that are infinite would hide an error, were the limits of all elements.
TEST(Compare, LimitsAreOfTheFiniteElements) {
  at::Tensor masked = at::full({4096}, -std::numeric_limits<float>::infinity());
  masked.slice(0, 0, 16).copy_(Seeded({16}, "few"));
  at::Tensor got = masked.clone();
  got.slice(0, 0, 16).add_(2e-5F);
  EXPECT_EQ(
      CompareNamed(ReferenceOfMasked(masked), {"masked"}, {got}, RelativeLimits(), FP32).outcome(),
      FAIL_ACCURACY);
}

TEST(Compare, AnOutputOfInfinityAloneMustBeInfinite) {
  const at::Tensor all = at::full({3}, std::numeric_limits<float>::infinity());
  const ReferenceOutputs reference = ReferenceOfMasked(all);
  const auto outcome = [&](const at::Tensor& got) {
    return CompareNamed(reference, {"masked"}, {got}, RelativeLimits(), FP32).outcome();
  };
  EXPECT_EQ(outcome(all), PASS);
  EXPECT_EQ(outcome(all.neg()), FAIL_NONFINITE);
  EXPECT_EQ(outcome(at::full({3}, 1.F)), FAIL_NONFINITE);
}

TEST_F(ComparisonTest, EveryMutationOfAnOutputIsSeen) {
  for (const Mutation& mutation : Mutations()) {
    for (const VerifyParameters& limits :
         {RelativeLimits(), AllcloseLimits(), DynamoLimits(), CosineLimits()}) {
      if (limits.rule() == COSINE && !mutation.changes_direction) continue;
      const Verdict sampled = CompareAll({mutation.apply(logits_), pooled_}, limits);
      EXPECT_EQ(sampled.outcome(), mutation.outcome)
          << "sampled, " << Rule_Name(limits.rule()) << ", " << mutation.what << sampled.message();
      EXPECT_NE(sampled.message().find("\"logits\""), std::string::npos) << sampled.message();
      EXPECT_EQ(sampled.outputs(1).outcome(), PASS);
      const Verdict whole = CompareAll({logits_, mutation.apply(pooled_)}, limits);
      EXPECT_EQ(whole.outcome(), mutation.outcome)
          << "whole, " << Rule_Name(limits.rule()) << ", " << mutation.what << whole.message();
      EXPECT_EQ(whole.outputs(0).outcome(), PASS);
    }
  }
}

TEST_F(ComparisonTest, EveryVerdictCanBeWrittenAsJson) {
  std::vector<Mutation> mutations = Mutations();
  mutations.push_back({"huge", [](const at::Tensor& t) { return t * 1e38; }, FAIL_ACCURACY, true});
  for (const Mutation& mutation : mutations) {
    const Verdict verdict = CompareAll({mutation.apply(logits_), mutation.apply(pooled_)});
    std::string json;
    ASSERT_TRUE(google::protobuf::util::MessageToJsonString(verdict, &json).ok());
    EXPECT_EQ(json.find("NaN\","), std::string::npos) << mutation.what << json;
    EXPECT_EQ(json.find("Infinity\","), std::string::npos) << mutation.what << json;
  }
}

TEST_F(ComparisonTest, SquaresThatOverflowFailWithFiniteNumbers) {
  const at::Tensor small = Seeded({4}, "s").to(at::kDouble);
  const Verdict verdict = CompareNamed(ReferenceOf({{"y", small}}), {"y"}, {small + 1e300},
                                       RelativeLimits(), Dtype::FP64);
  EXPECT_EQ(verdict.outcome(), FAIL_ACCURACY);
  EXPECT_TRUE(std::isfinite(verdict.outputs(0).rms_error()));
  EXPECT_TRUE(std::isfinite(verdict.outputs(0).cosine()));
}

TEST_F(ComparisonTest, ASingleWrongElementOfAWholeOutputIsFoundAndShown) {
  at::Tensor pooled = pooled_.clone();
  pooled[3][17] += 0.5;
  const Verdict verdict = CompareAll({logits_, pooled});
  ASSERT_EQ(verdict.outcome(), FAIL_ACCURACY);
  const OutputVerdict& output = verdict.outputs(1);
  EXPECT_EQ(output.elements_wrong(), 1);
  EXPECT_EQ(output.worst_index(0), 3);
  EXPECT_EQ(output.worst_index(1), 17);
  EXPECT_FLOAT_EQ(output.worst_got(), pooled[3][17].item<float>());
  EXPECT_FLOAT_EQ(output.worst_want(), pooled_[3][17].item<float>());
  EXPECT_GT(output.max_error(), 0.4);
}

TEST_F(ComparisonTest, ASampledIndexIsThatOfTheWholeOutput) {
  at::Tensor logits = logits_.clone();
  const int64_t flat = reference_.Find("logits")->indices[321];
  logits.view({-1})[flat] += 0.5;
  const Verdict verdict = CompareAll({logits, pooled_});
  ASSERT_EQ(verdict.outcome(), FAIL_ACCURACY);
  EXPECT_EQ(verdict.outputs(0).worst_index(0) * 1000 + verdict.outputs(0).worst_index(1), flat);
}

TEST_F(ComparisonTest, NanBesideTheSampleIsSeen) {
  at::Tensor logits = logits_.clone();
  const std::vector<int64_t>& indices = reference_.Find("logits")->indices;
  int64_t unsampled = 0;
  while (std::binary_search(indices.begin(), indices.end(), unsampled)) ++unsampled;
  logits.view({-1})[unsampled] = NAN;
  EXPECT_EQ(CompareAll({logits, pooled_}).outcome(), FAIL_NONFINITE);
}

TEST_F(ComparisonTest, WrongValuesBesideTheSampleAreSeen) {
  at::Tensor logits = at::zeros_like(logits_);
  for (const int64_t index : reference_.Find("logits")->indices) {
    logits.view({-1})[index] = logits_.view({-1})[index];
  }
  const Verdict verdict = CompareAll({logits, pooled_});
  EXPECT_EQ(verdict.outcome(), FAIL_ACCURACY);
  EXPECT_EQ(verdict.outputs(0).max_error(), 0);
  EXPECT_NE(verdict.message().find("L2 norm of all 64000 elements"), std::string::npos)
      << verdict.message();
}

TEST_F(ComparisonTest, TheMessageShowsWhereHowMuchAndAgainstWhat) {
  const at::Tensor want = at::tensor({1.0f, -1.0f, 1.0f, -1.0f}).view({2, 2});
  at::Tensor got = want.clone();
  got[1][0] = 1.25;
  VerifyParameters limits = RelativeLimits();
  limits.set_rms_limit(0.01);
  limits.set_max_limit(0.1);
  const Verdict verdict =
      CompareNamed(ReferenceOf({{"y", want}}), {"y"}, {got}, limits, Dtype::FP32);
  EXPECT_EQ(verdict.message(),
            "output \"y\" differs from the reference\n"
            "  worst  [1, 0]  got 1.25  want 1  (abs 0.25, tolerance 0.1·std = 0.1)\n"
            "  error  rms 0.125·std, limit 0.01; max 0.25·std, limit 0.1\n"
            "  wrong  1 of 4 elements (25 %), cosine 0.99485\n"
            "  reference  sha256 aaaaaaaa…, torchvision 0.26.0, float64");
}

TEST_F(ComparisonTest, TheMessageOfANonfiniteOutputShowsTheFirst) {
  const at::Tensor want = at::tensor({1.0f, -1.0f, 1.0f, -1.0f}).view({2, 2});
  at::Tensor got = want.clone();
  got[1][0] = -INFINITY;
  const Verdict verdict =
      CompareNamed(ReferenceOf({{"y", want}}), {"y"}, {got}, RelativeLimits(), Dtype::FP32);
  EXPECT_EQ(verdict.message(),
            "output \"y\" is not finite\n"
            "  first  [1, 0]  got -inf\n"
            "  wrong  1 of 4 elements (25 %)");
}

// Zero has two signs and one value; limits of zero are the strictest there are.
TEST_F(ComparisonTest, MinusZeroIsZeroAndSubnormalsAreNot) {
  VerifyParameters equal = RelativeLimits();
  equal.set_rms_limit(0);
  equal.set_max_limit(0);
  const float subnormal = 1e-42f;
  at::Tensor want = Seeded({4, 4}, "want");
  want[0][0] = 0.0f;
  want[0][1] = subnormal;
  const ReferenceOutputs reference = ReferenceOf({{"out", want}});
  ASSERT_EQ(reference.Find("out")->values[1], static_cast<double>(subnormal)) << "flushed to zero";
  at::Tensor got = want.clone();
  got[0][0] = -0.0f;
  EXPECT_EQ(CompareNamed(reference, {"out"}, {got}, equal, FP32).outcome(), PASS);
  got[0][1] = 0.0f;
  EXPECT_EQ(CompareNamed(reference, {"out"}, {got}, equal, FP32).outcome(), FAIL_ACCURACY);
}

TEST_F(ComparisonTest, WhatOverflowsInFp16IsNotFinite) {
  const ReferenceOutputs reference = ReferenceOf({{"out", at::full({2, 2}, 70000.0)}});
  const at::Tensor got = at::full({2, 2}, 70000.0).to(at::kHalf);
  EXPECT_EQ(CompareNamed(reference, {"out"}, {got}, RelativeLimits(), FP16).outcome(),
            FAIL_NONFINITE);
}

TEST_F(ComparisonTest, SwappedOutputsFail) {
  const at::Tensor other = Seeded({22, 22}, "other");
  const ReferenceOutputs reference = ReferenceOf({{"a", pooled_}, {"b", other}});
  EXPECT_EQ(CompareNamed(reference, {"a", "b"}, {pooled_, other}, RelativeLimits(), Dtype::FP32)
                .outcome(),
            PASS);
  EXPECT_EQ(CompareNamed(reference, {"b", "a"}, {other, pooled_}, RelativeLimits(), Dtype::FP32)
                .outcome(),
            PASS)
      << "outputs are found by name";
  const Verdict swapped =
      CompareNamed(reference, {"a", "b"}, {other, pooled_}, RelativeLimits(), Dtype::FP32);
  EXPECT_EQ(swapped.outcome(), FAIL_ACCURACY);
  EXPECT_EQ(swapped.outputs(0).outcome(), FAIL_ACCURACY);
  EXPECT_EQ(swapped.outputs(1).outcome(), FAIL_ACCURACY);
}

TEST_F(ComparisonTest, OutputsAndReferencesMustBeTheSameSet) {
  const auto outcome = [&](const std::vector<std::string>& names,
                           const std::vector<at::Tensor>& got) {
    const Verdict verdict = CompareNamed(reference_, names, got, RelativeLimits(), Dtype::FP32);
    EXPECT_NE(verdict.message(), "");
    return verdict.outcome();
  };
  EXPECT_EQ(outcome({"logits", "pooled"}, {logits_}), FAIL_SHAPE) << "missing tensor";
  EXPECT_EQ(outcome({"logits", "pooled"}, {logits_, pooled_, pooled_}), FAIL_SHAPE)
      << "surplus tensor";
  EXPECT_EQ(outcome({"logits"}, {logits_}), FAIL_SHAPE) << "undeclared output";
  EXPECT_EQ(outcome({"logits", "pooled", "extra"}, {logits_, pooled_, pooled_}), FAIL_SHAPE);
  EXPECT_EQ(outcome({"logits", "Pooled"}, {logits_, pooled_}), FAIL_SHAPE);
  EXPECT_EQ(outcome({"logits", "logits", "pooled"}, {logits_, logits_, pooled_}), FAIL_SHAPE);
  EXPECT_EQ(outcome({}, {}), FAIL_SHAPE);
}

TEST_F(ComparisonTest, NothingToCompareIsNoPass) {
  const Verdict verdict = CompareNamed(ReferenceOutputs(), {}, {}, RelativeLimits(), Dtype::FP32);
  EXPECT_EQ(verdict.outcome(), FAIL_ARTIFACT);
  EXPECT_NE(verdict.message(), "");
}

TEST_F(ComparisonTest, ADamagedReferenceIsNotTheModelsFault) {
  ReferenceOutputs reference = reference_;
  reference.outputs[1].values[3] = NAN;
  at::Tensor pooled = pooled_.clone();
  pooled.view({-1})[3] = NAN;  // equal_nan would let this pass
  const Verdict verdict = CompareNamed(reference, {"logits", "pooled"}, {logits_, pooled},
                                       RelativeLimits(), Dtype::FP32);
  EXPECT_EQ(verdict.outcome(), FAIL_ARTIFACT);
}

TEST_F(ComparisonTest, TheGravestOutcomeDecidesAndEveryFailureIsTold) {
  const Verdict verdict = CompareAll({logits_ * 2, pooled_.slice(0, 0, 1)});
  EXPECT_EQ(verdict.outcome(), FAIL_SHAPE);
  EXPECT_NE(verdict.message().find("\"logits\" differs"), std::string::npos) << verdict.message();
  EXPECT_NE(verdict.message().find("\"pooled\" has shape [1, 22], the reference [22, 22]"),
            std::string::npos)
      << verdict.message();
}

TEST_F(ComparisonTest, UnusableLimitsNeverPass) {
  const Verdict verdict = CompareAll({logits_, pooled_}, VerifyParameters());
  EXPECT_EQ(verdict.outcome(), FAIL_ACCURACY);
  EXPECT_NE(verdict.message().find("no rule"), std::string::npos) << verdict.message();
}

TEST_F(ComparisonTest, LimitsThatLetAnythingPassNeverPass) {
  VerifyParameters limits = RelativeLimits();
  limits.set_rms_limit(INFINITY);
  limits.set_max_limit(INFINITY);
  EXPECT_EQ(CompareAll({-logits_, -pooled_}, limits).outcome(), FAIL_ACCURACY);
}

TEST_F(ComparisonTest, MemoryLayoutAndGraphDoNotMatter) {
  const at::Tensor transposed = pooled_.t().contiguous().t();
  ASSERT_FALSE(transposed.is_contiguous());
  const at::Tensor with_graph = logits_.clone().set_requires_grad(true) * 1;
  EXPECT_EQ(CompareAll({with_graph, transposed}).outcome(), PASS);
}

TEST_F(ComparisonTest, ATransposedSquareOutputFails) {
  EXPECT_EQ(CompareAll({logits_, pooled_.t()}).outcome(), FAIL_ACCURACY);
}

TEST_F(ComparisonTest, ShortDtypesAreHeldToTheirOwnLimits) {
  VerifyParameters limits = RelativeLimits();
  limits.set_rms_limit(5e-2);
  limits.set_max_limit(0.3);
  const auto bf16 = [](const at::Tensor& t) { return t.to(at::kBFloat16); };
  EXPECT_EQ(CompareAll({bf16(logits_), bf16(pooled_)}, limits, Dtype::BF16).outcome(), PASS);
  EXPECT_EQ(
      CompareAll({bf16(logits_), bf16(at::roll(pooled_, 1, 0))}, limits, Dtype::BF16).outcome(),
      FAIL_ACCURACY);
  EXPECT_EQ(CompareAll({logits_, bf16(pooled_)}, limits, Dtype::BF16).outcome(), FAIL_DTYPE)
      << "more precise than asked for is another benchmark";
}

TEST_F(ComparisonTest, ScalarOutputsAreCompared) {
  const at::Tensor loss = at::scalar_tensor(2.5);
  const ReferenceOutputs reference = ReferenceOf({{"loss", loss}});
  EXPECT_EQ(CompareNamed(reference, {"loss"}, {loss}, RelativeLimits(), Dtype::FP32).outcome(),
            PASS);
  EXPECT_EQ(
      CompareNamed(reference, {"loss"}, {loss * 1.001}, RelativeLimits(), Dtype::FP32).outcome(),
      FAIL_ACCURACY);
  EXPECT_EQ(
      CompareNamed(reference, {"loss"}, {loss.view({1})}, RelativeLimits(), Dtype::FP32).outcome(),
      FAIL_SHAPE);
}

TEST_F(ComparisonTest, ABaselineWidensDynamosRule) {
  const at::Tensor want = Seeded({1000}, "w");
  const at::Tensor noise = Seeded({1000}, "n");
  const ReferenceOutputs reference = ReferenceOf({{"y", want}});
  const at::Tensor got = want + 0.019 * noise, baseline = want - 0.01 * noise;
  const auto outcome = [&](at::ArrayRef<at::Tensor> baselines) {
    return CompareNamed(reference, {"y"}, {got}, DynamoLimits(), Dtype::FP32, baselines).outcome();
  };
  EXPECT_EQ(outcome({}), FAIL_ACCURACY);
  EXPECT_EQ(outcome({baseline}), PASS) << "1.9 times the baseline's error, 2 are allowed";
  EXPECT_EQ(outcome({want - 0.009 * noise}), FAIL_ACCURACY);
  EXPECT_EQ(outcome({baseline.slice(0, 0, 1)}), FAIL_SHAPE);
}

TEST_F(ComparisonTest, ABaselineThatIsNotFiniteExcusesFourHundredthsAtMost) {
  const at::Tensor want = Seeded({1000}, "w");
  const ReferenceOutputs reference = ReferenceOf({{"y", want}});
  for (const double bad : {NAN, INFINITY}) {
    at::Tensor baseline = want.clone();
    baseline.narrow(0, 3, 1).fill_(bad);
    const auto outcome = [&](double off) {
      return CompareNamed(reference, {"y"}, {want + off}, DynamoLimits(), Dtype::FP32, {baseline})
          .outcome();
    };
    EXPECT_EQ(outcome(0.039), PASS) << "0.04 is allowed where the reference is 0";
    EXPECT_EQ(outcome(1), FAIL_ACCURACY);
  }
}

TEST_F(ComparisonTest, AMaskIsComparedByIouOnlyWhereItsSpecificationSaysSo) {
  const at::Tensor mask = at::arange(200) < 100, got = at::arange(200) < 101;
  const ReferenceOutputs reference = ReferenceOf({{"mask", mask}});
  ExpectedOutputs expected = Expected(reference, {"mask"}, Dtype::BOOL);
  VerifyParameters limits = RelativeLimits();
  limits.set_iou_min(0.99);
  EXPECT_EQ(Compare(reference, expected, {got}, limits).outcome(), FAIL_ACCURACY);
  expected[0].set_rule(IOU);
  const Verdict verdict = Compare(reference, expected, {got}, limits);
  EXPECT_EQ(verdict.outcome(), PASS) << verdict.message();
  EXPECT_DOUBLE_EQ(verdict.outputs(0).iou(), 100.0 / 101);
  EXPECT_EQ(Compare(reference, expected, {at::arange(200) < 102}, limits).outcome(), FAIL_ACCURACY);
}

TEST_F(ComparisonTest, TheMeanRelativeErrorIsKept) {
  const at::Tensor want = at::tensor({100.0F, 10.0F});
  const ReferenceOutputs reference = ReferenceOf({{"y", want}});
  VerifyParameters limits;
  limits.set_rule(MEAN_RELATIVE);
  limits.set_mean_relative_limit(0.02);
  const Verdict verdict =
      CompareNamed(reference, {"y"}, {at::tensor({101.0F, 10.0F})}, limits, Dtype::FP32);
  EXPECT_EQ(verdict.outcome(), PASS) << verdict.message();
  EXPECT_DOUBLE_EQ(verdict.outputs(0).mean_relative_error(), 0.005);
}

TEST_F(ComparisonTest, TheShareOfBoxesThatAreFoundAgainIsKept) {
  const at::Tensor want = at::tensor({1.0F, 0.5F, 0.0F, 0.0F, 8.0F, 8.0F}).view({1, 1, 6});
  const ReferenceOutputs reference = ReferenceOf({{"detections", want}});
  VerifyParameters limits;
  limits.set_rule(DETECTIONS);
  limits.set_corner_limit(1);
  limits.set_score_limit(0.5);
  limits.set_matched_min(1);
  at::Tensor got = want.clone();
  got.select(2, 4).add_(0.5);
  got.select(2, 1).sub_(0.25);
  const Verdict verdict = CompareNamed(reference, {"detections"}, {got}, limits, Dtype::FP32);
  EXPECT_EQ(verdict.outcome(), PASS) << verdict.message();
  EXPECT_EQ(verdict.outputs(0).boxes_matched(), 1);
  EXPECT_EQ(verdict.outputs(0).corner_error(), 0.5);
  EXPECT_EQ(verdict.outputs(0).score_error(), 0.25);
}

ExpectedOutput Specified(const std::string& name, Dtype dtype, std::vector<int64_t> shape) {
  ExpectedOutput output;
  output.set_name(name);
  output.set_dtype(dtype);
  *output.mutable_shape() = {shape.begin(), shape.end()};
  return output;
}

ExpectedOutputs ListOf(const std::vector<ExpectedOutput>& outputs) {
  return ExpectedOutputs(outputs.begin(), outputs.end());
}

TEST(SpecifiedOutputs, EachIsHeldToItsOwnDtypeAndRule) {
  const at::Tensor loss = at::scalar_tensor(2.5), labels = at::tensor({3, 0, 7}, at::kLong),
                   kept = at::tensor({1, 0, 1}, at::kLong).to(at::kBool),
                   logits = Seeded({3, 16}, "logits");
  const ReferenceOutputs reference =
      ReferenceOf({{"loss", loss}, {"labels", labels}, {"kept", kept}, {"logits", logits}});
  ExpectedOutputs expected =
      ListOf({Specified("loss", FP16, {}), Specified("labels", INT64, {3}),
              Specified("kept", BOOL, {3}), Specified("logits", FP32, {3, -1})});
  expected[1].set_rule(EXACT);
  const auto judge = [&](const std::vector<at::Tensor>& got) {
    return Compare(reference, expected, got, RelativeLimits());
  };
  const at::Tensor half = loss.to(at::kHalf);
  const Verdict verdict = judge({half, labels, kept, logits});
  EXPECT_EQ(verdict.outcome(), PASS) << verdict.message();
  for (const OutputVerdict& output : verdict.outputs()) {
    EXPECT_TRUE(std::isfinite(output.rms_error()) && std::isfinite(output.cosine()))
        << output.name();
  }
  EXPECT_EQ(verdict.outputs(1).rms_limit(), 0) << "EXACT has no limit";
  at::Tensor other = labels.clone();
  other[1] = 1;
  const Verdict wrong = judge({half, other, kept, logits});
  EXPECT_EQ(wrong.outcome(), FAIL_ACCURACY);
  EXPECT_EQ(wrong.outputs(1).elements_wrong(), 1);
  EXPECT_EQ(wrong.outputs(1).worst_index(0), 1);
  EXPECT_NE(wrong.message().find("1 of 3 elements are not equal"), std::string::npos)
      << wrong.message();
  EXPECT_EQ(judge({half, labels, kept.logical_not(), logits}).outcome(), FAIL_ACCURACY);
  EXPECT_EQ(judge({loss, labels, kept, logits}).outcome(), FAIL_DTYPE);
  EXPECT_EQ(judge({half, labels.to(at::kInt), kept, logits}).outcome(), FAIL_DTYPE);
  EXPECT_EQ(judge({half, labels.to(at::kFloat), kept, logits}).outcome(), FAIL_DTYPE);
  EXPECT_EQ(judge({half, labels, kept, logits.to(at::kHalf)}).outcome(), FAIL_DTYPE);
  EXPECT_EQ(judge({half.view({1}), labels, kept, logits}).outcome(), FAIL_SHAPE);
  EXPECT_EQ(judge({half, labels, kept}).outcome(), FAIL_SHAPE);
  EXPECT_EQ(judge({half, labels, kept, logits, logits}).outcome(), FAIL_SHAPE);
}

TEST(SpecifiedOutputs, ALargeIntegerOutputIsSampledAndItsWholeCompared) {
  at::Tensor labels = at::arange(40000, at::kLong).remainder(1000);
  const ReferenceOutputs reference = ReferenceOf({{"labels", labels}});
  ASSERT_TRUE(reference.Find("labels")->sampled);
  const ExpectedOutputs expected = ListOf({Specified("labels", INT64, {40000})});
  EXPECT_EQ(Compare(reference, expected, {labels}, RelativeLimits()).outcome(), PASS);
  const std::vector<int64_t>& indices = reference.Find("labels")->indices;
  int64_t unsampled = 0;
  while (std::binary_search(indices.begin(), indices.end(), unsampled)) ++unsampled;
  at::Tensor beside = labels.clone();
  beside[unsampled] += 1;
  EXPECT_EQ(Compare(reference, expected, {beside}, RelativeLimits()).outcome(), FAIL_ACCURACY);
  beside = labels.clone();
  beside[indices[7]] += 1;
  EXPECT_EQ(Compare(reference, expected, {beside}, RelativeLimits()).outcome(), FAIL_ACCURACY);
}

TEST(SpecifiedOutputs, AShapeBesideTheSpecificationFailsEvenIfTheReferenceHasIt) {
  const at::Tensor y = Seeded({2, 8}, "y");
  const ReferenceOutputs reference = ReferenceOf({{"y", y}});
  const auto judge = [&](ExpectedOutput output) {
    return Compare(reference, ListOf({std::move(output)}), {y}, RelativeLimits());
  };
  EXPECT_EQ(judge(Specified("y", FP32, {2, 8})).outcome(), PASS);
  EXPECT_EQ(judge(Specified("y", FP32, {-1, 8})).outcome(), PASS);
  const Verdict verdict = judge(Specified("y", FP32, {-1, 9}));
  EXPECT_EQ(verdict.outcome(), FAIL_SHAPE);
  EXPECT_NE(verdict.message().find("has shape [2, 8], its specification says [any, 9]"),
            std::string::npos)
      << verdict.message();
  EXPECT_EQ(judge(Specified("y", FP32, {16})).outcome(), FAIL_SHAPE);
  EXPECT_EQ(judge(Specified("y", FP32, {17, 8})).outcome(), FAIL_SHAPE);
  ExpectedOutput batched = Specified("y", FP32, {17, 8});
  batched.set_batched(true);
  EXPECT_EQ(judge(batched).outcome(), FAIL_SHAPE) << "two of 17 rows";
}

// An output of six rows, of which the reference has two.
class ComparedRows : public testing::Test {
 protected:
  ComparedRows()
      : y_(Seeded({6, 8}, "y")),
        reference_(ReferenceOf({{"y", at::stack({y_[1], y_[5]})}})),
        expected_(ListOf({Specified("y", FP32, {6, 8})})) {
    expected_[0].set_batched(true);
  }

  Verdict Judge(const at::Tensor& got, at::ArrayRef<at::Tensor> baseline = {}) const {
    return Compare(reference_, expected_, {got}, RelativeLimits(), baseline, {1, 5});
  }

  const at::Tensor y_;
  const ReferenceOutputs reference_;
  ExpectedOutputs expected_;
};

TEST_F(ComparedRows, AreThoseThatAreNamed) {
  const Verdict verdict = Judge(y_);
  EXPECT_EQ(verdict.outcome(), PASS) << verdict.message();
  EXPECT_EQ(verdict.outputs(0).elements(), 48);
  EXPECT_EQ(verdict.outputs(0).elements_compared(), 16);
  at::Tensor beside = y_.clone();
  beside[2] += 1;
  EXPECT_EQ(Judge(beside).outcome(), PASS) << "nothing is known of this row";
}

TEST_F(ComparedRows, HaveTheNumbersOfTheWholeOutput) {
  at::Tensor wrong = y_.clone();
  wrong[5][3] += 1;
  const Verdict verdict = Judge(wrong);
  EXPECT_EQ(verdict.outcome(), FAIL_ACCURACY);
  EXPECT_EQ(verdict.outputs(0).worst_index(0), 5);
  EXPECT_NE(verdict.message().find("worst  [5, 3]"), std::string::npos) << verdict.message();
}

TEST_F(ComparedRows, LeaveNoOtherRowThatIsNotFinite) {
  for (const float value : {NAN, INFINITY}) {
    at::Tensor wrong = y_.clone();
    wrong[4][7] = value;
    const Verdict verdict = Judge(wrong);
    EXPECT_EQ(verdict.outcome(), FAIL_NONFINITE);
    EXPECT_NE(verdict.message().find("first  [4, 7]"), std::string::npos) << verdict.message();
    EXPECT_NE(verdict.message().find("1 of 48 elements"), std::string::npos) << verdict.message();
  }
}

TEST_F(ComparedRows, AreRowsOfAnOutputThatHasThemAll) {
  const Verdict verdict = Judge(y_.narrow(0, 0, 2));
  EXPECT_EQ(verdict.outcome(), FAIL_SHAPE);
  EXPECT_NE(verdict.message().find("has shape [2, 8], its specification says [6, 8]"),
            std::string::npos)
      << verdict.message();
  EXPECT_EQ(Judge(y_, {y_.narrow(0, 0, 2)}).outcome(), FAIL_SHAPE) << "a baseline, too";
  EXPECT_EQ(Judge(y_, {y_}).outcome(), PASS);
  EXPECT_EQ(Compare(reference_, expected_, {y_}, RelativeLimits(), {}, {1, 4, 5}).outcome(),
            FAIL_SHAPE)
      << "three rows of two";
}

TEST(SpecifiedOutputs, AnOutputsOwnRuleStandsBeforeTheCases) {
  const at::Tensor y = Seeded({2, 8}, "y");
  const ReferenceOutputs reference = ReferenceOf({{"y", y}});
  ExpectedOutput output = Specified("y", FP32, {2, 8});
  output.set_rule(ALLCLOSE);
  VerifyParameters limits = RelativeLimits();
  const Verdict without = Compare(reference, ListOf({output}), {y + 1e-3}, limits);
  EXPECT_EQ(without.outcome(), FAIL_ACCURACY) << "ALLCLOSE without limits is equality";
  limits.set_atol(1e-2);
  EXPECT_EQ(Compare(reference, ListOf({output}), {y + 1e-3}, limits).outcome(), PASS);
}

TEST_F(ComparisonTest, WhatCannotBeReadIsNoVerdictOnValues) {
  const Verdict verdict = CompareAll({logits_, at::empty({22, 22}, at::device(at::kMeta))});
  EXPECT_EQ(verdict.outcome(), DEVICE_LOST) << verdict.message();
}

}  // namespace
}  // namespace assay::numerics

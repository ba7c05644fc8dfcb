// Expected answers of same(), computed by hand from its rules (dynamo_same.h), on both sides of each
// edge.
#include "benchmarks/harness/numerics/dynamo_same.h"

#include <cmath>
#include <limits>
#include <string>
#include <vector>

#include "gtest/gtest.h"

namespace assay::numerics {
namespace {

struct Row {
  const char* what;
  std::vector<double> ref, res, fp64;
  SameOptions options;
  SameWay way;
};

TEST(DynamoSame, GivesWhatIsComputedByHand) {
  const std::vector<double> truth = {1, -1, 1, -1};
  const std::vector<double> with_nan = {1, NAN, 1, -1};
  const SameOptions percent = {.tol = 1e-2};
  const SameOptions nan_equal = {.tol = 1e-2, .equal_nan = true};
  const SameOptions cosine = {.tol = 1e-9, .cosine_min = 0.99};
  const std::vector<Row> rows = {
      // d <= 0.01 + 0.01 (1 + d), so d <= 0.02 / 0.99 = 0.020202: the tolerance grows with res.
      {"close above", {1}, {1.0202}, {1}, percent, SameWay::kClose},
      {"not close above", {1}, {1.0203}, {1}, percent, SameWay::kNot},
      // d <= 0.02 / 1.01 = 0.019802
      {"close below", {1}, {1 - 0.0198}, {1}, percent, SameWay::kClose},
      {"not close below", {1}, {1 - 0.0199}, {1}, percent, SameWay::kNot},
      {"close to a ref that is wrong", {2, -2}, {2, -2}, {1, -1}, percent, SameWay::kClose},
      // By default 1e-4 + 1e-4 · |want|.
      {"close by default", {1, -1}, {1.000195, -1}, {}, {}, SameWay::kClose},
      {"not close by default", {1, -1}, {1.000205, -1}, {}, {}, SameWay::kNot},
      // ref is 0.01 off, 4 elements: 3 · 0.01 + 0.001 / 10 = 0.0301
      {"rmse",
       {1.01, -1.01, 1.01, -1.01},
       {0.97, -0.97, 0.97, -0.97},
       truth,
       {.tol = 1e-3},
       SameWay::kRmse},
      {"rmse too large",
       {1.01, -1.01, 1.01, -1.01},
       {0.9698, -0.9698, 0.9698, -0.9698},
       truth,
       {.tol = 1e-3},
       SameWay::kNot},
      // 10 · 0.01 + 0.0001 = 0.1001
      {"larger multiplier",
       {1.01, -1.01, 1.01, -1.01},
       {0.9, -0.9, 0.9, -0.9},
       truth,
       {.tol = 1e-3, .larger_multiplier = true},
       SameWay::kRmse},
      {"beyond it",
       {1.01, -1.01, 1.01, -1.01},
       {0.8998, -0.8998, 0.8998, -0.8998},
       truth,
       {.tol = 1e-3, .larger_multiplier = true},
       SameWay::kNot},
      // 5 · 0.01 + 0.0001 = 0.0501
      {"forced multiplier",
       {1.01, -1.01, 1.01, -1.01},
       {0.95, -0.95, 0.95, -0.95},
       truth,
       {.tol = 1e-3, .forced_multiplier = 5},
       SameWay::kRmse},
      {"beyond it",
       {1.01, -1.01, 1.01, -1.01},
       {0.9498, -0.9498, 0.9498, -0.9498},
       truth,
       {.tol = 1e-3, .forced_multiplier = 5, .larger_multiplier = true},
       SameWay::kNot},
      // A ref without error leaves tol / 10 = 0.001: of 4 elements one off by 0.0019 has rmse
      // 0.00095, but is close anyway; one off by 0.1 is neither.
      {"no error allowed", truth, {1.1, -1, 1, -1}, truth, percent, SameWay::kNot},
      {"no float64", {1.01, -1.01}, {0.99, -0.99}, {}, {.tol = 1e-3}, SameWay::kNot},
      {"no float64, close", {1.01, -1.01}, {1.01, -1.01}, {}, {.tol = 1e-3}, SameWay::kClose},
      // Better than ref. d <= 0.04 + 0.04 (1 + d): d <= 0.08 / 0.96 = 0.083333
      {"better above", with_nan, {1.0833, -1, 1, -1}, truth, percent, SameWay::kBetterThanRef},
      {"not better above", with_nan, {1.0834, -1, 1, -1}, truth, percent, SameWay::kNot},
      // d <= 0.08 / 1.04 = 0.076923
      {"better below", with_nan, {1 - 0.0769, -1, 1, -1}, truth, percent, SameWay::kBetterThanRef},
      {"not better below", with_nan, {1 - 0.0770, -1, 1, -1}, truth, percent, SameWay::kNot},
      {"a ref without NaN", {5, -5, 5, -5}, truth, truth, percent, SameWay::kRmse},
      {"res has NaN too", with_nan, {1, -1, NAN, -1}, truth, percent, SameWay::kNot},
      {"res has NaN alone", truth, with_nan, truth, percent, SameWay::kNot},
      {"float64 has NaN", with_nan, truth, with_nan, percent, SameWay::kNot},
      // NaN beside NaN.
      {"at one place", with_nan, with_nan, truth, nan_equal, SameWay::kClose},
      {"at one place, unequal", with_nan, with_nan, truth, percent, SameWay::kNot},
      {"at two places", with_nan, {NAN, -1, 1, -1}, truth, nan_equal, SameWay::kBothNan},
      {"in res alone", truth, with_nan, truth, nan_equal, SameWay::kNot},
      // Infinity equals itself.
      {"infinities", {INFINITY, 1}, {INFINITY, 1}, {1, 1}, percent, SameWay::kClose},
      {"one infinity", {1, 1}, {INFINITY, 1}, {1, 1}, percent, SameWay::kNot},
      // cos 8.1096° = 0.99
      {"small angle",
       {1, 0},
       {std::cos(0.1414), std::sin(0.1414)},
       {1, 0},
       cosine,
       SameWay::kCosine},
      {"large angle", {1, 0}, {std::cos(0.1417), std::sin(0.1417)}, {1, 0}, cosine, SameWay::kNot},
      {"float64 does not matter", {1, 0}, {0, 1}, {0, 1}, cosine, SameWay::kNot},
      {"length does not", {1, 0}, {2, 0}, {1, 0}, cosine, SameWay::kCosine},
      // Norms count as 1e-6 at least: 0.1 · 0.2
      {"tiny norms", {1e-7, 0}, {2e-7, 0}, {1e-7, 0}, cosine, SameWay::kNot},
      // min(1, 2) · min(1, 0.995) = 0.995
      {"norms about 1e-6", {2e-6, 0}, {0.995e-6, 0}, {2e-6, 0}, cosine, SameWay::kCosine},
      {"norms below", {2e-6, 0}, {0.985e-6, 0}, {2e-6, 0}, cosine, SameWay::kNot},
      {"zeros", {0, 0}, {0, 0}, {0, 0}, cosine, SameWay::kClose},
  };
  for (const Row& row : rows) {
    const auto elements = static_cast<int64_t>(row.ref.size());
    const SameResult result = DynamoSame({.ref = row.ref,
                                          .res = row.res,
                                          .fp64 = row.fp64,
                                          .shape = {&elements, 1},
                                          .dtype = Dtype::FP32},
                                         row.options);
    EXPECT_EQ(static_cast<int>(result.way), static_cast<int>(row.way))
        << row.what << " " << row.res[0];
  }
}

TEST(DynamoSame, AnErrorOfOneElementIsSpreadOverTheMeanSquare) {
  const std::vector<double> truth(10000, 1.0);
  const int64_t shape[] = {100, 100};
  // tol / 10 = 1e-3; one of 10000 off by e has rmse e / 100.
  for (const auto& [error, way] : {std::pair(0.099, SameWay::kRmse), {0.101, SameWay::kNot}}) {
    std::vector<double> res = truth;
    res[77] += error;
    const SameResult result =
        DynamoSame({.ref = truth, .res = res, .fp64 = truth, .shape = shape}, {.tol = 1e-2});
    EXPECT_EQ(static_cast<int>(result.way), static_cast<int>(way)) << error;
  }
}

TEST(DynamoMultiplier, IsTheTables) {
  struct Size {
    std::vector<int64_t> shape;
    double fp32, bf16, larger;  // the last: fp32, larger multipliers asked for
  };
  const Size sizes[] = {
      {{}, 3, 3, 10},
      {{10}, 3, 3, 10},
      {{11}, 3, 3, 8},
      {{500}, 3, 3, 8},
      {{501}, 3, 3, 3},
      {{999}, 3, 3, 3},
      {{1000}, 2, 3, 2},
      {{8, 125}, 2, 3, 2},
      {{64, 64, 1, 1}, 3, 3, 3},
      {{64, 64, 1, 2}, 2, 3, 2},
      {{64, 64, 2, 1}, 2, 3, 2},
      {{4096, 1, 1}, 2, 3, 2},
      {{1, 10, 1, 1}, 3, 3, 10},
  };
  for (const Size& size : sizes) {
    const std::string what = testing::PrintToString(size.shape);
    EXPECT_EQ(DynamoMultiplier(size.shape, Dtype::FP32, {}), size.fp32) << what;
    EXPECT_EQ(DynamoMultiplier(size.shape, Dtype::BF16, {}), size.bf16) << what;
    EXPECT_EQ(DynamoMultiplier(size.shape, Dtype::FP16, {}), size.bf16) << what;
    EXPECT_EQ(DynamoMultiplier(size.shape, Dtype::FP32, {.larger_multiplier = true}), size.larger)
        << what;
    EXPECT_EQ(DynamoMultiplier(size.shape, Dtype::FP32,
                               {.forced_multiplier = 7, .larger_multiplier = true}),
              7)
        << what;
  }
  const int64_t large[] = {1000};
  EXPECT_EQ(DynamoMultiplier(large, Dtype::FP32, {.tol = 2e-2}), 3);
  EXPECT_EQ(DynamoMultiplier(large, Dtype::FP32, {.tol = 1.999e-2}), 2);
}

}  // namespace
}  // namespace assay::numerics

#include "benchmarks/operators/sweep/result_difference.h"

#include <ATen/ATen.h>

#include <limits>

#include "gmock/gmock.h"
#include "gtest/gtest.h"

namespace assay::sweep {
namespace {

using testing::HasSubstr;

std::string Difference(const at::Tensor& got, const at::Tensor& want) {
  double error = 0;
  return TensorDifference(got, want, &error);
}

TEST(TensorDifference, AllowsTheRoundingOfFloat32AndNoMore) {
  const at::Tensor want = at::randn({64}, at::kDouble);
  double error = 0;
  EXPECT_EQ(TensorDifference(want.to(at::kFloat), want, &error), "");
  EXPECT_GT(error, 0);
  EXPECT_THAT(Difference((want * 1.001).to(at::kFloat), want), HasSubstr("of its spread"));
  EXPECT_THAT(Difference(want.to(at::kFloat).narrow(0, 0, 63), want),
              HasSubstr("has shape [63], in float64 [64]"));
}

TEST(TensorDifference, NanAndInfinityStandInTheSamePlaces) {
  const double nan = std::numeric_limits<double>::quiet_NaN(),
               inf = std::numeric_limits<double>::infinity();
  const at::Tensor want = at::tensor({1.0, nan, inf}, at::kDouble);
  EXPECT_EQ(Difference(want.to(at::kFloat), want), "");
  EXPECT_THAT(Difference(at::tensor({1.0, 2.0, inf}), want),
              HasSubstr("is 2 where float64 gives nan"));
  EXPECT_THAT(Difference(at::tensor({1.0, nan, -inf}), want),
              HasSubstr("is -inf where float64 gives inf"));
}

TEST(TensorDifference, IntegersAndOtherLayouts) {
  EXPECT_EQ(Difference(at::tensor({1, 2}), at::tensor({1, 2})), "");
  EXPECT_EQ(Difference(at::tensor({1, 2}), at::tensor({1, 3})), "differs");
  const at::Tensor dense = at::randn({4, 4}, at::kDouble);
  EXPECT_EQ(Difference(dense.to(at::kFloat).to_sparse(), dense.to_sparse()), "");
  EXPECT_NE(Difference((dense * 2).to(at::kFloat).to_sparse(), dense.to_sparse()), "");
  EXPECT_EQ(Difference(at::complex(dense, dense).to(at::kComplexFloat), at::complex(dense, dense)),
            "");
}

TEST(BitDifference, NanEqualsItselfAndNothingElseIsForgiven) {
  const at::Tensor a = at::tensor({1.0, std::numeric_limits<double>::quiet_NaN()});
  EXPECT_EQ(BitDifference({a}, {a.clone()}), "");
  EXPECT_EQ(BitDifference({a}, {a + 1e-7}), "result 0 differs");
  EXPECT_NE(BitDifference({a}, {a, a}), "");
  EXPECT_NE(BitDifference({a, true}, {a, false}), "");
}

}  // namespace
}  // namespace assay::sweep

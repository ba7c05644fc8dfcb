#include "benchmarks/operators/judge/result_difference.h"

#include <ATen/TensorOperators.h>
#include <ATen/core/Tensor.h>
#include <ATen/core/ivalue.h>
#include <ATen/ops/complex.h>
#include <ATen/ops/concat.h>
#include <ATen/ops/empty.h>
#include <ATen/ops/ones.h>
#include <ATen/ops/randn.h>
#include <ATen/ops/tensor.h>

#include <limits>
#include <vector>

#include "gmock/gmock.h"
#include "gtest/gtest.h"

namespace assay::operators {
namespace {

using testing::HasSubstr;

std::string Difference(const at::Tensor& got, const at::Tensor& want) {
  Comparison comparison;
  return TensorDifference(got, want, comparison);
}

TEST(TensorDifference, AllowsTheRoundingOfFloat32AndNoMore) {
  const at::Tensor want = at::randn({64}, at::kDouble);
  Comparison comparison;
  EXPECT_EQ(TensorDifference(want.to(at::kFloat), want, comparison), "");
  EXPECT_GT(comparison.error, 0);
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

TEST(TensorDifference, EachDtypeHasItsLimits) {
  const at::Tensor want = at::randn({1000}, at::kDouble);
  EXPECT_EQ(Difference(want.to(at::kHalf), want), "");
  EXPECT_EQ(Difference(want.to(at::kBFloat16), want), "");
  EXPECT_NE(Difference(want.to(at::kHalf).to(at::kFloat), want), "") << "of float32";
  EXPECT_THAT(Difference((want * 1.1).to(at::kHalf), want), HasSubstr("(limits 0.05, 0.01)"));
  Comparison of_half_arguments = {.coarsest = at::kHalf};
  EXPECT_EQ(TensorDifference(want.to(at::kHalf).to(at::kFloat), want, of_half_arguments), "");
}

// Sums of a thousand numbers of [0, 1): the spread is 9, and the last bit of bfloat16 is 2.
TEST(TensorDifference, TheRootMeanSquareIsTheUnitOfNumbersFarFromZero) {
  const at::Tensor want = at::randn({1000}, at::kDouble) * 9 + 500;
  Comparison of_spread, of_size = {.unit = Unit::kRootMeanSquare};
  EXPECT_NE(TensorDifference(want.to(at::kBFloat16), want, of_spread), "");
  EXPECT_EQ(TensorDifference(want.to(at::kBFloat16), want, of_size), "");
  EXPECT_THAT(TensorDifference((want * 1.4).to(at::kBFloat16), want, of_size),
              HasSubstr("of its root mean square"));
}

// One gradient of a thousand, wrong by twice the root mean square, is a hundredth of the largest.
TEST(TensorDifference, ALargestErrorOfHeavyTailsIsHeldAgainstTheLargestNumber) {
  at::Tensor want = at::ones({1000}, at::kDouble);
  want[0] = 300;
  at::Tensor got = want.to(at::kFloat);
  got[0] = 320;
  Comparison plain = {.unit = Unit::kRootMeanSquare},
             wide = {.unit = Unit::kRootMeanSquare, .factor = 1e4};
  EXPECT_NE(TensorDifference(got, want, plain), "");
  EXPECT_EQ(TensorDifference(got, want, wide), "");
  EXPECT_NEAR(wide.error, 20.0 / 300, 1e-6);
  EXPECT_THAT(TensorDifference(got * 2, want, wide), HasSubstr("of its largest number"));
}

TEST(TensorDifference, BeyondTheLargestNumberIsInfinity) {
  const at::Tensor want = at::tensor({1.0, -70000.0}, at::kDouble);
  EXPECT_EQ(Difference(want.to(at::kHalf), want), "");
  EXPECT_THAT(Difference((-want).to(at::kHalf), -want * at::tensor({1.0, -1.0}, at::kDouble)),
              HasSubstr("is inf where float64 gives -70000"));
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

TEST(ResultDifference, OpensLists) {
  const auto difference = [&](const c10::IValue& got, const c10::IValue& want) {
    Comparison comparison;
    return ResultDifference({got}, {want}, comparison);
  };
  using Floats = std::vector<double>;
  EXPECT_EQ(difference(Floats{1, 2}, Floats{1, 2 + 1e-6}), "") << "rounding";
  EXPECT_EQ(difference(Floats{1, 2}, Floats{1, 3}), "result 0[1] differs");
  EXPECT_NE(difference(Floats{1, 2}, Floats{1}), "");
  EXPECT_EQ(difference(std::vector<int64_t>{4}, std::vector<int64_t>{5}), "result 0[0] differs");
  const at::Tensor one = at::ones({4});
  EXPECT_THAT(difference(std::vector<at::Tensor>{one, one}, std::vector<at::Tensor>{one, one * 2}),
              HasSubstr("result 0[1] differs by"));
  EXPECT_THAT(difference(one, at::Tensor()), HasSubstr("exists in one of them only"));
  EXPECT_EQ(difference(at::Tensor(), at::Tensor()), "");
}

TEST(NothingToCompare, NamesTheResultThatIsEqualToAnything) {
  const double inf = std::numeric_limits<double>::infinity();
  const at::Tensor one = at::ones({4}), nan = one * std::numeric_limits<double>::quiet_NaN();
  const auto nothing = [](const std::vector<c10::IValue>& results) {
    return NothingToCompare(results, /*may_lack=*/false);
  };
  EXPECT_EQ(nothing({one, 2, 0.5}), "");
  EXPECT_EQ(nothing({one, nan}), "result 1 holds NaN in 4 of 4 elements");
  EXPECT_EQ(nothing({at::concat({one, nan})}), "result 0 holds NaN in 4 of 8 elements");
  EXPECT_EQ(nothing({one * inf}), "result 0 holds infinity only");
  EXPECT_EQ(nothing({at::concat({one, one * inf})}), "");
  EXPECT_EQ(nothing({at::empty({0, 3})}), "result 0 is empty");
  EXPECT_EQ(nothing({std::vector<at::Tensor>{one, nan.to(at::kDouble)}}),
            "result 0[1] holds NaN in 4 of 4 elements");
  EXPECT_EQ(nothing({std::numeric_limits<double>::quiet_NaN()}), "result 0 is NaN");
  EXPECT_EQ(nothing({one, at::Tensor()}), "") << "what was not asked for is not missed";
  EXPECT_EQ(nothing({at::Tensor()}), "no result holds anything");
  EXPECT_EQ(nothing({std::vector<int64_t>{}}), "no result holds anything");
  EXPECT_EQ(nothing({}), "no result holds anything");
}

TEST(NothingToCompare, OneResultMayLackButNotAll) {
  const at::Tensor one = at::ones({4}), empty = at::empty({0});
  EXPECT_EQ(NothingToCompare({one, empty}, /*may_lack=*/true), "");
  EXPECT_EQ(NothingToCompare({empty, empty}, /*may_lack=*/true), "result 0 is empty");
  EXPECT_EQ(NothingToCompare({}, /*may_lack=*/true), "no result holds anything");
}

TEST(BitDifference, NanEqualsItselfAndNothingElseIsForgiven) {
  const at::Tensor a = at::tensor({1.0, std::numeric_limits<double>::quiet_NaN()});
  EXPECT_EQ(BitDifference({a}, {a.clone()}), "");
  EXPECT_EQ(BitDifference({a}, {a + 1e-7}), "result 0 differs");
  EXPECT_NE(BitDifference({a}, {a, a}), "");
  EXPECT_NE(BitDifference({a, true}, {a, false}), "");
  EXPECT_NE(BitDifference({a}, {a.to(at::kFloat)}), "") << "the same numbers in another dtype";
}

TEST(BitDifference, OpensLists) {
  using Integers = std::vector<int64_t>;
  EXPECT_EQ(BitDifference({Integers{1, 2}}, {Integers{1, 2}}), "");
  EXPECT_EQ(BitDifference({Integers{1, 2}}, {Integers{1, 3}}), "result 0[1] differs");
  EXPECT_EQ(BitDifference({Integers{1, 2}}, {Integers{1}}), "another number of results");
  EXPECT_EQ(BitDifference({Integers{1}, Integers{}}, {Integers{}, Integers{1}}),
            "another number of results");
}

TEST(ResultDifference, EqualBitsButForNan) {
  const at::Tensor a =
      at::tensor({1.0, std::numeric_limits<double>::quiet_NaN(), 0.0}, at::kFloat).view({1, 3});
  EXPECT_EQ(FirstOtherElement(a, a.clone()), "");
  at::Tensor b = a.clone();
  b[0][2] = -0.0;
  EXPECT_EQ(FirstOtherElement(a, b), "[0, 2]");
  at::Tensor other_nan = a.clone();
  static_cast<uint32_t*>(other_nan.mutable_data_ptr())[1] ^= 1;
  EXPECT_EQ(FirstOtherElement(a, other_nan), "");
}

}  // namespace
}  // namespace assay::operators

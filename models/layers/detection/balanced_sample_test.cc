#include "models/layers/detection/balanced_sample.h"

#include <ATen/core/Formatting.h>
#include <ATen/ops/tensor.h>
#include <ATen/ops/zeros.h>

#include <tuple>

#include "gtest/gtest.h"

namespace assay::models {
namespace {

// The hashes of 0 to 7 are 0, 0.618, 0.236, 0.854, 0.472, 0.090, 0.708 and 0.326 of 2^32.
TEST(SampledPlacesTest, AreThoseWithTheLeastHashes) {
  const BalancedSample sample = SampledPlaces(at::zeros({8}, at::kLong), 8, 0.5);
  EXPECT_EQ(sample.objects.numel(), 0);
  EXPECT_TRUE(sample.background.equal(at::tensor({0, 5, 2, 7, 4, 1, 6, 3}, at::kLong)))
      << sample.background;
  EXPECT_TRUE(SampledPlaces(at::zeros({8}, at::kLong), 3, 0.5)
                  .background.equal(at::tensor({0, 5, 2}, at::kLong)));
}

TEST(SampledPlacesTest, ObjectsHaveTheirShareAndBackgroundTheRest) {
  const at::Tensor labels = at::tensor({-1, 3, 0, 1, 0, 2, -2, 0, 1, 0}, at::kLong);
  // The hash takes the first of the objects 1, 3, 5, 8, then the third, then the second.
  const BalancedSample sample = SampledPlaces(labels, 5, 0.7);
  EXPECT_TRUE(sample.objects.equal(at::tensor({1, 5, 3}, at::kLong))) << sample.objects;
  EXPECT_TRUE(sample.background.equal(at::tensor({2, 7}, at::kLong))) << sample.background;
  const BalancedSample few = SampledPlaces(labels, 100, 0.02);
  EXPECT_EQ(few.objects.numel(), 2);
  EXPECT_EQ(few.background.numel(), 4);
}

// Products of many places need more than 32 bits.
TEST(SampledPlacesTest, AreSpreadOverManyPlaces) {
  const at::Tensor places = SampledPlaces(at::zeros({1000000}, at::kLong), 1000, 0).background;
  const at::Tensor sorted = std::get<0>(places.sort());
  const at::Tensor gaps = sorted.narrow(0, 1, 999) - sorted.narrow(0, 0, 999);
  EXPECT_GT(gaps.min().item<int64_t>(), 500);
  EXPECT_LT(gaps.max().item<int64_t>(), 2000);
}

}  // namespace
}  // namespace assay::models

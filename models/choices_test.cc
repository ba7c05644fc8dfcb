#include "models/choices.h"

#include <ATen/core/Formatting.h>
#include <ATen/ops/tensor.h>
#include <c10/util/Exception.h>

#include "gtest/gtest.h"

namespace assay::models {
namespace {

at::Tensor Scores() { return at::tensor({0.5, 2.0, 1.0, 3.0, -1.0, 0.0}).view({2, 3}); }

at::Tensor Places(at::IntArrayRef places) { return at::tensor(places, at::kLong).view({2, 2}); }

TEST(ChoicesTest, AreTheBestOfEachRow) {
  const auto [best, places] = Chosen(Scores(), 2);
  EXPECT_TRUE(best.equal(at::tensor({2.0, 1.0, 3.0, 0.0}).view({2, 2}))) << best;
  EXPECT_TRUE(places.equal(Places({1, 2, 0, 2}))) << places;
}

TEST(ChoicesTest, AreWatchedAndGivenInTheirOrder) {
  WatchedChoices first;
  Chosen(Scores(), 2);
  Chosen(-Scores(), 2);
  ASSERT_EQ(first.all().size(), 2);
  EXPECT_TRUE(first.all()[0].scores.equal(Scores()));
  EXPECT_TRUE(first.all()[1].places.equal(Places({0, 2, 1, 2})));
  {
    WatchedChoices second(first.all());
    Chosen(Scores(), 2);
    const auto [scores, places] = Chosen(Scores(), 2);
    EXPECT_TRUE(places.equal(Places({0, 2, 1, 2}))) << places;
    EXPECT_TRUE(scores.equal(at::tensor({0.5, 1.0, -1.0, 0.0}).view({2, 2}))) << scores;
    EXPECT_EQ(second.all().size(), 2);
  }
  Chosen(Scores(), 1);
  EXPECT_EQ(first.all().size(), 3);
}

TEST(ChoicesTest, GivenOnesThatDoNotFitAreErrors) {
  WatchedChoices first;
  Chosen(Scores(), 2);
  {
    const WatchedChoices second(first.all());
    EXPECT_THROW(Chosen(Scores(), 1), c10::ValueError);
    EXPECT_THROW(Chosen(Scores().narrow(0, 0, 1), 2), c10::ValueError);
    Chosen(Scores(), 2);
    EXPECT_THROW(Chosen(Scores(), 2), c10::ValueError);
  }
  const WatchedChoices none(std::vector<Choice>{});
  EXPECT_THROW(Chosen(Scores(), 2), c10::ValueError);
}

}  // namespace
}  // namespace assay::models

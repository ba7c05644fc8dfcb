#include "benchmarks/harness/numerics/detections.h"

#include <vector>

#include "gtest/gtest.h"

namespace assay::numerics {
namespace {

constexpr DetectionLimits kLimits = {.corner = 0.5, .score = 0.01};

using Boxes = std::vector<std::vector<double>>;

DetectionMatch Match(const Boxes& got, const Boxes& want, size_t images = 1) {
  const auto joined = [](const Boxes& rows) {
    std::vector<double> all;
    for (const auto& row : rows) all.insert(all.end(), row.begin(), row.end());
    return all;
  };
  return MatchDetections(joined(got), joined(want), images, kLimits);
}

const std::vector<double> kCat = {1, .9, 0, 0, 10, 20}, kDog = {2, .8, 5, 5, 50, 60},
                          kNone = {-1, 0, 0, 0, 0, 0};

TEST(MatchDetectionsTest, OrderDoesNotMatter) {
  const DetectionMatch match = Match({kDog, kNone, kCat}, {kCat, kDog, kNone});
  EXPECT_EQ(match.boxes, 2);
  EXPECT_EQ(match.unmatched, 0);
  EXPECT_EQ(match.share, 1);
  EXPECT_EQ(match.corner_error, 0);
}

TEST(MatchDetectionsTest, NoBoxesAreAMatch) {
  const DetectionMatch match = Match({kNone}, {kNone});
  EXPECT_EQ(match.boxes, 0);
  EXPECT_EQ(match.share, 1);
}

TEST(MatchDetectionsTest, SaysHowFarMatchesAreApart) {
  const DetectionMatch match = Match({kCat, {2, .795, 5, 5.25, 50, 60.125}}, {kCat, kDog});
  EXPECT_EQ(match.unmatched, 0);
  EXPECT_DOUBLE_EQ(match.corner_error, 0.25);
  EXPECT_NEAR(match.score_error, 0.005, 1e-12);
  EXPECT_EQ(match.worst, kDetectionNumbers);
}

TEST(MatchDetectionsTest, WhatIsBeyondALimitHasNoMatch) {
  for (const std::vector<double>& other : Boxes{{3, .8, 5, 5, 50, 60},     // label
                                                {2, .82, 5, 5, 50, 60},    // score
                                                {2, .8, 5, 5, 50, 60.75},  // a corner
                                                {2, .8, 4.25, 5, 50, 60},
                                                kNone}) {
    const DetectionMatch match = Match({kCat, other}, {kCat, kDog});
    EXPECT_EQ(match.unmatched, 1);
    EXPECT_EQ(match.share, 0.5);
    EXPECT_EQ(match.worst, kDetectionNumbers);
  }
}

TEST(MatchDetectionsTest, ALimitItselfIsNotBeyondIt) {
  EXPECT_EQ(Match({{2, .01, 5, 5, 50, 60.5}}, {{2, 0, 5, 5, 50, 60}}).unmatched, 0);
}

TEST(MatchDetectionsTest, ASurplusBoxHasNoMatch) {
  const DetectionMatch match = Match({kCat, kDog}, {kCat, kNone});
  EXPECT_EQ(match.boxes, 2);
  EXPECT_EQ(match.unmatched, 1);
}

TEST(MatchDetectionsTest, AMatchIsUsedOnce) {
  EXPECT_EQ(Match({kCat, kDog}, {kCat, kCat}).unmatched, 1);
  EXPECT_EQ(Match({kCat, kCat}, {kCat, kCat}).unmatched, 0);
}

TEST(MatchDetectionsTest, OfTwoTheNearerOneThenThatOfTheNearerScore) {
  const std::vector<double> near = {1, .9, 0, 0, 10, 20.125}, lower = {1, .895, 0, 0, 10, 20};
  EXPECT_EQ(Match({near, kCat}, {kCat, near}).corner_error, 0);
  EXPECT_EQ(Match({lower, kCat}, {kCat, lower}).score_error, 0);
}

TEST(MatchDetectionsTest, TheWantedBoxOfTheHighestScoreIsMatchedFirst) {
  const std::vector<double> lower = {1, .895, 0, 0, 10, 20.375};
  // Both are near enough to `lower`, and the first is the nearer one. `kCat` has the first alone.
  const Boxes got = {{1, .898, 0, 0, 10, 20.25}, {1, .895, 0, 0, 10, 20.75}};
  EXPECT_EQ(Match(got, {lower, kCat}).unmatched, 0);
}

TEST(MatchDetectionsTest, BoxesOfAnotherImageAreNone) {
  EXPECT_EQ(Match({kCat, kDog}, {kDog, kCat}, 2).unmatched, 2);
  EXPECT_EQ(Match({kCat, kDog}, {kCat, kDog}, 2).unmatched, 0);
}

}  // namespace
}  // namespace assay::numerics

#include "tools/compare/decision/coverage.h"

#include "gmock/gmock.h"
#include "gtest/gtest.h"

namespace assay::compare {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;

std::vector<ModeMedian> Modes(const std::vector<std::string>& names) {
  std::vector<ModeMedian> medians;
  for (const std::string& name : names) medians.push_back({.mode = name, .median_ns = 1});
  return medians;
}

Coverage Of(const std::vector<Outcome>& outcomes,
            const std::vector<std::string>& modes = {"wall"}) {
  Coverage coverage;
  for (const Outcome outcome : outcomes) {
    coverage.Add(outcome, Modes(outcome == SKIPPED_DECLARED ? std::vector<std::string>() : modes));
  }
  return coverage;
}

TEST(Losses, NoneWhereBothSidesShowTheSame) {
  EXPECT_THAT(LossesOf(Of({PASS, PASS}), Of({PASS})), IsEmpty());
  EXPECT_THAT(LossesOf(Of({NOT_VERIFIED}), Of({NOT_VERIFIED, NOT_VERIFIED})), IsEmpty());
  EXPECT_THAT(LossesOf(Of({SKIPPED_DECLARED}), Of({SKIPPED_DECLARED})), IsEmpty());
}

TEST(Losses, NoneWhereTheCandidateHasMore) {
  EXPECT_THAT(LossesOf(Of({}), Of({PASS})), IsEmpty());
  EXPECT_THAT(LossesOf(Of({SKIPPED_DECLARED}), Of({PASS})), IsEmpty());
  EXPECT_THAT(LossesOf(Of({PASS}), Of({PASS}, {"cold", "wall"})), IsEmpty());
}

TEST(Losses, ACaseThatIsGone) {
  EXPECT_THAT(LossesOf(Of({PASS}), Of({})), ElementsAre("the candidate has no run of it"));
}

TEST(Losses, ACaseThatIsSkippedNowEvenOnce) {
  EXPECT_THAT(LossesOf(Of({PASS, PASS}), Of({PASS, SKIPPED_DECLARED})),
              ElementsAre("skipped in 1 of 2 runs of the candidate"));
}

TEST(Losses, AVerificationLostOnEitherSideEvenOnce) {
  const auto unverified = ElementsAre(HasSubstr("not verified"));
  EXPECT_THAT(LossesOf(Of({PASS}), Of({NOT_VERIFIED})), unverified);
  EXPECT_THAT(LossesOf(Of({NOT_VERIFIED}), Of({PASS})), unverified);
  EXPECT_THAT(LossesOf(Of({PASS, PASS}), Of({PASS, NOT_VERIFIED})), unverified);
  EXPECT_THAT(LossesOf(Of({NOT_VERIFIED}), Of({NOT_VERIFIED, PASS})), unverified);
}

TEST(Losses, AModeThatAnyRunOfTheCandidateLacks) {
  Coverage candidate = Of({PASS}, {"cold", "wall"});
  candidate.Add(PASS, Modes({"wall"}));
  EXPECT_THAT(LossesOf(Of({PASS}, {"cold", "wall"}), candidate),
              ElementsAre("mode cold is not in every run of the candidate"));
}

TEST(Losses, APercentileForWhichASlowerRunHasTooFewQueriesIsNone) {
  const auto baseline = Of({PASS}, {"server at 5/s p50", "server at 5/s p99"});
  EXPECT_THAT(LossesOf(baseline, Of({PASS}, {"server at 5/s p50"})), IsEmpty());
  EXPECT_THAT(LossesOf(baseline, Of({PASS}, {"server at 5/s p99"})),
              ElementsAre(HasSubstr("p50 is not in every run")));
}

}  // namespace
}  // namespace assay::compare

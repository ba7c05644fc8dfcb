#include "benchmarks/harness/text/nearest_names.h"

#include "gmock/gmock.h"
#include "gtest/gtest.h"

namespace assay::base {
namespace {

using testing::ElementsAre;
using testing::IsEmpty;

TEST(NearestNames, BeginsWithTheFewestEdits) {
  EXPECT_THAT(NearestNames("resnet5O", {"mlp", "resnet18", "resnet50"}, 2),
              ElementsAre("resnet50", "resnet18"));
  EXPECT_THAT(NearestNames("ml", {"mlp", "xyz"}, 1), ElementsAre("mlp"));
}

TEST(NearestNames, PrefersThoseThatHoldWhatWasTyped) {
  EXPECT_THAT(NearestNames("bert", {"lerp", "bert_base_fp32", "albert"}, 2),
              ElementsAre("albert", "bert_base_fp32"));
}

TEST(NearestNames, SortsEquallyNearOnesByTheAlphabet) {
  EXPECT_THAT(NearestNames("b", {"c", "a"}), ElementsAre("a", "c"));
}

TEST(NearestNames, OfSomethingEndlessAreThoseOfItsBeginning) {
  const std::string begin(1000, 'b');
  EXPECT_EQ(NearestNames(begin + std::string(1'000'000, 'c'), {"abb", "ccc"}),
            NearestNames(begin, {"abb", "ccc"}));
}

TEST(NearestNames, AreNoneOfNone) { EXPECT_THAT(NearestNames("a", {}), IsEmpty()); }

TEST(LikelyMeant, IsNearOrNothing) {
  const std::vector<std::string> names = {"batch", "budget", "k", "n"};
  EXPECT_EQ(LikelyMeant("bach", names), "batch");
  EXPECT_EQ(LikelyMeant("bugdet", names), "budget");
  EXPECT_EQ(LikelyMeant("frobnicate", names), "");
  EXPECT_EQ(LikelyMeant("q", names), "");
  EXPECT_EQ(LikelyMeant(std::string(100'000, 'b'), names), "");
}

}  // namespace
}  // namespace assay::base

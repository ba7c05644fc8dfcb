#include "benchmarks/harness/runner/vary/mix.h"

#include <map>

#include "gmock/gmock.h"
#include "gtest/gtest.h"

namespace assay::runner {
namespace {

using ::testing::HasSubstr;

std::string NamesOf(const Mix& mix) {
  std::string names;
  for (const MixSize& size : mix.sizes)
    names += size.Name() + ":" + std::to_string(size.weight) + " ";
  return names;
}

TEST(ParseMix, KeepsSizesInOrderWithTheirWeights) {
  EXPECT_EQ(NamesOf(*ParseMix("tokens=64:3,32", 0)), "tokens=64:3 tokens=32:1 ");
}

TEST(ParseMix, MultipliesTwoParameters) {
  EXPECT_EQ(NamesOf(*ParseMix("tokens=8,16:2;batch=1,4:3", 0)),
            "tokens=8,batch=1:1 tokens=8,batch=4:3 tokens=16,batch=1:2 tokens=16,batch=4:6 ");
}

TEST(ParseMix, SaysWhatIsNoMix) {
  const std::map<std::string, std::string> problems = {
      {"", "is no NAME=SIZE,SIZE"},
      {"32,64", "'32,64' is no NAME=SIZE,SIZE, as sequence_length=32,64"},
      {"=32,64", "is no NAME=SIZE,SIZE"},
      {"n=32,64;", "'' is no NAME=SIZE,SIZE"},
      {"n=32,x", "'x' is no size of n: a whole number from 1"},
      {"n=32,", "'' is no size of n"},
      {"n=0,1", "'0' is no size of n"},
      {"n=32,-64", "'-64' is no size of n"},
      {"n=32:0,64", "'0' is no weight of n=32: a whole number from 1 to 1000"},
      {"n=32:-1,64", "'-1' is no weight of n=32"},
      {"n=32:0.5,64", "'0.5' is no weight of n=32"},
      {"n=32:,64", "'' is no weight of n=32"},
      {"n=32:1001,64", "'1001' is no weight of n=32"},
      {"n=32,64,32", "n=32 is there twice; a weight says how often, as 32:2"},
      {"n=32,64;n=8,9", "n is there twice; give all its sizes at once"},
      {"n=32", "one size does not vary; name two or more"},
      {"n=32:5;m=1", "one size does not vary"},
      {"n=1:600,2:600", "the weights add up to 1200 calls; at most 1000"},
      {"n=1,2,3,4,5,6,7,8,9;m=1,2,3,4,5,6,7,8", "72 sizes; at most 64"},
  };
  for (const auto& [text, problem] : problems) {
    const auto mix = ParseMix(text, 0);
    EXPECT_EQ(mix.status().code(), absl::StatusCode::kInvalidArgument) << text;
    EXPECT_THAT(mix.status().message(), HasSubstr("--vary=" + text + ": ")) << text;
    EXPECT_THAT(mix.status().message(), HasSubstr(problem)) << text;
  }
}

TEST(Deck, HasEachSizeAsOftenAsItsWeight) {
  const Mix mix = *ParseMix("n=1:5,2:1,3:4", 7);
  for (int64_t number = 0; number < 20; ++number) {
    std::map<size_t, int> counts;
    for (const size_t size : mix.Deck(number)) ++counts[size];
    EXPECT_EQ(counts, (std::map<size_t, int>{{0, 5}, {1, 1}, {2, 4}}));
  }
}

TEST(Deck, FollowsFromItsSeedAndNumberAlone) {
  const std::string text = "n=1,2,3,4,5,6,7,8";
  const std::vector<size_t> deck = ParseMix(text, 7)->Deck(3);
  EXPECT_EQ(deck, ParseMix(text, 7)->Deck(3));
  EXPECT_NE(deck, ParseMix(text, 7)->Deck(4));
  EXPECT_NE(deck, ParseMix(text, 8)->Deck(3));
}

// Each of six orders of three sizes comes about as often.
TEST(Deck, IsShuffledEvenly) {
  const Mix mix = *ParseMix("n=1,2,3", 0);
  std::map<std::vector<size_t>, int> orders;
  for (int64_t number = 0; number < 6000; ++number) ++orders[mix.Deck(number)];
  EXPECT_EQ(orders.size(), 6);
  for (const auto& [order, count] : orders) EXPECT_NEAR(count, 1000, 150);
}

}  // namespace
}  // namespace assay::runner

#include "benchmarks/harness/runner/serving/served_prompts.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <memory>

#include "benchmarks/harness/runner/serving/small_decoder.h"

namespace assay::runner {
namespace {

using testing::HasSubstr;

TEST(ServedPrompts, HaveLengthsOfTheirOwn) {
  SmallDecoder decoder;
  const absl::StatusOr<ServedPrompts> prompts =
      ServedPrompts::Make(decoder.given(), decoder.generator(), 12);
  ASSERT_TRUE(prompts.ok()) << prompts.status();
  int64_t shortest = 100, longest = 0;
  for (int64_t i = 0; i < prompts->count(); ++i) {
    shortest = std::min(shortest, prompts->at(i).tokens.size(1));
    longest = std::max(longest, prompts->at(i).tokens.size(1));
    EXPECT_GE(prompts->at(i).alone.size(), 2u);
    EXPECT_LE(prompts->at(i).alone.size(), 8u);
  }
  EXPECT_GE(shortest, 3);
  EXPECT_LE(longest, 12);
  EXPECT_LT(shortest, longest);
  EXPECT_EQ(prompts->NewCache(decoder.generator(), 3)[0].size(1), 20);
}

TEST(ServedPrompts, CompareTokens) {
  SmallDecoder decoder;
  const ServedPrompts prompts = *ServedPrompts::Make(decoder.given(), decoder.generator(), 2);
  std::vector<int64_t> tokens = prompts.at(0).alone;
  std::vector<double> scores = prompts.at(0).scores;
  const auto compare = [&] { return prompts.Compare(0, tokens, scores, decoder.generator()); };
  EXPECT_TRUE(compare().bit_equal);
  tokens.back() += 1;
  EXPECT_FALSE(compare().within_limits);
  EXPECT_THAT(compare().text, HasSubstr("which is behind the likeliest by"));
  tokens.back() -= 1;
  scores[1] += 0.01;
  EXPECT_FALSE(compare().within_limits);
  EXPECT_THAT(compare().text, HasSubstr("at place 1 with a score of"));
  tokens.pop_back();
  EXPECT_FALSE(compare().within_limits);
  EXPECT_THAT(compare().text, HasSubstr(" tokens and not "));
}

// Limits so wide that every token is a tie.
TEST(ServedPrompts, LetRoundingChooseWhereTwoTokensAreAsLikely) {
  SmallDecoder decoder;
  decoder.c().mutable_benchmark_case()->mutable_verify()->set_max_limit(100);
  const ServedPrompts prompts = *ServedPrompts::Make(decoder.given(), decoder.generator(), 1);
  std::vector<int64_t> tokens = prompts.at(0).alone;
  tokens.back() += 1;
  const OutputDifference off =
      prompts.Compare(0, tokens, prompts.at(0).scores, decoder.generator());
  EXPECT_TRUE(off.within_limits) << off.text;
  EXPECT_FALSE(off.bit_equal);
}

TEST(ServedPrompts, TakeLengthsThatAreGiven) {
  SmallDecoder decoder;
  const auto make = [&](load::Arrival length) {
    decoder.settings.load.arrivals = {length};
    return ServedPrompts::Make(decoder.given(), decoder.generator(), 1);
  };
  const ServedPrompts prompts = *make({.prompt_tokens = 5, .reply_tokens = 3});
  EXPECT_EQ(prompts.at(0).tokens.size(1), 5);
  EXPECT_EQ(prompts.at(0).alone.size(), 3u);
  EXPECT_THAT(make({.prompt_tokens = 13}).status().message(),
              HasSubstr("a prompt of 13 tokens; this case takes 1 to 12"));
}

}  // namespace
}  // namespace assay::runner

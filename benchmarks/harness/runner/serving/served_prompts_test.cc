#include "benchmarks/harness/runner/serving/served_prompts.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <memory>

#include "benchmarks/harness/runner/serving/small_decoder.h"

namespace assay::runner {
namespace {

using testing::HasSubstr;

TEST(ServedPrompts, HaveLengthsOfTheirOwn) {
  const SmallDecoder decoder;
  const absl::StatusOr<ServedPrompts> prompts =
      ServedPrompts::Make(decoder.c(), decoder.generator(), at::kCPU, 12, /*seed=*/0);
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
  EXPECT_EQ(prompts->capacity(), 20);
}

TEST(ServedPrompts, CompareTokens) {
  const SmallDecoder decoder;
  const ServedPrompts prompts =
      *ServedPrompts::Make(decoder.c(), decoder.generator(), at::kCPU, 2, /*seed=*/0);
  std::vector<int64_t> tokens = prompts.at(0).alone;
  EXPECT_EQ(prompts.Compare(0, tokens).tokens, TokensAre::kEqual);
  tokens.back() += 1;
  EXPECT_EQ(prompts.Compare(0, tokens).tokens, TokensAre::kWrong);
  EXPECT_THAT(prompts.Compare(0, tokens).reason, HasSubstr("and alone it is"));
  tokens.pop_back();
  EXPECT_THAT(prompts.Compare(0, tokens).reason, HasSubstr(" tokens and not "));
}

// Limits so wide that every token is a tie.
TEST(ServedPrompts, LetRoundingChooseWhereTwoTokensAreAsLikely) {
  SmallDecoder decoder;
  decoder.c().mutable_benchmark_case()->mutable_verify()->set_max_limit(100);
  const ServedPrompts prompts =
      *ServedPrompts::Make(decoder.c(), decoder.generator(), at::kCPU, 1, /*seed=*/0);
  std::vector<int64_t> tokens = prompts.at(0).alone;
  tokens.back() += 1;
  EXPECT_EQ(prompts.Compare(0, tokens).tokens, TokensAre::kTied);
}

}  // namespace
}  // namespace assay::runner

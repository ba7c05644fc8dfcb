#include "benchmarks/harness/runner/given/prompt_ids.h"

#include <ATen/ops/tensor.h>

#include <string>

#include "gmock/gmock.h"
#include "gtest/gtest.h"

namespace assay::runner {
namespace {

using ::testing::HasSubstr;

void AddTokens(const char* name, int64_t rows, int64_t tokens, ResolvedCase& c) {
  TensorSpec& spec = *c.mutable_verified()->add_inputs();
  spec.set_name(name);
  spec.add_shape(rows);
  spec.add_shape(tokens);
}

ResolvedCase Case(bool masked) {
  ResolvedCase c;
  c.mutable_benchmark_case()->mutable_generation()->set_new_tokens(3);
  AddTokens("input_ids", 2, 4, c);
  if (masked) AddTokens("attention_mask", 2, 4, c);
  AddTokens("continuation_ids", 2, 2, c);
  return c;
}

at::Tensor Rows(std::vector<int64_t> values) { return at::tensor(values, at::kLong).view({2, 4}); }

TEST(ParsePrompts, ReadsARowALineAsPeoplePrintThem) {
  const auto inputs = ParsePrompts("[5, 6, 7, 8]\r\n\n1 2\t3,4\n", Case(false));
  ASSERT_TRUE(inputs.ok()) << inputs.status();
  ASSERT_EQ(inputs->size(), 2u);
  EXPECT_TRUE((*inputs)[0].equal(Rows({5, 6, 7, 8, 1, 2, 3, 4})));
  EXPECT_EQ((*inputs)[1].sizes(), at::IntArrayRef({2, 2}));
}

TEST(ParsePrompts, OneRowStandsForAll) {
  const auto inputs = ParsePrompts("5 6 7 8", Case(false));
  ASSERT_TRUE(inputs.ok()) << inputs.status();
  EXPECT_TRUE((*inputs)[0].equal(Rows({5, 6, 7, 8, 5, 6, 7, 8})));
}

TEST(ParsePrompts, PadsTheBeginningOfShortRowsWhereThereIsAMask) {
  const auto inputs = ParsePrompts("5 6 7 8\n9 10", Case(true));
  ASSERT_TRUE(inputs.ok()) << inputs.status();
  EXPECT_TRUE((*inputs)[0].equal(Rows({5, 6, 7, 8, 0, 0, 9, 10})));
  EXPECT_TRUE((*inputs)[1].equal(Rows({1, 1, 1, 1, 0, 0, 1, 1})));
}

TEST(ParsePrompts, RefusesWhatIsNoPromptOfTheCase) {
  const auto problem = [](const char* text, const ResolvedCase& c) {
    const auto inputs = ParsePrompts(text, c);
    EXPECT_FALSE(inputs.ok()) << text;
    return std::string(inputs.status().message());
  };
  EXPECT_THAT(problem("\n \n", Case(false)), HasSubstr("the prompt is empty"));
  EXPECT_THAT(problem("1 2 3 4\n1 two 3 4", Case(false)), HasSubstr("line 2: \"two\" is no token"));
  EXPECT_THAT(problem("1 2 3", Case(false)), HasSubstr("has 3 tokens; the case takes 4, and only"));
  EXPECT_THAT(problem("1 2 3 4 5", Case(true)),
              HasSubstr("has 5 tokens; the case takes 4: a case"));
  EXPECT_THAT(problem("1 2 3 4\n1 2 3 4\n1 2 3 4", Case(false)), HasSubstr("holds 3 rows"));
  EXPECT_THAT(problem("1 2 3 4", ResolvedCase()), HasSubstr("names with _gen"));
}

}  // namespace
}  // namespace assay::runner

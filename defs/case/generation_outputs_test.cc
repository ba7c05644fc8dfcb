#include "defs/case/generation_outputs.h"

#include "gmock/gmock.h"
#include "gtest/gtest.h"

namespace assay {
namespace {

using ::testing::ElementsAre;

TEST(GenerationOutputs, AreTheLogitsOfTheNewTokens) {
  ExpectedOutput logits;
  logits.set_name("logits");
  logits.set_dtype(BF16);
  logits.set_batched(true);
  for (const int64_t size : {2, 64, 1024}) logits.add_shape(size);
  const std::vector<ExpectedOutput> outputs = GenerationOutputs(logits, 16);
  ASSERT_EQ(outputs.size(), 3u);
  EXPECT_EQ(outputs[0].name(), "first.logits");
  EXPECT_THAT(outputs[0].shape(), ElementsAre(2, 1024));
  EXPECT_EQ(outputs[1].name(), "middle.logits");
  EXPECT_THAT(outputs[1].shape(), ElementsAre(2, 14, 1024));
  EXPECT_EQ(outputs[2].name(), "last.logits");
  EXPECT_THAT(outputs[2].shape(), ElementsAre(2, 1024));
  EXPECT_EQ(outputs[2].dtype(), BF16);
  EXPECT_TRUE(outputs[2].batched());
}

}  // namespace
}  // namespace assay

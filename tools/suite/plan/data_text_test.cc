#include "tools/suite/plan/data_text.h"

#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "tools/suite/plan/suite_data.pb.h"

namespace assay::suite {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;

constexpr char kText[] = R"(# A comment.
skips {
  cases: "mlp_.*"
  reason: "slow"
}
skips { dtype: FP16 reason: "no kernel" }
)";

TEST(DataText, KnowsTheLineOfEachEntry) {
  KnownSkips skips;
  DataLines lines;
  ASSERT_TRUE(ParseData(kText, "a.textproto", "skips", skips, lines).ok());
  EXPECT_EQ(skips.skips_size(), 2);
  EXPECT_EQ(lines.where, "a.textproto");
  EXPECT_THAT(lines.lines, ElementsAre(2, 6));
}

TEST(DataText, SaysWhereAMistakeIsAndWhatIsAllowed) {
  KnownSkips skips;
  DataLines lines;
  const auto problem = [&](const std::string& text) {
    return std::string(ParseData(text, "a.textproto", "skips", skips, lines).message());
  };
  EXPECT_THAT(problem("skips {\n  case: \"mlp\"\n}"), HasSubstr("a.textproto:2: "));
  EXPECT_THAT(problem("skips {\n  case: \"mlp\"\n}"), HasSubstr("It has: cases, dtype"));
  EXPECT_THAT(problem("\nskips { dtype: FP17 }"), HasSubstr("a.textproto:2: "));
  EXPECT_THAT(problem("\nskips { dtype: FP17 }"), HasSubstr("BF16"));
  EXPECT_THAT(problem("skips {"), HasSubstr("a.textproto:1: "));
}

TEST(DataText, SaysThatAFileIsNotThere) {
  KnownSkips skips;
  DataLines lines;
  EXPECT_THAT(std::string(ReadDataFile("no/such/file", "skips", skips, lines).message()),
              HasSubstr("no/such/file"));
}

}  // namespace
}  // namespace assay::suite

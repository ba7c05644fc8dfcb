#include "benchmarks/harness/configuration/usage.h"

#include <algorithm>
#include <string>
#include <vector>

#include "absl/strings/str_split.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"

namespace assay::configuration {
namespace {

using ::testing::HasSubstr;

TEST(ShortUsageText, FitsOnAScreenAndSaysWhereTheRestIs) {
  const std::string text = ShortUsageText();
  EXPECT_THAT(text, HasSubstr("\n  --budget=SECONDS "));
  EXPECT_THAT(text, testing::ContainsRegex("\n--help=all explains all [0-9]+ flags\\.\n$"));
  EXPECT_LE(std::count(text.begin(), text.end(), '\n'), 25);
  const std::vector<std::string> lines = absl::StrSplit(text, '\n');
  for (const std::string& line : lines) EXPECT_LE(line.size(), 120u) << line;
}

TEST(ShortHead, SaysWhatIsTypedForThisCase) {
  EXPECT_THAT(ShortHead("//b:c"), HasSubstr("\n  tools/bazel run //b:c\n"));
  EXPECT_THAT(ShortHead("//b:c"), HasSubstr("\n  tools/bazel test //b:c_accuracy_test "));
  EXPECT_THAT(ShortHead(), HasSubstr("\n  tools/bazel run //benchmarks/resnet:resnet50_fp32_b8\n"));
}

TEST(ShortUsageText, HasAnotherHeadAndNoRefusedFlags) {
  const std::string text = ShortUsageText("A file.\n\n", {"batch", "weights"});
  EXPECT_THAT(text, testing::StartsWith("A file.\n\nHow the case is called\n"));
  EXPECT_THAT(text, testing::Not(HasSubstr("benchmark case")));
  EXPECT_THAT(text, testing::Not(HasSubstr("--batch")));
  EXPECT_THAT(text, testing::Not(HasSubstr("--weights")));
  EXPECT_THAT(text, HasSubstr("\n  --threads=N "));
}

TEST(UsageText, HasTheFlagsThatTheShortOneLeavesOut) {
  EXPECT_THAT(UsageText(), HasSubstr("\n  --randomize-inputs "));
  EXPECT_THAT(ShortUsageText(), ::testing::Not(HasSubstr("--randomize-inputs")));
}

}  // namespace
}  // namespace assay::configuration

#include "tools/suite/plan/shard.h"

#include <string>
#include <utility>
#include <vector>

#include "absl/strings/str_cat.h"
#include "gtest/gtest.h"

namespace assay::suite {
namespace {

PlannedRun Called(std::string label, std::vector<std::string> flags) {
  PlannedRun c;
  c.label = std::move(label);
  c.flags = std::move(flags);
  return c;
}

std::vector<PlannedRun> Configurations() {
  std::vector<PlannedRun> configurations;
  for (int i = 0; i < 600; ++i) {
    const std::string label = absl::StrCat("//a:case_", i);
    configurations.push_back(Called(label, {}));
    configurations.push_back(Called(label, {"--threads=1", "--modes=wall"}));
  }
  return configurations;
}

TEST(Shard, TogetherTheyAreTheWholeAndNoTwoShareAnything) {
  for (int64_t count : {1, 2, 3, 7}) {
    for (const PlannedRun& c : Configurations()) {
      int64_t holders = 0;
      for (int64_t index = 0; index < count; ++index) holders += Shard{index, count}.Has(c);
      EXPECT_EQ(holders, 1) << c.label << " of " << count;
    }
  }
}

TEST(Shard, AreOfAboutTheSameSize) {
  std::vector<int> sizes(4);
  for (const PlannedRun& c : Configurations()) {
    for (int64_t i = 0; i < 4; ++i) sizes[i] += Shard{i, 4}.Has(c);
  }
  for (const int size : sizes) EXPECT_NEAR(size, 300, 60);  // 4 standard deviations
}

// The digest of "//benchmarks/mlp:mlp_fp32_b1\n--threads=1" (sha256sum) begins with fa2241e9dd7596f
// (sha256sum).
TEST(Shard, IsTheDigestOfLabelAndFlagsWhateverElseIsPlanned) {
  const PlannedRun c = Called("//benchmarks/mlp:mlp_fp32_b1", {"--threads=1"});
  EXPECT_TRUE((Shard{175, 1000}.Has(c)));
  const PlannedRun other = Called(c.label, {"--threads=2"});
  EXPECT_FALSE((Shard{175, 1000}.Has(other)));
}

TEST(Shard, IsRefusedWhereItIsNone) {
  EXPECT_TRUE(ParseShard("0/1").ok());
  EXPECT_EQ(ParseShard("2/3")->index, 2);
  EXPECT_EQ(ParseShard("2/3")->count, 3);
  for (const char* text : {"3/3", "0/0", "x/y", "-1/3", "1", "1/", "/3", "1/2/3", "", "0/10001"}) {
    EXPECT_FALSE(ParseShard(text).ok()) << text;
  }
}

}  // namespace
}  // namespace assay::suite

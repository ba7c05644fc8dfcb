#include "tools/compare/compared_cases.h"

#include <string>
#include <vector>

#include "absl/strings/match.h"
#include "gtest/gtest.h"
#include "tools/processes/fake_tree.h"

namespace assay::compare {
namespace {

using Words = std::vector<std::string>;
using ComparedCasesTest = processes::FakeTree;

TEST_F(ComparedCasesTest, TwoTreesCompareTheirCommonCases) {
  Write(repository_ / "cases.json", R"({"cases": [{"benchmarkCase": {"label": "//a:b"}}]})");
  const Side baseline{.kind = SideKind::kTree, .text = "git:HEAD", .revision = "HEAD"};
  const Side candidate{.kind = SideKind::kTree, .text = ".", .subject = repository_.string()};
  Settings settings;
  EXPECT_FALSE(ResolveCases(baseline, candidate, settings, repository_.string(), nullptr).ok());
  settings.cases = ".";
  settings.inject = "3%";
  const auto cases = ResolveCases(baseline, candidate, settings, repository_.string(), nullptr);
  ASSERT_TRUE(cases.ok()) << cases.status();
  ASSERT_EQ(cases->cases.size(), 1u);
  EXPECT_EQ(cases->cases[0].name, "//a:b");
  EXPECT_TRUE(absl::StrContains(cases->candidate, "not committed")) << cases->candidate;
  EXPECT_FALSE(absl::StrContains(cases->baseline, "not committed")) << cases->baseline;
  EXPECT_EQ(cases->only_in_baseline, Words{"//a:c"});
  EXPECT_EQ(cases->cases[0].candidate.flags,
            (Words{"--modes=wall", "--budget=0.4", "--inject=3%"}));
  EXPECT_EQ(cases->cases[0].baseline.flags, (Words{"--modes=wall", "--budget=0.4"}));
  settings.cases = "nothing";
  EXPECT_FALSE(ResolveCases(baseline, candidate, settings, repository_.string(), nullptr).ok());
}

}  // namespace
}  // namespace assay::compare

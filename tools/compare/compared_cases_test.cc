#include "tools/compare/compared_cases.h"

#include <algorithm>
#include <cstdlib>
#include <fstream>
#include <iterator>
#include <set>
#include <string>
#include <vector>

#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "gtest/gtest.h"
#include "tools/processes/fake_tree.h"

namespace assay::compare {
namespace {

using Words = std::vector<std::string>;
using ComparedCasesTest = processes::FakeTree;

TEST_F(ComparedCasesTest, TwoTreesCompareTheirCommonCases) {
  Write(repository_ / "cases.csv", "case,model\n//a:b,m\n");
  const Side baseline{.kind = SideKind::kTree, .text = "git:HEAD", .revision = "HEAD"};
  const Side candidate{.kind = SideKind::kTree, .text = ".", .subject = repository_.string()};
  Settings settings;
  EXPECT_FALSE(ResolveCases(baseline, {candidate}, settings, repository_.string(), nullptr).ok());
  settings.cases = ".";
  settings.inject = "3%";
  const auto cases = ResolveCases(baseline, {candidate}, settings, repository_.string(), nullptr);
  ASSERT_TRUE(cases.ok()) << cases.status();
  ASSERT_EQ(cases->cases.size(), 1u);
  EXPECT_EQ(cases->cases[0].name, "//a:b");
  ASSERT_EQ(cases->candidates.size(), 1u);
  EXPECT_TRUE(absl::StrContains(cases->candidates[0], "not committed")) << cases->candidates[0];
  EXPECT_FALSE(absl::StrContains(cases->baseline, "not committed")) << cases->baseline;
  EXPECT_EQ(cases->only_in_baseline, Words{"//a:c"});
  EXPECT_EQ(cases->cases[0].candidate.flags,
            (Words{"--modes=wall", "--budget=0.4", "--inject=3%"}));
  EXPECT_EQ(cases->cases[0].baseline.flags, (Words{"--modes=wall", "--budget=0.4"}));
  settings.cases = "nothing";
  EXPECT_FALSE(ResolveCases(baseline, {candidate}, settings, repository_.string(), nullptr).ok());
}

TEST_F(ComparedCasesTest, FindsTheCaseThatANameMeans) {
  Write(repository_ / "cases.csv", "case,model\n//a:b,m\n//a:c,m\n");
  const auto sides = [&](const std::string& baseline, const std::string& candidate) {
    return ResolveCases({.kind = SideKind::kLabel, .text = baseline, .subject = baseline},
                        {{.kind = SideKind::kLabel, .text = candidate, .subject = candidate}},
                        Settings(), repository_.string(), nullptr);
  };
  const auto two = sides("b", "//a:c");
  ASSERT_TRUE(two.ok()) << two.status();
  EXPECT_EQ(two->cases[0].label, "//a:c");
  EXPECT_TRUE(absl::EndsWith(two->cases[0].baseline.command[0], "/a/b"));
  EXPECT_TRUE(two->two_cases);
  EXPECT_FALSE(sides("b", "//a:b")->two_cases);
  EXPECT_EQ(sides("bb", "b").status().message(),
            "there is no file, folder or case 'bb'; the nearest cases are b, c");
}

TEST_F(ComparedCasesTest, ABuildInTheTreeDoesNotChangeWhatIsCompared) {
  const Side side{.kind = SideKind::kLabel, .text = "//a:b", .subject = "//a:b"};
  const auto cases = ResolveCases(side, {side}, Settings(), repository_.string(), nullptr);
  ASSERT_TRUE(cases.ok()) << cases.status();
  Write(repository_ / "program", "#!/bin/sh\necho second\n");
  const std::string build = "cd " + repository_.string() + " && tools/bazel build //a:b";
  ASSERT_EQ(std::system(build.c_str()), 0);
  std::ifstream program(cases->cases[0].baseline.command[0]);
  const std::string text((std::istreambuf_iterator<char>(program)),
                         std::istreambuf_iterator<char>());
  EXPECT_EQ(text, "#!/bin/sh\necho first\n");
}

TEST_F(ComparedCasesTest, AnotherMetricMeasuresOnOneThreadUnlessASideSaysHowMany) {
  Settings settings;
  const auto flags = [&](Metric metric, Words own) {
    settings.campaign.metric = metric;
    const Side side{
        .kind = SideKind::kLabel, .text = "//a:b", .subject = "//a:b", .flags = std::move(own)};
    const auto cases = ResolveCases(side, {side}, settings, repository_.string(), nullptr);
    EXPECT_EQ(cases->cases[0].candidate.metric, metric);
    return cases->cases[0].candidate.flags;
  };
  EXPECT_EQ(flags(Metric::kWall, {}), (Words{"--modes=wall", "--budget=0.4"}));
  EXPECT_EQ(flags(Metric::kCpu, {}), (Words{"--modes=wall", "--budget=0.4", "--threads=1"}));
  EXPECT_EQ(flags(Metric::kMin, {"--threads=2"}),
            (Words{"--modes=wall", "--budget=0.4", "--threads=2"}));
}

TEST_F(ComparedCasesTest, ACaseUnderLoadHasNeitherModesNorBudget) {
  const Side side{.kind = SideKind::kLabel,
                  .text = "//a:b",
                  .subject = "//a:b",
                  .flags = {"--scenario=server", "--qps=5"}};
  const auto cases = ResolveCases(side, {side}, Settings(), repository_.string(), nullptr);
  ASSERT_TRUE(cases.ok()) << cases.status();
  EXPECT_EQ(cases->cases[0].baseline.flags, (Words{"--scenario=server", "--qps=5"}));
}

TEST(DrawnOrder, KeepsTheCandidatesOfACaseTogether) {
  std::vector<ComparedCase> cases;
  for (const char* way : {"x", "y"}) {
    for (int i = 0; i < 9; ++i) {
      const std::string kind = i < 5 ? "_fp32_b8_s128" : i < 8 ? "_fp64_b8" : "_fp32_b16";
      cases.push_back({.label = absl::StrCat("//a:b", i, kind), .way = way});
    }
  }
  const std::vector<size_t> drawn = DrawnOrder(cases, /*seed=*/3);
  ASSERT_EQ(drawn.size(), cases.size());
  std::vector<size_t> first;
  for (size_t i = 0; i < drawn.size(); i += 2) {
    EXPECT_EQ(drawn[i] + 9, drawn[i + 1]);
    first.push_back(drawn[i]);
  }
  EXPECT_FALSE(std::is_sorted(first.begin(), first.end()));
  EXPECT_EQ(*std::max_element(first.begin(), first.begin() + 5), 4u) << "float32 comes first";
  EXPECT_EQ(first.back(), 8u) << "the larger batch comes last";
  EXPECT_EQ(std::set<size_t>(first.begin(), first.end()).size(), 9u);
}

TEST_F(ComparedCasesTest, SeveralCandidatesAreCasesOfTheirOwnListedAndBuiltOnce) {
  std::ofstream(repository_ / "tools/bazel", std::ios::app) << "echo $1 >>said\n";
  const auto tree = [this](std::vector<std::string> flags) {
    return Side{.kind = SideKind::kTree,
                .text = ".",
                .subject = repository_.string(),
                .flags = std::move(flags)};
  };
  Settings settings;
  settings.cases = "b$";
  settings.baseline_build = settings.candidate_build = "--copt=-O1";
  const auto cases =
      ResolveCases(tree({"--budget=2"}),
                   {tree({"--backend=x", "--budget=2"}), tree({"--backend=y", "--threads=1"})},
                   settings, repository_.string(), nullptr);
  ASSERT_TRUE(cases.ok()) << cases.status();
  ASSERT_EQ(cases->cases.size(), 2u);
  EXPECT_EQ(cases->cases[0].name, "//a:b --backend=x");
  EXPECT_EQ(cases->cases[1].name, "//a:b --backend=y --threads=1");
  EXPECT_EQ(cases->cases[1].label, "//a:b");
  EXPECT_EQ(cases->cases[1].way, "--backend=y --threads=1");
  EXPECT_EQ(cases->cases[0].candidate.flags, (Words{"--modes=wall", "--backend=x", "--budget=2"}))
      << "its own budget";
  EXPECT_EQ(cases->cases[0].baseline.command, cases->cases[1].candidate.command);
  EXPECT_EQ(cases->candidates.size(), 2u);
  std::ifstream said(repository_ / "said");
  const std::string text((std::istreambuf_iterator<char>(said)), std::istreambuf_iterator<char>());
  EXPECT_EQ(text, "run\nbuild\ninfo\n");
}

}  // namespace
}  // namespace assay::compare

#include "tools/compare/workspace.h"

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <string>

#include "absl/strings/match.h"
#include "gtest/gtest.h"
#include "tools/compare/compared_cases.h"
#include "tools/compare/fingerprint.h"

namespace assay::compare {
namespace {

namespace fs = std::filesystem;
using Words = std::vector<std::string>;

void Write(const fs::path& path, const std::string& text) {
  fs::create_directories(path.parent_path());
  std::ofstream(path) << text;
}

// A repository whose tools/bazel plays Bazel: it lists the cases in cases.json, "builds" a program
// that says its revision, and fails where a file says so.
class WorkspaceTest : public testing::Test {
 protected:
  void SetUp() override {
    const std::string name = testing::UnitTest::GetInstance()->current_test_info()->name();
    base_ = fs::path(testing::TempDir()) / name;
    fs::remove_all(base_);
    repository_ = base_ / "repository";
    setenv("XDG_CACHE_HOME", (base_ / "cache").c_str(), 1);
    Write(repository_ / "tools/bazel", R"(#!/bin/sh
[ ! -e broken ] || { echo "broken.cc:1: no" >&2; exit 1; }
case $1 in
  run) cat cases.json ;;
  info) echo "$PWD/out" ;;
  build) mkdir -p out/a && cp program out/a/b && chmod +x out/a/b ;;
esac
)");
    fs::permissions(repository_ / "tools/bazel", fs::perms::owner_all);
    Write(
        repository_ / "cases.json",
        R"({"cases": [{"benchmarkCase": {"label": "//a:b"}}, {"benchmarkCase": {"label": "//a:c"}}]})");
    Write(repository_ / "program", "#!/bin/sh\necho first\n");
    Write(repository_ / ".gitignore", "out\n");
    Git("init -q");
    Commit();
  }
  void Git(const std::string& arguments) {
    const std::string command =
        "git -C " + repository_.string() + " -c user.name=t -c user.email=t@t " + arguments;
    ASSERT_EQ(std::system(command.c_str()), 0);
  }
  void Commit() {
    Git("add -A");
    Git("commit -q -m x");
  }
  absl::StatusOr<Workspace> Open(const std::string& revision) {
    return OpenRevision(repository_.string(), revision, nullptr);
  }
  fs::path base_, repository_;
};

TEST_F(WorkspaceTest, ListsAndBuildsThisTree) {
  const Workspace tree = OpenFolder(repository_.string());
  EXPECT_EQ(tree.commit.size(), 40u);
  EXPECT_FALSE(tree.dirty);
  EXPECT_EQ(*ListCases(tree, nullptr), (Words{"//a:b", "//a:c"}));
  const auto programs = Build(tree, {"//a:b"}, {}, nullptr);
  ASSERT_TRUE(programs.ok()) << programs.status();
  EXPECT_EQ(*programs, Words{(repository_ / "out/a/b").string()});
  Write(repository_ / "program", "changed");
  EXPECT_TRUE(OpenFolder(repository_.string()).dirty);
}

TEST_F(WorkspaceTest, ABrokenBuildShowsItsOutput) {
  Write(repository_ / "broken", "");
  const auto programs = Build(OpenFolder(repository_.string()), {"//a:b"}, {}, nullptr);
  ASSERT_FALSE(programs.ok());
  EXPECT_TRUE(absl::StrContains(programs.status().message(), "broken.cc:1: no"))
      << programs.status();
}

TEST_F(WorkspaceTest, ARevisionIsItsOwnTreeAndIsFoundAgain) {
  Write(repository_ / "program", "#!/bin/sh\necho second\n");
  Commit();
  Write(repository_ / "program", "not committed");
  const auto old = Open("HEAD~1"), now = Open("HEAD");
  ASSERT_TRUE(old.ok() && now.ok()) << old.status() << now.status();
  EXPECT_NE(old->root, now->root);
  std::string line;
  std::ifstream program(old->root + "/program");
  std::getline(program, line) && std::getline(program, line);
  EXPECT_EQ(line, "echo first");
  EXPECT_EQ(Open("HEAD~1")->root, old->root);
  // What the build leaves behind is no change by hand.
  ASSERT_TRUE(Build(*old, {"//a:b"}, {}, nullptr).ok());
  EXPECT_TRUE(Open("HEAD~1").ok());
}

TEST_F(WorkspaceTest, AWorktreeChangedByHandIsRefused) {
  const auto tree = Open("HEAD");
  ASSERT_TRUE(tree.ok()) << tree.status();
  Write(fs::path(tree->root) / "program", "changed");
  const auto again = Open("HEAD");
  ASSERT_FALSE(again.ok());
  EXPECT_TRUE(absl::StrContains(again.status().message(), "changed by hand")) << again.status();
  EXPECT_TRUE(absl::StrContains(again.status().message(), "git worktree remove")) << again.status();
  fs::remove_all(tree->root);
  EXPECT_TRUE(Open("HEAD").ok());  // deleted by hand: made anew
}

TEST_F(WorkspaceTest, UnknownRevisionsAreNamed) {
  for (const char* revision : {"nonsense", "HEAD~99", "--help"}) {
    const auto tree = Open(revision);
    EXPECT_TRUE(absl::IsNotFound(tree.status())) << tree.status();
    EXPECT_TRUE(absl::StrContains(tree.status().message(), revision)) << tree.status();
  }
}

TEST_F(WorkspaceTest, TwoTreesCompareTheirCommonCases) {
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

TEST_F(WorkspaceTest, AReplacedProgramHasAnotherFingerprint) {
  const std::string program = (base_ / "x").string();
  Write(program, "one");
  Write(program + ".runfiles/assay/runner", "one");
  const uint64_t before = FingerprintOf(program);
  EXPECT_EQ(FingerprintOf(program), before);
  Write(program + ".runfiles/assay/runner", "two!");
  EXPECT_NE(FingerprintOf(program), before);
  EXPECT_EQ(FingerprintOf("/no/such/program"), 0u);
}

TEST(Labels, BecomePaths) {
  EXPECT_EQ(PathOfLabel("//a/b:c"), "a/b/c");
  EXPECT_EQ(PathOfLabel("//a/b"), "a/b/b");
  EXPECT_EQ(PathOfLabel("//:c"), "/c");
}

TEST(Labels, OfADamagedRegistryAreRefused) {
  EXPECT_FALSE(LabelsOfRegistry("{\"cases\": [").ok());
  EXPECT_FALSE(LabelsOfRegistry("[]").ok());
  EXPECT_TRUE(LabelsOfRegistry("{}")->empty());
}

}  // namespace
}  // namespace assay::compare

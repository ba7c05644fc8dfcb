#include "tools/processes/workspace.h"

#include <sys/stat.h>

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <string>

#include "absl/strings/match.h"
#include "gtest/gtest.h"
#include "tools/processes/fake_tree.h"

namespace assay::processes {
namespace {

using Words = std::vector<std::string>;

using WorkspaceTest = FakeTree;

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

TEST_F(WorkspaceTest, FindsTheProgramThatAnAliasStandsFor) {
  const Workspace tree = OpenFolder(repository_.string());
  std::filesystem::create_directories(repository_ / "out/alias");  // a package's folder
  const auto programs = Build(tree, {"//a:b", "//:alias"}, {}, nullptr);
  ASSERT_TRUE(programs.ok()) << programs.status();
  EXPECT_EQ(*programs, Words(2, (repository_ / "out/a/b").string()));
  const auto none = Build(tree, {"//:other"}, {}, nullptr);
  EXPECT_TRUE(absl::StrContains(none.status().message(), "is the label that of a program?"));
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
  // Files that the build leaves behind do not count as changes.
  ASSERT_TRUE(Build(*old, {"//a:b"}, {}, nullptr).ok());
  EXPECT_TRUE(Open("HEAD~1").ok());
}

TEST_F(WorkspaceTest, ARevisionIsBuiltWithTheUsersSettings) {
  Write(repository_ / "user.bazelrc", "build --disk_cache=/c\n");
  const auto settings = [](const Workspace& tree) {
    std::ifstream file(tree.root + "/user.bazelrc");
    return std::string((std::istreambuf_iterator<char>(file)), std::istreambuf_iterator<char>());
  };
  const auto old = Open("HEAD");  // its git would call the file a change
  ASSERT_TRUE(old.ok()) << old.status();
  EXPECT_EQ(settings(*old), "");
  Write(repository_ / ".gitignore", "out\nuser.bazelrc\n");
  Commit();
  for (const char* text : {"build --disk_cache=/c\n", "build --disk_cache=/d\n"}) {
    Write(repository_ / "user.bazelrc", text);
    const auto tree = Open("HEAD");
    ASSERT_TRUE(tree.ok()) << tree.status();
    EXPECT_EQ(settings(*tree), text);
  }
  std::filesystem::remove(repository_ / "user.bazelrc");
  const auto without = Open("HEAD");
  ASSERT_TRUE(without.ok()) << without.status();
  EXPECT_FALSE(std::filesystem::is_symlink(without->root + "/user.bazelrc"));
}

TEST_F(WorkspaceTest, AWorktreeChangedByHandIsRefused) {
  const auto tree = Open("HEAD");
  ASSERT_TRUE(tree.ok()) << tree.status();
  Write(std::filesystem::path(tree->root) / "program", "changed");
  const auto again = Open("HEAD");
  ASSERT_FALSE(again.ok());
  EXPECT_TRUE(absl::StrContains(again.status().message(), "changed by hand")) << again.status();
  EXPECT_TRUE(absl::StrContains(again.status().message(), "git worktree remove")) << again.status();
  std::filesystem::remove_all(tree->root);
  EXPECT_TRUE(Open("HEAD").ok());  // deleted by hand: made anew
}

TEST_F(WorkspaceTest, AWorktreeThatOthersCanWriteToIsRefused) {
  const mode_t mask = umask(0);
  const auto tree = Open("HEAD");
  umask(mask);
  ASSERT_TRUE(tree.ok()) << tree.status();
  std::filesystem::permissions(tree->root, std::filesystem::perms(0777));
  const absl::Status refused = Open("HEAD").status();
  EXPECT_TRUE(absl::IsFailedPrecondition(refused)) << refused;
  EXPECT_TRUE(absl::StrContains(refused.message(), "chmod go-w " + tree->root)) << refused;
}

TEST_F(WorkspaceTest, UnknownRevisionsAreNamed) {
  for (const char* revision : {"nonsense", "HEAD~99", "--help"}) {
    const auto tree = Open(revision);
    EXPECT_TRUE(absl::IsNotFound(tree.status())) << tree.status();
    EXPECT_TRUE(absl::StrContains(tree.status().message(), revision)) << tree.status();
  }
}

TEST(Labels, BecomePaths) {
  EXPECT_EQ(PathOfLabel("//a/b:c"), "a/b/c");
  EXPECT_EQ(PathOfLabel("//a/b"), "a/b/b");
  EXPECT_EQ(PathOfLabel("//:c"), "/c");
}

TEST(Labels, OfADamagedListAreRefused) {
  EXPECT_FALSE(LabelsOfList("").ok());
  EXPECT_FALSE(LabelsOfList("//a:b,m,fp32\n").ok());
  EXPECT_FALSE(LabelsOfList("case,model\nINFO: done\n").ok());
  EXPECT_TRUE(LabelsOfList("case,model\n")->empty());
}

TEST_F(WorkspaceTest, AnotherLibTorchIsToldToTheBuild) {
  Workspace tree = OpenFolder(repository_.string());
  const absl::Status own_only = UseLibTorch("2.10.0", tree);
  EXPECT_TRUE(absl::IsFailedPrecondition(own_only)) << own_only;
  EXPECT_TRUE(UseLibTorch("", tree).ok());

  std::ofstream(repository_ / "tools/bazel", std::ios::app)
      << "echo \"$1 $ASSAY_LIBTORCH\" >>libtorch_said\n";
  ASSERT_TRUE(UseLibTorch("2.10.0", tree).ok());
  const auto built = Build(tree, {"//a:b"}, {}, nullptr);
  ASSERT_TRUE(built.ok()) << built.status();
  std::ifstream said(repository_ / "libtorch_said");
  const std::string text((std::istreambuf_iterator<char>(said)), std::istreambuf_iterator<char>());
  EXPECT_EQ(text, "build 2.10.0\ninfo 2.10.0\nshutdown 2.10.0\n");
}

}  // namespace
}  // namespace assay::processes

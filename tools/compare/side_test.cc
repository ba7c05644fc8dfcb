#include "tools/compare/side.h"

#include <filesystem>
#include <fstream>
#include <string>

#include "absl/strings/match.h"
#include "gtest/gtest.h"

namespace assay::compare {
namespace {

namespace fs = std::filesystem;
using Words = std::vector<std::string>;

class SideTest : public testing::Test {
 protected:
  SideTest() {
    fs::create_directories(folder_ + "/tree/tools");
    for (const char* name : {"/tree/tools/bazel", "/runner", "/old.jsonl", "/records"}) {
      std::ofstream(folder_ + name) << "x\n";
    }
    for (const char* name : {"/tree/tools/bazel", "/runner", "/old.jsonl"}) {
      fs::permissions(folder_ + name, fs::perms::owner_all);
    }
    fs::create_directories(folder_ + "/empty");
  }
  const std::string folder_ = (fs::path(testing::TempDir()) / "side").lexically_normal().string();
};

TEST_F(SideTest, TakesALabelWithFlags) {
  const auto side = ParseSide("//a/b:c --threads=1 --modes='x y'", folder_);
  ASSERT_TRUE(side.ok()) << side.status();
  EXPECT_EQ(side->kind, SideKind::kLabel);
  EXPECT_EQ(side->subject, "//a/b:c");
  EXPECT_EQ(side->flags, (Words{"--threads=1", "--modes=x y"}));
}

TEST_F(SideTest, TakesAnotherLibTorchWhereSomethingIsBuilt) {
  for (const std::string subject : {"tree", "git:HEAD", "//a:b", "git:HEAD //a:b"}) {
    const auto side = ParseSide(subject + " --libtorch=2.10.0 --threads=1", folder_);
    ASSERT_TRUE(side.ok()) << side.status();
    EXPECT_EQ(side->libtorch, "2.10.0");
    EXPECT_EQ(side->flags, Words{"--threads=1"});
  }
  const auto runner = ParseSide("runner --libtorch=2.10.0", folder_);
  EXPECT_TRUE(absl::StrContains(runner.status().message(), "is built already")) << runner.status();
}

TEST_F(SideTest, TakesAKernelThatIsLoaded) {
  const auto side = ParseSide("tree --load-library=old.jsonl --like=softmax --op=mine::a", folder_);
  ASSERT_TRUE(side.ok()) << side.status();
  EXPECT_EQ(side->library, folder_ + "/old.jsonl");
  EXPECT_EQ(side->like, "softmax");
  EXPECT_EQ(side->op, "mine::a");
  EXPECT_TRUE(side->flags.empty());
  for (const auto& [text, part] : std::vector<std::pair<std::string, std::string>>{
           {"tree --like=softmax", "but no --load-library=FILE"},
           {"runner --load-library=old.jsonl", "no case of a tree"}}) {
    const auto wrong = ParseSide(text, folder_);
    EXPECT_TRUE(absl::StrContains(wrong.status().message(), part)) << wrong.status();
  }
}

TEST_F(SideTest, TakesARevisionWithOrWithoutACase) {
  const auto tree = ParseSide("git:HEAD~1 --threads=1", folder_);
  ASSERT_TRUE(tree.ok()) << tree.status();
  EXPECT_EQ(tree->kind, SideKind::kTree);
  EXPECT_EQ(tree->revision, "HEAD~1");
  const auto one = ParseSide("git:v1 //a:b --x", folder_);
  ASSERT_TRUE(one.ok()) << one.status();
  EXPECT_EQ(one->kind, SideKind::kLabel);
  EXPECT_EQ(one->revision, "v1");
  EXPECT_EQ(one->subject, "//a:b");
  EXPECT_EQ(one->flags, Words{"--x"});
}

TEST_F(SideTest, TakesACaseByItsName) {
  for (const std::string revision : {"", "git:v1 "}) {
    const auto named = ParseSide(revision + "mlp_fp32_b64 --threads=1", folder_);
    ASSERT_TRUE(named.ok()) << named.status();
    EXPECT_EQ(named->kind, SideKind::kLabel);
    EXPECT_EQ(named->subject, "mlp_fp32_b64");
    EXPECT_EQ(named->flags, Words{"--threads=1"});
  }
  EXPECT_FALSE(ParseSide("mlp-fp32", folder_).ok());
}

TEST_F(SideTest, TellsFoldersProgramsAndRecordsApart) {
  EXPECT_EQ(ParseSide("tree", folder_)->kind, SideKind::kTree);
  EXPECT_EQ(ParseSide("tree", folder_)->subject, folder_ + "/tree");
  EXPECT_EQ(ParseSide(".", folder_ + "/tree")->subject, folder_ + "/tree");
  EXPECT_EQ(ParseSide("runner --case=x y", folder_)->kind, SideKind::kProgram);
  EXPECT_EQ(ParseSide("runner --case=x y", folder_)->flags, (Words{"--case=x", "y"}));
  EXPECT_EQ(ParseSide("old.jsonl", folder_)->kind, SideKind::kRecords);  // even if executable
  EXPECT_EQ(ParseSide(folder_ + "/records", "/")->kind, SideKind::kRecords);
}

TEST_F(SideTest, SaysWhatIsWrong) {
  for (const auto& [text, part] : std::vector<std::pair<std::string, std::string>>{
           {"", "is empty"},
           {"   ", "is empty"},
           {"no/such/runner", "there is no"},
           {"empty", "no tools/bazel"},
           {"old.jsonl --threads=1", "its runs are over"},
           {"//a/...", "pattern"},
           {"git:", "names no revision"},
           {"git:--upload-pack=x", "names no revision"},
           {"git:HEAD threads=1", "is no flag"},
           {"--threads=1", "begins with a flag"},
           {"//a:b --x='y", "not closed"}}) {
    const auto side = ParseSide(text, folder_);
    ASSERT_FALSE(side.ok()) << text;
    EXPECT_TRUE(absl::StrContains(side.status().message(), part)) << side.status();
  }
}

TEST_F(SideTest, KnowsACaseUnderLoad) {
  for (const std::string text : {"//a:b --scenario=server --qps=5", "git:v1 --scenario=offline",
                                 "tree --scenario server", "runner --scenario=server"})
    EXPECT_TRUE(IsUnderLoad(*ParseSide(text, folder_))) << text;
  EXPECT_FALSE(IsUnderLoad(*ParseSide("//a:b --scenarios=2", folder_)));
}

TEST(SplitWords, IsAsInAShellWithoutExpansion) {
  EXPECT_EQ(*SplitWords(R"( a "b c"'d' \  e\"f $HOME "" )"),
            (Words{"a", "b cd", " ", "e\"f", "$HOME", ""}));
}

TEST(MatchesCase, LooksAtLabelAndName) {
  const std::string label = "//benchmarks/mlp:mlp_fp32_b1";
  for (const char* regex : {"^mlp_fp32_b1$", "^//benchmarks/mlp:", "mlp:mlp", "", "b1"}) {
    EXPECT_TRUE(MatchesCase(label, std::regex(regex))) << regex;
  }
  EXPECT_FALSE(MatchesCase(label, std::regex("^mlp_fp32_b16?$x")));
  EXPECT_TRUE(MatchesCase("unlabelled", std::regex("^unlabelled$")));
}

}  // namespace
}  // namespace assay::compare

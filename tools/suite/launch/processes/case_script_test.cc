#include "tools/suite/launch/processes/case_script.h"

#include <filesystem>
#include <fstream>
#include <iterator>

#include "gmock/gmock.h"
#include "gtest/gtest.h"

namespace assay::suite {
namespace {

using testing::AllOf;
using testing::ElementsAre;
using testing::EndsWith;
using testing::IsEmpty;
using testing::StartsWith;

// defs/case_rules.bzl wrote the script for this test.
TEST(CaseScript, OfTheBuildIsUnderstood) {
  std::ifstream file("tools/suite/launch/processes/scripted_case");
  const std::string text((std::istreambuf_iterator<char>(file)), std::istreambuf_iterator<char>());
  EXPECT_THAT(CommandOfScript(text, "/r"),
              ElementsAre(AllOf(StartsWith("/r/"), EndsWith("/tools/processes/hostile_runner")),
                          AllOf(StartsWith("--case=/r/"), EndsWith("/mlp_fp32_b1.pb")),
                          AllOf(StartsWith("--locked-reference=/r/"), EndsWith("/a.safetensors")),
                          "--device=cpu"));
}

TEST(CaseScript, OfAnotherFormIsNone) {
  const std::string good =
      "r=x\nw=\"$r/assay\"\nexec \"$w/a/runner\" --case=\"$w/a/b.pb\" \"$@\"\n";
  EXPECT_THAT(CommandOfScript(good, "/r"),
              ElementsAre("/r/assay/a/runner", "--case=/r/assay/a/b.pb"));
  for (const char* text :
       {"", "exec \"$w/a\" \"$@\"\n", "w=\"$r/assay\"\nexec \"$w/a\" --x=\"$HOME\" \"$@\"\n",
        "w=\"$r/assay\"\nexec \"$w/a\" --x\n", "w=\"$r/assay\"\n\"$w/a\" \"$@\"\n"}) {
    EXPECT_THAT(CommandOfScript(text, "/r"), IsEmpty()) << text;
  }
}

TEST(CaseScript, FindsTheRunnerItselfBehindEachCasesLink) {
  const std::filesystem::path folder = testing::TempDir();
  const std::string program = (folder / "a").string();
  const std::filesystem::path files = folder / "a.runfiles/assay/a";
  std::ofstream(program) << "#!/bin/sh\nw=\"$r/assay\"\nexec \"$w/a/runner\" \"$@\"\n";
  EXPECT_THAT(CommandOfCase(program), IsEmpty()) << "its files are not there";
  std::filesystem::create_directories(files);
  std::filesystem::create_symlink("/bin/sh", files / "runner");
  EXPECT_THAT(CommandOfCase(program), ElementsAre(std::filesystem::canonical("/bin/sh").string()));
  EXPECT_THAT(CommandOfCase("/bin/sh"), IsEmpty()) << "no script";
}

}  // namespace
}  // namespace assay::suite

#include "benchmarks/harness/runner/series/relaunch.h"

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <sstream>
#include <string>

#include "benchmarks/harness/tensor_files/test_folder.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"

namespace assay::runner {
namespace {

using ::testing::AllOf;
using ::testing::HasSubstr;

class RelaunchDeathTest : public testing::Test {
 protected:
  RelaunchDeathTest() {
    case_.set_label("//x:y");
    case_.mutable_execution()->set_backend("aoti");
    std::filesystem::create_directories(root_ + "/tools");
    setenv("BUILD_WORKSPACE_DIRECTORY", root_.c_str(), 1);
    unsetenv("ASSAY_RELAUNCHED");
  }
  ~RelaunchDeathTest() override {
    unsetenv("BUILD_WORKSPACE_DIRECTORY");
    unsetenv("ASSAY_RELAUNCHED");
  }
  // A script plays Bazel: it keeps its words and ends with 7.
  void WriteBazel() {
    const std::string path = root_ + "/tools/bazel";
    std::ofstream(path) << "#!/bin/sh\necho \"$*\" \"$ASSAY_RELAUNCHED\" >" << root_
                        << "/words; exit 7\n";
    std::filesystem::permissions(path, std::filesystem::perms::owner_all);
  }

  BenchmarkCase case_;
  const std::string root_ = tensor_files::TestFolder();
};

TEST_F(RelaunchDeathTest, StartsTheSameCaseWithTheBackEndAndTheSameFlags) {
  WriteBazel();
  EXPECT_EXIT(RelaunchWith(false, case_, {"--backend=aoti", "--modes=wall"}).IgnoreError(),
              testing::ExitedWithCode(7), "this program lacks aoti; building it again");
  std::ifstream words(root_ + "/words");
  std::ostringstream text;
  text << words.rdbuf();
  EXPECT_EQ(text.str(),
            "run --noshow_progress --//benchmarks/backends=//benchmarks/backends:aoti //x:y -- "
            "--backend=aoti --modes=wall 1\n");
}

TEST_F(RelaunchDeathTest, StartsTheSameCaseWithALoadGenerator) {
  WriteBazel();
  case_.mutable_execution()->set_backend("eager");
  EXPECT_EXIT(RelaunchWith(true, case_, {"--scenario=offline"}).IgnoreError(),
              testing::ExitedWithCode(7), "this program lacks a load generator; building it again");
  std::ifstream words(root_ + "/words");
  std::ostringstream text;
  text << words.rdbuf();
  EXPECT_EQ(
      text.str(),
      "run --noshow_progress "
      "--//benchmarks/harness/runner/serving:load=//benchmarks/harness/runner/serving:loadgen "
      "//x:y -- "
      "--scenario=offline 1\n");
}

TEST_F(RelaunchDeathTest, DoesNothingWhereThatWouldNotHelp) {
  WriteBazel();
  case_.mutable_execution()->set_backend("mine");
  EXPECT_TRUE(RelaunchWith(false, case_, {}).ok());
  case_.mutable_execution()->set_backend("aoti");
  setenv("ASSAY_RELAUNCHED", "1", 1);
  EXPECT_TRUE(RelaunchWith(false, case_, {}).ok());
  unsetenv("ASSAY_RELAUNCHED");
  unsetenv("BUILD_WORKSPACE_DIRECTORY");
  EXPECT_TRUE(RelaunchWith(false, case_, {}).ok());
  EXPECT_FALSE(std::filesystem::exists(root_ + "/words"));
}

TEST_F(RelaunchDeathTest, SaysThatBazelDoesNotStart) {
  EXPECT_THAT(RelaunchWith(false, case_, {}).message(),
              AllOf(HasSubstr("cannot start "), HasSubstr("/tools/bazel: No such file")));
}

}  // namespace
}  // namespace assay::runner

#include "benchmarks/harness/runner/output/plotting.h"

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <sstream>
#include <string>

#include "benchmarks/harness/record/outcome.h"
#include "benchmarks/harness/runner/verdict/run_status.h"
#include "benchmarks/harness/tensor_files/test_folder.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"

namespace assay::runner {
namespace {

using testing::HasSubstr;

std::string Text(const std::string& path) {
  std::ostringstream text;
  text << std::ifstream(path).rdbuf();
  return text.str();
}

class PlottingTest : public testing::Test {
 protected:
  PlottingTest() {
    record_.mutable_benchmark_case()->set_name("mlp_fp32_b1");
    record_.set_outcome(PASS);
    std::filesystem::create_directories(root_ + "/tools");
    setenv("BUILD_WORKSPACE_DIRECTORY", root_.c_str(), 1);
  }
  ~PlottingTest() override { unsetenv("BUILD_WORKSPACE_DIRECTORY"); }
  // A script plays Bazel: it keeps its words and the record, and ends with `code`.
  void WriteBazel(int code) {
    const std::string path = root_ + "/tools/bazel";
    std::ofstream(path) << "#!/bin/sh\necho \"$*\" >" << root_ << "/words; cp \"$7\" " << root_
                        << "/record; exit " << code << "\n";
    std::filesystem::permissions(path, std::filesystem::perms::owner_all);
  }

  Record record_;
  const std::string root_ = tensor_files::TestFolder();
};

TEST_F(PlottingTest, HasTheReportDrawTheRecordAndLeavesNoFile) {
  WriteBazel(0);
  EXPECT_TRUE(CheckPlot("//x:y", "a.svg").ok());
  ASSERT_TRUE(Plot(record_, root_ + "/a.svg").ok());
  EXPECT_THAT(Text(root_ + "/record"), HasSubstr("mlp_fp32_b1"));
  const std::string words = Text(root_ + "/words");
  EXPECT_THAT(words, HasSubstr("/mlp_fp32_b1.jsonl --format=svg --out=" + root_ +
                               "/a.svg --report=samples\n"));
  std::istringstream each(words);
  for (std::string word; each >> word;) {
    if (word.find(".jsonl") == std::string::npos) continue;
    EXPECT_FALSE(std::filesystem::exists(word)) << word;
  }
  ASSERT_TRUE(Plot(record_, root_ + "/a.html").ok());
  EXPECT_THAT(Text(root_ + "/words"), HasSubstr("--format=html --out=" + root_ + "/a.html\n"));
}

TEST_F(PlottingTest, NoPictureIsAFailureOfTheSurroundings) {
  WriteBazel(2);
  const absl::Status drawn = Plot(record_, root_ + "/a.png");
  EXPECT_THAT(drawn.message(), HasSubstr("/a.png: there is no picture"));
  EXPECT_EQ(record::ExitCode(OutcomeOf(drawn)), 2);
}

TEST_F(PlottingTest, NeedsTheWorkspace) {
  unsetenv("BUILD_WORKSPACE_DIRECTORY");
  EXPECT_THAT(CheckPlot("//x:y", "a.svg").message(),
              HasSubstr("tools/bazel run //x:y -- --plot=a.svg"));
}

}  // namespace
}  // namespace assay::runner

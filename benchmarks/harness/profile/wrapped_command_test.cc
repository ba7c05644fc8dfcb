#include "benchmarks/harness/profile/wrapped_command.h"

#include <sys/stat.h>

#include <algorithm>
#include <cstdlib>
#include <fstream>
#include <optional>
#include <sstream>

#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_split.h"
#include "absl/strings/strip.h"
#include "benchmarks/harness/processes/other_program.h"
#include "benchmarks/harness/profile/range_name.h"
#include "benchmarks/harness/tensor_files/test_folder.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"

namespace assay::profile {
namespace {

using ::testing::Contains;
using ::testing::ElementsAre;
using ::testing::HasSubstr;

const std::string kForward = RangeName("mlp_fp32_b8_train", "forward");
const std::string kBackward = RangeName("mlp_fp32_b8_train", "backward");

WrappedChild Child(Tool tool) {
  return {.tool = tool,
          .case_name = "mlp_fp32_b8_train",
          .ranges = {kForward, kBackward},
          .report = "out/mlp",
          .command = {"/bin/runner", "--case=a b"}};
}

// A start/end filter of ncu, read as its documentation has it: "domain@range,range": a backslash
// takes the meaning of what follows it away; '/', '[' and ']' that have theirs make it a filter of
// push/pop ranges, which start/end ranges never match.
struct NcuFilter {
  std::string domain;
  std::vector<std::string> ranges = {""};
};

std::optional<NcuFilter> ReadNcuFilter(std::string_view text) {
  NcuFilter filter;
  for (size_t i = 0; i < text.size(); ++i) {
    if (text[i] == '\\') {
      filter.ranges.back() += text.at(++i);
    } else if (text[i] == '@') {
      filter.domain = filter.ranges.back();
      filter.ranges.back().clear();
    } else if (text[i] == ',') {
      filter.ranges.emplace_back();
    } else if (absl::StrContains("/[]", text[i])) {
      return std::nullopt;
    } else {
      filter.ranges.back() += text[i];
    }
  }
  return filter;
}

TEST(WrappedCommand, NcusFilterIsTheVeryNamesOfTheRanges) {
  const std::vector<std::string> command = WrappedCommand(Child(Tool::kNcu));
  EXPECT_THAT(command, Contains("--nvtx"));
  std::vector<std::string> let_through;
  for (size_t i = 0; i + 1 < command.size(); ++i) {
    if (command[i] != "--nvtx-include") continue;
    const std::optional<NcuFilter> filter = ReadNcuFilter(command[i + 1]);
    ASSERT_TRUE(filter.has_value()) << command[i + 1];
    EXPECT_EQ(filter->domain, "assay");
    ASSERT_EQ(filter->ranges.size(), 1U);
    let_through.push_back(filter->ranges[0]);
  }
  EXPECT_THAT(let_through, ElementsAre(kForward, kBackward));
}

TEST(WrappedCommand, NcuLeavesTheClocksAsTheyAre) {
  const std::vector<std::string> command = WrappedCommand(Child(Tool::kNcu));
  const auto control = std::find(command.begin(), command.end(), "--clock-control");
  ASSERT_TRUE(control != command.end() && control + 1 != command.end()) << "ncu locks them to base";
  EXPECT_EQ(*(control + 1), "none");
}

TEST(WrappedCommand, NsysBeginsAtTheRangeAroundTheCase) {
  EXPECT_THAT(
      WrappedCommand(Child(Tool::kNsys)),
      ElementsAre("nsys", "profile", "--trace=cuda,nvtx,cudnn,cublas,osrt", "--capture-range=nvtx",
                  "--nvtx-capture=mlp_fp32_b8_train@assay", "--capture-range-end=stop",
                  "--env-var=NSYS_NVTX_PROFILER_REGISTER_ONLY=0", "--force-overwrite=true",
                  "--output=out/mlp", "/bin/runner", "--case=a b"));
}

TEST(WrappedCommand, OnTheCpuNsysHasNoRangesToWaitFor) {
  WrappedChild child = Child(Tool::kNsys);
  child.cuda = false;
  for (const std::string& word : WrappedCommand(child)) EXPECT_THAT(word, Not(HasSubstr("nvtx")));
}

TEST(WrappedCommand, KnowsWhatTheToolsCallTheirReports) {
  EXPECT_EQ(ReportPath(Child(Tool::kNsys)), "out/mlp.nsys-rep");
  EXPECT_EQ(ReportPath(Child(Tool::kNcu)), "out/mlp.ncu-rep");
}

// Tools on PATH that note their arguments and run their child, as the real ones do.
class FakeTools : public ::testing::Test {
 protected:
  FakeTools() : path_(std::getenv("PATH")) {
    setenv("PATH", absl::StrCat(folder_, ":", path_).c_str(), 1);
  }
  ~FakeTools() override { setenv("PATH", path_.c_str(), 1); }

  void Install(const std::string& name, const std::string& script) const {
    const std::string path = absl::StrCat(folder_, "/", name);
    std::ofstream(path) << "#!/bin/sh\n" << script;
    chmod(path.c_str(), 0755);
  }
  std::string Read(const std::string& name) const {
    std::ostringstream text;
    text << std::ifstream(absl::StrCat(folder_, "/", name)).rdbuf();
    return text.str();
  }

  const std::string folder_ = tensor_files::TestFolder();
  const std::string path_;
};

TEST_F(FakeTools, ReceiveExactlyTheArgumentsAndRunTheChild) {
  for (const Tool tool : {Tool::kNsys, Tool::kNcu}) {
    WrappedChild child = Child(tool);
    child.command = {"/bin/sh", "-c", "echo \"the child, $1\" >\"$0\"; exit 5",
                     absl::StrCat(folder_, "/child"), "a b"};
    Install(std::string(ToolName(tool)),
            absl::StrCat("printf '%s\\n' \"$@\" >'", folder_,
                         "/arguments'\n"
                         "while [ \"$1\" != /bin/sh ]; do shift; done\n"
                         "\"$@\"\n"));
    const absl::StatusOr<int> code = processes::RunShown(WrappedCommand(child));
    ASSERT_TRUE(code.ok()) << code.status();
    EXPECT_EQ(*code, 5);
    EXPECT_EQ(Read("child"), "the child, a b\n");
    std::vector<std::string> expected = WrappedCommand(child);
    expected.erase(expected.begin());
    const std::vector<std::string> received =
        absl::StrSplit(absl::StripSuffix(Read("arguments"), "\n"), '\n');
    EXPECT_EQ(received, expected);
  }
}

TEST_F(FakeTools, AreLookedForOnPath) {
  EXPECT_TRUE(absl::IsNotFound(CheckInstalled(Tool::kNcu, folder_)));
  Install("ncu", "");
  EXPECT_TRUE(CheckInstalled(Tool::kNcu, absl::StrCat("/nonexistent::", folder_)).ok());
}

TEST(WrappedCommand, AMissingToolNamesItsPackage) {
  EXPECT_THAT(CheckInstalled(Tool::kNsys, "/nonexistent").message(),
              HasSubstr("nsight-systems-cli"));
  EXPECT_THAT(CheckInstalled(Tool::kNcu, "").message(), HasSubstr("nsight-compute"));
}

}  // namespace
}  // namespace assay::profile

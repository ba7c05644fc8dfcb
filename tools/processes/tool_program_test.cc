#include "tools/processes/tool_program.h"

#include "gtest/gtest.h"
#include "tools/processes/fake_tree.h"

namespace assay::processes {
namespace {

using ToolProgramTest = FakeTree;

TEST_F(ToolProgramTest, ItsWordsAndExitCodeGoThrough) {
  Write(repository_ / "program", "#!/bin/sh\n[ \"$1 $2\" = 'a b c' ] && exit 7\n");
  const auto code = RunTool(repository_.string(), "//a:report", {"a b", "c"}, {}, nullptr);
  ASSERT_TRUE(code.ok()) << code.status();
  EXPECT_EQ(*code, 7);
}

TEST_F(ToolProgramTest, ABrokenBuildAndAnEndBySignalAreErrors) {
  Write(repository_ / "program", "#!/bin/sh\nkill -9 $$\n");
  EXPECT_TRUE(
      absl::IsUnavailable(RunTool(repository_.string(), "//a:report", {}, {}, nullptr).status()));
  Write(repository_ / "broken", "");
  EXPECT_FALSE(RunTool(repository_.string(), "//a:report", {}, {}, nullptr).ok());
  EXPECT_TRUE(absl::IsFailedPrecondition(RunTool("", "//a:report", {}, {}, nullptr).status()));
}

}  // namespace
}  // namespace assay::processes

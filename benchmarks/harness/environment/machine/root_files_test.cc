#include "benchmarks/harness/environment/machine/root_files.h"

#include <string>
#include <vector>

#include "benchmarks/harness/environment/machine/fake_root.h"
#include "gtest/gtest.h"

namespace assay::environment {
namespace {

using Numbers = std::vector<int>;
using Lines = std::vector<std::string>;

TEST(ReadFile, IsEmptyForWhatIsNotThere) {
  FakeRoot root;
  EXPECT_EQ(ReadFile(root.path(), "proc/no"), "");
  EXPECT_EQ(ReadLine(root.path(), "proc/no"), "");
  EXPECT_EQ(ReadNumber(root.path(), "proc/no"), std::nullopt);
  EXPECT_EQ(NamesIn(root.path(), "sys/no"), Lines{});
  root.Write("sys/folder/file", "1");
  EXPECT_EQ(ReadFile(root.path(), "sys/folder"), "") << "a folder is no file";
}

TEST(ReadLine, LetsNothingThroughThatBreaksATable) {
  FakeRoot root;
  root.Write("x", " a\xff\nb\t\x1b[31m \n");
  EXPECT_EQ(ReadLine(root.path(), "x"), "a??b??[31m");
}

TEST(ReadNumber, TakesNothingButANumber) {
  FakeRoot root;
  for (const char* text : {"", "\n", "x", "1 2", "1.5", "99999999999999999999", "0x10"}) {
    root.Write("n", text);
    EXPECT_EQ(ReadNumber(root.path(), "n"), std::nullopt) << text;
  }
  root.Write("n", " -7\n");
  EXPECT_EQ(ReadNumber(root.path(), "n"), -7);
}

TEST(ReadOfEachCpu, PassesOverThoseWithoutTheFile) {
  FakeRoot root;
  EXPECT_EQ(ReadOfEachCpu(root.path(), "x"), Lines{});
  root.Write("sys/devices/system/cpu/cpu0/x", "a\n");
  root.Write("sys/devices/system/cpu/cpu1/online", "0\n");
  root.Write("sys/devices/system/cpu/cpu2/x", "b\n");
  EXPECT_EQ(ReadOfEachCpu(root.path(), "x"), (Lines{"a", "b"}));
}

TEST(LineValue, IsTheFirstLineWithExactlyThisKey) {
  EXPECT_EQ(LineValue("ab: 1\na: 2\na: 3\n", "a", ':'), "2");
  EXPECT_EQ(LineValue("a:\n", "a", ':'), "");
  EXPECT_EQ(LineValue("a\n", "a", ':'), "");
}

TEST(ParseCpuList, ReadsTheKernelsLists) {
  EXPECT_EQ(ParseCpuList("0-3,8\n"), (Numbers{0, 1, 2, 3, 8}));
  EXPECT_EQ(ParseCpuList("5"), Numbers{5});
  for (const char* list : {"", "\n", "a", "1-", "-1", "1-2-3", "0-99999999", "1,,2", "1, 2x"}) {
    EXPECT_EQ(ParseCpuList(list), Numbers{}) << list;
  }
}

}  // namespace
}  // namespace assay::environment

#include "benchmarks/harness/processes/program_main.h"

#include <iostream>
#include <new>
#include <stdexcept>
#include <string>
#include <vector>

#include "gtest/gtest.h"

namespace assay::processes {
namespace {

using Run = decltype(Program::run);

// The exit code of a program that is started with the words "one two", and what it says of errors.
int CodeOf(const Run& run, std::string* errors = nullptr) {
  std::vector<std::string> words = {"/bin/program", "one", "two"};
  std::vector<char*> pointers;
  for (std::string& word : words) pointers.push_back(word.data());
  testing::internal::CaptureStderr();
  const int code = ProgramMain(3, pointers.data(), {.name = "program", .run = run});
  const std::string said = testing::internal::GetCapturedStderr();
  if (errors != nullptr) *errors = said;
  return code;
}

TEST(ProgramMain, GivesTheWordsWithoutTheProgramsName) {
  std::vector<std::string> got;
  EXPECT_EQ(CodeOf([&](const std::vector<std::string>& words) {
              got = words;
              return 1;
            }),
            1);
  EXPECT_EQ(got, (std::vector<std::string>{"one", "two"}));
}

TEST(ProgramMain, AStatusIsALineAndACode) {
  std::string errors;
  EXPECT_EQ(CodeOf([](const auto&) { return absl::InvalidArgumentError("--x: what?"); }, &errors),
            3);
  EXPECT_EQ(errors, "program: --x: what?\n");
  EXPECT_EQ(CodeOf([](const auto&) { return absl::NotFoundError("no file"); }, &errors), 2);
  EXPECT_EQ(errors, "program: no file\n");
}

TEST(ProgramMain, AnExceptionThatNobodyCatchesIsTheProgramsFault) {
  std::string errors;
  EXPECT_EQ(CodeOf([](const auto&) -> int { throw std::runtime_error("a bug"); }, &errors), 1);
  EXPECT_EQ(errors, "program: CRASH: a bug\n");
  EXPECT_EQ(CodeOf([](const auto&) -> int { throw std::bad_alloc(); }, &errors), 2);
}

TEST(ProgramMain, OutputThatCannotBeWrittenIsNoSuccess) {
  const auto run = [](int code) {
    return [code](const std::vector<std::string>&) {
      std::cout.setstate(std::ios::badbit);
      return code;
    };
  };
  std::string errors;
  EXPECT_EQ(CodeOf(run(0), &errors), 2);
  EXPECT_EQ(errors, "program: cannot write standard output\n");
  std::cout.clear();
  EXPECT_EQ(CodeOf(run(1)), 1);  // that the product is wrong says more
  std::cout.clear();
}

TEST(ProgramMainDeathTest, LeavesAtOnceWhereItIsToldTo) {
  char name[] = "program";
  char* words[] = {name};
  EXPECT_EXIT(
      ProgramMain(
          1, words,
          {.name = "program", .run = [](const auto&) { return 7; }, .leaves_at_once = true}),
      testing::ExitedWithCode(7), "");
}

}  // namespace
}  // namespace assay::processes

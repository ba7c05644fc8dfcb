#include "tools/kernel/memory_check.h"

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <optional>
#include <string>
#include <vector>

#include "absl/strings/str_cat.h"
#include "benchmarks/harness/tensor_files/test_folder.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"

namespace assay::kernel {
namespace {

using ::testing::Contains;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;

KernelCandidate Answer(const std::string& verdict, const std::string& text = "") {
  KernelCandidate answer;
  answer.set_verdict(verdict);
  if (!text.empty()) answer.mutable_failure()->set_text(text);
  return answer;
}

class MemoryCheckTest : public testing::Test {
 protected:
  void SetUp() override { folder_ = tensor_files::TestFolder(); }

  void Write(const std::string& name, const std::string& text) const {
    std::ofstream(absl::StrCat(folder_, "/", name), std::ios::binary) << text;
  }

  // After the sanitizer's process has written the report and ended so.
  KernelCandidate Sanitized(const KernelCandidate& checked, const std::string& report) {
    KernelCandidate answer = Answer("RIGHT");
    CheckUnderAddressSanitizer(
        "/libasan.so", folder_ + "/0.log",
        [&](const Watch& watch) {
          environment_ = watch.environment;
          if (!report.empty()) Write("0.log.77", report);
          return checked;
        },
        answer);
    return answer;
  }

  // Under a compute-sanitizer that is there, and writes this log.
  KernelCandidate Watched(const std::optional<KernelCandidate>& checked, const std::string& log) {
    Write("compute-sanitizer", "#!/bin/sh\n");
    std::filesystem::permissions(folder_ + "/compute-sanitizer", std::filesystem::perms::owner_all);
    const std::string path = std::getenv("PATH");
    setenv("PATH", absl::StrCat(folder_, ":", path).c_str(), 1);
    KernelCandidate answer = Answer("RIGHT");
    CheckUnderComputeSanitizer(
        folder_ + "/0.gpu", nullptr,
        [&](const Watch& watch) {
          words_ = watch.words;
          if (!log.empty()) Write("0.gpu.77", log);
          return checked;
        },
        answer);
    setenv("PATH", path.c_str(), 1);
    return answer;
  }

  std::string folder_;
  std::vector<std::string> environment_, words_;
};

TEST_F(MemoryCheckTest, TheAddressSanitizersSummaryIsTheFailure) {
  const KernelCandidate answer =
      Sanitized(Answer("WRONG", "signal 6"),
                "==77==ERROR: AddressSanitizer\nSUMMARY: AddressSanitizer: heap-buffer-overflow "
                "mine.cc:12 in Softmax\nShadow bytes\n");
  EXPECT_EQ(answer.verdict(), "WRONG");
  EXPECT_EQ(answer.failure().kind(), "address sanitizer");
  EXPECT_EQ(answer.failure().text(), "heap-buffer-overflow mine.cc:12 in Softmax");
  EXPECT_THAT(environment_, ElementsAre("LD_PRELOAD=/libasan.so",
                                        HasSubstr(absl::StrCat("log_path=", folder_, "/0.log"))));
}

TEST_F(MemoryCheckTest, WhatFailsWithoutAReportOfItsOwnKeepsItsWords) {
  Write("1.log.78", "SUMMARY: AddressSanitizer: another kernel's\n");
  EXPECT_EQ(Sanitized(Answer("WRONG", "two equal calls differ"), "").failure().text(),
            "two equal calls differ");
  EXPECT_EQ(Sanitized(Answer("RIGHT"), "").verdict(), "RIGHT");
}

TEST_F(MemoryCheckTest, TheFirstFindingOfComputeSanitizerIsTheFailure) {
  const KernelCandidate answer =
      Watched(Answer("RIGHT"),
              "========= COMPUTE-SANITIZER\n========= Invalid __global__ write of size 4 bytes\n"
              "=========     at softmax(float *)+0x70 in mine.cu:12\n"
              "=========     by thread (3,0,0) in block (0,0,0)\n");
  EXPECT_EQ(answer.verdict(), "WRONG");
  EXPECT_EQ(answer.failure().kind(), "compute-sanitizer");
  EXPECT_EQ(answer.failure().text(),
            "Invalid __global__ write of size 4 bytes at softmax(float *)+0x70 in mine.cu:12");
  EXPECT_THAT(words_, Contains(absl::StrCat("--log-file=", folder_, "/0.gpu.%p")));
}

TEST_F(MemoryCheckTest, ComputeSanitizersSilenceCountsWhereItWroteALog) {
  const std::string nothing = "========= COMPUTE-SANITIZER\n========= ERROR SUMMARY: 0 errors\n";
  EXPECT_THAT(Watched(std::nullopt, "").warnings(), IsEmpty());
  EXPECT_THAT(Watched(Answer("RIGHT"), "").warnings(), ElementsAre(HasSubstr("it wrote no log")));
  EXPECT_THAT(Watched(Answer("RIGHT"), nothing).warnings(), IsEmpty());
  const KernelCandidate slow = Watched(Answer("WRONG", "no result after 10s"), nothing);
  EXPECT_EQ(slow.verdict(), "RIGHT");
  EXPECT_THAT(slow.warnings(), ElementsAre(HasSubstr("no result after 10s")));
}

}  // namespace
}  // namespace assay::kernel

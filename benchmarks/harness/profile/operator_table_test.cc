// Hand-made events, whose sums are done in the head.
#include "benchmarks/harness/profile/operator_table.h"

#include <nlohmann/json.hpp>

#include "gmock/gmock.h"
#include "gtest/gtest.h"

namespace assay::profile {
namespace {

using ::testing::HasSubstr;

const std::vector<std::string> kRanges = {"c/forward", "c/backward"};

ProfiledEvent Host(std::string name, int64_t start, int64_t end, uint64_t correlation = 0,
                   uint64_t thread = 1, EventKind kind = EventKind::kOperator) {
  return {.name = std::move(name),
          .kind = kind,
          .thread = thread,
          .start_ns = start,
          .end_ns = end,
          .correlation = correlation};
}

ProfiledEvent Range(std::string name, int64_t start, int64_t end) {
  return Host(std::move(name), start, end, 0, 1, EventKind::kRange);
}

ProfiledEvent OnDevice(std::string name, int64_t start, int64_t end, uint64_t linked,
                       EventKind kind = EventKind::kKernel) {
  return {.name = std::move(name),
          .kind = kind,
          .thread = 99,
          .start_ns = start,
          .end_ns = end,
          .linked = linked};
}

OperatorRow Row(const OperatorTable& table, const std::string& name) {
  for (const OperatorRow& row : table.rows) {
    if (row.name == name) return row;
  }
  ADD_FAILURE() << "no row " << name;
  return {};
}

TEST(OperatorTable, SelfTimeIsTheSpanWithoutTheChildren) {
  const OperatorTable table = MakeOperatorTable(
      std::vector<ProfiledEvent>{Range("c/forward", 0, 100), Host("linear", 10, 90),
                                 Host("t", 20, 25), Host("addmm", 30, 80)},
      kRanges);
  EXPECT_EQ(Row(table, "c/forward").self_cpu_ns, 20);
  EXPECT_EQ(Row(table, "c/forward").cpu_ns, 100);
  EXPECT_EQ(Row(table, "linear").self_cpu_ns, 25);
  EXPECT_EQ(Row(table, "linear").cpu_ns, 80);
  EXPECT_EQ(Row(table, "addmm").self_cpu_ns, 50);
  EXPECT_EQ(table.self_cpu_ns, 100);  // every nanosecond of the range once
  EXPECT_EQ(table.rows[0].name, "addmm");
}

TEST(OperatorTable, AnotherThreadsEventsAreNobodysChildren) {
  const OperatorTable table = MakeOperatorTable(
      std::vector<ProfiledEvent>{Range("c/forward", 0, 100), Host("mm", 10, 60, 0, /*thread=*/2)},
      kRanges);
  EXPECT_EQ(Row(table, "c/forward").self_cpu_ns, 100);
  EXPECT_EQ(Row(table, "mm").self_cpu_ns, 50);
  EXPECT_EQ(table.steps[0].operators, 1);
}

TEST(OperatorTable, AnOperatorInsideItselfIsNotCountedTwiceInItsTotal) {
  const OperatorTable table =
      MakeOperatorTable(std::vector<ProfiledEvent>{Range("c/forward", 0, 100), Host("to", 10, 60),
                                                   Host("to", 20, 40), Host("to", 70, 80)},
                        kRanges);
  EXPECT_EQ(Row(table, "to").calls, 3);
  EXPECT_EQ(Row(table, "to").cpu_ns, 60);
  EXPECT_EQ(Row(table, "to").self_cpu_ns, 60);
}

TEST(OperatorTable, EventsThatTouchAreNoParentAndChild) {
  const OperatorTable table = MakeOperatorTable(
      std::vector<ProfiledEvent>{Range("c/forward", 0, 30), Host("a", 10, 20), Host("b", 20, 30)},
      kRanges);
  EXPECT_EQ(Row(table, "a").self_cpu_ns, 10);
  EXPECT_EQ(Row(table, "b").self_cpu_ns, 10);
}

TEST(OperatorTable, DeviceTimeGoesToTheOperatorThatLaunchedAndUpToItsParents) {
  std::vector<ProfiledEvent> events = {
      Range("c/forward", 0, 100),
      Host("linear", 10, 90, 7),
      Host("addmm", 30, 80, 8),
      Host("cudaLaunchKernel", 40, 50, 0, 1234, EventKind::kLaunch),
      OnDevice("gemm", 60, 1060, 8),
      OnDevice("bias", 1060, 1100, 7),
      OnDevice("Memset", 10, 15, 8, EventKind::kCopy)};
  events[3].linked = 8;  // its own thread number means nothing to LibTorch
  const OperatorTable table = MakeOperatorTable(events, kRanges);
  EXPECT_EQ(Row(table, "addmm").self_device_ns, 1005);
  EXPECT_EQ(Row(table, "addmm").self_cpu_ns, 40);  // without the launch inside it
  EXPECT_EQ(Row(table, "linear").self_device_ns, 40);
  EXPECT_EQ(Row(table, "linear").device_ns, 1045);
  EXPECT_EQ(Row(table, "c/forward").device_ns, 1045);
  EXPECT_EQ(table.self_device_ns, 1045);
  EXPECT_EQ(table.rows[0].name, "addmm");  // by device time now
  EXPECT_EQ(table.steps[0].kernels, 2);
  EXPECT_EQ(table.steps[0].copies, 1);
  EXPECT_EQ(table.steps[0].launches, 1);
  EXPECT_EQ(table.steps[0].device_ns, 1045);
  ASSERT_EQ(table.kernels.size(), 3U);
  EXPECT_EQ(table.kernels[0].name, "gemm");
}

// Autograd's thread on a CUDA device.
TEST(OperatorTable, ARangeHasTheDeviceTimeOfOtherThreadsToo) {
  const OperatorTable table = MakeOperatorTable(
      std::vector<ProfiledEvent>{Range("c/backward", 0, 100), Host("mm", 10, 60, 5, 2),
                                 OnDevice("gemm", 70, 270, 5)},
      kRanges);
  EXPECT_EQ(Row(table, "c/backward").device_ns, 200);
  EXPECT_EQ(Row(table, "c/backward").self_device_ns, 0);
  EXPECT_EQ(table.steps[1].kernels, 1);
}

TEST(OperatorTable, WhatIsOutsideTheRangesIsWarmUpAndNotCounted) {
  const OperatorTable table = MakeOperatorTable(
      std::vector<ProfiledEvent>{Host("mm", 0, 10, 3), OnDevice("gemm", 5, 50, 3),
                                 OnDevice("unknown", 25, 28, 0), Range("c/forward", 20, 40),
                                 Host("mm", 25, 30, 4), Host("mm", 40, 60, 6)},
      kRanges);
  EXPECT_EQ(Row(table, "mm").calls, 1);
  EXPECT_EQ(Row(table, "mm").cpu_ns, 5);
  EXPECT_EQ(table.self_device_ns, 0);
  EXPECT_TRUE(table.kernels.empty());
}

TEST(OperatorTable, CountsAreKeptByStep) {
  const OperatorTable table = MakeOperatorTable(
      std::vector<ProfiledEvent>{Range("c/forward", 0, 10), Host("a", 1, 2), Host("b", 3, 4),
                                 Range("c/forward", 10, 30), Host("a", 11, 12), Host("b", 13, 14),
                                 Range("c/backward", 40, 50), Host("b", 41, 42)},
      kRanges);
  ASSERT_EQ(table.steps.size(), 2U);
  EXPECT_EQ(table.steps[0].calls, 2);
  EXPECT_EQ(table.steps[0].operators, 4);
  EXPECT_EQ(table.steps[0].cpu_ns, 30);
  EXPECT_EQ(table.steps[1].operators, 1);
  EXPECT_THAT(StepLines(table), HasSubstr("c/forward: 2 calls; in each 2 operators, 0 launches"));
}

TEST(OperatorTable, OfNothingIsEmptyAndDividesByNothing) {
  const OperatorTable table = MakeOperatorTable({}, kRanges);
  EXPECT_TRUE(table.rows.empty());
  EXPECT_THAT(TableText(table, 10), HasSubstr("0 rows"));
  EXPECT_THAT(StepLines(table), HasSubstr("c/backward: 0 calls"));
}

OperatorTable OneRow(std::string name) {
  return MakeOperatorTable(
      std::vector<ProfiledEvent>{Range("c/forward", 0, 4'000), Host(std::move(name), 0, 3'000)},
      kRanges);
}

TEST(OperatorTable, TextHasIntelsColumnsAndTheRowsAskedFor) {
  const std::string text = TableText(OneRow("mm"), 1);
  for (const char* column :
       {"Name", "Self CPU %", "Self CPU", "CPU total %", "CPU total", "CPU avg", "Self device %",
        "Self device", "device total", "device avg", "# of Calls"}) {
    EXPECT_THAT(text, HasSubstr(column));
  }
  EXPECT_THAT(text, HasSubstr("75.00%"));
  EXPECT_THAT(text, HasSubstr("3.000us"));
  EXPECT_THAT(text, HasSubstr("1 of 2 rows"));
  EXPECT_THAT(text, Not(HasSubstr("c/forward")));
}

TEST(OperatorTable, CsvQuotesANameWithACommaOrAQuote) {
  EXPECT_THAT(TableCsv(OneRow("f<1,\"x\">")), HasSubstr("\n\"f<1,\"\"x\"\">\",75.0000,3000,75.0000,"
                                                        "3000,3000,0.0000,0,0,0,1\n"));
}

TEST(OperatorTable, JsonSaysTheSameAndTakesAnyBytes) {
  const nlohmann::json json = nlohmann::json::parse(TableJson(OneRow("\xff"), "c"));
  EXPECT_EQ(json["case"], "c");
  EXPECT_EQ(json["operators"].size(), 2U);
  EXPECT_EQ(json["operators"][0]["self_cpu_ns"], 3000);
  EXPECT_EQ(json["operators"][0]["calls"], 1);
  EXPECT_EQ(json["steps"][0]["operator_calls"], 1);
  EXPECT_EQ(json["sorted_by"], "self_cpu_ns");
}

}  // namespace
}  // namespace assay::profile

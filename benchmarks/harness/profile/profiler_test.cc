// Under LibTorch's real profiler, with operators small enough to count.
#include "benchmarks/harness/profile/profiler.h"

#include <ATen/ops/mm.h>
#include <ATen/ops/ones.h>
#include <ATen/ops/relu.h>

#include <filesystem>

#include "benchmarks/harness/profile/range_name.h"
#include "benchmarks/harness/profile/trace_check.h"
#include "benchmarks/harness/sampling/device/fake_device.h"
#include "benchmarks/harness/tensor_files/file_bytes.h"
#include "benchmarks/harness/tensor_files/test_folder.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"

namespace assay::profile {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;

// Prepares with a relu and calls an mm.
class SmallWork : public sampling::TimedWork {
 public:
  bool HasPreparation() const override { return true; }
  void Prepare() override { a_ = at::relu(a_); }
  void Call() override {
    ++calls;
    if (fails) throw std::runtime_error("no");
    at::mm(a_, a_);
  }
  int calls = 0;
  bool fails = false;

 private:
  at::Tensor a_ = at::ones({8, 8});
};

class Profiler : public ::testing::Test {
 protected:
  WorkOf Work() {
    return [this](std::string_view) -> absl::StatusOr<sampling::TimedWork*> { return &work_; };
  }
  const OperatorRow* RowOf(const OperatorTable& table, std::string_view name) {
    for (const OperatorRow& row : table.rows) {
      if (row.name == name) return &row;
    }
    return nullptr;
  }

  ProfileOptions options_ = {.case_name = "c", .steps = {"forward", "backward"}};
  SmallWork work_;
  sampling::FakeDevice device_;
};

TEST_F(Profiler, OpensTheRangesOfEachCallAndNoneForWarmUp) {
  options_.calls = 2;
  ASSERT_TRUE(CallInRanges(options_, device_, Work()).ok());
  EXPECT_THAT(device_.Ranges(),
              ElementsAre("+c", "+c/forward", "-c/forward", "+c/forward", "-c/forward",
                          "+c/backward", "-c/backward", "+c/backward", "-c/backward", "-c"));
  EXPECT_EQ(work_.calls, 2 * (2 + 2));
}

TEST_F(Profiler, SeesTheCallsInTheirRangesAndNothingElse) {
  const auto profiled = ProfileSteps(options_, device_, Work());
  ASSERT_TRUE(profiled.ok()) << profiled.status();
  const OperatorTable& table = (*profiled)->table;
  ASSERT_NE(RowOf(table, "aten::mm"), nullptr);
  EXPECT_EQ(RowOf(table, "aten::mm")->calls, 6);  // 2 steps, 3 calls; 4 more were warm-up
  EXPECT_EQ(RowOf(table, "aten::relu"), nullptr);
  ASSERT_NE(RowOf(table, "c/forward"), nullptr);
  EXPECT_EQ(RowOf(table, "c/forward")->calls, 3);
  EXPECT_GE(RowOf(table, "c/forward")->cpu_ns, RowOf(table, "c/forward")->self_cpu_ns);
  ASSERT_EQ(table.steps.size(), 2U);
  EXPECT_EQ(table.steps[1].calls, 3);
  EXPECT_GE(table.steps[1].operators, 3);
  EXPECT_EQ(table.steps[1].kernels, 0);
  EXPECT_EQ(device_.Ranges().size(), 2U + 2 * 6);
}

TEST_F(Profiler, SavesATraceThatIsWhole) {
  const std::string folder = tensor_files::TestFolder();
  auto profiled = ProfileSteps(options_, device_, Work());
  ASSERT_TRUE(profiled.ok()) << profiled.status();
  const absl::Status saved = (*profiled)->SaveTrace(folder + "/trace.json");
  ASSERT_TRUE(saved.ok()) << saved;
  const auto text = tensor_files::ReadFile(folder + "/trace.json", 1 << 24);
  ASSERT_TRUE(text.ok());
  EXPECT_TRUE(CheckTrace(*text, RangesOf(options_)).ok());
  EXPECT_THAT(*text, Not(HasSubstr("aten::relu")));
  EXPECT_EQ(std::distance(std::filesystem::directory_iterator(folder), {}), 1);
}

TEST_F(Profiler, LeavesNothingWhereATraceCannotBeSaved) {
  auto profiled = ProfileSteps(options_, device_, Work());
  ASSERT_TRUE(profiled.ok()) << profiled.status();
  EXPECT_FALSE((*profiled)->SaveTrace("/dev/full/trace.json").ok());
  EXPECT_FALSE((*profiled)->SaveTrace(tensor_files::TestFolder() + "/no/trace.json").ok());
}

TEST_F(Profiler, ACallThatFailsEndsTheProfileAndTheProfiler) {
  work_.fails = true;
  EXPECT_THAT(ProfileSteps(options_, device_, Work()).status().message(),
              HasSubstr("profiling step forward: no"));
  work_.fails = false;
  EXPECT_TRUE(ProfileSteps(options_, device_, Work()).ok());
}

}  // namespace
}  // namespace assay::profile

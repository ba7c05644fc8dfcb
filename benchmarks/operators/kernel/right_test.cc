#include "benchmarks/operators/kernel/right.h"

#include <ATen/Parallel.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <set>

#include "benchmarks/operators/kernel/test_kernels.h"

namespace assay::kernel {
namespace {

using ::testing::Contains;
using ::testing::HasSubstr;
using ::testing::Not;

const RightPlan kPlan = {.sizes = {SizesAt(4, 40), SizesAt(3, 1000)}, .seed = 7};

RightEnd Asked(const std::string& fault, absl::Duration timeout = absl::Seconds(10)) {
  at::set_num_threads(1);  // a copy of this process must find no pool of threads
  const Candidate candidate = {.name = fault, .row = ReluRow(), .threads = 1, .timeout = timeout};
  return IsRight(candidate, kPlan);
}

TEST(RightTest, ARightKernelPassesEveryTrial) {
  const RightEnd end = Asked("kernel_test::right");
  EXPECT_EQ(end.state, TrialEnd::State::kRight) << end.failure.DebugString();
  EXPECT_GT(end.verified, 100);
  EXPECT_EQ(end.error_shares.size(), 2);
}

std::string KernelName(const std::string& op) { return op.substr(op.rfind(':') + 1); }

struct Fault {
  const char *name, *kind, *text;
  int64_t b, c;  // the smallest that fails; -1: any
};
class RightFaultTest : public ::testing::TestWithParam<Fault> {};

TEST_P(RightFaultTest, IsFoundAndShrunk) {
  const Fault& fault = GetParam();
  const RightEnd end = Asked(fault.name, absl::Seconds(1));
  ASSERT_EQ(end.state, TrialEnd::State::kWrong);
  EXPECT_EQ(end.failure.kind(), fault.kind) << end.failure.DebugString();
  EXPECT_THAT(end.failure.text(), HasSubstr(fault.text));
  if (fault.b < 0) return;
  EXPECT_EQ(end.failure.smallest().DebugString(), SizesAt(fault.b, fault.c).DebugString());
}

INSTANTIATE_TEST_SUITE_P(
    Faults, RightFaultTest,
    ::testing::Values(
        Fault{"kernel_test::unwritten_end", "unwritten", "result [0, 0] was not written to", 1, 1},
        Fault{"kernel_test::reads_outside", "touches memory outside",
              "it reads byte 1 behind the end of input 'self'", 1, 1},
        Fault{"kernel_test::writes_outside", "touches memory outside", "behind the end of", 1, 1},
        Fault{"kernel_test::wrong_end", "differs", "result [", -1, -1},
        Fault{"kernel_test::wrong_nan", "differs", "float64 gives NaN", -1, -1},
        Fault{"kernel_test::ignores_strides", "differs", "", -1, -1},
        Fault{"kernel_test::writes_input", "writes to an input", "it writes to input 'self'", 1, 1},
        Fault{"kernel_test::returns_input", "returns an input's memory", "", -1, -1},
        Fault{"cheats::previous_output", "two equal calls differ",
              "in the second of two equal calls", -1, -1},
        Fault{"cheats::later_thread", "unwritten", "was not written to", -1, -1},
        Fault{"cheats::less_precision", "differs", "", -1, -1},
        Fault{"cheats::fits_known_sizes", "differs", "", -1, -1},
        Fault{"kernel_test::wrong_gradient", "differs", "gradient of 'self' [", -1, -1},
        Fault{"kernel_test::no_view", "returns no view",
              "by its schema result 0 lies in the memory of argument 'self'", 1, 1},
        Fault{"kernel_test::shares_results", "results share memory", "results 0 and 1 lie in", 1,
              1},
        Fault{"kernel_test::wrong_meta_shape", "wrong shape function",
              "by its kernel for Meta result 0 is Float [", -1, -1},
        Fault{"kernel_test::wrong_meta_strides", "wrong shape function", "strides [", -1, -1},
        Fault{"cheats::constant", "differs", "", 1, 1},
        Fault{"cheats::writes_and_restores", "writes to an input", "it writes to input 'self'", 1,
              1},
        Fault{"cheats::right_at_pages", "unwritten", "was not written to", -1, -1},
        Fault{"kernel_test::throws", "threw", "no kernel for this", -1, -1},
        Fault{"kernel_test::aborts", "crashed", "signal 6", 1, 1},
        Fault{"kernel_test::exits", "exited", "before its results were there", 1, 1}),
    [](const auto& fault) { return KernelName(fault.param.name); });

TEST(RightTest, ARefusalIsAWarningWhereTheUserDidNotAskForTheCall) {
  const RightEnd end = Asked("kernel_test::throws_when_transposed");
  EXPECT_EQ(end.state, TrialEnd::State::kRight);
  EXPECT_THAT(end.warnings, Contains(HasSubstr("contiguous tensors only")));
}

TEST(RightTest, GradientsAreComparedAtTheSizesOfTheUser) {
  const RightEnd end = Asked("kernel_test::right_gradient");
  EXPECT_EQ(end.state, TrialEnd::State::kRight) << end.failure.DebugString();
  EXPECT_EQ(end.verified, Asked("kernel_test::right").verified + 2);
  EXPECT_THAT(end.warnings, Not(Contains(HasSubstr("no gradients"))));
}

TEST(RightTest, AKernelWithoutGradientsIsNoted) {
  EXPECT_THAT(Asked("kernel_test::right").warnings,
              Contains(HasSubstr("no gradients: kernel_test::right has no kernel for Autograd")));
  EXPECT_THAT(Asked("kernel_test::detached").warnings,
              Contains(HasSubstr("the results of kernel_test::detached do not depend on its")));
}

TEST(RightTest, AKernelForMetaIsHeldToEachCall) {
  const RightEnd end = Asked("kernel_test::right_meta");
  EXPECT_EQ(end.state, TrialEnd::State::kRight) << end.failure.DebugString();
  EXPECT_THAT(end.warnings, Not(Contains(HasSubstr("no shape function"))));
  EXPECT_THAT(Asked("kernel_test::right").warnings,
              Contains(HasSubstr("kernel_test::right has no kernel for Meta")));
}

TEST(RightTest, AResultMayBeTheViewThatItsSchemaSays) {
  at::set_num_threads(1);
  Candidate candidate = {.name = "kernel_test::view", .row = ReluRow(), .threads = 1};
  candidate.row.mutable_call()->set_name("aten::alias");
  const RightEnd end = IsRight(candidate, kPlan);
  EXPECT_EQ(end.state, TrialEnd::State::kRight) << end.failure.DebugString();
}

TEST(RightTest, TrialsAreDrawnFromTheSeed) {
  const auto texts = [](uint64_t seed) {
    std::vector<std::string> all;
    RightPlan plan = kPlan;
    plan.seed = seed;
    for (const Trial& trial : TrialsOf(plan)) all.push_back(TrialText(trial));
    return all;
  };
  EXPECT_EQ(texts(1), texts(1));
  EXPECT_NE(texts(1), texts(2));
}

TEST(RightTest, TrialsHoldTheSizesAndValuesThatKernelsGetWrong) {
  std::set<std::string> texts;
  std::set<Values> values;
  std::set<Layout> layouts;
  std::set<int64_t> columns;
  for (const Trial& trial : TrialsOf(kPlan)) {
    values.insert(trial.values);
    layouts.insert(trial.layout);
    columns.insert(trial.sizes.sizes(1).number());
  }
  EXPECT_EQ(values.size(), kValues);
  EXPECT_EQ(layouts.size(), kLayouts);
  for (const int64_t number :
       {0, 1, 7, 8, 9, 15, 16, 17, 31, 33, 63, 65, 127, 129, 255, 257, 511, 513, 97, 331, 1000})
    EXPECT_EQ(columns.count(number), 1) << number;
}

}  // namespace
}  // namespace assay::kernel

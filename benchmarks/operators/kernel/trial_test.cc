#include "benchmarks/operators/kernel/trial.h"

#include <ATen/Parallel.h>
#include <gtest/gtest.h>

#include "benchmarks/operators/kernel/test_kernels.h"

namespace assay::kernel {
namespace {

Candidate RightCandidate() {
  at::set_num_threads(1);
  return {.name = "kernel_test::right", .row = ReluRow(), .threads = 1};
}

TEST(TrialTest, ItsTextSaysHowItsInputsLieAndWhatTheyHold) {
  EXPECT_EQ(TrialText({.sizes = SizesAt(7, 33)}), "b=7 c=33, fp32");
  EXPECT_EQ(TrialText({.sizes = SizesAt(7, 33),
                       .dtype = Dtype::BF16,
                       .layout = Layout::kTransposed,
                       .values = Values::kNan}),
            "b=7 c=33, bf16, transposed, values with NaN");
}

TEST(TrialTest, ACallThatTheOperatorItselfDoesNotTakeIsNoQuestion) {
  Candidate candidate = RightCandidate();
  candidate.row.mutable_call()->set_name("aten::tril");  // of matrices
  candidate.row.mutable_call()->mutable_inputs(0)->clear_shape();
  EXPECT_EQ(RunTrial(candidate, {.sizes = SizesAt(2, 2)}).state, TrialEnd::State::kNoQuestion);
}

TEST(TrialTest, ATensorThatCannotLieSoIsNoQuestion) {
  EXPECT_EQ(
      RunTrial(RightCandidate(), {.sizes = SizesAt(1, 5), .layout = Layout::kTransposed}).state,
      TrialEnd::State::kNoQuestion);
}

TEST(TrialTest, AnotherSignatureIsWrong) {
  Candidate candidate = RightCandidate();
  candidate.name = "kernel_test::needs_more";
  const TrialEnd end = RunTrial(candidate, {.sizes = SizesAt(2, 2)});
  EXPECT_EQ(end.state, TrialEnd::State::kWrong);
  EXPECT_EQ(end.failure.kind(), "another signature");
}

}  // namespace
}  // namespace assay::kernel

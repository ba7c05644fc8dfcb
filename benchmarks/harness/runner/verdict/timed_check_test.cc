// With steps that return what a test says; runner/cheats has those of real programs.
#include "benchmarks/harness/runner/verdict/timed_check.h"

#include <ATen/core/Tensor.h>
#include <ATen/ops/mm.h>
#include <ATen/ops/ones.h>
#include <ATen/ops/tensor.h>

#include <cmath>
#include <cstdint>
#include <optional>
#include <utility>
#include <vector>

#include "benchmarks/harness/execution/timed_step.h"
#include "benchmarks/harness/numerics/output_stats.h"
#include "benchmarks/harness/programs/program_decorator.h"
#include "benchmarks/harness/programs/seeded_program.h"
#include "benchmarks/harness/runner/verdict/small_mlp.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"

namespace assay::runner {
namespace {

using testing::HasSubstr;

const std::vector<double> kKnown = {1, 2, 3, 4, 5, 6};

at::Tensor Right() { return at::tensor(kKnown, at::kFloat).view({2, 3}); }

// Returns `outputs` and computes a product of `multiplied` times 2 floating-point operations.
struct FakeStep : execution::TimedStep {
  execution::VerifiedResult CallVerified(execution::TensorsRef,
                                         const execution::VerifiedCalls& calls) override {
    if (calls.around) {
      calls.around([this] {
        if (multiplied > 0) at::mm(at::ones({1, multiplied}), at::ones({multiplied, 1}));
      });
    }
    return {.outputs = outputs};
  }
  execution::Program* CalledProgram() override { return program; }
  void Call() override {}

  std::vector<execution::VerifiedOutput> outputs = {{0, Right()}};
  int64_t multiplied = 0;
  execution::Program* program = nullptr;
};

TimedVerdict Judged(FakeStep& step, const TimedCheckOptions& options = {}) {
  const ResolvedCase c = SmallMlpCase();
  numerics::ReferenceOutput known;
  known.name = "probabilities";
  known.shape = {2, 3};
  known.values = kKnown;
  known.stats = numerics::StatsOf(kKnown);
  numerics::ReferenceOutputs reference;
  reference.outputs = {known};
  const Truth truth = Truth::Given(c, {}, reference);
  return CheckTimed(c, steps::kForward, step, truth, at::kCPU, options);
}

void ExpectFlagged(const TimedVerdict& timed, Outcome outcome, const char* text) {
  EXPECT_EQ(timed.check.status(), CHECK_FLAGGED);
  EXPECT_EQ(timed.outcome, outcome);
  EXPECT_THAT(timed.check.detail(), HasSubstr(text));
}

TEST(CheckTimed, HoldsEachOutputToItsReference) {
  FakeStep step;
  EXPECT_EQ(Judged(step).check.status(), CHECK_OK);
  step.outputs[0].tensor[1][2] = 7;
  ExpectFlagged(Judged(step), FAIL_ACCURACY, "worst  [1, 2]");
  step.outputs = {{0, Right()}, {3, Right()}};
  ExpectFlagged(Judged(step), FAIL_SHAPE, "is surplus: the program returned 2 outputs");
  step.outputs = {{3, Right()}};
  ExpectFlagged(Judged(step), FAIL_SHAPE, "a timed call does not compute probabilities");
  step.outputs.clear();
  ExpectFlagged(Judged(step), FAIL_SHAPE, "a timed call does not compute probabilities");
}

TEST(CheckTimed, WantsHalfOfTheVerifiedCallsOperationsInATimedCallAtLeast) {
  FakeStep step;
  TimedCheckOptions options = {.cost = costs::CallCost()};
  options.cost->flops_known = true;
  options.cost->figures.set_operators_per_call(1);
  options.cost->figures.set_flops_per_call(48);
  step.multiplied = 48;
  EXPECT_EQ(Judged(step, options).check.status(), CHECK_OK);
  step.multiplied = 49;
  ExpectFlagged(Judged(step, options), FAIL_ACCURACY,
                "a timed call ran 48 floating-point operations, the verified one 98");
  options.cost->flops_known = false;
  EXPECT_EQ(Judged(step, options).check.status(), CHECK_OK);
  options.cost->figures.set_operators_per_call(0);
  ExpectFlagged(Judged(step, options), FAIL_ACCURACY,
                "a timed call ran no operator, the verified one 3");
}

struct Drifting : execution::ProgramDecorator {
  using ProgramDecorator::ProgramDecorator;
  std::optional<double> Drift() const override { return drift; }
  std::optional<double> drift;
};

TEST(CheckWeights, AllowsAMillionthOfTheirNorm) {
  const ResolvedCase c = SmallMlpCase();
  const auto program = execution::SeededProgram(c, c.verified());
  ASSERT_TRUE(program.ok()) << program.status();
  Drifting drifting(**program);
  FakeStep step;
  EXPECT_FALSE(CheckWeights(step)) << "a copy has no program";
  step.program = &drifting;
  EXPECT_FALSE(CheckWeights(step)) << "a pure program keeps its weights";
  for (const auto& [drift, status] :
       {std::pair{1e-6, CHECK_OK}, {1.05e-6, CHECK_FLAGGED}, {NAN, CHECK_FLAGGED}}) {
    drifting.drift = drift;
    EXPECT_EQ(CheckWeights(step)->status(), status) << drift;
  }
}

}  // namespace
}  // namespace assay::runner

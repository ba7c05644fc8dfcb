#include "benchmarks/harness/execution/timed_step.h"

#include <ATen/TensorOperators.h>
#include <ATen/core/Tensor.h>
#include <ATen/ops/empty.h>
#include <ATen/ops/equal.h>
#include <ATen/ops/full.h>
#include <c10/core/GradMode.h>

#include <map>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "absl/status/status.h"
#include "benchmarks/harness/base/tensor_memory.h"
#include "benchmarks/harness/execution/program_cases.h"
#include "benchmarks/harness/execution/training_cases.h"
#include "benchmarks/harness/programs/program.h"
#include "benchmarks/harness/programs/training_program.h"
#include "defs/case/case_steps.h"
#include "defs/proto/suite.pb.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "models/layers/core/layered_model.h"
#include "models/layers/core/linear.h"
#include "models/layers/core/recipes.h"
#include "models/named_tensor.h"
#include "models/trainable.h"

namespace assay::execution {
namespace {

using testing::HasSubstr;

class TrainingStepTest : public testing::TestWithParam<Step> {};

TEST_P(TrainingStepTest, LeavesTheProgramAsItWasVerified) {
  const ResolvedCase c = TrainingCase();
  const auto program = Made(c);
  const Tensors before = Called({}, *program, Inputs(c));
  {
    Timed timed(GetParam(), c, *program, 2);
    ASSERT_TRUE(timed.ok()) << timed.status();
    const auto inputs = timed->InputDigest();
    for (int call = 0; call < 3; ++call) {
      if (timed->HasPreparation()) timed->Prepare();
      timed->Call();
    }
    EXPECT_EQ(timed->InputDigest(), inputs) << "what is declared to change is left out";
    EXPECT_EQ(timed->HasPreparation(), GetParam() == steps::kBackward);
  }
  const Tensors after = Called({}, *program, Inputs(c));
  for (int i = 0; i < kCount; ++i) EXPECT_TRUE(at::equal(before[i], after[i])) << i;
}

TEST_P(TrainingStepTest, ComputesWhatIsVerifiedWhenItIsAsked) {
  const ResolvedCase c = TrainingCase();
  const auto program = Made(c);
  const Tensors verified = Called({}, *program, Inputs(c));
  Timed timed(GetParam(), c, *program, 2);
  ASSERT_TRUE(timed.ok()) << timed.status();
  for (int call = 0; call < 3; ++call) {
    if (timed->HasPreparation()) timed->Prepare();
    timed->Call();
  }
  const std::map<Step, std::vector<size_t>> of_one_call = {
      {steps::kForward, {kLoss1, kOutputs1}},
      {steps::kBackward, {kGradients1, kNorms1}},
      {steps::kOptimizer, {kParameters1, kUpdateNorms1}},
      {steps::kTrainStep, {kParameters1, kUpdateNorms1}}};
  const std::vector<size_t> third = {kLoss3,     kLoss3 + 1,   kLoss3 + 2,
                                     kLoss3 + 3, kParameters3, kParameters3 + 1};
  const bool updates = GetParam() == steps::kOptimizer || GetParam() == steps::kTrainStep;
  for (const bool repeat : {true, false}) {
    int counted = 0;
    const VerifiedCalls calls = {.repeat = repeat, .around = [&](const auto& call) {
                                   ++counted;
                                   call();
                                 }};
    std::vector<size_t> found;
    for (const VerifiedOutput& output : timed->CallVerified(Inputs(c), calls).outputs) {
      found.push_back(output.place);
      EXPECT_TRUE(at::equal(output.tensor, verified[output.place])) << output.place;
    }
    EXPECT_EQ(found, repeat && updates ? third : of_one_call.at(GetParam()));
    EXPECT_EQ(counted, 1);
  }
}

TEST_P(TrainingStepTest, LeavesTheWeightsWhereTheyWere) {
  const ResolvedCase c = TrainingCase();
  const auto program = Made(c);
  EXPECT_FALSE(program->Drift().has_value()) << "nothing was called";
  Timed timed(GetParam(), c, *program, 2);
  ASSERT_TRUE(timed.ok()) << timed.status();
  for (int call = 0; call < 100; ++call) {
    if (timed->HasPreparation()) timed->Prepare();
    timed->Call();
  }
  ASSERT_TRUE(program->Drift().has_value());
  EXPECT_LT(*program->Drift(), 1e-8);
  const c10::NoGradGuard no_grad;
  for (const models::NamedTensor& entry : program->State()) entry.tensor.mul_(1.5);
  EXPECT_NEAR(*program->Drift(), 0.5, 1e-6);
}

TEST(TimedStep, NamesWeightsThatTheCpuComputesSlowly) {
  const ResolvedCase c = TrainingCase();
  for (const double factor : {1.0, 1e-39}) {
    const auto program = Made(c);
    {
      const c10::NoGradGuard no_grad;
      for (const models::NamedTensor& entry : program->State()) entry.tensor.mul_(factor);
    }
    Timed timed(steps::kForward, c, *program, 1);
    ASSERT_TRUE(timed.ok()) << timed.status();
    const std::string concern = timed->InputConcern().value_or("");
    if (factor == 1) {
      EXPECT_EQ(concern, "");
    } else {
      EXPECT_THAT(concern, testing::HasSubstr("% of the weights are subnormal"));
    }
  }
}

INSTANTIATE_TEST_SUITE_P(All, TrainingStepTest,
                         testing::Values(steps::kForward, steps::kBackward, steps::kOptimizer,
                                         steps::kTrainStep),
                         [](const auto& step) { return std::string(step.param); });

// Each forward pass in training leaves its rows for the next one.
class Queueing final : public models::LayeredModel, public models::Trainable {
 public:
  Queueing() { AddBuffer("queue", {4, 8}, models::WeightInit(8), queue_); }
  Tensors Forward(TensorsRef inputs) override {
    const at::Tensor y = dense_.Forward(inputs[0] + queue_.clone());
    if (training()) queue_.copy_(inputs[0]);
    return {y};
  }
  at::Tensor Loss(TensorsRef outputs, TensorsRef) override { return outputs[0].square().mean(); }
  bool Remembers() const override { return true; }

 private:
  at::Tensor queue_;
  models::Linear dense_{*this, "dense", {.in = 8, .out = 4}};
};

TEST(TimedStep, IsVerifiedInTheStateThatItsProgramBeginsWith) {
  ResolvedCase c = TrainingCase();
  c.mutable_benchmark_case()->mutable_training()->set_loss(OWN);
  c.mutable_implementation()->clear_targets();
  c.mutable_measured()->mutable_inputs()->RemoveLast();
  for (const Step step : {steps::kForward, steps::kBackward}) {
    auto model = std::make_unique<Queueing>();
    for (models::NamedTensor& entry : model->State()) entry.tensor.fill_(0.5);
    const auto program =
        TrainingProgram::Make(std::move(model), c.implementation(), c.benchmark_case());
    ASSERT_TRUE(program.ok()) << program.status();
    const Tensors verified = Called({}, **program, Inputs(c));
    Timed timed(step, c, **program, 2);
    ASSERT_TRUE(timed.ok()) << timed.status();
    if (timed->HasPreparation()) timed->Prepare();
    timed->Call();
    EXPECT_FALSE(timed->OutputDigest().has_value()) << "the next call's outputs are others";
    const std::vector<VerifiedOutput> outputs = timed->CallVerified(Inputs(c), {}).outputs;
    ASSERT_EQ(outputs.size(), 2u);
    for (const VerifiedOutput& output : outputs)
      EXPECT_TRUE(at::equal(output.tensor, verified[output.place])) << step << " " << output.place;
  }
}

TEST(TimedStep, HasNoDigestOfOutputsThatMayDifferFromCallToCall) {
  ResolvedCase c = AdderCase(2, 32);
  Nondeterminism& declared = *c.mutable_benchmark_case()->add_nondeterministic();
  declared.set_device(CPU);
  declared.set_reason("adds atomically");
  const auto program = Made(c);
  Timed forward(steps::kForward, c, *program, 2);
  ASSERT_TRUE(forward.ok()) << forward.status();
  forward->Call();
  EXPECT_FALSE(forward->OutputDigest().has_value());
  EXPECT_TRUE(forward->InputDigest().has_value());
}

TEST(TimedStep, ForwardDependsOnItsInputsAndOnNothingElse) {
  const ResolvedCase c = AdderCase(2, 32);
  const auto program = Made(c);
  Timed forward(steps::kForward, c, *program, 2);
  ASSERT_TRUE(forward.ok()) << forward.status();
  const auto inputs = forward->InputDigest();
  forward->Call();
  const auto first = forward->OutputDigest();
  forward->UseInputs(1);
  forward->Call();
  EXPECT_NE(forward->OutputDigest(), first);
  forward->UseInputs(0);
  forward->Call();
  EXPECT_EQ(forward->OutputDigest(), first);
  EXPECT_EQ(forward->InputDigest(), inputs);
  EXPECT_EQ(forward->InputBytes(), 2 * 32 * 4);
}

TEST(TimedStep, GivesTheResultOfOtherInputs) {
  const ResolvedCase c = TrainingCase();
  ResolvedCase evaluated = c;
  evaluated.mutable_benchmark_case()->set_mode(EVAL);
  evaluated.mutable_benchmark_case()->clear_training();
  evaluated.mutable_measured()->mutable_inputs()->RemoveLast();
  const auto program = Made(evaluated);
  const Tensors inputs = {at::full({4, 8}, 0.25f)};
  const Tensors want = Called({}, *program, inputs);
  Timed timed(steps::kForward, evaluated, *program, 3);
  ASSERT_TRUE(timed.ok()) << timed.status();
  timed->Call();
  const auto verified = timed->CallVerified(inputs, {}).outputs;
  ASSERT_EQ(verified.size(), 1u);
  EXPECT_EQ(verified[0].place, 0u);
  EXPECT_TRUE(at::equal(verified[0].tensor, want[0]));
}

TEST(TimedStep, ChangesItsInputsWithoutConvertingThem) {
  ResolvedCase c = AdderCase(2, 32);
  c.mutable_benchmark_case()->mutable_execution()->set_memory_format(CHANNELS_LAST);
  TensorSpec& input = *c.mutable_measured()->mutable_inputs(0);
  input.clear_shape();
  for (const int64_t size : {2, 4, 4, 32}) input.add_shape(size);
  const auto program = Made(c);
  Timed forward(steps::kForward, c, *program, 2);
  ASSERT_TRUE(forward.ok()) << forward.status();
  const base::TensorMemory memory;
  forward->UseInputs(1);
  EXPECT_EQ(memory.Counts().allocations, 0);
}

// Fails at the second Reset().
class Unresettable final : public Program {
 public:
  StateContract Contract() const override { return StateContract::kResettable; }
  std::vector<models::NamedTensor> State() override { return {}; }
  void To(at::Device, at::ScalarType) override {}
  Tensors Outputs(TensorsRef inputs) override { return inputs.vec(); }
  void Begin(Step, TensorsRef) override { Reset(); }
  Tensors Call(Step, TensorsRef) override { return {}; }
  void Reset() override {
    if (++resets_ > 1) at::empty({int64_t{1} << 58});
  }

 private:
  int resets_ = 0;
};

TEST(TimedStep, ThatCannotBeResetSaysSoToTheNextStepAndLivesOn) {
  const ResolvedCase c = AdderCase(2, 4);
  Unresettable program;
  { ASSERT_TRUE(Timed(steps::kForward, c, program, 1).ok()); }
  const absl::Status next = Timed(steps::kForward, c, program, 1).status();
  EXPECT_EQ(next.code(), absl::StatusCode::kResourceExhausted);
  EXPECT_THAT(next.message(), HasSubstr("preparing step forward"));
}

}  // namespace
}  // namespace assay::execution

// Tests what a training step shows, keeps and leaves: statistics, weights, what was computed.
#include <ATen/TensorOperators.h>
#include <ATen/core/Tensor.h>
#include <ATen/ops/allclose.h>
#include <ATen/ops/equal.h>
#include <ATen/ops/full.h>
#include <ATen/ops/ones.h>

#include <memory>
#include <utility>
#include <vector>

#include "benchmarks/harness/execution/program_cases.h"
#include "benchmarks/harness/execution/training_cases.h"
#include "benchmarks/harness/programs/program.h"
#include "benchmarks/harness/programs/seeded_program.h"
#include "benchmarks/harness/programs/training_program.h"
#include "defs/case/case_steps.h"
#include "defs/proto/suite.pb.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "models/layers/core/dropout.h"
#include "models/layers/core/embedding.h"
#include "models/layers/core/layered_model.h"
#include "models/layers/core/linear.h"
#include "models/named_tensor.h"

namespace assay::execution {
namespace {

using testing::ElementsAre;

class Dropping final : public models::LayeredModel {
 public:
  Tensors Forward(TensorsRef inputs) override {
    return {dropout_.Forward(dense_.Forward(inputs[0]))};
  }

 private:
  models::Linear dense_{*this, "dense", {.in = 8, .out = 4}};
  models::Dropout dropout_{*this, 0.5};
};

TEST(TrainingProgram, DropsOutWhileItIsTimedAndNotWhileItIsVerified) {
  ResolvedCase c = TrainingCase();
  c.mutable_benchmark_case()->mutable_training()->set_loss(SUM);
  c.mutable_implementation()->clear_targets();
  c.mutable_measured()->mutable_inputs()->RemoveLast();
  auto model = std::make_unique<Dropping>();
  model->SetTraining(true);
  for (models::NamedTensor& entry : model->State()) entry.tensor.fill_(1);
  const auto program =
      TrainingProgram::Make(std::move(model), c.implementation(), c.benchmark_case());
  ASSERT_TRUE(program.ok()) << program.status();
  const Tensors inputs = Inputs(c);
  const auto outputs = [&] {
    (*program)->Call(steps::kForward, inputs);
    return (*program)->Verified(steps::kForward, {}).at(1).tensor;
  };
  (*program)->Begin(steps::kForward, inputs);
  const at::Tensor timed = outputs();
  EXPECT_FALSE(at::equal(timed, outputs()));
  EXPECT_GT(timed.eq(0).sum().item<int64_t>(), 0);
  (*program)->BeginVerified(steps::kForward, inputs);
  const at::Tensor verified = outputs();
  EXPECT_TRUE(at::equal(verified, outputs()));
  EXPECT_EQ(verified.eq(0).sum().item<int64_t>(), 0);
  (*program)->Begin(steps::kForward, inputs);
  EXPECT_TRUE(at::equal((*program)->Outputs(inputs).at(1), verified)) << "after timed steps";
}

TEST(TrainingProgram, ShowsStatisticsBeforeTheUpdateAndZerosForWhatHasNoGradient) {
  ResolvedCase c = TrainingCase();
  c.mutable_benchmark_case()->mutable_training()->set_loss(MEAN);
  c.mutable_implementation()->clear_targets();
  c.mutable_implementation()->set_keeps_statistics(true);
  c.mutable_measured()->mutable_inputs()->RemoveLast();
  auto model = std::make_unique<Normalising>();
  model->SetTraining(true);
  for (models::NamedTensor& entry : model->State()) entry.tensor.fill_(1);
  const auto program =
      TrainingProgram::Make(std::move(model), c.implementation(), c.benchmark_case());
  ASSERT_TRUE(program.ok()) << program.status();
  const Tensors inputs = Inputs(c), verified = Called({}, **program, inputs);
  const auto places = [&](Step step) {
    (*program)->BeginVerified(step, inputs);
    (*program)->Prepare(step, inputs);
    std::vector<size_t> found;
    for (const VerifiedOutput& output :
         (*program)->Verified(step, (*program)->Call(step, inputs))) {
      found.push_back(output.place);
      EXPECT_TRUE(at::equal(output.tensor, verified.at(output.place))) << output.place;
    }
    return found;
  };
  // The loss, the outputs, gradients, their norms, statistics, parameters, norms of updates.
  EXPECT_THAT(places(steps::kBackward), ElementsAre(2, 3, 4));
  EXPECT_THAT(places(steps::kTrainStep), ElementsAre(5, 6));
  // After two forward passes the statistics are of neither the first nor the third step.
  (*program)->BeginVerified(steps::kBackward, inputs);
  for (int call = 0; call < 2; ++call) {
    (*program)->Prepare(steps::kBackward, inputs);
    (*program)->Call(steps::kBackward, inputs);
  }
  EXPECT_EQ((*program)->Verified(steps::kBackward, {}).size(), 2u);
  const at::Tensor& gradients = verified.at(2);
  EXPECT_TRUE(gradients.slice(0, gradients.numel() - (8 * 4 + 4)).eq(0).all().item<bool>());
  (*program)->Reset();
  ASSERT_TRUE(Move(**program, at::kCPU, FP64).ok());
  ASSERT_TRUE(Move(**program, at::kCPU, FP32).ok());
  const Tensors moved = Called({}, **program, inputs);
  for (size_t i = 0; i < verified.size(); ++i)
    EXPECT_TRUE(at::equal(moved.at(i), verified[i])) << "after moves: " << i;
}

// Has its weights as its output.
class Showing final : public models::LayeredModel {
 public:
  Tensors Forward(TensorsRef) override { return {table_.weight()}; }

 private:
  models::Embedding table_{*this, "table", {.rows = 8, .features = 4}};
};

TEST(TrainingProgram, OutputsStayAsTheyWereBeforeTheUpdate) {
  const ResolvedCase c = CaseWithLoss(SUM);
  const Tensors outputs = Called({}, *Trained<Showing>(c, 1, FP32), Inputs(c));
  EXPECT_TRUE(at::equal(outputs[kOutputs1], at::ones({8, 4})));
  EXPECT_TRUE(at::equal(outputs[kParameters1], at::full({32}, 0.5)));
  // With a momentum of 0.9, the second update is 1.9 times the first.
  EXPECT_TRUE(at::allclose(outputs[kLoss3 + 1], at::full({8, 4}, 0.5 - 0.5 * 1.9)));
}

TEST(TrainingProgram, DoesItsWorkInTheCallAndNotBeforeIt) {
  const ResolvedCase c = CaseWithLoss(SUM);
  const Tensors inputs = Inputs(c);
  const auto program = DenseProgram(c, 0.1, FP32);
  const auto has_gradients = [&] { return program->State()[0].tensor.grad().defined(); };
  Called({}, *program, inputs);
  program->Begin(steps::kForward, inputs);
  EXPECT_TRUE(program->Verified(steps::kForward, {}).empty());
  program->Begin(steps::kBackward, inputs);
  program->Prepare(steps::kBackward, inputs);
  EXPECT_FALSE(has_gradients());
  program->Call(steps::kBackward, inputs);
  EXPECT_TRUE(has_gradients());
  program->Begin(steps::kOptimizer, inputs);
  EXPECT_TRUE(has_gradients());
  EXPECT_TRUE(program->Kept().empty());
  program->Call(steps::kOptimizer, inputs);
  EXPECT_EQ(program->Kept().size(), 2u);
  program->Begin(steps::kTrainStep, inputs);
  EXPECT_FALSE(has_gradients());
  EXPECT_TRUE(program->Kept().empty());
  program->Call(steps::kTrainStep, inputs);
  EXPECT_TRUE(has_gradients());
  EXPECT_EQ(program->Kept().size(), 2u);
}

TEST(TrainingProgram, AMoveForgetsWhatWasComputed) {
  const ResolvedCase c = CaseWithLoss(SUM);
  const Tensors inputs = Inputs(c);
  const auto program = DenseProgram(c, 0.1, FP32);
  program->Begin(steps::kTrainStep, inputs);
  program->Call(steps::kTrainStep, inputs);
  ASSERT_TRUE(Move(*program, at::kCPU, BF16).ok());
  EXPECT_TRUE(program->Verified(steps::kForward, {}).empty());
  EXPECT_TRUE(program->Kept().empty());
  EXPECT_FALSE(program->Drift().has_value());
  const Tensors rounded = {inputs[0].to(at::kBFloat16)};
  program->Begin(steps::kTrainStep, rounded);
  program->Call(steps::kTrainStep, rounded);
  EXPECT_EQ(program->Drift(), 0) << "from the rounded weights";
}

// The steps that look for a scale change the statistics, too.
TEST(TrainingProgram, StatisticsAreThoseOfTheStepsAfterTheScaleWasFound) {
  ResolvedCase c = CaseWithLoss(MEAN);
  c.mutable_implementation()->set_keeps_statistics(true);
  const Tensors plain = Called({}, *Trained<Normalising>(c, 1, FP32), Inputs(c));
  c.mutable_benchmark_case()->mutable_execution()->set_grad_scaler(true);
  const Tensors scaled = Called({}, *Trained<Normalising>(c, 1, FP32), Inputs(c));
  ASSERT_EQ(plain.size(), scaled.size());
  for (size_t i = 0; i < plain.size(); ++i) EXPECT_TRUE(at::equal(plain[i], scaled[i])) << i;
}

TEST(TrainingProgram, BeginsWithTheWeightsThatItWasLastMovedWith) {
  const ResolvedCase c = TrainingCase();
  const auto program = Made(c);
  Called({}, *program, Inputs(c));
  ASSERT_TRUE(Move(*program, at::kCPU, BF16).ok());
  ASSERT_TRUE(Move(*program, at::kCPU, FP32).ok());
  const at::Tensor rounded = program->State()[0].tensor.detach().clone();
  Called({}, *program, Inputs(c));
  EXPECT_TRUE(at::equal(program->State()[0].tensor, rounded));
}

}  // namespace
}  // namespace assay::execution

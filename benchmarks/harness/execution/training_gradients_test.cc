// Tests losses, gradients and updates of training: sums, clipping, parts, scales.
#include <ATen/TensorOperators.h>
#include <ATen/core/Tensor.h>
#include <ATen/ops/allclose.h>
#include <ATen/ops/equal.h>
#include <ATen/ops/full.h>
#include <ATen/ops/stack.h>
#include <ATen/ops/zeros_like.h>

#include <algorithm>
#include <utility>
#include <vector>

#include "benchmarks/harness/execution/program_cases.h"
#include "benchmarks/harness/execution/training_cases.h"
#include "benchmarks/harness/programs/program.h"
#include "benchmarks/harness/programs/training_program.h"
#include "defs/case/case_steps.h"
#include "defs/proto/suite.pb.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "models/named_tensor.h"

namespace assay::execution {
namespace {

using testing::ElementsAre;

TEST(TrainingProgram, GradientsDoNotPileUp) {
  const ResolvedCase c = TrainingCase();
  const auto program = Made(c);
  Timed backward(steps::kBackward, c, *program, 1);
  ASSERT_TRUE(backward.ok()) << backward.status();
  backward->Prepare();
  backward->Call();
  const auto first = backward->OutputDigest();
  backward->Prepare();
  backward->Call();
  EXPECT_EQ(backward->OutputDigest(), first);
}

TEST(TrainingProgram, AStepInPartsIsTheSameStep) {
  for (const Loss loss : {OWN, SUM, MEAN}) {
    ResolvedCase c = TrainingCase();
    c.mutable_benchmark_case()->mutable_training()->set_loss(loss);
    if (loss != OWN) c.mutable_measured()->mutable_inputs()->RemoveLast();
    const Tensors whole = Called({}, *Made(c), Inputs(c));
    for (const int parts : {2, 4}) {  // of two rows, and of one
      c.mutable_benchmark_case()->mutable_execution()->set_accumulation(parts);
      const Tensors in_parts = Called(c.benchmark_case().execution(), *Made(c), Inputs(c));
      for (int i = 0; i < kCount; ++i)
        EXPECT_TRUE(at::allclose(whole[i], in_parts[i], 1e-4, 1e-6)) << loss << " " << i;
    }
  }
}

TEST(TrainingProgram, AScaledStepIsTheSameStep) {
  ResolvedCase c = TrainingCase();
  const Tensors plain = Called({}, *Made(c), Inputs(c));
  c.mutable_benchmark_case()->mutable_execution()->set_grad_scaler(true);
  const Tensors scaled = Called(c.benchmark_case().execution(), *Made(c), Inputs(c));
  for (int i = 0; i < kCount; ++i) EXPECT_TRUE(at::equal(plain[i], scaled[i])) << i;
}

TEST(TrainingProgram, ClipsTheGradientsThatItUpdatesBy) {
  ResolvedCase c = TrainingCase();
  const Tensors plain = Called({}, *Made(c), Inputs(c));
  const double norm = plain[kGradients1].norm().item<double>();
  c.mutable_benchmark_case()->mutable_training()->set_clip_norm(norm / 2);
  const Tensors clipped = Called({}, *Made(c), Inputs(c));
  EXPECT_TRUE(at::equal(plain[kGradients1], clipped[kGradients1]));
  EXPECT_TRUE(
      at::allclose(clipped[kUpdateNorms1], plain[kUpdateNorms1] * 0.5, /*rtol=*/1e-4, 1e-7));
}

// The length of each tensor of the state, from all of them joined.
at::Tensor Lengths(Program& program, const at::Tensor& joined) {
  Tensors lengths;
  int64_t begin = 0;
  for (const models::NamedTensor& entry : program.State()) {
    const int64_t numel = entry.tensor.numel();
    lengths.push_back(joined.narrow(0, begin, numel).square().sum().sqrt());
    begin += numel;
  }
  return at::stack(lengths);
}

TEST(TrainingProgram, NormsAreTheLengthsOfGradientsAndUpdates) {
  const ResolvedCase c = CaseWithLoss(MEAN);
  const auto program = DenseProgram(c, 0.1);
  const Tensors outputs = Called({}, *program, {Inputs(c)[0].to(at::kDouble)});
  const at::Tensor lengths = Lengths(*program, outputs[kGradients1]);
  EXPECT_TRUE(at::allclose(outputs[kNorms1], lengths, 1e-9, 0));
  // The first update is the gradient times the learning rate.
  EXPECT_TRUE(at::allclose(outputs[kUpdateNorms1], lengths * 0.5, 1e-9, 0));
}

// The gradient of a sum does not depend on the weights.
TEST(TrainingProgram, AStepHasNoGradientsOfTheStepBefore) {
  const ResolvedCase c = CaseWithLoss(SUM);
  const Tensors outputs = Called({}, *DenseProgram(c, 0.1, FP32), Inputs(c));
  EXPECT_TRUE(at::equal(outputs[kLoss3 + 2], outputs[kGradients1]));
}

// Momentum makes updates ten times as large as the gradient times the learning rate.
TEST(TrainingProgram, ManyTimedStepsMoveNoWeightWhoseGradientIsAThousand) {
  const ResolvedCase c = CaseWithLoss(SUM);
  const auto program = DenseProgram(c, 1, FP32);
  const Tensors inputs = {at::full({4, 8}, 1000 / 16.0)};
  program->Begin(steps::kTrainStep, inputs);
  for (int call = 0; call < 100; ++call) program->Call(steps::kTrainStep, inputs);
  const std::vector<models::NamedTensor> state = program->State();
  EXPECT_TRUE(at::equal(state[0].tensor.grad(), at::full({4, 8}, 1000.0F)));
  for (const models::NamedTensor& entry : state)
    EXPECT_TRUE(entry.tensor.eq(1).all().item<bool>()) << entry.name;
}

TEST(TrainingProgram, AMeanIsThatOfTheOutputsMeans) {
  const ResolvedCase c = CaseWithLoss(MEAN);
  const Tensors outputs = Called({}, *DenseProgram(c, 0.1, FP32), Inputs(c));
  EXPECT_NEAR(outputs[kLoss1].item<double>(), 2 * outputs[kOutputs1].mean().item<double>(), 1e-5);
}

TEST(TrainingProgram, CrossEntropyIsTheLogarithmOfTheTargetsShare) {
  ResolvedCase c = TrainingCase();
  c.mutable_benchmark_case()->mutable_training()->set_loss(CROSS_ENTROPY);
  const Tensors inputs = Inputs(c), outputs = Called({}, *Made(c), inputs);
  const at::Tensor& logits = outputs[kOutputs1];
  const at::Tensor target = inputs[1].view({4, 1});
  const at::Tensor want = (logits.exp().sum(1).log() - logits.gather(1, target).squeeze(1)).mean();
  EXPECT_NEAR(outputs[kLoss1].item<double>(), want.item<double>(), 1e-6);
}

// torch.nn.utils.clip_grad_norm_ multiplies by limit / (norm + 1e-6), and by 1 at most.
double ClipFactor(double limit, double norm) { return std::min(1.0, limit / (norm + 1e-6)); }

TEST(TrainingProgram, ClipsGradientsByPyTorchsFactor) {
  ResolvedCase c = CaseWithLoss(MEAN);
  const Tensors inputs = {Inputs(c)[0].to(at::kDouble)};
  const Tensors plain = Called({}, *DenseProgram(c, 0.1), inputs);
  const double norm = plain[kGradients1].norm().item<double>();
  for (const double limit : {norm / 2, norm * 1.5}) {
    c.mutable_benchmark_case()->mutable_training()->set_clip_norm(limit);
    const Tensors clipped = Called({}, *DenseProgram(c, 0.1), inputs);
    EXPECT_TRUE(at::allclose(clipped[kUpdateNorms1], plain[kUpdateNorms1] * ClipFactor(limit, norm),
                             1e-9, 1e-15))
        << limit;
  }
}

// Opacus' rule: each row's gradients are scaled by themselves; then they are averaged, or added where losses are.
TEST(TrainingProgram, ClipsTheGradientsOfEachRow) {
  for (const auto& [loss, divisor] : {std::pair(SUM, 1), std::pair(MEAN, 4)}) {
    ResolvedCase c = CaseWithLoss(loss);
    const at::Tensor x = Inputs(c)[0].to(at::kDouble);
    Tensors rows;
    std::vector<double> norms;
    for (int64_t row = 0; row < 4; ++row) {
      rows.push_back(Called({}, *DenseProgram(c, 0.1), {x.narrow(0, row, 1)})[kGradients1]);
      norms.push_back(rows.back().norm().item<double>());
    }
    const auto [least, most] = std::minmax_element(norms.begin(), norms.end());
    const double limit = (*least + *most) / 2;  // some rows are within it
    at::Tensor want = at::zeros_like(rows[0]);
    for (size_t row = 0; row < rows.size(); ++row)
      want += rows[row] * (ClipFactor(limit, norms[row]) / divisor);
    c.mutable_benchmark_case()->mutable_training()->set_row_clip_norm(limit);
    const at::Tensor got = Called({}, *DenseProgram(c, 0.1), {x})[kGradients1];
    EXPECT_TRUE(at::allclose(got, want, 1e-9, 1e-15)) << Loss_Name(loss);
  }
}

TEST(TrainingProgram, PartsShareAnInputThatHasNoRows) {
  ResolvedCase c = CaseWithLoss(MEAN);
  InputSpec& shared = *c.mutable_implementation()->add_inputs();
  shared.set_name("shared");
  shared.add_shape("in_features");
  const Tensors inputs = {Inputs(c)[0].to(at::kDouble), at::full({8}, 0.5, at::kDouble)};
  const Tensors whole = Called({}, *DenseProgram(c, 0.1), inputs);
  c.mutable_benchmark_case()->mutable_execution()->set_accumulation(2);
  const Tensors in_parts = Called(c.benchmark_case().execution(), *DenseProgram(c, 0.1), inputs);
  for (int i = 0; i < kCount; ++i)
    EXPECT_TRUE(at::allclose(whole[i], in_parts[i], 1e-9, 1e-12)) << i;
}

TEST(TrainingProgram, ATimedStepIsNotSkippedBecauseTheFirstScaleOverflows) {
  ResolvedCase c = CaseWithLoss(SUM);
  c.mutable_benchmark_case()->mutable_execution()->set_grad_scaler(true);
  const auto program = DenseProgram(c, 0, FP32);
  const Tensors inputs = {at::full({4, 8}, 1e34F)};
  program->Begin(steps::kTrainStep, inputs);
  program->Call(steps::kTrainStep, inputs);
  const Tensors momentum = program->Kept();
  ASSERT_EQ(momentum.size(), 2u);
  EXPECT_TRUE(at::allclose(momentum[0], at::full({4, 8}, 1.6e35F)));
  // A verified step is not skipped, either.
  const Tensors verified = Called(c.benchmark_case().execution(), *program, inputs);
  EXPECT_GT(verified[kUpdateNorms1].min().item<float>(), 0);
  program->BeginVerified(steps::kTrainStep, inputs);
  program->Prepare(steps::kTrainStep, inputs);
  const std::vector<VerifiedOutput> of_call =
      program->Verified(steps::kTrainStep, program->Call(steps::kTrainStep, inputs));
  ASSERT_EQ(of_call.size(), 2u);
  for (const VerifiedOutput& output : of_call)
    EXPECT_TRUE(at::equal(output.tensor, verified[output.place])) << output.place;
}

// Places that timed calls compute, each equal to the verified output.
std::vector<size_t> PlacesOfTimedCalls(const ResolvedCase& c, Step step) {
  const auto program = Made(c);
  const Tensors verified = Called(c.benchmark_case().execution(), *program, Inputs(c));
  Timed timed(step, c, *program, 2);
  EXPECT_TRUE(timed.ok()) << timed.status();
  std::vector<size_t> found;
  for (const VerifiedOutput& output : timed->CallVerified(Inputs(c), {}).outputs) {
    found.push_back(output.place);
    EXPECT_TRUE(at::equal(output.tensor, verified[output.place])) << step << " " << output.place;
  }
  return found;
}

TEST(TrainingProgram, TimedStepsAreTheVerifiedOnesWhereGradientsAreScaledOrClipped) {
  ResolvedCase c = TrainingCase();
  c.mutable_benchmark_case()->mutable_execution()->set_grad_scaler(true);
  for (const Step step : {steps::kOptimizer, steps::kTrainStep})
    EXPECT_EQ(PlacesOfTimedCalls(c, step).size(), kCount - kLoss3);
  c = TrainingCase();
  c.mutable_benchmark_case()->mutable_training()->set_clip_norm(1e-3);
  for (const Step step : {steps::kOptimizer, steps::kTrainStep}) {
    EXPECT_THAT(PlacesOfTimedCalls(c, step),
                ElementsAre(kLoss3, kLoss3 + 1, kParameters3, kParameters3 + 1));
  }
}

TEST(TrainingProgram, SumAndMeanOverTheOutputsNeedNoLossOfTheModel) {
  ResolvedCase c = TrainingCase();
  c.mutable_measured()->mutable_inputs()->RemoveLast();
  Training& training = *c.mutable_benchmark_case()->mutable_training();
  for (const auto& [loss, want] : {std::pair(SUM, 4.0), std::pair(MEAN, 0.25)}) {
    training.set_loss(loss);
    const Tensors outputs = Called({}, *Made(c), Inputs(c));
    EXPECT_NEAR(outputs[kLoss1].item<double>(), want, 1e-6) << "four rows of probabilities";
  }
}

}  // namespace
}  // namespace assay::execution

#include "benchmarks/harness/costs/memory_timeline.h"

#include <ATen/TensorOperators.h>
#include <ATen/ops/add.h>
#include <ATen/ops/empty.h>
#include <ATen/ops/l1_loss.h>
#include <ATen/ops/mul.h>
#include <ATen/ops/ones.h>
#include <ATen/ops/zeros_like.h>
#include <c10/core/GradMode.h>
#include <torch/csrc/autograd/autograd.h>

#include <cstdint>
#include <functional>
#include <string>
#include <utility>
#include <vector>

#include "benchmarks/harness/execution/eager_backend.h"
#include "defs/case/case_steps.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"

namespace assay::costs {
namespace {

using testing::ElementsAre;
using testing::IsEmpty;

constexpr int64_t kVector = 1024;  // bytes of 256 floats

// Its calls are a function.
class RecordedProgram : public execution::Program {
 public:
  using Call1 = std::function<execution::Tensors(const at::Tensor&)>;
  explicit RecordedProgram(Call1 call) : call_(std::move(call)) {}

  execution::StateContract Contract() const override { return execution::StateContract::kPure; }
  std::vector<models::NamedTensor> State() override {
    return {{.name = "w", .tensor = weight_, .trainable = true}};
  }
  void To(at::Device, at::ScalarType) override {}
  execution::Tensors Outputs(execution::TensorsRef inputs) override { return call_(inputs[0]); }
  execution::Tensors Call(execution::Step, execution::TensorsRef inputs) override {
    return call_(inputs[0]);
  }
  execution::Tensors Kept() const override {
    return kept_.defined() ? execution::Tensors{kept_} : execution::Tensors();
  }

 protected:
  const Call1 call_;
  at::Tensor weight_ = at::ones({256});
  at::Tensor kept_;
};

// One step of SGD with momentum on sum(x w w).
class RecordedTraining final : public RecordedProgram {
 public:
  RecordedTraining() : RecordedProgram(nullptr) { weight_.requires_grad_(true); }
  bool Differentiates() const override { return true; }
  execution::Tensors Call(execution::Step, execution::TensorsRef inputs) override {
    weight_.mutable_grad().reset();
    torch::autograd::backward({at::mul(at::mul(inputs[0], weight_), weight_).sum()});
    const c10::NoGradGuard no_grad;
    if (!kept_.defined()) kept_ = at::zeros_like(weight_);
    kept_.add_(weight_.grad());
    weight_.sub_(at::mul(kept_, 1e-3));
    return {};
  }
};

absl::StatusOr<MemoryTimeline> Recorded(execution::Program& program,
                                        execution::Step step = steps::kForward,
                                        Calls calls = Calls::kSteady) {
  const auto executable = execution::LoadEager({}, program);
  executable->SetInputs({at::ones({256})});
  StepSpec spec;
  spec.set_name(std::string(step));
  return RecordTimeline(*executable, spec, calls);
}

// Use and bytes of what the call allocates.
std::vector<std::pair<MemoryUse, int64_t>> Allocated(const MemoryTimeline& timeline) {
  std::vector<std::pair<MemoryUse, int64_t>> allocated;
  for (size_t i = timeline.before; i < timeline.blocks.size(); ++i)
    allocated.emplace_back(timeline.blocks[i].use, timeline.blocks[i].bytes);
  return allocated;
}

TEST(RecordTimeline, TellsWhatOperatorsHandOnFromWhatTheyNeedThemselves) {
  RecordedProgram program([](const at::Tensor& x) {
    return execution::Tensors{at::l1_loss(at::mul(x, x), x)};  // also allocates the differences
  });
  const absl::StatusOr<MemoryTimeline> timeline = Recorded(program);
  ASSERT_TRUE(timeline.ok()) << timeline.status();
  const std::vector<BytesByUse> over = AliveOver(*timeline);
  EXPECT_THAT(over.front(), ElementsAre(kVector, 0, 0, kVector, 0, 0, 0));
  EXPECT_THAT(over.back(), ElementsAre(kVector, 0, 0, kVector, 0, 4, 0)) << "the loss";
  ASSERT_GE(timeline->blocks.size(), timeline->before + 3);
  const MemoryBlock& product = timeline->blocks[timeline->before];
  EXPECT_EQ(product.use, MemoryUse::kActivations);
  EXPECT_EQ(product.bytes, kVector);
  EXPECT_EQ(product.allocated_by, "aten::mul");
  const MemoryBlock& differences = timeline->blocks[timeline->before + 1];
  EXPECT_EQ(differences.use, MemoryUse::kTemporaries);
  EXPECT_EQ(differences.allocated_by, "aten::l1_loss");
  EXPECT_GT(differences.running.size(), 1) << "the operators within it";
}

TEST(RecordTimeline, ATrainingStepShowsGradientsAndTheOptimizerApart) {
  RecordedTraining program;
  const absl::StatusOr<MemoryTimeline> timeline = Recorded(program, steps::kTrainStep);
  ASSERT_TRUE(timeline.ok()) << timeline.status();
  const std::vector<BytesByUse> over = AliveOver(*timeline);
  EXPECT_THAT(over.front(), ElementsAre(kVector, kVector, 0, kVector, kVector, 0, 0));
  EXPECT_EQ(over.front(), over.back()) << "a step leaves what it found";
  EXPECT_FALSE(timeline->changes.front().allocates) << "the last step's gradient is freed first";
  std::vector<std::string> gradients, activations;
  for (size_t i = timeline->before; i < timeline->blocks.size(); ++i) {
    const MemoryBlock& block = timeline->blocks[i];
    if (block.use == MemoryUse::kGradients) gradients.push_back(block.allocated_by);
    if (block.use == MemoryUse::kActivations && block.bytes == kVector)
      activations.push_back(block.allocated_by);
  }
  EXPECT_EQ(gradients.size(), 1);
  EXPECT_THAT(activations, ElementsAre("aten::mul", "aten::mul"));
  const MemoryBlock& last = timeline->blocks.back();
  EXPECT_EQ(last.use, MemoryUse::kTemporaries) << "the update's own product";
  EXPECT_EQ(last.allocated_by, "aten::mul");
}

TEST(RecordTimeline, TheFirstCallOfAnOptimizerMakesItsState) {
  RecordedTraining program;
  const auto timeline = Recorded(program, steps::kTrainStep, Calls::kOne);
  ASSERT_TRUE(timeline.ok()) << timeline.status();
  EXPECT_THAT(AliveOver(*timeline).front(), ElementsAre(kVector, 0, 0, kVector, 0, 0, 0));
  EXPECT_THAT(AliveOver(*timeline).back(),
              ElementsAre(kVector, kVector, 0, kVector, kVector, 0, 0));
}

TEST(RecordTimeline, AnOptimizersResultsAreNoActivations) {
  RecordedProgram program([](const at::Tensor& x) { return execution::Tensors{at::mul(x, x)}; });
  EXPECT_THAT(Allocated(*Recorded(program, steps::kOptimizer)),
              ElementsAre(std::pair(MemoryUse::kTemporaries, kVector)));
  EXPECT_THAT(Allocated(*Recorded(program, steps::kBackward)),
              ElementsAre(std::pair(MemoryUse::kGradients, kVector)))
      << "what backward returns";
}

class RecordedGeneration final : public RecordedProgram {
 public:
  RecordedGeneration()
      : RecordedProgram([](const at::Tensor& x) { return execution::Tensors{at::mul(x, x)}; }) {}
  void Begin(execution::Step, execution::TensorsRef) override { kept_ = at::ones({512}); }
};

TEST(RecordTimeline, WhatAGenerationKeepsIsItsCache) {
  RecordedGeneration program;
  const auto timeline = Recorded(program);
  ASSERT_TRUE(timeline.ok()) << timeline.status();
  EXPECT_THAT(AliveOver(*timeline).front(), ElementsAre(kVector, 0, 2 * kVector, kVector, 0, 0, 0));
}

TEST(RecordTimeline, SaysThatMemoryDoesNotSuffice) {
  RecordedProgram program(
      [](const at::Tensor&) { return execution::Tensors{at::empty({int64_t{1} << 58})}; });
  const absl::Status status = Recorded(program).status();
  EXPECT_EQ(status.code(), absl::StatusCode::kResourceExhausted) << status;
  EXPECT_THAT(status.message(), testing::HasSubstr("the memory of step forward"));
}

TEST(PeakOf, IsTheFirstOfTheHighestWithTheLargestBlockFirst) {
  MemoryTimeline timeline;
  for (const int64_t bytes : {10, 30, 20, 20}) timeline.blocks.push_back({.bytes = bytes});
  timeline.before = 1;
  timeline.changes = {{1, true}, {1, false}, {2, true}, {3, true}, {2, false}, {2, true}};
  const MemoryPeak peak = PeakOf(timeline);
  EXPECT_EQ(peak.after, 4);
  EXPECT_THAT(peak.blocks, ElementsAre(2, 3, 0));
  timeline.changes.clear();
  EXPECT_EQ(PeakOf(timeline).after, 0);
  EXPECT_THAT(PeakOf(timeline).blocks, ElementsAre(0));
  EXPECT_THAT(PeakOf({}).blocks, IsEmpty());
}

}  // namespace
}  // namespace assay::costs

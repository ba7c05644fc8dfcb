#include "benchmarks/harness/execution/phases.h"

#include <ATen/ops/allclose.h>

#include "benchmarks/harness/execution/seeded_model.h"
#include "gtest/gtest.h"

namespace assay::execution {
namespace {

// resnet18 on one small image.
ResolvedCase Case() {
  ResolvedCase c;
  c.mutable_implementation()->set_name("resnet");
  c.mutable_benchmark_case()->set_dtype(FP32);
  c.mutable_benchmark_case()->set_backend(EAGER);
  Workload& workload = *c.mutable_measured();
  workload.set_batch(2);
  auto& parameters = *workload.mutable_parameters();
  parameters["block"].set_text("basic");
  parameters["groups"].set_integer(1);
  parameters["width_per_group"].set_integer(64);
  parameters["num_classes"].set_integer(10);
  for (int depth : {1, 1, 1, 1}) parameters["layers"].mutable_integers()->add_values(depth);
  TensorSpec& input = *workload.add_inputs();
  input.set_name("input");
  input.mutable_distribution()->mutable_uniform();
  input.set_dtype(FP32);
  for (int64_t size : {2, 3, 32, 32}) input.add_shape(size);
  return c;
}

class PhasesTest : public testing::Test {
 protected:
  void SetUp() override {
    auto model = SeededModel(case_.implementation(), case_.measured(), 0);
    ASSERT_TRUE(model.ok()) << model.status();
    model_ = *std::move(model);
  }
  std::unique_ptr<sampling::Workload> Make(Phase phase, int sets = 1) {
    auto workload = MakePhase(phase, case_, *model_, at::kCPU, sets);
    EXPECT_TRUE(workload.ok()) << workload.status();
    return workload.ok() ? *std::move(workload) : nullptr;
  }

  const ResolvedCase case_ = Case();
  std::unique_ptr<models::Model> model_;
};

TEST_F(PhasesTest, ForwardDependsOnItsInputsAndOnNothingElse) {
  const auto forward = Make(Phase::kForward, 2);
  const uint64_t inputs = *forward->InputDigest();
  forward->Call();
  const uint64_t first = *forward->OutputDigest();
  forward->UseInputs(1);
  forward->Call();
  EXPECT_NE(*forward->OutputDigest(), first);
  forward->UseInputs(0);
  forward->Call();
  EXPECT_EQ(*forward->OutputDigest(), first);
  EXPECT_EQ(*forward->InputDigest(), inputs);
  EXPECT_EQ(forward->InputBytes(), 2 * 3 * 32 * 32 * 4);
}

TEST_F(PhasesTest, BackwardGivesEachTrainableTensorItsGradient) {
  const auto backward = Make(Phase::kBackward);
  ASSERT_TRUE(backward->HasPreparation());
  backward->Prepare();
  for (const models::NamedTensor& entry : model_->State())
    EXPECT_FALSE(entry.tensor.grad().defined()) << entry.name;
  backward->Call();
  for (const models::NamedTensor& entry : model_->State()) {
    EXPECT_EQ(entry.tensor.grad().defined(), entry.trainable) << entry.name;
  }
  const uint64_t first = *backward->OutputDigest();
  backward->Prepare();
  backward->Call();
  EXPECT_EQ(*backward->OutputDigest(), first) << "gradients do not pile up";
}

TEST_F(PhasesTest, OptimizerStepsAndKeepsTheWeights) {
  const auto optimizer = Make(Phase::kOptimizer);
  const at::Tensor weight = model_->State()[0].tensor.detach();
  const at::Tensor old = weight.clone();
  optimizer->Call();
  EXPECT_TRUE(at::allclose(weight, old, 1e-6, 1e-6));
  weight.zero_();  // beside a zero even the smallest step shows
  optimizer->Call();
  EXPECT_GT(weight.abs().max().item<float>(), 0) << "it wrote";
}

TEST_F(PhasesTest, CopiesNothingOnTheCpu) {
  for (Phase phase : {Phase::kHostToDevice, Phase::kDeviceToHost}) {
    const auto workload = MakePhase(phase, case_, *model_, at::kCPU, 1);
    EXPECT_EQ(workload.status().code(), absl::StatusCode::kFailedPrecondition);
  }
}

TEST(ParsePhase, ReadsWhatPhaseNameWrites) {
  for (const char* name : {"forward", "backward", "optimizer", "h2d", "d2h"}) {
    EXPECT_EQ(PhaseName(*ParsePhase(name)), name);
  }
  EXPECT_FALSE(ParsePhase("Forward").ok());
}

}  // namespace
}  // namespace assay::execution

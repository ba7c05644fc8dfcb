#include "benchmarks/harness/programs/training_program.h"

#include <ATen/TensorOperators.h>
#include <ATen/core/Tensor.h>
#include <ATen/ops/allclose.h>
#include <ATen/ops/concat.h>
#include <ATen/ops/embedding.h>
#include <ATen/ops/equal.h>
#include <ATen/ops/mm.h>
#include <ATen/ops/ones.h>
#include <ATen/ops/zeros.h>

#include <memory>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "absl/status/status.h"
#include "benchmarks/harness/execution/eager_backend.h"
#include "benchmarks/harness/execution/executable.h"
#include "benchmarks/harness/execution/program_cases.h"
#include "benchmarks/harness/execution/training_cases.h"
#include "benchmarks/harness/programs/program.h"
#include "benchmarks/harness/programs/seeded_program.h"
#include "defs/proto/suite.pb.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "models/layers/core/embedding.h"
#include "models/layers/core/layered_model.h"
#include "models/layers/core/linear.h"
#include "models/named_tensor.h"

namespace assay::execution {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;

TEST(TrainingProgram, IsTheSameEveryTime) {
  const ResolvedCase c = TrainingCase();
  const auto program = Made(c);
  const Tensors first = Called({}, *program, Inputs(c)), second = Called({}, *program, Inputs(c));
  ASSERT_EQ(first.size(), kCount);
  for (int i = 0; i < kCount; ++i) EXPECT_TRUE(at::equal(first[i], second[i])) << i;
  EXPECT_EQ(first[kLoss1].dim(), 0);
  EXPECT_LT(first[kLoss3].item<float>(), first[kLoss1].item<float>());
  EXPECT_EQ(first[kNorms1].numel(), 6);
}

TEST(TrainingProgram, LeavesOutWhatIsForTheLossAlone) {
  ResolvedCase c = TrainingCase();
  c.mutable_implementation()->clear_outputs();
  EXPECT_EQ(Called({}, *Made(c), Inputs(c)).size(), kCount - 2);
}

TEST(TrainingProgram, GivesNoMoreThanTheModelDoes) {
  ResolvedCase c = TrainingCase();
  c.mutable_implementation()->add_outputs()->set_name("another");
  EXPECT_EQ(Called({}, *Made(c), Inputs(c)).size(), kCount);
}

TEST(TrainingProgram, TakesAStepAlongTheGradient) {
  const ResolvedCase c = TrainingCase();
  const auto program = Made(c);
  std::vector<at::Tensor> flat;
  for (const models::NamedTensor& entry : program->State())
    flat.push_back(entry.tensor.flatten().clone());
  const at::Tensor before = at::concat(flat);
  const Tensors outputs = Called({}, *program, Inputs(c));
  const at::Tensor expected = before - outputs[kGradients1] * 0.5;
  EXPECT_TRUE(at::allclose(outputs[kParameters1], expected, 1e-6, 1e-6));
}

TEST(TrainingProgram, ShowsMomentumInTheThirdStepOnly) {
  const ResolvedCase c = TrainingCase(0.9), d = TrainingCase(0.909);
  const Tensors one = Called({}, *Made(c), Inputs(c)), other = Called({}, *Made(d), Inputs(d));
  for (int i = kLoss1; i <= kUpdateNorms1; ++i) EXPECT_TRUE(at::equal(one[i], other[i])) << i;
  const at::Tensor change =
      (one[kParameters3] - other[kParameters3]).abs().max() / one[kParameters3].std();
  EXPECT_GT(change.item<float>(), 1e-3);
}

TEST(TrainingProgram, TakesEveryOptimizerFromTheSameState) {
  ResolvedCase both = TrainingCase();
  Adam& adamw =
      *both.mutable_benchmark_case()->mutable_training()->add_optimizers()->mutable_adamw();
  adamw.set_learning_rate(0.01);
  adamw.set_beta1(0.9);
  adamw.set_beta2(0.999);
  adamw.set_epsilon(1e-8);
  ResolvedCase second = both;
  second.mutable_benchmark_case()->mutable_training()->mutable_optimizers()->DeleteSubrange(0, 1);
  const Tensors together = Called({}, *Made(both), Inputs(both)),
                alone = Called({}, *Made(second), Inputs(second));
  ASSERT_EQ(together.size(), 2 * kCount - kParameters1);
  for (int i = 0; i < kParameters1; ++i) EXPECT_TRUE(at::equal(together[i], alone[i])) << i;
  for (int i = kParameters1; i < kCount; ++i)
    EXPECT_TRUE(at::equal(together[kCount - kParameters1 + i], alone[i])) << i;
}

class SparselyLookedUp final : public models::LayeredModel {
 public:
  Tensors Forward(TensorsRef inputs) override {
    const at::Tensor rows = at::zeros({inputs[0].size(0)}, at::kLong);
    return {at::embedding(table_.weight(), rows, /*padding_idx=*/-1, /*scale_grad_by_freq=*/false,
                          /*sparse=*/true)};
  }

 private:
  models::Embedding table_{*this, "table", {.rows = 8, .features = 4}};
};

TEST(TrainingProgram, NamesTheParameterWhoseGradientIsSparse) {
  ResolvedCase c = TrainingCase();
  c.mutable_benchmark_case()->mutable_training()->set_loss(SUM);
  c.mutable_implementation()->clear_targets();
  c.mutable_measured()->mutable_inputs()->RemoveLast();
  auto model = std::make_unique<SparselyLookedUp>();
  model->SetTraining(true);
  model->State()[0].tensor.fill_(1);
  const auto program =
      TrainingProgram::Make(std::move(model), c.implementation(), c.benchmark_case());
  ASSERT_TRUE(program.ok()) << program.status();
  const absl::Status called = OutputsOf(*LoadEager({}, **program), Inputs(c)).status();
  EXPECT_THAT(called.message(), HasSubstr("parameter \"table.weight\" has a sparse gradient"));
}

TEST(TrainingProgram, EachMistakeChangesAnOutputInEachRunAlike) {
  ResolvedCase scaled = CaseWithLoss(SUM), clipped = CaseWithLoss(SUM);
  scaled.mutable_benchmark_case()->mutable_execution()->set_grad_scaler(true);
  Adam& adam =
      *scaled.mutable_benchmark_case()->mutable_training()->mutable_optimizers(0)->mutable_adam();
  adam.set_learning_rate(0.01);
  adam.set_beta1(0.9);
  adam.set_beta2(0.999);
  adam.set_epsilon(1e-8);
  clipped.mutable_benchmark_case()->mutable_training()->set_row_clip_norm(1e-3);
  const auto of_scaled = DenseProgram(scaled, 0.1, FP32),
             of_clipped = DenseProgram(clipped, 0.1, FP32);
  EXPECT_THAT(of_scaled->Mistakes(), ElementsAre("missing_gradient", "stale_gradient",
                                                 "bias_correction", "scaled_gradient"));
  EXPECT_THAT(of_clipped->Mistakes(),
              ElementsAre("missing_gradient", "stale_gradient", "unclipped_rows"));
  for (Program* program : {of_scaled.get(), of_clipped.get()}) {
    const Tensors inputs = Inputs(scaled), right = Called({}, *program, inputs);
    for (const std::string& mistake : program->Mistakes()) {
      program->MakeMistake(mistake);
      const Tensors wrong = Called({}, *program, inputs), again = Called({}, *program, inputs);
      int different = 0;
      for (int i = 0; i < kCount; ++i) {
        different += at::equal(wrong[i], right[i]) ? 0 : 1;
        EXPECT_TRUE(at::equal(wrong[i], again[i])) << mistake << " " << i;
      }
      EXPECT_GT(different, 0) << mistake;
    }
  }
}

TEST(TrainingProgram, AutocastRoundsForwardAndNotTheUpdate) {
  ResolvedCase c = TrainingCase();
  const Tensors plain = Called({}, *Made(c), Inputs(c));
  Execution execution;
  execution.set_autocast(BF16);
  const Tensors cast = Called(execution, *Made(c), Inputs(c));
  EXPECT_EQ(cast[kParameters1].scalar_type(), at::kFloat);
  EXPECT_FALSE(at::equal(plain[kGradients1], cast[kGradients1]));
  const at::Tensor difference = (plain[kGradients1] - cast[kGradients1]).norm();
  EXPECT_LT(difference.item<float>(), 0.05 * plain[kGradients1].norm().item<float>());
  // The casts of the weights are dropped with each update.
  const float learnt = (plain[kLoss1] - plain[kLoss3]).abs().item<float>();
  EXPECT_LT((plain[kLoss3] - cast[kLoss3]).abs().item<float>(), 0.1 * learnt);
}

// Notes the dtypes of products that are made in its forward and in its backward pass.
class Noting final : public models::LayeredModel {
 public:
  struct Seen {
    std::set<at::ScalarType> forward, backward;
  };
  explicit Noting(Seen& seen) : seen_(seen) {}

  Tensors Forward(TensorsRef inputs) override {
    const at::Tensor y = dense_.Forward(inputs[0]);
    seen_.forward.insert(y.scalar_type());
    y.register_hook([this](const at::Tensor&) {
      const at::Tensor one = at::ones({1, 1});
      seen_.backward.insert(at::mm(one, one).scalar_type());
    });
    return {y};
  }

 private:
  Seen& seen_;
  models::Linear dense_{*this, "dense", {.in = 8, .out = 4}};
};

TEST(TrainingProgram, AutocastIsOffInTheBackwardPass) {
  ResolvedCase c = TrainingCase();
  c.mutable_benchmark_case()->mutable_training()->set_loss(SUM);
  c.mutable_implementation()->clear_targets();
  c.mutable_measured()->mutable_inputs()->RemoveLast();
  Execution execution;
  execution.set_autocast(BF16);
  Noting::Seen seen;
  const auto program =
      TrainingProgram::Make(std::make_unique<Noting>(seen), c.implementation(), c.benchmark_case());
  ASSERT_TRUE(program.ok()) << program.status();
  for (models::NamedTensor& entry : (*program)->State()) entry.tensor.fill_(1);
  Called(execution, **program, Inputs(c));
  EXPECT_THAT(seen.forward, ElementsAre(at::kBFloat16));
  EXPECT_THAT(seen.backward, ElementsAre(at::kFloat));
}

TEST(TrainingProgram, NeedsALossAnOptimizerAndSomethingToTrain) {
  ResolvedCase c = TrainingCase();
  c.mutable_benchmark_case()->mutable_training()->clear_optimizers();
  EXPECT_THAT(NewProgram(c, c.measured()).status().message(), HasSubstr("names no optimizer"));
  c = AdderCase(2, 4);
  c.mutable_benchmark_case()->set_mode(TRAIN);
  c.mutable_benchmark_case()->mutable_training()->set_loss(OWN);
  EXPECT_THAT(NewProgram(c, c.measured()).status().message(), HasSubstr("has no loss"));
  c.mutable_benchmark_case()->mutable_training()->set_loss(MEAN);
  c.mutable_benchmark_case()->mutable_training()->add_optimizers()->mutable_sgd();
  EXPECT_TRUE(NewProgram(c, c.measured()).ok());
  c.mutable_implementation()->set_name("doubler");
  c.mutable_measured()->clear_parameters();
  EXPECT_THAT(NewProgram(c, c.measured()).status().message(), HasSubstr("no trainable tensor"));
}

}  // namespace
}  // namespace assay::execution

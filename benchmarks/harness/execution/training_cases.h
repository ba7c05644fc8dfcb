#ifndef ASSAY_BENCHMARKS_HARNESS_EXECUTION_TRAINING_CASES_H_
#define ASSAY_BENCHMARKS_HARNESS_EXECUTION_TRAINING_CASES_H_

// ---------------------------------------------------------------------------------------------
// training_cases.h: for tests of training, cases of small models, where their outputs stand, and a timed step on the eager back end.
//
// Example:
//   const Tensors outputs = Called({}, *Made(TrainingCase()), Inputs(TrainingCase()));
//   EXPECT_EQ(outputs[kNorms1].numel(), 6);
// ---------------------------------------------------------------------------------------------

#include <ATen/TensorOperators.h>
#include <ATen/core/Tensor.h>

#include <memory>
#include <utility>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "benchmarks/harness/execution/eager_backend.h"
#include "benchmarks/harness/execution/executable.h"
#include "benchmarks/harness/execution/program_cases.h"
#include "benchmarks/harness/execution/timed_step.h"
#include "benchmarks/harness/programs/program.h"
#include "benchmarks/harness/programs/seeded_program.h"
#include "benchmarks/harness/programs/training_program.h"
#include "defs/case/case_steps.h"
#include "defs/proto/suite.pb.h"
#include "gtest/gtest.h"
#include "models/layers/core/batch_norm2d.h"
#include "models/layers/core/layered_model.h"
#include "models/layers/core/linear.h"
#include "models/named_tensor.h"

namespace assay::execution {

// The suite's smallest model in training.
inline ResolvedCase TrainingCase(double momentum = 0.9) {
  ResolvedCase c = Parsed(R"pb(
    benchmark_case {
      model: "mlp"
      dtype: FP32
      mode: TRAIN
      training {
        optimizers { sgd { learning_rate: 0.5 } }
        loss: OWN
      }
    }
    implementation {
      name: "mlp"
      inputs { name: "input" shape: "batch" shape: "in_features" }
      outputs { name: "probabilities" shape: "batch" shape: "out_features" }
      targets { name: "labels" shape: "batch" }
    }
    measured {
      batch: 4
      parameters {
        key: "in_features"
        value { integer: 8 }
      }
      parameters {
        key: "hidden_features"
        value { integer: 16 }
      }
      parameters {
        key: "out_features"
        value { integer: 4 }
      }
      inputs {
        name: "input"
        dtype: FP32
        shape: [ 4, 8 ]
        distribution { uniform {} }
      }
      inputs {
        name: "labels"
        dtype: INT64
        shape: 4
        distribution { integers { limit: 4 } }
      }
    }
  )pb");
  c.mutable_benchmark_case()
      ->mutable_training()
      ->mutable_optimizers(0)
      ->mutable_sgd()
      ->set_momentum(momentum);
  return c;
}

// Positions in a training program's outputs.
enum Position {
  kLoss1,
  kOutputs1,
  kGradients1,
  kNorms1,
  kParameters1,
  kUpdateNorms1,
  kLoss3,
  kParameters3 = kLoss3 + 4,
  kCount = kParameters3 + 2
};

// A training case of a model that has no targets.
inline ResolvedCase CaseWithLoss(Loss loss) {
  ResolvedCase c = TrainingCase();
  c.mutable_benchmark_case()->mutable_training()->set_loss(loss);
  c.mutable_implementation()->clear_targets();
  c.mutable_measured()->mutable_inputs()->RemoveLast();
  return c;
}

// A linear layer of the sum of its inputs, and the same three times.
class Dense final : public models::LayeredModel {
 public:
  Tensors Forward(TensorsRef inputs) override {
    const at::Tensor y = dense_.Forward(inputs.size() > 1 ? inputs[0] + inputs[1] : inputs[0]);
    return {y, y.mul(3)};
  }

 private:
  models::Linear dense_{*this, "dense", {.in = 8, .out = 4}};
};

// Trains a model whose state has one value.
template <typename OfModel>
std::unique_ptr<Program> Trained(const ResolvedCase& c, double weight, Dtype dtype) {
  auto model = std::make_unique<OfModel>();
  for (models::NamedTensor& entry : model->State()) entry.tensor.fill_(weight);
  auto program = TrainingProgram::Make(std::move(model), c.implementation(), c.benchmark_case());
  EXPECT_TRUE(program.ok()) << program.status();
  EXPECT_TRUE(Move(**program, at::kCPU, dtype).ok());
  return *std::move(program);
}

inline std::unique_ptr<Program> DenseProgram(const ResolvedCase& c, double weight,
                                             Dtype dtype = FP64) {
  return Trained<Dense>(c, weight, dtype);
}

// A batch norm, whose statistics are outputs too, and a layer that the loss does not depend on.
class Normalising final : public models::LayeredModel {
 public:
  Tensors Forward(TensorsRef inputs) override {
    const at::Tensor& x = inputs[0];
    return {dense_.Forward(norm_.Forward(x.view({x.size(0), 8, 1, 1})).flatten(1))};
  }

 private:
  models::BatchNorm2d norm_{*this, "norm", {.channels = 8}};
  models::Linear dense_{*this, "dense", {.in = 8, .out = 4}};
  models::Linear unused_{*this, "unused", {.in = 8, .out = 4}};
};

// A timed step on eager, of a case that was changed after it was resolved.
struct Timed {
  Timed(Step step, ResolvedCase c, Program& program, int input_sets)
      : executable(LoadEager(c.benchmark_case().execution(), program)) {
    SetSteps(c);
    made = MakeTimedStep(step, c, *executable, at::kCPU, input_sets);
  }
  TimedStep* operator->() { return made->get(); }
  bool ok() const { return made.ok(); }
  absl::Status status() const { return made.status(); }

  std::unique_ptr<Executable> executable;
  absl::StatusOr<std::unique_ptr<TimedStep>> made;
};

}  // namespace assay::execution

#endif  // ASSAY_BENCHMARKS_HARNESS_EXECUTION_TRAINING_CASES_H_

#ifndef ASSAY_BENCHMARKS_HARNESS_EXECUTION_MODEL_PROGRAM_H_
#define ASSAY_BENCHMARKS_HARNESS_EXECUTION_MODEL_PROGRAM_H_

// ---------------------------------------------------------------------------------------------
// model_program.h: a model's forward pass as a program.
//
// Mistakes: "scaled_<block>" for the first, the middle and the last block of the model: all of its
// parameters times 1.01. A block is what lies under the nearest index above a layer of weights:
// layer2.0 of layer2.0.conv1.weight, encoder.layer.5 of encoder.layer.5.output.dense.weight; a layer
// without an index above it (conv1, features.3) is one itself. With it goes the normalisation that
// follows: what is in front of one can be scaled by anything.
//
// Not for: training (training_program.h).
//
// Example:
//   std::unique_ptr<Program> program = std::make_unique<ModelProgram>(std::move(model));
// ---------------------------------------------------------------------------------------------

#include <memory>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "benchmarks/harness/execution/program.h"
#include "models/model.h"

namespace assay::execution {

class ModelProgram final : public Program {
 public:
  // The model evaluates.
  explicit ModelProgram(std::unique_ptr<models::Model> model) : model_(std::move(model)) {}

  std::vector<Step> Steps() const override { return {Step::kForward}; }
  StateContract Contract() const override { return StateContract::kPure; }
  std::vector<models::NamedTensor> State() override { return model_->State(); }
  void To(at::Device device, at::ScalarType dtype) override { model_->To(device, dtype); }
  Tensors Outputs(TensorsRef inputs) override { return model_->Forward(inputs); }
  Tensors Call(Step, TensorsRef inputs) override { return model_->Forward(inputs); }
  std::vector<std::string> Mistakes() const override;
  void MakeMistake(std::string_view mistake) override;

 private:
  const std::unique_ptr<models::Model> model_;
};

}  // namespace assay::execution

#endif  // ASSAY_BENCHMARKS_HARNESS_EXECUTION_MODEL_PROGRAM_H_

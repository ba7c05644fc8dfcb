#ifndef ASSAY_BENCHMARKS_HARNESS_EXECUTION_MODEL_PROGRAM_H_
#define ASSAY_BENCHMARKS_HARNESS_EXECUTION_MODEL_PROGRAM_H_

// ---------------------------------------------------------------------------------------------
// model_program.h: a model's forward pass as a program.
//
// Not for: training (training_program.h).
//
// Example:
//   std::unique_ptr<Program> program = std::make_unique<ModelProgram>(std::move(model));
// ---------------------------------------------------------------------------------------------

#include <memory>
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

 private:
  const std::unique_ptr<models::Model> model_;
};

}  // namespace assay::execution

#endif  // ASSAY_BENCHMARKS_HARNESS_EXECUTION_MODEL_PROGRAM_H_

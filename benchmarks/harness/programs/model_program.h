#ifndef ASSAY_BENCHMARKS_HARNESS_PROGRAMS_MODEL_PROGRAM_H_
#define ASSAY_BENCHMARKS_HARNESS_PROGRAMS_MODEL_PROGRAM_H_

// ---------------------------------------------------------------------------------------------
// model_program.h: a model's forward pass as a program.
//
// Mistakes: "scaled_<block>" for the first, the middle and the last block of the model: half the rows
// of its matrices, and all of its vectors, times 1.01. A block is what lies under the nearest index above a layer of weights:
// layer2.0 of layer2.0.conv1.weight, encoder.layer.5 of encoder.layer.5.output.dense.weight; a
// layer without an index above it (conv1, features.3) is one itself. The normalisation that follows
// is scaled with it: a scale in front of a normalisation would have no effect. A model without weights
// has one mistake, "scaled_inputs": its inputs of real numbers times 1.01. In a model whose norms have
// no scale, half the columns of each kernel are scaled in place of half the rows.
//
// A classifier with an image preset also has the steps preprocess and postprocess (image_steps.h),
// each with the data that the same inputs give. A detector (models/detector.h) has postprocess.
//
// Not for: training (training_program.h).
//
// Example:
//   std::unique_ptr<Program> program =
//       std::make_unique<ModelProgram>(std::move(model), c.model().image_preset());
// ---------------------------------------------------------------------------------------------

#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "benchmarks/harness/programs/program.h"
#include "defs/case/case_steps.h"
#include "defs/case/lowerings.h"
#include "defs/proto/suite.pb.h"
#include "models/model.h"

namespace assay::execution {

class ModelProgram final : public Program {
 public:
  // The model is in evaluation mode. A `preset` without a crop means that there is none.
  explicit ModelProgram(std::unique_ptr<models::Model> model, ImagePreset preset = {})
      : model_(std::move(model)), preset_(std::move(preset)) {}

  StateContract Contract() const override { return StateContract::kPure; }
  std::vector<models::NamedTensor> State() override { return model_->State(); }
  void To(at::Device device, at::ScalarType dtype) override { model_->To(device, dtype); }
  absl::Status Lower(const Lowering& lowering) override;
  Tensors Outputs(TensorsRef inputs) override { return Call(steps::kForward, inputs); }
  void Prepare(Step step, TensorsRef inputs) override;
  Tensors Call(Step step, TensorsRef inputs) override;
  // A model in evaluation mode writes to nothing that it keeps.
  bool TakesCallsAtOnce() const override { return true; }
  bool VerifiesAsTimed(Step) const override { return true; }
  std::vector<VerifiedOutput> Verified(Step step, Tensors returned) override;
  // The mistakes of the model as it was before Lower(), since a mistake is made before that.
  std::vector<std::string> Mistakes() const override;
  void MakeMistake(std::string_view mistake) override;

 private:
  const std::unique_ptr<models::Model> model_;
  const ImagePreset preset_;
  at::Tensor prepared_;                               // photographs or logits
  Tensors outputs_;                                   // of a detector, for postprocess
  std::optional<std::vector<std::string>> mistakes_;  // kept when the model is lowered
  bool scales_inputs_ = false;                        // by mistake
};

}  // namespace assay::execution

#endif  // ASSAY_BENCHMARKS_HARNESS_PROGRAMS_MODEL_PROGRAM_H_

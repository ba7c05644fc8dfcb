#ifndef ASSAY_BENCHMARKS_HARNESS_EXECUTION_MODEL_WORKLOAD_H_
#define ASSAY_BENCHMARKS_HARNESS_EXECUTION_MODEL_WORKLOAD_H_

// ---------------------------------------------------------------------------------------------
// model_workload.h: a case's model as the sampling engine's workload, with further sets of seeded
// inputs, so that the engine can see that calls really compute.
//
// Not for: outputs that anybody reads (executable.h).
//
// Example:
//   auto workload = ModelWorkload::Make(c, *model, at::kCPU, /*input_sets=*/2);
//   sampling::Measure(device, sampling::Mode::kWall, **workload, {});
// ---------------------------------------------------------------------------------------------

#include <ATen/core/Tensor.h>

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "absl/status/statusor.h"
#include "benchmarks/harness/execution/executable.h"
#include "benchmarks/harness/sampling/workload.h"
#include "defs/suite.pb.h"
#include "models/model.h"

namespace assay::execution {

class ModelWorkload : public sampling::Workload {
 public:
  // Set 0 has the case's seed, as what was verified; set k has the seed + k. `model` is placed on
  // `device` in the case's dtype, and outlives the result. Errors of SeededInputs and Prepare.
  static absl::StatusOr<std::unique_ptr<ModelWorkload>> Make(const ResolvedCase& c,
                                                             models::Model& model,
                                                             at::Device device, int input_sets);

  // Lets c10::Error through.
  void Call() override;
  int InputSets() const override { return static_cast<int>(sets_.size()); }
  void UseInputs(int set) override { executable_->SetInputs(sets_.at(set)); }
  int64_t InputBytes() const override;
  std::optional<uint64_t> OutputDigest() override;
  // Of the inputs and of all state of the model.
  std::optional<uint64_t> InputDigest() override;
  std::optional<std::string> InputConcern() override;

 private:
  ModelWorkload(models::Model& model, std::vector<std::vector<at::Tensor>> sets,
                std::unique_ptr<Executable> executable);

  models::Model& model_;
  const std::vector<std::vector<at::Tensor>> sets_;
  const std::unique_ptr<Executable> executable_;
  std::vector<at::Tensor> outputs_;
  // Found once: each mode asks, and InputDigest tells where a call changed the inputs.
  std::optional<std::string> input_concern_;
};

}  // namespace assay::execution

#endif  // ASSAY_BENCHMARKS_HARNESS_EXECUTION_MODEL_WORKLOAD_H_

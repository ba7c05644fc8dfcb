#include "benchmarks/harness/execution/executable.h"

#include <c10/core/InferenceMode.h>

#include <utility>

#include "absl/strings/str_cat.h"
#include "benchmarks/harness/base/torch_status.h"

namespace assay::execution {
namespace {

class EagerExecutable : public Executable {
 public:
  EagerExecutable(models::Model& model, std::vector<at::Tensor> inputs)
      : model_(model), inputs_(std::move(inputs)) {}

  std::vector<at::Tensor> Call() override {
    c10::InferenceMode guard;  // no autograd bookkeeping, as torch.inference_mode() in Python
    return model_.Forward(inputs_);
  }
  void SetInputs(std::vector<at::Tensor> inputs) override { inputs_ = std::move(inputs); }

 private:
  models::Model& model_;
  std::vector<at::Tensor> inputs_;
};

}  // namespace

absl::StatusOr<std::unique_ptr<Executable>> Prepare(Backend backend, models::Model& model,
                                                    std::vector<at::Tensor> inputs) {
  if (backend == EAGER) return std::make_unique<EagerExecutable>(model, std::move(inputs));
  return absl::UnimplementedError(
      absl::StrCat("backend ", Backend_Name(backend), " is not built in; EAGER is"));
}

absl::StatusOr<std::vector<at::Tensor>> CallOnce(Executable& executable) {
  std::vector<at::Tensor> outputs;
  const absl::Status status =
      base::CatchTorch("running the model", [&] { outputs = executable.Call(); });
  if (!status.ok()) return status;
  return outputs;
}

}  // namespace assay::execution

// Back end torchscript: the program's forward pass, traced once for each shape of its inputs, or out
// of the file that --module names; run by TorchScript's interpreter, which fuses and, with
// --torchscript-freeze, folds constants (batch norms into convolutions).

#include <torch/csrc/jit/runtime/graph_executor.h>

#include <algorithm>
#include <filesystem>
#include <map>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "absl/flags/flag.h"
#include "absl/status/status.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_split.h"
#include "benchmarks/harness/base/torch_status.h"
#include "benchmarks/harness/execution/backend.h"
#include "benchmarks/harness/execution/eager_backend.h"
#include "benchmarks/harness/execution/traced_module.h"
#include "defs/case/case_steps.h"
#include "defs/case/execution_names.h"
#include "defs/case/written_inputs.h"

ABSL_FLAG(bool, torchscript_freeze, false,
          "with --backend=torchscript: weights become constants of the traced graph");
ABSL_FLAG(bool, torchscript_grad, false,
          "with --backend=torchscript and a file: calls record gradients, as a program without a "
          "guard does");
ABSL_FLAG(bool, torchscript_profiling, true,
          "with --backend=torchscript: TorchScript's profiling executor, which recompiles after "
          "the first calls");

namespace assay::backends {
namespace {

using execution::Backend;
using execution::BackendRequest;
using execution::Executable;
using execution::LaidOut;
using execution::Program;
using execution::Step;
using execution::Tensors;
using execution::TracedModule;

bool AreAlike(const at::Tensor& a, const at::Tensor& b) {
  return a.sizes() == b.sizes() && a.scalar_type() == b.scalar_type();
}

class TorchScriptExecutable final : public Executable {
 public:
  // `file`: what is called, whatever the shapes; without one the program is traced.
  TorchScriptExecutable(const Execution& execution, Program& program,
                        std::unique_ptr<TracedModule> file)
      : Executable(program), execution_(execution), file_(std::move(file)), current_(file_.get()) {
    if (file_ == nullptr) return;
    if (absl::GetFlag(FLAGS_torchscript_freeze)) file_->Freeze();
    if (absl::GetFlag(FLAGS_torchscript_grad)) file_->RecordGradients();
    if (execution_.memory_format() == CHANNELS_LAST) file_->LayOutChannelsLast();
  }

  void SetInputs(Tensors inputs) override {
    inputs = LaidOut(std::move(inputs), execution_.memory_format(), program());
    const bool same = current_ != nullptr && std::equal(inputs.begin(), inputs.end(),
                                                        inputs_.begin(), inputs_.end(), AreAlike);
    inputs_ = std::move(inputs);
    if (same || file_ != nullptr) return;  // sets of inputs change while calls are timed
    std::string shapes;
    for (const at::Tensor& input : inputs_)
      absl::StrAppend(&shapes, c10::str(input.sizes()), c10::str(input.scalar_type()));
    auto found = traced_.find(shapes);
    if (found == traced_.end()) {
      found = traced_.emplace(shapes, TracedModule(program(), inputs_, {})).first;
      if (absl::GetFlag(FLAGS_torchscript_freeze)) found->second.Freeze();
    }
    current_ = &found->second;
  }
  const Tensors& Inputs() const override { return inputs_; }
  Tensors Outputs() override {
    Prepare(steps::kForward);
    return Call(steps::kForward);
  }
  void Begin(Step) override {}
  void BeginVerified(Step) override {}
  // Restores a file whose calls change its own state.
  void Prepare(Step) override {
    if (file_ != nullptr) file_->Restore();
  }
  Tensors Call(Step) override { return current_->Call(inputs_); }
  int64_t Compilations() const override { return static_cast<int64_t>(traced_.size()); }

 private:
  const Execution execution_;
  Tensors inputs_;
  const std::unique_ptr<TracedModule> file_;
  std::map<std::string, TracedModule> traced_;  // by shapes and dtypes of the inputs
  TracedModule* current_ = nullptr;
};

class TorchScript final : public Backend {
 public:
  absl::Status Check(const BackendRequest& request, const Program& /*program*/) const override {
    return CheckBackend(request.c.benchmark_case());
  }

  absl::StatusOr<std::unique_ptr<Executable>> Load(const BackendRequest& request,
                                                   Program& program) const override {
    std::unique_ptr<TracedModule> file;
    torch::jit::getProfilingMode() = torch::jit::getExecutorMode() =
        absl::GetFlag(FLAGS_torchscript_profiling);
    if (const std::string& path = request.module_path; !path.empty()) {
      std::error_code error;
      if (!std::filesystem::is_regular_file(path, error))
        return absl::NotFoundError(absl::StrCat("--module=", path, ": no such file"));
      const absl::Status read = base::CatchTorch(absl::StrCat("loading ", path), [&] {
        file = std::make_unique<TracedModule>(TracedModule::Read(path));
        std::vector<std::string> names;
        for (const TensorSpec& input : request.c.measured().inputs()) names.push_back(input.name());
        file->Take(names);
        file->Keep(absl::StrSplit(WrittenState(request.c.measured()), ", ", absl::SkipEmpty()));
      });
      // If it cannot be loaded, the file is at fault.
      if (absl::IsInternal(read)) return absl::InvalidArgumentError(read.message());
      if (!read.ok()) return read;
    }
    return std::make_unique<TorchScriptExecutable>(request.c.benchmark_case().execution(), program,
                                                   std::move(file));
  }

  absl::StatusOr<std::string> Module(Program& program, const Tensors& inputs,
                                     const std::vector<std::string>& names) const override {
    return TracedModule(program, inputs, names).Bytes(/*with_inputs=*/true);
  }
};

[[maybe_unused]] const bool kRegistered =
    execution::RegisterBackend("torchscript", std::make_unique<TorchScript>());

}  // namespace
}  // namespace assay::backends

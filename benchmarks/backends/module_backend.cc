#include "benchmarks/backends/module_backend.h"

#include <c10/core/InferenceMode.h>
#include <c10/util/Exception.h>

#include <filesystem>
#include <functional>
#include <map>
#include <utility>
#include <vector>

#include "absl/strings/str_cat.h"
#include "absl/time/time.h"
#include "benchmarks/backends/module_file.h"
#include "benchmarks/harness/base/torch_status.h"
#include "benchmarks/harness/execution/backend.h"
#include "benchmarks/harness/execution/executable.h"
#include "benchmarks/harness/execution/traced_module.h"
#include "benchmarks/harness/programs/seeded_program.h"
#include "defs/case/case_steps.h"
#include "defs/case/execution_names.h"

namespace assay::backends {
namespace {

using execution::Backend;
using execution::BackendRequest;
using execution::Executable;
using execution::Program;
using execution::Step;
using execution::Tensors;

std::string Flag(const ModuleFormat& format) { return absl::StrCat("--backend=", format.backend); }

std::map<std::string, ModuleFormat, std::less<>>& Formats() {
  static auto& formats = *new std::map<std::string, ModuleFormat, std::less<>>;
  return formats;
}

class ModuleExecutable final : public Executable {
 public:
  // `path`: of --module; empty: files are made, or those of the case with that label fetched.
  ModuleExecutable(const ModuleFormat& format, std::string path, std::string label,
                   Program& program)
      : Executable(program), format_(format), path_(std::move(path)), label_(std::move(label)) {}

  // Loads the file for inputs like these, and makes it where it is not there.
  absl::Status LoadFor(const Tensors& inputs) { return Find(inputs).status(); }

  void SetInputs(Tensors inputs) override {
    for (at::Tensor& input : inputs) input = input.contiguous();
    const absl::StatusOr<LoadedModule*> found = Find(inputs);
    TORCH_CHECK(found.ok(), found.status().message());
    current_ = *found;
    inputs_ = std::move(inputs);
  }
  const Tensors& Inputs() const override { return inputs_; }
  Tensors Outputs() override { return Call(steps::kForward); }
  void Begin(Step) override {}
  void BeginVerified(Step) override {}
  void Prepare(Step) override {}
  Tensors Call(Step) override {
    const c10::InferenceMode no_autograd;
    return current_->Call(inputs_);
  }
  absl::Duration ExportTime() const override { return export_time_; }
  int64_t Compilations() const override { return static_cast<int64_t>(modules_.size()); }
  std::string Runtime() const override {
    return modules_.empty() ? "" : modules_.begin()->second->Runtime();
  }

 private:
  absl::StatusOr<LoadedModule*> Find(const Tensors& inputs) {
    const std::string forms = FormsText(inputs);
    const auto found = modules_.find(forms);
    if (found != modules_.end()) return found->second.get();
    std::string path = path_;
    if (path.empty()) {
      absl::StatusOr<KeptModule> made = MadeFor(inputs);
      if (!made.ok()) return made.status();
      export_time_ += made->export_time;
      path = std::move(made->path);
    }
    absl::StatusOr<std::unique_ptr<LoadedModule>> loaded = LoadModule(format_, path);
    if (!loaded.ok()) return loaded.status();
    const std::vector<TensorForm> declared = (*loaded)->Inputs();
    const std::string misfit = declared.empty() ? "" : Misfit(inputs, declared);
    if (!misfit.empty()) {
      return absl::InvalidArgumentError(absl::StrCat(
          path, " was exported for the inputs ", FormsText(declared), "; the case calls it with ",
          forms, ": ", misfit, "; without --module a file is made for each"));
    }
    return modules_.emplace(forms, *std::move(loaded)).first->second.get();
  }

  absl::StatusOr<KeptModule> MadeFor(const Tensors& inputs) {
    absl::StatusOr<KeptModule> made;
    const absl::Status traced = base::CatchTorch("tracing the forward pass", [&] {
      made = ModuleFile(execution::TracedModule(program(), inputs, {}),
                        {.format = format_.format,
                         .extension = format_.extension,
                         .inputs = FormsText(inputs),
                         .made_with = format_.made_with ? format_.made_with() : "",
                         .native = format_.made_with != nullptr,
                         .label = label_});
    });
    if (!traced.ok()) return traced;
    return made;
  }

  const ModuleFormat format_;
  const std::string path_;
  const std::string label_;
  Tensors inputs_;
  std::map<std::string, std::unique_ptr<LoadedModule>> modules_;  // by the forms of the inputs
  LoadedModule* current_ = nullptr;
  absl::Duration export_time_;
};

class ModuleBackend final : public Backend {
 public:
  explicit ModuleBackend(const ModuleFormat& format) : format_(format) {}

  absl::Status Check(const BackendRequest& request, const Program& /*program*/) const override {
    const BenchmarkCase& c = request.c.benchmark_case();
    const auto refused = [&](std::string_view why) {
      return absl::InvalidArgumentError(absl::StrCat(Flag(format_), ": ", why));
    };
    if (absl::Status status = CheckTraceable(c, Flag(format_)); !status.ok()) return status;
    if (request.device != at::kCPU) return refused("it computes on the CPU; give --device=cpu");
    if (c.execution().memory_format() == CHANNELS_LAST)
      return refused("a file fixes how tensors are laid out; leave --memory-format out");
    return format_.check ? format_.check(c) : absl::OkStatus();
  }

  std::vector<std::string> FilesBeside(const std::string& path) const override {
    return format_.files_beside ? format_.files_beside(path) : std::vector<std::string>();
  }

  absl::StatusOr<std::unique_ptr<Executable>> Load(const BackendRequest& request,
                                                   Program& program) const override {
    auto executable = std::make_unique<ModuleExecutable>(
        format_, request.module_path, request.c.benchmark_case().label(), program);
    if (!request.module_path.empty()) {
      std::error_code error;
      if (!std::filesystem::is_regular_file(request.module_path, error)) {
        return absl::NotFoundError(
            absl::StrCat("--module=", request.module_path,
                         ": no such file; tools/bazel run //tools:export_model ",
                         "-- --case=", request.c.benchmark_case().label(),
                         " --format=", format_.format, " --out=FILE makes one"));
      }
    }
    const BenchmarkCase& c = request.c.benchmark_case();
    for (const Workload* workload : request.workloads) {
      const absl::StatusOr<Tensors> inputs =
          execution::SeededInputs(*workload, c.dtype(), c.seed(), request.device);
      if (!inputs.ok()) return inputs.status();
      const absl::Status loaded = executable->LoadFor(*inputs);
      if (!loaded.ok()) return loaded;
    }
    return executable;
  }

 private:
  const ModuleFormat format_;
};

}  // namespace

absl::StatusOr<std::unique_ptr<LoadedModule>> LoadModule(const ModuleFormat& format,
                                                         const std::string& path) {
  absl::StatusOr<std::unique_ptr<LoadedModule>> loaded;
  const absl::Status caught =
      base::CatchTorch(absl::StrCat("loading ", path), [&] { loaded = format.load(path); });
  // If it cannot be loaded, the file is at fault.
  if (absl::IsInternal(caught)) return absl::InvalidArgumentError(caught.message());
  if (!caught.ok()) return caught;
  if (loaded.ok()) return loaded;
  return absl::Status(loaded.status().code(), absl::StrCat(path, ": ", loaded.status().message()));
}

const ModuleFormat* FindModuleFormat(std::string_view backend) {
  const auto found = Formats().find(backend);
  return found == Formats().end() ? nullptr : &found->second;
}

bool RegisterModuleBackend(const ModuleFormat& format) {
  Formats().emplace(format.backend, format);
  return execution::RegisterBackend(format.backend, std::make_unique<ModuleBackend>(format));
}

}  // namespace assay::backends

#include "tools/run_model/file_case.h"

#include <c10/core/InferenceMode.h>
#include <c10/util/Exception.h>
#include <google/protobuf/text_format.h>

#include <algorithm>
#include <filesystem>
#include <memory>
#include <string_view>
#include <utility>

#include "absl/status/status.h"
#include "absl/strings/ascii.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "benchmarks/backends/module_backend.h"
#include "benchmarks/backends/tensor_form.h"
#include "benchmarks/harness/base/dtype.h"
#include "benchmarks/harness/base/torch_status.h"
#include "benchmarks/harness/execution/seeded_program.h"
#include "benchmarks/harness/execution/traced_module.h"
#include "benchmarks/harness/runner/given/given_tensors.h"
#include "defs/case_steps.h"
#include "tools/run_model/input_specs.h"

namespace assay::run_model {
namespace {

using backends::LoadedModule;
using backends::TensorForm;
using execution::Tensors;

// VerifyParameters of the dtypes as text (//defs:tolerances.bzl).
constexpr std::pair<Dtype, std::string_view> kLimits[] = {
#include "tools/run_model/limits.inc"
};

// TorchScript says the names of its inputs, not what they are.
class Script final : public LoadedModule {
 public:
  explicit Script(const std::string& path) : module_(execution::TracedModule::Read(path)) {}
  std::vector<TensorForm> Inputs() const override { return {}; }
  std::vector<std::string> InputNames() const { return module_.InputNames(); }
  Tensors Call(const Tensors& inputs) override { return module_.Call(inputs); }

 private:
  execution::TracedModule module_;
};

// A file that has been loaded, and what it says of its inputs.
struct Opened {
  std::unique_ptr<LoadedModule> module;
  std::vector<TensorForm> inputs;  // empty: it says nothing
  bool names_alone = false;        // not their dtypes and shapes: TorchScript
};

absl::StatusOr<Opened> Open(const ModelFile& model) {
  Opened opened;
  if (const auto* format = backends::FindModuleFormat(model.kind.backend)) {
    absl::StatusOr<std::unique_ptr<LoadedModule>> loaded =
        backends::LoadModule(*format, model.path);
    if (!loaded.ok()) return loaded.status();
    opened.inputs = (*loaded)->Inputs();
    for (size_t i = 0; i < opened.inputs.size(); ++i) {
      if (opened.inputs[i].name.empty()) opened.inputs[i].name = absl::StrCat("input_", i);
    }
    opened.module = *std::move(loaded);
    return opened;
  }
  const absl::Status read = base::CatchTorch(absl::StrCat("loading ", model.path), [&] {
    auto script = std::make_unique<Script>(model.path);
    for (const std::string& name : script->InputNames()) opened.inputs.push_back({.name = name});
    opened.module = std::move(script);
  });
  if (!read.ok()) return absl::InvalidArgumentError(read.message());
  opened.names_alone = true;
  return opened;
}

std::vector<std::string> NamesOf(const std::vector<TensorForm>& forms) {
  std::vector<std::string> names;
  for (const TensorForm& form : forms) names.push_back(form.name);
  return names;
}

std::string Described(const Opened& opened) {
  if (opened.inputs.empty()) return "says nothing of its inputs";
  return absl::StrCat(
      "has the inputs ",
      opened.names_alone
          ? absl::StrJoin(NamesOf(opened.inputs), ", ")
          : absl::StrJoin(opened.inputs, ", ", [](std::string* out, const TensorForm& form) {
              absl::StrAppend(out, form.name, ":", backends::FormsText(form));
            }));
}

// The specs in the order of the file's inputs, with what the file declares for those that are
// missing. A file that says nothing of its inputs takes them as they come.
absl::StatusOr<std::vector<TensorSpec>> FromSpecs(const ModelFile& model, const Opened& opened) {
  if (opened.inputs.empty()) return model.specs;
  for (const TensorSpec& spec : model.specs) {
    if (std::any_of(opened.inputs.begin(), opened.inputs.end(),
                    [&](const TensorForm& form) { return form.name == spec.name(); }))
      continue;
    return absl::InvalidArgumentError(
        absl::StrCat("--input-spec=", spec.name(), ":…: the file ", Described(opened)));
  }
  std::vector<TensorSpec> ordered;
  size_t used = 0;
  for (const TensorForm& form : opened.inputs) {
    const auto found =
        std::find_if(model.specs.begin(), model.specs.end(),
                     [&](const TensorSpec& spec) { return spec.name() == form.name; });
    if (found != model.specs.end()) {
      ordered.push_back(*found);
      ++used;
      continue;
    }
    // Arguments at the end may have defaults; what is missing before them is found here.
    if (opened.names_alone && used == model.specs.size() && used > 0) break;
    if (opened.names_alone) {
      return absl::InvalidArgumentError(absl::StrCat(
          "TorchScript does not say what its inputs are; give --inputs=FILE, or "
          "--input-spec='",
          form.name, ":fp32[SIZES]' for each of ", absl::StrJoin(NamesOf(opened.inputs), ", ")));
    }
    absl::StatusOr<TensorSpec> declared = DeclaredInput(form);
    if (!declared.ok()) return declared.status();
    ordered.push_back(*std::move(declared));
  }
  if (used == model.specs.size()) return ordered;
  return absl::InvalidArgumentError("--input-spec: an input is named twice");
}

absl::StatusOr<std::vector<TensorSpec>> FromTensors(const ModelFile& model, const Opened& opened,
                                                    Tensors& given) {
  std::vector<std::string> names = NamesOf(opened.inputs);
  for (const TensorSpec& spec : model.specs) names.push_back(spec.name());
  if (!opened.inputs.empty() && !model.specs.empty())
    return absl::InvalidArgumentError("--input-spec: not with --inputs, which has shapes");
  if (names.empty()) {
    return absl::InvalidArgumentError(
        "--inputs: the file does not say what its inputs are called; give --input-spec, too, for "
        "each "
        "of them in their order");
  }
  absl::StatusOr<std::vector<at::Tensor>> tensors =
      runner::ReadGivenTensors(model.inputs, names, "input");
  if (!tensors.ok()) return tensors.status();
  std::vector<TensorSpec> specs;
  for (size_t i = 0; i < tensors->size(); ++i) {
    absl::StatusOr<TensorSpec> spec = InputLike(names[i], (*tensors)[i]);
    if (!spec.ok()) return spec.status();
    specs.push_back(*std::move(spec));
  }
  given = *std::move(tensors);
  return specs;
}

// Of the first input, else output, that holds floats.
template <typename Tensor>
Dtype FloatsOf(const google::protobuf::RepeatedPtrField<Tensor>& tensors) {
  for (const Tensor& tensor : tensors) {
    if (base::IsFloatingPoint(tensor.dtype())) return tensor.dtype();
  }
  return DTYPE_UNSPECIFIED;
}

// The first dimension that all inputs share, else 1.
int64_t BatchOf(const Workload& workload) {
  int64_t batch = 0;
  for (const TensorSpec& input : workload.inputs()) {
    const int64_t rows = input.shape_size() == 0 ? 1 : input.shape(0);
    if (batch != 0 && batch != rows) return 1;
    batch = rows;
  }
  return std::max<int64_t>(batch, 1);
}

std::string CaseName(const std::string& path) {
  std::string name = std::filesystem::path(path).stem().string();
  for (char& c : name) {
    if (!absl::ascii_isalnum(static_cast<unsigned char>(c))) c = '_';
  }
  return name.empty() ? "model" : name;
}

absl::Status AddOutputs(const LoadedModule& module, const Tensors& outputs, Workload& workload) {
  const std::vector<std::string> names = module.OutputNames();
  for (size_t i = 0; i < outputs.size(); ++i) {
    ExpectedOutput& output = *workload.add_outputs();
    output.set_name(i < names.size() ? names[i] : absl::StrCat("output_", i));
    output.set_dtype(base::FromScalarType(outputs[i].scalar_type()));
    if (output.dtype() == DTYPE_UNSPECIFIED) {
      return absl::InvalidArgumentError(
          absl::StrCat("output ", output.name(), " is ", backends::FormsText(outputs[i]),
                       ": a case's outputs are fp32, fp64, fp16, bf16, int64, int32 or bool"));
    }
    for (const int64_t size : outputs[i].sizes()) output.add_shape(size);
    if (!base::IsFloatingPoint(output.dtype())) output.set_rule(EXACT);
  }
  if (!outputs.empty()) return absl::OkStatus();
  return absl::InvalidArgumentError("a call of it returns no tensor");
}

absl::StatusOr<Tensors> CallOnce(const Opened& opened, const Workload& workload, Tensors inputs) {
  if (inputs.empty()) {
    absl::StatusOr<Tensors> seeded = execution::SeededInputs(workload, FP32, /*seed=*/0, at::kCPU);
    if (!seeded.ok()) return seeded.status();
    inputs = *std::move(seeded);
  }
  for (at::Tensor& input : inputs) input = input.contiguous();
  if (!opened.names_alone && !opened.inputs.empty() &&
      !backends::AreOfForms(inputs, opened.inputs)) {
    return absl::InvalidArgumentError(
        absl::StrCat("it cannot be called with ", backends::FormsText(inputs)));
  }
  Tensors outputs;
  const absl::Status called = base::CatchTorch("calling it once", [&] {
    const c10::InferenceMode no_autograd;
    outputs = opened.module->Call(inputs);
  });
  if (called.ok()) return outputs;
  if (absl::IsResourceExhausted(called)) return called;
  return absl::InvalidArgumentError(
      absl::StrCat(called.message(), "; its inputs were ", backends::FormsText(inputs)));
}

ResolvedCase CaseOf(const std::string& name, const FileKind& kind, const Workload& workload) {
  ResolvedCase c;
  BenchmarkCase& b = *c.mutable_benchmark_case();
  b.set_name(name);
  b.set_label("//tools:run_model");
  b.set_model(name);
  b.set_mode(EVAL);
  b.set_batch(workload.batch());
  b.mutable_execution()->set_backend(std::string(kind.backend));
  Dtype dtype = FloatsOf(workload.inputs());
  if (dtype == DTYPE_UNSPECIFIED) dtype = FloatsOf(workload.outputs());
  b.set_dtype(dtype == DTYPE_UNSPECIFIED ? FP32 : dtype);
  for (const auto& [of, text] : kLimits) {
    if (of == b.dtype())
      google::protobuf::TextFormat::ParseFromString(std::string(text), b.mutable_verify());
  }
  c.mutable_model()->set_name(name);
  c.mutable_implementation()->set_name("file");
  c.mutable_implementation()->set_description(absl::StrCat("A file: ", kind.name));
  for (Workload* each :
       {c.mutable_measured(), c.mutable_verified(), c.mutable_smoke(), c.mutable_referenced()})
    *each = workload;
  SetSteps(c);
  return c;
}

}  // namespace

absl::StatusOr<ResolvedCase> CaseOfFile(const ModelFile& model) {
  const absl::StatusOr<Opened> opened = Open(model);
  if (!opened.ok()) return opened.status();
  Tensors given;
  const absl::StatusOr<std::vector<TensorSpec>> specs =
      model.inputs.empty() ? FromSpecs(model, *opened) : FromTensors(model, *opened, given);
  if (!specs.ok()) return specs.status();
  Workload workload;
  workload.mutable_inputs()->Assign(specs->begin(), specs->end());
  workload.set_batch(BatchOf(workload));
  absl::StatusOr<Tensors> outputs = CallOnce(*opened, workload, std::move(given));
  if (!outputs.ok()) {
    return absl::Status(outputs.status().code(),
                        absl::StrCat(model.path, ": ", outputs.status().message(), "; the file ",
                                     Described(*opened)));
  }
  if (absl::Status added = AddOutputs(*opened->module, *outputs, workload); !added.ok())
    return absl::InvalidArgumentError(absl::StrCat(model.path, ": ", added.message()));
  return CaseOf(CaseName(model.path), model.kind, workload);
}

Tensors FileProgram::Outputs(execution::TensorsRef inputs) { return Call(steps::kForward, inputs); }

Tensors FileProgram::Call(execution::Step /*step*/, execution::TensorsRef /*inputs*/) {
  TORCH_CHECK(false, "a model that is a file has no eager execution");
}

std::vector<execution::VerifiedOutput> FileProgram::Verified(execution::Step step,
                                                             Tensors returned) {
  if (step != steps::kForward) return {};
  return execution::InPlaces(std::move(returned), 0);
}

}  // namespace assay::run_model

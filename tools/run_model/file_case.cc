#include "tools/run_model/file_case.h"

#include <c10/core/InferenceMode.h>
#include <c10/util/Exception.h>
#include <google/protobuf/text_format.h>

#include <algorithm>
#include <filesystem>
#include <iterator>
#include <map>
#include <memory>
#include <set>
#include <string_view>
#include <utility>

#include "absl/algorithm/container.h"
#include "absl/status/status.h"
#include "absl/strings/ascii.h"
#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "absl/strings/str_split.h"
#include "absl/strings/strip.h"
#include "benchmarks/backends/module_backend.h"
#include "benchmarks/backends/tensor_form.h"
#include "benchmarks/harness/base/dtype.h"
#include "benchmarks/harness/base/torch_status.h"
#include "benchmarks/harness/execution/traced_module.h"
#include "benchmarks/harness/numerics/fingerprint.h"
#include "benchmarks/harness/programs/seeded_program.h"
#include "benchmarks/harness/programs/timed_inputs.h"
#include "benchmarks/harness/runner/given/given_tensors.h"
#include "benchmarks/harness/tensor_files/numpy/npz.h"
#include "benchmarks/harness/tensor_files/safetensors_torch.h"
#include "defs/case/case_steps.h"
#include "defs/case/written_inputs.h"
#include "tools/run_model/input_specs.h"
#include "tools/run_model/missing_operator.h"

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
  std::vector<execution::ModuleArgument> Arguments() const { return module_.Arguments(); }
  void Take(const std::vector<std::string>& names) { module_.Take(names); }
  std::string SwitchedToEvaluation() const { return module_.SwitchedToEvaluation(); }
  std::string TrainingCall() const { return module_.TrainingCall(); }
  std::map<std::string, std::string> State() const { return module_.State(); }
  Tensors Call(const Tensors& inputs) override { return module_.Call(inputs); }

 private:
  execution::TracedModule module_;
};

// A file that has been loaded, and what it says of its inputs.
struct Opened {
  std::unique_ptr<LoadedModule> module;
  std::vector<TensorForm> inputs = {};  // empty: it says nothing
  Script* script = nullptr;             // the module, if it is TorchScript
  // Of TorchScript, which does not say dtypes and shapes: in the place of them.
  std::vector<execution::ModuleArgument> arguments = {};

  bool names_alone() const { return script != nullptr; }
};

absl::StatusOr<Opened> Open(const ModelFile& model) {
  Opened opened;
  if (const auto* format = backends::FindModuleFormat(model.kind.backend)) {
    absl::StatusOr<std::unique_ptr<LoadedModule>> loaded =
        backends::LoadModule(*format, model.path);
    if (!loaded.ok()) return OfMissingOperator(model.path, loaded.status());
    const absl::Status said = base::CatchTorch(absl::StrCat("reading the inputs of ", model.path),
                                               [&] { opened.inputs = (*loaded)->Inputs(); });
    if (!said.ok()) return absl::InvalidArgumentError(said.message());
    for (size_t i = 0; i < opened.inputs.size(); ++i) {
      if (opened.inputs[i].name.empty()) opened.inputs[i].name = absl::StrCat("input_", i);
    }
    opened.module = *std::move(loaded);
    return opened;
  }
  const absl::Status read = base::CatchTorch(absl::StrCat("loading ", model.path), [&] {
    auto script = std::make_unique<Script>(model.path);
    opened.arguments = script->Arguments();
    for (const execution::ModuleArgument& argument : opened.arguments)
      opened.inputs.push_back({.name = argument.name});
    opened.script = script.get();
    opened.module = std::move(script);
  });
  if (!read.ok()) return OfMissingOperator(model.path, absl::InvalidArgumentError(read.message()));
  if (const std::string call = opened.script->TrainingCall(); !call.empty()) {
    return absl::InvalidArgumentError(absl::StrCat(
        model.path, ": it was saved in training mode: its graph calls ", call,
        " as while training; call model.eval() before torch.jit.trace(), and save it again. If the "
        "model's own code asks for training there, change it"));
  }
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
      opened.names_alone()
          ? absl::StrJoin(NamesOf(opened.inputs), ", ")
          : absl::StrJoin(opened.inputs, ", ", [](std::string* out, const TensorForm& form) {
              absl::StrAppend(out, form.name, ":", backends::FormsText(form));
            }));
}

// InvalidArgument for an argument of a script that is neither a tensor nor a number.
absl::Status CannotBeGiven(const execution::ModuleArgument& argument) {
  return absl::InvalidArgumentError(
      absl::StrCat("the argument ", argument.name, " is of type ", argument.type,
                   argument.has_default ? "" : " and has no default",
                   ": it cannot be given here; script a module that gives it"));
}

// InvalidArgument for an argument of a script that is not given: how to give it.
absl::Status NotGiven(const execution::ModuleArgument& argument, const Opened& opened) {
  if (argument.takes_number) {
    return absl::InvalidArgumentError(
        absl::StrCat("the argument ", argument.name, " is of type ", argument.type,
                     " and has no default; give --inputs=FILE with all inputs, where ",
                     argument.name, " is a tensor without dimensions"));
  }
  if (argument.has_parts && !argument.takes_tensor) {
    return absl::InvalidArgumentError(
        absl::StrCat("the argument ", argument.name, " is of type ", argument.type,
                     ": give its tensors by dotted names, --input-spec='", argument.name,
                     ".0:fp32[SIZES]' for a tuple or a list and '", argument.name,
                     ".KEY:fp32[SIZES]' for a dict, or so in --inputs=FILE"));
  }
  if (!argument.takes_tensor) return CannotBeGiven(argument);
  std::vector<std::string> needed;
  for (const execution::ModuleArgument& other : opened.arguments) {
    if (other.takes_tensor && !other.has_default) needed.push_back(other.name);
  }
  return absl::InvalidArgumentError(
      absl::StrCat("TorchScript does not say what its inputs are; give --inputs=FILE, or "
                   "--input-spec='",
                   argument.name, ":fp32[SIZES]' for each of ", absl::StrJoin(needed, ", ")));
}

// For the message about a failed call: the arguments of a script that are numbers and were drawn.
std::string DrawnNumbers(const ModelFile& model, const Opened& opened) {
  std::string text;
  for (const execution::ModuleArgument& argument : opened.arguments) {
    const bool drawn =
        argument.takes_number && absl::c_any_of(model.specs, [&](const TensorSpec& spec) {
          return spec.name() == argument.name;
        });
    if (drawn) {
      absl::StrAppend(&text, "; ", argument.name, " is of type ", argument.type,
                      ", which --input-spec draws: --inputs=FILE gives its value");
    }
  }
  return text;
}

// The specs in the order of the file's inputs, with what the file declares for those that are
// missing. A file that says nothing of its inputs takes them as they come.
std::vector<std::string> NamesOf(const std::vector<TensorSpec>& specs) {
  std::vector<std::string> names;
  for (const TensorSpec& spec : specs) names.push_back(spec.name());
  return names;
}

// The specs of one argument of a script: its own, or those of its parts.
absl::StatusOr<std::vector<TensorSpec>> OfArgument(const ModelFile& model, const Opened& opened,
                                                   const execution::ModuleArgument& argument) {
  std::vector<TensorSpec> found;
  const std::vector<std::string> parts =
      execution::TracedModule::PartsOf(argument, NamesOf(model.specs));
  absl::c_copy_if(model.specs, std::back_inserter(found), [&](const TensorSpec& spec) {
    return absl::c_linear_search(parts, spec.name());
  });
  if (found.empty() && !argument.has_default) return NotGiven(argument, opened);
  const bool can = argument.takes_tensor || argument.takes_number || argument.has_parts;
  if (!found.empty() && !can) return CannotBeGiven(argument);
  return found;
}

// The one of this name, or what the file declares.
absl::StatusOr<std::vector<TensorSpec>> OfForm(const ModelFile& model, const TensorForm& form) {
  std::vector<TensorSpec> found;
  absl::c_copy_if(model.specs, std::back_inserter(found),
                  [&](const TensorSpec& spec) { return spec.name() == form.name; });
  if (!found.empty()) return found;
  absl::StatusOr<TensorSpec> declared = DeclaredInput(form);
  if (!declared.ok()) return declared.status();
  return std::vector<TensorSpec>{*std::move(declared)};
}

absl::StatusOr<std::vector<TensorSpec>> FromSpecs(const ModelFile& model, const Opened& opened) {
  if (opened.inputs.empty()) return model.specs;
  for (const TensorSpec& spec : model.specs) {
    const bool known =
        opened.names_alone()
            ? absl::c_any_of(
                  opened.arguments,
                  [&](const auto& argument) {
                    return !execution::TracedModule::PartsOf(argument, {spec.name()}).empty();
                  })
            : absl::c_linear_search(NamesOf(opened.inputs), spec.name());
    if (known) continue;
    return absl::InvalidArgumentError(
        absl::StrCat("--input-spec=", spec.name(), ":…: the file ", Described(opened)));
  }
  std::vector<TensorSpec> ordered;
  for (size_t i = 0; i < opened.inputs.size(); ++i) {
    const absl::StatusOr<std::vector<TensorSpec>> found =
        opened.names_alone() ? OfArgument(model, opened, opened.arguments[i])
                             : OfForm(model, opened.inputs[i]);
    if (!found.ok()) return found.status();
    ordered.insert(ordered.end(), found->begin(), found->end());
  }
  const std::vector<std::string> taken = NamesOf(ordered);
  if (std::set<std::string>(taken.begin(), taken.end()).size() == taken.size()) return ordered;
  return absl::InvalidArgumentError("--input-spec: an input is named twice");
}

// The names of a file's tensors; none of a folder, where they stand by their positions.
std::vector<std::string> NamesIn(const std::string& path) {
  std::vector<std::string> names;
  if (absl::EndsWith(path, ".npz")) {
    const auto files = tensor_files::ReadNpz(path);
    if (!files.ok()) return names;
    for (const tensor_files::NpyFile& file : *files) names.push_back(file.name);
    return names;
  }
  const auto tensors = tensor_files::ReadTensors(path);
  if (!tensors.ok()) return names;
  for (const tensor_files::StoredTensor& tensor : *tensors) names.push_back(tensor.name);
  return names;
}

// The inputs that the file of tensors gives: all, without arguments of a script that it lacks and
// that have defaults.
std::vector<std::string> GivenNames(const ModelFile& model, const Opened& opened) {
  const std::vector<std::string> given = NamesIn(model.inputs);
  if (given.empty() || !opened.names_alone()) return NamesOf(opened.inputs);
  std::vector<std::string> names;
  for (const execution::ModuleArgument& argument : opened.arguments) {
    const std::vector<std::string> parts = execution::TracedModule::PartsOf(argument, given);
    names.insert(names.end(), parts.begin(), parts.end());
    if (parts.empty() && !argument.has_default) names.push_back(argument.name);
  }
  return names;
}

absl::StatusOr<std::vector<TensorSpec>> FromTensors(const ModelFile& model, const Opened& opened,
                                                    Tensors& given) {
  std::vector<std::string> names = GivenNames(model, opened);
  for (const TensorSpec& spec : model.specs) names.push_back(spec.name());
  if (!opened.inputs.empty() && !model.specs.empty())
    return absl::InvalidArgumentError("--input-spec: not with --inputs, which has shapes");
  if (names.empty()) {
    return absl::InvalidArgumentError(
        "--inputs: the file does not say what its inputs are called; give --input-spec, too, for "
        "each "
        "of them in their order");
  }
  for (const execution::ModuleArgument& argument : opened.arguments) {
    const bool whole = argument.has_parts && !argument.takes_tensor && !argument.has_default;
    if (whole && absl::c_linear_search(names, argument.name)) {
      return absl::InvalidArgumentError(
          absl::StrCat(model.inputs, ": ", NotGiven(argument, opened).message(), "; it holds ",
                       absl::StrJoin(NamesIn(model.inputs), ", ")));
    }
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

// The dtype of the first tensor that holds floats.
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
      return absl::InvalidArgumentError(absl::StrCat(
          "output ", output.name(), " is ", backends::FormsText(outputs[i]),
          ": a case's outputs are fp32, fp64, fp16, bf16, int64, int32, int8, uint8 or bool"));
    }
    for (const int64_t size : outputs[i].sizes()) output.add_shape(size);
    if (!base::IsFloatingPoint(output.dtype())) output.set_rule(EXACT);
  }
  if (!outputs.empty()) return absl::OkStatus();
  return absl::InvalidArgumentError("a call of it returns no tensor");
}

std::vector<std::string> NamesOf(const Workload& workload) {
  std::vector<std::string> names;
  for (const TensorSpec& input : workload.inputs()) names.push_back(input.name());
  return names;
}

std::vector<uint64_t> DigestsOf(const Tensors& tensors) {
  std::vector<uint64_t> digests;
  for (const at::Tensor& tensor : tensors) digests.push_back(numerics::Fingerprint({tensor}));
  return digests;
}

// The inputs that a call has changed, by their names.
std::string Changed(const Workload& workload, const std::vector<uint64_t>& before,
                    const std::vector<uint64_t>& after) {
  std::vector<std::string> names;
  for (size_t i = 0; i < before.size(); ++i) {
    if (before[i] != after[i]) names.push_back(workload.inputs(static_cast<int>(i)).name());
  }
  return absl::StrJoin(names, ", ");
}

constexpr std::string_view kCallingOnce = "calling it once", kInputsWere = "; its inputs were ";

// The line of LibTorch's error that says most: the first one or, of TorchScript, which quotes the
// script first, the one behind that.
std::string MainLine(std::string_view message) {
  constexpr std::string_view kQuoted = "<--- HERE";
  constexpr size_t kMost = 300;
  if (const size_t quoted = message.rfind(kQuoted); quoted != std::string_view::npos) {
    message.remove_prefix(quoted + kQuoted.size());
    size_t line = message.find('\n');  // lines of the script are indented
    while (line != std::string_view::npos && message.substr(line + 1, 1) == " ")
      line = message.find('\n', line + 1);
    message.remove_prefix(std::min(line, message.size()));
  }
  message = absl::StripLeadingAsciiWhitespace(message);
  return std::string(message.substr(0, std::min(message.find('\n'), kMost)));
}

// InvalidArgument: the line that says most, what the inputs were, and behind them all that LibTorch says.
absl::Status FailedCall(std::string_view said, const Workload& workload, const Tensors& inputs) {
  absl::ConsumePrefix(&said, kCallingOnce);
  absl::ConsumePrefix(&said, ": ");
  const std::string main = MainLine(said);
  std::vector<std::string> forms;
  for (size_t i = 0; i < inputs.size(); ++i) {
    forms.push_back(absl::StrCat(workload.inputs(static_cast<int>(i)).name(), ":",
                                 backends::FormsText(inputs[i])));
  }
  const std::string_view whole = absl::StripAsciiWhitespace(said);
  return absl::InvalidArgumentError(absl::StrCat(kCallingOnce, ": ", main, kInputsWere,
                                                 absl::StrJoin(forms, ", "),
                                                 whole == main ? "" : absl::StrCat("\n", whole)));
}

// The attributes of a script that a call has changed.
std::string Changed(const std::map<std::string, std::string>& before,
                    const std::map<std::string, std::string>& after) {
  std::vector<std::string> names;
  for (const auto& [name, text] : after) {
    const auto found = before.find(name);
    if (found != before.end() && found->second != text) names.push_back(name);
  }
  return absl::StrJoin(names, ", ");
}

// Notes in the workload which inputs, and what of a script's own state, the call has written to.
absl::StatusOr<Tensors> CallOnce(const Opened& opened, Tensors inputs, Workload& workload) {
  if (inputs.empty()) {
    absl::StatusOr<Tensors> seeded = execution::SeededInputs(workload, FP32, /*seed=*/0, at::kCPU);
    if (!seeded.ok()) return seeded.status();
    inputs = *std::move(seeded);
  }
  for (at::Tensor& input : inputs) input = input.contiguous();
  if (!opened.names_alone() && !opened.inputs.empty()) {
    if (const std::string misfit = backends::Misfit(inputs, opened.inputs); !misfit.empty()) {
      return absl::InvalidArgumentError(
          absl::StrCat("it cannot be called with ", backends::FormsText(inputs), ": ", misfit));
    }
  }
  Tensors outputs;
  std::string written, changed;
  const absl::Status called = base::CatchTorch(kCallingOnce, [&] {
    const c10::InferenceMode no_autograd;
    std::map<std::string, std::string> state;
    if (opened.script != nullptr) {
      opened.script->Take(NamesOf(workload));
      state = opened.script->State();
    }
    const std::vector<uint64_t> before = DigestsOf(inputs);
    outputs = opened.module->Call(inputs);
    written = Changed(workload, before, DigestsOf(inputs));
    if (opened.script != nullptr) changed = Changed(state, opened.script->State());
  });
  if (!written.empty()) SetWrittenInputs(written, workload);
  if (!changed.empty()) SetWrittenState(changed, workload);
  if (called.ok()) return outputs;
  if (absl::IsResourceExhausted(called)) return called;
  return FailedCall(called.message(), workload, inputs);
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

// The reason why drawn inputs cannot stand for the given ones in timed calls; "" if they can.
std::string WhyFixed(const Opened& opened, const ResolvedCase& c, const Tensors& given,
                     const Tensors& outputs) {
  absl::StatusOr<Tensors> drawn;
  const absl::Status read = base::CatchTorch("drawing inputs", [&] {
    drawn = execution::TimedInputs(c.measured(), c.benchmark_case(), at::kCPU,
                                   execution::TimedAsGiven(given));
  });
  if (!read.ok() || !drawn.ok()) return "inputs like the given ones cannot be drawn";
  Workload workload = c.measured();
  const absl::StatusOr<Tensors> of_drawn = CallOnce(opened, *std::move(drawn), workload);
  if (!of_drawn.ok()) {
    std::string_view why = of_drawn.status().message();
    absl::ConsumePrefix(&why, absl::StrCat(kCallingOnce, ": "));
    return absl::StrCat("a call of drawn inputs fails: ", why.substr(0, why.find(kInputsWere)));
  }
  const bool alike =
      absl::c_equal(outputs, *of_drawn, [](const at::Tensor& a, const at::Tensor& b) {
        return a.sizes() == b.sizes() && a.scalar_type() == b.scalar_type();
      });
  return alike ? "" : "a call of drawn inputs gives outputs of other shapes";
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
  *workload.mutable_inputs() = {specs->begin(), specs->end()};
  workload.set_batch(BatchOf(workload));
  if (opened->names_alone() && !opened->script->SwitchedToEvaluation().empty())
    SetTrainingMode(opened->script->SwitchedToEvaluation(), workload);
  absl::StatusOr<Tensors> outputs = CallOnce(*opened, given, workload);
  if (!outputs.ok()) {
    if (!absl::IsInvalidArgument(outputs.status())) {
      return absl::Status(outputs.status().code(),
                          absl::StrCat(model.path, ": ", outputs.status().message()));
    }
    const std::pair<std::string_view, std::string_view> said =
        absl::StrSplit(outputs.status().message(), absl::MaxSplits('\n', 1));
    return absl::InvalidArgumentError(absl::StrCat(
        model.path, ": ", said.first, "; the file ", Described(*opened),
        DrawnNumbers(model, *opened),
        absl::StrContains(said.first, "CUDA")
            ? "; files run on the CPU here: write the model again without \"cuda\" in its code"
            : "; give inputs that it takes by --inputs=FILE or --input-spec",
        said.second.empty() ? "" : "\n", said.second));
  }
  if (absl::Status added = AddOutputs(*opened->module, *outputs, workload); !added.ok())
    return absl::InvalidArgumentError(absl::StrCat(model.path, ": ", added.message()));
  ResolvedCase c = CaseOf(CaseName(model.path), model.kind, workload);
  if (given.empty()) return c;
  if (const std::string reason = WhyFixed(*opened, c, given, *outputs); !reason.empty()) {
    for (Workload* each :
         {c.mutable_measured(), c.mutable_verified(), c.mutable_smoke(), c.mutable_referenced()})
      SetFixedInputs(reason, *each);
  }
  return c;
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

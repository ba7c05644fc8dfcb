// Measures and verifies a model that is a file, as a runner does a case.
#include <ATen/Context.h>
#include <unistd.h>

#include <cstdlib>
#include <iostream>
#include <memory>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "absl/flags/flag.h"
#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/ascii.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_format.h"
#include "absl/time/time.h"
#include "benchmarks/harness/base/flag_rules.h"
#include "benchmarks/harness/base/flags.h"
#include "benchmarks/harness/base/own_program.h"
#include "benchmarks/harness/base/torch_status.h"
#include "benchmarks/harness/base/working_folder.h"
#include "benchmarks/harness/configuration/case_flags.h"
#include "benchmarks/harness/execution/backend.h"
#include "benchmarks/harness/processes/child_process.h"
#include "benchmarks/harness/runner/benchmark_program.h"
#include "benchmarks/harness/runner/command_line.h"
#include "benchmarks/harness/runner/given/given_tensors.h"
#include "benchmarks/harness/runner/series/relaunch.h"
#include "benchmarks/harness/runner/settings.h"
#include "benchmarks/harness/runner/verdict/run_status.h"
#include "benchmarks/harness/text/byte_text.h"
#include "benchmarks/operators/kernel/loaded_operators.h"
#include "models/layers/detection/box_operators.h"
#include "tools/run_model/against.h"
#include "tools/run_model/file_case.h"
#include "tools/run_model/file_kind.h"
#include "tools/run_model/input_specs.h"

ABSL_FLAG(bool, flush_denormal, false, "numbers too small for a normal float are 0");

namespace assay::run_model {
namespace {

using configuration::ValueOf;

constexpr char kUsage[] =
    R"(Measures a model that is a file: TorchScript (.pt), torch.export (.pt2), AOTInductor (.pt2), ONNX (.onnx). The
file's content decides the format, and the format decides the back end. Outputs are compared with those of --reference; without it
nothing is verified, and the verdict says so.

  tools/bazel run //tools:run_model -- --model=model.pt2
  tools/bazel run //tools:run_model -- --model=model.pt --input-spec='ids:int64[1,128]<30522' --input-spec='mask:int64[1,128]'
  tools/bazel run //tools:run_model -- --model=model.onnx --inputs=inputs.safetensors --reference=outputs.safetensors

  --model=FILE      the model's file
  --input-spec=NAME:DTYPE[SIZES]   an input, filled with seeded numbers; with <LIMIT at the end, integers below LIMIT. Give
                    one for each input whose shape is not in the file: TorchScript has only names, ONNX may leave sizes open
  --inputs=FILE     in place of --input-spec: a tensor for each input, by its name. The verdict uses these tensors. For timed
                    calls each of them is replaced by a random tensor of the same shape and range. So a model that only
                    returns a cached result is noticed. Integers, booleans, and inputs with NaN or infinity are not
                    replaced. How to name inputs, and which may be missing: docs/backends.md
  --reference=FILE  the outputs of another implementation for these inputs, by name. Outputs of an ONNX file have names;
                    all others are output_0, output_1 and so on. Tensors in tuples, lists and dicts are counted in their order
  --export-inputs=FILE   writes the seeded inputs
  --load-library=FILE   a library that registers operators which the file calls (TORCH_LIBRARY); may be repeated
  --against=python  which is faster, Python or this program, and why? It runs the file in both, in turns. To find the cause of
                    a difference, it then changes one setting of this program at a time (threads, denormals, grad mode, ...)
                    and measures again (docs/backends.md). --python=FILE: a Python that has torch (default: python3, else a
                    pinned one); --pairs=N: processes of each kind (default 3)
  --flush-denormal  numbers too small for a normal float are 0
  --torchscript-grad   records gradients, like a program without NoGradGuard or InferenceMode;
                    --torchscript-profiling=false turns the profiling executor off
  --backend=NAME    only for a file that two back ends run: onnxruntime (default) or openvino for ONNX; aoti (default) or
                    exported for a .pt2 that holds both
  --trust           load a file that holds machine code (AOTInductor)

The flags below are those of a case; a file takes them, too. Other flags of a case, such as --batch, --vary, --weights,
--lowering, --autocast, --locate and --device=cuda, are refused with the reason.

)";

// The code of a child that describes a file; other endings mean that the file has ended it.
enum ChildCode { kDescribed = 0, kCannot = 2, kDoesNotFit = 3, kNobodyAsked = 4 };

struct Options {
  std::string model;
  std::vector<TensorSpec> specs;
  std::vector<std::string> libraries;
  AgainstOptions against;
  bool trust = false;
  bool describe = false;
};

base::FlagTable FlagsOf(Options& options) {
  base::FlagTable flags;
  flags["model"] = base::TextFlag(options.model);
  flags["trust"] = base::SwitchFlag(options.trust);
  flags["against"] = base::ChoiceFlag(options.against.against, {"python"});
  flags["python"] = base::TextFlag(options.against.python);
  flags["pairs"] = base::WholeNumberFlag(options.against.pairs, 1, 99);
  flags["describe"] = base::SwitchFlag(options.describe);
  flags["describe"].listed = false;
  flags["input_spec"] = {.set = [&options](const std::string& text) {
    absl::StatusOr<TensorSpec> spec = ParseInputSpec(text);
    if (spec.ok()) options.specs.push_back(*std::move(spec));
    return spec.status();
  }};
  flags["load_library"] = {.set = [&options](const std::string& file) {
    options.libraries.push_back(file);
    return absl::OkStatus();
  }};
  return flags;
}

// Flags of cases that a file leaves nothing to.
const std::vector<base::FlagRule>& RulesOfFiles() {
  const auto refused = [](std::vector<std::string> flags, std::string_view why) {
    return base::FlagRule{
        .flags = std::move(flags), .excludes = {"model"}, .why = absl::StrCat("not with $: ", why)};
  };
  static const auto& rules = *new std::vector<base::FlagRule>{
      refused({"batch", "dynamic-batch", "vary"},
              "the file's inputs have their own; give --input-spec"),
      refused({"weights"}, "the file has its own"),
      refused({"prompt-ids"}, "give --inputs"),
      refused({"module"}, "the file is --model"),
      refused({"lowering", "autocast"}, "the file says how it computes"),
      refused({"mistake"}, "it is made in a program of C++"),
      refused({"locate"}, "it is of programs of C++"),
      refused({"export-state", "export-reference", "export-module", "export-layers"},
              "the program is the file"),
      refused({"series"}, "it is of runners"),
      refused({"device=cuda"}, "files are run on the CPU"),
      refused({"action=smoke"}, "the file has one size"),
      refused({"check=mutants", "check=bitwise", "rule=dynamo_same*"},
              "it compares with an eager execution, which a file has not"),
      base::FlagRule{.flags = {"record", "plot", "peaks", "profile", "nsys", "ncu", "capture-trace",
                               "export-*", "save-outputs", "compare-outputs"},
                     .excludes = {"against"},
                     .why = "not with $, which prints a comparison and keeps nothing"},
      base::FlagRule{.flags = {"python"}, .needs = {"against"}}};
  return rules;
}

absl::Status CheckFlags(const runner::CommandLine& line, const AgainstOptions& options) {
  base::GivenFlags given = line.values;
  given["model"] = "given";
  if (!options.against.empty()) given["against"] = options.against;
  if (!options.python.empty()) given["python"] = options.python;
  return base::CheckFlagRules(RulesOfFiles(), given);
}

bool Answer(std::string_view text) {
  while (!text.empty()) {
    const ssize_t written = write(processes::kAnswer, text.data(), text.size());
    if (written < 0) return false;
    text.remove_prefix(static_cast<size_t>(written));
  }
  return true;
}

// Answers in a child that was started with --describe: the case, or why there is none. The model may
// print meanwhile.
[[noreturn]] void Describe(const ModelFile& model) {
  absl::StatusOr<ResolvedCase> c;
  const absl::Status caught =
      base::CatchTorch(absl::StrCat("reading ", model.path), [&] { c = CaseOfFile(model); });
  if (absl::IsInternal(caught)) c = absl::InvalidArgumentError(caught.message());
  if (c.ok() && !caught.ok()) c = caught;
  const bool told = Answer(c.ok() ? c->SerializeAsString() : std::string(c.status().message()));
  if (!told) std::_Exit(kNobodyAsked);
  std::_Exit(c.ok() ? kDescribed : absl::IsInvalidArgument(c.status()) ? kDoesNotFit : kCannot);
}

// Has a child load and call the file. What is wrong with it then ends the child, and the first call
// of this process is still its first.
// The time that it takes counts towards --timeout.
absl::StatusOr<ResolvedCase> Described(const ModelFile& model, const runner::CommandLine& line,
                                       runner::Settings& settings) {
  processes::ChildCommand command;
  command.arguments = {base::OwnProgram()};
  command.arguments.insert(command.arguments.end(), line.as_given.begin(), line.as_given.end());
  command.arguments.push_back("--describe");
  command.answers = true;
  command.keep_bytes = int64_t{64} << 20;
  if (settings.timeout > absl::ZeroDuration()) command.timeout = settings.timeout;
  const absl::StatusOr<processes::ChildEnd> end = processes::RunChild(command, nullptr);
  if (!end.ok()) return end.status();
  settings.spent = end->elapsed;
  if (end->ending == processes::Ending::kTimedOut) {
    return runner::Ended(TIMEOUT,
                         absl::StrCat(model.path, ": not loaded and called once within ",
                                      absl::FormatDuration(settings.timeout), " (--timeout)"));
  }
  if (end->Exited(kDoesNotFit)) {
    // Compiled code says there which size it wanted.
    const std::string said(absl::StripAsciiWhitespace(end->errors));
    return absl::InvalidArgumentError(absl::StrCat(end->answer, said.empty() ? "" : "\n", said));
  }
  if (end->Exited(kCannot)) return runner::Ended(ARTIFACT_UNAVAILABLE, end->answer);
  ResolvedCase c;
  if (end->Exited(kDescribed) && c.ParseFromString(end->answer)) return c;
  return runner::Ended(
      end->out_of_memory ? OUT_OF_MEMORY : CRASH,
      absl::StrCat(model.path, ": loading it and calling it once ended a process: ",
                   processes::Describe(*end), "\n", end->errors));
}

absl::StatusOr<FileKind> KindOfUsersFile(const Options& options, std::string_view backend) {
  absl::StatusOr<FileKind> kind = KindOf(options.model, backend);
  if (!kind.ok()) {
    if (runner::Unreadable(kind.status()))
      return runner::Ended(ARTIFACT_UNAVAILABLE, kind.status().message());
    return absl::InvalidArgumentError(
        absl::IsFailedPrecondition(kind.status())
            ? absl::StrCat(kind.status().message(), "; --model names one file")
            : std::string(kind.status().message()));
  }
  if (!kind->native || options.trust) return kind;
  return absl::InvalidArgumentError(absl::StrCat(options.model, " is ", kind->name, ": ",
                                                 kind->may_do,
                                                 "; add --trust if you know who made it"));
}

void Show(const ModelFile& model, const execution::Backend& backend,
          const std::vector<std::string>& libraries) {
  std::vector<std::string> others = backend.FilesBeside(model.path);
  others.insert(others.end(), libraries.begin(), libraries.end());
  const absl::StatusOr<GivenFile> identity = runner::IdentityOf(model.path, others);
  if (!identity.ok()) return;  // the run will say so
  const std::string more = others.empty()
                               ? ""
                               : absl::StrCat(" with ", others.size(),
                                              others.size() == 1 ? " other file" : " other files");
  std::cerr << absl::StrFormat("%-10s%s%s, %s, sha256 %s: %s; %s\n", "model", identity->name(),
                               more, base::ByteText(identity->size_bytes()),
                               identity->sha256().substr(0, 8), model.kind.name, model.kind.may_do);
}

absl::StatusOr<runner::OpenedCase> Open(const Options& options, const runner::CommandLine& line,
                                        runner::Settings& settings) {
  if (options.model.empty())
    return absl::InvalidArgumentError("--model=FILE: the file; see --help");
  absl::Status status = CheckFlags(line, options.against);
  if (status.ok()) status = base::EnterWorkingFolder();
  if (!status.ok()) return status;
  const absl::StatusOr<FileKind> kind = KindOfUsersFile(options, settings.call.backend);
  if (!kind.ok()) return kind.status();
  const ModelFile model = {.path = options.model,
                           .kind = *kind,
                           .specs = options.specs,
                           .inputs = settings.given.inputs};
  BenchmarkCase named;
  named.set_label("//tools:run_model");
  named.mutable_execution()->set_backend(std::string(kind->backend));
  const auto backend = execution::FindBackend(named.execution());
  if (!backend.ok()) {
    const absl::Status relaunched = runner::RelaunchWith(settings.serves, named, line.as_given);
    if (!relaunched.ok()) return relaunched;
    return absl::InvalidArgumentError(
        absl::StrCat(model.path, " is ", kind->name, ", and this program was built without ",
                     kind->backend, "; tools/bazel run //tools:run_model builds it with that"));
  }
  if (!options.against.against.empty()) {
    return AgainstPython(options.against, model.path, std::string(kind->backend), line.as_given);
  }
  if (absl::GetFlag(FLAGS_flush_denormal) && !at::globalContext().setFlushDenormal(true))
    return absl::InvalidArgumentError("--flush-denormal: this CPU cannot; leave it out");
  // Compiled code that does not say what it was compiled for then checks what it is given.
  if (kind->native) setenv("AOTI_RUNTIME_CHECK_INPUTS", "1", /*overwrite=*/1);
  for (const std::string& library : options.libraries) {
    const auto loaded = override::LoadOperators(library);
    if (!loaded.ok()) {
      return absl::InvalidArgumentError(
          absl::StrCat("--load-library=", library, ": ", loaded.status().message()));
    }
  }
  const std::vector<std::string> foreign = models::RegisterTorchvisionOperators();
  if (options.describe) Describe(model);
  for (const std::string& name : foreign)
    std::cerr << "assay: " << name << " is that of a library that was loaded before, not Assay's\n";
  Show(model, **backend, options.libraries);
  absl::StatusOr<ResolvedCase> c = Described(model, line, settings);
  if (!c.ok()) return c.status();
  settings.module_path = model.path;
  settings.module_libraries = options.libraries;
  settings.given.model = model.path;
  settings.given.reference = ValueOf(line.values, "reference");
  return runner::OpenedCase{.resolved = *std::move(c), .program = std::make_unique<FileProgram>()};
}

}  // namespace
}  // namespace assay::run_model

int main(int argc, char** argv) {
  assay::run_model::Options options;
  assay::runner::RunProgram(argc, argv,
                            {.flags = assay::run_model::FlagsOf(options),
                             .usage = assay::run_model::kUsage,
                             .refused = {"backend", "batch", "device", "steps", "weights"},
                             .open = [&options](const auto& line, auto& settings) {
                               return assay::run_model::Open(options, line, settings);
                             }});
}

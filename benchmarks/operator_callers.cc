// Says which models call an operator. Each model is built as small as its smoke test builds it, and its forward pass is called once,
// while LibTorch's dispatcher is watched. Not for: how often a case calls an operator, or for how long (--profile of that case).
#include <ATen/Parallel.h>
#include <ATen/core/dispatch/Dispatcher.h>
#include <ATen/core/operator_name.h>
#include <ATen/record_function.h>

#include <fstream>
#include <iostream>
#include <map>
#include <memory>
#include <regex>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_format.h"
#include "absl/strings/str_join.h"
#include "benchmarks/harness/base/exit_code.h"
#include "benchmarks/harness/base/flags.h"
#include "benchmarks/harness/costs/operator_watch.h"
#include "benchmarks/harness/execution/eager_backend.h"
#include "benchmarks/harness/execution/executable.h"
#include "benchmarks/harness/processes/program_main.h"
#include "benchmarks/harness/programs/seeded_program.h"
#include "benchmarks/harness/text/nearest_names.h"
#include "defs/case/program_kinds.h"
#include "defs/compiler/case_registry.h"
#include "defs/proto/suite.pb.h"

namespace assay {
namespace {

constexpr char kUsage[] =
    "Says which models call an operator in their forward pass.\n\n"
    "  tools/bazel run //benchmarks:callers -- aten::_softmax\n"
    "  tools/bazel run //benchmarks:callers -- softmax.int --filter='bert|gpt2'\n\n"
    "  OPERATOR        its name. Without the part behind the dot all its overloads are meant, "
    "without aten:: ATen's operator\n"
    "  --filter=REGEX  only models that have a case whose label matches somewhere\n\n"
    "An operator that is called by another operator counts, too. Each model is called in float32 "
    "on the CPU, and is built small, as\n"
    "in its smoke test. The operators' own cases are in docs/data/operators.md.\n\n"
    "exit code  0 listed; 2 a model could not be called; 3 wrong arguments\n";

using Names = std::set<std::string, std::less<>>;

// The operators that are called while a watch exists.
Names* called = nullptr;

std::unique_ptr<at::ObserverContext> NoteOperator(const at::RecordFunction& function) {
  if (const auto name = function.operator_name()) called->insert(c10::toString(*name));
  return nullptr;
}

// Whether `name`, "aten::softmax.int", is the operator or one of its overloads.
bool Is(std::string_view name, std::string_view wanted) {
  return name == wanted || name.substr(0, name.find('.')) == wanted;
}

absl::Status CheckExists(const std::string& wanted) {
  Names names;
  for (const c10::OperatorName& name : c10::Dispatcher::singleton().getAllOpNames()) {
    if (Is(c10::toString(name), wanted)) return absl::OkStatus();
    names.insert(name.name);
  }
  const std::vector<std::string> all(names.begin(), names.end());
  return absl::InvalidArgumentError(
      absl::StrCat("there is no operator '", wanted, "'; the nearest names are ",
                   absl::StrJoin(base::NearestNames(wanted, all), ", ")));
}

absl::StatusOr<Names> CalledBy(const ResolvedCase& c) {
  const auto program = execution::SeededProgram(c, c.smoke());
  if (!program.ok()) return program.status();
  const absl::StatusOr<execution::Tensors> inputs =
      execution::SeededInputs(c.smoke(), FP32, c.benchmark_case().seed(), at::kCPU);
  if (!inputs.ok()) return inputs.status();
  const auto executable = execution::LoadEager(c.benchmark_case().execution(), **program);
  Names names;
  called = &names;
  const costs::OperatorWatch watch{at::RecordFunctionCallback(NoteOperator)};
  const auto outputs = execution::OutputsOf(*executable, *inputs);
  if (!outputs.ok()) return outputs.status();
  return names;
}

bool IsPlain(const BenchmarkCase& c) {
  return KindOf(c).names_model && KindOf(c).calls_forward_alone && c.dtype() == FP32 &&
         c.execution().lowering().empty();
}

absl::StatusOr<int> List(const Registry& registry, const std::string& wanted,
                         const std::regex& filter) {
  std::map<std::string, ResolvedCase> of_models;
  for (const ResolvedCase& c : registry.cases()) {
    const BenchmarkCase& b = c.benchmark_case();
    if (IsPlain(b) && std::regex_search(b.label(), filter)) of_models.emplace(b.model(), c);
  }
  int callers = 0, failed = 0;
  for (auto& [model, c] : of_models) {
    if (!JoinCase(registry, &c)) return absl::UnavailableError("the registry is cut off");
    const absl::StatusOr<Names> names = CalledBy(c);
    if (!names.ok()) {
      ++failed;
      std::cerr << model << ": " << names.status().message() << "\n";
      continue;
    }
    std::vector<std::string> found;
    for (const std::string& name : *names) {
      if (Is(name, wanted)) found.push_back(name);
    }
    if (found.empty()) continue;
    ++callers;
    absl::PrintF("%-48s %s\n", model, absl::StrJoin(found, " "));
  }
  absl::PrintF("%d of %d models call %s", callers, of_models.size() - failed, wanted);
  std::cout << (callers == 0
                    ? "\n"
                    : "; to list the cases of a model: tools/bazel run //tools:run_suite -- -k "
                      "'^MODEL$' --list\n");
  return failed == 0 ? base::kRight : base::kSurroundings;
}

absl::StatusOr<int> Main(const std::vector<std::string>& words) {
  std::string registry_path, filter, wanted;
  bool help = false;
  base::Flag registry_flag = base::TextFlag(registry_path);
  registry_flag.listed = false;
  base::Flag operator_name = base::TextFlag(wanted);
  operator_name.set = [&wanted](const std::string& value) {
    if (!wanted.empty()) return absl::InvalidArgumentError("give one operator");
    wanted = value;
    return absl::OkStatus();
  };
  const absl::Status parsed = base::ParseFlags({{"", operator_name},
                                                {"registry", registry_flag},
                                                {"filter", base::RegexFlag(filter)},
                                                {"help", base::SwitchFlag(help)}},
                                               words);
  if (!parsed.ok()) return parsed;
  if (help) return processes::Print(kUsage);
  if (wanted.empty()) {
    return absl::InvalidArgumentError(
        "which operator? For example: tools/bazel run //benchmarks:callers -- aten::_softmax");
  }
  if (!absl::StrContains(wanted, "::")) wanted = "aten::" + wanted;
  if (const absl::Status known = CheckExists(wanted); !known.ok()) return known;
  Registry registry;
  std::ifstream file(registry_path, std::ios::binary);
  if (!file || !registry.ParseFromIstream(&file)) {
    return absl::UnavailableError(
        absl::StrCat("cannot read the registry '", registry_path,
                     "'; start it with: tools/bazel run //benchmarks:callers"));
  }
  at::set_num_threads(1);
  return List(registry, wanted, std::regex(filter));
}

}  // namespace
}  // namespace assay

int main(int argc, char** argv) {
  return assay::processes::ProgramMain(
      argc, argv, {.name = "callers", .run = assay::Main, .leaves_at_once = true});
}

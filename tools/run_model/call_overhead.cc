// The time that the harness adds to a call of a compiled model: the same file by LibTorch's own loader and as
// the timed loop calls it (timed_step.h), in one process and one thread, in blocks that take turns.
// Without the clock around each sample, which a record's null_ns has. It runs the file's code.
//
//   tools/bazel run //tools:export_model -- --case=//benchmarks/mlp:mlp_fp32_b1 --format=aoti --out=/tmp/mlp.pt2
//   tools/bazel run //tools/run_model:call_overhead -- /tmp/mlp.pt2      TorchScript's .pt, too, where that names shapes

#include <ATen/Parallel.h>
#include <c10/core/InferenceMode.h>
#include <torch/csrc/inductor/aoti_package/model_package_loader.h>
#include <torch/csrc/jit/api/module.h>
#include <torch/csrc/jit/serialization/import.h>

#include <algorithm>
#include <chrono>
#include <functional>
#include <iostream>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "absl/status/status.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_format.h"
#include "benchmarks/harness/execution/backend.h"
#include "benchmarks/harness/execution/timed_step.h"
#include "benchmarks/harness/processes/program_main.h"
#include "benchmarks/harness/statistics/describe/quantile.h"
#include "benchmarks/harness/statistics/intervals/median_interval.h"
#include "defs/case/case_steps.h"
#include "tools/run_model/file_case.h"
#include "tools/run_model/file_kind.h"
#include "tools/run_model/input_specs.h"

namespace assay::run_model {
namespace {

constexpr int kPairs = 10000;
constexpr int kWarm = 200;  // pairs that are thrown away
constexpr int kCalls = 5;   // of a block

// A call as a program without this harness makes it: autograd is off for all of them.
absl::StatusOr<std::function<void()>> RawCall(const FileKind& kind, const std::string& path,
                                              const execution::Tensors& inputs) {
  if (kind.backend == "aoti") {
    const auto loader = std::make_shared<torch::inductor::AOTIModelPackageLoader>(path);
    return [=] { loader->run(inputs); };
  }
  if (kind.backend == "torchscript") {
    auto module = torch::jit::load(path, at::kCPU);
    module.eval();
    return [=]() mutable { module.forward({inputs.begin(), inputs.end()}); };
  }
  return absl::InvalidArgumentError(absl::StrCat(path, ": ", kind.name, " has no loader in C++"));
}

double BlockNs(const std::function<void()>& call) {
  const auto start = std::chrono::steady_clock::now();
  for (int i = 0; i < kCalls; ++i) call();
  const std::chrono::duration<double, std::nano> took = std::chrono::steady_clock::now() - start;
  return took.count() / kCalls;
}

std::string MedianText(std::vector<double> ns) {
  std::sort(ns.begin(), ns.end());
  const auto interval = statistics::MedianInterval(ns);
  return absl::StrFormat("%10.0f ns (%.0f .. %.0f)", statistics::Median(ns), interval->low,
                         interval->high);
}

absl::Status Measure(const std::string& path, std::vector<TensorSpec> specs) {
  const absl::StatusOr<FileKind> kind = KindOf(path, "");
  if (!kind.ok()) return kind.status();
  const absl::StatusOr<ResolvedCase> c = CaseOfFile({path, *kind, std::move(specs)});
  if (!c.ok()) return c.status();
  FileProgram program;
  const auto executable =
      execution::Load({.c = *c, .device = at::kCPU, .module_path = path}, program);
  if (!executable.ok()) return executable.status();
  const auto step = execution::MakeTimedStep(steps::kForward, *c, **executable, at::kCPU, 1);
  if (!step.ok()) return step.status();
  const auto raw_call = RawCall(*kind, path, (*executable)->Inputs());
  if (!raw_call.ok()) return raw_call.status();
  const auto raw = [&] {
    const c10::InferenceMode no_autograd;
    return BlockNs(*raw_call);
  };
  const auto ours = [&] { return BlockNs([&] { (*step)->Call(); }); };
  std::vector<double> raw_ns, our_ns, added_ns;
  for (int i = -kWarm; i < kPairs; ++i) {
    const bool raw_first = i % 2 == 0;
    const double first = raw_first ? raw() : ours();
    const double second = raw_first ? ours() : raw();
    if (i < 0) continue;
    raw_ns.push_back(raw_first ? first : second);
    our_ns.push_back(raw_first ? second : first);
    added_ns.push_back(our_ns.back() - raw_ns.back());
  }
  std::cout << path << ", " << kind->backend << ", " << kPairs << " pairs of " << kCalls
            << " calls, one thread, medians (95 %):\n  loader     " << MedianText(raw_ns)
            << "\n  timed step " << MedianText(our_ns) << "\n  difference " << MedianText(added_ns)
            << "\n";
  return absl::OkStatus();
}

// FILE [INPUT_SPEC...]: those of run_model's --input-spec, for a file that does not say its shapes.
absl::StatusOr<int> Main(const std::vector<std::string>& words) {
  if (words.empty()) return absl::InvalidArgumentError("FILE [NAME:DTYPE[SIZES]...]");
  std::vector<TensorSpec> specs;
  for (size_t i = 1; i < words.size(); ++i) {
    absl::StatusOr<TensorSpec> spec = ParseInputSpec(words[i]);
    if (!spec.ok()) return spec.status();
    specs.push_back(*std::move(spec));
  }
  at::set_num_threads(1);
  const absl::Status measured = Measure(words[0], std::move(specs));
  if (!measured.ok()) return measured;
  return 0;
}

}  // namespace
}  // namespace assay::run_model

int main(int argc, char** argv) {
  return assay::processes::ProgramMain(argc, argv,
                                       {.name = "call_overhead", .run = assay::run_model::Main});
}

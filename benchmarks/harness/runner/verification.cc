#include "benchmarks/harness/runner/verification.h"

#include <ATen/ops/equal.h>
#include <ATen/ops/isfinite.h>

#include <algorithm>
#include <functional>
#include <memory>
#include <optional>
#include <string_view>
#include <utility>
#include <vector>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "absl/time/clock.h"
#include "absl/time/time.h"
#include "benchmarks/harness/base/dtype.h"
#include "benchmarks/harness/base/shape_text.h"
#include "benchmarks/harness/base/torch_status.h"
#include "benchmarks/harness/execution/executable.h"
#include "benchmarks/harness/execution/seeded_program.h"
#include "benchmarks/harness/numerics/comparison.h"
#include "benchmarks/harness/numerics/fingerprint.h"
#include "benchmarks/harness/numerics/reference.h"
#include "benchmarks/harness/record/outcome.h"
#include "benchmarks/harness/runner/eager_baseline.h"
#include "benchmarks/harness/runner/majority.h"
#include "benchmarks/harness/runner/operator_truth.h"
#include "benchmarks/harness/runner/run_status.h"
#include "defs/training_steps.h"

namespace assay::runner {
namespace {

Verdict VerdictOf(Outcome outcome, std::string message) {
  Verdict verdict;
  verdict.set_outcome(outcome);
  verdict.set_message(std::move(message));
  return verdict;
}

Verdict VerdictOf(const absl::Status& status) {
  return VerdictOf(OutcomeOf(status), std::string(status.message()));
}

std::vector<std::string> OutputNames(const ResolvedCase& c) {
  std::vector<std::string> names;
  for (const ExpectedOutput& output : c.verified().outputs()) names.push_back(output.name());
  return names;
}

// The first output whose bits differ between two calls; -1 for none. NaN is left to the comparison,
// which names it.
int FirstDifference(const std::vector<at::Tensor>& first, const std::vector<at::Tensor>& second) {
  if (first.size() != second.size()) return static_cast<int>(std::min(first.size(), second.size()));
  for (size_t i = 0; i < first.size(); ++i) {
    if (at::isfinite(first[i]).all().item<bool>() && !at::equal(first[i], second[i]))
      return static_cast<int>(i);
  }
  return -1;
}

// What every verdict says, whatever came of it.
Verdict WithCase(const ResolvedCase& c, Verdict verdict) {
  if (verdict.verified_batch() == 0) verdict.set_verified_batch(c.verified().batch());
  verdict.set_rule(c.benchmark_case().verify().rule());
  verdict.set_limits_provenance(c.benchmark_case().verify().provenance());
  *verdict.mutable_reference() = c.reference();
  return verdict;
}

// The verified call's inputs: those given or, where there are none, the seeded ones.
absl::StatusOr<execution::Tensors> InputsOf(const ResolvedCase& c, at::Device device,
                                            const Workload& workload,
                                            std::vector<at::Tensor> inputs) {
  const BenchmarkCase& b = c.benchmark_case();
  if (inputs.empty()) return execution::SeededInputs(workload, b.dtype(), b.seed(), device);
  const absl::Status moved = base::CatchTorch("moving the inputs", [&] {
    for (at::Tensor& input : inputs) input = input.to(device);
  });
  if (!moved.ok()) return moved;
  return inputs;
}

// Names of the outputs whose first dimension is the batch.
std::vector<std::string> BatchedOutputs(const ResolvedCase& c) {
  std::vector<std::string> names;
  for (const ExpectedOutput& output : c.verified().outputs()) {
    if (output.batched()) names.push_back(output.name());
  }
  return names;
}

// The outputs, those with a batch cut to its first `rows` rows.
std::vector<at::Tensor> FirstRowsOf(const ResolvedCase& c, std::vector<at::Tensor> outputs,
                                    int64_t rows) {
  for (int i = 0; i < c.verified().outputs_size() && i < static_cast<int>(outputs.size()); ++i) {
    at::Tensor& output = outputs[static_cast<size_t>(i)];
    if (!c.verified().outputs(i).batched() || !output.defined() || output.dim() == 0) continue;
    if (output.size(0) > rows) output = output.narrow(0, 0, rows);
  }
  return outputs;
}

// What a pure program's state was, so that a change can be named.
class StateGuard {
 public:
  explicit StateGuard(execution::Program& program) : program_(program), before_(Digests()) {}

  // "" where nothing changed.
  std::string Changed() const {
    const std::vector<std::pair<std::string, uint64_t>> after = Digests();
    for (size_t i = 0; i < after.size(); ++i) {
      if (after[i] != before_[i]) {
        return absl::StrCat("state \"", after[i].first,
                            "\" changed in a call, but the program says that it is pure");
      }
    }
    return "";
  }

 private:
  std::vector<std::pair<std::string, uint64_t>> Digests() const {
    std::vector<std::pair<std::string, uint64_t>> digests;
    if (program_.Contract() != execution::StateContract::kPure) return digests;
    for (const models::NamedTensor& entry : program_.State())
      digests.emplace_back(entry.name, numerics::Fingerprint({entry.tensor}));
    return digests;
  }

  execution::Program& program_;
  const std::vector<std::pair<std::string, uint64_t>> before_;
};

// What is wrong with one output of a smoke run; empty where nothing is.
std::string SmokeProblem(const ExpectedOutput& expected, const at::Tensor& output,
                         Outcome& outcome) {
  const auto problem = [&](Outcome of_problem, std::string_view what) {
    outcome = of_problem;
    return absl::StrCat("output \"", expected.name(), "\" ", what);
  };
  const std::optional<numerics::Misfit> misfit = numerics::MisfitOf(expected, output);
  if (misfit.has_value()) return problem(misfit->outcome, misfit->message);
  // Nothing is left out here, unlike in a comparison with fewer rows.
  if (expected.batched() && output.size(0) != expected.shape(0)) {
    return problem(FAIL_SHAPE,
                   absl::StrCat("has ", output.size(0), " rows; the batch is ", expected.shape(0)));
  }
  if (output.numel() == 0) return problem(FAIL_SHAPE, "is empty");
  if (!at::isfinite(output).all().item<bool>()) {
    return problem(FAIL_NONFINITE, "holds NaN or infinity");
  }
  return "";
}

bool NeedsBaseline(const ResolvedCase& c, const VerifyOptions& options) {
  if (IsPlain(c.benchmark_case().execution())) return false;
  bool by_rule = c.benchmark_case().verify().rule() == DYNAMO_SAME;
  for (const ExpectedOutput& output : c.verified().outputs())
    by_rule |= output.rule() == DYNAMO_SAME;
  return by_rule || options.baseline;
}

// What the verified call needs, made once for all its runs.
struct Prepared {
  execution::Tensors inputs = {};
  execution::Tensors baseline = {};
  std::unique_ptr<execution::Executable> executable = {};
};

absl::StatusOr<Prepared> Prepare(const ResolvedCase& c, execution::Program& program,
                                 at::Device device, std::vector<at::Tensor> inputs,
                                 const VerifyOptions& options) {
  const Execution& how = c.benchmark_case().execution();
  absl::StatusOr<execution::Tensors> made = InputsOf(c, device, c.verified(), std::move(inputs));
  if (!made.ok()) return made.status();
  Prepared prepared = {.inputs = *std::move(made)};
  if (NeedsBaseline(c, options)) {
    absl::StatusOr<execution::Tensors> baseline = PlainOutputs(how, program, prepared.inputs);
    if (!baseline.ok()) return baseline.status();
    prepared.baseline = *std::move(baseline);
  }
  auto executable = execution::MakeExecutable(how, program, prepared.inputs);
  if (!executable.ok()) return executable.status();
  prepared.executable = *std::move(executable);
  return prepared;
}

// One run: two calls, equal to the bit, and the verdict on their outputs.
Verdict Run(const ResolvedCase& c, execution::Executable& executable, const StateGuard& guard,
            const std::function<Verdict(const execution::Tensors& outputs)>& compare,
            const std::function<void()>& called, execution::Tensors& outputs) {
  const absl::Time first_call = absl::Now();
  absl::StatusOr<execution::Tensors> first = execution::OutputsOf(executable);
  if (!first.ok()) return VerdictOf(first.status());
  outputs = *std::move(first);
  const double first_call_s = absl::ToDoubleSeconds(absl::Now() - first_call);
  if (called) called();
  const auto finish = [&](Verdict result) {
    result.set_first_call_s(first_call_s);
    return result;
  };
  const absl::StatusOr<execution::Tensors> again = execution::OutputsOf(executable);
  if (!again.ok()) return finish(VerdictOf(again.status()));
  const int different = FirstDifference(outputs, *again);
  if (different >= 0) {
    const std::vector<std::string> names = OutputNames(c);
    const std::string name = different < static_cast<int>(names.size())
                                 ? names[static_cast<size_t>(different)]
                                 : absl::StrCat("#", different);
    return finish(VerdictOf(NONDETERMINISTIC_BASELINE,
                            absl::StrCat("output \"", name, "\" differs between two equal calls")));
  }
  std::string changed;
  const absl::Status looked =
      base::CatchTorch("reading the state", [&] { changed = guard.Changed(); });
  if (!looked.ok()) return finish(VerdictOf(looked));
  if (!changed.empty()) return finish(VerdictOf(NONDETERMINISTIC_BASELINE, std::move(changed)));
  return finish(compare(outputs));
}

// What `compare` says of the outputs, in the majority of runs, and what else is asked for.
Verdict VerifyBy(const ResolvedCase& c, execution::Program& program, at::Device device,
                 std::vector<at::Tensor> inputs, const VerifyOptions& options,
                 const std::function<Verdict(const execution::Tensors& outputs,
                                             const execution::Tensors& baseline)>& compare) {
  const absl::StatusOr<Prepared> prepared = Prepare(c, program, device, std::move(inputs), options);
  if (!prepared.ok()) return WithCase(c, VerdictOf(prepared.status()));
  std::optional<StateGuard> guard;
  const absl::Status looked =
      base::CatchTorch("reading the state", [&] { guard.emplace(program); });
  if (!looked.ok()) return WithCase(c, VerdictOf(looked));
  execution::Tensors outputs;
  const std::function<Verdict(const execution::Tensors&)> compare_run =
      [&](const execution::Tensors& run) { return compare(run, prepared->baseline); };
  std::vector<Verdict> votes;
  do {
    votes.push_back(Run(c, *prepared->executable, *guard, compare_run,
                        votes.empty() ? options.called : nullptr, outputs));
  } while (static_cast<int>(votes.size()) < options.runs && IsVote(votes.back()));
  Verdict verdict = MajorityOf(votes);
  if (options.runs == 1) {
    verdict.clear_runs();
    verdict.clear_passed_runs();
  }
  // With a baseline before it, the first call was not the process's.
  verdict.set_first_call_s(prepared->baseline.empty() ? votes[0].first_call_s() : 0);
  if (options.also && !outputs.empty()) {
    const absl::Status also =
        options.also({prepared->inputs, outputs, prepared->baseline, compare_run}, verdict);
    if (!also.ok() && record::ExitCode(verdict.outcome()) == 0) {
      verdict.set_outcome(OutcomeOf(also));
      verdict.set_message(std::string(also.message()));
    }
  }
  return WithCase(c, std::move(verdict));
}

// Runs the program and compares the first `rows` rows.
Verdict VerifyRows(const ResolvedCase& c, execution::Program& program, at::Device device,
                   std::vector<at::Tensor> inputs, const numerics::ReferenceOutputs& reference,
                   int64_t rows, const VerifyOptions& options) {
  Verdict verdict = VerifyBy(
      c, program, device, std::move(inputs), options,
      [&](const execution::Tensors& outputs, const execution::Tensors& baseline) {
        return numerics::Compare(reference, ExpectedOf(c, outputs), FirstRowsOf(c, outputs, rows),
                                 c.benchmark_case().verify(), FirstRowsOf(c, baseline, rows));
      });
  verdict.set_verified_batch(rows);
  return verdict;
}

// Compares with what is computed here (operator_truth.h).
Verdict VerifyOperator(const ResolvedCase& c, execution::Program& program, at::Device device,
                       const VerifyOptions& options) {
  const absl::StatusOr<numerics::ReferenceOutputs> truth = OperatorTruth(c);
  if (!truth.ok()) {
    return WithCase(c, VerdictOf(OutcomeOf(truth.status()),
                                 absl::StrCat("computing the truth: ", truth.status().message())));
  }
  Verdict verdict = VerifyRows(c, program, device, {}, *truth, c.referenced().batch(), options);
  verdict.mutable_reference()->set_provenance(truth->metadata.at("provenance"));
  return verdict;
}

}  // namespace

google::protobuf::RepeatedPtrField<ExpectedOutput> ExpectedOf(
    const ResolvedCase& c, const std::vector<at::Tensor>& outputs) {
  google::protobuf::RepeatedPtrField<ExpectedOutput> expected = c.verified().outputs();
  const BenchmarkCase& b = c.benchmark_case();
  const Dtype autocast = b.execution().autocast();
  if (autocast == DTYPE_UNSPECIFIED) return expected;
  for (int i = 0; i < expected.size() && i < static_cast<int>(outputs.size()); ++i) {
    const at::Tensor& output = outputs[static_cast<size_t>(i)];
    if (output.defined() && expected.at(i).dtype() == b.dtype() &&
        base::FromScalarType(output.scalar_type()) == autocast)
      expected.at(i).set_dtype(autocast);
  }
  return expected;
}

Verdict Verify(const ResolvedCase& c, execution::Program& program, at::Device device,
               const std::string& reference_path, const VerifyOptions& options) {
  if (c.benchmark_case().has_operator_call()) return VerifyOperator(c, program, device, options);
  if (c.reference().sha256().empty() || reference_path.empty()) {
    return WithCase(c,
                    VerdictOf(ARTIFACT_UNAVAILABLE,
                              absl::StrCat("no row '", c.reference().key(),
                                           "' in the package's lock.bzl; make it: tools/bazel run "
                                           "//tools:generate_artifacts -- --filter='^",
                                           c.reference().key(), "$'")));
  }
  absl::StatusOr<numerics::ReferenceOutputs> reference =
      numerics::ReadReference(reference_path, c.reference().sha256());
  const int64_t rows = std::min(c.verified().batch(), c.referenced().batch());
  if (reference.ok() && rows < c.referenced().batch())
    reference = numerics::FirstRows(*reference, rows, BatchedOutputs(c));
  if (!reference.ok()) {
    return WithCase(c, VerdictOf(numerics::ReferenceOutcome(reference.status()),
                                 std::string(reference.status().message())));
  }
  // A run may take one of a training case's optimizers; the reference has all of them.
  auto& outputs = reference->outputs;
  outputs.erase(std::remove_if(outputs.begin(), outputs.end(),
                               [&](const numerics::ReferenceOutput& output) {
                                 return IsOfAnotherOptimizer(output.name,
                                                             c.benchmark_case().training());
                               }),
                outputs.end());
  return VerifyRows(c, program, device, {}, *reference, rows, options);
}

Verdict VerifyAgainst(const ResolvedCase& c, execution::Program& program, at::Device device,
                      std::vector<at::Tensor> inputs, const numerics::ReferenceOutputs& reference,
                      const VerifyOptions& options) {
  return VerifyRows(c, program, device, std::move(inputs), reference, c.verified().batch(),
                    options);
}

Verdict CallUncompared(const ResolvedCase& c, execution::Program& program, at::Device device,
                       std::vector<at::Tensor> inputs, const Verdict& uncompared,
                       const VerifyOptions& options) {
  Verdict verdict =
      VerifyBy(c, program, device, std::move(inputs), options,
               [&](const execution::Tensors&, const execution::Tensors&) { return uncompared; });
  verdict.clear_reference();  // it is not of these tensors
  return verdict;
}

Verdict Smoke(const ResolvedCase& c, at::Device device) {
  auto program = execution::SeededProgram(c, c.smoke());
  if (!program.ok()) return VerdictOf(program.status());
  const absl::Status moved = execution::Move(**program, device, c.benchmark_case().dtype());
  if (!moved.ok()) return VerdictOf(moved);
  absl::StatusOr<execution::Tensors> inputs = InputsOf(c, device, c.smoke(), {});
  if (!inputs.ok()) return VerdictOf(inputs.status());
  const auto executable =
      execution::MakeExecutable(c.benchmark_case().execution(), **program, *std::move(inputs));
  if (!executable.ok()) return VerdictOf(executable.status());
  const absl::StatusOr<std::vector<at::Tensor>> outputs = execution::OutputsOf(**executable);
  if (!outputs.ok()) return VerdictOf(outputs.status());
  const auto& expected = c.smoke().outputs();
  if (static_cast<int>(outputs->size()) != expected.size()) {
    return VerdictOf(FAIL_SHAPE, absl::StrCat("the program returned ", outputs->size(),
                                              " outputs; its table names ", expected.size(), ": ",
                                              absl::StrJoin(OutputNames(c), ", ")));
  }
  for (int i = 0; i < expected.size(); ++i) {
    Outcome outcome = PASS;
    const std::string problem = SmokeProblem(expected[i], (*outputs)[i], outcome);
    if (!problem.empty()) return VerdictOf(outcome, problem);
  }
  return VerdictOf(
      NOT_VERIFIED,
      "smoke: one call of the small program gave finite outputs of the right shape and "
      "dtype; nothing was compared");
}

std::string FailureText(const ResolvedCase& c, const Verdict& verdict,
                        const std::string& device_text, const std::string& command) {
  const BenchmarkCase& b = c.benchmark_case();
  std::string text = absl::StrCat(b.name(), ": ", record::OutcomeName(verdict.outcome()), "\n",
                                  verdict.message(), "\n");
  absl::StrAppend(
      &text, "  device  ", device_text, ", seed ", b.seed(), "\n  reproduce  ",
      command.empty() ? absl::StrCat("tools/bazel test ", b.label(), "_accuracy_test") : command,
      "\n");
  return text;
}

}  // namespace assay::runner

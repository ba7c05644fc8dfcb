#include "benchmarks/harness/runner/verdict/verification.h"

#include <ATen/ops/equal.h>
#include <ATen/ops/isinf.h>
#include <ATen/ops/isnan.h>

#include <algorithm>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string_view>
#include <utility>
#include <vector>

#include "absl/algorithm/container.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "absl/time/time.h"
#include "benchmarks/harness/base/own_program.h"
#include "benchmarks/harness/base/steady_time.h"
#include "benchmarks/harness/base/torch_status.h"
#include "benchmarks/harness/dispatcher/kernels_over_aten.h"
#include "benchmarks/harness/execution/backend.h"
#include "benchmarks/harness/execution/eager_backend.h"
#include "benchmarks/harness/execution/executable.h"
#include "benchmarks/harness/execution/repeatability.h"
#include "benchmarks/harness/numerics/comparison.h"
#include "benchmarks/harness/numerics/fingerprint.h"
#include "benchmarks/harness/numerics/reference.h"
#include "benchmarks/harness/numerics/tensor_values.h"
#include "benchmarks/harness/programs/seeded_program.h"
#include "benchmarks/harness/programs/timed_inputs.h"
#include "benchmarks/harness/record/majority.h"
#include "benchmarks/harness/record/outcome.h"
#include "benchmarks/harness/runner/verdict/eager_baseline.h"
#include "benchmarks/harness/runner/verdict/lowered_layers.h"
#include "benchmarks/harness/runner/verdict/operator_truth.h"
#include "benchmarks/harness/runner/verdict/output_difference.h"
#include "benchmarks/harness/runner/verdict/run_status.h"
#include "benchmarks/harness/runner/verdict/same_choices.h"
#include "defs/case/execution_names.h"
#include "defs/case/program_kinds.h"

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

std::vector<std::string> OutputNames(const Workload& verified) {
  std::vector<std::string> names;
  for (const ExpectedOutput& output : verified.outputs()) names.push_back(output.name());
  return names;
}

// The first output whose bits differ between two calls; -1 for none.
int FirstDifference(const std::vector<at::Tensor>& first, const std::vector<at::Tensor>& second) {
  const execution::OwnKernels own;
  if (first.size() != second.size()) return static_cast<int>(std::min(first.size(), second.size()));
  for (size_t i = 0; i < first.size(); ++i) {
    // at::equal() is quick, but says that NaN differs from itself.
    if (!at::equal(first[i], second[i]) && !BitEqual(first[i], second[i]))
      return static_cast<int>(i);
  }
  return -1;
}

// Adds what every verdict says about its case.
Verdict WithCase(const ResolvedCase& c, Verdict verdict) {
  if (verdict.verified_batch() == 0) verdict.set_verified_batch(c.verified().batch());
  verdict.set_rule(c.benchmark_case().verify().rule());
  verdict.set_limits_provenance(c.benchmark_case().verify().provenance());
  *verdict.mutable_reference() = c.reference();
  return verdict;
}

// The verified call's inputs: those given or, where there are none, the seeded ones.
absl::StatusOr<execution::Tensors> InputsOf(const BenchmarkCase& c, at::Device device,
                                            const Workload& workload,
                                            std::vector<at::Tensor> inputs) {
  if (inputs.empty()) return execution::SeededInputs(workload, c.dtype(), c.seed(), device);
  const absl::Status moved = base::CatchTorch("moving the inputs", [&] {
    for (at::Tensor& input : inputs) input = input.to(device);
  });
  if (!moved.ok()) return moved;
  return inputs;
}

// Keeps a digest of a pure program's state, so that a change can be named.
class StateGuard {
 public:
  explicit StateGuard(execution::Program& program) : program_(program), before_(Digests()) {}

  // "" where nothing changed.
  std::string Changed() const {
    const std::vector<std::pair<std::string, uint64_t>> after = Digests();
    // `before_` is empty where the program learned in its first call that it is pure (graph_program.h).
    for (size_t i = 0; i < std::min(after.size(), before_.size()); ++i) {
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

// The fault of one output of a smoke run; empty where there is none.
std::string SmokeProblem(const ExpectedOutput& expected, const at::Tensor& output,
                         Outcome& outcome) {
  const auto problem = [&](Outcome of_problem, std::string_view what) {
    outcome = of_problem;
    return absl::StrCat("output \"", expected.name(), "\" ", what);
  };
  const std::optional<numerics::Misfit> misfit = numerics::MisfitOf(expected, output);
  if (misfit.has_value()) return problem(misfit->outcome, misfit->message);
  if (output.numel() == 0) return problem(FAIL_SHAPE, "is empty");
  if (const auto at = numerics::FirstNonfinite(output); at.has_value()) {
    return problem(FAIL_NONFINITE,
                   absl::StrCat("holds NaN or infinity at [", absl::StrJoin(*at, ", "), "]"));
  }
  return "";
}

// Whether a smoke run is compared with the same program in float64: in dtypes of 16 bits, where the
// model's own code may lose what the dtype can hold. Tokens that were chosen in them are others, and
// the standard deviation of a few elements says nothing.
bool IsHeldToFloat64(const BenchmarkCase& c, const execution::Tensors& outputs) {
  for (const at::Tensor& output : outputs) {
    if (output.numel() < 8) return false;
  }
  return (c.dtype() == BF16 || c.dtype() == FP16) && KindOf(c).held_to_float64 &&
         c.execution().lowering().empty() && c.verify().rule() != DYNAMO_SAME;
}

// Everything that the verified call needs; made once for all its runs.
struct Prepared {
  execution::Tensors inputs = {};
  execution::Tensors baseline = {};
};

absl::StatusOr<Prepared> Prepare(const ResolvedCase& c, execution::Executable& executable,
                                 at::Device device, std::vector<at::Tensor> inputs,
                                 const VerifyOptions& options) {
  const Execution& how = c.benchmark_case().execution();
  absl::StatusOr<execution::Tensors> made =
      InputsOf(c.benchmark_case(), device, c.verified(), std::move(inputs));
  if (!made.ok()) return made.status();
  Prepared prepared = {.inputs = *std::move(made)};
  if (RulesNeedPlain(c) || (options.baseline && !IsPlain(how))) {
    absl::StatusOr<execution::Tensors> baseline =
        PlainOutputs(how, executable.program(), prepared.inputs);
    if (!baseline.ok()) return baseline.status();
    prepared.baseline = *std::move(baseline);
  }
  const absl::Status set = execution::SetInputsOf(executable, prepared.inputs);
  if (!set.ok()) return set;
  return prepared;
}

// In what two equal calls differ.
struct CallDifference {
  std::string undeclared =
      {};                   // the first output that must be equal and is not; empty: there is none
  int64_t elements = 0;     // that differ, in outputs that may
  int64_t of_elements = 0;  // of all outputs
};

CallDifference DifferenceOfCalls(const ResolvedCase& c, const execution::Repeatability& calls,
                                 const execution::Tensors& first,
                                 const execution::Tensors& second) {
  const execution::OwnKernels own;
  CallDifference difference;
  const std::vector<std::string> names = OutputNames(c.verified());
  for (size_t i = 0; i < std::max(first.size(), second.size()); ++i) {
    const std::string name = i < names.size() ? names[i] : absl::StrCat("#", i);
    const bool alike = i < first.size() && i < second.size() &&
                       first[i].scalar_type() == second[i].scalar_type() &&
                       first[i].sizes() == second[i].sizes();
    if (alike) difference.of_elements += first[i].numel();
    // at::equal() is quick, but says that NaN differs from itself.
    if (alike && (at::equal(first[i], second[i]) || BitEqual(first[i], second[i]))) continue;
    if (!alike || !calls.MayDiffer(name)) {
      difference.undeclared = name;
      return difference;
    }
    difference.elements += ElementsThatDiffer(first[i], second[i]);
  }
  return difference;
}

// The verdict on two calls that may differ and do: the worse one, which says how much they differ.
Verdict OfBothCalls(Verdict first, Verdict second, const CallDifference& difference,
                    const execution::Repeatability& calls) {
  const bool second_fails =
      record::ExitCode(first.outcome()) == 0 && record::ExitCode(second.outcome()) != 0;
  Verdict verdict = second_fails ? std::move(second) : std::move(first);
  if (second_fails)
    verdict.set_message(absl::StrCat("in the second of two equal calls: ", verdict.message()));
  const std::string text = absl::StrCat(
      "two calls differ in ", difference.elements, " of ", difference.of_elements, " elements",
      verdict.outcome() == PASS ? "; each is within the limits" : "", "; ", calls.reason);
  Check& check = *verdict.add_checks();
  check.set_name("equal_calls");
  check.set_status(CHECK_NOTED);
  check.set_detail(text);
  if (record::ExitCode(verdict.outcome()) != 0)
    verdict.set_message(absl::StrCat(verdict.message(), "\n", text));
  return verdict;
}

// Makes one run: two calls that are equal to the bit where `calls` does not say otherwise, and the
// verdict on their outputs.
Verdict Run(const ResolvedCase& c, execution::Executable& executable, const StateGuard& guard,
            const execution::Repeatability& calls,
            const std::function<Verdict(const execution::Tensors& outputs)>& compare,
            const std::function<void()>& called, execution::Tensors& outputs) {
  const absl::Duration first_call = base::SteadyNow();
  absl::StatusOr<execution::Tensors> first = execution::OutputsOf(executable);
  if (!first.ok()) return VerdictOf(first.status());
  outputs = *std::move(first);
  const double first_call_s = absl::ToDoubleSeconds(base::SteadyNow() - first_call);
  if (called) called();
  const auto finish = [&](Verdict result) {
    result.set_first_call_s(first_call_s);
    return result;
  };
  const absl::StatusOr<execution::Tensors> again = execution::OutputsOf(executable);
  if (!again.ok()) return finish(VerdictOf(again.status()));
  CallDifference difference;
  const absl::Status read = base::CatchTorch(
      "comparing two calls", [&] { difference = DifferenceOfCalls(c, calls, outputs, *again); });
  if (!read.ok()) return finish(VerdictOf(read));
  if (!difference.undeclared.empty()) {
    return finish(VerdictOf(
        NONDETERMINISTIC_BASELINE,
        absl::StrCat("output \"", difference.undeclared, "\" differs between two equal calls")));
  }
  std::string changed;
  const absl::Status looked =
      base::CatchTorch("reading the state", [&] { changed = guard.Changed(); });
  if (!looked.ok()) return finish(VerdictOf(looked));
  if (!changed.empty()) return finish(VerdictOf(NONDETERMINISTIC_BASELINE, std::move(changed)));
  if (difference.elements == 0) return finish(compare(outputs));
  return finish(OfBothCalls(compare(outputs), compare(*again), difference, calls));
}

std::vector<uint64_t> DigestsOf(const execution::Tensors& tensors) {
  std::vector<uint64_t> digests;
  for (const at::Tensor& tensor : tensors) digests.push_back(numerics::Fingerprint({tensor}));
  return digests;
}

// Names in a verdict the inputs that calls have written to: the next call gets what is left there.
Verdict WithWrittenInputs(Verdict verdict, const Workload& workload,
                          const std::vector<uint64_t>& before, const std::vector<uint64_t>& after) {
  std::vector<std::string> names;
  for (size_t i = 0; i < before.size() && i < after.size(); ++i) {
    if (before[i] != after[i]) names.push_back(workload.inputs(static_cast<int>(i)).name());
  }
  if (names.empty()) return verdict;
  const std::string text = absl::StrCat(
      "a call writes to ", absl::StrJoin(names, ", "),
      ", and the next one gets what it left there; of a model that is a file, tools/bazel run "
      "//tools:run_model gives each call a new copy of the inputs");
  Check& check = *verdict.add_checks();
  check.set_name("written_inputs");
  check.set_status(CHECK_NOTED);
  check.set_detail(text);
  if (record::ExitCode(verdict.outcome()) != 0)
    verdict.set_message(absl::StrCat(verdict.message(), "\n", text));
  return verdict;
}

// Whether a back end gives other inputs the outputs of these, where the program itself does not: a
// kept answer equals the reference, too. Costs one call, and two of the program where outputs are
// equal. `inputs` are set again.
absl::StatusOr<bool> AnswersFromACache(const ResolvedCase& c, execution::Executable& executable,
                                       at::Device device, const execution::Tensors& inputs,
                                       const execution::Tensors& outputs,
                                       execution::TensorsRef as_given) {
  const BenchmarkCase& b = c.benchmark_case();
  execution::Program& program = executable.program();
  if (!program.RunsEagerly()) return false;  // nobody knows whether the program does
  absl::StatusOr<execution::Tensors> others =
      execution::TimedInputs(c.verified(), b, device, as_given, /*set=*/1);
  if (!others.ok()) return others.status();
  // Bags that a user gave are of other sizes.
  for (size_t i = 0; i < inputs.size(); ++i) {
    if (inputs[i].sizes() != (*others)[i].sizes()) return false;
  }
  const absl::StatusOr<execution::Tensors> answered = execution::OutputsOf(executable, *others);
  if (!answered.ok()) return answered.status();
  const absl::Status set = execution::SetInputsOf(executable, inputs);
  if (!set.ok()) return set;
  if (FirstDifference(outputs, *answered) >= 0) return false;
  const absl::StatusOr<execution::Tensors> plain = PlainOutputs(b.execution(), program, inputs);
  if (!plain.ok()) return plain.status();
  const absl::StatusOr<execution::Tensors> of_others =
      PlainOutputs(b.execution(), program, *others);
  if (!of_others.ok()) return of_others.status();
  return FirstDifference(*plain, *of_others) >= 0;
}

// Makes the runs, lets the majority of `compare`'s verdicts decide, and makes the other checks that
// `options` ask for.
Verdict VerifyBy(const ResolvedCase& c, execution::Executable& executable, at::Device device,
                 std::vector<at::Tensor> inputs, const VerifyOptions& options,
                 const std::function<Verdict(const execution::Tensors& outputs,
                                             const execution::Tensors& baseline)>& compare) {
  const absl::StatusOr<Prepared> prepared =
      Prepare(c, executable, device, std::move(inputs), options);
  if (!prepared.ok()) return WithCase(c, VerdictOf(prepared.status()));
  std::optional<StateGuard> guard;
  std::vector<uint64_t> before;
  const absl::Status looked = base::CatchTorch("reading the state", [&] {
    guard.emplace(executable.program());
    before = DigestsOf(executable.Inputs());
  });
  if (!looked.ok()) return WithCase(c, VerdictOf(looked));
  execution::Tensors outputs;
  const execution::Repeatability calls = execution::RepeatabilityOf(c.benchmark_case(), device);
  const std::function<Verdict(const execution::Tensors&)> compare_run =
      [&](const execution::Tensors& run) { return compare(run, prepared->baseline); };
  std::vector<Verdict> votes;
  do {
    votes.push_back(Run(c, executable, *guard, calls, compare_run,
                        votes.empty() ? options.called : nullptr, outputs));
  } while (static_cast<int>(votes.size()) < options.runs && record::IsVote(votes.back()));
  Verdict verdict = record::MajorityOf(votes);
  if (options.runs == 1) {
    verdict.clear_runs();
    verdict.clear_passed_runs();
  }
  std::vector<uint64_t> after;
  const absl::Status read =
      base::CatchTorch("reading the inputs", [&] { after = DigestsOf(executable.Inputs()); });
  if (!read.ok()) return WithCase(c, VerdictOf(read));
  verdict = WithWrittenInputs(std::move(verdict), c.verified(), before, after);
  if (verdict.outcome() == PASS && BackendName(c.benchmark_case().execution()) != "eager") {
    const absl::StatusOr<bool> kept =
        AnswersFromACache(c, executable, device, prepared->inputs, outputs, options.as_given);
    if (!kept.ok()) return WithCase(c, VerdictOf(kept.status()));
    if (*kept) {
      verdict = VerdictOf(FAIL_ACCURACY,
                          "the back end gives other inputs the outputs of these, to the bit, and "
                          "the program does not: it answers from a cache");
    }
  }
  // After a baseline, the verified call is not the process's first.
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

// Says in a verdict without a reference which outputs hold NaN or infinity.
Verdict WithNonfiniteOutputs(Verdict verdict, const std::vector<std::string>& names,
                             const execution::Tensors& outputs) {
  const execution::OwnKernels own;
  std::vector<std::string> found;
  for (size_t i = 0; i < outputs.size(); ++i) {
    if (!outputs[i].is_floating_point() || outputs[i].numel() == 0) continue;
    std::string text =
        numerics::NonfiniteText(i < names.size() ? names[i] : absl::StrCat("#", i),
                                at::isnan(outputs[i]).sum().item<int64_t>(),
                                at::isinf(outputs[i]).sum().item<int64_t>(), outputs[i].numel());
    if (!text.empty()) found.push_back(std::move(text));
  }
  if (found.empty()) return verdict;
  Check& check = *verdict.add_checks();
  check.set_name("nonfinite_outputs");
  check.set_status(CHECK_NOTED);
  check.set_detail(absl::StrCat(absl::StrJoin(found, "; "), " of its elements"));
  return verdict;
}

// Adds the check to the verdict, and to its message if that is a failure.
Verdict WithChoices(const Check& choices, Verdict verdict) {
  *verdict.add_checks() = choices;
  if (verdict.outcome() != PASS)
    verdict.set_message(absl::StrCat(verdict.message(), "\nchoices: ", choices.detail()));
  return verdict;
}

// Runs the program and compares its outputs with the truth.
Verdict VerifyAgainstTruth(const ResolvedCase& c, execution::Executable& executable,
                           at::Device device, Truth truth, const VerifyOptions& options) {
  absl::StatusOr<KnownCall> known = truth.For(c.verified(), device);
  if (!known.ok()) return WithCase(c, VerdictOf(known.status()));
  const auto compare_known = [&](const execution::Tensors& outputs,
                                 const execution::Tensors& baseline) {
    const execution::OwnKernels own;
    if (!own.status().ok())
      return VerdictOf(ARTIFACT_UNAVAILABLE, std::string(own.status().message()));
    return numerics::Compare(known->reference,
                             ExpectedOf(c.benchmark_case(), c.verified(), outputs), outputs,
                             c.benchmark_case().verify(), baseline, known->rows);
  };
  bool first = true;  // later comparisons have the reference of the first one
  const auto compare = [&](const execution::Tensors& outputs, const execution::Tensors& baseline) {
    Verdict verdict = compare_known(outputs, baseline);
    if (!std::exchange(first, false) || verdict.outcome() != FAIL_ACCURACY) return verdict;
    const std::optional<Check> choices =
        TakeSameChoices(c, c.verified(), executable.program(), *known);
    if (!choices) return verdict;
    const absl::Status set = execution::SetInputsOf(executable, known->inputs);
    if (!set.ok()) return VerdictOf(set);
    return WithChoices(*choices, choices->status() == CHECK_OK ? compare_known(outputs, baseline)
                                                               : std::move(verdict));
  };
  Verdict verdict = VerifyBy(c, executable, device, known->inputs, options, compare);
  verdict.set_verified_batch(known->compared_rows);
  if (options.truth != nullptr) *options.truth = std::move(truth);
  return verdict;
}

}  // namespace

Verdict Verify(const ResolvedCase& c, execution::Executable& executable, at::Device device,
               const std::string& reference_path, const VerifyOptions& options) {
  absl::StatusOr<Truth> truth = Truth::Of(c, reference_path);
  if (!truth.ok()) return WithCase(c, VerdictOf(truth.status()));
  const auto provenance = truth->reference().metadata.find("provenance");
  const std::string computed =
      provenance != truth->reference().metadata.end() && KindOf(c).truth == TruthSource::kOwnFloat64
          ? provenance->second
          : "";
  VerifyOptions judged_twice = options;
  if (RoundsWeights(c.benchmark_case())) {
    judged_twice.also = [&](const VerifiedCall& call, Verdict& verdict) {
      const absl::Status judged = CheckLoweredLayers(c, device, call.inputs, call.outputs, verdict);
      return judged.ok() && options.also ? options.also(call, verdict) : judged;
    };
  }
  Verdict verdict = VerifyAgainstTruth(c, executable, device, *std::move(truth), judged_twice);
  if (!computed.empty()) verdict.mutable_reference()->set_provenance(computed);
  return verdict;
}

Verdict Verify(const ResolvedCase& c, execution::Program& program, at::Device device,
               const std::string& reference_path, const VerifyOptions& options) {
  const auto executable = execution::Load({.c = c, .device = device}, program);
  if (!executable.ok()) return WithCase(c, VerdictOf(executable.status()));
  return Verify(c, **executable, device, reference_path, options);
}

Verdict VerifyAgainst(const ResolvedCase& c, execution::Executable& executable, at::Device device,
                      std::vector<at::Tensor> inputs, const numerics::ReferenceOutputs& reference,
                      const VerifyOptions& options) {
  return VerifyAgainstTruth(c, executable, device, Truth::Given(c, std::move(inputs), reference),
                            options);
}

Verdict CallUncompared(const ResolvedCase& c, execution::Executable& executable, at::Device device,
                       std::vector<at::Tensor> inputs, const Verdict& uncompared,
                       const VerifyOptions& options) {
  Verdict verdict =
      VerifyBy(c, executable, device, std::move(inputs), options,
               [&](const execution::Tensors& outputs, const execution::Tensors&) {
                 return WithNonfiniteOutputs(uncompared, OutputNames(c.verified()), outputs);
               });
  verdict.clear_reference();  // the reference is not of these tensors
  return verdict;
}

Verdict Smoke(const ResolvedCase& c, at::Device device) {
  auto program = execution::SeededProgram(c, c.smoke());
  if (!program.ok()) return VerdictOf(program.status());
  const absl::Status moved = execution::Place(**program, device, c.benchmark_case(), c.smoke());
  if (!moved.ok()) return VerdictOf(moved);
  absl::StatusOr<execution::Tensors> inputs = InputsOf(c.benchmark_case(), device, c.smoke(), {});
  if (!inputs.ok()) return VerdictOf(inputs.status());
  const auto executable = execution::Load({.c = c, .device = device}, **program);
  if (!executable.ok()) return VerdictOf(executable.status());
  const absl::StatusOr<execution::Tensors> outputs = execution::OutputsOf(**executable, *inputs);
  if (!outputs.ok()) return VerdictOf(outputs.status());
  const auto& expected = c.smoke().outputs();
  if (static_cast<int>(outputs->size()) != expected.size()) {
    return VerdictOf(FAIL_SHAPE, absl::StrCat("the program returned ", outputs->size(),
                                              " outputs; its table names ", expected.size(), ": ",
                                              absl::StrJoin(OutputNames(c.verified()), ", ")));
  }
  for (int i = 0; i < expected.size(); ++i) {
    Outcome outcome = PASS;
    const std::string problem = SmokeProblem(expected[i], (*outputs)[i], outcome);
    if (!problem.empty()) return VerdictOf(outcome, problem);
  }
  if (!IsHeldToFloat64(c.benchmark_case(), *outputs)) {
    return VerdictOf(
        NOT_VERIFIED,
        "smoke: one call of the small program gave finite outputs of the right shape and "
        "dtype; nothing was compared");
  }
  const absl::StatusOr<execution::Tensors> wide = OutputsInFloat64(**program, *inputs);
  if (!wide.ok()) return VerdictOf(wide.status());
  const absl::StatusOr<numerics::ReferenceOutputs> truth = TruthOf("the program", expected, *wide);
  if (!truth.ok()) return VerdictOf(truth.status());
  Verdict verdict = numerics::Compare(*truth, expected, *outputs, c.benchmark_case().verify());
  if (verdict.outcome() != PASS) {
    verdict.set_message(absl::StrCat(
        "smoke: the small program, against itself in float64 with the same weights and inputs:\n",
        verdict.message()));
    return verdict;
  }
  return VerdictOf(NOT_VERIFIED,
                   "smoke: one call of the small program agrees with itself in float64; no "
                   "reference was compared");
}

std::string FailureText(const ResolvedCase& c, const Verdict& verdict,
                        const std::string& device_text, const std::string& command) {
  const BenchmarkCase& b = c.benchmark_case();
  std::string text = absl::StrCat(b.name(), ": ", record::OutcomeName(verdict.outcome()), "\n",
                                  verdict.message(), "\n");
  absl::StrAppend(
      &text, "  device  ", device_text, ", seed ", b.seed(), "\n  reproduce  ",
      command.empty() ? base::TestCommand(absl::StrCat(b.label(), "_accuracy_test")) : command,
      "\n");
  const bool wrong = verdict.outcome() == FAIL_ACCURACY || verdict.outcome() == FAIL_NONFINITE;
  // --locate is of the case's own size.
  const bool of_other_size = absl::c_any_of(verdict.checks(), [](const Check& check) {
    return check.status() == CHECK_FLAGGED &&
           (check.name() == "size" || check.name() == "between_sizes");
  });
  if (wrong && !of_other_size && !c.implementation().reference_script().empty()) {
    absl::StrAppend(&text, "  locate  tools/bazel run ", b.label(), " -- --locate",
                    b.execution().lowering().empty() ? "" : "   (of the model before its lowering)",
                    "\n");
  }
  return text;
}

}  // namespace assay::runner

#include "benchmarks/harness/runner/verdict/timed_check.h"

#include <algorithm>
#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "absl/algorithm/container.h"
#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_format.h"
#include "absl/strings/str_join.h"
#include "benchmarks/harness/base/torch_status.h"
#include "benchmarks/harness/dispatcher/kernels_over_aten.h"
#include "benchmarks/harness/numerics/comparison.h"
#include "benchmarks/harness/numerics/fingerprint.h"
#include "benchmarks/harness/programs/timed_inputs.h"
#include "benchmarks/harness/runner/verdict/eager_baseline.h"
#include "benchmarks/harness/runner/verdict/output_difference.h"
#include "benchmarks/harness/runner/verdict/run_status.h"
#include "benchmarks/harness/runner/verdict/same_choices.h"
#include "defs/case/program_kinds.h"

namespace assay::runner {
namespace {

constexpr std::string_view kNotVerified = "what was timed is not what was verified: ";

Check CheckOf(std::string_view name, CheckStatus status, std::string detail) {
  Check check;
  check.set_name(std::string(name));
  check.set_status(status);
  check.set_detail(std::move(detail));
  return check;
}

TimedVerdict VerdictOf(CheckStatus status, Outcome outcome, std::string detail) {
  return {.check = CheckOf(kTimedCheck, status, std::move(detail)), .outcome = outcome};
}

TimedVerdict NotRun(std::string_view reason) {
  return VerdictOf(CHECK_NOT_RUN, PASS, std::string(reason));
}

TimedVerdict Failed(const absl::Status& status) {
  return VerdictOf(CHECK_FLAGGED, OutcomeOf(status), std::string(status.message()));
}

bool HasVerifiedOutputs(execution::Step step) {
  return step != steps::kPreprocess && step != steps::kPostprocess &&
         step != steps::kHostToDevice && step != steps::kDeviceToHost;
}

// Whether a call of the step computes the output at this place. Outputs that are read from the
// program's state are left out: they are never missing one by one.
bool MustHave(const ResolvedCase& c, execution::Step step, int place) {
  const auto& outputs = c.measured().outputs();
  if (KindOf(c).outputs_from_state) return false;
  if (step == steps::kPrefill) return place == 0;
  if (step == steps::kDecode) return place == outputs.size() - 1;
  const bool is_gradient = c.benchmark_case().operator_call().backward() &&
                           absl::EndsWith(outputs[place].name(), ".grad");
  return is_gradient == (step == steps::kBackward);
}

// The outputs that the call should have computed and did not, by their names; empty: none.
std::string MissingOutputs(const ResolvedCase& c, execution::Step step,
                           const std::vector<execution::VerifiedOutput>& outputs) {
  std::vector<std::string> missing;
  for (int place = 0; place < c.measured().outputs_size(); ++place) {
    const bool has = absl::c_any_of(outputs, [&](const execution::VerifiedOutput& output) {
      return output.place == static_cast<size_t>(place);
    });
    if (!has && MustHave(c, step, place)) missing.push_back(c.measured().outputs(place).name());
  }
  if (missing.empty() && outputs.empty()) return "any output";
  return absl::StrJoin(missing, ", ");
}

// The part of the verified call's work that a timed call lacks; empty: nothing.
std::string MissingWork(const costs::CallCost& timed, const costs::CallCost& verified) {
  const int32_t operators = verified.figures.operators_per_call();
  if (timed.figures.operators_per_call() == 0 && operators > 0)
    return absl::StrCat("a timed call ran no operator, the verified one ", operators);
  const bool known = timed.flops_known && verified.flops_known;
  const double flops = timed.figures.flops_per_call(), wanted = verified.figures.flops_per_call();
  if (known && flops < wanted / 2) {
    return absl::StrFormat("a timed call ran %.4g floating-point operations, the verified one %.4g",
                           flops, wanted);
  }
  return "";
}

// A verified call, and its cost where that is asked for.
struct CountedCall {
  execution::VerifiedResult result;
  std::optional<costs::CallCost> cost;
};

absl::StatusOr<CountedCall> CallCounted(execution::Step step, execution::TimedStep& timed,
                                        execution::TensorsRef inputs,
                                        const TimedCheckOptions& options) {
  const std::string doing = absl::StrCat("calling step ", step, " as it was timed");
  CountedCall counted;
  absl::Status status;
  execution::VerifiedCalls calls = {.repeat = options.repeat};
  if (options.cost) {
    calls.around = [&](const std::function<void()>& call) {
      const auto cost = costs::CountCost([&] { return base::CatchTorch(doing, call); });
      status = cost.status();
      if (cost.ok()) counted.cost = *cost;
    };
  }
  const absl::Status called =
      base::CatchTorch(doing, [&] { counted.result = timed.CallVerified(inputs, calls); });
  status.Update(called);
  if (!status.ok()) return status;
  return counted;
}

// Whether the program, called plainly, gives the timed call's other inputs other outputs than these
// inputs. False where it cannot be called so.
absl::StatusOr<bool> TellsInputsApart(const ResolvedCase& c, execution::TimedStep& timed,
                                      const execution::Tensors& inputs, at::Device device,
                                      execution::TensorsRef as_given) {
  execution::Program* const program = timed.CalledProgram();
  if (program == nullptr || !program->RunsEagerly()) return false;
  const BenchmarkCase& b = c.benchmark_case();
  const absl::StatusOr<execution::Tensors> others =
      execution::TimedInputs(c.measured(), b, device, as_given, /*set=*/1);
  if (!others.ok()) return others.status();
  std::vector<uint64_t> digests;
  for (const execution::Tensors* of : {&inputs, &*others}) {
    const absl::StatusOr<execution::Tensors> outputs = PlainOutputs(b.execution(), *program, *of);
    if (!outputs.ok()) return outputs.status();
    const absl::Status read = base::CatchTorch(
        "reading outputs", [&] { digests.push_back(numerics::Fingerprint(*outputs)); });
    if (!read.ok()) return read;
  }
  return digests[0] != digests[1];
}

// Compares the outputs that the step has.
Verdict Compare(const ResolvedCase& c, const KnownCall& known,
                const std::vector<execution::VerifiedOutput>& outputs) {
  std::vector<at::Tensor> all(static_cast<size_t>(c.measured().outputs_size()));
  for (const execution::VerifiedOutput& output : outputs) {
    if (output.place >= all.size()) all.resize(output.place + 1);
    all[output.place] = output.tensor;
  }
  const numerics::ExpectedOutputs declared = ExpectedOf(c.benchmark_case(), c.measured(), all);
  numerics::ExpectedOutputs expected;
  std::vector<at::Tensor> got;
  numerics::ReferenceOutputs reference;
  reference.metadata = known.reference.metadata;
  reference.sha256 = known.reference.sha256;
  for (const execution::VerifiedOutput& output : outputs) {
    got.push_back(output.tensor);
    if (static_cast<int>(output.place) >= declared.size()) continue;  // surplus, which is reported
    const ExpectedOutput& specified = declared[static_cast<int>(output.place)];
    *expected.Add() = specified;
    if (const auto* want = known.reference.Find(specified.name()))
      reference.outputs.push_back(*want);
  }
  const execution::OwnKernels own;
  return numerics::Compare(reference, expected, got, c.benchmark_case().verify(), {}, known.rows);
}

}  // namespace

TimedVerdict CheckTimed(const ResolvedCase& c, execution::Step step, execution::TimedStep& timed,
                        const Truth& truth, at::Device device, const TimedCheckOptions& options) {
  if (!HasVerifiedOutputs(step)) return NotRun(absl::StrCat("step ", step, " has no reference"));
  if (RulesNeedPlain(c)) return NotRun("rule DYNAMO_SAME needs a plain execution beside this one");
  absl::StatusOr<KnownCall> known = truth.For(c.measured(), device);
  if (!known.ok()) return NotRun(known.status().message());
  const absl::StatusOr<CountedCall> called = CallCounted(step, timed, known->inputs, options);
  if (!called.ok()) return Failed(called.status());
  const auto differs = [](Outcome outcome, std::string_view what) {
    return VerdictOf(CHECK_FLAGGED, outcome, absl::StrCat(kNotVerified, what));
  };
  const std::string missing = MissingOutputs(c, step, called->result.outputs);
  if (!missing.empty())
    return differs(FAIL_SHAPE, absl::StrCat("a timed call does not compute ", missing));
  Verdict verdict = Compare(c, *known, called->result.outputs);
  std::optional<Check> choices;
  if (verdict.outcome() == FAIL_ACCURACY && timed.CalledProgram() != nullptr)
    choices = TakeSameChoices(c, c.measured(), *timed.CalledProgram(), *known);
  if (choices && choices->status() == CHECK_OK)
    verdict = Compare(c, *known, called->result.outputs);
  const std::string of_choices = choices ? absl::StrCat("; choices: ", choices->detail()) : "";
  if (verdict.outcome() != PASS)
    return differs(verdict.outcome(), absl::StrCat(verdict.message(), of_choices));
  if (called->result.as_of_others) {
    const absl::StatusOr<bool> apart =
        TellsInputsApart(c, timed, known->inputs, device, options.as_given);
    if (!apart.ok()) return Failed(apart.status());
    if (*apart)
      return differs(FAIL_ACCURACY, "other inputs get the outputs of these, which are remembered");
  }
  if (options.cost && called->cost) {
    const std::string work = MissingWork(*options.cost, *called->cost);
    if (!work.empty()) return differs(FAIL_ACCURACY, work);
  }
  return VerdictOf(
      CHECK_OK, PASS,
      absl::StrCat("a timed call of inputs with a known result: ", WorstText(verdict), of_choices));
}

std::optional<Check> CheckWeights(execution::TimedStep& timed) {
  const execution::Program* const program = timed.CalledProgram();
  if (program == nullptr) return std::nullopt;
  std::optional<double> drift;
  const absl::Status read =
      base::CatchTorch("comparing the weights", [&] { drift = program->Drift(); });
  if (!read.ok()) return CheckOf(kWeightsCheck, CHECK_NOT_RUN, std::string(read.message()));
  if (!drift) return std::nullopt;
  const bool kept = *drift <= kMostDrift;  // not NaN
  return CheckOf(kWeightsCheck, kept ? CHECK_OK : CHECK_FLAGGED,
                 absl::StrFormat("timed calls have moved the weights by %.2g of their norm%s",
                                 *drift, kept ? "" : ": later calls are of another model"));
}

}  // namespace assay::runner

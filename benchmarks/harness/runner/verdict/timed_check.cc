#include "benchmarks/harness/runner/verdict/timed_check.h"

#include <string>
#include <utility>
#include <vector>

#include "absl/status/status.h"
#include "absl/strings/str_cat.h"
#include "benchmarks/harness/base/torch_status.h"
#include "benchmarks/harness/numerics/comparison.h"
#include "benchmarks/harness/runner/verdict/eager_baseline.h"
#include "benchmarks/harness/runner/verdict/output_difference.h"
#include "benchmarks/harness/runner/verdict/run_status.h"

namespace assay::runner {
namespace {

TimedVerdict VerdictOf(CheckStatus status, Outcome outcome, std::string detail) {
  TimedVerdict verdict = {.outcome = outcome};
  verdict.check.set_name(std::string(kTimedCheck));
  verdict.check.set_status(status);
  verdict.check.set_detail(std::move(detail));
  return verdict;
}

TimedVerdict NotRun(std::string_view reason) {
  return VerdictOf(CHECK_NOT_RUN, PASS, std::string(reason));
}

TimedVerdict Failed(const absl::Status& status) {
  return VerdictOf(CHECK_FLAGGED, OutcomeOf(status), std::string(status.message()));
}

// Compares the outputs that the step has.
Verdict Compare(const ResolvedCase& c, const KnownCall& known,
                const std::vector<execution::VerifiedOutput>& outputs) {
  std::vector<at::Tensor> all(static_cast<size_t>(c.measured().outputs_size()));
  for (const execution::VerifiedOutput& output : outputs) {
    if (output.place >= all.size()) all.resize(output.place + 1);
    all[output.place] = output.tensor;
  }
  const numerics::ExpectedOutputs declared = ExpectedOf(c, c.measured(), all);
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
  return numerics::Compare(reference, expected, got, c.benchmark_case().verify(), {}, known.rows);
}

}  // namespace

TimedVerdict CheckTimed(const ResolvedCase& c, execution::Step step, execution::TimedStep& timed,
                        const Truth& truth, at::Device device, bool used_before) {
  if (RulesNeedPlain(c)) return NotRun("rule DYNAMO_SAME needs a plain execution beside this one");
  const absl::StatusOr<KnownCall> known = truth.For(c.measured(), device);
  if (!known.ok()) return NotRun(known.status().message());
  std::vector<execution::VerifiedOutput> outputs;
  const absl::Status called =
      base::CatchTorch(absl::StrCat("calling step ", step, " as it was timed"),
                       [&] { outputs = timed.CallVerified(known->inputs, used_before); });
  if (!called.ok()) return Failed(called);
  if (outputs.empty()) return NotRun(absl::StrCat("step ", step, " has no verified outputs"));
  const Verdict verdict = Compare(c, *known, outputs);
  if (verdict.outcome() == PASS) {
    return VerdictOf(
        CHECK_OK, PASS,
        absl::StrCat("a timed call of inputs with a known result: ", WorstText(verdict)));
  }
  return VerdictOf(CHECK_FLAGGED, verdict.outcome(),
                   absl::StrCat("what was timed is not what was verified: ", verdict.message()));
}

}  // namespace assay::runner

#include "benchmarks/harness/runner/verdict/same_choices.h"

#include <ATen/TensorOperators.h>
#include <ATen/ops/concat.h>
#include <ATen/ops/zeros_like.h>

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_format.h"
#include "benchmarks/harness/base/torch_status.h"
#include "benchmarks/harness/numerics/comparison.h"
#include "benchmarks/harness/programs/seeded_program.h"
#include "benchmarks/harness/runner/verdict/eager_baseline.h"
#include "benchmarks/harness/runner/verdict/operator_truth.h"
#include "benchmarks/harness/runner/verdict/output_difference.h"
#include "models/choices.h"

namespace assay::runner {
namespace {

// In standard deviations. References of 16-bit cases keep float32 numbers, whose rounding is up to 6e-8 of a number.
constexpr double kRmsInFloat64 = 1e-6, kMostInFloat64 = 1e-5;

// One row of scores after another, of all choices.
at::Tensor AllScores(const std::vector<models::Choice>& choices) {
  execution::Tensors all;
  for (const models::Choice& choice : choices)
    all.push_back(choice.scores.to(at::kCPU, at::kDouble).flatten());
  return at::concat(all);
}

numerics::ExpectedOutputs InFloat64(numerics::ExpectedOutputs outputs) {
  for (ExpectedOutput& output : outputs) output.set_dtype(FP64);
  return outputs;
}

Verdict CompareScores(const at::Tensor& got, const at::Tensor& want,
                      const VerifyParameters& limits) {
  numerics::ExpectedOutputs scores;
  ExpectedOutput& output = *scores.Add();
  output.set_name("scores");
  output.set_dtype(FP64);
  output.add_shape(want.numel());
  const absl::StatusOr<numerics::ReferenceOutputs> reference =
      TruthOf("the program", scores, {want});
  if (reference.ok()) return numerics::Compare(*reference, scores, {got}, limits);
  Verdict verdict;
  verdict.set_outcome(FAIL_ARTIFACT);
  verdict.set_message(std::string(reference.status().message()));
  return verdict;
}

struct Differences {
  int64_t choices = 0;  // rows of scores
  int64_t others = 0;   // from which float64 takes others
  double widest = 0;    // by which a score that was left out is above one that was taken
};

// `taken`: its scores are those of float64.
Differences DifferencesOf(const std::vector<models::Choice>& taken) {
  Differences found;
  for (const models::Choice& choice : taken) {
    const at::Tensor scores = choice.scores;
    const at::Tensor mine = at::zeros_like(scores, at::kBool).scatter_(1, choice.places, true);
    const at::Tensor worst = scores.masked_fill(mine.logical_not(), HUGE_VAL).amin(1);
    const at::Tensor best = scores.masked_fill(mine, -HUGE_VAL).amax(1);
    const at::Tensor above = (best - worst).clamp_min(0);
    found.choices += scores.size(0);
    found.others += above.gt(0).sum().item<int64_t>();
    if (above.numel() > 0) found.widest = std::max(found.widest, above.max().item<double>());
  }
  return found;
}

Check CheckOf(CheckStatus status, std::string detail) {
  Check check;
  check.set_name("choices");
  check.set_status(status);
  check.set_detail(std::move(detail));
  return check;
}

absl::StatusOr<Check> Judged(const ResolvedCase& c, const Workload& workload,
                             execution::Program& program,
                             const std::vector<models::Choice>& choices, KnownCall& known) {
  const VerifyParameters& limits = c.benchmark_case().verify();
  const auto copy = execution::CopyOf(program, c, workload, FP64);
  if (!copy.ok()) return copy.status();
  const absl::StatusOr<execution::Tensors> own = OutputsInFloat64(**copy, known.inputs);
  if (!own.ok()) return own.status();
  VerifyParameters narrow = limits;
  narrow.set_rms_limit(std::min(kRmsInFloat64, limits.rms_limit()));
  narrow.set_max_limit(std::min(kMostInFloat64, limits.max_limit()));
  const Verdict of_own = numerics::Compare(known.reference, InFloat64(workload.outputs()), *own,
                                           narrow, {}, known.rows);
  if (of_own.outcome() != PASS) {
    return CheckOf(CHECK_FLAGGED,
                   absl::StrCat("in float64, with choices of its own, the program does not give "
                                "the reference: ",
                                of_own.message()));
  }
  const models::WatchedChoices followed(choices);
  const absl::StatusOr<execution::Tensors> same = OutputsInFloat64(**copy, known.inputs);
  if (!same.ok()) return same.status();
  const at::Tensor want = AllScores(followed.all());
  const Verdict of_scores = CompareScores(AllScores(choices), want, limits);
  if (of_scores.outcome() != PASS)
    return CheckOf(CHECK_FLAGGED, absl::StrCat("of the scores: ", of_scores.message()));
  absl::StatusOr<numerics::ReferenceOutputs> reference =
      TruthOf("the program", workload.outputs(), *same);
  if (!reference.ok()) return reference.status();
  reference->metadata = known.reference.metadata;
  reference->sha256 = known.reference.sha256;
  known.reference = *std::move(reference);
  known.rows.clear();
  const Differences found = DifferencesOf(followed.all());
  return CheckOf(
      CHECK_OK,
      absl::StrFormat(
          "compared with float64 that makes the same choices; of %d choices %d are others than "
          "those of "
          "float64, which are better by up to %.2g of the scores' std; scores are right: %s; with "
          "choices of its own float64 gives the reference: %s",
          found.choices, found.others, found.widest / want.std(false).item<double>(),
          WorstText(of_scores), WorstText(of_own)));
}

}  // namespace

std::optional<Check> TakeSameChoices(const ResolvedCase& c, const Workload& workload,
                                     execution::Program& program, KnownCall& known) {
  const BenchmarkCase& b = c.benchmark_case();
  if (!program.RunsEagerly() || program.Differentiates() || !b.execution().lowering().empty() ||
      b.verify().rule() != RELATIVE_TO_STD)
    return std::nullopt;
  std::vector<models::Choice> choices;
  {
    const models::WatchedChoices watched;
    const absl::StatusOr<execution::Tensors> outputs =
        PlainOutputs(b.execution(), program, known.inputs);
    if (!outputs.ok()) return CheckOf(CHECK_NOT_RUN, std::string(outputs.status().message()));
    choices = watched.all();
  }
  if (choices.empty()) return std::nullopt;
  absl::StatusOr<Check> check = absl::InternalError("");
  const absl::Status status = base::CatchTorch("computing the same choices in float64", [&] {
    check = Judged(c, workload, program, choices, known);
  });
  if (!status.ok()) return CheckOf(CHECK_NOT_RUN, std::string(status.message()));
  if (!check.ok()) return CheckOf(CHECK_NOT_RUN, std::string(check.status().message()));
  return *std::move(check);
}

}  // namespace assay::runner

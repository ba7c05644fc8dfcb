#include "benchmarks/harness/runner/verification.h"

#include <ATen/ops/equal.h>
#include <ATen/ops/isfinite.h>

#include <algorithm>
#include <memory>
#include <optional>
#include <string_view>
#include <utility>
#include <vector>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "absl/time/clock.h"
#include "absl/time/time.h"
#include "benchmarks/harness/execution/executable.h"
#include "benchmarks/harness/execution/seeded_executable.h"
#include "benchmarks/harness/execution/seeded_model.h"
#include "benchmarks/harness/numerics/comparison.h"
#include "benchmarks/harness/numerics/reference.h"
#include "benchmarks/harness/numerics/torch_status.h"
#include "benchmarks/harness/record/outcome.h"

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
  for (size_t i = 0; i < std::min(first.size(), second.size()); ++i) {
    if (at::isfinite(first[i]).all().item<bool>() && !at::equal(first[i], second[i]))
      return static_cast<int>(i);
  }
  return -1;
}

// What every verdict says, whatever came of it.
Verdict WithCase(const ResolvedCase& c, Verdict verdict) {
  verdict.set_verified_batch(c.verified().batch());
  verdict.set_rule(c.benchmark_case().verify().rule());
  verdict.set_limits_provenance(c.benchmark_case().verify().provenance());
  *verdict.mutable_reference() = c.reference();
  return verdict;
}

// The verified call, with the inputs given or, where there are none, the seeded ones.
absl::StatusOr<std::unique_ptr<execution::Executable>> PrepareWith(const ResolvedCase& c,
                                                                   models::Model& model,
                                                                   at::Device device,
                                                                   std::vector<at::Tensor> inputs) {
  const BenchmarkCase& b = c.benchmark_case();
  if (inputs.empty()) return execution::PrepareSeeded(b, c.verified(), model, device);
  const absl::Status moved = numerics::CatchTorch("moving the inputs", [&] {
    for (at::Tensor& input : inputs) input = input.to(device);
  });
  if (!moved.ok()) return moved;
  return execution::Prepare(b.backend(), model, std::move(inputs));
}

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

}  // namespace

Outcome OutcomeOf(const absl::Status& status) {
  if (status.ok()) return PASS;
  if (absl::IsResourceExhausted(status)) return OUT_OF_MEMORY;
  // DataLoss: a clock gave a reading that cannot be.
  if (absl::IsUnavailable(status) || absl::IsDataLoss(status)) return DEVICE_LOST;
  if (absl::IsCancelled(status)) return INTERRUPTED;
  return CRASH;
}

Verdict Verify(const ResolvedCase& c, models::Model& model, at::Device device,
               const std::string& reference_path) {
  if (c.reference().sha256().empty() || reference_path.empty()) {
    return WithCase(c, VerdictOf(ARTIFACT_UNAVAILABLE,
                                 absl::StrCat("no row '", c.reference().key(),
                                              "' in artifacts/lock.bzl; make it: tools/bazel run "
                                              "//tools:generate_artifacts -- --filter='^",
                                              c.reference().key(), "$'")));
  }
  const absl::StatusOr<numerics::ReferenceOutputs> reference =
      numerics::ReadReference(reference_path, c.reference().sha256());
  if (!reference.ok()) {
    return WithCase(c, VerdictOf(numerics::ReferenceOutcome(reference.status()),
                                 std::string(reference.status().message())));
  }
  return VerifyAgainst(c, model, device, {}, *reference);
}

Verdict VerifyAgainst(const ResolvedCase& c, models::Model& model, at::Device device,
                      std::vector<at::Tensor> inputs, const numerics::ReferenceOutputs& reference) {
  const BenchmarkCase& b = c.benchmark_case();
  const auto executable = PrepareWith(c, model, device, std::move(inputs));
  if (!executable.ok()) return WithCase(c, VerdictOf(executable.status()));
  const absl::Time first_call = absl::Now();
  const absl::StatusOr<std::vector<at::Tensor>> outputs = execution::CallOnce(**executable);
  if (!outputs.ok()) return WithCase(c, VerdictOf(outputs.status()));
  const double first_call_s = absl::ToDoubleSeconds(absl::Now() - first_call);
  const auto finish = [&](Verdict result) {
    result.set_first_call_s(first_call_s);
    return WithCase(c, std::move(result));
  };
  const absl::StatusOr<std::vector<at::Tensor>> again = execution::CallOnce(**executable);
  if (!again.ok()) return finish(VerdictOf(again.status()));
  const int different = FirstDifference(*outputs, *again);
  if (different >= 0) {
    return finish(
        VerdictOf(NONDETERMINISTIC_BASELINE, absl::StrCat("output \"", OutputNames(c)[different],
                                                          "\" differs between two equal calls")));
  }
  return finish(numerics::Compare(reference, c.verified().outputs(), *outputs, b.verify()));
}

Verdict Smoke(const ResolvedCase& c, at::Device device) {
  auto model = execution::SeededModel(c.implementation(), c.smoke(), c.benchmark_case().seed());
  if (!model.ok()) return VerdictOf(model.status());
  const absl::Status moved = execution::Move(**model, device, c.benchmark_case().dtype());
  if (!moved.ok()) return VerdictOf(moved);
  const auto executable = execution::PrepareSeeded(c.benchmark_case(), c.smoke(), **model, device);
  if (!executable.ok()) return VerdictOf(executable.status());
  const absl::StatusOr<std::vector<at::Tensor>> outputs = execution::CallOnce(**executable);
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
  return VerdictOf(NOT_VERIFIED,
                   "smoke: one call of the small model gave finite outputs of the right shape and "
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

#include "benchmarks/harness/record/outcome.h"

#include <cstdint>
#include <string>

#include "absl/status/status.h"
#include "absl/strings/numbers.h"
#include "absl/strings/str_format.h"
#include "absl/strings/strip.h"

namespace assay::record {
namespace {

// "EXCEPTION_RAISED" is what its verifier says of any failure of the run under test.
constexpr OutcomeWord kPyTorchXlaWords[] = {
    {PASS, "PASS"},
    {FAIL_ACCURACY, "FAIL"},
    {FAIL_SHAPE, "FAIL"},
    {FAIL_DTYPE, "FAIL"},
    {FAIL_NONFINITE, "FAIL"},
    {NONDETERMINISTIC_BASELINE, "NONDETERMINISTIC_EAGER_RUN"},
    {FAIL_ARTIFACT, "EAGER_FAILED"},
    {CRASH, "EXCEPTION_RAISED"},
    {SKIPPED_DECLARED, "VERIFIER_SKIPPED"},
    {NOT_VERIFIED, "VERIFIER_DIDNT_RUN"},
    {ARTIFACT_UNAVAILABLE, "VERIFIER_DIDNT_RUN"},
    {NO_DEVICE, "VERIFIER_DIDNT_RUN"},
    {TIMEOUT, "VERIFIER_DIDNT_RUN"},
    {INTERRUPTED, "VERIFIER_DIDNT_RUN"},
};

constexpr OutcomeWord kPyTorchXla2024Words[] = {
    {PASS, "PASS"},
    {FAIL_ACCURACY, "FAIL"},
    {FAIL_SHAPE, "FAIL"},
    {FAIL_DTYPE, "FAIL"},
    {FAIL_NONFINITE, "FAIL"},
    {NONDETERMINISTIC_BASELINE, "NONDETERMINISTIC_EAGER_RUN"},
    {CRASH, "VERIFICATION_FAILED"},
    {FAIL_ARTIFACT, "CANNOT_PROCEED_WITH_VERIFICATION"},
    {ARTIFACT_UNAVAILABLE, "CANNOT_PROCEED_WITH_VERIFICATION"},
    {NO_DEVICE, "NO_OUTPUT_PROVIDED"},
    {TIMEOUT, "NO_OUTPUT_PROVIDED"},
    {INTERRUPTED, "NO_OUTPUT_PROVIDED"},
    {SKIPPED_DECLARED, "SKIP_VERIFICATION"},
    {NOT_VERIFIED, "SKIP_VERIFICATION"},
};

constexpr OutcomeWord kTorchDynamoWords[] = {
    {PASS, "pass"},
    {SKIPPED_DECLARED, "pass_due_to_skip"},
    {FAIL_ACCURACY, "fail_accuracy"},
    {FAIL_ACCURACY, "not_bitwise_equivalent"},
    {FAIL_SHAPE, "fail_accuracy"},
    {FAIL_DTYPE, "fail_accuracy"},
    {FAIL_NONFINITE, "fail_accuracy"},
    {NONDETERMINISTIC_BASELINE, "eager_two_runs_differ"},
    {OUT_OF_MEMORY, "OOM"},
    {OUT_OF_MEMORY, "eager_1st_run_OOM"},
    {OUT_OF_MEMORY, "eager_2nd_run_OOM"},
    {TIMEOUT, "timeout"},
    {CRASH, "fail_to_run"},
    {CRASH, "eager_1st_run_fail"},
    {CRASH, "eager_2nd_run_fail"},
    {CRASH, "eager_fail_to_run"},
    {CRASH, "model_fail_to_load"},
};
// A word with a number in it: the batch size at which the outputs changed.
constexpr std::string_view kBatchInvariancePrefix = "fail_batch_invariance_at_";

// The keys of a result in its JSON: one of the two is there.
constexpr OutcomeWord kOpenXlaWords[] = {
    {NOT_VERIFIED, "metrics"}, {PASS, "metrics"}, {CRASH, "error"}};

// Its word for a run that gave nothing, for outcomes without a word of their own.
std::string_view FailedRun(System system) {
  switch (system) {
    case System::kPyTorchXla:
      return "EXCEPTION_RAISED";
    case System::kPyTorchXla2024:
      return "VERIFICATION_FAILED";
    case System::kTorchDynamo:
    case System::kIntelXpu:
      return "fail_to_run";
    case System::kOpenXla:
      return "error";
    case System::kParam:
      return "";
  }
  return "";
}

}  // namespace

int ExitCode(Outcome outcome) {
  switch (outcome) {
    case PASS:
    case SKIPPED_DECLARED:
    case NOT_VERIFIED:
      return 0;
    case FAIL_ARTIFACT:
    case ARTIFACT_UNAVAILABLE:
    case NO_DEVICE:
    case DEVICE_LOST:
    case OUT_OF_MEMORY:
    case TIMEOUT:
    case INTERRUPTED:
    case RECORD_FAILED:
      return 2;
    default:
      return 1;
  }
}

std::string_view OutcomeName(Outcome outcome) { return Outcome_Name(outcome); }

absl::Span<const OutcomeWord> Words(System system) {
  switch (system) {
    case System::kPyTorchXla:
      return kPyTorchXlaWords;
    case System::kPyTorchXla2024:
      return kPyTorchXla2024Words;
    case System::kTorchDynamo:
    case System::kIntelXpu:
      return kTorchDynamoWords;
    case System::kOpenXla:
      return kOpenXlaWords;
    case System::kParam:
      return {};
  }
  return {};
}

std::string_view NameIn(System system, Outcome outcome) {
  for (const OutcomeWord& entry : Words(system)) {
    if (entry.outcome == outcome) return entry.word;
  }
  return FailedRun(system);
}

absl::StatusOr<Outcome> FromNameIn(System system, std::string_view word) {
  for (const OutcomeWord& entry : Words(system)) {
    if (entry.word == word) return entry.outcome;
  }
  const bool dynamo = system == System::kTorchDynamo || system == System::kIntelXpu;
  int64_t batch = 0;
  std::string_view number = word;
  if (dynamo && absl::ConsumePrefix(&number, kBatchInvariancePrefix) &&
      absl::SimpleAtoi(number, &batch) && batch > 0)
    return FAIL_ACCURACY;
  return absl::NotFoundError(absl::StrFormat("no outcome is known for the word \"%s\"", word));
}

}  // namespace assay::record

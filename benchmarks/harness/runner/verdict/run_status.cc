#include "benchmarks/harness/runner/verdict/run_status.h"

#include <optional>
#include <string>

#include "absl/strings/cord.h"

namespace assay::runner {
namespace {

// The key of the payload that holds a status's outcome.
constexpr char kOutcome[] = "assay/outcome";
constexpr char kUsage[] = "assay/usage";

}  // namespace

absl::Status Ended(Outcome outcome, std::string_view message) {
  absl::Status status(absl::StatusCode::kAborted, message);
  status.SetPayload(kOutcome, absl::Cord(Outcome_Name(outcome)));
  return status;
}

absl::Status UsageError(std::string_view message) {
  absl::Status status(absl::StatusCode::kInvalidArgument, message);
  status.SetPayload(kUsage, absl::Cord());
  return status;
}

bool IsUsageError(const absl::Status& status) { return status.GetPayload(kUsage).has_value(); }

Outcome OutcomeOf(const absl::Status& status) {
  if (status.ok()) return PASS;
  if (const std::optional<absl::Cord> name = status.GetPayload(kOutcome)) {
    Outcome outcome = CRASH;
    Outcome_Parse(std::string(*name), &outcome);
    return outcome;
  }
  switch (status.code()) {
    case absl::StatusCode::kResourceExhausted:
      return OUT_OF_MEMORY;
    case absl::StatusCode::kUnavailable:
    case absl::StatusCode::kDataLoss:  // a clock gave a reading that cannot be
      return DEVICE_LOST;
    case absl::StatusCode::kCancelled:
      return INTERRUPTED;
    default:
      return CRASH;
  }
}

}  // namespace assay::runner

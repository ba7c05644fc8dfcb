#include "benchmarks/operators/param/error_class.h"

#include "absl/strings/cord.h"
#include "benchmarks/harness/base/exit_code.h"
#include "benchmarks/harness/record/outcome.h"
#include "defs/proto/record.pb.h"

namespace assay::param {
namespace {

constexpr char kPayload[] = "assay.param.error_class";

}  // namespace

absl::Status Classed(std::string_view error_class, absl::Status status) {
  if (!status.ok() && !status.GetPayload(kPayload))
    status.SetPayload(kPayload, absl::Cord(error_class));
  return status;
}

std::string ClassOf(const absl::Status& status) {
  if (const auto payload = status.GetPayload(kPayload)) return std::string(*payload);
  switch (status.code()) {
    case absl::StatusCode::kResourceExhausted:
      return "OUT_OF_MEMORY";
    case absl::StatusCode::kUnavailable:
      return "DEVICE_LOST";
    case absl::StatusCode::kCancelled:
      return "INTERRUPTED";
    default:
      return "OPERATOR_REFUSED";
  }
}

std::string ClassOf(const processes::LostItem& lost) {
  if (lost.end.ending == processes::Ending::kInterrupted) return "INTERRUPTED";
  if (lost.timed_out) return "TIMEOUT";
  return lost.end.out_of_memory ? "OUT_OF_MEMORY" : "CRASH";
}

int ExitCodeOf(std::string_view error_class) {
  Outcome outcome;
  return Outcome_Parse(std::string(error_class), &outcome) ? record::ExitCode(outcome)
                                                           : base::kUsageError;
}

}  // namespace assay::param

#include "benchmarks/harness/record/outcome.h"

namespace assay::record {

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

}  // namespace assay::record

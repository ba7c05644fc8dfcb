#include "benchmarks/harness/record/outcome.h"

#include <google/protobuf/descriptor.h>

namespace assay::record {

int ExitCode(Outcome outcome) {
  const auto* known = Outcome_descriptor()->FindValueByNumber(outcome);
  const bool says = known != nullptr && known->options().HasExtension(exit_code);
  return says ? known->options().GetExtension(exit_code) : 1;
}

std::string_view OutcomeName(Outcome outcome) { return Outcome_Name(outcome); }

}  // namespace assay::record

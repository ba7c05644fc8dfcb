// -----------------------------------------------------------------------------
// File: outcome.h
// -----------------------------------------------------------------------------
//
// The exit code of an Outcome, as record.proto has it beside the name.
//
// The exit code says what is at fault: 0 nothing, 1 the product, 2 the machine or a file. (3, a
// wrong command line, is not an outcome: no case was run.) A machine without the device asked for
// exits with 2, never with 0.
//
// Not for deciding an outcome: that is the comparison's and the runner's job.
//
//   return assay::record::ExitCode(record.outcome());

#ifndef ASSAY_BENCHMARKS_HARNESS_RECORD_OUTCOME_H_
#define ASSAY_BENCHMARKS_HARNESS_RECORD_OUTCOME_H_

#include <string_view>

#include "defs/proto/record.pb.h"

namespace assay::record {

// 0, 1 or 2. OUTCOME_UNSPECIFIED, which no finished run has, is 1, and so is an outcome that is not known or says no code.
int ExitCode(Outcome outcome);

// The enum's own spelling: "FAIL_ACCURACY".
std::string_view OutcomeName(Outcome outcome);

}  // namespace assay::record

#endif  // ASSAY_BENCHMARKS_HARNESS_RECORD_OUTCOME_H_

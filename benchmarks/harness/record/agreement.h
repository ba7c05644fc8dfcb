#ifndef ASSAY_BENCHMARKS_HARNESS_RECORD_AGREEMENT_H_
#define ASSAY_BENCHMARKS_HARNESS_RECORD_AGREEMENT_H_

// ---------------------------------------------------------------------------------------------
// agreement.h: whether the parts of a record say the same. A record that says PASS and holds a
// comparison that failed was edited, or its writer is broken: it is no result.
//
// tools/results/agreement.py asks the same of the same lines (testdata/hostile.jsonl).
//
// Not for: judging outputs (numerics/comparison.h).
//
// Example:
//   if (absl::Status status = CheckAgreement(record); !status.ok()) return status;
// ---------------------------------------------------------------------------------------------

#include "absl/status/status.h"
#include "defs/proto/record.pb.h"

namespace assay::record {

// InvalidArgument, with both parts, where the record or its verdict says PASS and: the verdict has
// another outcome; an output has another one or, by rule RELATIVE_TO_STD, wrong elements or an error
// beyond its limit; a check of the verdict is FLAGGED; or no majority of the comparisons passed. Also
// if the record says PASS, and a reply under load was wrong, was lost or came twice.
// It also fails if the end of a suite's run has an outcome, which would be overlooked.
absl::Status CheckAgreement(const Record& record);

}  // namespace assay::record

#endif  // ASSAY_BENCHMARKS_HARNESS_RECORD_AGREEMENT_H_

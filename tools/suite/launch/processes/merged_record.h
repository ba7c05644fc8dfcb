// -----------------------------------------------------------------------------
// File: merged_record.h
// -----------------------------------------------------------------------------
//
// Merges the records of several processes that ran the same configuration. For each mode and step,
// the median is the median of the processes' medians, and the interval is computed from these. So
// it covers what differs from process to process (memory layout, other load), which the samples of
// one process cannot show. All samples are kept, in the order of the processes.
//
// An interval takes 6 processes (statistics/median_interval.h); with fewer it is left out, and a
// check says so. The outcome is the worst.
//
//   Record merged = MergedRecord(records, /*planned=*/10);

#ifndef ASSAY_TOOLS_SUITE_LAUNCH_PROCESSES_MERGED_RECORD_H_
#define ASSAY_TOOLS_SUITE_LAUNCH_PROCESSES_MERGED_RECORD_H_

#include <vector>

#include "defs/proto/record.pb.h"

namespace assay::suite {

// Merges at least one record. `planned` is how many processes were to run; fewer ran if one failed.
Record MergedRecord(const std::vector<Record>& records, int planned);

// Whether `a` is the worse of two outcomes. A fault of the product is worse than one of the
// machine, and both are worse than a right result.
bool IsWorse(Outcome a, Outcome b);

}  // namespace assay::suite

#endif  // ASSAY_TOOLS_SUITE_LAUNCH_PROCESSES_MERGED_RECORD_H_

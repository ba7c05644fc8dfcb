// -----------------------------------------------------------------------------
// File: merged_record.h
// -----------------------------------------------------------------------------
//
// One record of several processes that ran the same configuration. Of each mode and step, the median
// is that of the processes' medians, and its interval is about them: what differs from process to
// process (layout, allocation, the machine's hour) is in it, which the samples of one process say
// nothing of. All samples stay, in the order of the processes.
//
// An interval takes 6 processes (statistics/median_interval.h); with fewer it is left out, and a
// check says so. The outcome is the worst.
//
//   Record merged = MergedRecord(records, /*planned=*/10);

#ifndef ASSAY_TOOLS_SUITE_LAUNCH_MERGED_RECORD_H_
#define ASSAY_TOOLS_SUITE_LAUNCH_MERGED_RECORD_H_

#include <vector>

#include "defs/record.pb.h"

namespace assay::suite {

// Of at least one record. `planned` is how many processes were to run: fewer have, where one failed.
Record MergedRecord(const std::vector<Record>& records, int planned);

// Whether `a` is the worse of two outcomes: the product's fault before the surroundings', and both
// before what is right.
bool IsWorse(Outcome a, Outcome b);

}  // namespace assay::suite

#endif  // ASSAY_TOOLS_SUITE_LAUNCH_MERGED_RECORD_H_

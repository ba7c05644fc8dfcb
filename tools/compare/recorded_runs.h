// -----------------------------------------------------------------------------
// File: recorded_runs.h
// -----------------------------------------------------------------------------
//
// Compares runs that are over: two files of records, each line one process.
//
// The runs were not made in pairs, so it is Welch's t on the processes' log medians. What the files
// cannot say is said with the result: in which order the runs were made, and whether the machine
// drifted between them. With one process a side there is no verdict at all: samples of one process
// know nothing of the next one, and the more samples the falser the alarm.
//
// Not for runs that can still be made: a campaign (campaign.h) sees much more with the same effort.
//
//   absl::StatusOr<RecordedRuns> runs = CompareRecords("old.jsonl", "new.jsonl", options, ".*");

#ifndef ASSAY_TOOLS_COMPARE_RECORDED_RUNS_H_
#define ASSAY_TOOLS_COMPARE_RECORDED_RUNS_H_

#include <string>
#include <vector>

#include "absl/status/statusor.h"
#include "benchmarks/harness/record/record_file.h"
#include "tools/compare/campaign.h"

namespace assay::compare {

struct RecordedRuns {
  CampaignResult result;
  std::vector<std::string> notes;
};

// `options.rules.looks` is taken as 1: there are no extra rounds. InvalidArgument where no case
// of the baseline matches `regex` (empty: all); NotFound or DataLoss for a file that cannot be read.
absl::StatusOr<RecordedRuns> CompareRecords(const std::string& baseline_path,
                                            const std::string& candidate_path,
                                            const CampaignOptions& options,
                                            const std::string& regex);

// The same of files that are already read.
absl::StatusOr<RecordedRuns> CompareRecords(const record::RecordFile& baseline,
                                            const record::RecordFile& candidate,
                                            const CampaignOptions& options,
                                            const std::string& regex);

}  // namespace assay::compare

#endif  // ASSAY_TOOLS_COMPARE_RECORDED_RUNS_H_

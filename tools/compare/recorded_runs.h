// -----------------------------------------------------------------------------
// File: recorded_runs.h
// -----------------------------------------------------------------------------
//
// Compares runs that are over: two files of records, each line one process.
//
// The runs were not made in pairs, so the test is Welch's t on the processes' log medians. The
// result says what the files cannot show: the order of the runs, and whether the machine drifted
// between them. With one process a side there is no verdict: samples of one process say nothing
// about the next one, and more samples only make false alarms more certain.
//
// Runs with other variables of the environment are refused, like those on another machine. Processes
// that compare starts itself inherit the same ones, so there a difference is the program's own.
//
// Not for runs that can still be made: a campaign (campaign.h) finds much smaller differences with
// the same effort.
//
//   absl::StatusOr<RecordedRuns> runs = CompareRecords("old.jsonl", "new.jsonl", options, ".*");

#ifndef ASSAY_TOOLS_COMPARE_RECORDED_RUNS_H_
#define ASSAY_TOOLS_COMPARE_RECORDED_RUNS_H_

#include <string>
#include <vector>

#include "absl/status/statusor.h"
#include "benchmarks/harness/record/record_file.h"
#include "tools/compare/decision/campaign.h"

namespace assay::compare {

struct RecordedRuns {
  CampaignResult result;
  std::vector<std::string> notes;
};

// `options.rules.looks` counts as 1: there are no extra rounds. InvalidArgument if no case of the
// baseline matches `regex` (empty: all); NotFound or DataLoss for a file that cannot be read.
absl::StatusOr<RecordedRuns> CompareRecords(const std::string& baseline_path,
                                            const std::string& candidate_path,
                                            const CampaignOptions& options,
                                            const std::string& regex);

// The same for files that have been read.
absl::StatusOr<RecordedRuns> CompareRecords(const record::RecordFile& baseline,
                                            const record::RecordFile& candidate,
                                            const CampaignOptions& options,
                                            const std::string& regex);

}  // namespace assay::compare

#endif  // ASSAY_TOOLS_COMPARE_RECORDED_RUNS_H_

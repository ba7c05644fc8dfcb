// -----------------------------------------------------------------------------
// File: progress.h
// -----------------------------------------------------------------------------
//
// The text of a comparison's progress line (benchmarks/harness/output/progress_line.h).
//
//   [##########..............]  41 %  17 of 42 processes  about 9 s left  mlp_fp32_b1, pair 8 of 20
//
//   line.Show(ProgressText(progress, absl::Now() - start), absl::Now());

#ifndef ASSAY_TOOLS_COMPARE_REPORT_PROGRESS_H_
#define ASSAY_TOOLS_COMPARE_REPORT_PROGRESS_H_

#include <string>

#include "absl/time/time.h"
#include "tools/compare/decision/campaign.h"

namespace assay::compare {

// The line's text. What is left is what was planned, at the pace so far.
std::string ProgressText(const CampaignProgress& progress, absl::Duration elapsed);

}  // namespace assay::compare

#endif  // ASSAY_TOOLS_COMPARE_REPORT_PROGRESS_H_

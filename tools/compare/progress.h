// -----------------------------------------------------------------------------
// File: progress.h
// -----------------------------------------------------------------------------
//
// How far a comparison is, on standard error: on a terminal one line that is rewritten, else a line
// about every ten seconds.
//
//   [##########..............]  41 %  17 of 42 processes  about 9 s left  mlp_fp32_b1, pair 8 of 20
//
// Not for results: those go to standard output.
//
//   ProgressLine line(isatty(2));
//   line.Show(progress, absl::Now());

#ifndef ASSAY_TOOLS_COMPARE_PROGRESS_H_
#define ASSAY_TOOLS_COMPARE_PROGRESS_H_

#include <ostream>
#include <string>

#include "absl/time/time.h"
#include "tools/compare/campaign.h"

namespace assay::compare {

// The line's text: what is left is what was planned, at the pace so far.
std::string ProgressText(const CampaignProgress& progress, absl::Duration elapsed);

class ProgressLine {
 public:
  ProgressLine(std::ostream& out, bool terminal, absl::Time start)
      : out_(out), terminal_(terminal), start_(start), last_(start) {}

  void Show(const CampaignProgress& progress, absl::Time now);
  void Clear();  // removes the line from the terminal

 private:
  std::ostream& out_;
  const bool terminal_;
  const absl::Time start_;
  absl::Time last_;
};

}  // namespace assay::compare

#endif  // ASSAY_TOOLS_COMPARE_PROGRESS_H_

#include "tools/compare/report/progress.h"

#include <algorithm>

#include "absl/strings/str_cat.h"
#include "benchmarks/harness/output/progress_line.h"

namespace assay::compare {

std::string ProgressText(const CampaignProgress& progress, absl::Duration elapsed) {
  const int planned = std::max({progress.planned, progress.done, 1});
  const double share = static_cast<double>(progress.done) / planned;
  std::string text =
      absl::StrCat(output::Bar(share), "  ", progress.done, " of ", planned, " processes");
  if (progress.done > 0) {
    const absl::Duration left = elapsed / progress.done * (planned - progress.done);
    absl::StrAppend(&text, "  about ", absl::FormatDuration(absl::Ceil(left, absl::Seconds(1))),
                    " left");
    if (progress.at_most > planned) {
      const absl::Duration most = elapsed / progress.done * (progress.at_most - progress.done);
      absl::StrAppend(&text, " (at most ", absl::FormatDuration(absl::Ceil(most, absl::Seconds(1))),
                      ")");
    }
  }
  return absl::StrCat(text, "  ", progress.doing);
}

}  // namespace assay::compare

#include "tools/compare/progress.h"

#include <algorithm>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_format.h"

namespace assay::compare {

std::string ProgressText(const CampaignProgress& progress, absl::Duration elapsed) {
  const int planned = std::max({progress.planned, progress.done, 1});
  const double share = static_cast<double>(progress.done) / planned;
  constexpr int kWidth = 24;
  const int filled = static_cast<int>(share * kWidth);
  std::string text =
      absl::StrFormat("[%s%s] %3.0f %%  %d of %d processes", std::string(filled, '#'),
                      std::string(kWidth - filled, '.'), share * 100, progress.done, planned);
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

void ProgressLine::Show(const CampaignProgress& progress, absl::Time now) {
  if (!terminal_ && now - last_ < absl::Seconds(10)) return;
  last_ = now;
  const std::string text = ProgressText(progress, now - start_);
  if (terminal_) {
    out_ << "\r\033[K" << text << std::flush;
  } else {
    out_ << text << '\n' << std::flush;
  }
}

void ProgressLine::Clear() {
  if (terminal_) out_ << "\r\033[K" << std::flush;
}

}  // namespace assay::compare

#include "benchmarks/harness/output/progress_line.h"

#include <algorithm>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_format.h"

namespace assay::output {

std::string Bar(double share) {
  constexpr int kWidth = 24;
  share = std::clamp(share, 0.0, 1.0);
  const int filled = static_cast<int>(share * kWidth);
  return absl::StrFormat("[%s%s] %3.0f %%", std::string(filled, '#'),
                         std::string(kWidth - filled, '.'), share * 100);
}

std::string ProgressText(size_t done, size_t of, double left_s, std::string_view doing) {
  std::string text =
      absl::StrCat(Bar(of == 0 ? 1 : static_cast<double>(done) / static_cast<double>(of)), "  ",
                   done, " of ", of);
  if (left_s >= 0) {
    absl::StrAppend(&text, "  about ",
                    absl::FormatDuration(absl::Ceil(absl::Seconds(left_s), absl::Seconds(1))),
                    " left");
  }
  return absl::StrCat(text, "  ", doing);
}

void ProgressLine::Show(std::string_view text, absl::Time now) {
  if (!terminal_ && now - last_ < absl::Seconds(10)) return;
  last_ = now;
  if (terminal_) {
    out_ << "\r\033[K" << text << std::flush;
  } else {
    out_ << text << '\n' << std::flush;
  }
}

void ProgressLine::Clear() {
  if (terminal_) out_ << "\r\033[K" << std::flush;
}

}  // namespace assay::output

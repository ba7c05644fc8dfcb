// -----------------------------------------------------------------------------
// File: progress_line.h
// -----------------------------------------------------------------------------
//
// Shows a program's progress: on a terminal one line that is rewritten, else a line about every ten
// seconds.
//
// Not for results: those stay.
//
//   ProgressLine line(std::cerr, isatty(2), absl::Now());
//   line.Show(absl::StrCat(Bar(0.5), "  1 of 2"), absl::Now());   // [############............]  50 %  1 of 2

#ifndef ASSAY_TOOLS_OUTPUT_PROGRESS_LINE_H_
#define ASSAY_TOOLS_OUTPUT_PROGRESS_LINE_H_

#include <ostream>
#include <string>
#include <string_view>

#include "absl/time/time.h"

namespace assay::output {

// "[######..................]  25 %". `share` is 0 to 1.
std::string Bar(double share);

class ProgressLine {
 public:
  ProgressLine(std::ostream& out, bool terminal, absl::Time start)
      : out_(out), terminal_(terminal), last_(start) {}

  void Show(std::string_view text, absl::Time now);
  void Clear();  // removes the line from the terminal

 private:
  std::ostream& out_;
  const bool terminal_;
  absl::Time last_;
};

}  // namespace assay::output

#endif  // ASSAY_TOOLS_OUTPUT_PROGRESS_LINE_H_

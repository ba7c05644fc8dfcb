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
//   line.Show(ProgressText(1, 2, 9, "mlp"), absl::Now());   // [############............]  50 %  1 of 2  about 9s left  mlp

#ifndef ASSAY_TOOLS_OUTPUT_PROGRESS_LINE_H_
#define ASSAY_TOOLS_OUTPUT_PROGRESS_LINE_H_

#include <cstddef>
#include <ostream>
#include <string>
#include <string_view>

#include "absl/time/time.h"

namespace assay::output {

// "[######..................]  25 %". `share` is 0 to 1.
std::string Bar(double share);

// "[######......]  25 %  4 of 16  about 1m20s left  mlp_fp32_b1". A negative `left_s` is unknown.
std::string ProgressText(size_t done, size_t of, double left_s, std::string_view doing);

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

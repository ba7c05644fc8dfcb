#ifndef ASSAY_BENCHMARKS_HARNESS_RUNNER_OUTPUT_PLOTTING_H_
#define ASSAY_BENCHMARKS_HARNESS_RUNNER_OUTPUT_PLOTTING_H_

// ---------------------------------------------------------------------------------------------
// plotting.h: --plot=FILE: has //tools:report draw the record of a run: its samples as SVG or PNG,
// or the whole page as HTML.
//
// A runner draws nothing itself and does not depend on that program, which needs Python packages:
// tools/bazel builds it when --plot is given.
//
// Not for: pictures of many runs; //tools:report takes a file of records.
//
// Example:
//   if (absl::Status possible = CheckPlot(label, path); !possible.ok()) return possible;
//   ...
//   absl::Status drawn = Plot(record, path);
// ---------------------------------------------------------------------------------------------

#include <string>

#include "absl/status/status.h"
#include "defs/proto/record.pb.h"
#include "defs/proto/suite.pb.h"

namespace assay::runner {

// Whether Plot() can run: OK, or UsageError where this process was not started in a workspace in
// which the program can be built.
absl::Status CheckPlot(const std::string& label, const std::string& path);

// Writes the picture, whose format is the path's ending. What the program says goes to standard
// error. RECORD_FAILED (run_status.h) where there is no picture.
absl::Status Plot(const Record& record, const std::string& path);

}  // namespace assay::runner

#endif  // ASSAY_BENCHMARKS_HARNESS_RUNNER_OUTPUT_PLOTTING_H_

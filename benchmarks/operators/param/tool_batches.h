#ifndef ASSAY_BENCHMARKS_OPERATORS_PARAM_TOOL_BATCHES_H_
#define ASSAY_BENCHMARKS_OPERATORS_PARAM_TOOL_BATCHES_H_

// ---------------------------------------------------------------------------------------------
// tool_batches.h: --nsys and --ncu: after everything was measured, the inputs are called once more
// under NVIDIA's tool, `--run-batch-size` of them in one process and one report.
//
// The ranges (harness/profile/wrapped_command.h) are "param" around a batch, an input's id around
// that input, and "param_call/forward" and "param_call/backward" around each call. These names are
// known before anything runs, so filters can use them.
//
// Not for: a trace by LibTorch's own profiler (-p, measure.h).
//
// Example:
//   absl::Status there = CheckTool(settings);
//   absl::Status done = RunToolBatches(settings, child, keep_line);
// ---------------------------------------------------------------------------------------------

#include <cstdint>
#include <string>

#include "absl/functional/function_ref.h"
#include "absl/status/status.h"
#include "benchmarks/operators/param/output.h"
#include "benchmarks/operators/param/settings.h"

namespace assay::param {

inline constexpr char kBatchRange[] = "param";
inline constexpr char kCallRange[] = "param_call";

// The report on its batch of the process under the tool. Fewer items than the batch size mean that
// it was the last batch.
struct BatchReport {
  int64_t items = 0;
  std::string start_run_id = {}, end_run_id = {};
};
std::string ReportText(const BatchReport& report);

// NotFound if the tool does not exist or its file of arguments cannot be read.
absl::Status CheckTool(const Settings& settings);

// `child` is the program that measures. Calls `keep` with each batch's line. Unavailable if a batch
// left no report.
absl::Status RunToolBatches(const Settings& settings, const std::string& child,
                            absl::FunctionRef<void(const Json& line)> keep);

}  // namespace assay::param

#endif  // ASSAY_BENCHMARKS_OPERATORS_PARAM_TOOL_BATCHES_H_

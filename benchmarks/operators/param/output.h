#ifndef ASSAY_BENCHMARKS_OPERATORS_PARAM_OUTPUT_H_
#define ASSAY_BENCHMARKS_OPERATORS_PARAM_OUTPUT_H_

// ---------------------------------------------------------------------------------------------
// output.h: PARAM's lines of JSON (train/compute/python/pytorch/run_benchmark.py and
// lib/pytorch/build_executor.py): a header, one line for each input, one at the end.
//
//   {"run_options": {...}, "sys_info": {...}, "start_time": "..."}
//   {"op_name": ..., "id": "0|0|0", "metric": {"forward": {"warmup.time": [...], ...}},
//    "config": {"build": ..., "input": ...}}
//   {"finish_time": "..."}
//
// Times in milliseconds, memory in MB of 2^20 bytes. An input without figures has an empty
// "metric", like PARAM's with -w 0 -i 0, and "error": {"class", "message"}, which PARAM does not
// have.
//
// Not for files: record/line_file.h appends such lines to one.
// ---------------------------------------------------------------------------------------------

#include <optional>
#include <string>

#include "absl/status/status.h"
#include "absl/time/time.h"
#include "benchmarks/harness/sampling/presets.h"
#include "benchmarks/operators/param/parsing/config_file.h"
#include "benchmarks/operators/param/run_items.h"
#include "benchmarks/operators/param/settings.h"
#include "defs/proto/record.pb.h"

namespace assay::param {

// Facts of the header beyond the settings; an empty one is unknown and written as null.
struct SystemInfo {
  std::string torch_version = {}, torch_build = {};
  bool cuda = false;
  std::string cuda_version = {}, cuda_driver = {}, gpu_name = {}, compute_capability = {},
              cudnn_version = {};
};

Json HeaderLine(const Settings& settings, const SystemInfo& system, absl::Time start);

// {"op_name", "id", "config"}: the part of a line that does not depend on the result.
Json ItemLine(const RunItem& item);

// The facts in an item's line, beside its times.
struct ResultFacts {
  const Verdict* verdict = nullptr;  // null: none was made
  std::string note = {};
  bool host = true;  // it ran on the CPU
};

// The line of an item that was measured. Behind PARAM's keys stand "verdict": {"outcome", where
// something was compared "largest_error", "gradients", and "message" if there is one}, and "note".
Json ResultLine(const RunItem& item, const sampling::PresetResult& result, const ResultFacts& facts,
                const Settings& settings);

// The line of an item without figures; `item_line` comes from ItemLine().
Json ErrorLine(const Json& item_line, const std::string& error_class, const std::string& message);

// {"trace_file", "op_name", "id"}: PARAM's line for a profile, with the input's id.
Json TraceLine(const RunItem& item, const std::string& path);
// The path of a trace: in a folder named after the output, a file named after the input.
std::string TracePath(const std::string& output, const std::string& run_id);

// {"nsys_file" or "ncu_file", "cmd_str", "config", "start_run_id", "end_run_id"}: a batch under a
// tool, from its first to its last input.
struct BatchLine {
  std::string tool, file, command, config, start_run_id, end_run_id;
};
Json ToolLine(const BatchLine& batch);

Json FinishLine(absl::Time finish);

// JSON on one line. Bytes that are not UTF-8 are replaced.
std::string LineText(const Json& line);

}  // namespace assay::param

#endif  // ASSAY_BENCHMARKS_OPERATORS_PARAM_OUTPUT_H_

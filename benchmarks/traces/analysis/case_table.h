#ifndef ASSAY_BENCHMARKS_TRACES_ANALYSIS_CASE_TABLE_H_
#define ASSAY_BENCHMARKS_TRACES_ANALYSIS_CASE_TABLE_H_

// ---------------------------------------------------------------------------------------------
// case_table.h: calls of a trace as a package of operator cases: a BUILD.bazel and a table of
// operator() (defs/operators.bzl). The limits are those of the dtype.
//
// An operator that works in place stands there as the one that returns its result, since a verified
// program does not write to its arguments.
//
// Example:
//   CaseTable table;
//   const absl::Status added = table.Add(node, "conv2d_1", contents, "20 calls");
//   WriteFile("benchmarks/my_trace/operators.bzl", table.Table());
// ---------------------------------------------------------------------------------------------

#include <string>
#include <string_view>

#include "absl/status/status.h"
#include "benchmarks/traces/analysis/operator_mix.h"
#include "benchmarks/traces/reader/trace_node.h"

namespace assay::traces {

// "conv2d_1" of aten::conv2d as the mix's first operator.
std::string CaseRowName(const TraceNode& node, size_t rank);

class CaseTable {
 public:
  // `note` becomes a comment above the row. InvalidArgument, with the reason, for what can't be a
  // case: a view, random numbers, an argument that is not contiguous, and so on.
  absl::Status Add(const TraceNode& node, std::string_view name, const NeededContents& contents,
                   std::string_view note);

  bool Empty() const { return rows_.empty(); }
  std::string Table() const;  // operators.bzl
  std::string Build() const;  // BUILD.bazel

 private:
  std::string rows_, first_case_;
};

}  // namespace assay::traces

#endif  // ASSAY_BENCHMARKS_TRACES_ANALYSIS_CASE_TABLE_H_

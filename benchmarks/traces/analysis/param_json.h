#ifndef ASSAY_BENCHMARKS_TRACES_ANALYSIS_PARAM_JSON_H_
#define ASSAY_BENCHMARKS_TRACES_ANALYSIS_PARAM_JSON_H_

// ---------------------------------------------------------------------------------------------
// param_json.h: the calls of a trace as configurations of //benchmarks/operators:param, which are
// PARAM's. Beside each input stands what the trace knows of it, as the comments "_calls" and
// "_recorded_ns".
//
// Example:
//   ParamFile file;
//   const absl::Status added = file.Add(node, one, contents);   // "the trace has lost ..."
//   WriteFile("operators.json", file.Text());
// ---------------------------------------------------------------------------------------------

#include <nlohmann/json.hpp>
#include <string>
#include <string_view>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "benchmarks/traces/analysis/operator_mix.h"
#include "benchmarks/traces/reader/trace_node.h"

namespace assay::traces {

// The list "args" of a call. InvalidArgument, with the reason, for one that cannot be written so: a
// value that the trace has lost, or a dtype that the format does not have.
absl::StatusOr<nlohmann::ordered_json> ParamArguments(const TraceNode& node,
                                                      const NeededContents& contents);

class ParamFile {
 public:
  // Errors of ParamArguments().
  absl::Status Add(const TraceNode& node, const MixedOperator& one, const NeededContents& contents);
  std::string Text() const;

 private:
  nlohmann::ordered_json file_ = nlohmann::ordered_json::object();
};

// By which a result of param names its call: operator, schema and arguments without comments.
std::string ParamKey(std::string_view name, const nlohmann::ordered_json& build,
                     const nlohmann::ordered_json& input);

}  // namespace assay::traces

#endif  // ASSAY_BENCHMARKS_TRACES_ANALYSIS_PARAM_JSON_H_

#include "tools/trace/convert_formats.h"

#include <map>
#include <string_view>
#include <vector>

#include "absl/status/status.h"
#include "absl/strings/str_cat.h"
#include "benchmarks/harness/text/few_names.h"
#include "benchmarks/harness/text/untrusted_text.h"
#include "benchmarks/traces/reader/chakra_file.h"
#include "benchmarks/traces/reader/kineto_join.h"
#include "benchmarks/traces/reader/kineto_schema.h"
#include "benchmarks/traces/reader/trace_file.h"
#include "benchmarks/traces/reader/trace_writer.h"

namespace assay::trace {
namespace {

// "guessed    3: aten::gelu approximate (2), aten::einsum equation (1)"; nothing for none.
std::string CountsText(std::string_view what, const std::map<std::string, int64_t>& counts) {
  if (counts.empty()) return "";
  int64_t all = 0;
  std::vector<std::string> names;
  for (const auto& [name, count] : counts) {
    all += count;
    names.push_back(absl::StrCat(base::Printable(name, 80), " (", count, ")"));
  }
  return absl::StrCat(what, " ", all, ": ", base::FewNames(names, 8), "\n");
}

std::string JoinText(const traces::JoinReport& report) {
  return absl::StrCat("times      ", report.joined, " of ", report.joined + report.NotJoined(),
                      " nodes; the others: ", report.without_id, " have no record function id, ",
                      report.without_event, " have an id that the profiler's trace lacks, ",
                      report.other_name, " an event of another name, ", report.ambiguous,
                      " an id that stands twice\n");
}

}  // namespace

absl::StatusOr<std::string> ConvertFormat(const std::string& path, const ConvertOptions& options) {
  if (options.to != "et" && options.to != "chakra")
    return absl::InvalidArgumentError(absl::StrCat("--to=", options.to, ": it is et or chakra"));
  if (options.out.empty())
    return absl::InvalidArgumentError("--out=FILE is missing: the file to be written");
  absl::StatusOr<traces::Trace> trace = traces::LoadTrace(path, options.rank);
  if (!trace.ok()) return trace.status();
  std::string said;
  if (!trace->about.torn.empty()) absl::StrAppend(&said, "torn       ", trace->about.torn, "\n");
  if (trace->about.format == traces::TraceFormat::kKineto) {
    const traces::SchemaReport report = traces::FindSchemas(trace->nodes);
    absl::StrAppend(
        &said, "schemas    ", report.found, " operators\n",
        CountsText("ambiguous ", report.ambiguous), CountsText("unfit     ", report.unfit),
        CountsText("unknown   ", report.unknown),
        CountsText("no arguments (record_shapes=True was not set)", report.without_arguments),
        CountsText("guessed   ", report.guessed));
  }
  if (!options.join.empty()) {
    const absl::StatusOr<traces::Trace> times = traces::LoadTrace(options.join, options.rank);
    if (!times.ok()) return times.status();
    if (times->about.format != traces::TraceFormat::kKineto)
      return absl::InvalidArgumentError(
          absl::StrCat("--join=", options.join, ": it is no trace of torch.profiler"));
    said += JoinText(traces::JoinTimes(*trace, *times));
  }
  const absl::Status written = options.to == "chakra"
                                   ? traces::WriteChakra(options.out, trace->about, trace->nodes)
                                   : traces::WriteTrace(options.out, *trace);
  if (!written.ok()) return written;
  absl::StrAppend(&said, "written    ", trace->nodes.size(), " nodes to ", options.out, "\n");
  if (!trace->about.kernels.empty()) {
    absl::StrAppend(&said, "left out   ", trace->about.kernels.size(),
                    " kernels of a GPU, for which the format has no place\n");
  }
  return said;
}

}  // namespace assay::trace

#include "tools/trace/trace_formats.h"

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

// Names what torch.profiler's trace has and no reader can use.
std::string LeftOutText(const traces::TraceReading& about) {
  if (about.without_length == 0) return "";
  return absl::StrCat("left out  ", about.without_length,
                      " events of the profiler whose \"dur\" is missing or negative\n");
}

std::string JoinText(const traces::JoinReport& report) {
  return absl::StrCat("times     ", report.joined, " of ", report.joined + report.NotJoined(),
                      " nodes; the others: ", report.without_id, " have no record function id, ",
                      report.without_event, " have an id that the profiler's trace lacks, ",
                      report.other_name, " an event of another name, ", report.ambiguous,
                      " an id that stands twice\n");
}

}  // namespace

absl::StatusOr<OpenedTrace> OpenTrace(const std::string& path, const OpenOptions& options) {
  absl::StatusOr<traces::Trace> trace = traces::LoadTrace(path, options.rank, options.values);
  if (!trace.ok()) return trace.status();
  OpenedTrace opened = {.trace = *std::move(trace)};
  std::string& said = opened.said;
  const std::string& torn = opened.trace.about.torn;
  if (!torn.empty()) absl::StrAppend(&said, "torn      ", torn, "\n");
  if (opened.trace.about.format == traces::TraceFormat::kKineto) {
    said += LeftOutText(opened.trace.about);
    const traces::SchemaReport report = traces::FindSchemas(opened.trace.nodes);
    absl::StrAppend(
        &said, "schemas   found for ", report.found, " operators\n",
        CountsText("ambiguous", report.ambiguous), CountsText("unfit    ", report.unfit),
        CountsText("unknown  ", report.unknown),
        CountsText("no arguments (record_shapes=True was not set)", report.without_arguments),
        CountsText("guessed  ", report.guessed));
  }
  if (options.join.empty()) return opened;
  const absl::StatusOr<traces::Trace> times = traces::LoadTrace(options.join, options.rank);
  if (!times.ok()) return times.status();
  if (times->about.format != traces::TraceFormat::kKineto)
    return absl::InvalidArgumentError(
        absl::StrCat("--join=", options.join, ": it is no trace of torch.profiler"));
  said += LeftOutText(times->about);
  said += JoinText(traces::JoinTimes(opened.trace, *times));
  return opened;
}

absl::StatusOr<std::string> WriteFormat(const traces::Trace& trace, const std::string& to,
                                        const std::string& out) {
  const absl::Status written = to == "chakra" ? traces::WriteChakra(out, trace.about, trace.nodes)
                                              : traces::WriteTrace(out, trace);
  if (!written.ok()) return written;
  std::string said = absl::StrCat("wrote     ", trace.nodes.size(), " nodes to ", out, "\n");
  if (!trace.about.kernels.empty()) {
    absl::StrAppend(&said, "left out  ", trace.about.kernels.size(),
                    " kernels of a GPU, for which the format has no place\n");
  }
  return said;
}

}  // namespace assay::trace

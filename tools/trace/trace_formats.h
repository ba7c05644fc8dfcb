#ifndef ASSAY_TOOLS_TRACE_TRACE_FORMATS_H_
#define ASSAY_TOOLS_TRACE_TRACE_FORMATS_H_

// ---------------------------------------------------------------------------------------------
// trace_formats.h: opens a trace of any format, so that its operators have schemas, with the times of
// torch.profiler's trace of the same run; and writes it as an execution trace or as Chakra's protocol
// buffers.
//
// Example:
//   absl::StatusOr<OpenedTrace> opened = OpenTrace("trace.json.gz", {});
//   absl::StatusOr<std::string> said = WriteFormat(opened->trace, "chakra", "rank.0.et");
// ---------------------------------------------------------------------------------------------

#include <cstdint>
#include <string>

#include "absl/status/statusor.h"
#include "benchmarks/traces/reader/trace_file.h"

namespace assay::trace {

struct OpenOptions {
  std::string join = {};  // a trace of torch.profiler; empty: none
  int64_t rank = -1;      // of an archive or a folder; -1: there is one trace
  bool values = true;     // LoadTrace()
};

struct OpenedTrace {
  traces::Trace trace = {};
  std::string said = {};  // for a person: what is missing, guessed and joined; empty: nothing
};

// The errors of reading; InvalidArgument where --join is another format.
absl::StatusOr<OpenedTrace> OpenTrace(const std::string& path, const OpenOptions& options);

// `to` is et or chakra. Says for a person what was written. The errors of writing.
absl::StatusOr<std::string> WriteFormat(const traces::Trace& trace, const std::string& to,
                                        const std::string& out);

}  // namespace assay::trace

#endif  // ASSAY_TOOLS_TRACE_TRACE_FORMATS_H_

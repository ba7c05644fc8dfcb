#ifndef ASSAY_TOOLS_TRACE_CONVERT_FORMATS_H_
#define ASSAY_TOOLS_TRACE_CONVERT_FORMATS_H_

// ---------------------------------------------------------------------------------------------
// convert_formats.h: a trace of any format that is read, as an execution trace or as Chakra's protocol
// buffers, and with the times of torch.profiler's trace of the same run.
//
// Not for: operator cases out of a trace.
//
// Example:
//   absl::StatusOr<std::string> said =
//       ConvertFormat("trace.json.gz", {.to = "chakra", .out = "rank.0.et"});
// ---------------------------------------------------------------------------------------------

#include <cstdint>
#include <string>

#include "absl/status/statusor.h"

namespace assay::trace {

struct ConvertOptions {
  std::string to = {};    // et or chakra
  std::string out = {};   // the file to be written
  std::string join = {};  // a trace of torch.profiler; empty: none
  int64_t rank = -1;
};

// Says for a person how many nodes were written and joined, and which values were guessed.
// InvalidArgument for another format; the errors of reading and writing.
absl::StatusOr<std::string> ConvertFormat(const std::string& path, const ConvertOptions& options);

}  // namespace assay::trace

#endif  // ASSAY_TOOLS_TRACE_CONVERT_FORMATS_H_

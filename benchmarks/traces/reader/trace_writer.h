#ifndef ASSAY_BENCHMARKS_TRACES_READER_TRACE_WRITER_H_
#define ASSAY_BENCHMARKS_TRACES_READER_TRACE_WRITER_H_

// ---------------------------------------------------------------------------------------------
// trace_writer.h: writes an execution trace of schema 1.1.1-chakra.0.0.4. The file gets its name when it
// is whole. LoadTrace() gives the same nodes back, whatever schema they came from.
//
// Not for: recording a program (harness/trace/capture.h).
//
// Example:
//   absl::Status written = WriteTrace("clean.json", trace);
// ---------------------------------------------------------------------------------------------

#include <string>

#include "absl/status/status.h"
#include "benchmarks/traces/reader/trace_file.h"

namespace assay::traces {

// Takes pid, times and generators from `trace.about`. InvalidArgument for a path that does not end with
// .json; the errors of AtomicFile.
absl::Status WriteTrace(const std::string& path, const Trace& trace);

}  // namespace assay::traces

#endif  // ASSAY_BENCHMARKS_TRACES_READER_TRACE_WRITER_H_

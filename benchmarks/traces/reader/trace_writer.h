#ifndef ASSAY_BENCHMARKS_TRACES_READER_TRACE_WRITER_H_
#define ASSAY_BENCHMARKS_TRACES_READER_TRACE_WRITER_H_

// ---------------------------------------------------------------------------------------------
// trace_writer.h: writes an execution trace of schema 1.1.1-chakra.0.0.4, node by node. The file gets
// its name when it is whole. ReadTrace() gives the same nodes back, whatever schema they came from.
//
// Not for: recording a program (harness/trace/capture.h).
//
// Example:
//   absl::StatusOr<TraceWriter> writer = TraceWriter::Create("clean.json", trace.about);
//   for (const TraceNode& node : trace.nodes) writer->Add(node);
//   absl::Status written = writer->Commit();
// ---------------------------------------------------------------------------------------------

#include <string>
#include <utility>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "benchmarks/harness/tensor_files/atomic_file.h"
#include "benchmarks/traces/reader/trace_file.h"
#include "benchmarks/traces/reader/trace_node.h"

namespace assay::traces {

class TraceWriter {
 public:
  // Takes pid, times and generators from `about`. InvalidArgument for a path that does not end with
  // .json; the errors of AtomicFile::Create().
  static absl::StatusOr<TraceWriter> Create(const std::string& path, const TraceReading& about);

  void Add(const TraceNode& node);

  // The first error of writing. Nothing can be added afterwards.
  absl::Status Commit();

 private:
  TraceWriter(tensor_files::AtomicFile file, std::string head, std::string tail)
      : file_(std::move(file)), text_(std::move(head)), tail_(std::move(tail)) {}

  tensor_files::AtomicFile file_;
  std::string text_;  // not yet in the file
  std::string tail_;
  bool empty_ = true;
};

// All of it.
absl::Status WriteTrace(const std::string& path, const Trace& trace);

}  // namespace assay::traces

#endif  // ASSAY_BENCHMARKS_TRACES_READER_TRACE_WRITER_H_

// -----------------------------------------------------------------------------
// File: line_file.h
// -----------------------------------------------------------------------------
//
// A file of lines that several processes may append to at once and that no crash can spoil: a line
// is appended in one write under a lock, and where it cannot be written whole the file is cut back
// to its old length.
//
// Not for what the lines mean: record_file.h is a file of records.
//
//   absl::Status written = assay::record::AppendLine({.path = "results.jsonl"}, "{}");

#ifndef ASSAY_BENCHMARKS_HARNESS_RECORD_LINE_FILE_H_
#define ASSAY_BENCHMARKS_HARNESS_RECORD_LINE_FILE_H_

#include <string>
#include <string_view>

#include "absl/status/status.h"

namespace assay::record {

struct LineFile {
  std::string path = {};
  std::string kind = "file";  // before its name in messages
  bool sync = false;          // a line is on the disk when AppendLine returns
};

// Fails as AppendLine would where the file cannot be opened for writing, so that a program can say
// so before it works for a minute. Makes the file where there is none.
absl::Status CheckAppendable(const LineFile& file);

// `text` has no newline. Makes the file, but no folder. If the file ends in a torn line, the new
// one begins on a line of its own. A failure leaves the file as it was and its message names the
// file and what to do.
absl::Status AppendLine(const LineFile& file, std::string_view text);

}  // namespace assay::record

#endif  // ASSAY_BENCHMARKS_HARNESS_RECORD_LINE_FILE_H_

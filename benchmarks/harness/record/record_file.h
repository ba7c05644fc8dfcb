// -----------------------------------------------------------------------------
// File: record_file.h
// -----------------------------------------------------------------------------
//
// A file of records, one JSON line each, that several processes may append to at once and that no
// crash can spoil: a record is appended in one write under a lock, is on the disk when Append
// returns, and where it cannot be written whole the file is cut back to its old length.
//
// Not for changing or removing records: the file only grows.
//
//   absl::Status written = assay::record::Append("results.jsonl", record);
//   absl::StatusOr<RecordFile> file = assay::record::ReadAll("results.jsonl");

#ifndef ASSAY_BENCHMARKS_HARNESS_RECORD_RECORD_FILE_H_
#define ASSAY_BENCHMARKS_HARNESS_RECORD_RECORD_FILE_H_

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "defs/proto/record.pb.h"

namespace assay::record {

// Fails as Append would where the file cannot be opened for writing, so that a run can say so
// before it measures for a minute. Makes the file where there is none.
absl::Status CheckAppendable(const std::string& path);

// Appends one line; makes the file, but no folder. If the file ends in a torn line, the new record
// begins on a line of its own. A failure leaves the file as it was and its message names the file
// and what to do. InvalidArgument for a record that has no JSON form (strict_json.h).
absl::Status Append(const std::string& path, const Record& record);

// Appends records that are JSON lines already, as ToJsonLine made them, with newlines between them.
absl::Status AppendLines(const std::string& path, std::string_view lines);

// A line that could not be read.
struct LineProblem {
  enum class Kind {
    kTornLastLine,  // no newline at its end: its writer died or is still writing
    kMalformed,     // not JSON, or not of a record
    kOtherSchema,   // written by a later version, or an earlier one
  };
  Kind kind;
  int64_t line;  // from 1
  std::string message;
};

struct RecordFile {
  // The records of all lines that could be read, in order, without the ends of runs of a suite.
  std::vector<Record> records = {};
  std::vector<LineProblem> problems = {};  // of the lines that could not
};

// Empty lines are skipped. Fails only if the file cannot be read at all.
absl::StatusOr<RecordFile> ReadAll(const std::string& path);

}  // namespace assay::record

#endif  // ASSAY_BENCHMARKS_HARNESS_RECORD_RECORD_FILE_H_

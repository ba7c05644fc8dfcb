#include "benchmarks/harness/record/record_file.h"

#include <fstream>
#include <sstream>
#include <utility>

#include "absl/strings/ascii.h"
#include "absl/strings/str_format.h"
#include "benchmarks/harness/record/line_file.h"
#include "benchmarks/harness/record/strict_json.h"

namespace assay::record {
namespace {

LineFile FileAt(const std::string& path) {
  return {.path = path, .kind = "record file", .sync = true};
}

}  // namespace

absl::Status CheckAppendable(const std::string& path) { return CheckAppendable(FileAt(path)); }

absl::Status Append(const std::string& path, const Record& record) {
  absl::StatusOr<std::string> json = ToJsonLine(record);
  if (json.ok()) return AppendLine(FileAt(path), *json);
  return absl::Status(json.status().code(),
                      absl::StrFormat("record file %s: %s", path, json.status().message()));
}

absl::Status AppendLines(const std::string& path, std::string_view lines) {
  return AppendLine(FileAt(path), lines);
}

absl::StatusOr<RecordFile> ReadAll(const std::string& path) {
  std::ifstream stream(path, std::ios::binary);
  if (!stream) {
    return absl::NotFoundError(
        absl::StrFormat("record file %s: cannot be opened; check the name", path));
  }
  RecordFile file;
  std::string line;
  for (int64_t number = 1; std::getline(stream, line); ++number) {
    const bool torn = stream.eof();  // getline met the end before a newline
    if (absl::StripAsciiWhitespace(line).empty()) continue;
    absl::StatusOr<Record> record = FromJsonLine(line);
    if (record.ok()) {
      if (!record->has_suite_run()) file.records.push_back(*std::move(record));
      continue;
    }
    const LineProblem::Kind kind = absl::IsUnimplemented(record.status())
                                       ? LineProblem::Kind::kOtherSchema
                                   : torn ? LineProblem::Kind::kTornLastLine
                                          : LineProblem::Kind::kMalformed;
    file.problems.push_back(
        {kind, number,
         absl::StrFormat("%s:%d: %s%s", path, number, torn ? "the last line is torn: " : "",
                         record.status().message())});
  }
  if (stream.bad()) {
    return absl::DataLossError(absl::StrFormat("record file %s: cannot be read to its end", path));
  }
  return file;
}

}  // namespace assay::record

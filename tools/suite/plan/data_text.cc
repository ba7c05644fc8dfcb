#include "tools/suite/plan/data_text.h"

#include <google/protobuf/text_format.h>

#include "absl/status/statusor.h"
#include "absl/strings/str_join.h"
#include "benchmarks/harness/tensor_files/file_bytes.h"
#include "defs/compiler/case_text.h"

namespace assay::suite {

absl::Status ParseData(const std::string& text, const std::string& where,
                       const std::string& entries, google::protobuf::Message& message,
                       DataLines& lines) {
  Problems problems;
  ParseCaseText(text, where, /*with_line=*/true, &message, &problems);
  if (!problems.empty()) return absl::InvalidArgumentError(absl::StrJoin(problems, "\n"));
  google::protobuf::TextFormat::Parser parser;
  google::protobuf::TextFormat::ParseInfoTree places;
  parser.WriteLocationsTo(&places);
  parser.ParseFromString(text, &message);
  lines.where = where;
  lines.lines.clear();
  const google::protobuf::FieldDescriptor* const field =
      message.GetDescriptor()->FindFieldByName(entries);
  const int count = message.GetReflection()->FieldSize(message, field);
  for (int i = 0; i < count; ++i) lines.lines.push_back(places.GetLocation(field, i).line + 1);
  return absl::OkStatus();
}

absl::Status ReadDataFile(const std::string& path, const std::string& entries,
                          google::protobuf::Message& message, DataLines& lines) {
  const absl::StatusOr<std::string> text =
      tensor_files::ReadFile(path, static_cast<int64_t>(kLongestCaseText) + 1);
  if (!text.ok()) return text.status();
  return ParseData(*text, path, entries, message, lines);
}

}  // namespace assay::suite

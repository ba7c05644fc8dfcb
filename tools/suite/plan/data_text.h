// -----------------------------------------------------------------------------
// File: data_text.h
// -----------------------------------------------------------------------------
//
// The data files of the suite: text protocol buffers of suite_data.proto. Errors name the line.
//
// Not for the registry, which is binary and checked by the build.
//
//   KnownSkips skips;
//   DataLines lines;
//   absl::Status read = ReadDataFile("known_skips.textproto", "skips", skips, lines);

#ifndef ASSAY_TOOLS_SUITE_PLAN_DATA_TEXT_H_
#define ASSAY_TOOLS_SUITE_PLAN_DATA_TEXT_H_

#include <google/protobuf/message.h>

#include <string>
#include <vector>

#include "absl/status/status.h"

namespace assay::suite {

// The places of a message's entries in its file.
struct DataLines {
  std::string where;       // the file's name
  std::vector<int> lines;  // line of each value of the chosen repeated field, from 1
};

// Fills `message` from `text`. Each error begins with `where`: "FILE:LINE: ..."; InvalidArgument
// lists all of them. `entries` names a repeated field; the lines of its values go to `lines`.
absl::Status ParseData(const std::string& text, const std::string& where,
                       const std::string& entries, google::protobuf::Message& message,
                       DataLines& lines);

// The same for a file. Also errors of ReadFile().
absl::Status ReadDataFile(const std::string& path, const std::string& entries,
                          google::protobuf::Message& message, DataLines& lines);

}  // namespace assay::suite

#endif  // ASSAY_TOOLS_SUITE_PLAN_DATA_TEXT_H_

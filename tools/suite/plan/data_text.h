// -----------------------------------------------------------------------------
// File: data_text.h
// -----------------------------------------------------------------------------
//
// The data files of the suite: text protocol buffers of suite_data.proto, with the line of each
// mistake.
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

// A message and where its entries stand.
struct DataLines {
  std::string where;       // the file's name
  std::vector<int> lines;  // of each value of the repeated field that was asked for, from 1
};

// Fills `message` from `text`; `where` begins each problem, "FILE:LINE: ...". InvalidArgument with
// all of them. `entries` names a repeated field, whose values' lines go to `lines`.
absl::Status ParseData(const std::string& text, const std::string& where,
                       const std::string& entries, google::protobuf::Message& message,
                       DataLines& lines);

// The same of a file. Also what ReadFile() says where it cannot be read.
absl::Status ReadDataFile(const std::string& path, const std::string& entries,
                          google::protobuf::Message& message, DataLines& lines);

}  // namespace assay::suite

#endif  // ASSAY_TOOLS_SUITE_PLAN_DATA_TEXT_H_

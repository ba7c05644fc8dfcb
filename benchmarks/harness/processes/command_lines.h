// -----------------------------------------------------------------------------
// File: command_lines.h
// -----------------------------------------------------------------------------
//
// A file of command lines with arbitrary words, for a process that does many things in a row
// (series.h).
//
// Not for a person to read or write: every word ends with a zero byte, every line with one more.
//
//   std::ofstream(path) << CommandLinesText({{"--case=a.pb", "--budget=0.1"}, {"--case=b.pb"}});
//   absl::StatusOr<CommandLines> lines = ReadCommandLines(path);

#ifndef ASSAY_BENCHMARKS_HARNESS_PROCESSES_COMMAND_LINES_H_
#define ASSAY_BENCHMARKS_HARNESS_PROCESSES_COMMAND_LINES_H_

#include <string>
#include <vector>

#include "absl/status/statusor.h"

namespace assay::processes {

using CommandLines = std::vector<std::vector<std::string>>;

// No word is empty.
std::string CommandLinesText(const CommandLines& lines);

// NotFound where there is no such file, DataLoss for one that is cut off.
absl::StatusOr<CommandLines> ReadCommandLines(const std::string& path);

}  // namespace assay::processes

#endif  // ASSAY_BENCHMARKS_HARNESS_PROCESSES_COMMAND_LINES_H_

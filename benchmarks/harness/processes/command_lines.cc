#include "benchmarks/harness/processes/command_lines.h"

#include <fstream>
#include <iterator>
#include <utility>

#include "absl/status/status.h"
#include "absl/strings/str_cat.h"

namespace assay::processes {

std::string CommandLinesText(const CommandLines& lines) {
  std::string text;
  for (const std::vector<std::string>& line : lines) {
    for (const std::string& word : line) text.append(word).push_back('\0');
    text.push_back('\0');
  }
  return text;
}

absl::StatusOr<CommandLines> ReadCommandLines(const std::string& path) {
  std::ifstream file(path, std::ios::binary);
  if (!file) return absl::NotFoundError(absl::StrCat(path, ": there is no such file"));
  CommandLines lines;
  std::vector<std::string> line;
  std::string word;
  for (std::istreambuf_iterator<char> next(file), end; next != end; ++next) {
    if (*next != '\0') {
      word.push_back(*next);
    } else if (!word.empty()) {
      line.push_back(std::move(word));
      word.clear();
    } else {
      lines.push_back(std::move(line));
      line.clear();
    }
  }
  if (!line.empty() || !word.empty())
    return absl::DataLossError(absl::StrCat(path, ": it is cut off"));
  return lines;
}

}  // namespace assay::processes

#include "tools/suite/launch/processes/case_script.h"

#include <unistd.h>

#include <filesystem>
#include <fstream>
#include <iterator>
#include <system_error>

#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_replace.h"
#include "absl/strings/str_split.h"
#include "absl/strings/strip.h"

namespace assay::suite {

std::vector<std::string> CommandOfScript(std::string_view text, const std::string& runfiles) {
  std::string folder;
  for (std::string_view line : absl::StrSplit(text, '\n')) {
    if (absl::ConsumePrefix(&line, "w=\"$r/") && absl::ConsumeSuffix(&line, "\"")) {
      folder = absl::StrCat(runfiles, "/", line);
    }
    if (folder.empty() || !absl::ConsumePrefix(&line, "exec ")) continue;
    if (!absl::ConsumeSuffix(&line, " \"$@\"")) return {};
    std::vector<std::string> words;
    for (const std::string_view word : absl::StrSplit(line, ' ')) {
      words.push_back(
          absl::StrReplaceAll(word, {{"\"$w/", absl::StrCat(folder, "/")}, {"\"", ""}}));
      if (absl::StrContains(words.back(), '$')) return {};
    }
    return words;
  }
  return {};
}

std::vector<std::string> CommandOfCase(const std::string& program) {
  std::ifstream file(program, std::ios::binary);
  std::string start(2, '\0');
  if (!file.read(start.data(), 2) || start != "#!") return {};
  const std::string rest((std::istreambuf_iterator<char>(file)), std::istreambuf_iterator<char>());
  std::vector<std::string> words = CommandOfScript(rest, program + ".runfiles");
  if (words.empty()) return {};
  std::error_code error;
  // Each case has a link of its own to the runner, so the link is resolved.
  words[0] = std::filesystem::canonical(words[0], error).string();
  if (error || access(words[0].c_str(), X_OK) != 0) return {};
  return words;
}

}  // namespace assay::suite

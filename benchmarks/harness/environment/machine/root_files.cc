#include "benchmarks/harness/environment/machine/root_files.h"

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <sstream>

#include "absl/strings/ascii.h"
#include "absl/strings/numbers.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_split.h"

namespace assay::environment {
namespace {

constexpr int kMostCpus = 1 << 16;  // a list that names more is not one of the kernel's

}  // namespace

std::string ReadFile(const std::string& root, std::string_view path) {
  std::ifstream stream(absl::StrCat(root, "/", path));
  std::stringstream text;
  if (stream) text << stream.rdbuf();
  return text.str();
}

std::string ReadLine(const std::string& root, std::string_view path) {
  std::string line(absl::StripAsciiWhitespace(ReadFile(root, path)));
  for (char& byte : line) {
    if (!absl::ascii_isprint(static_cast<unsigned char>(byte))) byte = '?';
  }
  return line;
}

std::optional<int64_t> ReadNumber(const std::string& root, std::string_view path) {
  int64_t number = 0;
  if (!absl::SimpleAtoi(ReadFile(root, path), &number)) return std::nullopt;
  return number;
}

std::vector<std::string> ReadOfEachCpu(const std::string& root, std::string_view path) {
  std::vector<std::string> found;
  std::error_code error;
  for (int cpu = 0;; ++cpu) {
    const std::string folder = absl::StrCat("sys/devices/system/cpu/cpu", cpu);
    if (!std::filesystem::exists(absl::StrCat(root, "/", folder), error)) return found;
    std::string line = ReadLine(root, absl::StrCat(folder, "/", path));
    if (!line.empty()) found.push_back(std::move(line));
  }
}

std::vector<std::string> NamesIn(const std::string& root, std::string_view folder) {
  std::vector<std::string> names;
  std::error_code error;
  for (const auto& entry :
       std::filesystem::directory_iterator(absl::StrCat(root, "/", folder), error)) {
    names.push_back(entry.path().filename());
  }
  std::sort(names.begin(), names.end());
  return names;
}

std::string LineValue(const std::string& text, std::string_view key, char separator) {
  for (std::string_view line : absl::StrSplit(text, '\n')) {
    const std::vector<std::string_view> parts = absl::StrSplit(line, absl::MaxSplits(separator, 1));
    if (parts.size() == 2 && absl::StripAsciiWhitespace(parts[0]) == key) {
      return std::string(absl::StripAsciiWhitespace(parts[1]));
    }
  }
  return "";
}

std::vector<int> ParseCpuList(std::string_view list) {
  std::vector<int> cpus;
  for (std::string_view range : absl::StrSplit(absl::StripAsciiWhitespace(list), ',')) {
    const std::vector<std::string_view> ends = absl::StrSplit(range, '-');
    int first = 0, last = 0;
    if (ends.size() > 2 || !absl::SimpleAtoi(ends.front(), &first) ||
        !absl::SimpleAtoi(ends.back(), &last) || first < 0 || last >= kMostCpus) {
      return {};
    }
    for (int cpu = first; cpu <= last; ++cpu) cpus.push_back(cpu);
  }
  return cpus;
}

}  // namespace assay::environment

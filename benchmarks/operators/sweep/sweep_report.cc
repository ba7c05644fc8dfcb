#include "benchmarks/operators/sweep/sweep_report.h"

#include <algorithm>
#include <array>
#include <fstream>
#include <map>
#include <nlohmann/json.hpp>
#include <optional>
#include <utility>

#include "absl/strings/ascii.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_format.h"
#include "absl/strings/str_replace.h"
#include "benchmarks/harness/tensor_files/file_bytes.h"

namespace assay::sweep {
namespace {

constexpr std::array kFindings = {
    Finding::kVerified, Finding::kSeeded,           Finding::kFree,    Finding::kNotCompared,
    Finding::kDiffers,  Finding::kNondeterministic, Finding::kWrites,  Finding::kAliases,
    Finding::kOutside,  Finding::kNothing,          Finding::kCrashed, Finding::kTimedOut,
    Finding::kNoKernel, Finding::kNoSample,         Finding::kRefused};

std::optional<Finding> FindingOf(const std::string& name) {
  for (const Finding finding : kFindings) {
    if (operators::FindingName(finding) == name) return finding;
  }
  return std::nullopt;
}

// The first line, cut to the width of a screen.
std::string Short(const std::string& reason) {
  const std::string line = reason.substr(0, reason.find('\n'));
  return line.size() <= 110 ? line : line.substr(0, 107) + "...";
}

// The whole, with the lines after the first indented. What LibTorch says where it has no kernel is a
// page of all that it has.
std::string Whole(const OperatorResult& result) {
  if (result.finding == Finding::kNoKernel)
    return result.reason.substr(0, result.reason.find('\n'));
  return absl::StrReplaceAll(absl::StripTrailingAsciiWhitespace(result.reason),
                             {{"\n", "\n             "}});
}

// "mine::softmax (mine.txt:3)"
std::string NameOf(const OperatorResult& result) {
  return result.row.empty() ? result.name : absl::StrCat(result.name, " (", result.row, ")");
}

// The operators, and how many of them all calls of which fulfil `holds`.
template <typename Holds>
int64_t CountOperators(const std::vector<OperatorResult>& results, Holds holds) {
  std::map<std::string, bool> all;
  for (const OperatorResult& result : results) {
    const auto [at, is_new] = all.try_emplace(result.name, true);
    at->second = at->second && holds(result);
  }
  return std::count_if(all.begin(), all.end(), [](const auto& entry) { return entry.second; });
}

bool IsWrong(Finding finding) {
  switch (finding) {
    case Finding::kDiffers:
    case Finding::kNondeterministic:
    case Finding::kWrites:
    case Finding::kAliases:
    case Finding::kOutside:
    case Finding::kNothing:
    case Finding::kCrashed:
    case Finding::kTimedOut:
      return true;
    default:
      return false;
  }
}

std::string Line(const OperatorResult& result, bool whole) {
  return absl::StrCat(NameOf(result), result.reason.empty() ? "" : ": ",
                      whole ? Whole(result) : Short(result.reason));
}

}  // namespace

std::string ToJsonLine(const OperatorResult& result) {
  const nlohmann::ordered_json json = {
      {"operator", result.name},
      {"row", result.row},
      {"finding", std::string(operators::FindingName(result.finding))},
      {"reason", result.reason},
      {"sample", result.sample},
      {"differentiated", result.differentiated},
      {"error", result.error},
      {"elements", result.elements},
      {"forward_us", result.forward_us}};
  return json.dump(-1, ' ', false, nlohmann::json::error_handler_t::replace) + "\n";
}

absl::StatusOr<std::vector<OperatorResult>> ReadResults(const std::string& path) {
  std::ifstream file(path);
  if (!file) return absl::NotFoundError(absl::StrCat(path, ": there is no such file"));
  std::vector<OperatorResult> results;
  std::string line;
  for (int number = 1; std::getline(file, line); ++number) {
    const nlohmann::json json = nlohmann::json::parse(line, nullptr, /*allow_exceptions=*/false);
    std::optional<Finding> finding;
    if (json.is_object() && json.contains("operator") && json["operator"].is_string() &&
        json.contains("finding") && json["finding"].is_string())
      finding = FindingOf(json["finding"].get<std::string>());
    if (!finding) {
      return absl::InvalidArgumentError(
          absl::StrCat(path, ", line ", number, ": not a line that sweep --out wrote"));
    }
    results.push_back({.name = json["operator"].get<std::string>(), .finding = *finding});
    OperatorResult& result = results.back();
    const auto text = [&](const char* key) {
      return json.contains(key) && json[key].is_string() ? json[key].get<std::string>() : "";
    };
    const auto number_of = [&](const char* key) {
      return json.contains(key) && json[key].is_number() ? json[key].get<double>() : 0.0;
    };
    result.row = text("row");
    result.reason = text("reason");
    result.sample = text("sample");
    result.differentiated = json.contains("differentiated") && json["differentiated"] == true;
    result.error = number_of("error");
    result.elements = static_cast<int64_t>(number_of("elements"));
    result.forward_us = number_of("forward_us");
  }
  return results;
}

absl::Status WriteResults(const std::string& path, const std::vector<OperatorResult>& results) {
  std::string text;
  for (const OperatorResult& result : results) text += ToJsonLine(result);
  return tensor_files::WriteFileAtomically(path, text);
}

std::string Report(const std::vector<OperatorResult>& results, bool verbose) {
  constexpr size_t kShown = 8;
  constexpr size_t kFewResults = 16;
  constexpr int64_t kManyElements = 4096;
  const bool whole = verbose || results.size() <= kFewResults;
  std::map<Finding, std::vector<const OperatorResult*>> by_finding;
  for (const OperatorResult& result : results) by_finding[result.finding].push_back(&result);
  const auto good = [](const OperatorResult& result) { return operators::IsGood(result.finding); };
  const int64_t operators = CountOperators(results, [](const OperatorResult&) { return true; });
  const int64_t verified = CountOperators(results, good);
  std::string text;
  for (const Finding finding : kFindings) {
    const std::vector<const OperatorResult*>& found = by_finding[finding];
    if (found.empty()) continue;
    absl::StrAppendFormat(&text, "%5d  %s\n", found.size(), operators::FindingName(finding));
    if (operators::IsGood(finding)) continue;
    const size_t shown = verbose ? found.size() : std::min(found.size(), kShown);
    for (size_t i = 0; i < shown; ++i)
      absl::StrAppend(&text, "         ", Line(*found[i], whole), "\n");
    if (shown < found.size())
      absl::StrAppend(&text, "         and ", found.size() - shown, " more (--verbose)\n");
  }
  absl::StrAppendFormat(&text,
                        "sweep     %d of %d functional operators verified, %.1f %%; gradients of "
                        "%d; %d with more than "
                        "%d elements\n",
                        verified, operators, operators == 0 ? 0 : 100.0 * verified / operators,
                        CountOperators(results,
                                       [&](const OperatorResult& result) {
                                         return good(result) && result.differentiated;
                                       }),
                        CountOperators(results,
                                       [&](const OperatorResult& result) {
                                         return good(result) && result.elements > kManyElements;
                                       }),
                        kManyElements);
  return text;
}

bool HasWrong(const std::vector<OperatorResult>& results) {
  for (const OperatorResult& result : results) {
    if (IsWrong(result.finding)) return true;
  }
  return false;
}

std::string Missing(const std::vector<OperatorResult>& results, bool all_asked) {
  bool verified = false;
  for (const OperatorResult& result : results) {
    verified |= operators::IsGood(result.finding);
    const bool asked = all_asked || !result.row.empty();
    if (asked && !operators::IsGood(result.finding) && result.finding != Finding::kFree) {
      return absl::StrCat(NameOf(result), " was not verified (",
                          operators::FindingName(result.finding), ")");
    }
  }
  return verified ? "" : "nothing was verified";
}

std::vector<std::string> Worse(const std::vector<OperatorResult>& before,
                               const std::vector<OperatorResult>& now, const std::regex& filter) {
  // An operator's first call is compared with its first, its second with its second.
  using Key = std::pair<std::string, int>;
  std::map<std::string, int> calls_now, calls_before;
  std::map<Key, const OperatorResult*> found;
  for (const OperatorResult& result : now) found[{result.name, calls_now[result.name]++}] = &result;
  std::vector<std::string> lines;
  for (const OperatorResult& was : before) {
    if (!std::regex_search(was.name, filter)) continue;
    const auto is = found.find({was.name, calls_before[was.name]++});
    if (is == found.end()) {
      lines.push_back(absl::StrCat(NameOf(was), ": is gone"));
    } else if ((operators::IsGood(was.finding) && !operators::IsGood(is->second->finding)) ||
               (IsWrong(is->second->finding) && !IsWrong(was.finding))) {
      lines.push_back(absl::StrCat(Line(*is->second, /*whole=*/false), " (",
                                   operators::FindingName(is->second->finding),
                                   "; was: ", operators::FindingName(was.finding), ")"));
    }
  }
  return lines;
}

}  // namespace assay::sweep

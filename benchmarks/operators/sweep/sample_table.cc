#include "benchmarks/operators/sweep/sample_table.h"

#include <algorithm>
#include <utility>

#include "absl/status/status.h"
#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_replace.h"
#include "absl/strings/str_split.h"

namespace assay::sweep {
namespace {

constexpr std::string_view kSamples =
#include "benchmarks/operators/sweep/samples.inc"
    ;

// The field for a word such as "!free=why"; null if there is no such word.
std::string* ReasonOf(std::string_view name, SampleRow& row) {
  if (name == "!free") return &row.notes.free;
  if (name == "!first") return &row.notes.first;
  if (name == "!alias") return &row.notes.alias;
  if (name == "!writes") return &row.notes.writes;
  if (name == "!lacks") return &row.notes.lacks;
  return nullptr;
}

}  // namespace

std::string_view BuiltInSamples() { return kSamples; }

std::string OfSize(std::string_view text, SampleSize size) {
  static const std::regex both(R"(([0-9.]+)\|([0-9.]+))");
  return std::regex_replace(std::string(text), both, size == SampleSize::kSmall ? "$1" : "$2");
}

absl::StatusOr<SampleTable> SampleTable::Parse(std::string_view text) {
  SampleTable table;
  int number = 0;
  for (const std::string_view line : absl::StrSplit(text, '\n')) {
    ++number;
    const std::vector<std::string> words = absl::StrSplit(line, ' ', absl::SkipEmpty());
    if (words.empty() || absl::StartsWith(words[0], "#")) continue;
    Rule rule;
    try {
      rule.pattern = std::regex(words[0], std::regex::ECMAScript | std::regex::optimize);
    } catch (const std::regex_error& error) {
      return absl::InvalidArgumentError(
          absl::StrCat("line ", number, ": pattern '", words[0], "': ", error.what()));
    }
    for (auto word = words.begin() + 1; word != words.end(); ++word) {
      const std::pair<std::string, std::string> parts =
          absl::StrSplit(*word, absl::MaxSplits('=', 1));
      if (parts.first.empty() || parts.second.empty()) {
        return absl::InvalidArgumentError(
            absl::StrCat("line ", number, ": '", *word, "' is not argument=value"));
      }
      if (std::string* const why = ReasonOf(parts.first, rule.row)) {
        *why = absl::StrReplaceAll(parts.second, {{"_", " "}});
      } else if (parts.first == "!truth") {
        rule.row.truth = parts.second;
      } else if (absl::StartsWith(parts.first, "!")) {
        return absl::InvalidArgumentError(
            absl::StrCat("line ", number, ": '", parts.first,
                         "' is none of !free, !first, !alias, !writes, !lacks, !truth"));
      } else {
        rule.row.arguments.insert(parts);
      }
    }
    table.rules_.push_back(std::move(rule));
  }
  return table;
}

SampleRow SampleTable::For(const std::string& operator_name) const {
  SampleRow row;
  for (const Rule& rule : rules_) {
    if (!std::regex_search(operator_name, rule.pattern)) continue;
    row.arguments.insert(rule.row.arguments.begin(), rule.row.arguments.end());
    const auto take = [](std::string& own, const std::string& other) {
      if (own.empty()) own = other;
    };
    take(row.notes.free, rule.row.notes.free);
    take(row.notes.first, rule.row.notes.first);
    take(row.notes.alias, rule.row.notes.alias);
    take(row.notes.writes, rule.row.notes.writes);
    take(row.notes.lacks, rule.row.notes.lacks);
    take(row.truth, rule.row.truth);
  }
  return row;
}

}  // namespace assay::sweep

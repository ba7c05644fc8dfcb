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

// Adds what a row says and the others before it have not said.
void Add(const SampleRow& other, SampleRow& row) {
  row.arguments.insert(other.arguments.begin(), other.arguments.end());
  const auto take = [](std::string& own, const std::string& text) {
    if (own.empty()) own = text;
  };
  take(row.notes.free, other.notes.free);
  take(row.notes.first, other.notes.first);
  take(row.notes.alias, other.notes.alias);
  take(row.notes.writes, other.notes.writes);
  take(row.notes.lacks, other.notes.lacks);
  take(row.truth, other.truth);
}

}  // namespace

std::string_view BuiltInSamples() { return kSamples; }

std::string OfSize(std::string_view text, SampleSize size) {
  static const std::regex both(R"(([0-9.]+)\|([0-9.]+))");
  return std::regex_replace(std::string(text), both, size == SampleSize::kSmall ? "$1" : "$2");
}

absl::Status SampleTable::Read(std::string_view text, const std::string& name,
                               std::vector<OwnRow>& rows) {
  int number = 0;
  for (const std::string_view line : absl::StrSplit(text, '\n')) {
    ++number;
    const std::vector<std::string> words =
        absl::StrSplit(line, absl::ByAnyChar(" \t\r"), absl::SkipEmpty());
    if (words.empty() || absl::StartsWith(words[0], "#")) continue;
    OwnRow rule = {.place = absl::StrCat(name, ":", number),
                   .pattern_text = words[0],
                   .pattern = {},
                   .row = {}};
    const auto malformed = [&](auto... texts) {
      return absl::InvalidArgumentError(absl::StrCat(rule.place, ": ", texts...));
    };
    try {
      rule.pattern = std::regex(words[0], std::regex::ECMAScript | std::regex::optimize);
    } catch (const std::regex_error& error) {
      return malformed("pattern '", words[0], "': ", error.what());
    }
    for (auto word = words.begin() + 1; word != words.end(); ++word) {
      const std::pair<std::string, std::string> parts =
          absl::StrSplit(*word, absl::MaxSplits('=', 1));
      if (parts.first.empty() || parts.second.empty())
        return malformed("'", *word, "' is not argument=value");
      if (std::string* const why = ReasonOf(parts.first, rule.row)) {
        *why = absl::StrReplaceAll(parts.second, {{"_", " "}});
      } else if (parts.first == "!truth") {
        rule.row.truth = parts.second;
      } else if (absl::StartsWith(parts.first, "!")) {
        return malformed("'", parts.first,
                         "' is none of !free, !first, !alias, !writes, !lacks, !truth");
      } else if (!rule.row.arguments.insert(parts).second) {
        return malformed("argument '", parts.first, "' is there twice");
      }
    }
    rows.push_back(std::move(rule));
  }
  return absl::OkStatus();
}

absl::StatusOr<SampleTable> SampleTable::Parse(std::string_view text) {
  SampleTable table;
  absl::Status read = Read(text, "samples.txt", table.built_in_);
  if (!read.ok()) return read;
  return table;
}

absl::StatusOr<SampleTable> SampleTable::Parse(std::string_view own, const std::string& own_name) {
  SampleTable table;
  absl::Status read = Read(own, own_name, table.own_);
  if (read.ok()) read = Read(BuiltInSamples(), "samples.txt", table.built_in_);
  if (!read.ok()) return read;
  return table;
}

SampleRow SampleTable::For(const std::string& operator_name) const {
  SampleRow row;
  for (const std::vector<OwnRow>* rows : {&own_, &built_in_}) {
    for (const OwnRow& rule : *rows) {
      if (std::regex_search(operator_name, rule.pattern)) Add(rule.row, row);
    }
  }
  return row;
}

std::vector<SampleRow> SampleTable::CallsOf(const std::string& operator_name) const {
  const SampleRow rest = For(operator_name);
  std::vector<SampleRow> calls;
  for (const OwnRow& rule : own_) {
    if (rule.row.arguments.empty() || !std::regex_search(operator_name, rule.pattern)) continue;
    SampleRow call = rule.row;
    Add(rest, call);
    call.place = rule.place;
    const bool known = std::any_of(calls.begin(), calls.end(), [&](const SampleRow& other) {
      return other.arguments == call.arguments && other.truth == call.truth &&
             other.notes == call.notes;
    });
    if (!known) calls.push_back(std::move(call));
  }
  if (calls.empty()) calls.push_back(rest);
  return calls;
}

}  // namespace assay::sweep

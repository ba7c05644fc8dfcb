#include "tools/compare/side.h"

#include <unistd.h>

#include <filesystem>
#include <utility>

#include "absl/algorithm/container.h"
#include "absl/strings/ascii.h"
#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/strip.h"

namespace assay::compare {
namespace {

namespace fs = std::filesystem;

constexpr std::string_view kForms =
    "a case (mlp_fp32_b64, //benchmarks/mlp:mlp_fp32_b64), a revision (git:HEAD~1), a folder (.), "
    "a program, or "
    "a "
    "file of records (old.jsonl)";

absl::Status NotASide(std::string_view text, std::string_view problem) {
  return absl::InvalidArgumentError(absl::StrCat("'", text, "' ", problem, "; a side is ", kForms));
}

bool IsName(std::string_view word) {
  return absl::c_all_of(word, [](char c) { return absl::ascii_isalnum(c) || c == '_'; });
}

absl::StatusOr<Side> PathSide(Side side, const std::string& word, const std::string& folder) {
  const fs::path path = (fs::path(folder) / word).lexically_normal();
  std::error_code error;
  const fs::file_status status = fs::status(path, error);
  if (!fs::exists(status)) {
    if (IsName(word)) {
      side.kind = SideKind::kLabel;
      side.subject = word;
      return side;
    }
    return absl::NotFoundError(
        absl::StrCat("there is no '", path.string(), "'; a side is ", kForms));
  }
  side.subject = path.string();
  if (side.subject.size() > 1) side.subject = absl::StripSuffix(side.subject, "/");  // "." -> "/a/"
  if (fs::is_directory(status)) {
    if (!fs::exists(path / "tools" / "bazel")) {
      return NotASide(word, "is a folder, but holds no tools/bazel");
    }
    side.kind = SideKind::kTree;
  } else if (absl::EndsWith(word, ".jsonl") || access(path.c_str(), X_OK) != 0) {
    side.kind = SideKind::kRecords;
    if (!side.flags.empty()) return NotASide(side.text, "has flags, but its runs are over");
  } else {
    side.kind = SideKind::kProgram;
  }
  return side;
}

bool IsLabel(std::string_view word) {
  return absl::StartsWith(word, "//") && !absl::StrContains(word, "...");
}

}  // namespace

bool MatchesCase(const std::string& label, const std::regex& cases) {
  const size_t colon = label.rfind(':');
  return std::regex_search(label, cases) ||
         (colon != std::string::npos && std::regex_search(label.substr(colon + 1), cases));
}

absl::StatusOr<std::vector<std::string>> SplitWords(std::string_view text) {
  std::vector<std::string> words;
  std::string word;
  bool in_word = false;
  char quote = 0;
  for (size_t i = 0; i < text.size(); ++i) {
    const char c = text[i];
    if (c == '\\' && quote != '\'' && i + 1 < text.size()) {
      word += text[++i];
      in_word = true;
    } else if (quote != 0) {
      if (c == quote) {
        quote = 0;
      } else {
        word += c;
      }
    } else if (c == '\'' || c == '"') {
      quote = c;
      in_word = true;
    } else if (c == ' ' || c == '\t' || c == '\n') {
      if (in_word) words.push_back(std::exchange(word, ""));
      in_word = false;
    } else {
      word += c;
      in_word = true;
    }
  }
  if (quote != 0) {
    return absl::InvalidArgumentError(absl::StrCat("'", text, "': a quote is not closed"));
  }
  if (in_word) words.push_back(std::move(word));
  return words;
}

namespace {

absl::StatusOr<Side> ParseWords(std::string_view text, const std::string& folder) {
  absl::StatusOr<std::vector<std::string>> words = SplitWords(text);
  if (!words.ok()) return words.status();
  if (words->empty()) return NotASide(text, "is empty");
  Side side;
  side.text = text;
  size_t used = 1;
  const std::string first = words->front();
  std::string_view revision = first;
  if (absl::ConsumePrefix(&revision, "git:")) {
    if (revision.empty() || revision[0] == '-') return NotASide(text, "names no revision");
    side.revision = revision;
    side.kind = SideKind::kTree;
    if (words->size() > 1 && (IsLabel((*words)[1]) || IsName((*words)[1]))) {
      side.kind = SideKind::kLabel;
      side.subject = (*words)[used++];
    }
  }
  for (size_t i = used; i < words->size(); ++i) {
    std::string_view flag = (*words)[i];
    if (absl::ConsumePrefix(&flag, "--libtorch=")) {
      side.libtorch = flag;
    } else if (absl::ConsumePrefix(&flag, "--load-library=")) {
      side.library = (fs::path(folder) / std::string(flag)).lexically_normal().string();
    } else if (absl::ConsumePrefix(&flag, "--like=")) {
      side.like = flag;
    } else if (absl::ConsumePrefix(&flag, "--op=")) {
      side.op = flag;
    } else {
      side.flags.push_back((*words)[i]);
    }
  }
  if (side.library.empty() && !(side.like.empty() && side.op.empty()))
    return NotASide(text, "names an operator, but no --load-library=FILE");
  for (const std::string& flag : side.flags) {
    if (side.kind == SideKind::kProgram || side.revision.empty()) break;
    if (!absl::StartsWith(flag, "-")) return NotASide(flag, "is no flag");
  }
  if (!side.revision.empty()) return side;
  if (absl::StartsWith(first, "//")) {
    if (!IsLabel(first)) return NotASide(first, "is a pattern; use . with --cases=REGEX");
    side.kind = SideKind::kLabel;
    side.subject = first;
    return side;
  }
  if (absl::StartsWith(first, "-")) return NotASide(text, "begins with a flag");
  absl::StatusOr<Side> path = PathSide(std::move(side), first, folder);
  const bool built = path.ok() && path->kind != SideKind::kTree && path->kind != SideKind::kLabel;
  if (built && !path->libtorch.empty())
    return NotASide(text, "is built already, so --libtorch does not change it");
  if (built && !path->library.empty())
    return NotASide(text, "is no case of a tree, into whose runner --load-library loads");
  return path;
}

}  // namespace

absl::StatusOr<Side> ParseSide(std::string_view text, const std::string& folder) {
  return ParseWords(text, folder);
}

bool IsUnderLoad(const Side& side) {
  return absl::c_any_of(side.flags, [](std::string_view flag) {
    return flag == "--scenario" || absl::StartsWith(flag, "--scenario=");
  });
}

}  // namespace assay::compare

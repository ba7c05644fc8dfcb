#include "tools/suite/launch/secrets.h"

#include <unistd.h>

#include <algorithm>

#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_replace.h"
#include "benchmarks/harness/base/secret_names.h"

extern char** environ;

namespace assay::suite {

namespace {

std::string_view WithoutDashes(std::string_view flag) {
  return flag.substr(std::min(flag.find_first_not_of('-'), flag.size()));
}

// `word`, where `before` stands before it, without what its name or that flag says is a secret.
std::string Hidden(std::string_view before, std::string_view word) {
  const bool flag = absl::StartsWith(before, "-") && base::IsSecretName(WithoutDashes(before));
  if (flag && !word.empty() && word[0] != '-') return "***";
  const size_t equals = word.find('=');
  if (equals == std::string_view::npos ||
      !base::IsSecretName(WithoutDashes(word.substr(0, equals)))) {
    return std::string(word);
  }
  return absl::StrCat(word.substr(0, equals + 1), "***");
}

}  // namespace

Secrets::Secrets(const std::vector<std::string>& variables) {
  for (const std::string& variable : variables) {
    const size_t equals = variable.find('=');
    if (equals == std::string::npos || variable.size() - equals - 1 < 6) continue;
    if (base::IsSecretName(variable.substr(0, equals)))
      values_.push_back(variable.substr(equals + 1));
  }
  // Longer values first: one may be the beginning of another.
  std::sort(values_.begin(), values_.end(),
            [](const std::string& a, const std::string& b) { return a.size() > b.size(); });
}

std::string Secrets::Removed(std::string text) const {
  for (const std::string& value : values_) absl::StrReplaceAll({{value, "***"}}, &text);
  std::string removed;
  std::string_view before;
  for (size_t begin = 0; begin < text.size();) {
    const size_t end = std::min(text.find_first_of(" \t\n", begin), text.size());
    const std::string_view word = std::string_view(text).substr(begin, end - begin);
    absl::StrAppend(&removed, Hidden(before, word), text.substr(end, 1));
    if (!word.empty()) before = word;
    begin = end + 1;
  }
  return removed;
}

std::vector<std::string> Secrets::Removed(const std::vector<std::string>& words) const {
  std::vector<std::string> removed;
  std::string_view before;
  for (const std::string& word : words) {
    removed.push_back(Removed(Hidden(before, word)));
    before = word;
  }
  return removed;
}

Secrets KnownSecrets(const std::vector<std::string>& added) {
  std::vector<std::string> variables = added;
  for (char** variable = environ; *variable != nullptr; ++variable) variables.push_back(*variable);
  return Secrets(variables);
}

}  // namespace assay::suite

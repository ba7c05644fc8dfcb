#include "tools/suite/launch/secrets.h"

#include <unistd.h>

#include <algorithm>

#include "absl/strings/ascii.h"
#include "absl/strings/match.h"
#include "absl/strings/str_replace.h"

extern char** environ;

namespace assay::suite {

bool IsSecretName(std::string_view name) {
  const std::string upper = absl::AsciiStrToUpper(name);
  for (const std::string_view word :
       {"TOKEN", "KEY", "PASSWORD", "PASSWD", "SECRET", "CREDENTIAL", "COOKIE"}) {
    if (absl::StrContains(upper, word)) return true;
  }
  return false;
}

Secrets::Secrets(const std::vector<std::string>& variables) {
  for (const std::string& variable : variables) {
    const size_t equals = variable.find('=');
    if (equals == std::string::npos || variable.size() - equals - 1 < 6) continue;
    if (IsSecretName(variable.substr(0, equals))) values_.push_back(variable.substr(equals + 1));
  }
  // Longer values first: one may be the beginning of another.
  std::sort(values_.begin(), values_.end(),
            [](const std::string& a, const std::string& b) { return a.size() > b.size(); });
}

std::string Secrets::Removed(std::string text) const {
  for (const std::string& value : values_) absl::StrReplaceAll({{value, "***"}}, &text);
  return text;
}

Secrets KnownSecrets(const std::vector<std::string>& added) {
  std::vector<std::string> variables = added;
  for (char** variable = environ; *variable != nullptr; ++variable) variables.push_back(*variable);
  return Secrets(variables);
}

}  // namespace assay::suite

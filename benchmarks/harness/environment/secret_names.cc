#include "benchmarks/harness/environment/secret_names.h"

#include <string>

#include "absl/algorithm/container.h"
#include "absl/strings/ascii.h"
#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_replace.h"

namespace assay::environment {
namespace {

constexpr std::string_view kSecretWords[] = {
#define SECRET_WORD(word) word "_",
#define SECRET_LAST_WORD(word)
#define SECRET_PLACE(word)
#include "artifacts/fetch/secret_names.inc"
#undef SECRET_WORD
#undef SECRET_LAST_WORD
#undef SECRET_PLACE
};
constexpr std::string_view kSecretLastWords[] = {
#define SECRET_WORD(word)
#define SECRET_LAST_WORD(word) "_" word "_",
#define SECRET_PLACE(word)
#include "artifacts/fetch/secret_names.inc"
#undef SECRET_WORD
#undef SECRET_LAST_WORD
#undef SECRET_PLACE
};
constexpr std::string_view kSecretPlaces[] = {
#define SECRET_WORD(word)
#define SECRET_LAST_WORD(word)
#define SECRET_PLACE(word) "_" word "_",
#include "artifacts/fetch/secret_names.inc"
#undef SECRET_WORD
#undef SECRET_LAST_WORD
#undef SECRET_PLACE
};

}  // namespace

bool IsSecretName(std::string_view name) {
  if (name == "PWD") return false;  // the folder of a shell
  const std::string words = absl::StrCat(
      "_", absl::StrReplaceAll(absl::AsciiStrToUpper(name), {{"-", "_"}, {".", "_"}}), "_");
  const auto holds = [&](std::string_view word) { return absl::StrContains(words, word); };
  const auto ends = [&](std::string_view word) { return absl::EndsWith(words, word); };
  return (absl::c_any_of(kSecretWords, holds) || absl::c_any_of(kSecretLastWords, ends)) &&
         !absl::c_any_of(kSecretPlaces, ends);
}

}  // namespace assay::environment

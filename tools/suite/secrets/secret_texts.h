// -----------------------------------------------------------------------------
// File: secret_texts.h
// -----------------------------------------------------------------------------
//
// Takes secrets out of texts as artifacts/fetch/secret_texts.py does, by the same lists: a value whose
// name says that it is one, an address's user, password and query, and what known_forms.h and
// flag_arguments.h find.
//
// Not for values that no text tells: launch/secrets.h knows those of the environment.
//
//   CleanText("--api-key abc: it failed");       // "--api-key *** it failed"
//   CleanWords({"mysql", "-pabc", "db"});        // {"mysql", "-p***", "db"}

#ifndef ASSAY_TOOLS_SUITE_SECRETS_SECRET_TEXTS_H_
#define ASSAY_TOOLS_SUITE_SECRETS_SECRET_TEXTS_H_

#include <string>
#include <string_view>
#include <vector>

namespace assay::suite {

std::string CleanText(std::string_view text);

// The words of a command: the value of a flag may be the next word.
std::vector<std::string> CleanWords(const std::vector<std::string>& words);

}  // namespace assay::suite

#endif  // ASSAY_TOOLS_SUITE_SECRETS_SECRET_TEXTS_H_

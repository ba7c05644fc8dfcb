// -----------------------------------------------------------------------------
// File: flag_arguments.h
// -----------------------------------------------------------------------------
//
// Takes secrets out of command lines whose programs take them by a flag with a name that does not say
// so: curl -u, mysql -p (artifacts/fetch/secret_forms.inc).
//
//   WithoutArguments("curl -u me:abc host");         // "curl -u *** host"
//   ValuesOfFlags({"mysql", "-pabc", "db"});         // {{.word = 1, .at = 2}}

#ifndef ASSAY_TOOLS_SUITE_SECRETS_FLAG_ARGUMENTS_H_
#define ASSAY_TOOLS_SUITE_SECRETS_FLAG_ARGUMENTS_H_

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

namespace assay::suite {

struct ValueOfFlag {
  size_t word = 0, at = 0;  // in which word, and where in it
};

std::vector<ValueOfFlag> ValuesOfFlags(const std::vector<std::string>& words);

std::string WithoutArguments(std::string_view text);

}  // namespace assay::suite

#endif  // ASSAY_TOOLS_SUITE_SECRETS_FLAG_ARGUMENTS_H_

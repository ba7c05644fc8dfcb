// -----------------------------------------------------------------------------
// File: known_forms.h
// -----------------------------------------------------------------------------
//
// Takes secrets out of texts that are known by their shape (ghp_..., a private key) or by the words before
// them ("the password is ..."): the patterns of artifacts/fetch/secret_forms.inc.
//
//   WithoutForms("git clone me:abc@host/x");   // "git clone me:***@host/x"

#ifndef ASSAY_TOOLS_SUITE_SECRETS_KNOWN_FORMS_H_
#define ASSAY_TOOLS_SUITE_SECRETS_KNOWN_FORMS_H_

#include <string>

namespace assay::suite {

std::string WithoutForms(std::string text);

}  // namespace assay::suite

#endif  // ASSAY_TOOLS_SUITE_SECRETS_KNOWN_FORMS_H_

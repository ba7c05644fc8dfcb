// -----------------------------------------------------------------------------
// File: secrets.h
// -----------------------------------------------------------------------------
//
// Finds values that must not be written into results, which people pass on: the values of variables
// whose names look like passwords.
//
// Not for hiding anything from the processes that are started, nor from their own logs.
//
//   IsSecretName("HF_TOKEN");                     // true
//   KnownSecrets({}).Removed("token=hf_1234567")  // "token=***" where HF_TOKEN is hf_1234567

#ifndef ASSAY_TOOLS_SUITE_LAUNCH_SECRETS_H_
#define ASSAY_TOOLS_SUITE_LAUNCH_SECRETS_H_

#include <string>
#include <string_view>
#include <vector>

namespace assay::suite {

// Whether a variable's name holds TOKEN, KEY, PASSWORD, SECRET, CREDENTIAL or the like.
bool IsSecretName(std::string_view name);

class Secrets {
 public:
  // `variables`: "NAME=value". Values of fewer than six characters are not looked for: they would
  // be found in the middle of other words.
  explicit Secrets(const std::vector<std::string>& variables);

  // `text` with every secret value in it replaced by ***.
  std::string Removed(std::string text) const;

 private:
  std::vector<std::string> values_;
};

// The secrets of this process's environment and of `added` ("NAME=value").
Secrets KnownSecrets(const std::vector<std::string>& added);

}  // namespace assay::suite

#endif  // ASSAY_TOOLS_SUITE_LAUNCH_SECRETS_H_

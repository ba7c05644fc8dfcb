// -----------------------------------------------------------------------------
// File: secrets.h
// -----------------------------------------------------------------------------
//
// Finds values that must not be written into results, which people pass on: the values of variables
// whose names say that they are secrets (benchmarks/harness/environment/secret_names.h), wherever they
// stand, and what a text itself shows to be one (tools/suite/secrets/secret_texts.h).
//
// Not for hiding anything from the processes that are started, nor from their own logs.
//
//   KnownSecrets({}).Removed("as hf_1234567")     // "as ***" where HF_TOKEN is hf_1234567
//   KnownSecrets({}).Removed("--api-key abc")     // "--api-key ***", whatever the environment holds
//   KnownSecrets({}).RemoveFrom(record);

#ifndef ASSAY_TOOLS_SUITE_LAUNCH_PROCESSES_SECRETS_H_
#define ASSAY_TOOLS_SUITE_LAUNCH_PROCESSES_SECRETS_H_

#include <string>
#include <vector>

namespace google::protobuf {
class Message;
}

namespace assay::suite {

class Secrets {
 public:
  // `variables`: "NAME=value". Values of fewer than six characters are not looked for by themselves:
  // they would be found in the middle of other words.
  explicit Secrets(const std::vector<std::string>& variables);

  // `text` with *** in place of every known value, and of what CleanText() finds.
  std::string Removed(std::string text) const;

  // The same of the words of a command, or of its flags.
  std::vector<std::string> Removed(const std::vector<std::string>& words) const;

  // From every text of a record, and from every value that the key of a map calls a secret.
  void RemoveFrom(google::protobuf::Message& message) const;

 private:
  std::string WithoutValues(std::string text) const;

  std::vector<std::string> values_;
};

// The secrets of this process's environment and of `added` ("NAME=value").
Secrets KnownSecrets(const std::vector<std::string>& added);

}  // namespace assay::suite

#endif  // ASSAY_TOOLS_SUITE_LAUNCH_PROCESSES_SECRETS_H_

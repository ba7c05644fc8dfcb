#ifndef ASSAY_BENCHMARKS_HARNESS_ENVIRONMENT_SECRET_NAMES_H_
#define ASSAY_BENCHMARKS_HARNESS_ENVIRONMENT_SECRET_NAMES_H_

// ---------------------------------------------------------------------------------------------
// secret_names.h: which names of environment variables, flags and fields say that their value is a
// secret. artifacts/fetch/secret_texts.py reads the same list.
//
// Example:
//   IsSecretName("HF_TOKEN");                 // true
//   IsSecretName("TOKENIZERS_PARALLELISM");   // false
// ---------------------------------------------------------------------------------------------

#include <string_view>

namespace assay::environment {

// Whether a name has words of artifacts/fetch/secret_names.inc.
bool IsSecretName(std::string_view name);

}  // namespace assay::environment

#endif  // ASSAY_BENCHMARKS_HARNESS_ENVIRONMENT_SECRET_NAMES_H_

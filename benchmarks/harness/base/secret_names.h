#ifndef ASSAY_BENCHMARKS_HARNESS_BASE_SECRET_NAMES_H_
#define ASSAY_BENCHMARKS_HARNESS_BASE_SECRET_NAMES_H_

// ---------------------------------------------------------------------------------------------
// secret_names.h: which names of environment variables, flags and fields say that their value is a
// secret. tools/results/secret_values.py reads the same list.
//
// Example:
//   IsSecretName("HF_TOKEN");                 // true
//   IsSecretName("TOKENIZERS_PARALLELISM");   // false
// ---------------------------------------------------------------------------------------------

#include <string_view>

namespace assay::base {

// Whether a name has words of artifacts/fetch/secret_names.inc.
bool IsSecretName(std::string_view name);

}  // namespace assay::base

#endif  // ASSAY_BENCHMARKS_HARNESS_BASE_SECRET_NAMES_H_

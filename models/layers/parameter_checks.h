#ifndef ASSAY_MODELS_LAYERS_PARAMETER_CHECKS_H_
#define ASSAY_MODELS_LAYERS_PARAMETER_CHECKS_H_

// ---------------------------------------------------------------------------------------------
// models/layers/parameter_checks.h: what families ask of two parameters together, which no
// ParameterSpec can say.
//
// Not for: ranges of one parameter (variants.bzl).
//
// Example:
//
//     absl::Status status = CheckMultiple("vit", parameters, "resolution", "patch_size");
// ---------------------------------------------------------------------------------------------

#include <string_view>

#include "absl/status/status.h"
#include "models/parameters.h"

namespace assay::models {

// InvalidArgument, in words that begin with the family, unless the integer `value` is a multiple of
// the integer `divisor`.
absl::Status CheckMultiple(std::string_view family, const Parameters& parameters,
                           std::string_view value, std::string_view divisor);

}  // namespace assay::models

#endif  // ASSAY_MODELS_LAYERS_PARAMETER_CHECKS_H_

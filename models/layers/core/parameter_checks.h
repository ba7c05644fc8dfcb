#ifndef ASSAY_MODELS_LAYERS_CORE_PARAMETER_CHECKS_H_
#define ASSAY_MODELS_LAYERS_CORE_PARAMETER_CHECKS_H_

// ---------------------------------------------------------------------------------------------
// models/layers/core/parameter_checks.h: checks of parameters that no ParameterSpec can express.
//
// Not for: ranges of numbers (variants.bzl).
//
// Example:
//
//     absl::Status status = CheckMultiple("vit", parameters, "resolution", "patch_size");
// ---------------------------------------------------------------------------------------------

#include <cstddef>
#include <cstdint>
#include <string_view>

#include "absl/status/status.h"
#include "models/parameters.h"

namespace assay::models {

// InvalidArgument, in words that begin with the family, unless the integer `value` is a multiple of
// the integer `divisor`.
absl::Status CheckMultiple(std::string_view family, const Parameters& parameters,
                           std::string_view value, std::string_view divisor);

// InvalidArgument, in words that begin with the family, unless the list `name` has `count` integers;
// `which` says what they are: "one for each stage".
absl::Status CheckCount(std::string_view family, const Parameters& parameters,
                        std::string_view name, size_t count, std::string_view which);

// InvalidArgument, likewise, unless the list "layers" has a number of blocks, 1 or more, for each of
// `stages` stages.
absl::Status CheckBlocks(std::string_view family, const Parameters& parameters, size_t stages);

// InvalidArgument, likewise, unless the lists `one` and `other` are equally long, and not empty.
absl::Status CheckForEachStage(std::string_view family, const Parameters& parameters,
                               std::string_view one, std::string_view other);

// InvalidArgument, likewise, unless `value` is even (odd); `what` names it: "mlp[0]", "hidden".
absl::Status CheckEven(std::string_view family, std::string_view what, int64_t value);
absl::Status CheckOdd(std::string_view family, std::string_view what, int64_t value);

// InvalidArgument, likewise, if the list `name` is empty.
absl::Status CheckFilled(std::string_view family, const Parameters& parameters,
                         std::string_view name);

}  // namespace assay::models

#endif  // ASSAY_MODELS_LAYERS_CORE_PARAMETER_CHECKS_H_

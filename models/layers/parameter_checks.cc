#include "models/layers/parameter_checks.h"

#include <cstdint>
#include <string>

#include "absl/strings/str_cat.h"

namespace assay::models {

absl::Status CheckMultiple(std::string_view family, const Parameters& parameters,
                           std::string_view value, std::string_view divisor) {
  const int64_t whole = parameters.Integer(value), part = parameters.Integer(divisor);
  if (whole % part == 0) return absl::OkStatus();
  return absl::InvalidArgumentError(absl::StrCat(std::string(family), ": ", std::string(value), " ",
                                                 whole, " is not a multiple of ",
                                                 std::string(divisor), " ", part));
}

}  // namespace assay::models

#include "models/layers/core/parameter_checks.h"

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

absl::Status CheckCount(std::string_view family, const Parameters& parameters,
                        std::string_view name, size_t count, std::string_view which) {
  const size_t given = parameters.Integers(name).size();
  if (given == count) return absl::OkStatus();
  return absl::InvalidArgumentError(absl::StrCat(std::string(family), ": ", std::string(name),
                                                 " has ", given, " numbers; want ", count, ", ",
                                                 std::string(which)));
}

absl::Status CheckBlocks(std::string_view family, const Parameters& parameters, size_t stages) {
  const absl::Status count = CheckCount(family, parameters, "layers", stages, "one for each stage");
  if (!count.ok()) return count;
  for (const int64_t blocks : parameters.Integers("layers")) {
    if (blocks < 1) {
      return absl::InvalidArgumentError(
          absl::StrCat(std::string(family), ": each stage needs a block"));
    }
  }
  return absl::OkStatus();
}

absl::Status CheckEven(std::string_view family, std::string_view what, int64_t value) {
  if (value % 2 == 0) return absl::OkStatus();
  return absl::InvalidArgumentError(
      absl::StrCat(std::string(family), ": ", std::string(what), " ", value, " is not even"));
}

absl::Status CheckOdd(std::string_view family, std::string_view what, int64_t value) {
  if (value % 2 != 0) return absl::OkStatus();
  return absl::InvalidArgumentError(
      absl::StrCat(std::string(family), ": ", std::string(what), " ", value, " is not odd"));
}

absl::Status CheckFilled(std::string_view family, const Parameters& parameters,
                         std::string_view name) {
  if (!parameters.Integers(name).empty()) return absl::OkStatus();
  return absl::InvalidArgumentError(absl::StrCat(std::string(family), ": ", std::string(name),
                                                 " is empty; want a width for each layer"));
}

absl::Status CheckForEachStage(std::string_view family, const Parameters& parameters,
                               std::string_view one, std::string_view other) {
  const size_t ones = parameters.Integers(one).size(), others = parameters.Integers(other).size();
  if (ones == others && ones > 0) return absl::OkStatus();
  return absl::InvalidArgumentError(
      absl::StrCat(std::string(family), ": ", ones, " ", std::string(one), " and ", others, " ",
                   std::string(other), "; want one of each for each stage"));
}

}  // namespace assay::models

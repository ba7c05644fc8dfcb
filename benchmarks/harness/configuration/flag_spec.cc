#include "benchmarks/harness/configuration/flag_spec.h"

#include <cmath>
#include <utility>

#include "absl/algorithm/container.h"
#include "absl/strings/numbers.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "absl/strings/str_split.h"

namespace assay::configuration {

Reader OneOf(std::vector<std::string> choices) {
  return [choices = std::move(choices)](const std::string& value) -> absl::StatusOr<std::string> {
    if (absl::c_linear_search(choices, value)) return value;
    return absl::InvalidArgumentError(absl::StrCat("one of ", absl::StrJoin(choices, ", ")));
  };
}

Reader WholeNumber(int64_t low, int64_t high) {
  return [low, high](const std::string& value) -> absl::StatusOr<std::string> {
    int64_t number = 0;
    if (absl::SimpleAtoi(value, &number) && number >= low && number <= high) {
      return absl::StrCat(number);
    }
    return absl::InvalidArgumentError(absl::StrCat("a whole number from ", low, " to ", high));
  };
}

Reader RealNumber(bool zero, std::string allowed) {
  return [zero,
          allowed = std::move(allowed)](const std::string& value) -> absl::StatusOr<std::string> {
    double number = 0;
    if (absl::SimpleAtod(value, &number) && std::isfinite(number) &&
        (number > 0 || (zero && number == 0))) {
      return absl::StrCat(number);
    }
    return absl::InvalidArgumentError(allowed);
  };
}

Reader AnyText() {
  return [](const std::string& value) -> absl::StatusOr<std::string> {
    if (!value.empty()) return value;
    return absl::InvalidArgumentError("it is empty");
  };
}

Reader OnOrOff() { return OneOf({"true", "false"}); }

Reader ListOf(std::function<absl::Status(std::string_view word)> check) {
  return [check = std::move(check)](const std::string& value) -> absl::StatusOr<std::string> {
    const std::vector<std::string> words = absl::StrSplit(value, ',', absl::SkipEmpty());
    if (words.empty()) return absl::InvalidArgumentError("it is empty");
    for (const std::string& word : words) {
      if (absl::Status known = check(word); !known.ok()) return known;
    }
    return absl::StrJoin(words, ",");
  };
}

int64_t ToWholeNumber(std::string_view value) {
  int64_t number = 0;
  return absl::SimpleAtoi(value, &number) ? number : 0;
}

double ToRealNumber(std::string_view value) {
  double number = 0;
  return absl::SimpleAtod(value, &number) ? number : 0;
}

}  // namespace assay::configuration

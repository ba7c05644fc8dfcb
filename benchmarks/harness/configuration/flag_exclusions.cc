#include "benchmarks/harness/configuration/flag_exclusions.h"

#include <utility>

#include "absl/strings/str_cat.h"

namespace assay::configuration {

Exclusion OfTheComparison() {
  return {.with = {"verify=off", "action=smoke", "export-*", "locate"},
          .why = "it is of the comparison, which $ leaves out"};
}

Exclusion OfALargeModel() {
  return {.with = {"action=smoke"}, .why = "not with $, whose model is a small one"};
}

Exclusion OfGivenTensors() {
  return {.with = {"export-*", "locate"}, .why = "not with $, which is of the seeded tensors"};
}

Exclusion OfTheCaseItself() {
  return {.with = {"export-*", "locate"},
          .why = "not with $, which is of the case's own tensors; leave one of them out"};
}

Exclusion AfterTheCase(std::string_view what) {
  return {.with = {"action=verify", "action=smoke", "export-*", "locate"},
          .why = absl::StrCat(what, " after the case; leave $ out")};
}

Exclusion AfterMeasuring() {
  return {.with = {"action=verify", "action=smoke", "export-*", "locate"},
          .why = "it comes after measuring; leave $ out"};
}

Exclusion OneTool(std::vector<std::string> others) {
  return {.with = std::move(others),
          .why = "not with $: one at a time, since each would see the others at work"};
}

}  // namespace assay::configuration

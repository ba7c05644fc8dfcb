#ifndef ASSAY_BENCHMARKS_HARNESS_PROFILE_RANGE_NAME_H_
#define ASSAY_BENCHMARKS_HARNESS_PROFILE_RANGE_NAME_H_

// ---------------------------------------------------------------------------------------------
// range_name.h: the one spelling of the ranges around profiled calls. The code that opens a range
// and the code that filters by it (wrapped_command.h) both use it; PARAM spells its range in three
// ways, and its Nsight filters match none of them.
//
// Example:
//   RangeName("mlp_fp32_b8_train", "backward");   // "mlp_fp32_b8_train/backward"
// ---------------------------------------------------------------------------------------------

#include <string>
#include <string_view>

#include "absl/strings/str_cat.h"

namespace assay::profile {

// Around one call of a step.
inline std::string RangeName(std::string_view case_name, std::string_view step) {
  return absl::StrCat(case_name, "/", step);
}

}  // namespace assay::profile

#endif  // ASSAY_BENCHMARKS_HARNESS_PROFILE_RANGE_NAME_H_

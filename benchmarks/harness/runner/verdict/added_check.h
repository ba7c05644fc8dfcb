#ifndef ASSAY_BENCHMARKS_HARNESS_RUNNER_VERDICT_ADDED_CHECK_H_
#define ASSAY_BENCHMARKS_HARNESS_RUNNER_VERDICT_ADDED_CHECK_H_

// ---------------------------------------------------------------------------------------------
// added_check.h: one more check of a verdict, beside the comparison with the reference.
//
// Example:
//   AddCheck("bitwise", difference.bit_equal, "against plain eager; …", "", verdict);
// ---------------------------------------------------------------------------------------------

#include <string>
#include <string_view>

#include "defs/proto/record.pb.h"

namespace assay::runner {

// Adds a check to the verdict. A check that failed makes a verdict that was none worse
// FAIL_ACCURACY; `reasons` go into its message.
void AddCheck(std::string_view name, bool ok, std::string detail, std::string_view reasons,
              Verdict& verdict);

}  // namespace assay::runner

#endif  // ASSAY_BENCHMARKS_HARNESS_RUNNER_VERDICT_ADDED_CHECK_H_

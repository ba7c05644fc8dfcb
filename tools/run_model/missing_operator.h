#ifndef ASSAY_TOOLS_RUN_MODEL_MISSING_OPERATOR_H_
#define ASSAY_TOOLS_RUN_MODEL_MISSING_OPERATOR_H_

// ---------------------------------------------------------------------------------------------
// missing_operator.h: what to do about a file that calls an operator that neither LibTorch nor a loaded library has.
//
// Example:
//   OfMissingOperator("a.pt", status)   // "a.pt: it calls mine::twice, … --load-library=FILE"
// ---------------------------------------------------------------------------------------------

#include <string>
#include <string_view>

#include "absl/status/status.h"

namespace assay::run_model {

// `status` refuses to load a file: where that is for an operator, the same code with the operator's name and, if it
// is known, the library that has it; else `status` itself.
absl::Status OfMissingOperator(std::string_view path, const absl::Status& status);

}  // namespace assay::run_model

#endif  // ASSAY_TOOLS_RUN_MODEL_MISSING_OPERATOR_H_

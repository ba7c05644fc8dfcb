#ifndef ASSAY_BENCHMARKS_OPERATORS_PARAM_ERROR_CLASS_H_
#define ASSAY_BENCHMARKS_OPERATORS_PARAM_ERROR_CLASS_H_

// ---------------------------------------------------------------------------------------------
// error_class.h: a word in a Status, beside the message, that says why an item has no figures.
//
//   MALFORMED_FILE     the file is no JSON, or holds no operators           exit code 3
//   INVALID_CONFIG     a configuration, a macro or an argument is wrong                3
//   UNKNOWN_ITERATOR, UNKNOWN_GENERATOR, UNKNOWN_OPERATOR, UNKNOWN_ID                  3
//   INVALID_ARGUMENTS  no overload takes the arguments, or the schema is another one    3
//   OPERATOR_REFUSED   the operator ended with an error of its own                      3
//   OUT_OF_MEMORY, TIMEOUT, CRASH, DEVICE_LOST, NO_DEVICE, INTERRUPTED   as of record/outcome.h
//
// Example:
//   return Classed("INVALID_CONFIG", absl::InvalidArgumentError("..."));
//   ClassOf(status);   // "INVALID_CONFIG"
// ---------------------------------------------------------------------------------------------

#include <string>
#include <string_view>

#include "absl/status/status.h"
#include "benchmarks/harness/processes/series.h"

namespace assay::param {

// A status that has a class keeps it; OK stays OK.
absl::Status Classed(std::string_view error_class, absl::Status status);

// The class of a status; without one, the class of its code: OUT_OF_MEMORY, DEVICE_LOST,
// INTERRUPTED or OPERATOR_REFUSED.
std::string ClassOf(const absl::Status& status);

// The class of an item that the process that ran it died of.
std::string ClassOf(const processes::LostItem& lost);

// The exit code of a run in which items ended with this class.
int ExitCodeOf(std::string_view error_class);

}  // namespace assay::param

#endif  // ASSAY_BENCHMARKS_OPERATORS_PARAM_ERROR_CLASS_H_

#ifndef ASSAY_BENCHMARKS_OPERATORS_KERNEL_LOADED_OPERATORS_H_
#define ASSAY_BENCHMARKS_OPERATORS_KERNEL_LOADED_OPERATORS_H_

// ---------------------------------------------------------------------------------------------
// loaded_operators.h: loads a user's library into this process, and knows the operators that it
// registers.
//
// Example:
//   absl::StatusOr<std::vector<std::string>> own = LoadOperators("libmine.so");
//   absl::StatusOr<std::string> name = ChosenOperator(*own, /*asked=*/"");   // "mine::softmax"
// ---------------------------------------------------------------------------------------------

#include <string>
#include <vector>

#include "absl/status/statusor.h"

namespace assay::override {

// The full names of the operators that are new; FailedPrecondition, in the loader's words, for a library that
// does not load.
absl::StatusOr<std::vector<std::string>> LoadOperators(const std::string& library);

// `asked`, with or without its overload, or the only one. InvalidArgument, with their names, where it is
// not among them, or several are and none is asked for.
absl::StatusOr<std::string> ChosenOperator(const std::vector<std::string>& own,
                                           const std::string& asked);

}  // namespace assay::override

#endif  // ASSAY_BENCHMARKS_OPERATORS_KERNEL_LOADED_OPERATORS_H_

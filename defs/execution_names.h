#ifndef ASSAY_DEFS_EXECUTION_NAMES_H_
#define ASSAY_DEFS_EXECUTION_NAMES_H_

// ---------------------------------------------------------------------------------------------
// execution_names.h: the back ends that every runner links, and which cases they and the lowerings
// can call, for programs that link none. backend_test.cc holds that they are the same.
//
// Example:
//   absl::Status possible = CheckBackend(c.benchmark_case());
// ---------------------------------------------------------------------------------------------

#include <string>
#include <string_view>

#include "absl/status/status.h"
#include "defs/lowerings.h"
#include "defs/suite.pb.h"

namespace assay {

inline constexpr std::string_view kBackends[] = {"eager", "torchscript"};

// The name of the back end: "eager" where the execution names none, and in old records "EAGER".
std::string BackendName(const Execution& execution);

// InvalidArgument, naming the flag and what is allowed, where one of these back ends cannot call
// the case. OK for all others, which only the runner that links them knows.
absl::Status CheckBackend(const BenchmarkCase& c);

// Likewise for the lowering. Whether the model has it, only the model knows.
absl::Status CheckLowering(const BenchmarkCase& c);

}  // namespace assay

#endif  // ASSAY_DEFS_EXECUTION_NAMES_H_

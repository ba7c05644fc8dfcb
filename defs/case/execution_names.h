#ifndef ASSAY_DEFS_CASE_EXECUTION_NAMES_H_
#define ASSAY_DEFS_CASE_EXECUTION_NAMES_H_

// ---------------------------------------------------------------------------------------------
// execution_names.h: the back ends of this tree, and which cases they and the lowerings can call,
// for programs that link none; and what an execution rounds.
//
// Example:
//   absl::Status possible = CheckBackend(c.benchmark_case());
// ---------------------------------------------------------------------------------------------

#include <string>
#include <string_view>
#include <vector>

#include "absl/status/status.h"
#include "defs/case/lowerings.h"
#include "defs/proto/suite.pb.h"

namespace assay {

inline constexpr std::string_view kEager = "eager";  // every runner links it

// The others, which a runner has only where its build asks for them, since most builds need neither
// their code nor what they fetch. Rows of defs/backends.bzl, which says what a column means.
struct BackendRow {
  std::string_view name, says, container, files, may_do;
  bool native = false;
};
inline constexpr BackendRow kBackendTable[] = {
#include "defs/backend_rows.inc"
};

// Each of the others links it as well.
inline constexpr std::string_view kTorchScript = kBackendTable[0].name;

// With the name of one behind it: what --//benchmarks/backends= links; with several names, sorted and
// joined by "_": these.
inline constexpr std::string_view kBackendsPackage = "//benchmarks/backends:";

bool IsLinkable(std::string_view name);

// The names of the table, in its order: "torchscript, aoti or exported", where `last` is " or ".
std::vector<std::string_view> LinkableBackends();
std::string LinkableText(std::string_view last = ", ");

// The name of the back end: "eager" where the execution names none, and in old records "EAGER".
std::string BackendName(const Execution& execution);

// InvalidArgument, naming the flag and what is allowed, where a back end of this tree cannot call the
// case. OK for all others, which only the runner that links them knows.
absl::Status CheckBackend(const BenchmarkCase& c);

// InvalidArgument, beginning with `who` (a flag), where a trace of one forward pass is not what the
// case runs.
absl::Status CheckTraceable(const BenchmarkCase& c, std::string_view who);

// Likewise for autocast, which takes float32 cases.
absl::Status CheckAutocast(const BenchmarkCase& c);

// Likewise for the lowering. Whether the model has it, only the model knows.
absl::Status CheckLowering(const BenchmarkCase& c);

// The precision to which operands of float32 products are rounded, if the case is called so on this device:
// HIGH: TF32, MEDIUM: bf16, HIGHEST: nothing. LibTorch 2.11.0 on CUDA has TF32 for both "high" and
// "medium"; on a CPU "medium" rounds where it multiplies bf16. There "high" counts as rounding nothing:
// that holds but for CPUs with AMX-FP16, whose products may be of TF32 and then fail float32's limits.
MatmulPrecision RoundingOf(const Execution& execution, DeviceType device);

}  // namespace assay

#endif  // ASSAY_DEFS_CASE_EXECUTION_NAMES_H_

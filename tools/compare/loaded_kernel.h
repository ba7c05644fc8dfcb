// -----------------------------------------------------------------------------
// File: loaded_kernel.h
// -----------------------------------------------------------------------------
//
// A user's library whose kernel runs in the place of ATen's in a side's processes: how it is loaded, and
// what a case makes of it.
//
// Not for what is measured: a side with a library is measured as any other.
//
//   absl::StatusOr<std::vector<std::string>> variables = LoadingVariables(side, tree, {}, &interrupted);
//   absl::StatusOr<std::vector<OperatorUse>> uses = UsesIn(command, &interrupted);

#ifndef ASSAY_TOOLS_COMPARE_LOADED_KERNEL_H_
#define ASSAY_TOOLS_COMPARE_LOADED_KERNEL_H_

#include <atomic>
#include <string>
#include <string_view>
#include <vector>

#include "absl/status/statusor.h"
#include "tools/compare/decision/campaign.h"
#include "tools/compare/decision/measured_process.h"
#include "tools/compare/side.h"
#include "tools/processes/workspace.h"

namespace assay::compare {

// The variables that a runner of the tree needs. Builds the program that loads the library, and the library if the side names its
// source. Aborted for a source that does not compile, or a library that is refused.
absl::StatusOr<std::vector<std::string>> LoadingVariables(
    const Side& side, const processes::Workspace& tree, const std::vector<std::string>& build_flags,
    const std::atomic<bool>* interrupted);

// Runs the command once more, under the profiler. The operators whose kernels are not LibTorch's, with no calls those that
// the case does not call. Empty where the process left no profile, as one that failed. InvalidArgument
// where there are no such operators.
absl::StatusOr<std::vector<OperatorUse>> UsesIn(const MeasuredCommand& command,
                                                const std::atomic<bool>* interrupted);

// The operators of a record's "aten::_softmax (CPU, mine.cc), aten::mm.out (CPU, mine.cc)", without their overloads, which
// a profile does not tell apart.
std::vector<std::string> OperatorsIn(std::string_view kernels_over_aten);

// `profile`: the text of its operators.json.
std::vector<OperatorUse> UsesOf(const std::vector<std::string>& operators,
                                const std::string& profile);

}  // namespace assay::compare

#endif  // ASSAY_TOOLS_COMPARE_LOADED_KERNEL_H_

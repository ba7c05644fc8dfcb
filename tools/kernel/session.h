// -----------------------------------------------------------------------------
// File: session.h
// -----------------------------------------------------------------------------
//
// One run of `kernel`: makes a library of each candidate, has it checked in a process of its own, then
// timed in several, candidates in turns.
//
// This process runs nothing of the library. It holds what the timing processes say against its own clock:
// the samples cannot last longer than the process did.
//
//   absl::StatusOr<KernelReport> report = RunSession(settings, interrupted);

#ifndef ASSAY_TOOLS_KERNEL_SESSION_H_
#define ASSAY_TOOLS_KERNEL_SESSION_H_

#include <atomic>
#include <string>

#include "absl/functional/function_ref.h"
#include "absl/status/statusor.h"
#include "benchmarks/operators/kernel/kernel.pb.h"
#include "tools/kernel/settings.h"

namespace assay::kernel {

// The text of --action=library: the variables with which libstand_in.so (benchmarks/operators/override) loads the first
// file. Errors as of user_library.h.
absl::StatusOr<std::string> LoadingVariables(const Settings& settings,
                                             const std::atomic<bool>& interrupted);

// InvalidArgument for a request that cannot be (usage), Cancelled after an interrupt, else what the
// surroundings lack. What is wrong with a candidate is in the report. `progress` gets a line of what is
// being done.
absl::StatusOr<KernelReport> RunSession(const Settings& settings,
                                        const std::atomic<bool>& interrupted,
                                        absl::FunctionRef<void(const std::string&)> progress);

}  // namespace assay::kernel

#endif  // ASSAY_TOOLS_KERNEL_SESSION_H_

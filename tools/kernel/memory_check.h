// -----------------------------------------------------------------------------
// File: memory_check.h
// -----------------------------------------------------------------------------
//
// Has a kernel that passed its checks checked once more while another program watches memory: the address sanitizer, or
// compute-sanitizer. A program's finding is the kernel's failure.
//
//   CheckUnderAddressSanitizer(runtime, folder + "/log", run, answer);   // run: AskChild() of the sanitized library
//   if (answer.verdict() == "WRONG") ...

#ifndef ASSAY_TOOLS_KERNEL_MEMORY_CHECK_H_
#define ASSAY_TOOLS_KERNEL_MEMORY_CHECK_H_

#include <atomic>
#include <optional>
#include <string>

#include "absl/functional/function_ref.h"
#include "benchmarks/operators/kernel/kernel.pb.h"
#include "tools/kernel/child_call.h"

namespace assay::kernel {

// `runtime`: libasan.so. `log`: with which the paths of its reports begin, in a folder that is there.
void CheckUnderAddressSanitizer(const std::string& runtime, const std::string& log,
                                absl::FunctionRef<KernelCandidate(const Watch&)> run,
                                KernelCandidate& answer);

// A slow call proves nothing there: what compute-sanitizer reports counts alone. A warning says why it was not asked. `run` has no answer
// where nothing of it would count.
void CheckUnderComputeSanitizer(const std::string& log, const std::atomic<bool>* interrupted,
                                absl::FunctionRef<std::optional<KernelCandidate>(const Watch&)> run,
                                KernelCandidate& answer);

}  // namespace assay::kernel

#endif  // ASSAY_TOOLS_KERNEL_MEMORY_CHECK_H_

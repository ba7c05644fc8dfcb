#ifndef ASSAY_BENCHMARKS_HARNESS_DISPATCHER_KERNELS_OVER_ATEN_H_
#define ASSAY_BENCHMARKS_HARNESS_DISPATCHER_KERNELS_OVER_ATEN_H_

// ---------------------------------------------------------------------------------------------
// kernels_over_aten.h: knows the kernels that somebody has registered over LibTorch's own operators
// (TORCH_LIBRARY_IMPL(aten, ...) in a linked, preloaded or loaded library), and takes them out of the
// dispatcher while a truth is computed. A kernel must not be its own truth.
//
// Every registration of the process passes through this library: it defines
// c10::Dispatcher::registerImpl and registerFallback, which the loader then takes in place of
// LibTorch's, and calls LibTorch's. It holds the registrations of other people in namespace aten, so
// it can take them back. Then the dispatcher calls the kernel that was there before.
//
// A registration names its source file. LibTorch's own lie in the folder of the first file that
// registered anything, since LibTorch is initialised before what is linked against it.
//
// Not for: code that replaces LibTorch's functions in another way, such as a preloaded library that
// defines at::softmax. Not for threads that call operators meanwhile.
//
// Example:
//   const OwnKernels own;    // from here on LibTorch's own kernels run
//   if (!own.status().ok()) return own.status();
//   truth = at::softmax(x, 1);
// ---------------------------------------------------------------------------------------------

#include <string>
#include <string_view>
#include <vector>

#include "absl/status/status.h"
#include "absl/types/span.h"

namespace assay::execution {

struct KernelOverAten {
  std::string operator_name;  // "aten::_softmax"; "every operator" for a fallback
  std::string dispatch_key;   // "CPU"
  std::string place;          // "my_kernels/softmax.cc:12"
};

// The kernels that are registered now, in the order of registration.
std::vector<KernelOverAten> KernelsOverAten();

// "aten::_softmax (CPU, softmax.cc:12), aten::mm (CPU, mm.cc:3)", the first few of many, without
// folders.
std::string KernelsText(absl::Span<const KernelOverAten> kernels);

// All of them for a record, without lines: equal texts mean the same operators, keys and files.
std::string KernelsIdentity(absl::Span<const KernelOverAten> kernels);

// While one exists, LibTorch's own kernels run. They may be nested.
class OwnKernels {
 public:
  OwnKernels();
  ~OwnKernels();
  OwnKernels(const OwnKernels&) = delete;
  OwnKernels& operator=(const OwnKernels&) = delete;

  // FailedPrecondition, with the kernel's place and what to do, where a kernel that is not LibTorch's
  // is still there.
  const absl::Status& status() const { return status_; }
  // The kernels that were taken out.
  const std::vector<KernelOverAten>& replaced() const { return replaced_; }

 private:
  std::vector<KernelOverAten> replaced_;
  absl::Status status_;
};

// Whether a registration's words, "registered at /pytorch/aten/src/ATen/core/x.cpp:3", name a source
// file of a LibTorch that was built in the folder `root`, "/pytorch/". For tests.
bool IsOfLibTorch(std::string_view debug, std::string_view root);

}  // namespace assay::execution

#endif  // ASSAY_BENCHMARKS_HARNESS_DISPATCHER_KERNELS_OVER_ATEN_H_

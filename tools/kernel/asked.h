// -----------------------------------------------------------------------------
// File: asked.h
// -----------------------------------------------------------------------------
//
// A command line asks for an operator of the tables or of a definition of FlashInfer-Trace, for sizes and for dtypes.
//
// Not for parsing flags (settings.h), nor for single values of --like and --at (request/).
//
//   absl::StatusOr<Asked> asked = ReadAsked(settings, folder, interrupted, progress);

#ifndef ASSAY_TOOLS_KERNEL_ASKED_H_
#define ASSAY_TOOLS_KERNEL_ASKED_H_

#include <atomic>
#include <string>
#include <vector>

#include "absl/functional/function_ref.h"
#include "absl/status/statusor.h"
#include "benchmarks/operators/kernel/kernel.pb.h"
#include "defs/proto/suite.pb.h"
#include "tools/kernel/request/flashinfer.h"
#include "tools/kernel/settings.h"

namespace assay::kernel {

struct Asked {
  OperatorRow row;
  std::vector<Sizes> sizes;
  std::vector<Dtype> dtypes;
  FlashInferTask task;  // without workloads: it is an operator of the tables
};

// The text of --list.
absl::StatusOr<std::string> ListOperators();

// "aten::softmax.int" of "softmax"; a full name and an empty one as they are.
absl::StatusOr<std::string> AtenNameOf(const std::string& like);

// InvalidArgument for a request that cannot be. The reference of a definition is traced into `folder`.
absl::StatusOr<Asked> ReadAsked(const Settings& settings, const std::string& folder,
                                const std::atomic<bool>& interrupted,
                                absl::FunctionRef<void(const std::string&)> progress);

}  // namespace assay::kernel

#endif  // ASSAY_TOOLS_KERNEL_ASKED_H_

// -----------------------------------------------------------------------------
// File: flashinfer.h
// -----------------------------------------------------------------------------
//
// FlashInfer-Trace: a definition (axes, inputs, outputs, and run() in Python) and its workloads become an
// operator with sizes, and the report becomes trace objects. The schema is that of flashinfer-bench
// (flashinfer_bench/data/definition.py, workload.py and trace.py at 40e6ca7).
//
// The reference is traced once for each workload by Python (flashinfer_reference.py): in float64, which is
// the truth, and in the definition's dtypes, which the candidate is timed against.
//
//   absl::StatusOr<FlashInferTask> task = ReadFlashInfer(definition, workloads);
//   absl::Status traced = TraceReference(command, *task, &interrupted);
//   out << TracesOf(*task, report, environment);   // a line for each candidate and workload

#ifndef ASSAY_TOOLS_KERNEL_REQUEST_FLASHINFER_H_
#define ASSAY_TOOLS_KERNEL_REQUEST_FLASHINFER_H_

#include <atomic>
#include <cstdint>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "benchmarks/operators/kernel/kernel.pb.h"
#include "defs/proto/suite.pb.h"

namespace assay::kernel {

struct FlashInferTask {
  std::string definition = {};  // its name
  OperatorRow row = {};         // sizes: of each workload; the folder of the traces is not set
  Dtype dtype = Dtype::FP32;    // of the first output with floating-point numbers
  std::vector<nlohmann::ordered_json> workloads = {};  // as in the file
};

// `workloads`: lines of traces or of workloads. InvalidArgument, with the field, for what is no definition,
// for a dtype that the CPU does not have here (float32, float16, bfloat16, int64, int32, bool are there), for
// an axis without a number, and for a scalar that differs between workloads.
absl::StatusOr<FlashInferTask> ReadFlashInfer(const std::string& definition,
                                              const std::string& workloads);

inline constexpr char kFlashInferScript[] = "tools/kernel/request/flashinfer_reference.py";

struct ReferenceCommand {
  std::string python = {}, script = {}, definition = {}, workloads = {};  // files
  std::string folder = {};                                                // of the traces
  uint64_t seed = 0;
};

// Sets the row's folder. InvalidArgument, in Python's words, for a reference that fails; FailedPrecondition
// where Python or its torch is missing.
absl::Status TraceReference(const ReferenceCommand& command, FlashInferTask& task,
                            const std::atomic<bool>* interrupted);

// A line of JSON for each candidate and workload.
std::string TracesOf(const FlashInferTask& task, const KernelReport& report,
                     const std::string& hardware, const std::string& timestamp);

}  // namespace assay::kernel

#endif  // ASSAY_TOOLS_KERNEL_REQUEST_FLASHINFER_H_

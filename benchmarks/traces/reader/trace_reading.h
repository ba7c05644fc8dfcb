#ifndef ASSAY_BENCHMARKS_TRACES_READER_TRACE_READING_H_
#define ASSAY_BENCHMARKS_TRACES_READER_TRACE_READING_H_

// ---------------------------------------------------------------------------------------------
// trace_reading.h: what a trace says beside its nodes.
//
// Example:
//   for (const TraceKernel& kernel : about.kernels)
//     busy_ns += kernel.duration_ns;   // of about.kernel_names[kernel.name]
// ---------------------------------------------------------------------------------------------

#include <cstddef>
#include <cstdint>
#include <map>
#include <string>
#include <vector>

namespace assay::traces {

enum class TraceFormat { kExecutionTrace, kKineto, kChakra };

// Collectives are those of NCCL and RCCL. All kernels but these compute.
enum class KernelKind { kCompute, kCommunication, kMemory };

// A kernel, a copy or a fill, as a GPU ran it.
struct TraceKernel {
  size_t name = 0;  // a place in TraceReading::kernel_names
  KernelKind kind = KernelKind::kCompute;
  int64_t node = 0;  // the id of the innermost node that launched it; 0: the trace does not say
  int64_t start_ns = 0, duration_ns = 0;
  // The call of CUDA's runtime that launched it, maybe with others; -1: it is not in the trace.
  int64_t launch_ns = -1, launch_duration_ns = -1;
  int64_t device = -1, stream = -1, correlation = 0;
};

struct TraceReading {
  TraceFormat format = TraceFormat::kExecutionTrace;
  std::string schema = {};
  int64_t pid = 0;
  std::string time = {};                // of the machine's clock and zone: "2026-11-27 23:57:54"
  int64_t start_ms = 0, finish_ms = 0;  // of a steady clock
  bool exact = false;  // the recorder of this suite wrote it: numbers and lists are whole
  std::map<std::string, std::string> generators = {};  // by device: the state's bytes at the start
  int64_t nodes = 0;
  std::vector<std::string> kernel_names = {};
  std::vector<TraceKernel> kernels = {};  // in order of time
  int64_t without_length = 0;             // events of Kineto that were left out, as they have none
  std::string torn = {};                  // why the file is not whole; empty: it is
};

}  // namespace assay::traces

#endif  // ASSAY_BENCHMARKS_TRACES_READER_TRACE_READING_H_

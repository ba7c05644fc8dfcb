#ifndef ASSAY_BENCHMARKS_HARNESS_RUNNER_MEASURE_MEMORY_PASS_H_
#define ASSAY_BENCHMARKS_HARNESS_RUNNER_MEASURE_MEMORY_PASS_H_

// ---------------------------------------------------------------------------------------------
// memory_pass.h: the memory that a measured case's steps take, found in a few calls after the timed
// ones, the check on it, and the line that shows it.
//
// A step whose call leaves tensors behind is flagged by the check "tensors_freed", beside the
// checks of its samples: NOTED below kFlaggedLeakBytes a call, FLAGGED from there on. The check
// "no_leak" (sampling/validity.h) sees only growth of the process, which a cache of freed memory
// can hide.
//
// --memory-timeline writes the allocations and frees of one more call (costs/memory_timeline.h).
//
// Not for: counting (costs/memory_use.h).
//
// Example:
//   auto memory = MemoryPass(c, *executable, at::kCPU, record.measurements());
//   *record.mutable_memory() = *std::move(memory);
//   AddMemoryChecks(record);
//   std::cout << MemoryLine(record);
// ---------------------------------------------------------------------------------------------

#include <ATen/core/Tensor.h>
#include <google/protobuf/repeated_field.h>

#include <cstdint>
#include <ostream>
#include <string>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "benchmarks/harness/execution/executable.h"
#include "benchmarks/harness/programs/program.h"
#include "defs/proto/record.pb.h"
#include "defs/proto/suite.pb.h"

namespace assay::runner {

inline constexpr int64_t kFlaggedLeakBytes = 1024;  // a call
// If one call takes longer, each step is called only once and leaks are not looked for.
inline constexpr double kLongCallNs = 5e9;

// The memory of a program and of its steps that have measurements. `program` is placed on `device`
// in the case's dtype. `as_given`: as in TimedInputs(), whose errors it has, and those of CountMemory.
absl::StatusOr<ProgramMemory> MemoryPass(
    const ResolvedCase& c, execution::Executable& executable, at::Device device,
    const google::protobuf::RepeatedPtrField<Measurement>& measurements,
    execution::TensorsRef as_given = {});

// Writes to `path` the timeline of the step whose time stands for the case, or, where that was not
// measured, of the first one that was, and prints its peak. Other arguments and errors as above;
// Ended(RECORD_FAILED) where the file cannot be written.
absl::Status WriteTimeline(const ResolvedCase& c, execution::Executable& executable,
                           at::Device device,
                           const google::protobuf::RepeatedPtrField<Measurement>& measurements,
                           execution::TensorsRef as_given, const std::string& path,
                           std::ostream& out);

// Adds the check to each measurement whose step is in the record's memory. Measurements by other
// suites' presets get no checks.
void AddMemoryChecks(Record& record);

// "memory             parameters 44.6 MiB; peak of a call: forward 49.0 MiB; peak of the process: 270
// MiB"; empty where nothing was counted.
std::string MemoryLine(const Record& record);

}  // namespace assay::runner

#endif  // ASSAY_BENCHMARKS_HARNESS_RUNNER_MEASURE_MEMORY_PASS_H_

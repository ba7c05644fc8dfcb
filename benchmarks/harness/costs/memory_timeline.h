#ifndef ASSAY_BENCHMARKS_HARNESS_COSTS_MEMORY_TIMELINE_H_
#define ASSAY_BENCHMARKS_HARNESS_COSTS_MEMORY_TIMELINE_H_

// ---------------------------------------------------------------------------------------------
// memory_timeline.h: each allocation and each free of one call of a step, by what the memory is for,
// with what was there before the call.
//
//   parameters    the program's state, buffers too
//   optimizer     what an optimizer keeps between its calls
//   cache         keys and values of a generation
//   inputs        of the call
//   gradients     of parameters; in the case of an operator, of its inputs
//   activations   what an operator of the forward pass hands on, outputs included
//   temporaries   everything else: what an operator needs for itself, gradients of activations
//
// LibTorch's allocators report the memory, its dispatcher the operators. The limits of
// tensor_memory.h hold here, too: another library's memory is not seen.
//
// Not for: sums (memory_use.h), files (timeline_files.h), times: the recorded call is slow.
//
// Example:
//   executable->SetInputs(inputs);
//   absl::StatusOr<MemoryTimeline> timeline = RecordTimeline(*executable, step, Calls::kSteady);
// ---------------------------------------------------------------------------------------------

#include <array>
#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "absl/status/statusor.h"
#include "benchmarks/harness/costs/memory_use.h"
#include "benchmarks/harness/execution/executable.h"
#include "defs/proto/suite.pb.h"

namespace assay::costs {

enum class MemoryUse {
  kParameters,
  kOptimizer,
  kCache,
  kInputs,
  kGradients,
  kActivations,
  kTemporaries,
};
inline constexpr size_t kMemoryUses = 7;
std::string_view MemoryUseName(MemoryUse use);

struct MemoryBlock {
  MemoryUse use = MemoryUse::kTemporaries;
  int64_t bytes = 0;
  uint64_t address = 0;
  // The outermost operator that was running; empty: it was there before operators were watched, or
  // none was.
  std::string allocated_by = "";
  // Operators and autograd's nodes that were running, outermost first.
  std::vector<std::string> running = {};
};

struct MemoryChange {
  size_t block = 0;
  bool allocates = true;  // else it frees
  int64_t ns = 0;         // since the begin of the call
};

using BytesByUse = std::array<int64_t, kMemoryUses>;

struct MemoryTimeline {
  std::string step = "";
  // In the order of their allocation; the first `before` were there before the call.
  std::vector<MemoryBlock> blocks = {};
  size_t before = 0;
  std::vector<MemoryChange> changes = {};
};

// The bytes alive: before the call, and after each change.
std::vector<BytesByUse> AliveOver(const MemoryTimeline& timeline);
int64_t Sum(const BytesByUse& bytes);

struct MemoryPeak {
  size_t after = 0;                 // how many changes
  std::vector<size_t> blocks = {};  // that were alive; the largest first
};

// The first moment at which most bytes were alive.
MemoryPeak PeakOf(const MemoryTimeline& timeline);

// Records one call, after Begin() and, with kSteady, two calls that are not recorded. The program is
// reset afterwards. The executable has its inputs. ResourceExhausted where memory does not suffice.
absl::StatusOr<MemoryTimeline> RecordTimeline(execution::Executable& executable,
                                              const StepSpec& step, Calls calls);

}  // namespace assay::costs

#endif  // ASSAY_BENCHMARKS_HARNESS_COSTS_MEMORY_TIMELINE_H_

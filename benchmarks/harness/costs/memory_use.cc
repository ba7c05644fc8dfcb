#include "benchmarks/harness/costs/memory_use.h"

#include <c10/core/StorageImpl.h>

#include <algorithm>
#include <cstdint>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "absl/strings/str_cat.h"
#include "benchmarks/harness/base/tensor_memory.h"
#include "benchmarks/harness/base/torch_status.h"
#include "defs/case/case_steps.h"

namespace assay::costs {
namespace {

constexpr int kWarmCalls = 2;

// Sums the bytes of storages, each once.
class StorageBytes {
 public:
  // The bytes that `tensor` adds: 0 if it is undefined or its storage was seen before.
  int64_t Of(const at::Tensor& tensor) {
    if (!tensor.defined() || !tensor.has_storage()) return 0;
    const bool is_new = seen_.insert(tensor.storage().unsafeGetStorageImpl()).second;
    return is_new ? static_cast<int64_t>(tensor.storage().nbytes()) : 0;
  }

 private:
  std::set<const c10::StorageImpl*> seen_;
};

int64_t GradientBytes(execution::Program& program) {
  StorageBytes bytes;
  int64_t sum = 0;
  for (const models::NamedTensor& entry : program.State()) sum += bytes.Of(entry.tensor.grad());
  return sum;
}

bool Has(const ResolvedCase& c, execution::Step step) { return FindStep(c, step, CPU).ok(); }

// Calls of one step, whose outputs live until the next call, as in a timed step.
class StepCalls {
 public:
  StepCalls(execution::Executable& executable, const StepSpec& step)
      : executable_(executable), step_(step.name()), prepares_(step.prepared()) {
    executable_.Begin(step_);
  }

  base::TensorMemoryCounts Count() {
    outputs_.clear();
    if (prepares_) executable_.Prepare(step_);
    const base::TensorMemory memory;
    outputs_ = executable_.Call(step_);
    return memory.Counts();
  }

 private:
  execution::Executable& executable_;
  const std::string step_;
  const bool prepares_;
  execution::Tensors outputs_;
};

StepMemory CountStep(execution::Executable& executable, const StepSpec& step, Calls calls) {
  const base::TensorMemory all;
  StepCalls step_calls(executable, step);
  // The bytes that one call leaves behind.
  const auto left = [&](base::TensorMemoryCounts& counts) {
    const int64_t before = all.Counts().AliveBytes();
    counts = step_calls.Count();
    return std::max<int64_t>(all.Counts().AliveBytes() - before, 0);
  };
  base::TensorMemoryCounts counts;
  for (int call = 0; call < kWarmCalls && calls == Calls::kSteady; ++call) step_calls.Count();
  int64_t leaked = left(counts);
  if (calls == Calls::kOne) leaked = 0;
  if (base::TensorMemoryCounts again; leaked > 0) leaked = std::min(leaked, left(again));
  StepMemory memory;
  memory.set_step(step.name());
  memory.set_peak_bytes(counts.peak_bytes);
  memory.set_allocated_bytes(counts.allocated_bytes);
  memory.set_allocations(counts.allocations);
  memory.set_leaked_bytes(leaked);
  return memory;
}

// Counts from outside, so that it works for any program: a forward pass leaves its activations;
// what is left after backward and optimizer belongs to those.
void CountTraining(execution::Executable& executable, bool updates, Calls calls,
                   ProgramMemory& memory) {
  executable.Begin(steps::kBackward);
  if (calls == Calls::kSteady) {
    executable.Prepare(steps::kBackward);
    executable.Call(steps::kBackward);
  }
  int64_t left_by_backward = 0;
  {
    const base::TensorMemory pass;
    executable.Prepare(steps::kBackward);
    memory.set_saved_activation_bytes(pass.Counts().AliveBytes());
    executable.Call(steps::kBackward);
    left_by_backward = pass.Counts().AliveBytes();
  }
  memory.set_gradient_bytes(GradientBytes(executable.program()));
  if (!updates) return;
  // Begin() makes a new optimizer and a backward pass, so its state is counted whether the
  // optimizer allocates it at once or in its first call.
  const base::TensorMemory pass;
  executable.Begin(steps::kOptimizer);
  executable.Call(steps::kOptimizer);
  memory.set_optimizer_bytes(std::max<int64_t>(pass.Counts().AliveBytes() - left_by_backward, 0));
}

}  // namespace

ProgramMemory StateMemory(execution::Program& program) {
  ProgramMemory memory;
  StorageBytes bytes;
  for (const models::NamedTensor& entry : program.State()) {
    const int64_t added = bytes.Of(entry.tensor);
    if (entry.trainable) {
      memory.set_parameter_bytes(memory.parameter_bytes() + added);
    } else {
      memory.set_buffer_bytes(memory.buffer_bytes() + added);
    }
    const int64_t elements = entry.trainable ? entry.tensor.numel() : entry.lowered_elements;
    if (added > 0) memory.set_parameters(memory.parameters() + elements);
  }
  return memory;
}

absl::Status CountMemory(execution::Executable& executable, const ResolvedCase& c,
                         absl::Span<const execution::Step> steps, Calls calls,
                         ProgramMemory& memory) {
  execution::Program& program = executable.program();
  absl::Status status;
  const auto count = [&](execution::Step step, auto&& body) {
    if (!status.ok()) return;
    status = base::CatchTorch(absl::StrCat("counting the memory of step ", step), body);
  };
  for (const execution::Step name : steps) {
    const absl::StatusOr<StepSpec> step = FindStep(c, name, CPU);
    if (!step.ok()) continue;  // a copy, which allocates nothing
    count(name, [&] { *memory.add_steps() = CountStep(executable, *step, calls); });
  }
  if (program.Differentiates() && Has(c, steps::kBackward)) {
    count(steps::kBackward,
          [&] { CountTraining(executable, Has(c, steps::kOptimizer), calls, memory); });
  }
  if (program.Contract() == execution::StateContract::kResettable) {
    status.Update(base::CatchTorch("resetting the program", [&] { program.Reset(); }));
  }
  return status;
}

}  // namespace assay::costs

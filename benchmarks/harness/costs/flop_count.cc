#include "benchmarks/harness/costs/flop_count.h"

#include <ATen/record_function.h>

#include <atomic>
#include <exception>
#include <memory>
#include <mutex>

#include "benchmarks/harness/base/torch_status.h"
#include "benchmarks/harness/costs/operator_watch.h"

namespace assay::costs {
namespace {

using FlopKind = OperatorFlops::Kind;

// Callbacks are plain functions, and autograd calls them on the threads of its devices. So they
// write to one global object, and only one count runs at a time.
std::mutex one_flop_count_at_a_time;
std::atomic<double> flops = 0, padding_flops = 0;
std::atomic<bool> flops_unknown = false;

// Each thread has its own.
thread_local int flop_depth = 0;         // depth within operators that were counted or given up
thread_local int64_t counted_calls = 0;  // number of operators that were counted

// The work that is left for the end of an operator.
struct StartedFlops : at::ObserverContext {
  explicit StartedFlops(FlopKind kind) : kind(kind), counted_before(counted_calls) {}
  FlopKind kind;
  int64_t counted_before;
};

OperatorFlops FlopsOf(const at::RecordFunction& function) {
  try {
    return JudgeOperator(function.name(), function.inputs());
  } catch (const std::exception&) {  // unknown arguments
    return {FlopKind::kUnknown};
  }
}

std::unique_ptr<at::ObserverContext> OnFlopsStart(const at::RecordFunction& function) {
  if (!function.operator_name()) return nullptr;  // a mark for profiles, such as a step of autograd
  if (flop_depth > 0) {
    ++flop_depth;
    return std::make_unique<StartedFlops>(FlopKind::kCounted);
  }
  const OperatorFlops judged = FlopsOf(function);
  if (judged.kind == FlopKind::kFree) return nullptr;
  auto started = std::make_unique<StartedFlops>(judged.kind);
  if (judged.kind == FlopKind::kInside) return started;
  ++flop_depth;
  ++counted_calls;
  flops += judged.flops.all;
  padding_flops += judged.flops.padding;
  if (judged.kind == FlopKind::kUnknown) flops_unknown = true;
  return started;
}

void OnFlopsEnd(const at::RecordFunction&, at::ObserverContext* context) {
  if (context == nullptr) return;
  const auto* started = static_cast<const StartedFlops*>(context);
  if (started->kind != FlopKind::kInside) {
    --flop_depth;
  } else if (started->counted_before == counted_calls) {
    flops_unknown = true;
  }
}

}  // namespace

absl::StatusOr<std::optional<FlopCount>> CountFlops(absl::FunctionRef<absl::Status()> call) {
  const std::scoped_lock lock(one_flop_count_at_a_time);
  flops = 0;
  padding_flops = 0;
  flops_unknown = false;
  flop_depth = 0;
  absl::Status status;
  {
    const OperatorWatch watch(
        at::RecordFunctionCallback(OnFlopsStart, OnFlopsEnd).needsInputs(true));
    status = call();
  }
  if (!status.ok()) return status;
  if (flops_unknown) return std::nullopt;
  return FlopCount{.all = flops, .padding = padding_flops};
}

absl::StatusOr<std::optional<FlopCount>> CountFlops(execution::Executable& executable,
                                                    execution::Step step) {
  const absl::Status begun = base::CatchTorch("running the program", [&] {
    executable.Begin(step);
    executable.Prepare(step);
  });
  if (!begun.ok()) return begun;
  return CountFlops(
      [&] { return base::CatchTorch("running the program", [&] { executable.Call(step); }); });
}

}  // namespace assay::costs

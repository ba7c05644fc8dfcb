#include "benchmarks/harness/execution/flop_count.h"

#include <ATen/record_function.h>

#include <atomic>
#include <exception>
#include <memory>
#include <mutex>

#include "benchmarks/harness/base/torch_status.h"
#include "benchmarks/harness/execution/operator_watch.h"

namespace assay::execution {
namespace {

using Kind = OperatorFlops::Kind;

// Callbacks are plain functions, and autograd carries them to the threads of its devices; so what
// they write to is one for the process, and one count is taken at a time.
std::mutex one_count_at_a_time;
std::atomic<double> flops = 0, padding_flops = 0;
std::atomic<bool> unknown = false;

// Of each thread.
thread_local int covered_depth = 0;      // inside how many operators that were counted or given up
thread_local int64_t counted_calls = 0;  // how many were counted

// What is to be done when an operator ends.
struct Started : at::ObserverContext {
  explicit Started(Kind kind) : kind(kind), counted_before(counted_calls) {}
  Kind kind;
  int64_t counted_before;
};

OperatorFlops Judge(const at::RecordFunction& function) {
  try {
    return JudgeOperator(function.name(), function.inputs());
  } catch (const std::exception&) {  // arguments unlike those that the formula knows
    return {Kind::kUnknown};
  }
}

std::unique_ptr<at::ObserverContext> OnStart(const at::RecordFunction& function) {
  if (!function.operator_name()) return nullptr;  // a mark for profiles, such as a step of autograd
  if (covered_depth > 0) {
    ++covered_depth;
    return std::make_unique<Started>(Kind::kCounted);
  }
  const OperatorFlops judged = Judge(function);
  if (judged.kind == Kind::kFree) return nullptr;
  auto started = std::make_unique<Started>(judged.kind);
  if (judged.kind == Kind::kInside) return started;
  ++covered_depth;
  ++counted_calls;
  flops += judged.flops.all;
  padding_flops += judged.flops.padding;
  if (judged.kind == Kind::kUnknown) unknown = true;
  return started;
}

void OnEnd(const at::RecordFunction&, at::ObserverContext* context) {
  if (context == nullptr) return;
  const auto* started = static_cast<const Started*>(context);
  if (started->kind != Kind::kInside) {
    --covered_depth;
  } else if (started->counted_before == counted_calls) {
    unknown = true;
  }
}

}  // namespace

absl::StatusOr<std::optional<FlopCount>> CountFlops(absl::FunctionRef<absl::Status()> call) {
  const std::scoped_lock lock(one_count_at_a_time);
  flops = 0;
  padding_flops = 0;
  unknown = false;
  covered_depth = 0;
  absl::Status status;
  {
    const OperatorWatch watch(at::RecordFunctionCallback(OnStart, OnEnd).needsInputs(true));
    status = call();
  }
  if (!status.ok()) return status;
  if (unknown) return std::nullopt;
  return FlopCount{.all = flops, .padding = padding_flops};
}

absl::StatusOr<std::optional<FlopCount>> CountFlops(Executable& executable, Step step) {
  const absl::Status begun = base::CatchTorch("running the program", [&] {
    executable.Begin(step);
    executable.Prepare(step);
  });
  if (!begun.ok()) return begun;
  return CountFlops(
      [&] { return base::CatchTorch("running the program", [&] { executable.Call(step); }); });
}

}  // namespace assay::execution

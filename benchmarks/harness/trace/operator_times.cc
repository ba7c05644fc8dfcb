#include "benchmarks/harness/trace/operator_times.h"

#include <atomic>
#include <utility>

#include "absl/time/time.h"
#include "benchmarks/harness/base/steady_time.h"

namespace assay::trace {
namespace {

std::atomic<OperatorTiming*> active_timing = nullptr;

int64_t Now() { return absl::ToInt64Nanoseconds(base::SteadyNow()); }

struct Begun : at::ObserverContext {
  size_t index = 0;
  int64_t start_ns = 0;
};

}  // namespace

std::unique_ptr<OperatorTiming> OperatorTiming::Start() {
  std::unique_ptr<OperatorTiming> timing(new OperatorTiming);
  timing->began_ns_ = Now();
  active_timing = timing.get();
  timing->handle_ = at::addGlobalCallback(at::RecordFunctionCallback(&OnStart, &OnEnd));
  return timing;
}

OperatorTiming::~OperatorTiming() { Remove(); }

void OperatorTiming::Remove() {
  if (handle_ == at::INVALID_CALLBACK_HANDLE) return;
  at::removeCallback(handle_);
  handle_ = at::INVALID_CALLBACK_HANDLE;
  active_timing = nullptr;
}

OperatorTimes OperatorTiming::Finish() {
  Remove();
  return std::move(times_);
}

std::unique_ptr<at::ObserverContext> OperatorTiming::OnStart(const at::RecordFunction& fn) {
  OperatorTiming* const timing = active_timing;
  if (timing == nullptr) return nullptr;
  auto begun = std::make_unique<Begun>();
  {
    const std::lock_guard lock(timing->mutex_);
    std::vector<OperatorTime>& times = timing->times_[fn.threadId()];
    begun->index = times.size();
    times.push_back({.name = fn.name()});
  }
  begun->start_ns = Now();
  return begun;
}

void OperatorTiming::OnEnd(const at::RecordFunction& fn, at::ObserverContext* context) {
  const int64_t now = Now();
  OperatorTiming* const timing = active_timing;
  const auto* begun = static_cast<Begun*>(context);
  if (timing == nullptr || begun == nullptr) return;
  const std::lock_guard lock(timing->mutex_);
  OperatorTime& time = timing->times_[fn.threadId()].at(begun->index);
  time.start_ns = begun->start_ns - timing->began_ns_;
  time.duration_ns = now - begun->start_ns;
}

}  // namespace assay::trace

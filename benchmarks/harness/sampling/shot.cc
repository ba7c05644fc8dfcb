#include "benchmarks/harness/sampling/shot.h"

#include <utility>

#include "absl/cleanup/cleanup.h"
#include "absl/strings/str_cat.h"

namespace assay::sampling {
namespace {

constexpr int kTimer = 0;  // one is enough while each sample is awaited

absl::Status WentBack(const char* clock, int64_t duration_ns) {
  return absl::DataLossError(absl::StrCat(
      clock, " went back by ", -duration_ns,
      " ns within a sample; no figure of this run can be trusted. Check the machine's clock source "
      "(/sys/devices/system/clocksource/clocksource0/current_clocksource)"));
}

}  // namespace

absl::Status Shooter::Record(int64_t calls) {
  absl::StatusOr<std::unique_ptr<Graph>> graph = device_.Capture([&] {
    for (int64_t i = 0; i < calls; ++i) {
      work_.UseInputs(static_cast<int>(i % work_.InputSets()));
      work_.Call();
    }
  });
  work_.UseInputs(0);
  if (!graph.ok()) return graph.status();
  graph_ = *std::move(graph);
  absl::Status launched = graph_->Launch();
  return launched.ok() ? device_.Synchronize() : launched;
}

absl::Status Shooter::Run(int64_t calls) {
  if (graph_ != nullptr) return graph_->Launch();
  work_.Call();  // on the inputs that Take() chose
  for (int64_t i = 1; i < calls; ++i) {
    if (rotating_) UseNextInputs();
    work_.Call();
  }
  return absl::OkStatus();
}

void Shooter::UseNextInputs() {
  work_.UseInputs(next_set_);
  next_set_ = (next_set_ + 1) % work_.InputSets();
}

absl::Status Shooter::Take(int64_t calls, Shot& shot) {
  if (rotating_) UseNextInputs();
  if (work_.HasPreparation()) {
    work_.Prepare();
    if (absl::Status status = device_.Synchronize(); !status.ok()) return status;
  }
  if (protocol_.flush) {
    if (absl::Status status = device_.FlushCache(); !status.ok()) return status;
    // The host's clock would include a running flush; a timer in the queue does not.
    if (protocol_.clock != Protocol::Clock::kTimer) {
      if (absl::Status status = device_.Synchronize(); !status.ok()) return status;
    }
  }
  const bool untimed_work = protocol_.flush || work_.HasPreparation();
  const int64_t instructions_before = untimed_work ? device_.ProcessInstructions() : 0;
  const int64_t cpu_start_ns = untimed_work ? device_.ProcessCpuNs() : 0;
  const absl::Status taken = protocol_.clock == Protocol::Clock::kTimer ? TakeOnTimer(calls, shot)
                                                                        : TakeOnHost(calls, shot);
  if (untimed_work) {
    shot.cpu_ns = device_.ProcessCpuNs() - cpu_start_ns;
    const int64_t instructions = device_.ProcessInstructions();
    if (instructions >= 0) shot.instructions = instructions - instructions_before;
  }
  return taken;
}

absl::Status Shooter::TakeOnHost(int64_t calls, Shot& shot) {
  shot.start_ns = device_.NowNs();
  if (absl::Status status = Run(calls); !status.ok()) return status;
  if (protocol_.clock == Protocol::Clock::kHostUntilReturn) {
    shot.duration_ns = device_.NowNs() - shot.start_ns;
    shot.enqueue_ns = shot.duration_ns;
    if (absl::Status status = device_.Synchronize(); !status.ok()) return status;
    shot.end_ns = device_.NowNs();
  } else {
    if (device_.TimerCount() > 0) shot.enqueue_ns = device_.NowNs() - shot.start_ns;
    if (absl::Status status = device_.Synchronize(); !status.ok()) return status;
    shot.end_ns = device_.NowNs();
    shot.duration_ns = shot.end_ns - shot.start_ns;
  }
  return shot.duration_ns < 0 ? WentBack("the host's clock", shot.duration_ns) : absl::OkStatus();
}

// Everything between hold and release. It is a function of its own so that the release follows
// whatever fails here.
absl::Status Shooter::QueueTimed(int64_t calls, Shot& shot) {
  if (absl::Status status = device_.MarkClockStart(); !status.ok()) return status;
  // Taken outside the timer's marks: where the device waits for the host, reading the clock between
  // them would be part of the time.
  shot.start_ns = device_.NowNs();
  if (absl::Status status = device_.StartTimer(kTimer); !status.ok()) return status;
  if (absl::Status status = Run(calls); !status.ok()) return status;
  if (absl::Status status = device_.StopTimer(kTimer); !status.ok()) return status;
  shot.enqueue_ns = device_.NowNs() - shot.start_ns;
  return device_.MarkClockStop();
}

absl::Status Shooter::TakeOnTimer(int64_t calls, Shot& shot) {
  // While a graph's calls are still queued one by one, there may be more of them than the queue
  // takes, so they are not held.
  const bool hold = protocol_.hold && (!protocol_.graph || graph_ != nullptr);
  if (hold)
    if (absl::Status status = device_.Hold(); !status.ok()) return status;
  // If a call throws, the queue must not stay held until the watchdog ends it.
  absl::Cleanup release = [this, hold] {
    if (hold) device_.Release().IgnoreError();
  };
  const absl::Status queued = QueueTimed(calls, shot);
  std::move(release).Cancel();
  if (hold) {
    const absl::StatusOr<bool> released = device_.Release();
    if (!released.ok()) return released.status();
    shot.held = *released;
  }
  if (absl::Status status = queued; !status.ok()) return status;
  if (absl::Status status = device_.WaitTimer(kTimer); !status.ok()) return status;
  const int64_t stopped_ns = device_.NowNs();
  if (absl::Status status = device_.Synchronize(); !status.ok()) return status;
  shot.end_ns = device_.NowNs();
  shot.residual_ns = shot.end_ns - stopped_ns;
  const absl::StatusOr<int64_t> duration_ns = device_.TimerNs(kTimer);
  if (!duration_ns.ok()) return duration_ns.status();
  shot.duration_ns = *duration_ns;
  return shot.duration_ns < 0 ? WentBack("the device's timer", shot.duration_ns) : absl::OkStatus();
}

}  // namespace assay::sampling

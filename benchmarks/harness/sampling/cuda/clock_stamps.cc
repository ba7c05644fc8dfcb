#include "benchmarks/harness/sampling/cuda/clock_stamps.h"

#include <algorithm>
#include <cmath>
#include <utility>

#include "benchmarks/harness/sampling/cuda/cuda_status.h"

namespace assay::sampling {

absl::StatusOr<std::unique_ptr<ClockStamps>> ClockStamps::Make(int sms, cudaStream_t stream) {
  absl::StatusOr<Mapped<Memory>> memory = Mapped<Memory>::Make();
  if (!memory.ok()) return memory.status();
  auto stamps = std::unique_ptr<ClockStamps>(new ClockStamps(*std::move(memory), sms));
  absl::Status status =
      CudaStatus(LaunchTimerStep(&stamps->memory_.on_device()->step_ns, stream), "reading a clock");
  if (status.ok()) status = stamps->MarkStart(stream);
  if (status.ok()) status = stamps->MarkStop(stream);
  if (!status.ok()) return status;
  return stamps;
}

absl::Status ClockStamps::MarkStart(cudaStream_t stream) {
  marks_ += marks_ % 2 == 0 ? 1 : 2;  // a start without a stop is forgotten
  return CudaStatus(LaunchClockStamps(memory_.on_device()->start, marks_, sms_, stream),
                    "noting the device's clock");
}

absl::Status ClockStamps::MarkStop(cudaStream_t stream) {
  marks_ += marks_ % 2;
  return CudaStatus(LaunchClockStamps(memory_.on_device()->stop, marks_, sms_, stream),
                    "noting the device's clock");
}

ClockReading ClockStamps::Read() {
  if (marks_ == read_ || marks_ % 2 != 0) return {};
  read_ = marks_;
  const Memory& memory = memory_.on_host();
  for (int sm = 0; sm < kStampedSms; ++sm) {
    const ClockStamp& start = memory.start[sm];
    const ClockStamp& stop = memory.stop[sm];
    if (start.mark != marks_ - 1 || stop.mark != marks_) continue;
    const int64_t span_ns = stop.ns - start.ns;
    const int64_t cycles = stop.cycles - start.cycles;
    if (span_ns <= 0 || cycles <= 0) continue;
    ClockReading reading;
    if (memory.step_ns <= kCoarsestStepNs)
      reading.span_ns = std::max<int64_t>(span_ns - overhead_ns_, 0);
    if (span_ns >= std::max(kLeastSteps * memory.step_ns, kLeastSpanNs)) {
      reading.mhz = static_cast<int32_t>(
          std::lround(1e3 * static_cast<double>(cycles) / static_cast<double>(span_ns)));
    }
    return reading;
  }
  return {};
}

}  // namespace assay::sampling

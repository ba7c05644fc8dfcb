#include "benchmarks/harness/sampling/evidence.h"

#include <algorithm>
#include <cmath>

namespace assay::sampling {

void ShotTally::Add(const Shot& shot) {
  ++shots;
  const double duration = static_cast<double>(shot.duration_ns);
  duration_ns += duration;
  if (shot.enqueue_ns >= 0) {
    enqueue_ns += static_cast<double>(shot.enqueue_ns);
    enqueued_wall_ns += static_cast<double>(shot.end_ns - shot.start_ns);
  }
  if (shot.cpu_ns >= 0) {
    cpu_known = true;
    cpu_ns += shot.cpu_ns;
    cpu_wall_ns += shot.end_ns - shot.start_ns;
    const bool counted = instructions >= 0 && shot.instructions >= 0;
    instructions = counted ? instructions + shot.instructions : -1;
  }
  if (!shot.held) ++unheld;
  if (protocol_.clock != Protocol::Clock::kTimer) return;
  const int64_t late_ns = shot.residual_ns - null_.residual_ns;
  if (static_cast<double>(late_ns) > std::max(kClocksNs, kClocksShare * duration)) ++late;
  worst_late_ns = std::max(worst_late_ns, late_ns);

  const double wall = static_cast<double>(shot.end_ns - shot.start_ns);
  const double tolerance = kClocksShare * duration + kClocksNs;
  double difference = 0;
  // A flush runs after start_ns but before the timed span, so there only a chunk's wall time is
  // comparable with the timer's.
  if (!protocol_.flush) difference = std::max(0.0, wall - duration - kLaunchGapNs);
  // More time on the device than has passed is impossible in any protocol.
  difference = std::max(difference, duration - wall);
  if (shot.clock.span_ns > 0) {
    const double longer = static_cast<double>(shot.clock.span_ns) - duration;
    difference = std::max({difference, -longer, longer - (IsHeld() ? 0 : kLaunchGapNs)});
  }
  if (difference > tolerance) ++apart;
  worst_apart_ns = std::max(worst_apart_ns, static_cast<int64_t>(difference));
}

}  // namespace assay::sampling

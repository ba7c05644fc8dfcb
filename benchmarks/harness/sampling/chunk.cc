#include "benchmarks/harness/sampling/chunk.h"

#include <algorithm>
#include <cmath>

#include "absl/status/status.h"
#include "benchmarks/harness/sampling/modes.h"

namespace assay::sampling {
namespace {

constexpr int64_t kMostCallsPerChunk = int64_t{1} << 30;

}  // namespace

absl::StatusOr<int64_t> CallsThatFill(const ChunkOptions& options, Shooter& shooter,
                                      absl::FunctionRef<bool()> stop) {
  const bool queued = shooter.protocol().clock == Protocol::Clock::kTimer;
  const double min_ns = absl::ToDoubleNanoseconds(options.min_duration);
  const double max_ns = absl::ToDoubleNanoseconds(options.max_duration);
  int64_t calls = 1;
  while (true) {
    Shot pilot;
    if (absl::Status status = shooter.Take(calls, pilot); !status.ok()) return status;
    const double took_ns = static_cast<double>(pilot.duration_ns);
    const double call_ns = std::max(took_ns / static_cast<double>(calls), 1e-3);
    const double wanted = queued ? static_cast<double>(options.min_calls) : 1;
    // As many calls as wanted if they fit into max_ns; in any case enough to fill min_ns.
    const double least = std::max(
        {1.0, std::ceil(min_ns / call_ns), std::min(wanted, std::floor(max_ns / call_ns))});
    if (least <= static_cast<double>(calls) || calls >= kMostCallsPerChunk || stop()) {
      return calls;
    }
    // A short pilot overestimates the time of a call, so the estimate falls as chunks grow; a fifth
    // more calls saves a round. Growth by more than ten times would trust one pilot too far.
    calls = static_cast<int64_t>(std::min(std::ceil(1.2 * least), 10 * static_cast<double>(calls)));
    calls = std::min(calls, kMostCallsPerChunk);
  }
}

}  // namespace assay::sampling

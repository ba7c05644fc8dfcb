// -----------------------------------------------------------------------------
// File: modes.h
// -----------------------------------------------------------------------------
//
// The ways to time a function.
//
//   mode        one sample is                                           it answers
//   wall        host clock: one call until the device is done           the latency a user sees
//   throughput  host clock: a chunk of calls until all are done         calls a second
//   cold        cache flushed; one call on the device's timer           device time, cache cold
//   graph       device timer around a replay of many recorded calls     device time, no launches
//   enqueue     host clock: one call until it returns                   what the host pays
//   hot         device timer around a chunk of calls                    device time, cache warm
//
// A device without timers (the CPU) takes the host's clock for cold and hot; it has no queue, so
// enqueue and graph are refused there.
//
// Not for taking samples: measure.h.
//
//   absl::StatusOr<Mode> mode = ParseMode("cold");

#ifndef ASSAY_BENCHMARKS_HARNESS_SAMPLING_MODES_H_
#define ASSAY_BENCHMARKS_HARNESS_SAMPLING_MODES_H_

#include <string_view>
#include <vector>

#include "absl/status/statusor.h"
#include "benchmarks/harness/sampling/device/device.h"

namespace assay::sampling {

enum class Mode { kWall, kThroughput, kCold, kGraph, kEnqueue, kHot };

// "wall", "throughput", "cold", "graph", "enqueue", "hot": as on the command line and in the
// record.
std::string_view ModeName(Mode mode);

// InvalidArgument with the list of names for any other text.
absl::StatusOr<Mode> ParseMode(std::string_view name);

// Every mode, in the order in which a case runs them: hot comes last, since it heats the device.
std::vector<Mode> AllModes();

// The modes to measure by default on this device, in the order to run them. On a device with a queue
// hot is among them and graph is not, although short calls make hot the host's pace: the check
// launch_bound then says so and names graph, and not every call can be recorded.
std::vector<Mode> DefaultModes(const Device& device);

// How a mode takes one sample.
struct Protocol {
  enum class Clock { kHost, kHostUntilReturn, kTimer };
  Clock clock = Clock::kHost;
  bool flush = false;
  bool chunks = false;  // many calls a sample, else one
  bool graph = false;   // a sample is a replay of a graph
  bool hold = false;    // the queue is held while the host fills it
};

// FailedPrecondition, naming an alternative, for a mode that the device does not have.
absl::StatusOr<Protocol> ProtocolOf(const Device& device, Mode mode);

}  // namespace assay::sampling

#endif  // ASSAY_BENCHMARKS_HARNESS_SAMPLING_MODES_H_

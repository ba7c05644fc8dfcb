#include "benchmarks/harness/sampling/modes.h"

#include <cstdlib>
#include <string>

#include "absl/status/status.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"

namespace assay::sampling {
namespace {

absl::Status NeedsAQueue(Mode mode) {
  return absl::FailedPreconditionError(
      absl::StrCat("mode ", ModeName(mode),
                   " needs a device with a queue of its own, and the CPU has none; use wall, "
                   "throughput, cold or hot"));
}

}  // namespace

std::string_view ModeName(Mode mode) {
  switch (mode) {
    case Mode::kWall:
      return "wall";
    case Mode::kThroughput:
      return "throughput";
    case Mode::kCold:
      return "cold";
    case Mode::kGraph:
      return "graph";
    case Mode::kEnqueue:
      return "enqueue";
    case Mode::kHot:
      return "hot";
  }
  std::abort();
}

std::vector<Mode> AllModes() {
  return {Mode::kWall, Mode::kThroughput, Mode::kCold, Mode::kGraph, Mode::kEnqueue, Mode::kHot};
}

absl::StatusOr<Mode> ParseMode(std::string_view name) {
  const std::vector<Mode> modes = AllModes();
  for (Mode mode : modes) {
    if (name == ModeName(mode)) return mode;
  }
  const std::string known =
      absl::StrJoin(modes, ", ", [](std::string* out, Mode mode) { out->append(ModeName(mode)); });
  return absl::InvalidArgumentError(
      absl::StrCat("there is no mode \"", name, "\"; one of ", known));
}

std::vector<Mode> DefaultModes(const Device& device) {
  if (device.TimerCount() > 0) return {Mode::kWall, Mode::kCold, Mode::kHot};
  return {Mode::kWall, Mode::kThroughput};
}

absl::StatusOr<Protocol> ProtocolOf(const Device& device, Mode mode) {
  const bool queue = device.TimerCount() > 0;
  const Protocol::Clock own = queue ? Protocol::Clock::kTimer : Protocol::Clock::kHost;
  switch (mode) {
    case Mode::kWall:
      return Protocol{};
    case Mode::kThroughput:
      return Protocol{.chunks = true};
    case Mode::kCold:
      return Protocol{.clock = own, .flush = true, .hold = queue && device.CanHold()};
    case Mode::kGraph:
      if (!queue) return NeedsAQueue(mode);
      return Protocol{.clock = own, .chunks = true, .graph = true, .hold = device.CanHold()};
    case Mode::kEnqueue:
      if (!queue) return NeedsAQueue(mode);
      return Protocol{.clock = Protocol::Clock::kHostUntilReturn};
    case Mode::kHot:
      return Protocol{.clock = own, .chunks = true};
  }
  std::abort();
}

}  // namespace assay::sampling

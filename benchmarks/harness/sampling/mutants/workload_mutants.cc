#include <cstdint>
#include <set>
#include <string>
#include <vector>

#include "absl/status/statusor.h"
#include "benchmarks/harness/sampling/device/fake_device.h"
#include "benchmarks/harness/sampling/measure.h"
#include "benchmarks/harness/sampling/mutants/mutant.h"

namespace assay::sampling {
namespace {

constexpr FakeDevice::Script kCpu = {.clock_read_ns = 25};
constexpr FakeDevice::Script kGpu = {
    .timers = 1, .clock_read_ns = 25, .synchronize_ns = 2 * kUs, .timer_record_ns = 500};

// A gigaflop, which a device of one teraflop per second does in a millisecond at best; the honest
// call reaches 80 % of that. `flops` is what the call claims.
absl::StatusOr<SampleSet> MeasureClaimed(int64_t takes_ns, Noise& noise) {
  FakeDevice device(kCpu);
  SamplingOptions options;
  options.hardware_limits = {.flops_per_call = 1e9, .peak_flops_per_s = 1e12};
  const auto call = [&] { device.HostWork(noise(takes_ns)); };
  return Measure(device, Mode::kWall, call, options);
}

absl::StatusOr<SampleSet> ReturnsEarly(bool honest, Noise& noise) {
  return MeasureClaimed(honest ? 1250 * kUs : 700 * kUs, noise);
}

// The output would be computed only when it is read.
absl::StatusOr<SampleSet> LazyOutput(bool honest, Noise& noise) {
  return MeasureClaimed(honest ? 1250 * kUs : 2 * kUs, noise);
}

absl::StatusOr<SampleSet> UnusedResult(bool honest, Noise& noise) {
  FakeDevice device(kCpu);
  const auto call = [&] { device.HostWork(honest ? noise(300) : 3); };
  return Measure(device, Mode::kWall, call, {});
}

// Stores that are still in the cache when the timer stops: 114 % of the memory's peak.
absl::StatusOr<SampleSet> UnwrittenLines(bool honest, Noise& noise) {
  FakeDevice device({.timers = 1,
                     .flush_ns = 60 * kUs,
                     .hold = true,
                     .probe_cold_ns = 20 * kUs,
                     .probe_warm_ns = 8 * kUs});
  SamplingOptions options;
  options.hardware_limits = {.bytes_per_call = 1e9, .peak_bytes_per_s = 1e12};
  const auto call = [&] { device.Enqueue(noise(honest ? 1100 * kUs : 877 * kUs)); };
  return Measure(device, Mode::kCold, call, options);
}

// A call on one of four inputs, each of which has its own number as output.
struct Computing {
  explicit Computing(Noise& noise)
      : device(kCpu), work([this, &noise] {
          device.HostWork(noise(kMs));
          ++calls;
          output = static_cast<uint64_t>(work.set) + 100;
        }) {
    work.sets = 4;
    work.input_bytes = 8 << 10;
    work.output = [this] { return output; };
    work.input = [this] { return inputs; };
  }
  absl::StatusOr<SampleSet> Run() { return Measure(device, Mode::kWall, work, {}); }

  FakeDevice device;
  ScriptedWorkload work;
  int64_t calls = 0;
  uint64_t output = 0;
  uint64_t inputs = 7;
};

absl::StatusOr<SampleSet> ChangesItsInputs(bool honest, Noise& noise) {
  Computing computing(noise);
  const auto compute = computing.work.call;
  computing.work.call = [&] {
    compute();
    if (!honest) ++computing.inputs;
  };
  return computing.Run();
}

// Computes four times and then returns zeros: by then the comparison with a reference is over.
absl::StatusOr<SampleSet> ZerosFromTheFifthCall(bool honest, Noise& noise) {
  Computing computing(noise);
  const auto compute = computing.work.call;
  computing.work.sets = 1;  // with more sets inputs_matter would see it as well
  computing.work.call = [&] {
    compute();
    if (!honest && computing.calls >= 5) computing.output = 0;
  };
  return computing.Run();
}

// The same, but only after the timing has begun.
absl::StatusOr<SampleSet> ZerosFromTheFortiethCall(bool honest, Noise& noise) {
  Computing computing(noise);
  const auto compute = computing.work.call;
  computing.work.sets = 1;
  computing.work.call = [&] {
    compute();
    if (!honest && computing.calls >= 40) computing.output = 0;
  };
  return computing.Run();
}

// Remembers the last input and its output.
absl::StatusOr<SampleSet> RemembersTheAnswer(bool honest, Noise& noise) {
  Computing computing(noise);
  const auto compute = computing.work.call;
  int last = -1;
  computing.work.call = [&] {
    if (honest || computing.work.set != last) return compute(), void(last = computing.work.set);
    computing.device.HostWork(noise(500 * kUs));  // the comparison of the inputs
  };
  return computing.Run();
}

// The same on a device that queues, with an answer that costs three fifths of computing it.
absl::StatusOr<SampleSet> RemembersTheAnswerOnAGpu(bool honest, Noise& noise) {
  FakeDevice device(kGpu);
  ScriptedWorkload work(nullptr);
  work.sets = 4;
  work.input_bytes = 8 << 10;
  work.output = [&] { return static_cast<uint64_t>(work.set) + 100; };
  int last = -1;
  work.call = [&] {
    device.HostWork(5 * kUs);
    device.Enqueue(noise(honest || work.set != last ? kMs : 600 * kUs));
    last = work.set;
  };
  return Measure(device, Mode::kWall, work, {});
}

// Remembers every input that it has seen.
absl::StatusOr<SampleSet> RemembersAllAnswers(bool honest, Noise& noise) {
  Computing computing(noise);
  const auto compute = computing.work.call;
  std::set<int> seen;
  computing.work.call = [&] {
    if (honest || seen.insert(computing.work.set).second) return compute();
    computing.device.HostWork(noise(2 * kUs));
    computing.output = static_cast<uint64_t>(computing.work.set) + 100;
  };
  return computing.Run();
}

// numerics/ tests the look at the values; this tests only that its result is reported.
absl::StatusOr<SampleSet> OddInputs(const std::string& concern, bool honest, Noise& noise) {
  Computing computing(noise);
  computing.work.concern = [&] { return honest ? "" : concern; };
  return computing.Run();
}

absl::StatusOr<SampleSet> ZeroInputs(bool honest, Noise& noise) {
  return OddInputs("99 % of the inputs are zero", honest, noise);
}

absl::StatusOr<SampleSet> Subnormals(bool honest, Noise& noise) {
  return OddInputs("12 % of the inputs are subnormal", honest, noise);
}

absl::StatusOr<SampleSet> IgnoresItsInput(bool honest, Noise& noise) {
  Computing computing(noise);
  const auto compute = computing.work.call;
  computing.work.call = [&] {
    compute();
    if (!honest) computing.output = 100;
  };
  return computing.Run();
}

}  // namespace

std::vector<Mutant> WorkloadMutants() {
  return {
      {"7", "stores not yet written back: 114 % of the peak", Flags("possible"), UnwrittenLines},
      {"8", "returns before the work is done", Flags("possible"), ReturnsEarly},
      {"9", "inputs of zeros", Notes("input_values"), ZeroInputs},
      {"10", "subnormal inputs", Notes("input_values"), Subnormals},
      {"16", "the compiler removed an unused result", Notes("not_empty"), UnusedResult},
      {"17", "changes its inputs", Flags("inputs_unchanged"), ChangesItsInputs},
      {"18", "zeros from the 5th call on", Notes("outputs_unchanged"), ZerosFromTheFifthCall},
      {"18", "zeros from the 40th call on", Flags("outputs_unchanged"), ZerosFromTheFortiethCall},
      {"19", "remembers the last answer", Flags("not_memoised"), RemembersTheAnswer},
      {"19", "remembers the last answer, on a GPU", Flags("not_memoised"),
       RemembersTheAnswerOnAGpu},
      {"19", "remembers all answers", Flags("not_memoised"), RemembersAllAnswers},
      {"20", "output computed when somebody reads it", Flags("possible"), LazyOutput},
      {"-", "output does not depend on the input", Flags("inputs_matter"), IgnoresItsInput},
  };
}

}  // namespace assay::sampling

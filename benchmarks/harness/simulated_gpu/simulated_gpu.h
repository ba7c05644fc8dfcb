#ifndef ASSAY_BENCHMARKS_HARNESS_SIMULATED_GPU_SIMULATED_GPU_H_
#define ASSAY_BENCHMARKS_HARNESS_SIMULATED_GPU_SIMULATED_GPU_H_

// ---------------------------------------------------------------------------------------------
// simulated_gpu.h: a device that behaves as a GPU does, for tests on a machine that has none.
//
// LibTorch's tensors stay on the CPU, which also computes them, so verdicts are real. Times are
// made up: a clock that nothing else moves (fake_device.h) counts a launch for each operator that
// LibTorch calls, and a kernel in the queue that takes as long as the operator's bytes or products
// would take on such a card. So a run gives the same times each time, on every machine. Memory of
// tensors is counted as memory of the device.
//
// Not for figures: no time of it says anything of any GPU. Its name begins with "Simulated", and its
// driver is called "simulated".
//
// Example, in a test:
//   SimulatedGpu gpu(*FindCard("H200"));
//   absl::StatusOr<SampleSet> set = sampling::Measure(gpu, sampling::Mode::kCold, call, {});
// Example, for a person (simulated_gpu_plugin.cc; ASSAY_SIMULATED_GPU=H200 chooses the other card):
//   P=benchmarks/harness/simulated_gpu/libsimulated_gpu.so
//   tools/bazel build //$P && tools/bazel run //benchmarks/mlp:mlp_fp32_b64 -- --device=cuda --cuda-plugin=$PWD/bazel-bin/$P
// ---------------------------------------------------------------------------------------------

#include <cstdint>
#include <memory>
#include <mutex>
#include <optional>
#include <string_view>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "benchmarks/harness/sampling/device/device.h"
#include "benchmarks/harness/sampling/device/device_facts.h"
#include "benchmarks/harness/sampling/device/fake_device.h"

namespace assay::simulated_gpu {

struct Card {
  sampling::DeviceFacts facts;
  double bytes_per_ns = 0;    // of its memory
  double flops_per_ns = 0;    // of float32 and float64
  double flops16_per_ns = 0;  // of bf16 and fp16
};

// "H100" or "H200"; nothing for another name.
std::optional<Card> FindCard(std::string_view name);

// The card that the variable ASSAY_SIMULATED_GPU names; H100 where it is not set. Nothing for another name.
std::optional<Card> AskedCard();

class SimulatedGpu final : public sampling::FakeDevice {
 public:
  explicit SimulatedGpu(const Card& card);
  ~SimulatedGpu() override;
  SimulatedGpu(const SimulatedGpu&) = delete;
  SimulatedGpu& operator=(const SimulatedGpu&) = delete;

  const sampling::DeviceFacts& Facts() const override { return card_.facts; }
  bool UsesHostMemory() const override { return true; }
  absl::Status FlushCache(int64_t bytes = 0) override;
  absl::Status StopTimer(int timer) override;
  absl::StatusOr<sampling::ClockReading> ReadClock(int64_t now_ns) override;
  sampling::MemoryState Memory() override;
  void ResetPeakMemory() override;

  // Work of one operator. What LibTorch calls comes here by itself.
  struct Kernel {
    double bytes = 0;  // read and written
    double flops = 0;
    bool is_16_bit = false;
  };
  void Launch(const Kernel& kernel);
  // An operator that gives a value to the host.
  void ReadBack();

 private:
  class DeviceMemory;
  class Watch;

  const Card card_;
  std::mutex mutex_;    // of Launch() and ReadBack(), which autograd's threads call, too
  bool cold_ = false;   // the cache was flushed, and no timer has stopped since
  uint64_t drawn_ = 0;  // of the noise
  int64_t clock_readings_ = 0;
  const std::unique_ptr<Watch> watch_;
};

// The time of the GPU that was made last, by the clock that only its work moves; 0: there is none.
int64_t SimulatedNowNs();

}  // namespace assay::simulated_gpu

#endif  // ASSAY_BENCHMARKS_HARNESS_SIMULATED_GPU_SIMULATED_GPU_H_

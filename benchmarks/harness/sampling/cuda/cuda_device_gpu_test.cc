// On a real GPU: kernels of known cost come out at that cost, and the modes differ as they should.
// The tolerances are those of event timers (half a microsecond) and of an unlocked clock.

#include <cuda_runtime_api.h>

#include <algorithm>
#include <cstdint>
#include <memory>

#include "absl/status/statusor.h"
#include "benchmarks/harness/sampling/cuda_device.h"
#include "benchmarks/harness/sampling/modes.h"
#include "benchmarks/harness/sampling/spin_kernel.h"
#include "benchmarks/harness/statistics/summary.h"
#include "gtest/gtest.h"

namespace assay::sampling {
namespace {

class CudaDeviceGpuTest : public testing::Test {
 protected:
  void SetUp() override {
    absl::StatusOr<std::unique_ptr<CudaDevice>> device =
        CudaDevice::Open(0, [] { return cudaStream_t{nullptr}; });
    ASSERT_TRUE(device.ok()) << device.status();
    device_ = *std::move(device);
  }

  double MedianNs(Mode mode, absl::FunctionRef<void()> call) {
    const auto set = Measure(*device_, mode, call, {});
    EXPECT_TRUE(set.ok()) << set.status();
    return set.ok() ? statistics::Summarize(set->samples_ns)->median : 0;
  }

  std::unique_ptr<CudaDevice> device_;
};

TEST_F(CudaDeviceGpuTest, KnowsItsFacts) {
  const DeviceFacts& facts = device_->Facts();
  EXPECT_NE(facts.name, "");
  EXPECT_NE(facts.cuda_runtime, "");
  EXPECT_NE(facts.compute_capability, "");
  EXPECT_GT(facts.memory_bytes, 0);
  EXPECT_GT(facts.l2_bytes, 0);
}

TEST_F(CudaDeviceGpuTest, MeasuresAKernelOfKnownCost) {
  for (int64_t ns : {20'000, 100'000, 1'000'000, 10'000'000}) {
    const auto call = [ns] { ASSERT_EQ(Spin(ns, nullptr), cudaSuccess); };
    const double cost = static_cast<double>(ns);
    const double slack = std::max(0.005 * cost, 3'000.0);
    EXPECT_NEAR(MedianNs(Mode::kCold, call), cost, slack);
    EXPECT_NEAR(MedianNs(Mode::kHot, call), cost, slack);
    EXPECT_GE(MedianNs(Mode::kWall, call), cost);
    EXPECT_NEAR(MedianNs(Mode::kWall, call), cost, slack + 30'000);
  }
}

TEST_F(CudaDeviceGpuTest, SeesTheCacheColdAndHot) {
  void* data = nullptr;
  constexpr size_t kBytes = size_t{8} << 20;
  ASSERT_EQ(cudaMalloc(&data, 2 * kBytes), cudaSuccess);
  char* half = static_cast<char*>(data) + kBytes;
  const auto copy = [&] { cudaMemcpyAsync(half, data, kBytes, cudaMemcpyDeviceToDevice, nullptr); };
  EXPECT_GT(MedianNs(Mode::kCold, copy), 1.2 * MedianNs(Mode::kHot, copy));
  cudaFree(data);
}

TEST_F(CudaDeviceGpuTest, WaitsForAllStreams) {
  cudaStream_t side;
  ASSERT_EQ(cudaStreamCreateWithFlags(&side, cudaStreamNonBlocking), cudaSuccess);
  EXPECT_GE(MedianNs(Mode::kWall, [&] { Spin(1'000'000, side); }), 1'000'000);
  cudaStreamDestroy(side);
}

}  // namespace
}  // namespace assay::sampling

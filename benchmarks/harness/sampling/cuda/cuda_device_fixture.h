// A CUDA device over the scripted runtime: for tests only.

#ifndef ASSAY_BENCHMARKS_HARNESS_SAMPLING_CUDA_CUDA_DEVICE_FIXTURE_H_
#define ASSAY_BENCHMARKS_HARNESS_SAMPLING_CUDA_CUDA_DEVICE_FIXTURE_H_

#include <memory>
#include <utility>

#include "absl/status/statusor.h"
#include "benchmarks/harness/sampling/cuda/bare_framework.h"
#include "benchmarks/harness/sampling/cuda/cuda_device.h"
#include "benchmarks/harness/sampling/cuda/fake_cuda_runtime.h"
#include "gtest/gtest.h"

namespace assay::sampling {

inline const auto kStream = reinterpret_cast<cudaStream_t>(0x1234);

inline void Call() { CudaScript().Note('c'); }

class CudaDeviceTest : public testing::Test {
 protected:
  void SetUp() override { CudaScript() = {}; }

  absl::StatusOr<std::unique_ptr<CudaDevice>> Open(int index = 0) {
    return CudaDevice::Open(index, std::make_unique<BareFramework>(kStream));
  }

  // A new device with an empty journal.
  std::unique_ptr<CudaDevice> Opened() {
    auto device = Open();
    EXPECT_TRUE(device.ok()) << device.status();
    CudaScript().journal.clear();
    return *std::move(device);
  }

  static void ExpectNothingLeft() {
    EXPECT_EQ(CudaScript().events, 0);
    EXPECT_EQ(CudaScript().streams, 0);
    EXPECT_EQ(CudaScript().graphs, 0);
    EXPECT_TRUE(CudaScript().device_memory.empty());
    EXPECT_TRUE(CudaScript().host_memory.empty());
  }
};

}  // namespace assay::sampling

#endif  // ASSAY_BENCHMARKS_HARNESS_SAMPLING_CUDA_CUDA_DEVICE_FIXTURE_H_

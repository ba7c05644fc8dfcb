#include "benchmarks/harness/sampling/cuda_device.h"

#include <cstdint>
#include <memory>
#include <string>
#include <utility>

#include "benchmarks/harness/sampling/fake_cuda_runtime.h"
#include "benchmarks/harness/sampling/modes.h"
#include "gtest/gtest.h"

namespace assay::sampling {
namespace {

const auto kStream = reinterpret_cast<cudaStream_t>(0x1234);

class CudaDeviceTest : public testing::Test {
 protected:
  void SetUp() override { CudaScript() = {}; }

  absl::StatusOr<std::unique_ptr<CudaDevice>> Open(int index = 0) {
    return CudaDevice::Open(index, [] { return kStream; });
  }
};

TEST_F(CudaDeviceTest, ReadsItsFacts) {
  const auto device = Open();
  ASSERT_TRUE(device.ok()) << device.status();
  const DeviceFacts& facts = (*device)->Facts();
  EXPECT_EQ(facts.name, "NVIDIA Fake");
  EXPECT_EQ(facts.cuda_runtime, "13.2");
  EXPECT_EQ(facts.compute_capability, "9.0");
  EXPECT_EQ(facts.memory_bytes, int64_t{80} << 30);
  EXPECT_EQ(facts.l2_bytes, 60 << 20);
}

TEST_F(CudaDeviceTest, IsNotFoundWithCudasReasonWithoutADriver) {
  CudaScript().failing["cudaGetDeviceCount"] = cudaErrorInsufficientDriver;
  const absl::Status status = Open().status();
  EXPECT_EQ(status.code(), absl::StatusCode::kNotFound);
  EXPECT_NE(status.message().find("cudaErrorInsufficientDriver"), std::string::npos) << status;
}

TEST_F(CudaDeviceTest, IsNotFoundBeyondTheLastDevice) {
  CudaScript().devices = 2;
  EXPECT_TRUE(Open(1).ok());
  for (int index : {-1, 2}) {
    EXPECT_EQ(Open(index).status().code(), absl::StatusCode::kNotFound);
  }
}

TEST_F(CudaDeviceTest, GivesBackWhatItTook) {
  {
    const auto device = Open();
    ASSERT_TRUE((*device)->FlushCache().ok());
    EXPECT_EQ(CudaScript().events, 2 * CudaDevice::kTimers);
    EXPECT_GT(CudaScript().buffer_bytes, 0);
  }
  EXPECT_EQ(CudaScript().events, 0);
  EXPECT_EQ(CudaScript().buffer_bytes, 0);
}

TEST_F(CudaDeviceTest, FlushesTwiceTheCacheInTheCallersStream) {
  const auto device = Open();
  ASSERT_TRUE((*device)->FlushCache().ok());
  EXPECT_EQ(CudaScript().memset_bytes, 120 << 20);
  EXPECT_EQ(CudaScript().last_stream, kStream);
}

TEST_F(CudaDeviceTest, FlushesAtLeast64MiB) {
  CudaScript().l2_bytes = 4 << 20;
  const auto device = Open();
  ASSERT_TRUE((*device)->FlushCache().ok());
  EXPECT_EQ(CudaScript().memset_bytes, 64 << 20);
}

TEST_F(CudaDeviceTest, TurnsMillisecondsIntoNanoseconds) {
  const auto device = Open();
  CudaScript().elapsed_ms = 1.25f;
  EXPECT_EQ(*(*device)->TimerNs(0), 1'250'000);
}

TEST_F(CudaDeviceTest, SaysWhichKindOfFailureItWas) {
  const auto device = Open();
  CudaScript().failing["cudaMalloc"] = cudaErrorMemoryAllocation;
  EXPECT_EQ((*device)->FlushCache().code(), absl::StatusCode::kResourceExhausted);
  CudaScript().failing.clear();
  EXPECT_TRUE((*device)->FlushCache().ok()) << "the memory may be there the next time";
  CudaScript().failing["cudaDeviceSynchronize"] = cudaErrorIllegalAddress;
  EXPECT_EQ((*device)->Synchronize().code(), absl::StatusCode::kUnavailable);
  CudaScript().failing["cudaEventRecord"] = cudaErrorIllegalAddress;
  EXPECT_EQ((*device)->StartTimer(0).code(), absl::StatusCode::kUnavailable);
  EXPECT_EQ((*device)->StopTimer(0).code(), absl::StatusCode::kUnavailable);
}

TEST_F(CudaDeviceTest, LeavesNothingBehindWhereOpeningFails) {
  CudaScript().failing["cudaEventCreate"] = cudaErrorMemoryAllocation;
  EXPECT_EQ(Open().status().code(), absl::StatusCode::kResourceExhausted);
  EXPECT_EQ(CudaScript().events, 0);
}

TEST_F(CudaDeviceTest, AwaitsOnlyWholeSamplesInModeCold) {
  const auto device = Open();
  SampleCountRule rule(2);
  SamplingOptions options;
  options.rule = &rule;
  options.warmup.reset();
  CudaScript().elapsed_ms = 2.0f;
  const auto call = [] { CudaScript().journal += 'c'; };
  const auto set = Measure(**device, Mode::kCold, call, options);
  ASSERT_TRUE(set.ok()) << set.status();
  EXPECT_EQ(CudaScript().journal,
            "s"
            "mrcrs"
            "mrcrs");
  EXPECT_EQ(set->samples_ns, (std::vector<double>{2e6, 2e6}));
}

TEST(DriverVersion, IsTheKernelModules) {
  EXPECT_EQ(DriverVersion("NVRM version: NVIDIA UNIX x86_64 Kernel Module  580.65.06  Sun Jul 27 "
                          "07:11:15 UTC 2025\nGCC version:  gcc version 12.3.0\n"),
            "580.65.06");
  EXPECT_EQ(DriverVersion("NVRM version: NVIDIA UNIX Open Kernel Module for x86_64  575.57.08  "
                          "Release Build  (dvs-builder@U22)\n"),
            "575.57.08");
  EXPECT_EQ(DriverVersion(""), "");
}

}  // namespace
}  // namespace assay::sampling

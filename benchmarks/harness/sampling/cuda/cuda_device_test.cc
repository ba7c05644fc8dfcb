#include "benchmarks/harness/sampling/cuda/cuda_device.h"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <limits>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "absl/status/status.h"
#include "benchmarks/harness/sampling/cuda/bare_framework.h"
#include "benchmarks/harness/sampling/cuda/cuda_device_fixture.h"
#include "benchmarks/harness/sampling/cuda/fake_cuda_runtime.h"
#include "gtest/gtest.h"

namespace assay::sampling {
namespace {

using absl::StatusCode;

TEST_F(CudaDeviceTest, ReadsItsFacts) {
  const auto device = Opened();
  const DeviceFacts& facts = device->Facts();
  EXPECT_EQ(facts.name, "NVIDIA Fake");
  EXPECT_EQ(facts.cuda_runtime, "13.2");
  EXPECT_EQ(facts.compute_capability, "9.0");
  EXPECT_EQ(facts.memory_bytes, int64_t{80} << 30);
  EXPECT_EQ(facts.l2_bytes, 60 << 20);
  EXPECT_EQ(facts.multiprocessors, 132);
  EXPECT_EQ(facts.core_mhz, 1980);
  EXPECT_EQ(facts.memory_mhz, 2619);
  EXPECT_EQ(facts.memory_bus_bits, 5120);
}

TEST_F(CudaDeviceTest, IsNotFoundWithCudasReasonWithoutADriver) {
  CudaScript().failing["cudaGetDeviceCount"] = cudaErrorInsufficientDriver;
  const absl::Status status = Open().status();
  EXPECT_EQ(status.code(), StatusCode::kNotFound);
  EXPECT_NE(status.message().find("cudaErrorInsufficientDriver"), std::string::npos) << status;
}

TEST_F(CudaDeviceTest, IsNotFoundBeyondTheLastDevice) {
  CudaScript().devices = 2;
  EXPECT_TRUE(Open(1).ok());
  for (int index : {-1, 2}) {
    EXPECT_EQ(Open(index).status().code(), StatusCode::kNotFound);
  }
}

TEST_F(CudaDeviceTest, GivesBackWhatItTook) {
  {
    const auto device = Opened();
    ASSERT_TRUE(device->FlushCache().ok());
    ASSERT_TRUE(device->ReadProbe().ok());
    ASSERT_TRUE(device->ReserveTimers(CudaDevice::kTimers + 1).ok());
    ASSERT_TRUE(device->Capture(Call).ok());
    ASSERT_TRUE(device->Hold().ok());
    EXPECT_EQ(CudaScript().events, 2 * CudaDevice::kTimers + 2);
    EXPECT_EQ(CudaScript().device_memory.size(), 3);
  }
  ExpectNothingLeft();
  EXPECT_EQ(CudaScript().journal.find('W'), std::string::npos) << "a hold was left to its watchdog";
}

TEST_F(CudaDeviceTest, LeavesNothingBehindWhereOpeningFails) {
  for (const char* function :
       {"cudaGetDeviceProperties", "cudaCtxResetPersistingL2Cache", "cudaEventCreate",
        "cudaHostAlloc", "cudaHostGetDevicePointer", "LaunchTimerStep", "LaunchClockStamps",
        "LaunchHold", "LaunchRead", "cudaDeviceSynchronize", "cudaEventRecord",
        "cudaEventElapsedTime"}) {
    CudaScript() = {};
    CudaScript().failing[function] = cudaErrorMemoryAllocation;
    EXPECT_EQ(Open().status().code(), StatusCode::kResourceExhausted) << function;
    ExpectNothingLeft();
  }
}

TEST_F(CudaDeviceTest, MakesPersistingLinesOfTheCacheNormal) {
  EXPECT_TRUE(Open().ok());
  EXPECT_EQ(CudaScript().persisting_resets, 1);
  CudaScript().failing["cudaCtxResetPersistingL2Cache"] = cudaErrorNotSupported;
  EXPECT_TRUE(Open().ok()) << "a device without them has none";
  EXPECT_EQ(CudaScript().last_error, cudaSuccess) << "left for LibTorch to find";
}

TEST_F(CudaDeviceTest, FlushesTwiceTheCacheInTheCallersStream) {
  const auto device = Opened();
  ASSERT_TRUE(device->FlushCache().ok());
  EXPECT_EQ(CudaScript().memset_bytes, 120 << 20);
  EXPECT_EQ(CudaScript().last_stream, kStream);
}

TEST_F(CudaDeviceTest, FlushesAtLeast64MiB) {
  CudaScript().l2_bytes = 4 << 20;
  const auto device = Opened();
  ASSERT_TRUE(device->FlushCache().ok());
  EXPECT_EQ(CudaScript().memset_bytes, 64 << 20);
}

TEST_F(CudaDeviceTest, FlushesMoreWhereMoreIsWanted) {
  const auto device = Opened();
  for (const size_t bytes : {size_t{1}, size_t{256} << 20, size_t{1}}) {
    ASSERT_TRUE(device->FlushCache(static_cast<int64_t>(bytes)).ok());
    ASSERT_EQ(CudaScript().device_memory.size(), 1);
    EXPECT_EQ(CudaScript().memset_bytes, CudaScript().device_memory.begin()->second);
    EXPECT_GE(CudaScript().memset_bytes, std::max(bytes, size_t{120} << 20));
  }
  EXPECT_EQ(CudaScript().memset_bytes, 256 << 20) << "the buffer was taken anew for less";
}

TEST_F(CudaDeviceTest, ProbesAQuarterOfTheCacheAndAtMost16MiB) {
  for (const auto& [l2, probe] : {std::pair{60, 15}, {200, 16}, {0, 16}}) {
    CudaScript().l2_bytes = l2 << 20;
    const auto device = Opened();
    ASSERT_TRUE(device->ReadProbe().ok());
    EXPECT_EQ(CudaScript().read_bytes, static_cast<size_t>(probe) << 20) << l2;
    ASSERT_TRUE(device->ReadProbe().ok());
    EXPECT_EQ(CudaScript().journal, "mpp") << "the buffer is written once";
  }
}

TEST_F(CudaDeviceTest, TurnsMillisecondsIntoNanoseconds) {
  const auto device = Opened();
  CudaScript().elapsed_ms = 1.25f;
  EXPECT_EQ(*device->TimerNs(0), 1'250'000);
}

TEST_F(CudaDeviceTest, RefusesATimeThatIsNone) {
  const auto device = Opened();
  for (const auto& [reading, text] : {std::pair{std::nanf(""), "nan ms"},
                                      {-std::nanf(""), "nan ms"},
                                      {-0.5f, "-0.500000 ms"},
                                      {std::numeric_limits<float>::infinity(), "inf ms"}}) {
    CudaScript().elapsed_ms = reading;
    const absl::Status status = device->TimerNs(0).status();
    EXPECT_EQ(status.code(), StatusCode::kDataLoss);
    EXPECT_NE(status.message().find(text), std::string::npos) << status;
  }
}

TEST_F(CudaDeviceTest, RefusesToReadATimerThatRuns) {
  const auto device = Opened();
  CudaScript().failing["cudaEventElapsedTime"] = cudaErrorNotReady;
  EXPECT_EQ(device->TimerNs(0).status().code(), StatusCode::kFailedPrecondition);
  EXPECT_EQ(CudaScript().last_error, cudaSuccess);
}

TEST_F(CudaDeviceTest, MakesTimersUntilThereAreEnough) {
  const auto device = Opened();
  for (const auto& [asked, expected] : {std::pair{-1, 64}, {10, 64}, {100, 100}, {5, 100}}) {
    ASSERT_TRUE(device->ReserveTimers(asked).ok());
    EXPECT_EQ(device->TimerCount(), expected);
    EXPECT_EQ(CudaScript().events, 2 * expected);
  }
  EXPECT_TRUE(device->StartTimer(99).ok());
}

TEST_F(CudaDeviceTest, SaysWhichKindOfFailureItWas) {
  const auto device = Opened();
  CudaScript().failing["cudaMalloc"] = cudaErrorMemoryAllocation;
  EXPECT_EQ(device->FlushCache().code(), StatusCode::kResourceExhausted);
  EXPECT_EQ(device->ReadProbe().code(), StatusCode::kResourceExhausted);
  CudaScript().failing.clear();
  EXPECT_TRUE(device->FlushCache().ok()) << "the memory may be there the next time";
  EXPECT_TRUE(device->ReadProbe().ok());
}

// A kernel's error is the product's fault, and shows in the next call, whatever that is.
TEST_F(CudaDeviceTest, TellsAKernelsFaultFromADeviceThatIsLost) {
  const auto device = Opened();
  for (const auto& [error, code] : std::vector<std::pair<cudaError_t, StatusCode>>{
           {cudaErrorIllegalAddress, StatusCode::kInternal},
           {cudaErrorAssert, StatusCode::kInternal},
           {cudaErrorHardwareStackError, StatusCode::kInternal},
           {cudaErrorIllegalInstruction, StatusCode::kInternal},
           {cudaErrorMisalignedAddress, StatusCode::kInternal},
           {cudaErrorInvalidAddressSpace, StatusCode::kInternal},
           {cudaErrorInvalidPc, StatusCode::kInternal},
           {cudaErrorLaunchFailure, StatusCode::kInternal},
           {cudaErrorDevicesUnavailable, StatusCode::kUnavailable},
           {cudaErrorECCUncorrectable, StatusCode::kUnavailable},
           {cudaErrorNvlinkUncorrectable, StatusCode::kUnavailable},
           {cudaErrorContained, StatusCode::kUnavailable},
           {cudaErrorOperatingSystem, StatusCode::kUnavailable},
           {cudaErrorLaunchTimeout, StatusCode::kUnavailable},
           {cudaErrorMpsClientTerminated, StatusCode::kUnavailable},
           {cudaErrorUnknown, StatusCode::kUnavailable}}) {
    for (const char* function : {"cudaDeviceSynchronize", "cudaEventRecord", "cudaEventSynchronize",
                                 "LaunchHold", "LaunchClockStamps", "cudaEventElapsedTime"}) {
      CudaScript().failing[function] = error;
    }
    for (const absl::Status& status :
         {device->Synchronize(), device->StartTimer(0), device->StopTimer(0), device->WaitTimer(0),
          device->Hold(), device->MarkClockStart(), device->MarkClockStop(),
          device->TimerNs(0).status(), device->Capture(Call).status()}) {
      EXPECT_EQ(status.code(), code) << error << ": " << status;
    }
  }
}

TEST_F(CudaDeviceTest, AsksTheFrameworkForTheDevicesMemory) {
  struct Allocator : BareFramework {
    explicit Allocator(int* resets) : BareFramework(kStream), resets(resets) {}
    void ReadMemory(MemoryState& state) override { state.device_live_bytes = 42; }
    void ResetPeakMemory() override { ++*resets; }
    int* resets;
  };
  int resets = 0;
  auto device = CudaDevice::Open(0, std::make_unique<Allocator>(&resets));
  ASSERT_TRUE(device.ok());
  (*device)->ResetPeakMemory();
  EXPECT_EQ(resets, 1);
  EXPECT_EQ((*device)->Memory().device_live_bytes, 42);
  EXPECT_GT((*device)->Memory().host_peak_bytes, 0);
  EXPECT_GT((*device)->Counters().page_faults, 0);
  EXPECT_EQ(Opened()->Memory().device_live_bytes, 0);
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

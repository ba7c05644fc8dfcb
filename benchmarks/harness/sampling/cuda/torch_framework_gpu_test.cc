// Runs on a real GPU with LibTorch's CUDA part: its work is recorded and replayed, and a failed
// recording leaves LibTorch as it was.

#include <cstdint>
#include <memory>
#include <stdexcept>

#include "ATen/core/Tensor.h"
#include "ATen/ops/empty.h"
#include "ATen/ops/ones.h"
#include "ATen/ops/rand.h"
#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "benchmarks/harness/sampling/cuda/cuda_device.h"
#include "benchmarks/harness/sampling/cuda/torch_framework.h"
#include "c10/cuda/CUDACachingAllocator.h"
#include "gtest/gtest.h"

namespace assay::sampling {
namespace {

class TorchFrameworkGpuTest : public testing::Test {
 protected:
  void SetUp() override {
    auto device = CudaDevice::Open(0, std::make_unique<TorchFramework>(0));
    ASSERT_TRUE(device.ok()) << device.status();
    device_ = *std::move(device);
  }

  std::unique_ptr<CudaDevice> device_;
  const at::TensorOptions on_gpu_ = at::TensorOptions().device(at::kCUDA);
};

TEST_F(TorchFrameworkGpuTest, ReplaysWhatWasRecorded) {
  const at::Tensor x = at::ones({64}, on_gpu_);
  at::Tensor y;
  auto graph = device_->Capture([&] { y = x.add(1); });
  ASSERT_TRUE(graph.ok()) << graph.status();
  for (const double value : {1.0, 5.0}) {
    x.fill_(value);
    ASSERT_TRUE((*graph)->Launch().ok());
    ASSERT_TRUE(device_->Synchronize().ok());
    EXPECT_EQ(y.sum().item<double>(), 64 * (value + 1));
  }
}

TEST_F(TorchFrameworkGpuTest, GoesOnAfterWhatCannotBeRecorded) {
  const at::Tensor x = at::ones({64}, on_gpu_);
  int calls = 0;
  const auto synchronising = [&] {
    at::Tensor y = at::rand({64}, on_gpu_).add(x);
    ++calls;
    y.sum().item<double>();
  };
  const auto throwing = [&] {
    at::Tensor y = x.add(1);
    if (++calls % 2 == 0) throw std::runtime_error("not twice");
  };
  for (int i = 0; i < 3; ++i) {
    calls = 0;
    EXPECT_EQ(device_->Capture(synchronising).status().code(),
              absl::StatusCode::kFailedPrecondition);
    EXPECT_EQ(calls, 2) << "once before recording, once while recording";
    calls = 0;
    const absl::Status status = device_->Capture(throwing).status();
    EXPECT_EQ(status.code(), absl::StatusCode::kFailedPrecondition);
    EXPECT_NE(status.message().find("not twice"), std::string::npos) << status;
  }
  // Checks everything that a failed recording is known to break: random numbers, emptying the
  // cache, recording.
  EXPECT_GE(at::rand({8}, on_gpu_).sum().item<double>(), 0);
  c10::cuda::CUDACachingAllocator::emptyCache();
  at::Tensor y;
  auto graph = device_->Capture([&] { y = at::rand({64}, on_gpu_).add(x); });
  ASSERT_TRUE(graph.ok()) << graph.status();
  ASSERT_TRUE((*graph)->Launch().ok());
  ASSERT_TRUE(device_->Synchronize().ok());
  EXPECT_GE(y.min().item<double>(), 1);
}

TEST_F(TorchFrameworkGpuTest, CountsWhatTheAllocatorHandsOut) {
  const at::Tensor first = at::ones({1}, on_gpu_);
  device_->ResetPeakMemory();
  const MemoryState before = device_->Memory();
  constexpr int64_t kBytes = int64_t{256} << 20;
  { const at::Tensor large = at::empty({kBytes}, on_gpu_.dtype(at::kByte)); }
  const MemoryState after = device_->Memory();
  EXPECT_EQ(after.device_live_bytes, before.device_live_bytes);
  EXPECT_GE(after.device_peak_bytes, before.device_live_bytes + kBytes);
  EXPECT_GT(after.device_allocations, before.device_allocations);
}

}  // namespace
}  // namespace assay::sampling

// On a real GPU: kernels of known cost come out at that cost in every mode, the modes differ as
// they should, and wrong measurements are found. The tolerances are those of event timers (half a
// microsecond), of an unlocked clock, and what this GPU shows of itself: its reading of an empty
// kernel and the steps of its %globaltimer (known_cost.h).

#include <cuda_runtime_api.h>

#include <algorithm>
#include <cstdint>
#include <memory>
#include <string_view>
#include <utility>
#include <vector>

#include "absl/functional/function_ref.h"
#include "absl/status/statusor.h"
#include "absl/strings/str_cat.h"
#include "absl/time/time.h"
#include "benchmarks/harness/sampling/cuda/bare_framework.h"
#include "benchmarks/harness/sampling/cuda/cuda_device.h"
#include "benchmarks/harness/sampling/cuda/kernels.h"
#include "benchmarks/harness/sampling/cuda/known_cost.h"
#include "benchmarks/harness/sampling/cuda/mapped.h"
#include "benchmarks/harness/sampling/measure.h"
#include "benchmarks/harness/statistics/describe/quantile.h"
#include "gtest/gtest.h"

namespace assay::sampling {
namespace {

constexpr size_t kMiB = size_t{1} << 20;
constexpr double kMostOfAnEmptyKernelNs = 6'000;

double MedianNs(const SampleSet& set) {
  std::vector<double> sorted = set.samples_ns;
  std::sort(sorted.begin(), sorted.end());
  return sorted.empty() ? 0 : statistics::Median(sorted);
}

Check CheckOf(const SampleSet& set, std::string_view name) {
  for (const Check& check : set.checks) {
    if (check.name == name) return check;
  }
  ADD_FAILURE() << "no check " << name;
  return {};
}

// Expects the checks to pass that tell whether this device works. Checks of clocks and neighbours
// depend on the machine and are left out.
void ExpectMeasuredRightly(const SampleSet& set) {
  for (const char* name : {"all_work_awaited", "clocks_agree", "null_small"}) {
    const Check check = CheckOf(set, name);
    EXPECT_NE(check.status, CheckStatus::kFlagged) << name << ": " << check.detail;
  }
}

class CudaDeviceGpuTest : public testing::Test {
 protected:
  void SetUp() override {
    auto bare = std::make_unique<BareFramework>(nullptr);
    bare_ = bare.get();
    absl::StatusOr<std::unique_ptr<CudaDevice>> device = CudaDevice::Open(0, std::move(bare));
    ASSERT_TRUE(device.ok()) << device.status();
    device_ = *std::move(device);
  }

  SampleSet Measured(Mode mode, absl::FunctionRef<void()> call,
                     absl::Duration budget = absl::Milliseconds(200)) {
    SamplingOptions options;
    options.precision.budget = budget;
    absl::StatusOr<SampleSet> set = Measure(*device_, mode, call, options);
    EXPECT_TRUE(set.ok()) << set.status();
    return set.ok() ? *std::move(set) : SampleSet{};
  }

  // Measures what a kernel of known cost may read too much: what an empty one reads, and the
  // smallest step of %globaltimer, as the device sees it.
  void MeasureConstant() {
    absl::StatusOr<Mapped<int64_t>> step_ns = Mapped<int64_t>::Make();
    ASSERT_TRUE(step_ns.ok()) << step_ns.status();
    ASSERT_EQ(LaunchTimerStep(step_ns->on_device(), bare_->Stream()), cudaSuccess);
    ASSERT_TRUE(device_->Synchronize().ok());
    step_ns_ = static_cast<double>(step_ns->on_host());
    empty_ns_ = MedianNs(Measured(Mode::kCold, [&] { SpinFor(0); }));
    RecordProperty("constant_ns", static_cast<int>(empty_ns_));
    RecordProperty("globaltimer_step_ns", static_cast<int>(step_ns_));
    ASSERT_GT(step_ns_, 0);
    ASSERT_LT(empty_ns_, kMostOfAnEmptyKernelNs) << "it would excuse any error of the others";
  }

  void SpinFor(int64_t ns) { ASSERT_EQ(Spin(ns, bare_->Stream()), cudaSuccess); }

  std::unique_ptr<CudaDevice> device_;
  BareFramework* bare_ = nullptr;
  double empty_ns_ = 0, step_ns_ = 0;
};

TEST_F(CudaDeviceGpuTest, KnowsItsFacts) {
  const DeviceFacts& facts = device_->Facts();
  EXPECT_NE(facts.name, "");
  EXPECT_NE(facts.cuda_runtime, "");
  EXPECT_NE(facts.compute_capability, "");
  EXPECT_GT(facts.memory_bytes, 0);
  EXPECT_GT(facts.l2_bytes, 0);
  EXPECT_GT(facts.multiprocessors, 0);
  EXPECT_GT(facts.core_mhz, 100);
  EXPECT_GT(facts.memory_mhz, 100);
  EXPECT_GT(facts.memory_bus_bits, 0);
  EXPECT_TRUE(device_->CanHold());
}

TEST_F(CudaDeviceGpuTest, MeasuresAKernelOfKnownCostInEveryMode) {
  ASSERT_NO_FATAL_FAILURE(MeasureConstant());
  for (const int64_t ns : {20'000, 100'000, 1'000'000, 10'000'000}) {
    const double cost = static_cast<double>(ns);
    const double slack = KnownCostSlackNs(cost, empty_ns_, step_ns_);
    for (const Mode mode : {Mode::kWall, Mode::kCold, Mode::kGraph, Mode::kHot}) {
      SCOPED_TRACE(absl::StrCat(ModeName(mode), " ", ns, " ns"));
      const SampleSet set = Measured(mode, [&] { SpinFor(ns); });
      // The host sees the end later than it happens.
      const double late = mode == Mode::kWall ? 50'000 : 0;
      // A row of the certificate reads this (ci/gpu_bundle.sh).
      RecordProperty(absl::StrCat(ModeName(mode), "_", ns / 1'000, "_us_error_ns"),
                     static_cast<int>(MedianNs(set) - cost));
      EXPECT_GE(MedianNs(set), cost - 1'000);
      EXPECT_LE(MedianNs(set), cost + slack + late);
      ExpectMeasuredRightly(set);
    }
  }
}

TEST_F(CudaDeviceGpuTest, ReadsNextToNothingForNothing) {
  const SampleSet set = Measured(Mode::kCold, [&] { SpinFor(0); });
  RecordProperty("empty_kernel_ns", static_cast<int>(MedianNs(set)));
  EXPECT_LT(MedianNs(set), kMostOfAnEmptyKernelNs) << "a kernel that does nothing";
  ASSERT_TRUE(set.null_ns.has_value());
  RecordProperty("no_kernel_ns", static_cast<int>(*set.null_ns));
  EXPECT_LT(*set.null_ns, 3'000) << "no kernel at all";
  EXPECT_EQ(CheckOf(set, "null_small").status, CheckStatus::kOk);
}

TEST_F(CudaDeviceGpuTest, QueuesFasterThanItRuns) {
  constexpr int64_t kNs = 1'000'000;
  const double enqueue = MedianNs(Measured(Mode::kEnqueue, [&] { SpinFor(kNs); }));
  EXPECT_GT(enqueue, 0);
  EXPECT_LT(enqueue, 0.1 * kNs);
}

TEST_F(CudaDeviceGpuTest, SeesTheCacheColdAndHot) {
  void* data = nullptr;
  ASSERT_EQ(cudaMalloc(&data, 16 * kMiB), cudaSuccess);
  char* half = static_cast<char*>(data) + 8 * kMiB;
  const auto copy = [&] {
    cudaMemcpyAsync(half, data, 8 * kMiB, cudaMemcpyDeviceToDevice, bare_->Stream());
  };
  const SampleSet cold = Measured(Mode::kCold, copy);
  EXPECT_GT(MedianNs(cold), 1.2 * MedianNs(Measured(Mode::kHot, copy)));
  EXPECT_EQ(CheckOf(cold, "cache_cold").status, CheckStatus::kOk)
      << CheckOf(cold, "cache_cold").detail;
  cudaFree(data);
}

TEST_F(CudaDeviceGpuTest, WaitsForAllStreamsAndFindsWorkThatTheTimerDoesNotSee) {
  cudaStream_t side;
  ASSERT_EQ(cudaStreamCreateWithFlags(&side, cudaStreamNonBlocking), cudaSuccess);
  const auto elsewhere = [&] { Spin(1'000'000, side); };
  EXPECT_GE(MedianNs(Measured(Mode::kWall, elsewhere)), 1'000'000);
  for (const Mode mode : {Mode::kCold, Mode::kHot}) {
    const Check check = CheckOf(Measured(mode, elsewhere), "all_work_awaited");
    EXPECT_EQ(check.status, CheckStatus::kFlagged) << ModeName(mode) << ": " << check.detail;
  }
  cudaStreamDestroy(side);
}

TEST_F(CudaDeviceGpuTest, GoesOnWithoutAHoldWhereACallWaits) {
  const auto waiting = [&] {
    SpinFor(1'000'000);
    cudaDeviceSynchronize();
  };
  // More than the watchdog's time.
  const SampleSet set = Measured(Mode::kCold, waiting, absl::Seconds(3));
  EXPECT_EQ(CheckOf(set, "hold").status, CheckStatus::kNoted);
  EXPECT_GT(set.samples_ns.size(), 10);
  EXPECT_GE(MedianNs(set), 999'000);
  EXPECT_LE(MedianNs(set), 1'100'000) << "launch and wake-up are in it";
}

TEST_F(CudaDeviceGpuTest, EndsAHoldByItsWatchdogAndNotBefore) {
  ASSERT_TRUE(device_->Hold().ok());
  device_->IdleNs(500'000'000);
  EXPECT_EQ(cudaStreamQuery(bare_->Stream()), cudaErrorNotReady) << "it does not hold";
  EXPECT_TRUE(*device_->Release());
  ASSERT_TRUE(device_->Synchronize().ok());

  ASSERT_TRUE(device_->Hold().ok());
  const int64_t start_ns = device_->NowNs();
  ASSERT_TRUE(device_->Synchronize().ok());
  EXPECT_NEAR(static_cast<double>(device_->NowNs() - start_ns), QueueHold::kTimeoutNs, 1e8);
  EXPECT_FALSE(*device_->Release());
}

TEST_F(CudaDeviceGpuTest, ReadsAPlausibleClock) {
  const SampleSet set = Measured(Mode::kCold, [&] { SpinFor(1'000'000); });
  ASSERT_EQ(set.clock_mhz.size(), set.samples_ns.size());
  for (const uint32_t mhz : set.clock_mhz) {
    EXPECT_GT(mhz, 200);
    EXPECT_LT(mhz, 1.05 * device_->Facts().core_mhz);
  }
  EXPECT_EQ(CheckOf(set, "clocks_agree").status, CheckStatus::kOk)
      << CheckOf(set, "clocks_agree").detail;
}

TEST_F(CudaDeviceGpuTest, RefusesToRecordWhatWaitsAndGoesOn) {
  const auto waiting = [&] {
    SpinFor(1'000);
    cudaStreamSynchronize(bare_->Stream());
  };
  EXPECT_EQ(device_->Capture(waiting).status().code(), absl::StatusCode::kFailedPrecondition);
  ASSERT_NO_FATAL_FAILURE(MeasureConstant());
  EXPECT_NEAR(MedianNs(Measured(Mode::kGraph, [&] { SpinFor(100'000); })), 100'000,
              KnownCostSlackNs(100'000, empty_ns_, step_ns_));
}

}  // namespace
}  // namespace assay::sampling

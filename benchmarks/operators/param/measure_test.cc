#include "benchmarks/operators/param/measure.h"

#include <ATen/ops/mul.h>
#include <ATen/ops/ones.h>

#include "benchmarks/harness/sampling/device/cpu_device.h"
#include "benchmarks/harness/sampling/device/fake_device.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"

namespace assay::param {
namespace {

using sampling::FakeDevice;
using ::testing::Each;
using ::testing::ElementsAre;
using ::testing::SizeIs;

constexpr double kForwardNs = 1000, kBackwardNs = 3000;

// A call that keeps a scripted device busy and counts its calls.
struct Counted {
  explicit Counted(FakeDevice& device)
      : call{.forward =
                 [this, &device] {
                   ++forward;
                   device.Enqueue(static_cast<int64_t>(kForwardNs));
                   return execution::Tensors{at::ones({1})};
                 },
             .differentiable = true,
             .backward =
                 [this, &device](const execution::Tensors&) {
                   ++backward;
                   device.Enqueue(static_cast<int64_t>(kBackwardNs));
                 }} {}

  int forward = 0, backward = 0;
  BoundCall call;
};

MeasureOptions Options(bool graph) {
  return {.preset = sampling::Preset::kContinuousEvents,
          .counts = {.warmup = 2, .iterations = 3},
          .backward = true,
          .graph = graph};
}

TEST(MeasureCall, CallsEachPassAsOftenAsAsked) {
  FakeDevice device({.timers = 4});
  Counted counted(device);
  const auto result = MeasureCall(device, counted.call, Options(/*graph=*/false));
  ASSERT_TRUE(result.ok()) << result.status();
  EXPECT_THAT(result->times.forward.measured_ns, ElementsAre(kForwardNs, kForwardNs, kForwardNs));
  EXPECT_THAT(result->times.backward.measured_ns,
              ElementsAre(kBackwardNs, kBackwardNs, kBackwardNs));
  EXPECT_EQ(counted.forward, 5 + 5);
  EXPECT_EQ(counted.backward, 5);
}

TEST(MeasureCall, AGraphIsRecordedOnceAndReplayed) {
  FakeDevice device({.timers = 4, .graphs = true});
  Counted counted(device);
  const auto result = MeasureCall(device, counted.call, Options(/*graph=*/true));
  ASSERT_TRUE(result.ok()) << result.status();
  EXPECT_THAT(result->times.forward.measured_ns, Each(kForwardNs));
  EXPECT_THAT(result->times.forward.measured_ns, SizeIs(3));
  EXPECT_THAT(result->times.backward.measured_ns, Each(kBackwardNs));
  // Once before the recording, once during it.
  EXPECT_EQ(counted.forward, 2);
  EXPECT_EQ(counted.backward, 2);
}

TEST(MeasureCall, WithoutGraphsThereIsAReason) {
  sampling::CpuDevice device;
  const BoundCall call = {.forward = [] { return execution::Tensors{at::ones({1})}; }};
  const auto result = MeasureCall(device, call, Options(/*graph=*/true));
  EXPECT_TRUE(absl::IsFailedPrecondition(result.status())) << result.status();
}

TEST(CallInRanges, NamesEachPass) {
  FakeDevice device;
  Counted counted(device);
  const absl::Status called =
      CallInRanges(device, counted.call, {.name = "x", .warmup = 1, .calls = 1, .backward = true});
  ASSERT_TRUE(called.ok()) << called;
  EXPECT_THAT(device.Ranges(),
              ElementsAre("+x", "+x/forward", "-x/forward", "+x/backward", "-x/backward", "-x"));
  EXPECT_EQ(counted.forward, 2 + 2);  // and before each backward pass
}

TEST(ProfileCall, SeesTheOperatorsOfBothPasses) {
  sampling::CpuDevice device;
  const at::Tensor x = at::ones({4}).requires_grad_(true);
  const BoundCall call = {.forward = [&] { return execution::Tensors{at::mul(x, x)}; }};
  const auto profiled = ProfileCall(device, call, {.name = "mul", .backward = true});
  ASSERT_TRUE(profiled.ok()) << profiled.status();
  ASSERT_THAT((*profiled)->table.steps, SizeIs(2));
  EXPECT_EQ((*profiled)->table.steps[1].range, "mul/backward");
  EXPECT_GT((*profiled)->table.steps[0].operators, 0);
  EXPECT_GT((*profiled)->table.steps[1].operators, 0);
}

}  // namespace
}  // namespace assay::param

#include "benchmarks/harness/runner/measuring.h"

#include <functional>
#include <map>
#include <stdexcept>
#include <string>
#include <vector>

#include "benchmark/benchmark.h"
#include "benchmarks/harness/sampling/device/fake_device.h"
#include "c10/util/Exception.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"

namespace assay::runner {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;

constexpr int64_t kUs = 1'000;

// A case "c" on a fake device whose steps take these times for a call, on the host.
class Measuring : public ::testing::Test {
 protected:
  absl::Status Measure(std::vector<BenchmarkSpec> benchmarks, std::string filter = "") {
    MeasuringOptions options;
    options.case_name = "c";
    options.benchmarks = std::move(benchmarks);
    options.filter = std::move(filter);
    options.context = {{"case", "c"}};
    const MeasuringHooks hooks = {
        .step = [this](const std::string& step) -> absl::StatusOr<MeasuredStep> {
          if (const auto found = failures_.find(step); found != failures_.end()) {
            return found->second;
          }
          StepSpec spec;
          spec.set_unit("image");
          spec.set_units_per_call(8);
          spec.set_headline(step == "forward");
          if (bare_) return MeasuredStep{.workload = &forward_work_};
          costs::CallCost cost;
          cost.figures.set_flops_per_call(7);
          cost.figures.set_padding_flops_per_call(3);
          cost.figures.set_bytes_per_call(5);
          cost.figures.set_operators_per_call(2);
          cost.figures.add_attention_kernels("flash");
          return MeasuredStep{.workload = step == "forward" ? &forward_work_ : &backward_work_,
                              .spec = spec,
                              .hardware_limits = {.flops_per_call = 7},
                              .cost = cost};
        },
        .begun = [this](const std::string& name) { begun_.push_back(name); },
        .done = [this](const Measurement& m) { done_.push_back(m); }};
    return MeasureCase(options, {}, device_, hooks);
  }

  sampling::FakeDevice device_{{.clock_read_ns = 1}};
  std::function<void()> forward_ = [this] { device_.HostWork(100 * kUs); };
  sampling::TimedFunction forward_work_{[this] { forward_(); }};
  std::function<void()> backward_ = [this] { device_.HostWork(300 * kUs); };
  sampling::TimedFunction backward_work_{[this] { backward_(); }};
  std::map<std::string, absl::Status> failures_;
  bool bare_ = false;  // the step says nothing but its work
  std::vector<std::string> begun_;
  std::vector<Measurement> done_;
};

const BenchmarkSpec kForwardWall = {.method = sampling::Mode::kWall};
const BenchmarkSpec kBackwardWall = {.method = sampling::Mode::kWall, .step = "backward"};

TEST_F(Measuring, WhatAStepDoesNotSayIsZero) {
  bare_ = true;
  ASSERT_TRUE(Measure({kForwardWall}).ok());
  ASSERT_EQ(done_.size(), 1u);
  EXPECT_EQ(done_[0].flops_per_call(), 0);
  EXPECT_EQ(done_[0].bytes_per_call(), 0);
  EXPECT_EQ(done_[0].padding_flops_per_call(), 0);
  EXPECT_EQ(done_[0].operators_per_call(), 0);
  EXPECT_EQ(done_[0].attention_kernels_size(), 0);
  EXPECT_EQ(done_[0].units_per_call(), 0);
  EXPECT_FALSE(done_[0].headline());
}

TEST_F(Measuring, KeepsAMeasurementOfEachBenchmark) {
  ASSERT_TRUE(Measure({kForwardWall, kBackwardWall}).ok());
  EXPECT_THAT(begun_, ElementsAre("c/wall", "c/wall/backward"));
  ASSERT_EQ(done_.size(), 2u);
  EXPECT_EQ(done_[0].step(), "forward");
  EXPECT_EQ(done_[1].step(), "backward");
  EXPECT_NEAR(done_[0].median_ns(), 100 * kUs, 10);
  EXPECT_NEAR(done_[1].median_ns(), 300 * kUs, 10);
  EXPECT_EQ(done_[0].flops_per_call(), 7);
  EXPECT_EQ(done_[0].unit(), "image");
  EXPECT_EQ(done_[0].units_per_call(), 8);
  EXPECT_TRUE(done_[0].headline());
  EXPECT_EQ(done_[0].padding_flops_per_call(), 3);
  EXPECT_EQ(done_[0].bytes_per_call(), 5);
  EXPECT_EQ(done_[0].operators_per_call(), 2);
  EXPECT_THAT(done_[0].attention_kernels(), ElementsAre("flash"));
  EXPECT_GT(done_[0].checks_size(), 10);
}

TEST_F(Measuring, MeasuresOnlyWhatTheFilterMatches) {
  ASSERT_TRUE(Measure({kForwardWall, kBackwardWall}, "backward").ok());
  EXPECT_THAT(begun_, ElementsAre("c/wall/backward"));
}

TEST_F(Measuring, APresetIsAnotherSuitesFigureAndKeepsNoChecks) {
  ASSERT_TRUE(Measure({{.method = sampling::Preset::kDiscrete}}).ok());
  ASSERT_EQ(done_.size(), 1u);
  EXPECT_EQ(done_[0].preset(), "discrete");
}

TEST_F(Measuring, TheTablesTimesAreTheMeasurements) {
  // A quarter of the calls take 180 us, so that the mean is 120 us.
  int call = 0;
  forward_ = [&] { device_.HostWork((++call % 4 == 0 ? 180 : 100) * kUs); };
  testing::internal::CaptureStdout();
  ASSERT_TRUE(Measure({kForwardWall, {.method = sampling::Preset::kDoBench}}).ok());
  const std::string table = testing::internal::GetCapturedStdout();
  EXPECT_THAT(table,
              HasSubstr("c/wall            100 us          119 us           30 GFLOP/s=7e-05 ci%=0 "
                        "images/s=79999 p10=100 p90=180 FLAGGED: one_mode\n"));
  EXPECT_THAT(table,
              HasSubstr("c/do_bench        100 us          120 us          757 GFLOP/s=7e-05 ci%=0 "
                        "images/s=79999 mean=120 p10=100 p90=180\n"));
}

// Google Benchmark computes aggregates itself, of the times that it is given.
TEST_F(Measuring, AggregatesAreOfTheMeasurementsMedians) {
  const auto repeat = [](std::string flag) {
    std::string program = "x";
    char* arguments[] = {program.data(), flag.data(), nullptr};
    int count = 2;
    benchmark::Initialize(&count, arguments);
  };
  repeat("--benchmark_repetitions=3");
  testing::internal::CaptureStdout();
  const absl::Status measured = Measure({kForwardWall});
  const std::string table = testing::internal::GetCapturedStdout();
  repeat("--benchmark_repetitions=1");
  ASSERT_TRUE(measured.ok()) << measured;
  EXPECT_THAT(table, testing::ContainsRegex("\nc/wall_mean +100 us "));
  EXPECT_THAT(table, testing::ContainsRegex("\nc/wall_median +100 us "));
}

// Google Benchmark says so on stderr where it gets a fact that it has already.
TEST_F(Measuring, TheContextIsGivenOnceAProcess) {
  testing::internal::CaptureStderr();
  ASSERT_TRUE(Measure({kForwardWall}).ok());
  ASSERT_TRUE(Measure({kForwardWall}).ok());
  EXPECT_EQ(testing::internal::GetCapturedStderr(), "");
}

TEST_F(Measuring, WhatCannotBeDoneHereIsNoFailureAndSaysWhy) {
  failures_["backward"] = absl::FailedPreconditionError("no graph of this");
  ASSERT_TRUE(Measure({kBackwardWall, kForwardWall}).ok());
  ASSERT_EQ(done_.size(), 2u);
  ASSERT_EQ(done_[0].checks_size(), 1);
  EXPECT_EQ(done_[0].checks(0).status(), CHECK_NOT_RUN);
  EXPECT_EQ(done_[0].checks(0).detail(), "no graph of this");
  EXPECT_EQ(done_[0].median_ns(), 0);
}

TEST_F(Measuring, AFailureIsReturnedAndTheOthersAreMeasured) {
  failures_["forward"] = absl::ResourceExhaustedError("out of memory");
  EXPECT_THAT(Measure({kForwardWall, kBackwardWall}).message(), HasSubstr("out of memory"));
  ASSERT_EQ(done_.size(), 1u);
  EXPECT_EQ(done_[0].step(), "backward");
}

TEST_F(Measuring, WhatACallThrowsIsAFailure) {
  forward_ = [] { throw std::runtime_error("broken kernel"); };
  EXPECT_THAT(Measure({kForwardWall}).message(), HasSubstr("broken kernel"));
  EXPECT_TRUE(done_.empty());
}

// Throws CUDA's out-of-memory error without needing a GPU.
TEST_F(Measuring, MemoryThatRunsOutInAStepIsNamedWithItAndTheOthersAreMeasured) {
  backward_ = [] {
    TORCH_CHECK_WITH(OutOfMemoryError, false, "CUDA out of memory. Tried to allocate 2.00 GiB.");
  };
  const absl::Status status = Measure({kBackwardWall, kForwardWall});
  EXPECT_EQ(status.code(), absl::StatusCode::kResourceExhausted);
  EXPECT_EQ(status.message(),
            "measuring step backward: CUDA out of memory. Tried to allocate 2.00 GiB.");
  ASSERT_EQ(done_.size(), 1u);
  EXPECT_EQ(done_[0].step(), "forward");
}

TEST(MatchesFilter, IsGoogleBenchmarks) {
  EXPECT_TRUE(*MatchesFilter("c/wall", ""));
  EXPECT_TRUE(*MatchesFilter("c/wall", "all"));
  EXPECT_TRUE(*MatchesFilter("c/wall", "wa"));
  EXPECT_FALSE(*MatchesFilter("c/wall", "-wa"));
  EXPECT_TRUE(*MatchesFilter("c/wall", "-cold"));
  EXPECT_FALSE(MatchesFilter("c/wall", "[").ok());
}

}  // namespace
}  // namespace assay::runner

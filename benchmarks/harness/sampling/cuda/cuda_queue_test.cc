// Tests the order in which the CUDA device queues holds, clock stamps and graphs.

#include <cstddef>
#include <cstdint>
#include <memory>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

#include "absl/functional/function_ref.h"
#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "benchmarks/harness/sampling/cuda/cuda_device.h"
#include "benchmarks/harness/sampling/cuda/cuda_device_fixture.h"
#include "benchmarks/harness/sampling/cuda/fake_cuda_runtime.h"
#include "benchmarks/harness/sampling/measure.h"
#include "benchmarks/harness/sampling/stop_rule.h"
#include "gtest/gtest.h"

namespace assay::sampling {
namespace {

using absl::StatusCode;
using CudaQueueTest = CudaDeviceTest;

// Takes `samples` samples into `set`, without warm-up or checks, and returns the journal.
std::string JournalOf(Device& device, Mode mode, int samples, absl::FunctionRef<void()> call,
                      SampleSet* set = nullptr) {
  SampleCountRule rule(samples);
  SamplingOptions options;
  options.rule = &rule;
  options.warmup.reset();
  options.checks = false;
  absl::StatusOr<SampleSet> taken = Measure(device, mode, call, options);
  EXPECT_TRUE(taken.ok()) << taken.status();
  if (set != nullptr && taken.ok()) *set = *std::move(taken);
  return CudaScript().journal;
}

TEST_F(CudaQueueTest, QueuesAWholeColdSampleBehindAHold) {
  const auto device = Opened();
  CudaScript().elapsed_ms = 2.0f;
  SampleSet set;
  EXPECT_EQ(JournalOf(*device, Mode::kCold, 2, Call, &set),
            "mhkrcrkuts"  // whether the call can be held; it does not count
            "s"
            "mhkrcrkuts"
            "mhkrcrkuts");
  EXPECT_EQ(set.samples_ns, (std::vector<double>{2e6, 2e6}));
  EXPECT_EQ(CudaScript().last_stream, kStream);
}

TEST_F(CudaQueueTest, GoesOnWithoutAHoldAfterACallThatWaits) {
  const auto device = Opened();
  CudaScript().elapsed_ms = 2.0f;
  const auto waiting_call = [] {
    Call();
    cudaDeviceSynchronize();
  };
  EXPECT_EQ(JournalOf(*device, Mode::kCold, 3, waiting_call),
            "mhkrcsWrkts"  // it cannot, and the samples do not try again
            "s"
            "mkrcsrkts"
            "mkrcsrkts"
            "mkrcsrkts");
}

TEST_F(CudaQueueTest, TellsAReleasedHoldFromOneThatTimedOut) {
  const auto device = Opened();
  EXPECT_TRUE(*device->Release()) << "nothing was held";
  for (const bool waits : {false, true, false, true, true, false}) {
    ASSERT_TRUE(device->Hold().ok());
    if (waits) {
      ASSERT_TRUE(device->Synchronize().ok());
    }
    EXPECT_EQ(*device->Release(), !waits);
  }
}

TEST_F(CudaQueueTest, DoesNotHoldWhereLaunchesWait) {
  CudaScript().blocking_launches = true;
  const auto device = Opened();
  EXPECT_FALSE(device->CanHold());
  EXPECT_EQ(device->Hold().code(), StatusCode::kFailedPrecondition);
  EXPECT_EQ(JournalOf(*device, Mode::kCold, 1, Call), "smkrcrkts");
}

TEST_F(CudaQueueTest, OpensWithNothingHeldAndEveryKernelLoaded) {
  ASSERT_TRUE(Open().ok());
  // Opening a device: two first launches, awaited; then five spans of nothing behind a hold; then
  // the end.
  EXPECT_EQ(CudaScript().journal.substr(0, 5), "kkhps");
  EXPECT_EQ(CudaScript().journal.substr(5), "hkrrkushkrrkushkrrkushkrrkushkrrkuss");
}

TEST_F(CudaQueueTest, ReadsTheClockOfTheSpan) {
  CudaScript().between_stamps_ns = 3'000;  // around nothing, when it was opened
  const auto device = Opened();
  CudaScript().mhz = 1755;
  CudaScript().device_ns = 0;  // fewer roundings
  CudaScript().between_stamps_ns = 103'000;
  EXPECT_EQ(device->ReadClock(0)->mhz, 0) << "nothing was marked";
  ASSERT_TRUE(device->MarkClockStart().ok());
  EXPECT_EQ(device->ReadClock(0)->mhz, 0) << "the span has not ended";
  ASSERT_TRUE(device->MarkClockStop().ok());
  const ClockReading reading = *device->ReadClock(0);
  EXPECT_EQ(reading.mhz, 1755);
  EXPECT_EQ(reading.span_ns, 100'000) << "less what the marks see around nothing";
  EXPECT_EQ(device->ReadClock(0)->span_ns, 0) << "read before";
}

TEST_F(CudaQueueTest, ForgetsAStartWhoseStopNeverCame) {
  const auto device = Opened();
  CudaScript().between_stamps_ns = 50'000;
  ASSERT_TRUE(device->MarkClockStart().ok());
  ASSERT_TRUE(device->MarkClockStart().ok());
  ASSERT_TRUE(device->MarkClockStop().ok());
  EXPECT_EQ(device->ReadClock(0)->span_ns, 50'000);
}

TEST_F(CudaQueueTest, ReadsNoClockWhereTheStampsDoNotMeet) {
  CudaScript().between_stamps_ns = 50'000;
  // Once on other multiprocessors; once partly on multiprocessors whose stamps are not kept.
  for (const std::vector<int>& sms : {std::vector<int>{3, 4}, {3, kStampedSms}}) {
    const auto device = Opened();
    CudaScript().stamps = 0;
    CudaScript().stamp_sms = sms;
    ASSERT_TRUE(device->MarkClockStart().ok());
    ASSERT_TRUE(device->MarkClockStop().ok());
    const ClockReading reading = *device->ReadClock(0);
    EXPECT_EQ(reading.mhz, 0);
    EXPECT_EQ(reading.span_ns, 0);
  }
}

TEST_F(CudaQueueTest, ReadsNoRateOverFewStepsOfTheClock) {
  struct Case {
    int64_t step_ns, span_ns;
    bool rate, span;
  };
  for (const Case& c : {Case{32, 9'000, false, true}, Case{32, 11'000, true, true},
                        Case{1'000, 49'000, false, true}, Case{1'000, 50'000, true, true},
                        Case{1'000'000, 60'000'000, true, false}}) {
    CudaScript() = {};
    CudaScript().timer_step_ns = c.step_ns;
    const auto device = Opened();
    CudaScript().between_stamps_ns = c.span_ns;
    ASSERT_TRUE(device->MarkClockStart().ok());
    ASSERT_TRUE(device->MarkClockStop().ok());
    const ClockReading reading = *device->ReadClock(0);
    EXPECT_EQ(reading.mhz > 0, c.rate) << c.span_ns;
    EXPECT_EQ(reading.span_ns > 0, c.span) << c.span_ns;
  }
}

TEST_F(CudaQueueTest, RecordsInAStreamOfItsOwnAndReplaysInTheCallers) {
  const auto device = Opened();
  auto graph = device->Capture(Call);
  ASSERT_TRUE(graph.ok()) << graph.status();
  EXPECT_EQ(CudaScript().journal, "scsbcei") << "once to warm up, once to record";
  EXPECT_NE(CudaScript().captured_stream, kStream);
  ASSERT_TRUE((*graph)->Launch().ok());
  EXPECT_EQ(CudaScript().last_stream, kStream);
  EXPECT_EQ(CudaScript().streams, 0);
  EXPECT_EQ(CudaScript().graphs, 1);
  graph->reset();
  EXPECT_EQ(CudaScript().graphs, 0);
}

TEST_F(CudaQueueTest, ReplaysAGraphOnceBeforeAHold) {
  const auto device = Opened();
  CudaScript().elapsed_ms = 2.0f;
  const std::string journal = JournalOf(*device, Mode::kGraph, 2, Call);
  const size_t made = journal.find('i');
  ASSERT_NE(made, std::string::npos) << journal;
  EXPECT_EQ(journal.substr(made + 1),
            "gs"  // it does not count
            "s"
            "hkrgrkuts"
            "hkrgrkuts");
}

TEST_F(CudaQueueTest, CanBeUsedAfterARecordingThatFailed) {
  const auto device = Opened();
  for (const char* function :
       {"cudaStreamBeginCapture", "cudaStreamEndCapture", "cudaGraphInstantiate"}) {
    CudaScript().failing = {{function, cudaErrorStreamCaptureUnsupported}};
    EXPECT_EQ(device->Capture(Call).status().code(), StatusCode::kFailedPrecondition) << function;
    EXPECT_EQ(CudaScript().streams + CudaScript().graphs, 0) << function;
    EXPECT_EQ(CudaScript().last_error, cudaSuccess) << function;
    EXPECT_TRUE(device->StartTimer(0).ok());
    EXPECT_EQ(CudaScript().last_stream, kStream) << function;
  }
  CudaScript().failing.clear();
  EXPECT_TRUE(device->Capture(Call).ok());
}

TEST_F(CudaQueueTest, PassesOnWhatARecordedCallThrows) {
  const auto device = Opened();
  int calls = 0;
  const absl::Status status = device
                                  ->Capture([&] {
                                    if (++calls == 2)
                                      throw std::runtime_error("not while recording");
                                  })
                                  .status();
  EXPECT_EQ(status.code(), StatusCode::kFailedPrecondition);
  EXPECT_NE(status.message().find("not while recording"), std::string::npos) << status;
  EXPECT_EQ(CudaScript().journal, "ssbes") << "the stream was not taken out of recording";
  EXPECT_EQ(CudaScript().streams + CudaScript().graphs, 0);
}

}  // namespace
}  // namespace assay::sampling

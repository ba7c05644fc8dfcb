// LoadGen with workers that answer at once, that fail, and that are stopped.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <filesystem>
#include <memory>
#include <thread>
#include <utility>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/synchronization/notification.h"
#include "absl/time/clock.h"
#include "benchmarks/harness/load/latencies.h"
#include "benchmarks/harness/load/load_generator.h"
#include "benchmarks/harness/load/server.h"

namespace assay::load {
namespace {

class Worker final : public BatchWorker {
 public:
  // Fails from the request `fails_at` on, 0: never, and tells of the request `told`.
  Worker(absl::Duration takes, int64_t fails_at, int64_t told, absl::Notification& reached)
      : takes_(takes), fails_at_(fails_at), told_(told), reached_(reached) {}
  absl::Status Prepare() override { return absl::OkStatus(); }
  absl::Status Answer(absl::Span<const Request> batch, std::vector<int64_t>& answered) override {
    absl::SleepFor(takes_);
    for (const Request& request : batch) {
      if (fails_at_ > 0 && request.id >= fails_at_) return absl::InternalError("broken");
      answered.push_back(request.id);
      if (request.id == told_) reached_.Notify();
    }
    return absl::OkStatus();
  }
  absl::Status Check() override { return absl::OkStatus(); }

 private:
  const absl::Duration takes_;
  const int64_t fails_at_;
  const int64_t told_;
  absl::Notification& reached_;
};

struct Ran {
  absl::StatusOr<LoadResult> result;
  ServiceReport report;
};

Ran RunOf(const Load& load, absl::Duration takes = absl::ZeroDuration(), int64_t fails_at = 0,
          int64_t stops_at = -1) {
  absl::Notification reached;
  std::vector<std::unique_ptr<BatchWorker>> workers;
  for (int i = 0; i < 2; ++i)
    workers.push_back(std::make_unique<Worker>(takes, fails_at, stops_at, reached));
  const std::unique_ptr<LoadGenerator> generator = NewLoadGen(load);
  BatchServer server({.most = 4}, std::move(workers), *generator);
  EXPECT_TRUE(server.Start().ok());
  std::thread stops([&] {
    if (stops_at < 0) return;
    reached.WaitForNotification();
    server.Stop();
  });
  absl::StatusOr<LoadResult> result = generator->Run(server);
  stops.join();
  return {std::move(result), server.Finish()};
}

class LoadGenTest : public testing::TestWithParam<Scenario> {
 protected:
  Load Sends(absl::Duration duration) const {
    std::filesystem::create_directories(folder_);
    return {.scenario = GetParam(),
            .qps = GetParam() == Scenario::kServer ? 500.0 : 20000.0,
            .duration = duration,
            .samples = 16,
            .log_folder = folder_};
  }
  const std::string folder_ = testing::TempDir() + "/loadgen";
};

TEST_P(LoadGenTest, CountsAsWeDo) {
  const Ran ran = RunOf(Sends(absl::Milliseconds(300)));
  ASSERT_TRUE(ran.result.ok()) << ran.result.status();
  EXPECT_TRUE(ran.report.lost.empty());
  const LoadSummary summary = Summarize(GetParam(), ran.result->requests);
  ASSERT_GT(summary.requests, 10);
  EXPECT_GE(summary.latencies.front(), 0);
  EXPECT_GE(summary.lateness.front(), 0);
  if (GetParam() != Scenario::kOffline) {
    EXPECT_EQ(ran.result->report.queries, static_cast<int64_t>(summary.latencies.size()));
  }
  EXPECT_FALSE(ran.result->report.percentiles_ns.empty());
}

TEST_P(LoadGenTest, EndsWhereAWorkerFails) {
  const Ran ran = RunOf(Sends(absl::Seconds(60)), absl::Microseconds(50), /*fails_at=*/40);
  EXPECT_EQ(ran.report.failed.message(), "broken");
  EXPECT_FALSE(ran.report.lost.empty());
  ASSERT_TRUE(ran.result.ok()) << ran.result.status();
  EXPECT_LT(ran.result->requests.size(), 60u);
}

TEST_P(LoadGenTest, EndsWhenItIsStopped) {
  // LoadGen makes all queries beforehand.
  Load load = Sends(absl::Seconds(100));
  load.qps = 100;
  const Ran ran = RunOf(load, absl::Milliseconds(1), 0, /*stops_at=*/3);
  ASSERT_TRUE(ran.result.ok()) << ran.result.status();
  EXPECT_FALSE(ran.result->requests.empty());
  EXPECT_TRUE(ran.report.failed.ok());
}

std::string NameOf(const testing::TestParamInfo<Scenario>& info) {
  return std::string(ScenarioName(info.param));
}

INSTANTIATE_TEST_SUITE_P(InEachScenario, LoadGenTest,
                         testing::Values(Scenario::kSingleStream, Scenario::kMultiStream,
                                         Scenario::kServer, Scenario::kOffline),
                         NameOf);

}  // namespace
}  // namespace assay::load

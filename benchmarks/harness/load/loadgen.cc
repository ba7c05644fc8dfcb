// MLCommons' LoadGen as a load generator.
#include <loadgen/issue_query_controller.h>
#include <loadgen/loadgen.h>
#include <loadgen/query_sample.h>
#include <loadgen/query_sample_library.h>
#include <loadgen/system_under_test.h>
#include <loadgen/test_settings.h>

#include <algorithm>
#include <atomic>
#include <chrono>
#include <cmath>
#include <deque>
#include <fstream>
#include <memory>
#include <nlohmann/json.hpp>
#include <string>
#include <utility>
#include <vector>

#include "absl/base/thread_annotations.h"
#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/ascii.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_replace.h"
#include "absl/strings/strip.h"
#include "absl/synchronization/mutex.h"
#include "benchmarks/harness/load/load_generator.h"

namespace mlperf {
const std::string& LoadgenVersion();
}  // namespace mlperf

namespace assay::load {
namespace {

// LoadGen counts on this clock.
using Clock = mlperf::logging::PerfClock;

int64_t Nanoseconds(Clock::time_point time) {
  return std::chrono::duration_cast<std::chrono::nanoseconds>(time.time_since_epoch()).count();
}

class Samples final : public mlperf::QuerySampleLibrary {
 public:
  explicit Samples(int64_t count) : count_(static_cast<size_t>(count)) {}
  const std::string& Name() override { return name_; }
  size_t TotalSampleCount() override { return count_; }
  size_t PerformanceSampleCount() override { return count_; }
  // They are in memory from the beginning.
  void LoadSamplesToRam(const std::vector<mlperf::QuerySampleIndex>&) override {}
  void UnloadSamplesFromRam(const std::vector<mlperf::QuerySampleIndex>&) override {}

 private:
  const std::string name_ = "seeded inputs";
  const size_t count_;
};

// Ends LoadGen's loop, which has no other way out.
struct Stopped {};

// Requests of one run, from LoadGen to the service and back.
class Run final : public mlperf::SystemUnderTest {
 public:
  explicit Run(Service& service) : service_(service) {}

  const std::string& Name() override { return name_; }

  void IssueQuery(const std::vector<mlperf::QuerySample>& samples) override {
    if (stopped_) EndLoadGen();
    std::vector<Request> requests;
    requests.reserve(samples.size());
    {
      absl::MutexLock lock(&mutex_);
      for (const mlperf::QuerySample& sample : samples) {
        const auto& query =
            *reinterpret_cast<const mlperf::loadgen::SampleMetadata*>(sample.id)->query_metadata;
        requests.push_back({.id = static_cast<int64_t>(sent_.size()),
                            .sample = static_cast<int64_t>(sample.index)});
        sent_.push_back({.of_loadgen = sample.id,
                         .times = {.query = static_cast<int64_t>(query.sequence_id),
                                   .intended = Nanoseconds(query.scheduled_time),
                                   .sent = Nanoseconds(query.issued_start_time)}});
      }
    }
    service_.Submit(requests);
  }
  void FlushQueries() override { service_.Flush(); }

  void Complete(absl::Span<const int64_t> ids, bool answered) {
    const int64_t now = answered ? Nanoseconds(Clock::now()) : 0;
    std::vector<mlperf::QuerySampleResponse> responses;
    responses.reserve(ids.size());
    {
      absl::MutexLock lock(&mutex_);
      for (const int64_t id : ids) {
        Sent& sent = sent_[static_cast<size_t>(id)];
        sent.times.done = now;
        responses.emplace_back(sent.of_loadgen, 0, 0);
      }
    }
    mlperf::QuerySamplesComplete(responses.data(), responses.size());
    absl::MutexLock lock(&mutex_);
    completed_ += ids.size();
  }

  void Stop() { stopped_ = true; }
  bool stopped() const { return stopped_; }

  // Leaves LoadGen's loop, which has no other way out. Its own thread still reads its memory of queries
  // whose replies it has not counted.
  [[noreturn]] void EndLoadGen() {
    size_t sent = 0;
    {
      absl::MutexLock lock(&mutex_);
      const auto all = [this]() ABSL_SHARED_LOCKS_REQUIRED(mutex_) {
        return completed_ == sent_.size();
      };
      mutex_.Await(absl::Condition(&all));
      sent = sent_.size();
    }
    if (sent > 0) mlperf::GlobalLogger().GetLatenciesBlocking(sent);
    mlperf::AbortTest();  // closes its logs
    throw Stopped();
  }

  // Once LoadGen is done.
  std::vector<RequestTimes> Times() {
    absl::MutexLock lock(&mutex_);
    std::vector<RequestTimes> times;
    for (size_t id = 0; id < sent_.size(); ++id) {
      if (sent_[id].times.done == 0) continue;
      times.push_back(sent_[id].times);
      times.back().id = static_cast<int64_t>(id);
    }
    return times;
  }

 private:
  struct Sent {
    mlperf::ResponseId of_loadgen;
    RequestTimes times;
  };

  const std::string name_ = "assay";
  Service& service_;
  std::atomic<bool> stopped_ = false;
  absl::Mutex mutex_;
  std::deque<Sent> sent_ ABSL_GUARDED_BY(mutex_);
  size_t completed_ ABSL_GUARDED_BY(mutex_) = 0;
};

mlperf::TestSettings SettingsOf(const Load& load) {
  mlperf::TestSettings settings;
  settings.mode = mlperf::TestMode::PerformanceOnly;
  settings.min_duration_ms = static_cast<uint64_t>(absl::ToInt64Milliseconds(load.duration));
  settings.min_query_count = 1;
  settings.qsl_rng_seed = load.seed;
  settings.sample_index_rng_seed = load.seed + 1;
  settings.schedule_rng_seed = load.seed + 2;
  constexpr mlperf::TestScenario kScenarios[] = {
      mlperf::TestScenario::SingleStream, mlperf::TestScenario::MultiStream,
      mlperf::TestScenario::Server, mlperf::TestScenario::Offline};  // in the order of Scenario
  settings.scenario = kScenarios[static_cast<size_t>(load.scenario)];
  // LoadGen reads the numbers of this scenario alone.
  const double expected_ns = 1e9 / std::max(load.qps, 1e-3);
  settings.single_stream_expected_latency_ns = static_cast<uint64_t>(expected_ns);
  settings.single_stream_target_latency_percentile = load.share;
  settings.multi_stream_expected_latency_ns = static_cast<uint64_t>(expected_ns);
  settings.multi_stream_target_latency_percentile = load.share;
  settings.multi_stream_samples_per_query = kStreams;
  settings.server_target_qps = load.qps;
  settings.server_target_latency_percentile = load.share;
  // Without a bound every latency keeps it.
  const bool bound = load.bound > absl::ZeroDuration();
  settings.server_target_latency_ns =
      static_cast<uint64_t>(bound ? absl::ToInt64Nanoseconds(load.bound) : int64_t{1} << 60);
  settings.offline_expected_qps = load.qps;
  return settings;
}

// 0.999 of 99.9.
double ShareOf(double percent) { return std::round(percent * 100) / 1e4; }

// Reads LoadGen's own log, in which each line is ":::MLLOG {"key": ..., "value": ...}".
absl::StatusOr<GeneratorReport> ReadReport(const std::string& folder) {
  const std::string path = folder + "/mlperf_log_detail.txt";
  std::ifstream file(path);
  GeneratorReport report;
  bool judged = false;
  std::string line, early;
  while (std::getline(file, line)) {
    std::string_view text = line;
    if (!absl::ConsumePrefix(&text, ":::MLLOG ")) continue;
    const nlohmann::json row = nlohmann::json::parse(text, nullptr, /*allow_exceptions=*/false);
    if (row.is_discarded() || !row.contains("key") || !row.contains("value")) continue;
    const std::string key = row["key"];
    const nlohmann::json& value = row["value"];
    if (key == "result_validity") {
      judged = true;
      report.valid = value == "VALID";
    } else if (key == "result_invalid_reason") {
      report.reason = value.get<std::string>();
    } else if (key == "early_stopping_result") {
      early = value.get<std::string>();
    } else if (key == "result_query_count") {
      report.queries = value.get<int64_t>();
    } else if (std::string_view percentile = key; absl::ConsumePrefix(&percentile, "result_")) {
      // If a query has several samples, both are there.
      const bool of_queries = absl::ConsumeSuffix(&percentile, "_percentile_per_query_latency_ns");
      if (!of_queries && !absl::ConsumeSuffix(&percentile, "_percentile_latency_ns")) continue;
      int64_t& kept = report.percentiles_ns[ShareOf(std::atof(std::string(percentile).c_str()))];
      if (of_queries || kept == 0) kept = value.get<int64_t>();
    }
  }
  if (!judged) return absl::InternalError(absl::StrCat("LoadGen wrote no result to ", path));
  if (!report.valid) {
    absl::StrAppend(&report.reason, absl::StrReplaceAll(early, {{" * ", " "}}));
    absl::RemoveExtraAsciiWhitespace(&report.reason);
  }
  return report;
}

class LoadGen final : public LoadGenerator {
 public:
  std::string Name() const override { return absl::StrCat("LoadGen ", mlperf::LoadgenVersion()); }

  absl::StatusOr<LoadResult> Run(const Load& load, Service& service) override {
    const auto run = std::make_shared<load::Run>(service);
    SetRun(run);
    Samples samples(load.samples);
    mlperf::LogSettings logs;
    logs.log_output.outdir = load.log_folder;
    logs.enable_trace = false;
    try {
      mlperf::StartTest(run.get(), &samples, SettingsOf(load), logs, /*audit_config_filename=*/"");
    } catch (const Stopped&) {
    }
    // Once all are sent, LoadGen ends by itself, and counts those that nobody answers any more.
    if (run->stopped())
      return LoadResult{.requests = run->Times(), .report = {.reason = "stopped before its end"}};
    absl::StatusOr<GeneratorReport> report = ReadReport(load.log_folder);
    if (!report.ok()) return report.status();
    return LoadResult{.requests = run->Times(), .report = *std::move(report)};
  }

  void Complete(absl::Span<const int64_t> ids, bool answered) override {
    Current()->Complete(ids, answered);
  }
  void Stop() override {
    if (const auto run = Current()) run->Stop();
  }

 private:
  // Stays until the next run, since the last replies of a stopped one come when it is over.
  void SetRun(std::shared_ptr<load::Run> run) {
    absl::MutexLock lock(&mutex_);
    run_ = std::move(run);
  }
  std::shared_ptr<load::Run> Current() {
    absl::ReaderMutexLock lock(&mutex_);
    return run_;
  }

  absl::Mutex mutex_;
  std::shared_ptr<load::Run> run_ ABSL_GUARDED_BY(mutex_);
};

[[maybe_unused]] const bool kRegistered = RegisterGenerator(std::make_unique<LoadGen>());

}  // namespace
}  // namespace assay::load

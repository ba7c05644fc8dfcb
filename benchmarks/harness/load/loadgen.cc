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
#include <map>
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

mlperf::TestSettings SettingsOf(const Load& load) {
  mlperf::TestSettings settings;
  settings.mode = mlperf::TestMode::PerformanceOnly;
  settings.min_duration_ms = static_cast<uint64_t>(absl::ToInt64Milliseconds(load.duration));
  settings.min_query_count = static_cast<uint64_t>(load.least);
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
  settings.single_stream_target_latency_percentile = load.bound.share;
  settings.multi_stream_expected_latency_ns = static_cast<uint64_t>(expected_ns);
  settings.multi_stream_target_latency_percentile = load.bound.share;
  settings.multi_stream_samples_per_query = kStreams;
  settings.server_target_qps = load.qps;
  settings.server_target_latency_percentile = load.bound.share;
  settings.server_target_latency_ns =
      static_cast<uint64_t>(absl::ToInt64Nanoseconds(std::min(load.bound.bound, absl::Hours(1e6))));
  settings.offline_expected_qps = load.qps;
  return settings;
}

// Reads LoadGen's own log, in which each line is ":::MLLOG {"key": ..., "value": ...}".
absl::StatusOr<GeneratorReport> ReadReport(const std::string& folder) {
  const std::string path = folder + "/mlperf_log_detail.txt";
  std::ifstream file(path);
  std::map<std::string, nlohmann::json> values;
  for (std::string line; std::getline(file, line);) {
    std::string_view text = line;
    if (!absl::ConsumePrefix(&text, ":::MLLOG ")) continue;
    const nlohmann::json row = nlohmann::json::parse(text, nullptr, /*allow_exceptions=*/false);
    if (row.contains("key") && row.contains("value"))
      values[row["key"].get<std::string>()] = row["value"];
  }
  if (!values.contains("result_validity"))
    return absl::InternalError(absl::StrCat("LoadGen wrote no result to ", path));
  const auto text_at = [&values](const char* key) {
    const auto found = values.find(key);
    return found == values.end() ? "" : found->second.get<std::string>();
  };
  GeneratorReport report = {.valid = text_at("result_validity") == "VALID",
                            .reason = text_at("result_invalid_reason")};
  if (!report.valid) {
    absl::StrAppend(&report.reason,
                    absl::StrReplaceAll(text_at("early_stopping_result"), {{" * ", " "}}));
    absl::RemoveExtraAsciiWhitespace(&report.reason);
  }
  for (const auto& [key, value] : values) {
    std::string_view percentile = key;
    if (key == "result_query_count") report.queries = value.get<int64_t>();
    // If a query has several samples, both keys are there, and the second one is kept.
    if (absl::ConsumePrefix(&percentile, "result_") &&
        (absl::ConsumeSuffix(&percentile, "_percentile_latency_ns") ||
         absl::ConsumeSuffix(&percentile, "_percentile_per_query_latency_ns"))) {
      const double percent = std::atof(std::string(percentile).c_str());
      report.percentiles_ns[std::round(percent * 100) / 1e4] = value.get<int64_t>();
    }
  }
  return report;
}

// Ends LoadGen's loop, which has no other way out.
struct Stopped {};

// The samples are in memory from the beginning.
class LoadGen final : public LoadGenerator, mlperf::SystemUnderTest, mlperf::QuerySampleLibrary {
 public:
  explicit LoadGen(const Load& load) : load_(load) {}

  std::string Name() const override { return absl::StrCat("LoadGen ", mlperf::LoadgenVersion()); }

  absl::StatusOr<LoadResult> Run(Service& service) override {
    service_ = &service;
    mlperf::LogSettings logs;
    logs.log_output.outdir = load_.log_folder;
    logs.enable_trace = false;
    try {
      mlperf::StartTest(this, this, SettingsOf(load_), logs, /*audit_config_filename=*/"");
    } catch (const Stopped&) {
    }
    LoadResult result = {.requests = Times(), .report = {.reason = "stopped before its end"}};
    // Once all are sent, LoadGen ends by itself, and counts those that nobody answers any more.
    if (stopped_) return result;
    absl::StatusOr<GeneratorReport> report = ReadReport(load_.log_folder);
    if (!report.ok()) return report.status();
    result.report = *std::move(report);
    return result;
  }

  void Complete(absl::Span<const int64_t> ids, bool answered) override {
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

  void Stop() override { stopped_ = true; }

 private:
  struct Sent {
    mlperf::ResponseId of_loadgen;
    RequestTimes times;
  };

  const std::string& Name() override { return name_; }
  size_t TotalSampleCount() override { return static_cast<size_t>(load_.samples); }
  size_t PerformanceSampleCount() override { return TotalSampleCount(); }
  void LoadSamplesToRam(const std::vector<mlperf::QuerySampleIndex>&) override {}
  void UnloadSamplesFromRam(const std::vector<mlperf::QuerySampleIndex>&) override {}

  void IssueQuery(const std::vector<mlperf::QuerySample>& samples) override {
    if (stopped_) EndLoadGen();
    std::vector<Request> requests;
    requests.reserve(samples.size());
    {
      absl::MutexLock lock(&mutex_);
      for (const mlperf::QuerySample& sample : samples) {
        const auto& query =
            *reinterpret_cast<const mlperf::loadgen::SampleMetadata*>(sample.id)->query_metadata;
        const auto id = static_cast<int64_t>(sent_.size());
        requests.push_back({.id = id, .sample = static_cast<int64_t>(sample.index)});
        sent_.push_back({.of_loadgen = sample.id,
                         .times = {.id = id,
                                   .query = static_cast<int64_t>(query.sequence_id),
                                   .intended = Nanoseconds(query.scheduled_time),
                                   .sent = Nanoseconds(query.issued_start_time)}});
      }
    }
    service_->Submit(requests);
  }
  void FlushQueries() override { service_->Flush(); }

  // LoadGen's own thread still reads its memory of queries whose replies it has not counted.
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

  // The times of all requests that were answered.
  std::vector<RequestTimes> Times() {
    absl::MutexLock lock(&mutex_);
    std::vector<RequestTimes> times;
    for (const Sent& sent : sent_)
      if (sent.times.done != 0) times.push_back(sent.times);
    return times;
  }

  const Load load_;
  const std::string name_ = "assay";
  Service* service_ = nullptr;
  std::atomic<bool> stopped_ = false;
  absl::Mutex mutex_;
  std::deque<Sent> sent_ ABSL_GUARDED_BY(mutex_);
  size_t completed_ ABSL_GUARDED_BY(mutex_) = 0;
};

}  // namespace

std::unique_ptr<LoadGenerator> NewLoadGen(const Load& load) {
  return std::make_unique<LoadGen>(load);
}

}  // namespace assay::load

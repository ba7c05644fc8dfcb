#include "benchmarks/harness/load/scheduled_generator.h"

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <nlohmann/json.hpp>
#include <random>
#include <utility>

#include "absl/strings/str_cat.h"
#include "absl/time/clock.h"

namespace assay::load {

std::vector<Arrival> GammaArrivals(const Load& load) {
  std::mt19937_64 random(load.seed);
  std::gamma_distribution<double> gap(load.burstiness, 1 / (load.qps * load.burstiness));
  std::uniform_int_distribution<int64_t> sample(0, load.samples - 1);
  std::vector<Arrival> arrivals;
  for (absl::Duration at = absl::Seconds(gap(random)); at < load.duration;
       at += absl::Seconds(gap(random)))
    arrivals.push_back({.at = at, .sample = sample(random)});
  return arrivals;
}

absl::StatusOr<std::vector<Arrival>> ReadArrivals(const std::string& path) {
  constexpr std::string_view kLine =
      R"(an object as {"timestamp": 250, "input_length": 120, "output_length": 16})";
  constexpr absl::Duration kLongest = absl::Hours(7 * 24);
  std::ifstream file(path);
  if (!file || std::filesystem::is_directory(path)) {
    return absl::NotFoundError(
        absl::StrCat(path, ": cannot be opened; give a file, on each line ", kLine));
  }
  std::vector<Arrival> arrivals;
  std::string line;
  for (int64_t number = 1; std::getline(file, line); ++number) {
    if (line.empty()) continue;
    const auto wrong = [&](std::string_view what) {
      return absl::InvalidArgumentError(absl::StrCat(path, ":", number, ": ", what));
    };
    const nlohmann::json row = nlohmann::json::parse(line, nullptr, /*allow_exceptions=*/false);
    const auto read = [&row](const char* key) {
      if (!row.contains(key)) return 0.0;
      return row[key].is_number() ? std::min(row[key].get<double>(), 1e12) : -1.0;
    };
    if (!row.is_object() || !row.contains("timestamp")) return wrong(absl::StrCat("give ", kLine));
    const Arrival arrival = {.at = absl::Milliseconds(read("timestamp")),
                             .sample = static_cast<int64_t>(arrivals.size()),
                             .prompt_tokens = static_cast<int64_t>(read("input_length")),
                             .reply_tokens = static_cast<int64_t>(read("output_length"))};
    if (arrival.at < absl::ZeroDuration() || arrival.prompt_tokens < 0 || arrival.reply_tokens < 0)
      return wrong("timestamp, input_length and output_length are numbers, 0 or more");
    if (arrival.at > kLongest)
      return wrong("its timestamp is not within 7 days; it counts milliseconds from the beginning");
    if (!arrivals.empty() && arrival.at < arrivals.back().at)
      return wrong("its timestamp is before that of the line before; sort the file by it");
    arrivals.push_back(arrival);
  }
  if (arrivals.empty())
    return absl::InvalidArgumentError(absl::StrCat(path, ": it has no line; give on each ", kLine));
  return arrivals;
}

std::string ScheduledGenerator::Name() const {
  return load_.concurrency > 0 ? absl::StrCat("closed loop of ", load_.concurrency)
                               : "given arrivals";
}

absl::StatusOr<LoadResult> ScheduledGenerator::Run(Service& service) {
  if (load_.concurrency > 0) {
    SendInTurn(service);
  } else {
    SendArrivals(load_.arrivals.empty() ? GammaArrivals(load_) : load_.arrivals, service);
  }
  service.Flush();
  absl::MutexLock lock(&mutex_);
  const auto all = [this]() ABSL_SHARED_LOCKS_REQUIRED(mutex_) {
    return completed_ == static_cast<int64_t>(times_.size());
  };
  mutex_.Await(absl::Condition(&all));
  LoadResult result;
  for (const RequestTimes& times : times_)
    if (times.done > 0) result.requests.push_back(times);
  result.report = {.valid = !stopped_, .reason = stopped_ ? "stopped before its end" : ""};
  result.report.queries = static_cast<int64_t>(result.requests.size());
  return result;
}

void ScheduledGenerator::SendArrivals(const std::vector<Arrival>& arrivals, Service& service) {
  const absl::Time start = absl::Now();
  for (const Arrival& arrival : arrivals) {
    const absl::Time intended = start + arrival.at;
    {
      absl::MutexLock lock(&mutex_);
      if (mutex_.AwaitWithDeadline(absl::Condition(&stopped_), intended)) return;
    }
    Send(arrival.sample % load_.samples, absl::ToUnixNanos(intended), service);
  }
}

void ScheduledGenerator::SendInTurn(Service& service) {
  const absl::Time end = absl::Now() + load_.duration;
  for (int64_t number = 0; absl::Now() < end; ++number) {
    {
      absl::MutexLock lock(&mutex_);
      mutex_.Await(absl::Condition(this, &ScheduledGenerator::Closed));
      if (stopped_) return;
    }
    Send(number % load_.samples, absl::GetCurrentTimeNanos(), service);
  }
}

void ScheduledGenerator::Send(int64_t sample, int64_t intended, Service& service) {
  Request request = {.sample = sample};
  {
    absl::MutexLock lock(&mutex_);
    request.id = static_cast<int64_t>(times_.size());
    times_.push_back({.id = request.id,
                      .query = request.id,
                      .intended = intended,
                      .sent = absl::GetCurrentTimeNanos()});
  }
  service.Submit({request});
}

void ScheduledGenerator::Complete(absl::Span<const int64_t> ids, bool answered) {
  const int64_t now = absl::GetCurrentTimeNanos();
  absl::MutexLock lock(&mutex_);
  completed_ += static_cast<int64_t>(ids.size());
  for (const int64_t id : ids)
    if (answered) times_[static_cast<size_t>(id)].done = now;
}

void ScheduledGenerator::Stop() {
  absl::MutexLock lock(&mutex_);
  stopped_ = true;
}

}  // namespace assay::load

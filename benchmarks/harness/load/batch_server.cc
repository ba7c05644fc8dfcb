#include "benchmarks/harness/load/batch_server.h"

#include <algorithm>
#include <utility>

#include "absl/container/flat_hash_map.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "benchmarks/harness/base/steady_time.h"

namespace assay::load {

BatchServer::BatchServer(Batching batching, std::vector<std::unique_ptr<BatchWorker>> workers,
                         LoadGenerator& generator, AnsweredIn answered_in)
    : workers_(std::move(workers)),
      generator_(generator),
      batching_(batching),
      answered_in_(answered_in),
      queue_(batching),
      in_flight_(workers_.size()) {
  absl::MutexLock lock(&mutex_);
  report_.batches.resize(static_cast<size_t>(batching.most));
}

BatchServer::~BatchServer() { Finish(); }

absl::Status BatchServer::Start() {
  if (answered_in_ == AnsweredIn::kSubmission) {
    Prepare(0);
  } else {
    for (size_t i = 0; i < workers_.size(); ++i) threads_.emplace_back([this, i] { Serve(i); });
  }
  absl::MutexLock lock(&mutex_);
  const auto all = [this]() ABSL_SHARED_LOCKS_REQUIRED(mutex_) {
    return prepared_ == std::max<size_t>(threads_.size(), 1);
  };
  mutex_.Await(absl::Condition(&all));
  return ready_;
}

ServiceReport BatchServer::Finish() {
  queue_.Close();
  for (std::thread& thread : threads_) thread.join();
  threads_.clear();
  absl::MutexLock lock(&mutex_);
  std::sort(report_.lost.begin(), report_.lost.end());
  std::sort(report_.doubled.begin(), report_.doubled.end());
  return report_;
}

void BatchServer::Prepare(size_t worker) {
  const absl::Status prepared = workers_[worker]->Prepare();
  absl::MutexLock lock(&mutex_);
  ready_.Update(prepared);
  ++prepared_;
}

void BatchServer::Serve(size_t worker) {
  Prepare(worker);
  for (std::vector<Request> batch = queue_.Take(); !batch.empty(); batch = queue_.Take())
    Answer(worker, batch);
}

void BatchServer::Submit(absl::Span<const Request> requests) {
  if (answered_in_ == AnsweredIn::kThreads) return queue_.Add(requests);
  const auto most = static_cast<size_t>(batching_.most);
  for (size_t first = 0; first < requests.size(); first += most)
    Answer(0, requests.subspan(first, most));
}

void BatchServer::Answer(size_t worker, absl::Span<const Request> batch) {
  std::vector<int64_t> ids;
  ids.reserve(batch.size());
  for (const Request& request : batch) ids.push_back(request.id);
  // The generator waits for each request.
  if (stopped_) return generator_.Complete(ids, /*answered=*/false);
  const absl::Duration start = base::SteadyNow();
  {
    absl::MutexLock lock(&mutex_);
    ++report_.batches[batch.size() - 1];
    in_flight_[worker] = {ids, start};
  }
  const absl::StatusOr<std::vector<int64_t>> answered = workers_[worker]->Answer(batch);
  Settle(ids, answered.ok() ? *answered : std::vector<int64_t>());
  absl::Status done = answered.status();
  if (done.ok()) done = workers_[worker]->Check();
  {
    absl::MutexLock lock(&mutex_);
    in_flight_[worker].ids.clear();
    report_.busy_s += absl::ToDoubleSeconds(base::SteadyNow() - start);
    report_.failed.Update(done);
  }
  if (!done.ok()) Stop();
}

void BatchServer::Settle(const std::vector<int64_t>& asked, const std::vector<int64_t>& answered) {
  // Sent first: what follows is not the service's time.
  if (answered == asked) return generator_.Complete(asked, /*answered=*/true);
  absl::flat_hash_map<int64_t, int> replies;
  for (const int64_t id : answered) ++replies[id];
  std::vector<int64_t> with, without, twice;
  for (const int64_t id : asked) {
    (replies[id] > 0 ? with : without).push_back(id);
    if (replies[id] > 1) twice.push_back(id);
  }
  generator_.Complete(with, /*answered=*/true);
  generator_.Complete(without, /*answered=*/false);
  absl::MutexLock lock(&mutex_);
  report_.lost.insert(report_.lost.end(), without.begin(), without.end());
  report_.doubled.insert(report_.doubled.end(), twice.begin(), twice.end());
}

void BatchServer::Stop() {
  stopped_ = true;
  generator_.Stop();
}

std::string BatchServer::InFlightText() const {
  absl::MutexLock lock(&mutex_);
  std::vector<std::string> texts;
  for (size_t i = 0; i < in_flight_.size(); ++i) {
    if (in_flight_[i].ids.empty()) continue;
    texts.push_back(
        absl::StrCat("worker ", i, ": requests ", absl::StrJoin(in_flight_[i].ids, ", "), " for ",
                     absl::FormatDuration(absl::Trunc(base::SteadyNow() - in_flight_[i].since,
                                                      absl::Milliseconds(1)))));
  }
  return absl::StrJoin(texts, "; ");
}

absl::Duration BatchServer::LongestInFlight() const {
  absl::MutexLock lock(&mutex_);
  absl::Duration longest;
  for (const InFlight& batch : in_flight_)
    if (!batch.ids.empty()) longest = std::max(longest, base::SteadyNow() - batch.since);
  return longest;
}

}  // namespace assay::load

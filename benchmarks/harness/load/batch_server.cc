#include "benchmarks/harness/load/batch_server.h"

#include <algorithm>
#include <utility>

#include "absl/container/flat_hash_map.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "benchmarks/harness/base/steady_time.h"

namespace assay::load {
namespace {

int64_t SteadyNs() { return absl::ToInt64Nanoseconds(base::SteadyNow()); }

}  // namespace

BatchServer::BatchServer(Batching batching, std::vector<std::unique_ptr<BatchWorker>> workers,
                         LoadGenerator& generator, AnsweredIn answered_in)
    : Server(batching, generator),
      workers_(std::move(workers)),
      batching_(batching),
      answered_in_(answered_in),
      books_(workers_.size()) {
  for (Books& books : books_) books.batches.resize(static_cast<size_t>(batching.most));
}

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

void BatchServer::Total(ServiceReport& report) const {
  report.batches.assign(static_cast<size_t>(batching_.most), 0);
  report.busy_s = 0;
  for (const Books& books : books_) {
    for (size_t i = 0; i < books.batches.size(); ++i) report.batches[i] += books.batches[i];
    report.busy_s += 1e-9 * static_cast<double>(books.busy_ns);
  }
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
  if (answered_in_ == AnsweredIn::kThreads) return Server::Submit(requests);
  const auto most = static_cast<size_t>(batching_.most);
  for (size_t first = 0; first < requests.size(); first += most)
    Answer(0, requests.subspan(first, most));
}

void BatchServer::Answer(size_t worker, absl::Span<const Request> batch) {
  Books& books = books_[worker];
  const int64_t start = SteadyNs();
  {
    absl::MutexLock lock(&books.mutex);
    books.asked.clear();
    for (const Request& request : batch) books.asked.push_back(request.id);
  }
  // The generator waits for each request.
  if (stopped_) return generator_.Complete(books.asked, /*answered=*/false);
  books.since_ns = start;
  ++books.batches[batch.size() - 1];
  books.answered.clear();
  absl::Status done = workers_[worker]->Answer(batch, books.answered);
  if (!done.ok()) books.answered.clear();
  // Sent first: what follows is not the service's time.
  Settle(books);
  if (done.ok()) done = workers_[worker]->Check();
  books.since_ns = 0;
  books.busy_ns += SteadyNs() - start;
  if (!done.ok()) Fail(done);
}

void BatchServer::Settle(const Books& books) {
  if (books.answered == books.asked) return generator_.Complete(books.asked, /*answered=*/true);
  absl::flat_hash_map<int64_t, int> replies;
  for (const int64_t id : books.answered) ++replies[id];
  std::vector<int64_t> with, without, twice;
  for (const int64_t id : books.asked) {
    (replies[id] > 0 ? with : without).push_back(id);
    if (replies[id] > 1) twice.push_back(id);
  }
  generator_.Complete(with, /*answered=*/true);
  generator_.Complete(without, /*answered=*/false);
  absl::MutexLock lock(&mutex_);
  report_.lost.insert(report_.lost.end(), without.begin(), without.end());
  report_.doubled.insert(report_.doubled.end(), twice.begin(), twice.end());
}

InFlight BatchServer::Unanswered() const {
  InFlight all;
  for (size_t i = 0; i < books_.size(); ++i) {
    absl::MutexLock lock(&books_[i].mutex);
    const int64_t since = books_[i].since_ns;
    if (since == 0) continue;
    const absl::Duration age = absl::Nanoseconds(SteadyNs() - since);
    all.longest = std::max(all.longest, age);
    absl::StrAppend(&all.text, all.text.empty() ? "" : "; ", "worker ", i, ": requests ",
                    absl::StrJoin(books_[i].asked, ", "), " for ",
                    absl::FormatDuration(absl::Trunc(age, absl::Milliseconds(1))));
  }
  return all;
}

}  // namespace assay::load

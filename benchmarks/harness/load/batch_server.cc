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
    : workers_(std::move(workers)),
      generator_(generator),
      batching_(batching),
      answered_in_(answered_in),
      queue_(batching),
      books_(workers_.size()) {
  for (Books& books : books_) books.batches.resize(static_cast<size_t>(batching.most));
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
  report_.batches.assign(static_cast<size_t>(batching_.most), 0);
  report_.busy_s = 0;
  for (const Books& books : books_) {
    for (size_t i = 0; i < books.batches.size(); ++i) report_.batches[i] += books.batches[i];
    report_.busy_s += 1e-9 * static_cast<double>(books.busy_ns);
  }
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
  if (done.ok()) return;
  {
    absl::MutexLock lock(&mutex_);
    report_.failed.Update(done);
  }
  Stop();
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

void BatchServer::Stop() {
  stopped_ = true;
  generator_.Stop();
}

std::string BatchServer::InFlightText() const {
  std::vector<std::string> texts;
  for (size_t i = 0; i < books_.size(); ++i) {
    absl::MutexLock lock(&books_[i].mutex);
    const int64_t since = books_[i].since_ns;
    if (since == 0) continue;
    texts.push_back(
        absl::StrCat("worker ", i, ": requests ", absl::StrJoin(books_[i].asked, ", "), " for ",
                     absl::FormatDuration(absl::Trunc(absl::Nanoseconds(SteadyNs() - since),
                                                      absl::Milliseconds(1)))));
  }
  return absl::StrJoin(texts, "; ");
}

absl::Duration BatchServer::LongestInFlight() const {
  int64_t longest = 0;
  for (const Books& books : books_)
    if (const int64_t since = books.since_ns; since != 0)
      longest = std::max(longest, SteadyNs() - since);
  return absl::Nanoseconds(longest);
}

}  // namespace assay::load

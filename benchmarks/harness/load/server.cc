#include "benchmarks/harness/load/server.h"

#include <algorithm>

#include "absl/container/flat_hash_map.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "benchmarks/harness/base/steady_time.h"

namespace assay::load {
namespace {

int64_t SteadyNs() { return absl::ToInt64Nanoseconds(base::SteadyNow()); }

}  // namespace

Server::Server(Batching batching, size_t workers, LoadGenerator& generator, AnsweredIn answered_in)
    : generator_(generator), answered_in_(answered_in), queue_(batching), books_(workers) {
  for (Books& books : books_) books.batches.resize(static_cast<size_t>(batching.most));
}

absl::Status Server::Start() {
  if (answered_in_ == AnsweredIn::kSubmission) {
    BecomeReady(0);
  } else {
    for (size_t worker = 0; worker < books_.size(); ++worker) {
      threads_.emplace_back([this, worker] {
        BecomeReady(worker);
        while (Turn(worker)) {
        }
      });
    }
  }
  absl::MutexLock lock(&mutex_);
  const auto all = [this]() ABSL_SHARED_LOCKS_REQUIRED(mutex_) {
    return prepared_ == std::max<size_t>(threads_.size(), 1);
  };
  mutex_.Await(absl::Condition(&all));
  return ready_;
}

void Server::BecomeReady(size_t worker) {
  const absl::Status prepared = Prepare(worker);
  absl::MutexLock lock(&mutex_);
  ready_.Update(prepared);
  ++prepared_;
}

void Server::Submit(absl::Span<const Request> requests) {
  begun_ = true;
  queue_.Add(requests);
}

void Server::Stop() {
  stopped_ = true;
  generator_.Stop();
}

ServiceReport Server::Finish() {
  queue_.Close();
  for (std::thread& thread : threads_) thread.join();
  threads_.clear();
  absl::MutexLock lock(&mutex_);
  report_.batches.assign(books_[0].batches.size(), 0);
  report_.busy_s = 0;
  for (const Books& books : books_) {
    for (size_t i = 0; i < books.batches.size(); ++i) report_.batches[i] += books.batches[i];
    report_.busy_s += 1e-9 * static_cast<double>(books.busy_ns);
  }
  std::sort(report_.lost.begin(), report_.lost.end());
  std::sort(report_.doubled.begin(), report_.doubled.end());
  return report_;
}

void Server::Begin(Books& books, absl::Span<const Request> requests) {
  {
    absl::MutexLock lock(&books.mutex);
    books.asked.clear();
    for (const Request& request : requests) books.asked.push_back(request.id);
  }
  books.since_ns = SteadyNs();
}

void Server::End(Books& books) { books.busy_ns += SteadyNs() - books.since_ns.exchange(0); }

void Server::Fail(const absl::Status& status, absl::Span<const Request> lost) {
  {
    absl::MutexLock lock(&mutex_);
    report_.failed.Update(status);
    for (const Request& request : lost) report_.lost.push_back(request.id);
  }
  Stop();
}

void Server::Settle(const std::vector<int64_t>& asked, const std::vector<int64_t>& answered) {
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

InFlight Server::Unanswered() const {
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

bool BatchServer::Turn(size_t worker) {
  const std::vector<Request> batch = queue_.Take();
  if (batch.empty()) return false;
  Answer(worker, batch);
  return true;
}

void BatchServer::Submit(absl::Span<const Request> requests) {
  if (answered_in_ == AnsweredIn::kThreads) return Server::Submit(requests);
  begun_ = true;
  const size_t most = books_[0].batches.size();
  for (size_t first = 0; first < requests.size(); first += most)
    Answer(0, requests.subspan(first, most));
}

void BatchServer::Answer(size_t worker, absl::Span<const Request> batch) {
  Books& books = books_[worker];
  Begin(books, batch);
  absl::Status done;
  if (stopped_) {  // the generator waits for each request
    generator_.Complete(books.asked, /*answered=*/false);
  } else {
    ++books.batches[batch.size() - 1];
    std::vector<int64_t>& answered = answered_[worker];
    answered.clear();
    done = workers_[worker]->Answer(batch, answered);
    if (!done.ok()) answered.clear();
    // Sent first: what follows is not the service's time.
    Settle(books.asked, answered);
    if (done.ok()) done = workers_[worker]->Check();
  }
  End(books);
  if (!done.ok()) Fail(done);
}

}  // namespace assay::load

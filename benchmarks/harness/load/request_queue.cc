#include "benchmarks/harness/load/request_queue.h"

#include <algorithm>

#include "absl/time/clock.h"

namespace assay::load {

void RequestQueue::Add(absl::Span<const Request> requests) {
  // Only a batch that waits for more requests needs to know since when.
  const absl::Time now = batching_.wait > absl::ZeroDuration() ? absl::Now() : absl::InfinitePast();
  absl::MutexLock lock(&mutex_);
  flushed_ = false;
  for (const Request& request : requests) waiting_.push_back({request, now});
}

std::vector<Request> RequestQueue::Take() {
  absl::MutexLock lock(&mutex_);
  while (true) {
    mutex_.Await(absl::Condition(this, &RequestQueue::HasWork));
    if (waiting_.empty()) return {};
    if (!HasBatch() && batching_.wait > absl::ZeroDuration()) {
      mutex_.AwaitWithDeadline(absl::Condition(this, &RequestQueue::HasBatch),
                               waiting_.front().since + batching_.wait);
      if (waiting_.empty()) continue;  // another worker took them
    }
    return Pop(batching_.most);
  }
}

std::vector<Request> RequestQueue::TakeNow(int64_t most) {
  absl::MutexLock lock(&mutex_);
  return Pop(most);
}

std::vector<Request> RequestQueue::Pop(int64_t most) {
  const auto end =
      waiting_.begin() + std::min<int64_t>(most, static_cast<int64_t>(waiting_.size()));
  std::vector<Request> batch;
  for (auto it = waiting_.begin(); it != end; ++it) batch.push_back(it->request);
  waiting_.erase(waiting_.begin(), end);
  return batch;
}

void RequestQueue::Flush() {
  absl::MutexLock lock(&mutex_);
  flushed_ = true;
}

void RequestQueue::Close() {
  absl::MutexLock lock(&mutex_);
  closed_ = true;
}

}  // namespace assay::load

#include "benchmarks/harness/load/request_queue.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <thread>

#include "absl/time/clock.h"

namespace assay::load {
namespace {

std::vector<int64_t> Ids(const std::vector<Request>& batch) {
  std::vector<int64_t> ids;
  for (const Request& request : batch) ids.push_back(request.id);
  return ids;
}

TEST(RequestQueue, GivesAsManyAsABatchHoldsInOrder) {
  RequestQueue queue({.most = 2});
  queue.Add({{.id = 0}, {.id = 1}, {.id = 2}});
  EXPECT_THAT(Ids(queue.Take()), testing::ElementsAre(0, 1));
  EXPECT_THAT(Ids(queue.Take()), testing::ElementsAre(2));
}

TEST(RequestQueue, IsEmptyOnceItIsClosed) {
  RequestQueue queue({.most = 2});
  queue.Add({{.id = 0}});
  queue.Close();
  EXPECT_THAT(Ids(queue.Take()), testing::ElementsAre(0));
  EXPECT_TRUE(queue.Take().empty());
}

TEST(RequestQueue, GivesWhatIsThereWithoutWaiting) {
  RequestQueue queue({.most = 1});
  EXPECT_TRUE(queue.TakeNow(3).empty());
  queue.Add({{.id = 0}, {.id = 1}, {.id = 2}});
  EXPECT_THAT(Ids(queue.TakeNow(2)), testing::ElementsAre(0, 1));
  EXPECT_TRUE(queue.TakeNow(0).empty());
}

TEST(RequestQueue, WaitsForTheRestOfABatch) {
  RequestQueue queue({.most = 2, .wait = absl::Seconds(600)});
  queue.Add({{.id = 0}});
  std::thread later([&] { queue.Add({{.id = 1}}); });
  EXPECT_THAT(Ids(queue.Take()), testing::ElementsAre(0, 1));
  later.join();
}

TEST(RequestQueue, WaitsNoLongerThanItWasTold) {
  RequestQueue queue({.most = 2, .wait = absl::Milliseconds(20)});
  const absl::Time start = absl::Now();
  queue.Add({{.id = 0}});
  EXPECT_THAT(Ids(queue.Take()), testing::ElementsAre(0));
  EXPECT_GE(absl::Now() - start, absl::Milliseconds(20));
}

TEST(RequestQueue, DoesNotWaitWhereNoRequestFollows) {
  RequestQueue queue({.most = 2, .wait = absl::Seconds(600)});
  queue.Add({{.id = 0}});
  queue.Flush();
  EXPECT_THAT(Ids(queue.Take()), testing::ElementsAre(0));
  // The next series of requests is waited for again.
  queue.Add({{.id = 1}});
  std::thread later([&] { queue.Add({{.id = 2}}); });
  EXPECT_THAT(Ids(queue.Take()), testing::ElementsAre(1, 2));
  later.join();
}

TEST(RequestQueue, GivesEachRequestToOneWorker) {
  RequestQueue queue({.most = 3, .wait = absl::Microseconds(50)});
  std::vector<std::vector<int64_t>> taken(4);
  std::vector<std::thread> workers;
  for (std::vector<int64_t>& mine : taken) {
    workers.emplace_back([&queue, &mine] {
      for (auto batch = queue.Take(); !batch.empty(); batch = queue.Take())
        for (const Request& request : batch) mine.push_back(request.id);
    });
  }
  for (int64_t id = 0; id < 1000; ++id) queue.Add({{.id = id}});
  queue.Close();
  for (std::thread& worker : workers) worker.join();
  std::vector<int64_t> all;
  for (const std::vector<int64_t>& mine : taken) all.insert(all.end(), mine.begin(), mine.end());
  std::sort(all.begin(), all.end());
  ASSERT_EQ(all.size(), 1000u);
  for (int64_t id = 0; id < 1000; ++id) EXPECT_EQ(all[static_cast<size_t>(id)], id);
}

}  // namespace
}  // namespace assay::load

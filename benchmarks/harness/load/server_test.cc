#include "benchmarks/harness/load/server.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <functional>
#include <set>
#include <thread>

namespace assay::load {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;

// Sends all requests at once.
class AllAtOnce final : public LoadGenerator {
 public:
  explicit AllAtOnce(int64_t count) : count_(count) {}
  std::string Name() const override { return "all at once"; }
  absl::StatusOr<LoadResult> Run(Service& service) override {
    std::vector<Request> requests;
    for (int64_t id = 0; id < count_; ++id) requests.push_back({.id = id});
    service.Submit(requests);
    service.Flush();
    absl::MutexLock lock(&mutex);
    const auto done = [this] { return completed == count_; };
    mutex.Await(absl::Condition(&done));
    return LoadResult();
  }
  void Complete(absl::Span<const int64_t> ids, bool was_answered) override {
    absl::MutexLock lock(&mutex);
    completed += static_cast<int64_t>(ids.size());
    if (was_answered) answered.insert(ids.begin(), ids.end());
  }
  void Stop() override { stopped = true; }

  absl::Mutex mutex;
  int64_t completed = 0;
  std::multiset<int64_t> answered;
  std::atomic<bool> stopped = false;

 private:
  const int64_t count_;
};

using Answers = std::function<absl::StatusOr<std::vector<int64_t>>(std::vector<int64_t> ids)>;

class Worker final : public BatchWorker {
 public:
  explicit Worker(Answers answers, absl::Status prepared = absl::OkStatus())
      : answers_(std::move(answers)), prepared_(std::move(prepared)) {}
  absl::Status Prepare() override { return prepared_; }
  absl::Status Answer(absl::Span<const Request> batch, std::vector<int64_t>& answered) override {
    EXPECT_TRUE(answered.empty());
    std::vector<int64_t> ids;
    for (const Request& request : batch) ids.push_back(request.id);
    absl::StatusOr<std::vector<int64_t>> answers = answers_(ids);
    if (answers.ok()) answered = *std::move(answers);
    return answers.status();
  }
  absl::Status Check() override { return absl::OkStatus(); }

 private:
  const Answers answers_;
  const absl::Status prepared_;
};

struct Served {
  ServiceReport report;
  std::multiset<int64_t> answered;
  bool stopped = false;
};

Served Serve(int64_t requests, const Answers& answers, int workers = 1, int64_t most = 2,
             AnsweredIn answered_in = AnsweredIn::kThreads) {
  AllAtOnce generator(requests);
  std::vector<std::unique_ptr<BatchWorker>> all;
  for (int i = 0; i < workers; ++i) all.push_back(std::make_unique<Worker>(answers));
  BatchServer server({.most = most}, std::move(all), generator, answered_in);
  EXPECT_TRUE(server.Start().ok());
  EXPECT_TRUE(generator.Run(server).ok());
  return {server.Finish(), generator.answered, generator.stopped};
}

TEST(BatchServer, AnswersEachRequestOnce) {
  const Served served = Serve(
      101, [](auto ids) { return ids; }, 3);
  EXPECT_EQ(served.answered.size(), 101u);
  EXPECT_EQ(std::set<int64_t>(served.answered.begin(), served.answered.end()).size(), 101u);
  EXPECT_THAT(served.report.lost, IsEmpty());
  EXPECT_THAT(served.report.doubled, IsEmpty());
  EXPECT_TRUE(served.report.failed.ok());
  EXPECT_FALSE(served.stopped);
  EXPECT_EQ(served.report.batches[0] + 2 * served.report.batches[1], 101);
}

TEST(BatchServer, NamesARequestThatGotNoReply) {
  const Served served = Serve(5, [](std::vector<int64_t> ids) {
    if (ids.front() == 2) ids.erase(ids.begin());
    return ids;
  });
  EXPECT_THAT(served.report.lost, ElementsAre(2));
  EXPECT_THAT(served.answered, ElementsAre(0, 1, 3, 4));
}

TEST(BatchServer, NamesARequestThatGotTwoReplies) {
  const Served served = Serve(4, [](std::vector<int64_t> ids) {
    if (ids.front() == 2) ids.push_back(3);
    return ids;
  });
  EXPECT_THAT(served.report.doubled, ElementsAre(3));
  EXPECT_THAT(served.report.lost, IsEmpty());
  EXPECT_THAT(served.answered, ElementsAre(0, 1, 2, 3));
}

TEST(BatchServer, EndsWhereAWorkerFails) {
  const Served served =
      Serve(100, [](std::vector<int64_t> ids) -> absl::StatusOr<std::vector<int64_t>> {
        if (ids.front() >= 4) return absl::InternalError("no more");
        return ids;
      });
  EXPECT_THAT(served.report.failed.message(), HasSubstr("no more"));
  EXPECT_TRUE(served.stopped);
  EXPECT_THAT(served.answered, ElementsAre(0, 1, 2, 3));
  // The requests behind it were never begun: they are not lost.
  EXPECT_THAT(served.report.lost, ElementsAre(4, 5));
}

TEST(BatchServer, AnswersInTheSubmissionWhereItShould) {
  std::set<std::thread::id> threads;
  const Served served = Serve(
      5,
      [&](std::vector<int64_t> ids) {
        threads.insert(std::this_thread::get_id());
        return ids;
      },
      1, 2, AnsweredIn::kSubmission);
  EXPECT_THAT(threads, ElementsAre(std::this_thread::get_id()));
  EXPECT_EQ(served.answered.size(), 5u);
  EXPECT_THAT(served.report.batches, ElementsAre(1, 2));
  EXPECT_THAT(served.report.lost, IsEmpty());
}

TEST(BatchServer, DoesNotStartWithAWorkerThatCannot) {
  AllAtOnce generator(1);
  std::vector<std::unique_ptr<BatchWorker>> workers;
  workers.push_back(
      std::make_unique<Worker>([](auto ids) { return ids; }, absl::InternalError("cold")));
  BatchServer server({.most = 1}, std::move(workers), generator);
  EXPECT_THAT(server.Start().message(), HasSubstr("cold"));
}

TEST(BatchServer, NamesWhatIsInFlight) {
  AllAtOnce generator(2);
  std::string text;
  BatchServer* running = nullptr;
  std::vector<std::unique_ptr<BatchWorker>> workers;
  workers.push_back(std::make_unique<Worker>([&](auto ids) {
    text = running->Unanswered().text;
    return ids;
  }));
  BatchServer server({.most = 2}, std::move(workers), generator);
  running = &server;
  ASSERT_TRUE(server.Start().ok());
  ASSERT_TRUE(generator.Run(server).ok());
  server.Finish();
  EXPECT_THAT(text, testing::StartsWith("worker 0: requests 0, 1 for "));
  EXPECT_EQ(server.Unanswered().text, "");
}

}  // namespace
}  // namespace assay::load

// Serves a small mlp with a generator that sends everything at once, and by mistaken workers.
#include "benchmarks/harness/runner/serving/serve_case.h"

#include <ATen/ops/argmax.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <memory>
#include <sstream>
#include <string>
#include <vector>

#include "absl/synchronization/mutex.h"
#include "absl/synchronization/notification.h"
#include "absl/time/clock.h"
#include "benchmarks/harness/execution/eager_backend.h"
#include "benchmarks/harness/programs/program_decorator.h"
#include "benchmarks/harness/programs/seeded_program.h"
#include "benchmarks/harness/runner/serving/small_decoder.h"
#include "benchmarks/harness/runner/verdict/run_status.h"
#include "benchmarks/harness/runner/verdict/small_mlp.h"

namespace assay::runner {
namespace {

using testing::HasSubstr;

// Sends 40 requests at once; every request is its own query.
class Burst final : public load::LoadGenerator {
 public:
  std::string Name() const override { return "burst"; }
  absl::StatusOr<load::LoadResult> Run(const load::Load& load, load::Service& service) override {
    constexpr int64_t kRequests = 40;
    const int64_t now = absl::ToUnixNanos(absl::Now());
    std::vector<load::Request> requests;
    {
      absl::MutexLock lock(&mutex_);
      completed_ = 0;
      times_.clear();
      for (int64_t id = 0; id < kRequests; ++id) {
        requests.push_back({.id = id, .sample = id % load.samples});
        times_.push_back({.id = id, .query = id, .intended = now, .sent = now});
      }
    }
    service.Submit(requests);
    service.Flush();
    absl::MutexLock lock(&mutex_);
    const auto done = [this]()
                          ABSL_SHARED_LOCKS_REQUIRED(mutex_) { return completed_ == kRequests; };
    mutex_.Await(absl::Condition(&done));
    load::LoadResult result;
    for (const load::RequestTimes& times : times_)
      if (times.done > 0) result.requests.push_back(times);
    result.report = {.valid = true, .queries = static_cast<int64_t>(result.requests.size())};
    return result;
  }
  void Complete(absl::Span<const int64_t> ids, bool answered) override {
    absl::MutexLock lock(&mutex_);
    completed_ += static_cast<int64_t>(ids.size());
    for (const int64_t id : ids)
      if (answered) times_[static_cast<size_t>(id)].done = absl::ToUnixNanos(absl::Now());
  }
  void Stop() override {}

 private:
  absl::Mutex mutex_;
  int64_t completed_ ABSL_GUARDED_BY(mutex_) = 0;
  std::vector<load::RequestTimes> times_ ABSL_GUARDED_BY(mutex_);
};

[[maybe_unused]] const bool kBurst = load::RegisterGenerator(std::make_unique<Burst>());

// Gives what a function makes of the right output.
class Otherwise final : public execution::ProgramDecorator {
 public:
  using Change = std::function<at::Tensor(const at::Tensor&)>;
  Otherwise(execution::Program& inner, Change change)
      : ProgramDecorator(inner), change_(std::move(change)) {}
  bool changes() const { return change_ != nullptr; }
  execution::Tensors Outputs(execution::TensorsRef inputs) override {
    return {change_(inner().Outputs(inputs)[0])};
  }

 private:
  const Change change_;
};

class ServeCaseTest : public testing::Test {
 protected:
  ServeCaseTest() {
    for (const char* size : {"batch", "5"})
      case_.mutable_implementation()->mutable_inputs(0)->add_shape(size);
    for (const char* size : {"batch", "3"})
      case_.mutable_implementation()->mutable_outputs(0)->add_shape(size);
    program_ = *execution::SeededProgram(case_, case_.measured());
    settings_.scenario = load::Scenario::kOffline;
    settings_.max_batch = 4;
  }

  absl::Status Serve(const std::string& mistake = "", Otherwise::Change change = {}) {
    Otherwise other(*program_, std::move(change));
    execution::Program& program =
        other.changes() ? static_cast<execution::Program&>(other) : *program_;
    const auto executable = execution::LoadEager(case_.benchmark_case().execution(), program);
    const execution::BackendRequest request = {.c = case_, .device = at::kCPU};
    served_.clear();
    return ServeCase({.c = case_,
                      .settings = settings_,
                      .request = request,
                      .executable = *executable,
                      .threads = 1,
                      .memory_bytes = int64_t{1} << 30,
                      .hung_after = hung_after_,
                      .mistake = mistake,
                      .interrupted = interrupted_,
                      .out = out_,
                      .doing = [](const std::string&) {},
                      .hung = [this](const std::string& why) { hung_(why); },
                      .done = [this](const Served& served) { served_.push_back(served); }});
  }

  absl::Duration hung_after_ = absl::Hours(1);
  std::function<void(const std::string&)> hung_ = [](const std::string&) {};
  ResolvedCase case_ = SmallMlpCase();
  ServingSettings settings_;
  std::unique_ptr<execution::Program> program_;
  std::atomic<bool> interrupted_ = false;
  std::ostringstream out_;
  std::vector<Served> served_;
};

TEST_F(ServeCaseTest, FindsEveryReplyRight) {
  settings_.workers = 3;
  const absl::Status served = Serve();
  ASSERT_TRUE(served.ok()) << served;
  ASSERT_EQ(served_.size(), 1u);
  EXPECT_EQ(served_[0].requests(), 40);
  EXPECT_EQ(served_[0].equal_replies() + served_[0].close_replies(), 40);
  EXPECT_EQ(served_[0].wrong_replies(), 0);
  EXPECT_EQ(served_[0].samples(), 32);
  int64_t batched = 0;
  for (int i = 0; i < served_[0].batches_size(); ++i) batched += (i + 1) * served_[0].batches(i);
  EXPECT_EQ(batched, 40);
}

struct MistakeRow {
  const char* name;
  const char* says;
};

class ServingMistakes : public ServeCaseTest, public testing::WithParamInterface<MistakeRow> {};

TEST_P(ServingMistakes, AreFound) {
  const absl::Status served = Serve(GetParam().name);
  EXPECT_EQ(OutcomeOf(served), FAIL_ACCURACY);
  EXPECT_THAT(served.message(), HasSubstr(GetParam().says));
}

INSTANTIATE_TEST_SUITE_P(
    OfWorkers, ServingMistakes,
    testing::Values(MistakeRow{"swapped_replies",
                               "wrong: the reply to request 0, sample 0, is not"},
                    MistakeRow{"cached_reply", "8 wrong: the reply to request 4, sample 4, is not"},
                    MistakeRow{"truncated_reply", "10 wrong: the reply to request 0"},
                    MistakeRow{"dropped_reply", "10 requests got no reply, the first is number 3"},
                    MistakeRow{"doubled_reply", "10 requests got more than one reply"}));

TEST_F(ServeCaseTest, FlagsSamplesThatCannotBeToldApart) {
  const absl::Status served = Serve("", [](const at::Tensor& output) { return output.mul(0); });
  ASSERT_TRUE(served.ok()) << served;
  ASSERT_GT(served_[0].checks_size(), 0);
  EXPECT_THAT(served_[0].DebugString(), HasSubstr("496 of 496 pairs of samples give the same"));
}

TEST_F(ServeCaseTest, SaysThatAWorkerFailed) {
  int calls = 0;
  const absl::Status served = Serve("", [&calls](const at::Tensor& output) {
    TORCH_CHECK(++calls < 40, "out of order");
    return output;
  });
  EXPECT_THAT(served.message(), HasSubstr("a worker could not answer requests "));
  EXPECT_THAT(served.message(), HasSubstr("out of order"));
}

TEST_F(ServeCaseTest, NamesTheRequestsOfAWorkerThatHangs) {
  absl::Notification told;
  std::string said;
  hung_after_ = absl::Milliseconds(50);
  hung_ = [&](const std::string& why) {
    if (told.HasBeenNotified()) return;
    said = why;
    told.Notify();
  };
  int calls = 0;
  const absl::Status served = Serve("", [&](const at::Tensor& output) {
    if (++calls == 40) told.WaitForNotification();
    return output;
  });
  EXPECT_TRUE(served.ok()) << served;
  EXPECT_THAT(said, testing::StartsWith("no answer: worker 0: requests "));
}

TEST_F(ServeCaseTest, KeepsWhatWasServedWhenItIsInterrupted) {
  int calls = 0;
  const absl::Status served = Serve("", [&](const at::Tensor& output) {
    // Two batches behind the samples alone, a probe of ten batches, and two warm-ups; the watch looks ten
    // times a second.
    if (++calls == 32 + 2 + 10 + 2 + 2) {
      interrupted_ = true;
      absl::SleepFor(absl::Milliseconds(500));
    }
    return output;
  });
  EXPECT_EQ(OutcomeOf(served), INTERRUPTED);
  ASSERT_EQ(served_.size(), 1u);
  EXPECT_LT(served_[0].requests(), 40);
  EXPECT_THAT(served_[0].DebugString(), HasSubstr("interrupted: the run is only a part"));
}

TEST_F(ServeCaseTest, RefusesMoreSamplesThanMemoryHolds) {
  settings_.samples = int64_t{1} << 40;
  settings_.samples_given = true;
  EXPECT_TRUE(IsUsageError(Serve()));
}

TEST_F(ServeCaseTest, MissesABoundThatNoCallMeets) {
  settings_.scenario = load::Scenario::kServer;
  settings_.rates = {10};
  settings_.bound = {.bound = absl::Nanoseconds(1), .share = 0.99};
  const absl::Status served = Serve();
  EXPECT_EQ(OutcomeOf(served), FAIL_LATENCY);
  EXPECT_THAT(served.message(), HasSubstr("every reply is right, but 0 % of the queries kept"));
  settings_.rates.clear();
  settings_.find_peak = true;
  EXPECT_THAT(Serve().message(), HasSubstr("no rate keeps the bound: a sample alone takes"));
}

class ServedDecoder : public testing::Test {
 protected:
  absl::Status Serve(const std::string& mistake = "") {
    settings_.scenario = load::Scenario::kOffline;
    settings_.max_batch = 4;
    const auto executable =
        execution::LoadEager(decoder_.c().benchmark_case().execution(), decoder_.program());
    const execution::BackendRequest request = {.c = decoder_.c(), .device = at::kCPU};
    served_.clear();
    return ServeCase({.c = decoder_.c(),
                      .settings = settings_,
                      .request = request,
                      .executable = *executable,
                      .threads = 1,
                      .mistake = mistake,
                      .interrupted = interrupted_,
                      .out = out_,
                      .doing = [](const std::string&) {},
                      .hung = [](const std::string&) {},
                      .done = [this](const Served& served) { served_.push_back(served); }});
  }

  SmallDecoder decoder_;
  ServingSettings settings_;
  std::atomic<bool> interrupted_ = false;
  std::ostringstream out_;
  std::vector<Served> served_;
};

TEST_F(ServedDecoder, GivesEachPromptTheTokensThatItHasAlone) {
  const absl::Status status = Serve();
  ASSERT_TRUE(status.ok()) << status;
  const Served& served = served_[0];
  EXPECT_EQ(served.equal_replies() + served.close_replies(), 40);
  EXPECT_GE(served.tokens(), 80);
  EXPECT_LE(served.tokens(), 320);
  ASSERT_EQ(served.batches_size(), 4) << "steps of up to four requests";
  EXPECT_GT(served.batches(3), 0);
  int64_t stepped = 0;
  for (int i = 0; i < served.batches_size(); ++i) stepped += (i + 1) * served.batches(i);
  EXPECT_EQ(stepped, served.tokens() - 40) << "the first token of each is its prefill's";
  EXPECT_GT(served.first_token_size(), 0);
}

TEST_F(ServedDecoder, CountsGoodput) {
  settings_.first_token_bound = absl::Hours(1);
  ASSERT_TRUE(Serve().ok());
  EXPECT_DOUBLE_EQ(served_[0].goodput(), served_[0].queries_per_s());
  settings_.per_token_bound = absl::Nanoseconds(1);
  ASSERT_TRUE(Serve().ok());
  EXPECT_LT(served_[0].goodput(), served_[0].queries_per_s());
}

TEST_F(ServedDecoder, RefusesWhatItCannotServe) {
  settings_.workers = 2;
  EXPECT_TRUE(IsUsageError(Serve()));
  settings_.workers = 1;
  decoder_.c().mutable_implementation()->add_inputs();
  EXPECT_THAT(Serve().message(), HasSubstr("stand at one position"));
}

class DecoderMistakes : public ServedDecoder, public testing::WithParamInterface<MistakeRow> {};

TEST_P(DecoderMistakes, AreFound) {
  const absl::Status served = Serve(GetParam().name);
  EXPECT_EQ(OutcomeOf(served), FAIL_ACCURACY);
  EXPECT_THAT(served.message(), HasSubstr(GetParam().says));
}

INSTANTIATE_TEST_SUITE_P(
    OfTheServer, DecoderMistakes,
    testing::Values(MistakeRow{"swapped_replies", " wrong: the reply to request "},
                    MistakeRow{"cached_reply", " wrong: the reply to request "},
                    MistakeRow{"old_cache", " wrong: the reply to request "},
                    MistakeRow{"truncated_reply", "40 wrong: the reply to request 0"},
                    MistakeRow{"dropped_reply", "40 requests got no reply"},
                    MistakeRow{"doubled_reply", "40 requests got more than one reply"}));

TEST_F(ServeCaseTest, RefusesAnOutputWithoutRows) {
  case_.mutable_verified()->mutable_outputs(0)->set_batched(false);
  *case_.mutable_measured() = case_.verified();
  case_.mutable_implementation()->mutable_outputs(0)->clear_shape();
  case_.mutable_implementation()->mutable_outputs(0)->add_shape("3");
  const absl::Status served = Serve();
  EXPECT_TRUE(IsUsageError(served)) << served;
}

}  // namespace
}  // namespace assay::runner

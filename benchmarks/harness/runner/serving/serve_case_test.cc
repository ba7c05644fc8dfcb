// Serves a small mlp with a generator that sends everything at once, and by mistaken workers.
#include <ATen/ops/argmax.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <functional>
#include <map>
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
#include "benchmarks/harness/runner/serving/decoder_server.h"
#include "benchmarks/harness/runner/serving/served_case.h"
#include "benchmarks/harness/runner/serving/small_decoder.h"
#include "benchmarks/harness/runner/verdict/run_status.h"
#include "benchmarks/harness/runner/verdict/small_mlp.h"

namespace assay::runner {
namespace {

using testing::HasSubstr;
using testing::Not;

// Sends 40 requests at once; every request is its own query.
class Burst final : public load::LoadGenerator {
 public:
  // How long each query of a run at this rate takes, in the place of its time by the clock.
  using Latency = std::function<absl::Duration(double qps)>;

  explicit Burst(const load::Load& load, Latency latency = {}) : load_(load), latency_(latency) {}

  std::string Name() const override { return "burst"; }
  absl::StatusOr<load::LoadResult> Run(load::Service& service) override {
    constexpr int64_t kRequests = 40;
    const int64_t now = absl::ToUnixNanos(absl::Now());
    std::vector<load::Request> requests;
    {
      absl::MutexLock lock(&mutex_);
      for (int64_t id = 0; id < kRequests; ++id) {
        requests.push_back({.id = id, .sample = id % load_.samples});
        times_.push_back({.id = id, .query = id, .intended = now, .sent = now});
      }
    }
    service.Submit(requests);
    service.Flush();
    absl::MutexLock lock(&mutex_);
    const auto done = [this]()
                          ABSL_SHARED_LOCKS_REQUIRED(mutex_) { return completed_ == kRequests; };
    mutex_.Await(absl::Condition(&done));
    if (latency_) {
      const int64_t each = absl::ToInt64Nanoseconds(latency_(load_.qps));
      for (load::RequestTimes& times : times_) {
        times.intended = times.sent = static_cast<int64_t>(1e9 * times.id / load_.qps);
        times.done = times.intended + each;
      }
    }
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
  const load::Load load_;
  const Latency latency_;
  absl::Mutex mutex_;
  int64_t completed_ ABSL_GUARDED_BY(mutex_) = 0;
  std::vector<load::RequestTimes> times_ ABSL_GUARDED_BY(mutex_);
};

std::unique_ptr<load::LoadGenerator> NewBurst(const load::Load& load) {
  return std::make_unique<Burst>(load);
}

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
    settings_.load.scenario = load::Scenario::kOffline;
    settings_.max_batch = 4;
  }

  absl::Status Serve(const std::string& mistake = "", Otherwise::Change change = {}) {
    Otherwise other(*program_, std::move(change));
    execution::Program& program =
        other.changes() ? static_cast<execution::Program&>(other) : *program_;
    const auto executable = execution::LoadEager(case_.benchmark_case().execution(), program);
    const execution::BackendRequest request = {.c = case_, .device = at::kCPU};
    served_.clear();
    return ServeCase(
        {.c = case_,
         .settings = settings_,
         .request = request,
         .executable = *executable,
         .threads = 1,
         .memory_bytes = int64_t{1} << 30,
         .hung_after = hung_after_,
         .stops_within = absl::Milliseconds(50),
         .mistake = mistake,
         .interrupted = interrupted_,
         .out = out_,
         .doing = [](const std::string&) {},
         .give_up = [this](Outcome outcome, const std::string& why) { give_up_(outcome, why); },
         .done = [this](const Served& served) { served_.push_back(served); }},
        loadgen_);
  }

  GeneratorOf loadgen_ = NewBurst;

  absl::Duration hung_after_ = absl::Hours(1);
  std::function<void(Outcome, const std::string&)> give_up_ = [](Outcome, const std::string&) {};
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
  give_up_ = [&](Outcome outcome, const std::string& why) {
    if (told.HasBeenNotified()) return;
    EXPECT_EQ(outcome, TIMEOUT);
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

// Sends nothing, or nothing more after an empty query.
class Stuck final : public load::LoadGenerator {
 public:
  Stuck(bool begins, std::function<void()> waits) : begins_(begins), waits_(std::move(waits)) {}
  std::string Name() const override { return "stuck"; }
  absl::StatusOr<load::LoadResult> Run(load::Service& service) override {
    if (begins_) service.Submit({});
    waits_();
    return load::LoadResult();
  }
  void Complete(absl::Span<const int64_t>, bool) override {}
  void Stop() override {}

 private:
  const bool begins_;
  const std::function<void()> waits_;
};

TEST_F(ServeCaseTest, GivesUpAGeneratorThatDoesNotStop) {
  for (const bool begins : {false, true}) {
    absl::Notification told;
    give_up_ = [&](Outcome outcome, const std::string& why) {
      if (told.HasBeenNotified()) return;
      EXPECT_EQ(outcome, INTERRUPTED);
      EXPECT_THAT(why, HasSubstr(begins ? "did not stop" : "before a request"));
      told.Notify();
    };
    loadgen_ = [&](const load::Load&) {
      return std::make_unique<Stuck>(begins, [&] {
        interrupted_ = true;
        told.WaitForNotification();
      });
    };
    interrupted_ = false;
    EXPECT_EQ(OutcomeOf(Serve()), INTERRUPTED);
  }
}

TEST_F(ServeCaseTest, EndsBeforeTheLastSampleWhenItIsInterrupted) {
  int calls = 0;
  const absl::Status served = Serve("", [&](const at::Tensor& output) {
    interrupted_ = ++calls == 3;
    return output;
  });
  EXPECT_EQ(OutcomeOf(served), INTERRUPTED);
  EXPECT_EQ(calls, 3);
}

TEST_F(ServeCaseTest, TakesAsManySamplesAsABatchHas) {
  settings_.samples = 4;
  const absl::Status served = Serve();
  ASSERT_TRUE(served.ok()) << served;
  EXPECT_EQ(served_[0].samples(), 4);
  EXPECT_EQ(served_[0].equal_replies() + served_[0].close_replies(), 40);
}

TEST_F(ServeCaseTest, SaysThatAMistakeWasNeverMade) {
  settings_.max_batch = 1;
  EXPECT_THAT(Serve("swapped_replies").message(), HasSubstr("no request gave the opportunity"));
  EXPECT_TRUE(IsUsageError(Serve("old_cache")));
}

TEST_F(ServeCaseTest, SendsByItselfWhatLoadGenCannot) {
  settings_.load.scenario = load::Scenario::kServer;
  settings_.load.concurrency = 3;
  settings_.load.duration = absl::Milliseconds(50);
  ASSERT_TRUE(Serve().ok());
  EXPECT_EQ(served_[0].generator(), "closed loop of 3");
  EXPECT_GT(served_[0].requests(), 3);
  settings_.load.concurrency = 0;
  settings_.load.burstiness = 0.5;
  settings_.rates = {400};
  ASSERT_TRUE(Serve().ok());
  EXPECT_EQ(served_[0].wrong_replies(), 0);
  EXPECT_GT(served_[0].requests(), 3);
  settings_.load.burstiness = 0;
  settings_.rates.clear();
  settings_.load.arrivals = {{.at = absl::ZeroDuration()}, {.at = absl::Milliseconds(5)}};
  ASSERT_TRUE(Serve().ok());
  EXPECT_EQ(served_[0].requests(), 2);
  EXPECT_THAT(served_[0].DebugString(), Not(HasSubstr("lengths_unused")));
  settings_.load.arrivals[1].prompt_tokens = 120;
  ASSERT_TRUE(Serve().ok());
  EXPECT_THAT(served_[0].DebugString(), HasSubstr("1 arrival has an input_length"));
}

TEST_F(ServeCaseTest, SaysThatNoRequestArrived) {
  settings_.load.scenario = load::Scenario::kServer;
  settings_.load.burstiness = 0.5;
  settings_.rates = {1e-6};
  settings_.load.duration = absl::Milliseconds(1);
  const absl::Status served = Serve();
  EXPECT_TRUE(IsUsageError(served)) << served;
  EXPECT_THAT(served.message(), HasSubstr("no request arrived within --duration"));
}

TEST_F(ServeCaseTest, RefusesMoreSamplesThanMemoryHolds) {
  settings_.samples = int64_t{1} << 40;
  EXPECT_TRUE(IsUsageError(Serve()));
  settings_.samples = 0;
  settings_.max_batch = int64_t{1} << 40;
  EXPECT_THAT(Serve().message(), HasSubstr("--max-batch=1099511627776: so many take"));
}

TEST_F(ServeCaseTest, MissesABoundThatNoCallMeets) {
  settings_.load.scenario = load::Scenario::kServer;
  settings_.rates = {10};
  settings_.load.bound = {.bound = absl::Nanoseconds(1), .share = 0.99};
  const absl::Status served = Serve();
  EXPECT_EQ(OutcomeOf(served), FAIL_LATENCY);
  EXPECT_THAT(served.message(),
              testing::AllOf(HasSubstr("every reply is right, but 0 % of the queries kept"),
                             HasSubstr("a sample alone takes")));
  settings_.rates.clear();
  settings_.find_peak = true;
  EXPECT_THAT(Serve().message(),
              testing::StartsWith("no rate keeps the bound: a sample alone takes"));
}

// A machine that can take 100 queries a second, and is disturbed in its first run at such a rate.
TEST_F(ServeCaseTest, TriesARateOfThePeaksSearchAgain) {
  settings_.load.scenario = load::Scenario::kServer;
  settings_.find_peak = true;
  settings_.load.bound = {.bound = absl::Seconds(1), .share = 0.9};
  double disturbed = 0;
  const Burst::Latency latency = [&disturbed](double qps) {
    const bool first = qps <= 100 && disturbed == 0;
    if (first) disturbed = qps;
    return first || qps > 100 ? absl::Seconds(10) : absl::Milliseconds(1);
  };
  loadgen_ = [&](const load::Load& load) { return std::make_unique<Burst>(load, latency); };
  const absl::Status status = Serve();
  ASSERT_TRUE(status.ok()) << status;
  EXPECT_TRUE(served_.back().peak());
  const double peak = served_.back().asked_qps();
  EXPECT_GE(peak, disturbed) << "its second try kept the bound";
  EXPECT_GT(peak, 100 / 1.021);
  EXPECT_LE(peak, 100);
  served_.pop_back();
  std::map<double, int> tries;
  for (const Served& served : served_) ++tries[served.asked_qps()];
  for (const auto& [rate, times] : tries)
    EXPECT_EQ(times, rate > 100 || rate == disturbed ? 2 : 1) << rate;
}

// A model whose n-th prefill fails.
class BreaksAfter final : public models::Generator {
 public:
  BreaksAfter(models::Generator& inner, int prefills) : inner_(inner), left_(prefills) {}
  std::vector<at::Tensor> NewCache(at::ArrayRef<at::Tensor> inputs, int64_t capacity) override {
    return inner_.NewCache(inputs, capacity);
  }
  at::Tensor Prefill(at::ArrayRef<at::Tensor> inputs, at::ArrayRef<at::Tensor> cache) override {
    TORCH_CHECK(--left_ > 0, "out of order");
    return inner_.Prefill(inputs, cache);
  }
  at::Tensor Extend(const at::Tensor& tokens, const models::CachePlace& place,
                    at::ArrayRef<at::Tensor> cache) override {
    return inner_.Extend(tokens, place, cache);
  }

 private:
  models::Generator& inner_;
  int left_;
};

class ServedDecoder : public testing::Test {
 protected:
  explicit ServedDecoder(bool encoder = false) : decoder_(encoder) {}

  absl::Status Serve(const std::string& mistake = "") {
    settings_.load.scenario = load::Scenario::kOffline;
    settings_.max_batch = 4;
    served_.clear();
    ServedCase given = decoder_.given();
    given.memory_bytes = memory_bytes_;
    given.mistake = mistake;
    given.done = [this](const Served& served) { served_.push_back(served); };
    return ServeCase(given, NewBurst);
  }

  SmallDecoder decoder_;
  ServingSettings& settings_ = decoder_.settings;
  int64_t memory_bytes_ = 0;
  std::vector<Served> served_;
};

TEST_F(ServedDecoder, RefusesACacheThatMemoryDoesNotHold) {
  memory_bytes_ = 12000;
  EXPECT_THAT(Serve().message(), testing::AllOf(HasSubstr("--max-batch=4: so many take"),
                                                HasSubstr("; at most 2 fit")));
}

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

struct ServedWhisper : ServedDecoder {
  ServedWhisper() : ServedDecoder(/*encoder=*/true) {}
};

TEST_F(ServedWhisper, TakesWhatItsEncoderReadsAlong) {
  const absl::Status status = Serve();
  ASSERT_TRUE(status.ok()) << status;
  const Served& served = served_[0];
  EXPECT_EQ(served.equal_replies() + served.close_replies(), 40);
  ASSERT_EQ(served.batches_size(), 4) << "steps of up to four requests";
  EXPECT_EQ(OutcomeOf(Serve("old_cache")), FAIL_ACCURACY);
  EXPECT_EQ(OutcomeOf(Serve("swapped_replies")), FAIL_ACCURACY);
}

TEST_F(ServedDecoder, CountsGoodput) {
  settings_.first_token_bound = absl::Hours(1);
  ASSERT_TRUE(Serve().ok());
  EXPECT_DOUBLE_EQ(served_[0].goodput(), served_[0].queries_per_s());
  settings_.per_token_bound = absl::Nanoseconds(1);
  ASSERT_TRUE(Serve().ok());
  EXPECT_LT(served_[0].goodput(), served_[0].queries_per_s());
}

// A prefill that fails names its request, and the run ends.
TEST_F(ServedDecoder, NamesTheRequestsThatCouldNotJoin) {
  auto model = BreaksAfter(decoder_.generator(), 30);
  const ServedPrompts prompts = *ServedPrompts::Make(decoder_.given(), model, 16);
  Burst burst({.samples = 16});
  std::map<int64_t, DecoderReply> replies;
  ServedCase given = decoder_.given();
  given.max_batch = 4;
  DecoderServer server(given, prompts, model, burst, replies);
  ASSERT_TRUE(server.Start().ok());
  ASSERT_TRUE(burst.Run(server).ok());
  const load::ServiceReport report = server.Finish();
  EXPECT_THAT(report.failed.message(), HasSubstr("out of order"));
  EXPECT_FALSE(report.lost.empty());
  EXPECT_LT(replies.size(), 40u);
}

TEST_F(ServedDecoder, RefusesWhatItCannotServe) {
  settings_.workers = 2;
  EXPECT_TRUE(IsUsageError(Serve()));
  settings_.workers = 1;
  settings_.max_wait = absl::Milliseconds(1);
  EXPECT_THAT(Serve().message(), HasSubstr("joins the others as soon as a slot is free"));
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

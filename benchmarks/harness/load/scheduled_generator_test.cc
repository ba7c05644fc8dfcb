#include "benchmarks/harness/load/scheduled_generator.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <fstream>
#include <functional>

namespace assay::load {
namespace {

using testing::HasSubstr;

// Answers within the call.
class AtOnce final : public Service {
 public:
  AtOnce(ScheduledGenerator& generator, std::function<void(const Request&)> seen)
      : generator_(generator), seen_(std::move(seen)) {}
  void Submit(absl::Span<const Request> requests) override {
    for (const Request& request : requests) {
      seen_(request);
      generator_.Complete({request.id}, /*answered=*/true);
    }
  }
  void Flush() override {}

 private:
  ScheduledGenerator& generator_;
  const std::function<void(const Request&)> seen_;
};

TEST(ScheduledGenerator, SendsAtTheGivenTimes) {
  ScheduledGenerator generator({.arrivals = {{absl::ZeroDuration(), 4},
                                             {absl::Milliseconds(30), 2},
                                             {absl::Milliseconds(30), 3}},
                                .samples = 5});
  std::vector<int64_t> samples;
  AtOnce service(generator, [&](const Request& request) { samples.push_back(request.sample); });
  const absl::StatusOr<LoadResult> result = generator.Run(service);
  ASSERT_TRUE(result.ok());
  EXPECT_THAT(samples, testing::ElementsAre(4, 2, 3));
  ASSERT_EQ(result->requests.size(), 3u);
  EXPECT_EQ(result->requests[1].intended - result->requests[0].intended, 30'000'000);
  EXPECT_EQ(result->requests[2].intended, result->requests[1].intended);
  for (const RequestTimes& times : result->requests) {
    EXPECT_GE(times.sent, times.intended);
    EXPECT_GE(times.done, times.sent);
  }
  EXPECT_TRUE(result->report.valid);
}

TEST(ScheduledGenerator, EndsWhenItIsStopped) {
  ScheduledGenerator generator({.arrivals = {{absl::ZeroDuration(), 0}, {absl::Hours(1), 0}}});
  AtOnce service(generator, [&](const Request&) { generator.Stop(); });
  const absl::StatusOr<LoadResult> result = generator.Run(service);
  EXPECT_EQ(result->requests.size(), 1u);
  EXPECT_FALSE(result->report.valid);
}

TEST(ScheduledGenerator, HasAsManyRequestsAsAskedInAClosedLoop) {
  ScheduledGenerator generator(
      {.concurrency = 2, .duration = absl::Milliseconds(20), .samples = 3});
  std::vector<int64_t> open;
  int64_t most = 0;
  // Answers the first of two.
  class Holds final : public Service {
   public:
    Holds(ScheduledGenerator& generator, std::vector<int64_t>& open, int64_t& most)
        : generator_(generator), open_(open), most_(most) {}
    void Submit(absl::Span<const Request> requests) override {
      open_.push_back(requests[0].id);
      most_ = std::max(most_, static_cast<int64_t>(open_.size()));
      if (open_.size() < 2) return;
      generator_.Complete({open_.front()}, /*answered=*/true);
      open_.erase(open_.begin());
    }
    void Flush() override {
      for (const int64_t id : open_) generator_.Complete({id}, /*answered=*/false);
    }

   private:
    ScheduledGenerator& generator_;
    std::vector<int64_t>& open_;
    int64_t& most_;
  } service(generator, open, most);
  const absl::StatusOr<LoadResult> result = generator.Run(service);
  EXPECT_EQ(most, 2);
  EXPECT_GT(result->requests.size(), 2u);
}

TEST(GammaArrivals, HaveTheRateAndTheBursts) {
  for (const double shape : {0.25, 1.0, 4.0}) {
    const std::vector<Arrival> arrivals = GammaArrivals(
        {.qps = 100, .burstiness = shape, .duration = absl::Seconds(200), .samples = 7, .seed = 1});
    EXPECT_NEAR(static_cast<double>(arrivals.size()), 20000, 1200) << shape;
    double sum = 0, squares = 0;
    for (size_t i = 1; i < arrivals.size(); ++i) {
      const double gap = absl::ToDoubleSeconds(arrivals[i].at - arrivals[i - 1].at);
      sum += gap;
      squares += gap * gap;
      EXPECT_LT(arrivals[i].sample, 7);
    }
    const auto gaps = static_cast<double>(arrivals.size() - 1);
    const double mean = sum / gaps, deviation = std::sqrt(squares / gaps - mean * mean);
    EXPECT_NEAR(deviation / mean, 1 / std::sqrt(shape), 0.1) << shape;
  }
}

std::string Written(const char* text) {
  const std::string path = testing::TempDir() + "/arrivals.jsonl";
  std::ofstream(path) << text;
  return path;
}

TEST(ReadArrivals, ReadsLinesOfJson) {
  const auto arrivals =
      ReadArrivals(Written("{\"timestamp\": 0, \"hash_ids\": [1]}\n\n"
                           "{\"timestamp\": 250.5, \"input_length\": 120, "
                           "\"output_length\": 16}\n"));
  ASSERT_TRUE(arrivals.ok()) << arrivals.status();
  ASSERT_EQ(arrivals->size(), 2u);
  EXPECT_EQ((*arrivals)[0].prompt_tokens, 0);
  EXPECT_EQ((*arrivals)[1].at, absl::Microseconds(250500));
  EXPECT_EQ((*arrivals)[1].prompt_tokens, 120);
  EXPECT_EQ((*arrivals)[1].reply_tokens, 16);
}

TEST(ReadArrivals, NamesTheLineThatIsWrong) {
  const auto refusal = [](const char* text) {
    return std::string(ReadArrivals(Written(text)).status().message());
  };
  EXPECT_THAT(refusal("{\"timestamp\": 5}\n{\"timestamp\": 4}\n"),
              HasSubstr(":2: its timestamp is before that of the line before"));
  EXPECT_THAT(refusal("{\"timestamp\": 5}\nhello\n"), HasSubstr(":2: give an object as"));
  EXPECT_THAT(refusal("{\"timestamp\": \"now\"}\n"), HasSubstr(":1: timestamp, input_length"));
  EXPECT_THAT(refusal("{\"timestamp\": 1, \"input_length\": -3}\n"), HasSubstr("0 or more"));
  EXPECT_THAT(refusal("{\"timestamp\": 0}\n{\"timestamp\": 1764000000000}\n"),
              HasSubstr(":2: its timestamp is not within 7 days"));
  EXPECT_THAT(refusal(""), HasSubstr("it has no line"));
  EXPECT_THAT(ReadArrivals("/nowhere/at/all").status().message(), HasSubstr("cannot be opened"));
}

}  // namespace
}  // namespace assay::load

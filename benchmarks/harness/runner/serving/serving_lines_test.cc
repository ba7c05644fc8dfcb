#include "benchmarks/harness/runner/serving/serving_lines.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace assay::runner {
namespace {

using testing::HasSubstr;
using testing::Not;

Served RateAt(double asked, double answered, double median_ns) {
  Served served;
  served.set_scenario("server");
  served.set_generator("LoadGen 6.0.17");
  served.set_asked_qps(asked);
  served.set_queries_per_s(answered);
  served.set_requests_per_s(answered);
  served.set_queries(100);
  served.set_requests(100);
  served.set_duration_s(10);
  served.set_workers(1);
  served.set_max_batch(4);
  served.set_equal_replies(90);
  served.set_close_replies(10);
  served.add_batches(80);
  served.add_batches(10);
  served.set_valid(true);
  LatencyPercentile& p50 = *served.add_percentiles();
  p50.set_share(0.5);
  p50.set_ns(median_ns);
  return served;
}

TEST(ServingLines, SayWhatWasServed) {
  const std::string text = ServedLines(RateAt(20, 10, 31.2e6), 2);
  EXPECT_THAT(text, HasSubstr("server at 20 queries a second · 10 s · 100 queries, 10 a second · "
                              "1 worker of 2 threads, batches up to 4"));
  EXPECT_THAT(text, HasSubstr("p50 31.2 ms"));
  EXPECT_THAT(text, HasSubstr("100 right, 90 of them to the bit · batches of 1: 80, 2: 10"));
  EXPECT_THAT(text, HasSubstr("LoadGen 6.0.17: calls a run VALID by its --latency-bound"));
  EXPECT_THAT(text, Not(HasSubstr("WRONG")));
}

TEST(ServingLines, NameWhatIsWrong) {
  Served served = RateAt(20, 10, 1e6);
  served.set_wrong_replies(3);
  served.set_lost_replies(2);
  served.set_bound_ns(5e7);
  served.set_bound_share(0.99);
  served.set_within_bound(0.9);
  EXPECT_THAT(ServedLines(served, 1), HasSubstr("3 WRONG · 2 LOST"));
  EXPECT_THAT(ServedLines(served, 1), HasSubstr("LoadGen 6.0.17: VALID"));
  EXPECT_THAT(ServedLines(served, 1),
              HasSubstr("p99 MISSED · 90 % of the queries within 50 ms, 99 % must be"));
}

TEST(ServingLines, ShowACurveByItsRates) {
  EXPECT_EQ(CurveLines({RateAt(5, 5, 1e6)}), "");
  const std::string text =
      CurveLines({RateAt(40, 22, 50e6), RateAt(10, 10, 2e6), RateAt(20, 19, 3e6)});
  EXPECT_LT(text.find("\n     10"), text.find("\n     20"));
  EXPECT_LT(text.find("\n     20"), text.find("\n     40"));
  // 19 / 3 ms is more than 10 / 2 ms and 22 / 50 ms.
  EXPECT_THAT(text.substr(text.find("\n     20")), HasSubstr("knee"));
  std::string whole;
  for (int i = 0; i < 24; ++i) whole += "█";
  EXPECT_THAT(text.substr(text.find("\n     40")), HasSubstr(whole));
  EXPECT_THAT(text.substr(0, text.find("\n     40")), Not(HasSubstr(whole)));
}

}  // namespace
}  // namespace assay::runner

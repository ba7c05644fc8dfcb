#include "benchmarks/harness/runner/serving/served_checks.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>
#include <vector>

namespace assay::runner {
namespace {

using testing::HasSubstr;

constexpr int64_t kMs = 1'000'000;

// `queries` arrivals, 10 ms from one another, each answered after 5 ms.
load::LoadResult Steady(int64_t queries) {
  load::LoadResult result;
  for (int64_t i = 0; i < queries; ++i) {
    result.requests.push_back({.query = i,
                               .intended = 10 * kMs * i,
                               .sent = 10 * kMs * i,
                               .done = 10 * kMs * i + 5 * kMs});
  }
  result.report = {.valid = true, .queries = queries, .percentiles_ns = {{0.5, 5 * kMs}}};
  return result;
}

Served Checked(const load::LoadResult& result, absl::Duration bound = absl::InfiniteDuration()) {
  Served served;
  served.set_generator("LoadGen");
  AddTimes({.scenario = load::Scenario::kServer, .qps = 100, .bound = {.bound = bound}}, result,
           absl::Milliseconds(5), served);
  return served;
}

const Check* CheckNamed(const Served& served, std::string_view name) {
  for (const Check& check : served.checks())
    if (check.name() == name) return &check;
  return nullptr;
}

TEST(ServedChecks, OfASteadyRunAreAllGood) {
  const Served served = Checked(Steady(700));
  EXPECT_EQ(served.queries(), 700);
  EXPECT_DOUBLE_EQ(served.mean_ns(), 5 * kMs);
  EXPECT_NEAR(served.queries_per_s(), 100, 0.2);
  ASSERT_EQ(served.percentiles_size(), 3);  // p50, p90 and p99: p99.9 needs 6,636 queries
  EXPECT_DOUBLE_EQ(served.percentiles(2).ns(), 5 * kMs);
  for (const char* name : {"generator_late", "rate_reached", "generator_agrees"})
    EXPECT_EQ(CheckNamed(served, name)->status(), CHECK_OK) << name;
  EXPECT_THAT(CheckNamed(served, "enough_queries")->detail(), HasSubstr("p99.9 needs 6636"));
}

TEST(ServedChecks, FindAGeneratorThatIsLate) {
  load::LoadResult late = Steady(700);
  for (load::RequestTimes& request : late.requests) request.sent += kMs;
  const Served served = Checked(late);
  EXPECT_EQ(CheckNamed(served, "generator_late")->status(), CHECK_FLAGGED);
}

TEST(ServedChecks, FindWorkersThatDoNotKeepUp) {
  load::LoadResult slow = Steady(700);
  for (load::RequestTimes& request : slow.requests) request.done += request.intended;
  const Served served = Checked(slow);
  EXPECT_EQ(CheckNamed(served, "rate_reached")->status(), CHECK_FLAGGED);
  EXPECT_THAT(CheckNamed(served, "rate_reached")->detail(),
              HasSubstr("100 queries a second arrived and 50"));
}

TEST(ServedChecks, AskNoRateOfAClosedLoop) {
  Served served;
  AddTimes({.scenario = load::Scenario::kServer, .concurrency = 2}, Steady(700),
           absl::Milliseconds(5), served);
  EXPECT_EQ(CheckNamed(served, "rate_reached"), nullptr);
}

TEST(ServedChecks, FlagARateOfOneCall) {
  EXPECT_EQ(CheckNamed(Checked(Steady(1)), "rate_measured")->status(), CHECK_FLAGGED);
  EXPECT_EQ(CheckNamed(Checked(Steady(2)), "rate_measured"), nullptr);
  for (const int64_t requests : {8, 9}) {
    Served served;
    served.set_scenario("offline");
    served.set_workers(2);
    served.set_max_batch(4);
    AddTimes({.scenario = load::Scenario::kOffline}, Steady(requests), absl::Milliseconds(5),
             served);
    EXPECT_EQ(CheckNamed(served, "rate_measured") != nullptr, requests == 8);
  }
}

TEST(ServedChecks, FlagASingleSample) {
  Served served;
  AddAlike({.found = 0, .looked_at = 3}, served);
  EXPECT_EQ(served.checks_size(), 0);
  AddAlike({}, served);
  EXPECT_EQ(CheckNamed(served, "samples_differ")->status(), CHECK_FLAGGED);
}

TEST(ServedChecks, FindAGeneratorWhoseBooksDiffer) {
  load::LoadResult differs = Steady(700);
  differs.report.queries = 699;
  differs.report.percentiles_ns[0.5] = 6 * kMs;
  const Served served = Checked(differs);
  const Check& check = *CheckNamed(served, "generator_agrees");
  EXPECT_EQ(check.status(), CHECK_FLAGGED);
  EXPECT_THAT(check.detail(), HasSubstr("699 queries, here 700; p50 6 ms, here 5 ms"));
}

TEST(ServedChecks, CountWhatKeptTheBound) {
  load::LoadResult result = Steady(100);
  for (size_t i = 0; i < 3; ++i) result.requests[10 * i].done += 20 * kMs;
  const Served served = Checked(result, absl::Milliseconds(5));
  EXPECT_DOUBLE_EQ(served.within_bound(), 0.97);
  EXPECT_DOUBLE_EQ(served.bound_ns(), 5 * kMs);
}

}  // namespace
}  // namespace assay::runner

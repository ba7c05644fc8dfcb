#include "benchmarks/harness/record/majority.h"

#include <string>
#include <vector>

#include "absl/strings/str_cat.h"
#include "gtest/gtest.h"

namespace assay::record {
namespace {

Verdict Of(const std::vector<Outcome>& outcomes) {
  std::vector<Verdict> verdicts;
  for (const Outcome outcome : outcomes) {
    verdicts.emplace_back().set_outcome(outcome);
    verdicts.back().set_message(absl::StrCat("run ", verdicts.size()));
  }
  return MajorityOf(verdicts);
}

TEST(MajorityOf, PassesWhereMoreThanHalfDid) {
  const struct {
    std::vector<Outcome> outcomes;
    Outcome outcome;
    const char* message;
    int passed;
  } rows[] = {
      {{PASS}, PASS, "run 1", 1},
      {{FAIL_ACCURACY}, FAIL_ACCURACY, "run 1", 0},
      {{FAIL_ACCURACY, PASS, PASS}, PASS, "run 2", 2},
      {{PASS, FAIL_ACCURACY, FAIL_ACCURACY}, FAIL_ACCURACY, "run 2", 1},
      {{PASS, FAIL_ACCURACY}, FAIL_ACCURACY, "run 2", 1},
      {{PASS, PASS, FAIL_NONFINITE, FAIL_ACCURACY, FAIL_ACCURACY}, FAIL_ACCURACY, "run 4", 2},
      {{PASS, NONDETERMINISTIC_BASELINE, PASS}, PASS, "run 1", 2},
      {{PASS, PASS, CRASH}, CRASH, "run 3", 2},
      {{PASS, FAIL_SHAPE}, FAIL_SHAPE, "run 2", 1},
  };
  for (const auto& row : rows) {
    const Verdict verdict = Of(row.outcomes);
    const std::string what = testing::PrintToString(row.outcomes);
    EXPECT_EQ(verdict.outcome(), row.outcome) << what;
    EXPECT_EQ(verdict.message(), row.message) << what;
    EXPECT_EQ(verdict.runs(), static_cast<int>(row.outcomes.size())) << what;
    EXPECT_EQ(verdict.passed_runs(), row.passed) << what;
  }
}

}  // namespace
}  // namespace assay::record

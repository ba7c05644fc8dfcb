#include "benchmarks/harness/record/outcome.h"

#include <google/protobuf/descriptor.h>

#include <iterator>
#include <vector>

#include "defs/proto/record.pb.h"
#include "gtest/gtest.h"

namespace assay::record {
namespace {

std::vector<Outcome> AllOutcomes() {
  std::vector<Outcome> all;
  for (int i = Outcome_MIN; i <= Outcome_MAX; ++i) {
    if (Outcome_IsValid(i)) all.push_back(static_cast<Outcome>(i));
  }
  return all;
}

TEST(ExitCode, SaysWhoseFaultItWas) {
  const struct {
    Outcome outcome;
    int code;
  } cases[] = {
      {OUTCOME_UNSPECIFIED, 1},
      {PASS, 0},
      {FAIL_ACCURACY, 1},
      {FAIL_SHAPE, 1},
      {FAIL_DTYPE, 1},
      {FAIL_NONFINITE, 1},
      {NONDETERMINISTIC_BASELINE, 1},
      {FAIL_ARTIFACT, 2},
      {ARTIFACT_UNAVAILABLE, 2},
      {NO_DEVICE, 2},
      {DEVICE_LOST, 2},
      {OUT_OF_MEMORY, 2},
      {TIMEOUT, 2},
      {CRASH, 1},
      {SKIPPED_DECLARED, 0},
      {NOT_VERIFIED, 0},
      {INTERRUPTED, 2},
      {RECORD_FAILED, 2},
      {FAIL_LATENCY, 1},
  };
  EXPECT_EQ(std::size(cases), AllOutcomes().size()) << "a new outcome needs a row here";
  for (const auto& c : cases) EXPECT_EQ(ExitCode(c.outcome), c.code) << OutcomeName(c.outcome);
}

TEST(ExitCode, StandsBesideEachOutcome) {
  const auto& all = *Outcome_descriptor();
  for (int i = 0; i < all.value_count(); ++i)
    EXPECT_TRUE(all.value(i)->options().HasExtension(exit_code)) << all.value(i)->name();
}

TEST(ExitCode, NeverPassesAnOutcomeItDoesNotKnow) {
  EXPECT_NE(ExitCode(static_cast<Outcome>(1000)), 0);
}

TEST(OutcomeName, IsTheEnumsSpelling) { EXPECT_EQ(OutcomeName(FAIL_NONFINITE), "FAIL_NONFINITE"); }

}  // namespace
}  // namespace assay::record

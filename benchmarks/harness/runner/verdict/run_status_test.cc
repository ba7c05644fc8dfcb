#include "benchmarks/harness/runner/verdict/run_status.h"

#include "gtest/gtest.h"

namespace assay::runner {
namespace {

TEST(RunStatus, CarriesEveryOutcomeButPass) {
  for (int value = FAIL_ACCURACY; Outcome_IsValid(value); ++value) {
    const Outcome outcome = static_cast<Outcome>(value);
    const absl::Status status = Ended(outcome, "because");
    EXPECT_FALSE(status.ok());
    EXPECT_EQ(OutcomeOf(status), outcome);
    EXPECT_EQ(status.message(), "because");
    EXPECT_FALSE(IsUsageError(status));
  }
}

TEST(RunStatus, TellsUsageFromAnInvalidArgumentDeeperDown) {
  EXPECT_TRUE(IsUsageError(UsageError("--batch=0")));
  EXPECT_FALSE(IsUsageError(absl::InvalidArgumentError("a shape")));
  EXPECT_FALSE(IsUsageError(absl::OkStatus()));
}

TEST(RunStatus, ReadsOtherStatusesByTheirCode) {
  EXPECT_EQ(OutcomeOf(absl::OkStatus()), PASS);
  EXPECT_EQ(OutcomeOf(absl::ResourceExhaustedError("")), OUT_OF_MEMORY);
  EXPECT_EQ(OutcomeOf(absl::DataLossError("")), DEVICE_LOST);
  EXPECT_EQ(OutcomeOf(absl::UnavailableError("")), DEVICE_LOST);
  EXPECT_EQ(OutcomeOf(absl::CancelledError("")), INTERRUPTED);
  EXPECT_EQ(OutcomeOf(absl::InvalidArgumentError("")), CRASH);
}

}  // namespace
}  // namespace assay::runner

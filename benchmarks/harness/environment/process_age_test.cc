#include "benchmarks/harness/environment/process_age.h"

#include "absl/strings/str_cat.h"
#include "absl/time/clock.h"
#include "gtest/gtest.h"

namespace assay::environment {
namespace {

TEST(ProcessAge, IsTheTimeSinceTheKernelStartedIt) {
  const std::string rest = " 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16 17 18";  // fields 4 to 21
  const auto age =
      AgeFrom(absl::StrCat("42 (a b) R 1) S", rest, " 12345 0 0"), absl::Seconds(200), 100);
  ASSERT_TRUE(age.has_value());
  EXPECT_NEAR(absl::ToDoubleSeconds(*age), 200 - 123.455, 1e-9);
  EXPECT_FALSE(AgeFrom("42 (a) S 1 2", absl::Seconds(200), 100).has_value()) << "cut off";
  EXPECT_FALSE(
      AgeFrom(absl::StrCat("42 (a) S", rest, " x 0"), absl::Seconds(200), 100).has_value());
  EXPECT_FALSE(
      AgeFrom(absl::StrCat("42 (a) S", rest, " 30000 0"), absl::Seconds(200), 100).has_value())
      << "started later than now";
}

TEST(ProcessAge, GrowsWithTheProcess) {
  const auto before = ProcessAge();
  absl::SleepFor(absl::Milliseconds(30));
  const auto after = ProcessAge();
  ASSERT_TRUE(before.has_value() && after.has_value());
  EXPECT_GE(*after - *before, absl::Milliseconds(30));
  EXPECT_LT(*before, absl::Minutes(10)) << "the test itself takes less";
}

}  // namespace
}  // namespace assay::environment

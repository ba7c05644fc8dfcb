#include "benchmarks/harness/processes/watchdog.h"

#include "absl/synchronization/notification.h"
#include "absl/time/time.h"
#include "gtest/gtest.h"

namespace assay::processes {
namespace {

TEST(Watchdog, FiresOnceTheLimitHasPassed) {
  absl::Notification fired;
  const Watchdog watchdog(absl::Milliseconds(1), [&] { fired.Notify(); });
  fired.WaitForNotification();
}

TEST(Watchdog, IsSilentWhenItsSubjectEndsInTime) {
  bool fired = false;
  {
    const Watchdog watchdog(absl::Hours(1), [&] { fired = true; });
  }
  EXPECT_FALSE(fired);
}

TEST(Watchdog, NeverFiresWithoutALimit) {
  bool fired = false;
  {
    const Watchdog watchdog(absl::ZeroDuration(), [&] { fired = true; });
  }
  EXPECT_FALSE(fired);
}

}  // namespace
}  // namespace assay::processes

#include "benchmarks/operators/param/error_class.h"

#include "gtest/gtest.h"

namespace assay::param {
namespace {

TEST(ClassOf, AProcessThatTheKernelKilledForMemoryIsTheSurroundingsFault) {
  processes::LostItem lost;
  lost.end.ending = processes::Ending::kKilled;
  EXPECT_EQ(ClassOf(lost), "CRASH");
  EXPECT_EQ(ExitCodeOf(ClassOf(lost)), 1);
  lost.end.out_of_memory = true;
  EXPECT_EQ(ClassOf(lost), "OUT_OF_MEMORY");
  EXPECT_EQ(ExitCodeOf(ClassOf(lost)), 2);
  lost.timed_out = true;
  EXPECT_EQ(ClassOf(lost), "TIMEOUT");
  lost.end.ending = processes::Ending::kInterrupted;
  EXPECT_EQ(ClassOf(lost), "INTERRUPTED");
}

}  // namespace
}  // namespace assay::param

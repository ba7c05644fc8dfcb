#include "benchmarks/harness/runner/serving/thread_team.h"

#include <ATen/Parallel.h>
#include <ATen/ops/ones.h>
#include <gtest/gtest.h>

#include <filesystem>
#include <iterator>

#include "absl/time/clock.h"

namespace assay::runner {
namespace {

int64_t Threads() {
  return std::distance(std::filesystem::directory_iterator("/proc/self/task"),
                       std::filesystem::directory_iterator());
}

TEST(ReleaseThreadTeam, EndsTheThreadsOfTheLastRegion) {
  const int before = at::get_num_threads();
  at::set_num_threads(4);
  const at::Tensor input = at::ones({1 << 22});
  input.add(1);
  const int64_t with = Threads();
  ReleaseThreadTeam();
  const absl::Time until = absl::Now() + absl::Seconds(30);
  while (Threads() > with - 3 && absl::Now() < until) absl::SleepFor(absl::Milliseconds(1));
  EXPECT_EQ(Threads(), with - 3);
  input.add(1);
  EXPECT_EQ(Threads(), with);
  at::set_num_threads(before);
}

}  // namespace
}  // namespace assay::runner

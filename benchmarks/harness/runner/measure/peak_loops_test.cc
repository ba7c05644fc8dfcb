#include "benchmarks/harness/runner/measure/peak_loops.h"

#include <ATen/Parallel.h>
#include <ATen/ops/arange.h>

#include "gtest/gtest.h"

namespace assay::runner {
namespace {

TEST(FmaLoops, ComputeWhatTheyAreCountedFor) {
  for (const bool float64 : {false, true}) {
    const std::vector<FmaLoop> loops = FmaLoops(float64);
    ASSERT_FALSE(loops.empty());
    EXPECT_EQ(loops[0].operations, 2 * 12 * (float64 ? 2 : 4)) << loops[0].name;
    for (const FmaLoop& loop : loops) {
      const double lanes = loop.operations / 2;
      // 2 = 2 * 0.5 + 1, and the sums begin at 0, 1, ... 11.
      EXPECT_EQ(loop.of_thread(60), 2 * lanes) << loop.name;
      EXPECT_EQ(loop.of_thread(1), (5.5 / 2 + 1) * lanes) << loop.name;
      EXPECT_EQ(loop.Run(60), 2 * lanes * at::get_num_threads()) << loop.name;
    }
  }
}

TEST(SumOfWords, ReadsEachWordOnce) {
  for (const int64_t words : {1, 2, 3, 5, 8, 1023, 100'000})
    EXPECT_EQ(SumOfWords(at::arange(words)), words * (words - 1) / 2) << words;
}

}  // namespace
}  // namespace assay::runner

#include "tools/suite/launch/processes/batch_search.h"

#include <string>
#include <vector>

#include "gtest/gtest.h"

namespace assay::suite {
namespace {

using Words = std::vector<std::string>;

TEST(LargestBatch, IsFoundFromBelowAndFromAbove) {
  for (const int64_t most : {1, 2, 3, 7, 8, 100, 1000, 65536}) {
    for (const int64_t first : {1, 8, 4096}) {
      int tries = 0;
      const auto found = LargestBatch(first, [&](int64_t batch) -> absl::StatusOr<bool> {
        ++tries;
        return batch <= most;
      });
      ASSERT_TRUE(found.ok()) << found.status();
      EXPECT_LE(*found, most);
      EXPECT_GT(*found + std::max<int64_t>(1, *found / 16), most) << "first " << first;
      EXPECT_LE(tries, 30) << most << " from " << first;
    }
  }
}

TEST(LargestBatch, EndsAtWhatARunnerTakes) {
  const auto found = LargestBatch(3, [](int64_t) -> absl::StatusOr<bool> { return true; });
  EXPECT_EQ(*found, 1 << 20);
}

TEST(LargestBatch, SaysThatNoneFits) {
  const auto none = LargestBatch(8, [](int64_t) -> absl::StatusOr<bool> { return false; });
  EXPECT_TRUE(absl::IsNotFound(none.status()));
}

TEST(LargestBatch, EndsWithTheFirstErrorOfATry) {
  int tries = 0;
  const auto failed = LargestBatch(8, [&](int64_t) -> absl::StatusOr<bool> {
    ++tries;
    return absl::AbortedError("it fell");
  });
  EXPECT_TRUE(absl::IsAborted(failed.status()));
  EXPECT_EQ(tries, 1);
}

TEST(BatchFlags, TakeThePlaceOfTheSearch) {
  const Words flags = {"--threads=1", "--batch=search"};
  EXPECT_TRUE(AsksForBatchSearch(flags));
  EXPECT_FALSE(AsksForBatchSearch(Words{"--batch=8"}));
  EXPECT_EQ(WithBatch(flags, 8), (Words{"--threads=1", "--batch=8"}));
  EXPECT_EQ(TryFlags(flags, 8),
            (Words{"--threads=1", "--batch=8", "--verify=off", "--budget=0.01"}));
  EXPECT_EQ(TryFlags(Words{"--batch=search", "--action=smoke"}, 8),
            (Words{"--batch=8", "--action=smoke"}));
}

}  // namespace
}  // namespace assay::suite

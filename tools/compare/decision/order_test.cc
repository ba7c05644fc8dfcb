#include "tools/compare/decision/order.h"

#include <algorithm>
#include <numeric>
#include <set>

#include "gtest/gtest.h"

namespace assay::compare {
namespace {

TEST(Order, EachBlockIsAbbaOrBaab) {
  const Order order(7);
  for (int block = 0; block < 1000; ++block) {
    EXPECT_NE(order.BaselineFirst(0, 2 * block), order.BaselineFirst(0, 2 * block + 1));
  }
}

TEST(Order, TheCoinIsFairAndDiffersByCaseBlockAndSeed) {
  int heads = 0, same_as_next_case = 0, same_as_next_seed = 0;
  for (int block = 0; block < 10000; ++block) {
    const bool first = Order(7).BaselineFirst(0, 2 * block);
    heads += first;
    same_as_next_case += first == Order(7).BaselineFirst(1, 2 * block);
    same_as_next_seed += first == Order(8).BaselineFirst(0, 2 * block);
  }
  for (const int count : {heads, same_as_next_case, same_as_next_seed}) {
    EXPECT_NEAR(count, 5000, 5 * 50);  // five standard deviations of a fair coin
  }
}

TEST(Order, IsAFunctionOfTheSeed) {
  for (int pair = 0; pair < 100; ++pair) {
    EXPECT_EQ(Order(3).BaselineFirst(2, pair), Order(3).BaselineFirst(2, pair));
    EXPECT_EQ(Order(3).PaddingBytes(2, pair, SideName::kCandidate),
              Order(3).PaddingBytes(2, pair, SideName::kCandidate));
  }
}

TEST(Order, EveryCaseHasOneTurnABlockAndTheTurnsVary) {
  std::vector<size_t> cases(6);
  std::iota(cases.begin(), cases.end(), 0);
  std::set<std::vector<size_t>> seen;
  for (int block = 0; block < 100; ++block) {
    std::vector<size_t> turns = Order(1).Turns(cases, block);
    seen.insert(turns);
    std::sort(turns.begin(), turns.end());
    EXPECT_EQ(turns, cases);
  }
  EXPECT_GT(seen.size(), 80u);
  EXPECT_TRUE(Order(1).Turns({}, 0).empty());
}

TEST(Order, PaddingsDifferBetweenProcesses) {
  std::set<int64_t> seen;
  for (int pair = 0; pair < 50; ++pair) {
    for (const SideName side : {SideName::kBaseline, SideName::kCandidate}) {
      const int64_t bytes = Order(1).PaddingBytes(0, pair, side);
      EXPECT_GE(bytes, 0);
      EXPECT_LT(bytes, 4096);
      seen.insert(bytes);
    }
  }
  EXPECT_GT(seen.size(), 90u);
}

}  // namespace
}  // namespace assay::compare

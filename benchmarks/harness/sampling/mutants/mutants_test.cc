#include "benchmarks/harness/sampling/mutants/mutants.h"

#include <cstdint>
#include <set>
#include <string>
#include <string_view>

#include "benchmarks/harness/sampling/validity.h"
#include "gtest/gtest.h"

namespace assay::sampling {
namespace {

class Mutants : public testing::TestWithParam<uint64_t> {};

TEST_P(Mutants, AreCaughtAndTheirHonestTwinsAreNot) {
  for (const MutantResult& mutant : RunMutants(GetParam())) {
    EXPECT_TRUE(mutant.caught) << mutant.number << " " << mutant.name << ": " << mutant.caught_by
                               << " is silent (" << mutant.detail << ")";
    EXPECT_TRUE(mutant.twin_clean) << mutant.number << " " << mutant.name << " " << mutant.detail;
  }
}

// Several seeds of the noise: no verdict may depend on one.
INSTANTIATE_TEST_SUITE_P(Seeds, Mutants, testing::Range<uint64_t>(1, 21));

TEST(MutantTable, CoversEveryNumberThatAFakeDeviceCanCarry) {
  std::set<std::string> numbers, names;
  for (const MutantResult& mutant : RunMutants(1)) {
    numbers.insert(mutant.number);
    EXPECT_TRUE(names.insert(mutant.name).second) << mutant.name << " is there twice";
  }
  for (const int number :
       {1, 2, 3, 4, 5, 6, 7, 8, 11, 12, 13, 14, 15, 16, 17, 18, 19, 20, 21, 24, 25, 28, 31, 32}) {
    EXPECT_EQ(numbers.count(std::to_string(number)), 1) << number;
  }
  EXPECT_GE(names.size(), 25);
}

TEST(MutantTable, HoldsAMutantForEveryCheck) {
  std::set<std::string> caught_by;
  for (const MutantResult& mutant : RunMutants(1)) caught_by.insert(mutant.caught_by);
  for (const std::string_view check : CheckNames()) {
    EXPECT_EQ(caught_by.count(std::string(check)), 1) << check << " could be removed unseen";
  }
}

}  // namespace
}  // namespace assay::sampling

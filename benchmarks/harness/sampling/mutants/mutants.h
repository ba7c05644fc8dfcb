// -----------------------------------------------------------------------------
// File: mutants.h
// -----------------------------------------------------------------------------
//
// Known ways to mis-measure, each run through the real engine: it must be caught, by the check that
// is named for it, by an error, or by being measured right all the same; and its honest twin, which
// differs in nothing but the fault, must come out with no check noted or flagged.
//
// Mutants of one kind of mistake share its number, from 1 to 32; their names say what it is. Here
// are the kinds that a fake device can show. The others: the accuracy verdict finds 22 (precision),
// tools/compare 27 (layout), allocation_test 30 (own allocations); 23, 26 and 29 need a GPU.
//
//   for (const MutantResult& mutant : RunMutants(/*seed=*/1)) EXPECT_TRUE(mutant.caught);

#ifndef ASSAY_BENCHMARKS_HARNESS_SAMPLING_MUTANTS_MUTANTS_H_
#define ASSAY_BENCHMARKS_HARNESS_SAMPLING_MUTANTS_MUTANTS_H_

#include <cstdint>
#include <string>
#include <vector>

namespace assay::sampling {

struct MutantResult {
  std::string number;  // number of the kind of mistake; "-": none of the 32
  std::string name;
  std::string caught_by;  // "clocks_agree", "DATA_LOSS" or "measured right"
  bool caught = false;
  bool twin_clean = false;
  std::string detail;  // the engine's findings on the mutant, and on a twin that is not clean
};

// Runs all of them, with noise of this seed on every duration.
std::vector<MutantResult> RunMutants(uint64_t seed);

}  // namespace assay::sampling

#endif  // ASSAY_BENCHMARKS_HARNESS_SAMPLING_MUTANTS_MUTANTS_H_

#ifndef ASSAY_BENCHMARKS_HARNESS_RUNNER_CHEATS_CHEATS_H_
#define ASSAY_BENCHMARKS_HARNESS_RUNNER_CHEATS_CHEATS_H_

// ---------------------------------------------------------------------------------------------
// cheats.h: programs that compute the right outputs for the verdict and something else where they
// are timed. timed_check.h must find each of them, and nothing in its honest twin, the same program
// without the cheat.
//
// Not for: cheats that only a clock shows, such as a second thread (sampling/mutants).
//
// Example:
//   for (const CheatResult& cheat : RunCheats(folder)) EXPECT_TRUE(cheat.caught) << cheat.name;
// ---------------------------------------------------------------------------------------------

#include <string>
#include <vector>

namespace assay::runner {

struct CheatResult {
  std::string name;     // "half again the numbers, mlp forward"
  bool caught = false;  // FLAGGED where it is timed, PASS where it is verified
  bool twin_clean = false;
  std::string detail;  // the check's message, and that of a twin that was flagged
};

// Runs all of them. `folder`: where a reference may be written.
std::vector<CheatResult> RunCheats(const std::string& folder);

}  // namespace assay::runner

#endif  // ASSAY_BENCHMARKS_HARNESS_RUNNER_CHEATS_CHEATS_H_

#ifndef ASSAY_BENCHMARKS_HARNESS_RUNNER_CHEATS_CHEATS_H_
#define ASSAY_BENCHMARKS_HARNESS_RUNNER_CHEATS_CHEATS_H_

// ---------------------------------------------------------------------------------------------
// cheats.h: programs that are right whenever a verdict calls them and wrong where they are timed,
// each of which timed_check.h must find; and its honest twin, the same program without the cheat,
// in which nothing may be found.
//
// Not for: cheats that only a clock shows, as a second thread (sampling/mutants).
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
  std::string detail;  // what the check said of it, and of a twin that is not clean
};

// All of them. `folder`: where a reference may be written.
std::vector<CheatResult> RunCheats(const std::string& folder);

}  // namespace assay::runner

#endif  // ASSAY_BENCHMARKS_HARNESS_RUNNER_CHEATS_CHEATS_H_

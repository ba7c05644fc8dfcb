#ifndef ASSAY_BENCHMARKS_HARNESS_RUNNER_CHEATS_CHEATS_H_
#define ASSAY_BENCHMARKS_HARNESS_RUNNER_CHEATS_CHEATS_H_

// ---------------------------------------------------------------------------------------------
// cheats.h: programs that compute the right outputs for the verdict and something else where they
// are timed. Each goes through a whole run (case_run.h), beside its honest twin, the same program
// without the cheat. The run must end with exit code 1, and record and table must say why; that of
// the twin must end with 0.
//
// Not for: cheats that only a clock shows, such as a second thread (sampling/mutants).
//
// Example:
//   for (const CheatResult& cheat : RunCheats(folder)) EXPECT_TRUE(cheat.caught) << cheat.name;
// ---------------------------------------------------------------------------------------------

#include <functional>
#include <string>
#include <string_view>
#include <vector>

#include "absl/status/statusor.h"
#include "benchmarks/harness/programs/program.h"
#include "benchmarks/harness/runner/cheats/subjects.h"
#include "defs/proto/record.pb.h"

namespace assay::runner {

// A timed call that a cheat makes in place of the honest program.
struct CheatedCall {
  execution::Program& honest;
  execution::Step step;
  execution::TensorsRef inputs;
  int number;     // since the calls of the step began, from 1 on
  bool verified;  // they began with BeginVerified()

  execution::Tensors Honest() const { return honest.Call(step, inputs); }
};
using Cheat = std::function<execution::Tensors(const CheatedCall& call)>;

// The results of a run.
struct CheatedRun {
  int code = 0;
  Record record;
  std::string printed;  // standard output and errors
};

// Measures the steps in mode wall, of which `step` alone cheats. Its program is seeded. Errors of
// making it.
absl::StatusOr<CheatedRun> RunCheat(const Subject& subject, const std::string& folder,
                                    const std::vector<std::string>& steps, std::string_view step,
                                    const Cheat& cheat);

struct CheatResult {
  std::string name;  // "half again the numbers, mlp_fp32_b6 forward"
  // The verdict is PASS, the exit code 1; the check timed_is_verified is FLAGGED in the record and
  // printed, below the row of the step.
  bool caught = false;
  bool twin_clean = false;  // exit code 0, and that check is OK in each measurement
  std::string detail;       // the check's message, and that of a twin that was flagged
};

// Runs all of them. `folder`: where references and records may be written.
std::vector<CheatResult> RunCheats(const std::string& folder);

}  // namespace assay::runner

#endif  // ASSAY_BENCHMARKS_HARNESS_RUNNER_CHEATS_CHEATS_H_

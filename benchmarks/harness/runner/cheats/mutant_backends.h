#ifndef ASSAY_BENCHMARKS_HARNESS_RUNNER_CHEATS_MUTANT_BACKENDS_H_
#define ASSAY_BENCHMARKS_HARNESS_RUNNER_CHEATS_MUTANT_BACKENDS_H_

// ---------------------------------------------------------------------------------------------
// mutant_backends.h: back ends that compute something else than the program, each in one way in
// which compilers of models go wrong. They run a TorchScript trace of the program, like the honest one
// among them. A run with any other must not end well.
//
// Linking this registers them. Not for programs: tests alone link it.
//
// Example:
//   for (const MutantBackend& mutant : MutantBackends()) ...   // --backend=mutant.name
// ---------------------------------------------------------------------------------------------

#include <string>
#include <string_view>
#include <vector>

#include "defs/proto/record.pb.h"

namespace assay::runner {

struct MutantBackend {
  std::string name;
  // How a run that verifies ends, and one that also measures, of a model with two ReLUs.
  Outcome verified = PASS;
  Outcome measured = PASS;
  std::string_view message = "";  // part of what the latter says
};

// The first is the honest one.
const std::vector<MutantBackend>& MutantBackends();

}  // namespace assay::runner

#endif  // ASSAY_BENCHMARKS_HARNESS_RUNNER_CHEATS_MUTANT_BACKENDS_H_

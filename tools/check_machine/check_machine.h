// -----------------------------------------------------------------------------
// File: check_machine.h
// -----------------------------------------------------------------------------
//
// The program //tools:check_machine, with its surroundings as arguments: it shows what makes
// measurements on this machine better or worse, and how to fix it.
//
// Not for changing any of it, and not for measuring the noise itself: //tools:compare does that by
// comparing a case with itself.
//
//   return CheckMachine({argv + 1, argv + argc}, {}, std::cout, std::cerr);

#ifndef ASSAY_TOOLS_CHECK_MACHINE_CHECK_MACHINE_H_
#define ASSAY_TOOLS_CHECK_MACHINE_CHECK_MACHINE_H_

#include <ostream>
#include <string>
#include <vector>

#include "benchmarks/harness/environment/environment.h"

namespace assay::check_machine {

// Returns the exit code; UsageText (options.h) says what it means. sources.gpu is not used.
int CheckMachine(const std::vector<std::string>& words,
                 const environment::EnvironmentSources& sources, std::ostream& out,
                 std::ostream& error);

}  // namespace assay::check_machine

#endif  // ASSAY_TOOLS_CHECK_MACHINE_CHECK_MACHINE_H_

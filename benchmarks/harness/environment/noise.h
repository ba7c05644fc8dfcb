// -----------------------------------------------------------------------------
// File: noise.h
// -----------------------------------------------------------------------------
//
// What in an environment may disturb a measurement, in sentences for a person.
//
// Not for judging samples: a quiet environment is no proof of quiet samples.
//
//   for (const std::string& sentence : assay::environment::NoiseOf(environment)) Print(sentence);

#ifndef ASSAY_BENCHMARKS_HARNESS_ENVIRONMENT_NOISE_H_
#define ASSAY_BENCHMARKS_HARNESS_ENVIRONMENT_NOISE_H_

#include <string>
#include <vector>

#include "defs/record.pb.h"

namespace assay::environment {

// One sentence each, with the figure behind it: load above a quarter of the CPUs, a governor other
// than "performance" or unknown, less than a tenth of the memory (or 1 GiB) available, more threads
// than CPUs, a switch that serialises GPU launches. Unknown figures other than the governor's are
// passed over.
std::vector<std::string> NoiseOf(const Environment& environment);

}  // namespace assay::environment

#endif  // ASSAY_BENCHMARKS_HARNESS_ENVIRONMENT_NOISE_H_

// -----------------------------------------------------------------------------
// File: noise.h
// -----------------------------------------------------------------------------
//
// Lists what may disturb a measurement, in sentences for a person.
//
// The sentences come from those facts of the environment (facts/) that change a measurement while
// it runs; //tools:check_machine shows all facts and how to fix them.
//
// Not for judging samples: a quiet environment is no proof of quiet samples.
//
//   for (const std::string& sentence : assay::environment::NoiseOf(environment)) Print(sentence);

#ifndef ASSAY_BENCHMARKS_HARNESS_ENVIRONMENT_NOISE_H_
#define ASSAY_BENCHMARKS_HARNESS_ENVIRONMENT_NOISE_H_

#include <string>
#include <vector>

#include "defs/proto/record.pb.h"

namespace assay::environment {

// One sentence each, "<fact> <value>: <what it does>", in the order of environment.facts. Unknown
// facts other than the governor are left out.
std::vector<std::string> NoiseOf(const Environment& environment);

}  // namespace assay::environment

#endif  // ASSAY_BENCHMARKS_HARNESS_ENVIRONMENT_NOISE_H_

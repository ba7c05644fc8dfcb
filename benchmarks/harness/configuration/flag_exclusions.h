#ifndef ASSAY_BENCHMARKS_HARNESS_CONFIGURATION_FLAG_EXCLUSIONS_H_
#define ASSAY_BENCHMARKS_HARNESS_CONFIGURATION_FLAG_EXCLUSIONS_H_

// ---------------------------------------------------------------------------------------------
// flag_exclusions.h: exclusions that several rows of the table of flags share.
//
// Example:
//   {.name = "rule", ..., .excludes = {OfTheComparison()}}
// ---------------------------------------------------------------------------------------------

#include <string>
#include <string_view>
#include <vector>

#include "benchmarks/harness/configuration/flag_spec.h"

namespace assay::configuration {

// Runs that compare nothing.
Exclusion OfTheComparison();

// Runs of a smaller model.
Exclusion OfALargeModel();

// Runs that need the seeded tensors.
Exclusion OfGivenTensors();

// Runs that need the case as it is declared.
Exclusion OfTheCaseItself();

// Runs that end before anything is measured. `what`: "the samples are drawn".
Exclusion AfterTheCase(std::string_view what);
Exclusion AfterMeasuring();

// Tools that would see each other at work.
Exclusion OneTool(std::vector<std::string> others);

}  // namespace assay::configuration

#endif  // ASSAY_BENCHMARKS_HARNESS_CONFIGURATION_FLAG_EXCLUSIONS_H_

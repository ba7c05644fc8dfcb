#ifndef ASSAY_BENCHMARKS_HARNESS_CONFIGURATION_CASE_CONFIGURATION_H_
#define ASSAY_BENCHMARKS_HARNESS_CONFIGURATION_CASE_CONFIGURATION_H_

// ---------------------------------------------------------------------------------------------
// case_configuration.h: what a run measures and how, and whether two runs measure the same.
//
// The plan of a suite, records, comparisons and the database of results know by it what may be put
// side by side.
//
// Not for: the machine, versions and the program's code (suite/launch/run_fingerprint.h covers all).
//
// Example:
//   Configuration c = ConfigurationOf(called, line.values, {});
//   std::vector<std::string> text = ConfigurationDifferences(a.configuration(), b.configuration());
// ---------------------------------------------------------------------------------------------

#include <map>
#include <string>
#include <vector>

#include "benchmarks/harness/configuration/flag_spec.h"
#include "defs/proto/record.pb.h"
#include "defs/proto/suite.pb.h"

namespace assay::configuration {

// Settings that no flag of the table has: flags of a back end, the digest of the weights.
using OtherSettings = std::map<std::string, std::string>;

// `called` is the result of WithCallFlags(); `values` are those of the command line.
Configuration ConfigurationOf(const ResolvedCase& called, const FlagValues& values,
                              const OtherSettings& others);

// "threads: 1 against 0", one text a setting; empty where the digests are equal.
std::vector<std::string> ConfigurationDifferences(const Configuration& a, const Configuration& b);

}  // namespace assay::configuration

#endif  // ASSAY_BENCHMARKS_HARNESS_CONFIGURATION_CASE_CONFIGURATION_H_

// File: case_resolution.h
//
// From what authors write (BenchmarkCase, Model, ModelImplementation) to what the runner reads
// (ResolvedCase): every default filled in, every symbolic dimension a number, everything checked.
// Pure functions on protocol buffers; not for reading files (compile_cases.cc does).
//
//   assay::Problems problems;
//   assay::CheckFamily(family, "//benchmarks/resnet", &problems);
//   assay::ResolvedCase resolved =
//       assay::Resolve(family, benchmark_case, lock, "//benchmarks/resnet:x", &problems);
//   if (!problems.empty()) ...   // one sentence each: where, what, what is allowed
#ifndef ASSAY_DEFS_CASE_RESOLUTION_H_
#define ASSAY_DEFS_CASE_RESOLUTION_H_

#include <cstdint>
#include <map>
#include <string>
#include <vector>

#include "defs/suite.pb.h"

namespace assay {

using Problems = std::vector<std::string>;

// Rows of artifacts/lock.bzl by key.
using Lock = std::map<std::string, ReferenceArtifact>;

inline constexpr int64_t kMaximumBatch = int64_t{1} << 20;

// Cases are verified at this many rows where their own batch is larger: a row's result does not
// depend on the others in evaluation, a reference for 256 rows would cost 128 times the float64
// work, and two rows still show a wrong stride between rows. The record states it.
inline constexpr int64_t kVerifiedBatch = 2;

// Rows of the smoke test.
inline constexpr int64_t kSmokeBatch = 2;

// Checks the implementation's declarations and every model's parameters. `where` begins each
// problem.
void CheckFamily(const Family& family, const std::string& where, Problems* problems);

// Resolves one case of a family that passed CheckFamily. On problems the result is incomplete and
// of no use. A case without a row in `lock` is legal and gets a reference with a key and no digest.
ResolvedCase Resolve(const Family& family, const BenchmarkCase& benchmark_case, const Lock& lock,
                     const std::string& where, Problems* problems);

// "resnet18_fp32_b8_s128": what the case must be called. `batch` is the case's own, or another one
// for a lock key.
std::string CanonicalName(const ModelImplementation& implementation,
                          const BenchmarkCase& benchmark_case, int64_t batch);

// Lower-case name of an enum value, as it stands in target names: "fp32".
std::string LowerName(Dtype dtype);

}  // namespace assay

#endif  // ASSAY_DEFS_CASE_RESOLUTION_H_

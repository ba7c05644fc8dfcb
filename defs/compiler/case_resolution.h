// File: case_resolution.h
//
// Turns what authors write (BenchmarkCase, Model, ModelImplementation) into what the runner reads
// (ResolvedCase): every default filled in, every symbolic dimension a number, everything checked.
// Pure functions on protocol buffers; not for reading files (compile_cases.cc does).
//
//   assay::Problems problems;
//   assay::CheckFamily(family, "//benchmarks/resnet", &problems);
//   assay::ReferenceName reference = {.key = "resnet18_fp32_b2", .rows = 2};
//   assay::ResolvedCase resolved = assay::Resolve(family, c, reference, lock, where, &problems);
//   if (!problems.empty()) ...   // one sentence each: where, what, what is allowed
#ifndef ASSAY_DEFS_COMPILER_CASE_RESOLUTION_H_
#define ASSAY_DEFS_COMPILER_CASE_RESOLUTION_H_

#include <cstdint>
#include <map>
#include <string>
#include <vector>

#include "defs/proto/suite.pb.h"

namespace assay {

using Problems = std::vector<std::string>;

// Rows of a package's lock.bzl by key.
using Lock = std::map<std::string, ReferenceArtifact>;

inline constexpr int64_t kMaximumBatch = int64_t{1} << 20;

// Rows of every smoke test, so that cases which differ only in their batch share it.
inline constexpr int64_t kSmokeBatch = 2;

// The reference of a case, as named by defs/case_names.bzl.
struct ReferenceName {
  std::string key;   // row of the lock
  int64_t rows = 0;  // rows that it holds; a case with fewer is compared with the first of them
};

// Checks the implementations' declarations and every model's parameters. `where` begins each
// problem.
void CheckFamily(const Family& family, const std::string& where, Problems* problems);

// Resolves one case of a family that passed CheckFamily. If there are problems, the result is
// incomplete and must not be used. A case without a row in `lock` is legal and gets a reference
// with a key and no digest. An operator's case needs neither family nor row, and has no key: its
// reference is computed for `reference.rows` rows.
ResolvedCase Resolve(const Family& family, const BenchmarkCase& benchmark_case,
                     const ReferenceName& reference, const Lock& lock, const std::string& where,
                     Problems* problems);

// Fills in the fields that a hand-written case leaves to its file's name (`named`: what the name
// says), and adds a problem, with both values, for each field in which the two differ.
void FillFromName(const BenchmarkCase& named, const std::string& where,
                  BenchmarkCase* benchmark_case, Problems* problems);

}  // namespace assay

#endif  // ASSAY_DEFS_COMPILER_CASE_RESOLUTION_H_

// -----------------------------------------------------------------------------
// File: fingerprint.h
// -----------------------------------------------------------------------------
//
// Whether a program is still the one that it was: a number that changes when its file, or a file of
// its runfiles, is replaced.
//
// bazel-bin holds links into a tree that the next build rewrites. Someone who edits and builds
// while a comparison of that tree runs would mix two programs in one side's medians, unseen.
//
// It looks at sizes, times and inodes, not at contents: microseconds between two measured
// processes. Not for telling whether two programs are equal.
//
//   uint64_t before = assay::compare::FingerprintOf("bazel-bin/benchmarks/mlp/mlp_fp32_b64");

#ifndef ASSAY_TOOLS_COMPARE_FINGERPRINT_H_
#define ASSAY_TOOLS_COMPARE_FINGERPRINT_H_

#include <cstdint>
#include <string>

namespace assay::compare {

// 0 where there is no such file.
uint64_t FingerprintOf(const std::string& program);

}  // namespace assay::compare

#endif  // ASSAY_TOOLS_COMPARE_FINGERPRINT_H_

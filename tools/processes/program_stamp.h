// -----------------------------------------------------------------------------
// File: program_stamp.h
// -----------------------------------------------------------------------------
//
// Whether a program is still the one that it was: a number that changes when its file, or a file of
// its runfiles, is replaced.
//
// bazel-bin holds links into a tree that the next build rewrites. Someone who edits and builds
// while programs of that tree are measured would mix two of them under one name, unseen.
//
// It looks at sizes, times and inodes (benchmarks/harness/base/file_state.h), not at contents:
// microseconds between two measured processes. Not for telling whether two programs are equal.
//
//   uint64_t before = assay::processes::StampOf("bazel-bin/benchmarks/mlp/mlp_fp32_b64");

#ifndef ASSAY_TOOLS_PROCESSES_PROGRAM_STAMP_H_
#define ASSAY_TOOLS_PROCESSES_PROGRAM_STAMP_H_

#include <cstdint>
#include <string>

namespace assay::processes {

// 0 where there is no such file.
uint64_t StampOf(const std::string& program);

}  // namespace assay::processes

#endif  // ASSAY_TOOLS_PROCESSES_PROGRAM_STAMP_H_

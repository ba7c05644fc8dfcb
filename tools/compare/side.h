// -----------------------------------------------------------------------------
// File: side.h
// -----------------------------------------------------------------------------
//
// Parses the value of --baseline= or --candidate=.
//
//   //benchmarks/mlp:mlp_fp32_b64 --threads=1     a case of this tree, with flags
//   mlp_fp32_b64 --threads=1                      the same, by its name
//   git:HEAD~1                                    every case of a revision
//   git:HEAD~1 //benchmarks/mlp:mlp_fp32_b64      one case of a revision
//   . --threads=1                                 every case of this tree, or of another folder
//   . --load-library=mine.so --like=softmax       this tree, with a kernel in the place of ATen's
//   . --libtorch=2.10.0                           this tree, built with another pinned LibTorch
//   /path/to/runner --case=x.pb                   a program that takes --modes, --budget, --record
//   old.jsonl                                     records of runs that are over
//
// Words are split as by a shell: blanks separate, '...', "..." and \ quote; nothing is expanded.
//
// Not for building or finding anything (compared_cases.h): it only looks whether a path is a file
// of records.
//
//   absl::StatusOr<Side> side = assay::compare::ParseSide("old.jsonl", /*folder=*/".");

#ifndef ASSAY_TOOLS_COMPARE_SIDE_H_
#define ASSAY_TOOLS_COMPARE_SIDE_H_

#include <regex>
#include <string>
#include <string_view>
#include <vector>

#include "absl/status/statusor.h"

namespace assay::compare {

enum class SideKind { kLabel, kTree, kProgram, kRecords };

struct Side {
  SideKind kind = SideKind::kLabel;
  std::string text = {};      // as typed
  std::string revision = {};  // for kLabel and kTree: what came after git:, or empty
  // Label or name of a case, folder, program or file; empty for the tree of a revision.
  std::string subject = {};
  std::string libtorch =
      {};  // for kLabel and kTree: the version to build with; empty: the tree's own
  // For kLabel and kTree: a library, or its source, that is loaded into the runner; the operator of ATen in whose place
  // the library's is called, if that is not registered there itself; the name of the library's.
  std::string library = {}, like = {}, op = {};
  std::vector<std::string> flags = {};
};

// A word that is no path and may be a name is a case's; which one, compared_cases.h finds.
// Relative paths begin at `folder`. InvalidArgument, with examples, for a text that is none of the
// above; NotFound for a path that does not exist.
absl::StatusOr<Side> ParseSide(std::string_view text, const std::string& folder);

// Whether its flags have --scenario.
bool IsUnderLoad(const Side& side);

// Whether --cases matches somewhere in the label "//a:b" or in the name "b".
bool MatchesCase(const std::string& label, const std::regex& cases);

// InvalidArgument for a quote that is not closed.
absl::StatusOr<std::vector<std::string>> SplitWords(std::string_view text);

}  // namespace assay::compare

#endif  // ASSAY_TOOLS_COMPARE_SIDE_H_

#ifndef ASSAY_BENCHMARKS_TRACES_ANALYSIS_COMPARISON_H_
#define ASSAY_BENCHMARKS_TRACES_ANALYSIS_COMPARISON_H_

// ---------------------------------------------------------------------------------------------
// comparison.h: what differs between two traces of one program: by another version, on another
// machine, eager and compiled.
//
// The top-most operators of both are aligned as lines of two texts are: first equal calls under the
// same labels, then equal calls, then calls of one operator under the same labels, then of one
// operator. What is left appeared or vanished.
//
// Example:
//   const Comparison c = Compare(TraceTree(before.nodes), TraceTree(after.nodes));
//   if (!c.Same()) std::cout << c.differences[0].after;
// ---------------------------------------------------------------------------------------------

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "absl/types/span.h"
#include "benchmarks/traces/graph/trace_tree.h"

namespace assay::traces {

struct Difference {
  // "appeared", "vanished", "dtype", "shape", "strides", "arguments"; of calls that are equal but for
  // their times "slower", "faster".
  std::string_view kind = {};
  std::string before = {}, after = {};  // calls as CallText() has them; empty: there is none
  std::vector<size_t> nodes_before = {}, nodes_after = {};
  int64_t change_ns = 0;
};

struct Comparison {
  // One for all calls that differ alike; the largest change of time first, then the most calls.
  std::vector<Difference> differences = {};
  size_t equal = 0, different = 0;  // calls; a pair counts once
  bool timed = false;               // both have times
  int64_t before_ns = 0, after_ns = 0;

  bool Same() const { return different == 0; }
};

Comparison Compare(const TraceTree& before, const TraceTree& after);

// Pairs of places of equal numbers, growing in both: the longest such list where neither range has more
// than a few thousand numbers between those that occur once in each.
std::vector<std::pair<size_t, size_t>> Align(absl::Span<const uint32_t> a,
                                             absl::Span<const uint32_t> b);

}  // namespace assay::traces

#endif  // ASSAY_BENCHMARKS_TRACES_ANALYSIS_COMPARISON_H_

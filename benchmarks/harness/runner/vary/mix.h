#ifndef ASSAY_BENCHMARKS_HARNESS_RUNNER_VARY_MIX_H_
#define ASSAY_BENCHMARKS_HARNESS_RUNNER_VARY_MIX_H_

// ---------------------------------------------------------------------------------------------
// mix.h: the sizes of --vary, and the order in which calls have them.
//
//   sequence_length=32,64:3,128            of five calls three have 64 tokens
//   sequence_length=32,64;batch=1,2:4      each length with each batch; weights are multiplied
//
// Calls are dealt from decks: a deck has each size as often as its weight says, shuffled by the seed.
// Every deck has the declared mix exactly, and the order is the same in each process.
//
// Not for: cases of these sizes (sized_case.h).
//
// Example:
//   absl::StatusOr<Mix> mix = ParseMix("sequence_length=32,64:3", /*seed=*/0);
//   for (const size_t size : mix->Deck(0)) ... mix->sizes[size] ...
// ---------------------------------------------------------------------------------------------

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "absl/status/statusor.h"

namespace assay::runner {

struct MixSize {
  std::vector<std::pair<std::string, int64_t>> values;  // by parameter
  int64_t weight = 1;                                   // calls of a deck

  std::string Name() const;  // "sequence_length=32,batch=1"
};

struct Mix {
  std::vector<MixSize> sizes;  // as declared
  uint64_t seed = 0;

  // The places in `sizes` of a deck's calls, in order.
  std::vector<size_t> Deck(int64_t number) const;
};

// InvalidArgument for what is no mix: a value or weight below 1, a size that is there twice, a single
// size, more than 64 sizes, a deck of more than 1000 calls.
absl::StatusOr<Mix> ParseMix(std::string_view text, uint64_t seed);

}  // namespace assay::runner

#endif  // ASSAY_BENCHMARKS_HARNESS_RUNNER_VARY_MIX_H_

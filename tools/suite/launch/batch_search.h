// -----------------------------------------------------------------------------
// File: batch_search.h
// -----------------------------------------------------------------------------
//
// --batch=search: the largest batch that fits into memory, by doubling, then halving what is left
// between one that fits and one that does not.
//
// Each try is a process of its own, under the same limits as the run: memory that a failed try has
// torn up tells nothing of the next one. A try samples for next to no time and compares nothing; it
// allocates what the run will allocate.
//
// Not for the fastest batch: the largest one is often slower for each row.
//
//   absl::StatusOr<int64_t> batch = LargestBatch(/*first=*/8, [&](int64_t batch) {
//     return Fits(TryFlags(flags, batch));
//   });

#ifndef ASSAY_TOOLS_SUITE_LAUNCH_BATCH_SEARCH_H_
#define ASSAY_TOOLS_SUITE_LAUNCH_BATCH_SEARCH_H_

#include <cstdint>
#include <string>
#include <vector>

#include "absl/functional/function_ref.h"
#include "absl/status/statusor.h"
#include "absl/types/span.h"

namespace assay::suite {

// The largest of which `fits` said true, to within a sixteenth of it, and no more than a runner
// takes (2^20). NotFound where not even 1 fits; else what `fits` fails with.
absl::StatusOr<int64_t> LargestBatch(int64_t first,
                                     absl::FunctionRef<absl::StatusOr<bool>(int64_t batch)> fits);

bool AsksForBatchSearch(absl::Span<const std::string> flags);

// With the number in place of "search".
std::vector<std::string> WithBatch(absl::Span<const std::string> flags, int64_t batch);

// The same, for a try.
std::vector<std::string> TryFlags(absl::Span<const std::string> flags, int64_t batch);

}  // namespace assay::suite

#endif  // ASSAY_TOOLS_SUITE_LAUNCH_BATCH_SEARCH_H_

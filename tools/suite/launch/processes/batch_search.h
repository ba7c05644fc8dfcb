// -----------------------------------------------------------------------------
// File: batch_search.h
// -----------------------------------------------------------------------------
//
// --batch=search: the largest batch that fits into memory, by doubling, then halving what is left
// between one that fits and one that does not.
//
// Each try is a process of its own, under the same limits as the run, because a failed try may
// leave memory fragmented. A try takes hardly any samples and compares nothing, but it allocates
// what the run will allocate.
//
// Not for the fastest batch: the largest one is often slower per row.
//
//   absl::StatusOr<int64_t> batch = LargestBatch(/*first=*/8, [&](int64_t batch) {
//     return Fits(TryFlags(flags, batch));
//   });

#ifndef ASSAY_TOOLS_SUITE_LAUNCH_PROCESSES_BATCH_SEARCH_H_
#define ASSAY_TOOLS_SUITE_LAUNCH_PROCESSES_BATCH_SEARCH_H_

#include <cstdint>
#include <string>
#include <vector>

#include "absl/functional/function_ref.h"
#include "absl/status/statusor.h"
#include "absl/types/span.h"

namespace assay::suite {

// The largest batch for which `fits` returned true, to within a sixteenth of it, and at most as
// large as a runner accepts (2^20). NotFound if not even 1 fits; else the error of `fits`.
absl::StatusOr<int64_t> LargestBatch(int64_t first,
                                     absl::FunctionRef<absl::StatusOr<bool>(int64_t batch)> fits);

bool AsksForBatchSearch(absl::Span<const std::string> flags);

// The flags with the number in place of "search".
std::vector<std::string> WithBatch(absl::Span<const std::string> flags, int64_t batch);

// The same flags, changed for a try.
std::vector<std::string> TryFlags(absl::Span<const std::string> flags, int64_t batch);

}  // namespace assay::suite

#endif  // ASSAY_TOOLS_SUITE_LAUNCH_PROCESSES_BATCH_SEARCH_H_

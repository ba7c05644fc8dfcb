// -----------------------------------------------------------------------------
// File: chunk.h
// -----------------------------------------------------------------------------
//
// How many calls make one sample in the modes that call many times in a row.
//
// Not for modes that time a single call.
//
//   absl::StatusOr<int64_t> calls = CallsThatFill({}, shooter, [] { return false; });

#ifndef ASSAY_BENCHMARKS_HARNESS_SAMPLING_CHUNK_H_
#define ASSAY_BENCHMARKS_HARNESS_SAMPLING_CHUNK_H_

#include <cstdint>

#include "absl/functional/function_ref.h"
#include "absl/status/statusor.h"
#include "absl/time/time.h"
#include "benchmarks/harness/sampling/shot.h"

namespace assay::sampling {

struct ChunkOptions {
  absl::Duration min_duration = absl::Milliseconds(1);
  absl::Duration max_duration = absl::Milliseconds(20);  // where min_calls would be longer
  int64_t min_calls = 20;  // on a device's timer: the device is still busy while launches queue up
};

// Tries chunks, which are thrown away, until one is long enough or `stop` returns true.
absl::StatusOr<int64_t> CallsThatFill(const ChunkOptions& options, Shooter& shooter,
                                      absl::FunctionRef<bool()> stop);

}  // namespace assay::sampling

#endif  // ASSAY_BENCHMARKS_HARNESS_SAMPLING_CHUNK_H_

#ifndef ASSAY_BENCHMARKS_HARNESS_RUNNER_VARY_PLACES_MODEL_H_
#define ASSAY_BENCHMARKS_HARNESS_RUNNER_VARY_PLACES_MODEL_H_

// ---------------------------------------------------------------------------------------------
// places_model.h: the model of scaled_places.h, for tests, with faults that only calls of several sizes
// show.
//
// Example:
//   places_fault = PlacesFault::kMaskOfLast;
// ---------------------------------------------------------------------------------------------

#include <cstdint>

namespace assay::runner {

enum class PlacesFault {
  kNone,
  kMaskOfFirst,  // elements behind the first call's row length are lost
  kMaskOfLast,   // those behind the row length of the call before; two calls of one size are right
  kRemembers,    // gives the outputs of an earlier call with inputs at the same address
  kAfterEight,   // three elements behind a call of eight are scaled by the weights of other places
  kNoDouble,     // there is no float64
  kLatePlaces,   // after fifty calls, elements are scaled by the weights of other places
};

// Read in each call.
extern PlacesFault places_fault;
// Forgets what calls have kept; as if so many had been made.
void ResetPlaces(int64_t calls_before = 0);

}  // namespace assay::runner

#endif  // ASSAY_BENCHMARKS_HARNESS_RUNNER_VARY_PLACES_MODEL_H_

#ifndef ASSAY_BENCHMARKS_HARNESS_NUMERICS_DETECTIONS_H_
#define ASSAY_BENCHMARKS_HARNESS_NUMERICS_DETECTIONS_H_

// ---------------------------------------------------------------------------------------------
// detections.h: compares the boxes that detectors find (models/detector.h) as sets. Scores that differ by
// rounding change the order of boxes, so that rows cannot be compared one by one.
//
// For each wanted box, by descending score: of the boxes with its label that are left, the one whose corners
// are nearest is its match, if all four numbers are within the limit and the score is, too; of those equally
// near the one with the nearest score. A match is used up. A box that a threshold has decided otherwise, of
// the score, of the overlap or of the number of boxes, has no match; so has one that is surplus.
//
// Not for: overlaps (a box without area has none), how good a detector is (mean average precision).
//
// Example:
//   DetectionMatch match = MatchDetections(got, want, /*images=*/2, {.corner = 0.01, .score = 1e-4});
//   if (match.share < 1) ...
// ---------------------------------------------------------------------------------------------

#include <cstddef>
#include <cstdint>

#include "absl/types/span.h"

namespace assay::numerics {

// Numbers of a row: label, score, x1, y1, x2, y2. A negative label means that the row holds no box.
inline constexpr std::size_t kDetectionNumbers = 6;

struct DetectionLimits {
  double corner = 0;  // pixels
  double score = 0;
};

struct DetectionMatch {
  int64_t boxes = 0;        // of the side that has more
  int64_t unmatched = 0;    // of these
  double share = 1;         // of these that have a match; 1 where neither side has a box
  double corner_error = 0;  // pixels, the largest of the matches
  double score_error = 0;   // likewise
  std::size_t worst =
      0;  // where the first wanted box without a match begins, or else the worst match
};

// Both have `images` times as many rows. Numbers are finite.
DetectionMatch MatchDetections(absl::Span<const double> got, absl::Span<const double> want,
                               std::size_t images, const DetectionLimits& limits);

}  // namespace assay::numerics

#endif  // ASSAY_BENCHMARKS_HARNESS_NUMERICS_DETECTIONS_H_

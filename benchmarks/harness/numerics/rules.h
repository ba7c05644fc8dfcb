#ifndef ASSAY_BENCHMARKS_HARNESS_NUMERICS_RULES_H_
#define ASSAY_BENCHMARKS_HARNESS_NUMERICS_RULES_H_

// ---------------------------------------------------------------------------------------------
// rules.h: decides whether one output agrees with its reference. Arithmetic on doubles, without
// LibTorch.
//
// The rules are those of suite.proto's enum Rule:
//
// RELATIVE_TO_STD  rms(got - want) <= rms_limit * scale and max|got - want| <= max_limit * scale,
//                  where the scale is the reference's standard deviation (see ScaleOf).
// ALLCLOSE         |got - want| <= atol + rtol * |want| for every element; NumPy's allclose, but
//                  never with broadcasting and never with equal_nan.
// DYNAMO_SAME      TorchDynamo's same() (dynamo_same.h), with tol = atol: close to the baseline,
//                  which is the plain eager run in the same dtype, or about as close to the
//                  reference as that is. cosine_min > 0 chooses its cosine mode. Where there is no
//                  baseline, as for the plain eager run itself, which would be compared with itself,
//                  the reference stands in for it: then the output must be within tol + tol * |got|
//                  of float64 everywhere, or its rmse within tol / 10. A baseline with infinity
//                  counts as one with NaN, because an infinite error would let anything pass.
// COSINE           cosine(got, want) >= cosine_min. Blind to a factor: use it for nothing else than
//                  outputs of which only the direction matters.
// MEAN_RELATIVE    mean(|got - want| / |want|) <= mean_relative_limit, infinite where 0 was wanted
//                  and not had. PyTorch/XLA took the eager output for `want`; here it is float64.
// IOU              of booleans: intersection over union >= iou_min. Asked for in so many words; a
//                  boolean output is EXACT otherwise, which is what Dynamo's comparison as uint8
//                  amounts to.
// DETECTIONS       of rows of models/detector.h: matched_min of the boxes are found again, with numbers
//                  within corner_limit and score_limit, in whatever order (detections.h).
// EXACT            every element equal: integers and booleans. Values of 2^53 and beyond are never
//                  equal, since float64 cannot tell them apart.
//
// If the reference is a sample and knows the whole's statistics, these are compared as well, with
// bounds that follow from the rule itself (a mean differs by at most the rms error, an L2 norm by at
// most that times sqrt(n), max|x| by at most the largest error), so they catch damage beside the
// sampled elements and never contradict the rule. DYNAMO_SAME takes the baseline's error from the
// sample, or from the baseline's statistics where these show a larger one. COSINE, and DYNAMO_SAME in its cosine mode, bound
// no statistic. The first rows of a sampled reference know only statistics of what they keep, and
// nothing of the whole is held against those.
//
// `least_share` of an output comes on top of its rule (suite.proto, ExpectedOutput): a norm of the
// output is at least this share of the wanted one. Two kinds of norms are not held to it: those
// below a thousandth of the largest, and those of updates that right code may round away. Code that
// adds an update to a weight w rounds once, and so errs by at most u |w|, where u is the dtype's
// unit roundoff. So the norm of a tensor's update differs by at most u times the norm of its
// weights. The reference has the norm of all weights, not that of each tensor. `most_lost` takes a
// typical tensor's, the norm of all over the root of the number of tensors. A norm is held to its
// share from most_lost / (1 - least_share) on. In a tensor whose weights are larger, right code may
// still fall below its share.
//
// NaN and infinity fail every rule. Those that the reference holds, too, are no part of it
// (comparison.h).
//
// Not for: names, shapes, dtypes (comparison.h), which come first.
//
// Example:
//   RuleResult result = Judge({.got = got, .want = &reference_output, ...}, limits);
//   if (!result.passed) Print(result.reasons);
// ---------------------------------------------------------------------------------------------

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "absl/status/status.h"
#include "absl/types/span.h"
#include "benchmarks/harness/numerics/output_stats.h"
#include "benchmarks/harness/numerics/reference.h"
#include "defs/proto/suite.pb.h"

namespace assay::numerics {

// The unit of an output's errors.
struct Scale {
  double value = 1;
  std::string_view unit;  // "std", "max|want|" or "1"
};

// The reference's standard deviation. An output without spread (a single number, a constant) has a
// deviation of 0, up to the rounding of float32: then the scale is max|want|, or 1 if that is zero,
// too (seeded weights make outputs of about that size).
Scale ScaleOf(const OutputStats& want);

struct RuleInput {
  const ReferenceOutput* want = nullptr;   // valid
  absl::Span<const double> got = {};       // at want->indices, or all
  absl::Span<const double> baseline = {};  // likewise; empty: none. May hold NaN, not infinity
  OutputStats got_stats;                   // of the whole output
  // The whole baseline's: a sample's error may be less than that of all.
  std::optional<OutputStats> baseline_stats = std::nullopt;
  Dtype dtype = Dtype::DTYPE_UNSPECIFIED;  // of the output, for Dynamo's multiplier
  double least_share = 0;                  // ExpectedOutput's
  double most_lost = 0;                    // what rounding may take from a norm; 0: nothing
};

struct RuleResult {
  bool passed = false;
  std::vector<std::string> reasons;  // the reasons, as lines of text
  Scale scale;
  double rms_error = 0;      // of the compared elements, in scales
  double max_error = 0;      // likewise
  double cosine = 0;         // 1 where both are zero, 0 where one is
  double mean_relative = 0;  // error_measures.h
  double iou = 0;            // likewise; means something for booleans only
  double boxes_matched = 0;  // of DETECTIONS, like the next two; detections.h
  double corner_error = 0;
  double score_error = 0;
  std::size_t worst = 0;      // position in `got` of the worst element
  int64_t wrong = 0;          // elements beyond their own tolerance
  bool counts_wrong = false;  // whether the rule has a tolerance for each element
  std::string tolerance;      // of the worst element, as text: "1e-3 + 1e-3*|want| = 5e-3"
};

// InvalidArgument if no rule is chosen, or if a limit is negative, not finite, or would accept
// anything.
absl::Status CheckLimits(const VerifyParameters& limits);

// The limits must have passed CheckLimits and the input's parts must fit together.
RuleResult Judge(const RuleInput& input, const VerifyParameters& limits);

}  // namespace assay::numerics

#endif  // ASSAY_BENCHMARKS_HARNESS_NUMERICS_RULES_H_

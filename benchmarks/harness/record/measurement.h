// -----------------------------------------------------------------------------
// File: measurement.h
// -----------------------------------------------------------------------------
//
// Converts the engine's samples into the record's Measurement: every sample, and the figures
// computed from them. A figure for which there are too few samples stays unset.
//
// Not for figures that the engine does not know: the caller sets flops_per_call, budget_s and
// injected_share.
//
//   absl::StatusOr<Measurement> measurement = assay::record::ToMeasurement(set, "forward");
//   *record.add_measurements() = *measurement;

#ifndef ASSAY_BENCHMARKS_HARNESS_RECORD_MEASUREMENT_H_
#define ASSAY_BENCHMARKS_HARNESS_RECORD_MEASUREMENT_H_

#include <string_view>

#include "absl/status/statusor.h"
#include "benchmarks/harness/sampling/measure.h"
#include "benchmarks/harness/sampling/presets.h"
#include "defs/proto/record.pb.h"

namespace assay::record {

// A set without samples (interrupted in the warm-up) gives a Measurement without figures.
// InvalidArgument for a sample that is not finite.
absl::StatusOr<Measurement> ToMeasurement(const sampling::SampleSet& set, std::string_view step);

// For one pass by another suite's way to measure, which has no checks.
absl::StatusOr<Measurement> ToMeasurement(const sampling::PassResult& pass, sampling::Preset preset,
                                          std::string_view step);

}  // namespace assay::record

#endif  // ASSAY_BENCHMARKS_HARNESS_RECORD_MEASUREMENT_H_

// -----------------------------------------------------------------------------
// File: measurement.h
// -----------------------------------------------------------------------------
//
// What the sampling engine found, as the record keeps it: every sample, and the figures made of
// them. Figures that the samples cannot carry stay unset.
//
// Not for adding what the engine does not know: flops_per_call, budget_s and injected_share are the
// caller's to set.
//
//   absl::StatusOr<Measurement> measurement = assay::record::ToMeasurement(set, "forward");
//   *record.add_measurements() = *measurement;

#ifndef ASSAY_BENCHMARKS_HARNESS_RECORD_MEASUREMENT_H_
#define ASSAY_BENCHMARKS_HARNESS_RECORD_MEASUREMENT_H_

#include <string_view>

#include "absl/status/statusor.h"
#include "benchmarks/harness/sampling/measure.h"
#include "benchmarks/harness/sampling/presets.h"
#include "defs/record.pb.h"

namespace assay::record {

// A set without samples (interrupted in the warm-up) gives a Measurement without figures.
// InvalidArgument for a sample that is not finite.
absl::StatusOr<Measurement> ToMeasurement(const sampling::SampleSet& set, std::string_view step);

// Of one pass by another suite's way to measure, which has no checks.
absl::StatusOr<Measurement> ToMeasurement(const sampling::PassResult& pass, sampling::Preset preset,
                                          std::string_view step);

}  // namespace assay::record

#endif  // ASSAY_BENCHMARKS_HARNESS_RECORD_MEASUREMENT_H_

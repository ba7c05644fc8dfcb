// -----------------------------------------------------------------------------
// File: sample_log.h
// -----------------------------------------------------------------------------
//
// The samples of one measurement, in the order in which they were taken. All memory is taken and
// touched when the log is made: Append never allocates and never meets a page for the first time,
// both of which would show up as outliers in the samples themselves.
//
// It takes eight bytes a sample, and the precision rule as many again for its own copy
// (stop_rule.h), so the engine keeps within 16 bytes a sample.
//
// Not for results: those are doubles per call, with units, in SampleSet (measure.h).
//
//   SampleLog log(/*capacity=*/100'000);
//   while (!log.full()) log.Append(Sample{.duration_ns = TimeOnce()});

#ifndef ASSAY_BENCHMARKS_HARNESS_SAMPLING_SAMPLE_LOG_H_
#define ASSAY_BENCHMARKS_HARNESS_SAMPLING_SAMPLE_LOG_H_

#include <cassert>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "absl/types/span.h"

namespace assay::sampling {

// One sample: the time of all its calls together (up to 39 hours) and the device's core clock
// during it, in steps of 2 MHz up to 16 GHz; 0 where it was not taken.
struct Sample {
  int64_t duration_ns : 48 = 0;
  uint64_t clock_in_2_mhz : 13 = 0;
};
static_assert(sizeof(Sample) == 8);

class SampleLog {
 public:
  explicit SampleLog(int64_t capacity) : samples_(static_cast<size_t>(capacity)) {}

  void Append(const Sample& sample) {
    assert(!full());
    samples_[size_++] = sample;
  }

  int64_t size() const { return static_cast<int64_t>(size_); }
  int64_t capacity() const { return static_cast<int64_t>(samples_.size()); }
  bool full() const { return size_ == samples_.size(); }
  absl::Span<const Sample> samples() const { return {samples_.data(), size_}; }

 private:
  std::vector<Sample> samples_;
  size_t size_ = 0;
};

}  // namespace assay::sampling

#endif  // ASSAY_BENCHMARKS_HARNESS_SAMPLING_SAMPLE_LOG_H_

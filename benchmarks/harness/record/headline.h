#ifndef ASSAY_BENCHMARKS_HARNESS_RECORD_HEADLINE_H_
#define ASSAY_BENCHMARKS_HARNESS_RECORD_HEADLINE_H_

// ---------------------------------------------------------------------------------------------
// headline.h: which measurement of a record stands for its case where a case has one time: in a
// line of a suite, on a page, in a speedup.
//
// The record says it (Measurement.headline): train_step of a training case, generate of a
// generation, backward of an operator with gradients, else forward. tools/results/headline.py is
// the same for programs in Python.
//
//   const Measurement* shown = record::HeadlineMeasurement(record);
// ---------------------------------------------------------------------------------------------

#include "defs/proto/record.pb.h"

namespace assay::record {

// The first measurement of the headline's step; the first of all where --steps left that step out.
// Null for a record without measurements.
const Measurement* HeadlineMeasurement(const Record& record);

}  // namespace assay::record

#endif  // ASSAY_BENCHMARKS_HARNESS_RECORD_HEADLINE_H_

#include "benchmarks/harness/record/headline.h"

namespace assay::record {

const Measurement* HeadlineMeasurement(const Record& record) {
  for (const Measurement& m : record.measurements()) {
    if (m.headline()) return &m;
  }
  return record.measurements().empty() ? nullptr : &record.measurements(0);
}

}  // namespace assay::record

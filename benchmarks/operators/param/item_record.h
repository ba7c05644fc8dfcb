#ifndef ASSAY_BENCHMARKS_OPERATORS_PARAM_ITEM_RECORD_H_
#define ASSAY_BENCHMARKS_OPERATORS_PARAM_ITEM_RECORD_H_

// ---------------------------------------------------------------------------------------------
// item_record.h: an input's record, as every run of this suite has one (defs/proto/record.proto). It is
// not verified: PARAM's configurations come without references.
//
// Example:
//   Record record = NewItemRecord(settings, "torch.mm", "torch.mm|0|0|0", start);
// ---------------------------------------------------------------------------------------------

#include <string>

#include "absl/status/status.h"
#include "absl/time/time.h"
#include "benchmarks/harness/sampling/presets.h"
#include "benchmarks/operators/param/settings.h"
#include "defs/proto/record.pb.h"

namespace assay::param {

// Without figures; outcome NOT_VERIFIED.
Record NewItemRecord(const Settings& settings, const std::string& operator_name,
                     const std::string& run_id, absl::Time start);

// Adds the figures. InvalidArgument for a sample that is not finite.
absl::Status AddMeasurements(const sampling::PresetResult& result, const Settings& settings,
                             Record& record);

// Sets the outcome if an error of this class is one; returns whether it is.
bool SetOutcome(const std::string& error_class, const std::string& message, Record& record);

}  // namespace assay::param

#endif  // ASSAY_BENCHMARKS_OPERATORS_PARAM_ITEM_RECORD_H_

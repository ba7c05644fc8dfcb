#ifndef ASSAY_BENCHMARKS_HARNESS_RECORD_REPEATED_NAMES_H_
#define ASSAY_BENCHMARKS_HARNESS_RECORD_REPEATED_NAMES_H_

// ---------------------------------------------------------------------------------------------
// repeated_names.h: whether each name stands once in its object of JSON. JSON allows a name twice,
// and of two values most readers, Protocol Buffers' among them, take the last one or mix them: a
// line that begins with a failure would be read as a pass.
//
// Not for: what the names mean (strict_json.h).
//
// Example:
//   if (absl::Status status = CheckNamesOnce(line); !status.ok()) return status;
// ---------------------------------------------------------------------------------------------

#include <string_view>

#include "absl/status/status.h"

namespace assay::record {

// InvalidArgument for a name that stands twice in one object, and for what is no JSON.
absl::Status CheckNamesOnce(std::string_view json);

}  // namespace assay::record

#endif  // ASSAY_BENCHMARKS_HARNESS_RECORD_REPEATED_NAMES_H_

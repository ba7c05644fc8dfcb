// -----------------------------------------------------------------------------
// File: strict_json.h
// -----------------------------------------------------------------------------
//
// A Record as one line of JSON that every JSON reader accepts, and back.
//
// Field names are those of record.proto, enum values are names, and, as in all JSON of Protocol
// Buffers, fields that are unset or zero are left out and 64-bit integers are strings. NaN and
// infinity are not JSON, and protobuf's way of writing them (as strings) breaks readers that expect
// a number: a record that holds one is refused, with the name of the field, both ways. So is text
// that is not UTF-8.
//
// Not for files: record_file.h appends such lines to one.
//
//   absl::StatusOr<std::string> line = assay::record::ToJsonLine(record);   // no newline in it

#ifndef ASSAY_BENCHMARKS_HARNESS_RECORD_STRICT_JSON_H_
#define ASSAY_BENCHMARKS_HARNESS_RECORD_STRICT_JSON_H_

#include <string>
#include <string_view>

#include "absl/status/statusor.h"
#include "defs/proto/record.pb.h"

namespace assay::record {

// InvalidArgument when a number is not finite or a text is not UTF-8; the message holds the path of
// the field, such as measurements[0].samples_ns[3]. Also for a record without an outcome, unless it
// is the end of a suite's run.
absl::StatusOr<std::string> ToJsonLine(const Record& record);

// Unknown fields are ignored, so that this version reads records of later ones with the same
// schema_version. InvalidArgument for anything that is not one JSON object of a record with an
// outcome that this version knows, or of the end of a suite's run, and for what ToJsonLine refuses;
// Unimplemented for another schema_version.
absl::StatusOr<Record> FromJsonLine(std::string_view line);

}  // namespace assay::record

#endif  // ASSAY_BENCHMARKS_HARNESS_RECORD_STRICT_JSON_H_

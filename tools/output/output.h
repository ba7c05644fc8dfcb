// -----------------------------------------------------------------------------
// File: output.h
// -----------------------------------------------------------------------------
//
// What the programs under tools/ have in common where they print: the formats that every table can
// be had in, and CSV's quoting.
//
// Not for tables themselves: each program's report.h.
//
//   absl::StatusOr<Format> format = assay::output::ParseFormat("json");

#ifndef ASSAY_TOOLS_OUTPUT_OUTPUT_H_
#define ASSAY_TOOLS_OUTPUT_OUTPUT_H_

#include <string>
#include <string_view>

#include "absl/status/statusor.h"

namespace assay::output {

enum class Format { kText, kJson, kCsv };

// InvalidArgument with the list of names for any text but "text", "json" and "csv".
absl::StatusOr<Format> ParseFormat(std::string_view name);

// A field of CSV (RFC 4180): quoted where it holds a comma, a quote or a line's end.
std::string CsvField(std::string_view text);

}  // namespace assay::output

#endif  // ASSAY_TOOLS_OUTPUT_OUTPUT_H_

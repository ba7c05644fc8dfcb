// -----------------------------------------------------------------------------
// File: output.h
// -----------------------------------------------------------------------------
//
// What the programs under tools/ have in common where they print: the formats that every table can
// be had in, CSV's quoting, and times.
//
// Not for tables themselves: each program's report.h.
//
//   base::ParseFlags({{"format", FormatFlag(options.format)}}, words);

#ifndef ASSAY_TOOLS_OUTPUT_OUTPUT_H_
#define ASSAY_TOOLS_OUTPUT_OUTPUT_H_

#include <string>
#include <string_view>

#include "benchmarks/harness/base/flags.h"

namespace assay::output {

enum class Format { kText, kJson, kCsv };

// --format=text, json or csv. `target` must outlive it.
base::Flag FormatFlag(Format& target);

// "221.3 us", "1.204 s"; "-" for what is not more than 0.
std::string TimeText(double ns);

// A field of CSV (RFC 4180): quoted where it holds a comma, a quote or a line's end.
std::string CsvField(std::string_view text);

}  // namespace assay::output

#endif  // ASSAY_TOOLS_OUTPUT_OUTPUT_H_

// -----------------------------------------------------------------------------
// File: output.h
// -----------------------------------------------------------------------------
//
// Code for all programs that print: the formats that every table can be had in, a
// table's columns, times and figures, and CSV's quoting.
//
// Not for what tables say: each program's report.h.
//
//   base::ParseFlags({{"format", FormatFlag(options.format)}}, words);
//   std::cout << TextTable({{"case", "time"}, {"mlp", TimeText(2.5e6)}}, {0});

#ifndef ASSAY_TOOLS_OUTPUT_OUTPUT_H_
#define ASSAY_TOOLS_OUTPUT_OUTPUT_H_

#include <cstddef>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "benchmarks/harness/base/flags.h"

namespace assay::output {

enum class Format { kText, kJson, kCsv };

// --format=text, json or csv. `target` must outlive it.
base::Flag FormatFlag(Format& target);

// "221.3 us", "1.204 s", below a microsecond with three digits at most; "-" for what is no time.
std::string TimeText(double ns, int digits = 4);

// A figure with the digits that are known: the last one is of the size of the first digit of half its
// interval's width. "42.8" of 42.7553 and 0.0054, "120" of 115 and .36; 2 digits at
// least, 6 at most. `half_width` is a share of the value; where it is 0 or unknown (NaN): four digits, and
// all before the point.
std::string FigureText(double value, double half_width = 0);

// A field of CSV (RFC 4180): quoted where it holds a comma, a quote or a line's end.
std::string CsvField(std::string_view text);

// Rows of as many cells each, the first one a head with a line below it. Columns are padded to their
// widest; those of `left` begin where they begin, all others end where they end, as numbers do.
std::string TextTable(const std::vector<std::vector<std::string>>& rows,
                      const std::set<size_t>& left);

}  // namespace assay::output

#endif  // ASSAY_TOOLS_OUTPUT_OUTPUT_H_

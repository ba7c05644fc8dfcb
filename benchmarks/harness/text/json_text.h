#ifndef ASSAY_BENCHMARKS_HARNESS_TEXT_JSON_TEXT_H_
#define ASSAY_BENCHMARKS_HARNESS_TEXT_JSON_TEXT_H_

// ---------------------------------------------------------------------------------------------
// json_text.h: strings and numbers as JSON has them, for files that are written piece by piece.
//
// Not for: records and tables, which are trees of nlohmann/json.
//
// Example:
//   absl::StrAppend(&line, "{\"name\":", JsonText(name), ",\"value\":", JsonNumber(0.1), "}");
// ---------------------------------------------------------------------------------------------

#include <string>
#include <string_view>

namespace assay::base {

// With quotes. Bytes that are no UTF-8 become U+FFFD.
std::string JsonText(std::string_view text);

// 0.1, 1.0, 1e-08; "nan" and "inf" with quotes. Reading it gives the same bits.
std::string JsonNumber(double number);

}  // namespace assay::base

#endif  // ASSAY_BENCHMARKS_HARNESS_TEXT_JSON_TEXT_H_

#include "benchmarks/harness/text/json_text.h"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <iterator>

#include "absl/strings/str_cat.h"
#include "nlohmann/json.hpp"

namespace assay::base {

std::string JsonText(std::string_view text) {
  // Most texts are names: nothing in them is escaped.
  if (std::all_of(text.begin(), text.end(),
                  [](char c) { return c >= ' ' && c <= '~' && c != '"' && c != '\\'; }))
    return absl::StrCat("\"", text, "\"");
  return nlohmann::json(text).dump(-1, ' ', /*ensure_ascii=*/false,
                                   nlohmann::json::error_handler_t::replace);
}

std::string JsonNumber(double number) {
  if (std::isnan(number)) return "\"nan\"";
  if (std::isinf(number)) return number > 0 ? "\"inf\"" : "\"-inf\"";
  char text[32];
  const auto end = std::to_chars(std::begin(text), std::end(text), number).ptr;
  const std::string_view digits(text, static_cast<size_t>(end - text));
  // A reader takes a number without point and exponent for a whole one.
  return absl::StrCat(digits, digits.find_first_of(".e") == std::string_view::npos ? ".0" : "");
}

}  // namespace assay::base

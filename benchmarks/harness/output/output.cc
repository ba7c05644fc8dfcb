#include "benchmarks/harness/output/output.h"

#include <algorithm>
#include <cmath>

#include "absl/status/status.h"
#include "absl/strings/ascii.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_format.h"
#include "absl/strings/str_replace.h"

namespace assay::output {
namespace {

// In characters: UTF-8's continuation bytes take no place.
size_t WidthOf(std::string_view text) {
  return static_cast<size_t>(std::count_if(
      text.begin(), text.end(), [](char c) { return (static_cast<unsigned char>(c) >> 6) != 2; }));
}

}  // namespace

base::Flag FormatFlag(Format& target) {
  return {.set = [&target](const std::string& name) {
    if (name == "text") {
      target = Format::kText;
    } else if (name == "json") {
      target = Format::kJson;
    } else if (name == "csv") {
      target = Format::kCsv;
    } else {
      return absl::InvalidArgumentError("one of text, json, csv");
    }
    return absl::OkStatus();
  }};
}

std::string CsvField(std::string_view text) {
  if (text.find_first_of(",\"\r\n") == std::string_view::npos) return std::string(text);
  return absl::StrCat("\"", absl::StrReplaceAll(text, {{"\"", "\"\""}}), "\"");
}

std::string TextTable(const std::vector<std::vector<std::string>>& rows,
                      const std::set<size_t>& left) {
  std::vector<size_t> widths(rows.at(0).size(), 0);
  for (const std::vector<std::string>& row : rows) {
    for (size_t i = 0; i < row.size(); ++i) widths[i] = std::max(widths[i], WidthOf(row[i]));
  }
  std::string text;
  for (size_t r = 0; r < rows.size(); ++r) {
    std::string line;
    for (size_t i = 0; i < rows[r].size(); ++i) {
      const std::string pad(widths[i] - WidthOf(rows[r][i]), ' ');
      absl::StrAppend(&line, i == 0 ? "" : "  ",
                      left.contains(i) ? rows[r][i] + pad : pad + rows[r][i]);
    }
    const size_t width = WidthOf(line);
    absl::StrAppend(&text, absl::StripTrailingAsciiWhitespace(line), "\n");
    if (r == 0) absl::StrAppend(&text, std::string(width, '-'), "\n");
  }
  return text;
}

std::string TimeText(double ns, int digits) {
  if (!(ns > 0)) return "-";
  if (ns < 1e3) return absl::StrFormat("%.*g ns", std::min(digits, 3), ns);
  if (ns < 1e6) return absl::StrFormat("%.*g us", digits, ns / 1e3);
  if (ns < 1e9) return absl::StrFormat("%.*g ms", digits, ns / 1e6);
  return absl::StrFormat("%.*g s", digits, ns / 1e9);
}

std::string FigureText(double value, double half_width) {
  const double size = std::abs(value);
  if (!(half_width > 0) || size == 0 || !std::isfinite(value)) {
    return size >= 1000 && size < 1e15 ? absl::StrFormat("%.0f", value)
                                       : absl::StrFormat("%.4g", value);
  }
  // The places of the first and of the last digit: 0 is the ones, 1 the tens.
  const double first = std::floor(std::log10(size));
  const double last = std::clamp(std::floor(std::log10(size * half_width)), first - 5, first - 1);
  if (first < -4 || first >= 15)
    return absl::StrFormat("%.*g", static_cast<int>(first - last) + 1, value);
  if (last <= 0) return absl::StrFormat("%.*f", static_cast<int>(-last), value);
  const double unit = std::pow(10, last);
  return absl::StrFormat("%.0f", std::round(value / unit) * unit);
}

}  // namespace assay::output

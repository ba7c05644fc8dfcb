#include "tools/roofline/report.h"

#include <array>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <nlohmann/json.hpp>
#include <set>
#include <string_view>
#include <vector>

#include "absl/strings/ascii.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_format.h"
#include "absl/strings/str_join.h"
#include "benchmarks/harness/base/byte_text.h"
#include "benchmarks/harness/base/untrusted_text.h"
#include "tools/output/output.h"

namespace assay::roofline {
namespace {

using Json = nlohmann::ordered_json;

// 0 stands for not known.
Json Number(double value) { return value > 0 && std::isfinite(value) ? Json(value) : Json(); }

Json RowJson(const Row& row) {
  const Estimate share = row.share.value_or(Estimate());
  return {{"case", row.name},
          {"mode", row.mode},
          {"device", row.device},
          {"machine", row.machine},
          {"dtype", DtypeText(row.dtype)},
          {"time_ns", Number(row.time_ns.value)},
          {"time_ci_low_ns", Number(row.time_ns.low)},
          {"time_ci_high_ns", Number(row.time_ns.high)},
          {"flops_per_call", Number(row.flops)},
          {"bytes_per_call", Number(row.bytes)},
          {"intensity_flops_per_byte", Number(row.Intensity())},
          {"flops_per_s", Number(row.FlopsPerSecond())},
          {"bytes_per_s", Number(row.BytesPerSecond())},
          {"bound", std::string(BoundName(row.bound))},
          {"roofline_share", Number(share.value)},
          {"roofline_share_ci_low", Number(share.low)},
          {"roofline_share_ci_high", Number(share.high)},
          {"marks", row.marks},
          {"file", row.file},
          {"started_utc", row.started_utc}};
}

Json PeakJson(const std::optional<Peak>& peak) {
  if (!peak) return {};
  return {{"name", peak->name()},
          {"per_s", Number(peak->per_s())},
          {"ci_low_per_s", Number(peak->ci_low_per_s())},
          {"ci_high_per_s", Number(peak->ci_high_per_s())},
          {"probe", peak->probe()}};
}

std::string PeakText(const Peak& peak, std::string_view unit) {
  return absl::StrFormat("%s %.4g %s (%s)", peak.name(), 1e-9 * peak.per_s(), unit, peak.probe());
}

std::string RoofText(const Roof& roof) {
  std::vector<std::string> parts;
  if (roof.compute) parts.push_back(PeakText(*roof.compute, "GFLOP/s"));
  if (roof.memory) parts.push_back(PeakText(*roof.memory, "GB/s"));
  if (parts.empty()) parts.push_back("not measured");
  return absl::StrCat(DtypeText(roof.dtype), ": ", absl::StrJoin(parts, ", "));
}

std::string Digits(double value) { return value > 0 ? absl::StrFormat("%.4g", value) : "-"; }

std::string CsvCell(const Json& value) {
  if (value.is_null()) return "";
  if (value.is_string()) return output::CsvField(value.get<std::string>());
  if (value.is_array())
    return output::CsvField(absl::StrJoin(value.get<std::vector<std::string>>(), "; "));
  return value.dump();
}

std::string Dumped(const Json& json) {
  return json.dump(1, ' ', false, Json::error_handler_t::replace) + "\n";
}

}  // namespace

std::string DtypeText(Dtype dtype) {
  return dtype == DTYPE_UNSPECIFIED ? "-" : absl::AsciiStrToLower(Dtype_Name(dtype));
}

std::string ShareText(const Row& row) {
  return row.share ? absl::StrFormat("%.3g", 100 * row.share->value) : "-";
}

std::string ShareIntervalText(const Row& row) {
  if (!row.share || !row.share->has_interval()) return "-";
  return absl::StrFormat("%.3g .. %.3g", 100 * row.share->low, 100 * row.share->high);
}

std::string SiText(double value) {
  if (!(value > 0)) return "-";
  constexpr std::array<std::string_view, 6> kPrefixes = {"", " k", " M", " G", " T", " P"};
  size_t prefix = 0;
  while (value >= 999.95 && prefix + 1 < kPrefixes.size()) {
    value /= 1000;
    ++prefix;
  }
  return absl::StrFormat("%.4g%s", value, kPrefixes[prefix]);
}

std::string NotesText(const Analysis& analysis) {
  std::string text;
  for (const std::string& note : analysis.notes) absl::StrAppend(&text, "note       ", note, "\n");
  return text;
}

std::string TextReport(const Analysis& analysis) {
  std::string text;
  const bool several = analysis.machines.size() > 1;
  for (const std::string& machine : analysis.machines) {
    absl::StrAppend(&text, "machine    ", machine, "\n");
    for (const Roof& roof : analysis.roofs) {
      if (roof.machine == machine) absl::StrAppend(&text, "peaks      ", RoofText(roof), "\n");
    }
  }
  std::vector<std::vector<std::string>> rows = {{"case", "mode", "dtype", "time", "FLOPs", "bytes",
                                                 "FLOP/byte", "GFLOP/s", "GB/s", "bound", "share %",
                                                 "95 % interval", "remarks"}};
  if (several) rows[0].push_back("machine");
  for (const Row& row : analysis.rows) {
    constexpr size_t kLongestName = 200;
    rows.push_back({base::Printable(row.name, kLongestName), row.mode, DtypeText(row.dtype),
                    output::TimeText(row.time_ns.value), SiText(row.flops),
                    row.bytes > 0 ? base::ByteText(static_cast<int64_t>(row.bytes)) : "-",
                    Digits(row.Intensity()), Digits(1e-9 * row.FlopsPerSecond()),
                    Digits(1e-9 * row.BytesPerSecond()), std::string(BoundName(row.bound)),
                    ShareText(row), ShareIntervalText(row), absl::StrJoin(row.marks, "; ")});
    if (several) rows.back().push_back(row.machine);
  }
  constexpr size_t kBound = 9, kRemarks = 12, kMachine = 13;
  absl::StrAppend(&text, output::TextTable(rows, {0, 1, 2, kBound, kRemarks, kMachine}),
                  NotesText(analysis));
  return text;
}

std::string JsonReport(const Analysis& analysis) {
  Json json = {{"schema_version", 2},
               {"machines", analysis.machines},
               {"roofs", Json::array()},
               {"rows", Json::array()},
               {"notes", analysis.notes}};
  for (const Roof& roof : analysis.roofs) {
    json["roofs"].push_back({{"machine", roof.machine},
                             {"dtype", DtypeText(roof.dtype)},
                             {"compute_flops", PeakJson(roof.compute)},
                             {"memory_bytes", PeakJson(roof.memory)}});
  }
  for (const Row& row : analysis.rows) json["rows"].push_back(RowJson(row));
  return Dumped(json);
}

std::string CsvReport(const Analysis& analysis) {
  std::vector<std::string> names;
  const Json nothing = RowJson(Row());
  for (const auto& [name, value] : nothing.items()) names.push_back(name);
  std::string text = absl::StrJoin(names, ",") + "\n";
  for (const Row& row : analysis.rows) {
    std::vector<std::string> cells;
    const Json json = RowJson(row);
    for (const auto& [name, value] : json.items()) cells.push_back(CsvCell(value));
    absl::StrAppend(&text, absl::StrJoin(cells, ","), "\n");
  }
  return text;
}

}  // namespace assay::roofline

#include "tools/output/output.h"

#include "absl/status/status.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_format.h"
#include "absl/strings/str_replace.h"

namespace assay::output {

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

std::string TimeText(double ns) {
  if (!(ns > 0)) return "-";
  if (ns < 1e3) return absl::StrFormat("%.3g ns", ns);
  if (ns < 1e6) return absl::StrFormat("%.4g us", ns / 1e3);
  if (ns < 1e9) return absl::StrFormat("%.4g ms", ns / 1e6);
  return absl::StrFormat("%.4g s", ns / 1e9);
}

std::string CsvField(std::string_view text) {
  if (text.find_first_of(",\"\r\n") == std::string_view::npos) return std::string(text);
  return absl::StrCat("\"", absl::StrReplaceAll(text, {{"\"", "\"\""}}), "\"");
}

}  // namespace assay::output

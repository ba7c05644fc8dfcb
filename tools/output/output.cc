#include "tools/output/output.h"

#include "absl/status/status.h"
#include "absl/strings/str_cat.h"
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

std::string CsvField(std::string_view text) {
  if (text.find_first_of(",\"\r\n") == std::string_view::npos) return std::string(text);
  return absl::StrCat("\"", absl::StrReplaceAll(text, {{"\"", "\"\""}}), "\"");
}

}  // namespace assay::output

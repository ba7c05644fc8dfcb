// -----------------------------------------------------------------------------
// File: settings.h
// -----------------------------------------------------------------------------
//
// The command line of //tools:roofline.
//
//   absl::StatusOr<Settings> settings = ParseSettings({"runs.jsonl", "--sort=-share"});

#ifndef ASSAY_TOOLS_ROOFLINE_SETTINGS_H_
#define ASSAY_TOOLS_ROOFLINE_SETTINGS_H_

#include <string>
#include <string_view>
#include <vector>

#include "absl/status/statusor.h"
#include "tools/roofline/analysis.h"

namespace assay::roofline {

struct Settings {
  std::vector<std::string> files;
  std::vector<std::string> peak_files;  // read for their peaks only
  Selection selection;
  Order order;
  std::string format = "table";
  std::string output;  // empty: standard output
  bool help = false;
};

// `words` without the program's name. InvalidArgument as of base::ParseFlags (flags.h), and where no
// file is given.
absl::StatusOr<Settings> ParseSettings(const std::vector<std::string>& words);

std::string_view UsageText();

}  // namespace assay::roofline

#endif  // ASSAY_TOOLS_ROOFLINE_SETTINGS_H_

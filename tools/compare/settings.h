// -----------------------------------------------------------------------------
// File: settings.h
// -----------------------------------------------------------------------------
//
// The command line of //tools:compare.
//
//   absl::StatusOr<Settings> settings =
//       ReadSettings({"--baseline=a.jsonl", "--candidate=b.jsonl"});

#ifndef ASSAY_TOOLS_COMPARE_SETTINGS_H_
#define ASSAY_TOOLS_COMPARE_SETTINGS_H_

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "absl/status/statusor.h"
#include "absl/time/time.h"
#include "benchmarks/harness/base/short_help.h"
#include "tools/compare/decision/campaign.h"

namespace assay::compare {

struct Settings {
  base::Help help = base::Help::kNone;
  std::string baseline;
  std::vector<std::string> candidates;  // each another one
  std::string cases;                    // regular expression; empty: none given
  std::string baseline_build;           // Bazel's flags
  std::string candidate_build;
  std::string modes = "wall";
  double budget_s = 0.4;
  std::string inject;  // "3%"; empty: nothing
  absl::Duration timeout = absl::Minutes(5);
  bool seed_given = false;
  bool then_cpu = true;      // compares CPU times where other programs spoil all wall times
  CampaignOptions campaign;  // its seed is 0 where none was given
  bool gate = false;
  std::string format = "text";  // text, json or csv
  std::string json_path;
  std::string csv_path;
  std::string parts_path;      // comparisons that other machines made (parts.h); empty: none
  std::string plot_path;       // ends with .svg, .png or .html; empty: no picture
  std::string working_folder;  // the folder in which a program side starts; main sets it
};

// The metric, and the error rate that belongs to it.
void UseMetric(Metric metric, CampaignOptions& options);

// InvalidArgument for an unknown flag, a malformed value, or a missing side.
absl::StatusOr<Settings> ReadSettings(const std::vector<std::string>& arguments);

// "3%" or "0.03" -> .03. InvalidArgument for anything else, and for less than 0 or more than 10.
absl::StatusOr<double> ParseShare(std::string_view text);

// --help=all.
std::string_view UsageText();
// --help.
const base::ShortHelp& ShortUsage();

}  // namespace assay::compare

#endif  // ASSAY_TOOLS_COMPARE_SETTINGS_H_

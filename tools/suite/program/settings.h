// -----------------------------------------------------------------------------
// File: settings.h
// -----------------------------------------------------------------------------
//
// The command line of //tools:run_suite.
//
//   absl::StatusOr<Settings> settings =
//       ReadSettings({"-k", "^resnet18_", "--dtype=fp32", "--dry-run"}, devices);

#ifndef ASSAY_TOOLS_SUITE_PROGRAM_SETTINGS_H_
#define ASSAY_TOOLS_SUITE_PROGRAM_SETTINGS_H_

#include <string>
#include <vector>

#include "absl/status/statusor.h"
#include "tools/output/output.h"
#include "tools/suite/launch/run_options.h"
#include "tools/suite/plan/plan.h"
#include "tools/suite/plan/suite_data.pb.h"

namespace assay::suite {

enum class Action { kRun, kList, kDryRun, kPrintCommands, kListTiers };

struct Settings {
  bool help = false;
  Action action = Action::kRun;
  output::Format format = output::Format::kText;  // of --dry-run
  PlanRequest request;                            // without data: tiers, known skips
  std::vector<std::string> skip_files;            // --skips
  RunOptions run;
  bool out_given = false;  // --out; else it is the default's
  std::string preset;      // "preset quick: --modes=wall ..."; empty: none
};

// InvalidArgument for an unknown flag, a malformed value, flags that do not go together, and what a
// preset cannot mean here.
absl::StatusOr<Settings> ReadSettings(const std::vector<std::string>& words,
                                      const DeviceSpecs& devices);

std::string UsageText();

}  // namespace assay::suite

#endif  // ASSAY_TOOLS_SUITE_PROGRAM_SETTINGS_H_

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
#include "benchmarks/harness/base/short_help.h"
#include "benchmarks/harness/output/output.h"
#include "tools/suite/launch/processes/run_options.h"
#include "tools/suite/plan/plan.h"
#include "tools/suite/plan/suite_data.pb.h"

namespace assay::suite {

enum class Action { kRun, kCompare, kList, kDryRun, kPrintCommands, kListTiers, kListOthers };

struct Settings {
  base::Help help = base::Help::kNone;
  Action action = Action::kRun;
  output::Format format = output::Format::kText;  // format of --dry-run
  PlanRequest request;                  // without other suites' names and known skips (data files)
  std::vector<std::string> skip_files;  // --skips
  RunOptions run;
  bool out_given = false;                  // whether --out was given; else the default
  bool report = false;                     // --report: a page of the results when the run has ended
  std::vector<std::string> compare_flags;  // --compare-flags, one flag each
  std::vector<std::string> candidates = {};  // --candidate: libraries or sources with a kernel
  std::string like = {}, op = {};            // of them
  std::string preset;                        // "preset quick: --modes=wall ..."; empty: none
};

// The build of the suite, which is also that of its cases where --build says nothing else.
struct Build {
  DeviceType default_device = CPU;
  std::string flags = {};  // "--config=cuda --//benchmarks/backends=//my:lib"
};

// InvalidArgument for an unknown flag, a malformed value, flags that contradict each other, a back
// end that neither this tree has nor a library of the build may, and a preset that has no meaning
// here.
absl::StatusOr<Settings> ReadSettings(const std::vector<std::string>& words,
                                      const DeviceSpecs& devices, const Build& build = {});

// --help=all.
std::string UsageText();
// --help.
const base::ShortHelp& ShortUsage();

}  // namespace assay::suite

#endif  // ASSAY_TOOLS_SUITE_PROGRAM_SETTINGS_H_

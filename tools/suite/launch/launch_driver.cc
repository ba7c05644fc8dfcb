// Runs a plan from a file, for tests of run_configurations.h:
//   launch_driver --plan=FILE --out=FOLDER
// A line of the file is a configuration: its name, then flags of the case's runner. The name is a
// label, or a word for one: "a.1" and "a.2" are two ways to call //a:a. "!reason" after the name
// leaves it out.
#include <fstream>
#include <string>
#include <vector>

#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_split.h"
#include "benchmarks/harness/base/flags.h"
#include "benchmarks/harness/processes/program_main.h"
#include "tools/suite/launch/processes/run_options.h"
#include "tools/suite/launch/run_configurations.h"
#include "tools/suite/planned_run.h"

namespace assay::suite {
namespace {

PlannedRun Read(const std::string& line) {
  std::vector<std::string> words = absl::StrSplit(line, ' ', absl::SkipEmpty());
  PlannedRun c;
  c.name = words[0];
  c.case_name = c.name.substr(c.name.find(':') + 1);
  c.case_name = c.case_name.substr(0, c.case_name.find('.'));
  c.label = absl::StartsWith(c.name, "//") ? c.name : absl::StrCat("//a:", c.case_name);
  for (size_t i = 1; i < words.size(); ++i) {
    if (absl::StartsWith(words[i], "!")) {
      c.skip_reason = words[i].substr(1);
    } else {
      c.flags.push_back(words[i]);
    }
  }
  c.benchmark_case.set_name(c.case_name);
  c.benchmark_case.set_label(c.label);
  return c;
}

absl::StatusOr<int> Main(const std::vector<std::string>& words) {
  RunOptions options;
  std::string plan_file;
  base::FlagTable flags = {{"plan", base::TextFlag(plan_file)}};
  AddRunFlags(options, flags);
  base::GivenFlags given;
  absl::Status status = base::ParseFlags(
      flags, words, "", [&given](const std::string& name, absl::Span<const std::string> typed) {
        base::NoteGiven(name, typed, given);
      });
  if (status.ok()) status = base::CheckFlagRules(RunRules(), given);
  if (status.ok()) status = CheckRunOptions(options);
  if (!status.ok()) return status;
  options.flags = words;
  std::vector<PlannedRun> plan;
  std::ifstream file(plan_file);
  for (std::string line; std::getline(file, line);) plan.push_back(Read(line));
  return RunConfigurations(plan, options);
}

}  // namespace
}  // namespace assay::suite

int main(int argc, char** argv) {
  return assay::processes::ProgramMain(argc, argv,
                                       {.name = "run_suite", .run = assay::suite::Main});
}

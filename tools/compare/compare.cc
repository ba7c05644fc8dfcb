// Compares two sides of benchmark cases; settings.cc's usage says how to call it. Puts the parts
// together: command line, sides, campaign, report. Not for: statistics (decision.h).
#include <unistd.h>

#include <algorithm>
#include <csignal>
#include <cstdlib>
#include <filesystem>
#include <iostream>
#include <random>
#include <string>
#include <system_error>
#include <utility>
#include <vector>

#include "absl/algorithm/container.h"
#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "absl/time/clock.h"
#include "absl/time/time.h"
#include "benchmarks/harness/base/exit_code.h"
#include "benchmarks/harness/base/own_program.h"
#include "benchmarks/harness/base/short_help.h"
#include "benchmarks/harness/output/progress_line.h"
#include "benchmarks/harness/processes/interrupts.h"
#include "benchmarks/harness/processes/program_main.h"
#include "benchmarks/harness/tensor_files/file_bytes.h"
#include "benchmarks/harness/text/shell_text.h"
#include "tools/compare/compared_cases.h"
#include "tools/compare/parts.h"
#include "tools/compare/recorded_runs.h"
#include "tools/compare/report/progress.h"
#include "tools/compare/report/report.h"
#include "tools/compare/settings.h"
#include "tools/compare/side.h"
#include "tools/processes/program_stamp.h"
#include "tools/processes/tool_program.h"

namespace assay::compare {
namespace {

using base::kSurroundings, base::kUsageError;

constexpr char kReport[] = "//tools/report:report";

std::string Variable(const char* name) {
  const char* value = std::getenv(name);
  return value == nullptr ? "" : value;
}

int Fail(const absl::Status& status, base::ExitCode code) {
  return base::Fail("compare", status.message(), code);
}

base::ExitCode CodeOf(const absl::Status& status) {
  if (absl::IsAborted(status)) return base::kProductWrong;
  return absl::IsInvalidArgument(status) || absl::IsNotFound(status) ? kUsageError : kSurroundings;
}

Report NewReport(const Settings& settings) {
  Report report;
  report.modes = settings.modes;
  report.budget_s = settings.budget_s;
  report.inject = settings.inject;
  report.options = settings.campaign;
  report.gate = settings.gate;
  return report;
}

// Runs the processes of a case, and checks that the programs have not changed.
class Runner {
 public:
  explicit Runner(const std::vector<ComparedCase>& cases) : cases_(cases) {
    for (const ComparedCase& c : cases) {
      for (const MeasuredCommand* command : {&c.baseline, &c.candidate}) {
        stamps_.push_back(processes::StampOf(command->command[0]));
      }
    }
  }

  MeasuredProcess Run(const ProcessRequest& request) const {
    const bool candidate = request.side == SideName::kCandidate;
    const ComparedCase& c = cases_[request.case_index];
    MeasuredCommand command = candidate ? c.candidate : c.baseline;
    command.padding_bytes = request.padding_bytes;
    command.timeout = std::min(command.timeout, request.at_most);
    MeasuredProcess process = RunMeasured(command, &processes::Interrupted());
    if (processes::StampOf(command.command[0]) != stamps_[2 * request.case_index + candidate]) {
      process.outcome = RECORD_FAILED;
      process.message = absl::StrCat(command.command[0],
                                     " changed while it was being compared (a build in the same "
                                     "tree?); nothing can be said of a mixture of two programs");
    }
    return process;
  }

 private:
  const std::vector<ComparedCase>& cases_;
  std::vector<uint64_t> stamps_;
};

absl::StatusOr<Report> CompareLive(const Side& baseline, const std::vector<Side>& candidates,
                                   const Settings& settings) {
  Report report = NewReport(settings);
  if (IsUnderLoad(baseline) && absl::c_all_of(candidates, IsUnderLoad)) report.modes.clear();
  const absl::Time begun = absl::Now();
  absl::StatusOr<ComparedCases> cases =
      ResolveCases(baseline, candidates, settings, Variable("BUILD_WORKSPACE_DIRECTORY"),
                   &processes::Interrupted());
  if (!cases.ok()) return cases.status();
  report.baseline = cases->baseline;
  report.candidates = cases->candidates;
  report.notes = cases->notes;
  if (!settings.parts_path.empty()) {
    absl::StatusOr<Parts> parts =
        ReadParts((std::filesystem::path(settings.working_folder) / settings.parts_path).string(),
                  settings, cases->ways);
    if (!parts.ok()) return parts.status();
    report.result = std::move(parts->result);
    report.elapsed_s = parts->elapsed_s;
    return report;
  }
  if (absl::Status used = KeepUsers(*cases, &processes::Interrupted()); !used.ok()) return used;
  report.notes = cases->notes;
  report.same_sides = settings.candidates == std::vector{settings.baseline} &&
                      settings.inject.empty() &&
                      settings.baseline_build == settings.candidate_build;
  std::vector<std::string> names;
  for (const ComparedCase& c : cases->cases) names.push_back(c.name);
  const absl::Time start = absl::Now();  // of the processes, whose progress is shown
  report.building_s = absl::ToDoubleSeconds(start - begun);
  const Runner runner(cases->cases);
  CampaignOptions options = settings.campaign;
  report.options.two_cases = options.two_cases = cases->two_cases;
  if (options.within < absl::InfiniteDuration())
    options.trial_order = DrawnOrder(cases->cases, options.seed);
  output::ProgressLine line(std::cerr, isatty(STDERR_FILENO) == 1, start);
  report.result = RunCampaign(
      names, options, [&](const ProcessRequest& request) { return runner.Run(request); },
      [&](const CampaignProgress& progress) {
        if (!progress.notice.empty()) {
          line.Clear();
          std::cerr << "compare: " << progress.notice << "\n";
        }
        line.Show(ProgressText(progress, absl::Now() - start), absl::Now());
      },
      &processes::Interrupted());
  for (size_t i = 0; i < cases->cases.size(); ++i) {
    report.result.cases[i].label = cases->cases[i].label;
    report.result.cases[i].way = cases->cases[i].way;
    report.result.cases[i].uses = cases->cases[i].uses;
  }
  for (const std::string& label : cases->only_in_baseline) {
    report.result.cases.push_back({.name = label, .lost = {"the candidate has no such case"}});
  }
  line.Clear();
  report.elapsed_s = absl::ToDoubleSeconds(absl::Now() - begun);
  return report;
}

// As CompareLive(); compares CPU times where wall times say nothing and the user named no metric.
absl::StatusOr<Report> CompareByTurns(const Side& baseline, const std::vector<Side>& candidates,
                                      const Settings& settings) {
  absl::StatusOr<Report> report = CompareLive(baseline, candidates, settings);
  // Parts were measured elsewhere, and all by one metric.
  const bool again_here = settings.then_cpu && settings.parts_path.empty();
  if (!report.ok() || !again_here || !CpuTimesWouldTell(report->result)) return report;
  Settings again = settings;
  UseMetric(Metric::kCpu, again.campaign);
  again.campaign.within -= report->result.measuring;
  std::cerr << "compare: other programs spoil the wall times here, so CPU times are compared "
               "(--metric=cpu); with --metric=wall it would end without an answer\n";
  const double elapsed_s = report->elapsed_s;
  report = CompareLive(baseline, candidates, again);
  if (!report.ok()) return report;
  report->elapsed_s += elapsed_s;
  report->notes.push_back(
      "wall times were not compared: other programs took the CPUs in all pairs, so these are CPU "
      "times; --metric=wall on a quiet machine says how long a user waits");
  return report;
}

absl::StatusOr<Report> CompareFiles(const Side& baseline, const Side& candidate,
                                    const Settings& settings) {
  if (!settings.inject.empty()) {
    return absl::InvalidArgumentError("--inject changes runs, and these are over");
  }
  Report report = NewReport(settings);
  report.recorded_runs = true;
  report.budget_s = 0;
  report.options.rules.looks = 1;
  report.baseline = baseline.subject;
  report.candidates = {candidate.subject};
  absl::StatusOr<RecordedRuns> runs =
      CompareRecords(baseline.subject, candidate.subject, settings.campaign, settings.cases);
  if (!runs.ok()) return runs.status();
  report.result = std::move(runs->result);
  report.notes = std::move(runs->notes);
  return report;
}

absl::StatusOr<Report> Compare(const Settings& settings, const std::string& folder) {
  const absl::StatusOr<Side> baseline = ParseSide(settings.baseline, folder);
  if (!baseline.ok()) return baseline.status();
  std::vector<Side> candidates;
  const bool files = baseline->kind == SideKind::kRecords;
  for (const std::string& text : settings.candidates) {
    absl::StatusOr<Side> candidate = ParseSide(text, folder);
    if (!candidate.ok()) return candidate.status();
    if (files != (candidate->kind == SideKind::kRecords)) {
      return absl::InvalidArgumentError(
          "a file of records compares with another one only: the other side's runs would be made "
          "on another day");
    }
    candidates.push_back(*std::move(candidate));
  }
  if (!files) return CompareByTurns(*baseline, candidates, settings);
  if (candidates.size() > 1)
    return absl::InvalidArgumentError("a file of records compares with one other file at a time");
  return CompareFiles(*baseline, candidates[0], settings);
}

// Prints and writes the report; returns the exit code.
int Publish(const Report& report, const Settings& settings, const std::string& folder) {
  int code = ExitCodeOf(report);
  std::cout << (settings.format == "json"  ? JsonReport(report)
                : settings.format == "csv" ? CsvReport(report)
                                           : TextReport(report))
            << std::flush;
  const std::filesystem::path base(folder);
  for (const auto& [path, text] : {std::pair(settings.json_path, JsonReport(report)),
                                   std::pair(settings.csv_path, CsvReport(report))}) {
    if (path.empty()) continue;
    const absl::Status written = tensor_files::WriteFileAtomically((base / path).string(), text);
    if (written.ok()) continue;
    code =
        Fail(absl::UnavailableError(absl::StrCat("cannot write ", path, ": ", written.message())),
             kSurroundings);
  }
  return code;
}

// Why there is nothing to draw; empty where there is. A page shows comparisons without a ratio, too.
std::string WhyNoPicture(const CampaignResult& result, const std::string& path) {
  const bool any = absl::c_any_of(
      result.series, [](const SeriesResult& series) { return series.estimate.has_value(); });
  if (result.series.empty()) return "nothing was compared";
  return any || absl::EndsWith(path, ".html") ? "" : "no ratio was found";
}

// Has the report drawn; the path of the picture goes to standard output.
absl::StatusOr<int> Plot(const Report& report, const std::string& path) {
  std::string pattern = (std::filesystem::temp_directory_path() / "assay_compare_XXXXXX").string();
  if (mkdtemp(pattern.data()) == nullptr) {
    return absl::UnavailableError(absl::StrCat("--plot: cannot make the folder ", pattern));
  }
  const std::string json = pattern + "/compare.json";
  absl::StatusOr<int> code = 0;
  if (absl::Status written = tensor_files::WriteFileAtomically(json, JsonReport(report));
      !written.ok()) {
    code = std::move(written);
  } else {
    const std::string format = path.substr(path.rfind('.') + 1);
    code = processes::RunTool(
        Variable("BUILD_WORKSPACE_DIRECTORY"), kReport,
        {json, absl::StrCat("--format=", format), absl::StrCat("--out=", path)}, {}, nullptr);
  }
  std::error_code ignored;
  std::filesystem::remove_all(pattern, ignored);
  return code;
}

// For whoever wants to make the comparison again.
std::string CommandText(const std::vector<std::string>& arguments) {
  std::string text = base::RunCommand("//tools:compare");
  for (const std::string& argument : arguments)
    absl::StrAppend(&text, " ", base::ShellWord(argument));
  return text;
}

absl::StatusOr<int> Main(const std::vector<std::string>& arguments) {
  absl::StatusOr<Settings> settings = ReadSettings(arguments);
  if (!settings.ok()) return settings.status();
  if (settings->help == base::Help::kAll) return processes::Print(UsageText());
  if (settings->help == base::Help::kShort) {
    return processes::Print(base::ShortHelpText(ShortUsage()));
  }
  if (!settings->seed_given) settings->campaign.seed = std::random_device()();
  processes::CatchInterrupts();  // the first one ends the campaign, which reports what it has
  std::signal(SIGPIPE, SIG_IGN);
  // `bazel run` starts programs in their runfiles; the user's paths begin at the user's folder.
  std::string folder = Variable("BUILD_WORKING_DIRECTORY");
  if (folder.empty()) folder = std::filesystem::current_path().string();
  settings->working_folder = folder;
  absl::StatusOr<Report> report = Compare(*settings, folder);
  if (report.ok()) report->command = CommandText(arguments);
  if (!report.ok()) return Fail(report.status(), CodeOf(report.status()));
  const int code = Publish(*report, *settings, folder);
  if (settings->plot_path.empty()) return code;
  const std::string none = WhyNoPicture(report->result, settings->plot_path);
  if (!none.empty()) {
    std::cerr << "compare: no picture " << settings->plot_path << ", since " << none
              << "; the reason stands above\n";
    return code != 0 ? code : kSurroundings;
  }
  const absl::StatusOr<int> plotted =
      Plot(*report, (std::filesystem::path(folder) / settings->plot_path).string());
  const int plot_code = plotted.ok() ? *plotted : Fail(plotted.status(), kSurroundings);
  return code != 0 ? code : plot_code;
}

}  // namespace
}  // namespace assay::compare

int main(int argc, char** argv) {
  return assay::processes::ProgramMain(argc, argv,
                                       {.name = "compare", .run = assay::compare::Main});
}

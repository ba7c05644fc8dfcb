#include "benchmarks/harness/runner/series/case_series.h"

#include <algorithm>
#include <cstdio>
#include <fstream>
#include <map>
#include <set>
#include <utility>

#include "absl/status/status.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_split.h"
#include "benchmarks/harness/base/exit_code.h"
#include "benchmarks/harness/base/own_program.h"
#include "benchmarks/harness/processes/child_process.h"
#include "benchmarks/harness/processes/command_lines.h"
#include "benchmarks/harness/processes/series.h"
#include "benchmarks/harness/tensor_files/file_bytes.h"

namespace assay::runner {
namespace {

std::set<std::string> LinesOf(const std::string& path) {
  std::set<std::string> lines;
  std::ifstream file(path);
  for (std::string line; std::getline(file, line);) lines.insert(line);
  return lines;
}

processes::CommandLines ArgumentsOf(const std::vector<SeriesCase>& cases) {
  processes::CommandLines lines;
  for (const SeriesCase& c : cases) lines.push_back(c.arguments);
  return lines;
}

}  // namespace

absl::StatusOr<std::vector<SeriesCase>> ReadSeriesCases(const std::string& path) {
  std::ifstream file(path);
  if (!file) return absl::NotFoundError(absl::StrCat(path, ": no such file"));
  std::vector<SeriesCase> cases;
  for (std::string line; std::getline(file, line);) {
    const std::vector<std::string> words = absl::StrSplit(line, ' ', absl::SkipEmpty());
    if (words.size() < 4) {
      return absl::InvalidArgumentError(absl::StrCat(
          path, ", line ", cases.size() + 1, ": want TEST ACTION CASE ARGUMENT..., not: ", line));
    }
    cases.push_back({.test = words[0],
                     .testimony = absl::StrCat(words[1], " ", words[2]),
                     .arguments = {words.begin() + 3, words.end()}});
  }
  if (cases.empty()) return absl::InvalidArgumentError(absl::StrCat(path, ": no case in it"));
  return cases;
}

int RunCases(const std::vector<SeriesCase>& cases, const CaseSeriesOptions& options,
             const std::atomic<bool>* interrupted, std::ostream& out) {
  const std::string series = options.folder + "/series", testimony = options.folder + "/testimony";
  std::remove(testimony.c_str());
  const absl::Status written =
      tensor_files::WriteFileAtomically(series, processes::CommandLinesText(ArgumentsOf(cases)));
  if (!written.ok()) {
    out << written.message() << "\n";
    return base::kSurroundings;
  }
  std::map<size_t, std::string> lost;
  const absl::StatusOr<int> code = processes::RunSeries(
      series + ".journal",
      [&](int64_t first) {
        return processes::ChildCommand{.arguments = {options.runner, "--series=" + series,
                                                     absl::StrCat("--series-first=", first)},
                                       .environment = {"ASSAY_TESTIMONY=" + testimony},
                                       .show_errors = true,
                                       .show_output = true};
      },
      [&](const processes::LostItem& item) {
        const bool time_was_up = item.end.ending == processes::Ending::kInterrupted;
        lost[static_cast<size_t>(item.item)] =
            time_was_up ? "interrupted" : absl::StrCat("CRASH: ", Describe(item.end));
      },
      interrupted);
  if (!code.ok()) out << code.status().message() << "\n";
  const std::set<std::string> testified = LinesOf(testimony);
  size_t wrong = 0;
  for (size_t i = 0; i < cases.size(); ++i) {
    const auto of_case = lost.find(i);
    if (of_case == lost.end() && testified.count(cases[i].testimony) > 0) continue;
    ++wrong;
    out << "NOT RIGHT  " << cases[i].testimony;
    if (of_case != lost.end()) out << ": " << of_case->second;
    out << "\n           alone: " << base::TestCommand(cases[i].test) << "\n";
  }
  out << cases.size() - wrong << " of " << cases.size() << " cases have come to their verdict\n";
  if (!code.ok() || !lost.empty()) return 1;
  return std::max(*code, wrong > 0 ? 1 : 0);
}

}  // namespace assay::runner

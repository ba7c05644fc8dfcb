// Every functional public operator of ATen with sample arguments: which run, which agree with
// float64, and why the rest do not.
//
//   tools/bazel run //benchmarks/operators:sweep -- --out=sweep.jsonl
//   tools/bazel run //benchmarks/operators:sweep -- --against=sweep.jsonl
#include <ATen/Parallel.h>
#include <unistd.h>

#include <algorithm>
#include <atomic>
#include <csignal>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <iostream>
#include <map>
#include <regex>
#include <string>
#include <vector>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_format.h"
#include "benchmarks/harness/base/flags.h"
#include "benchmarks/harness/processes/series.h"
#include "benchmarks/operators/sweep/operator_check.h"
#include "benchmarks/operators/sweep/sample_table.h"
#include "benchmarks/operators/sweep/sweep_report.h"

namespace assay::sweep {
namespace {

constexpr char kSamples[] =
#include "benchmarks/operators/sweep/samples.inc"
    ;

constexpr char kUsage[] =
    R"(Calls every functional public operator of ATen with sample arguments on the CPU.

  --filter=REGEX   only operators whose names match, e.g. '^aten::conv'
  --out=FILE       writes a line of JSON for each operator
  --against=FILE   compares with what --out wrote before, perhaps with another LibTorch: exit code 1
                   where an operator is no longer verified, or gone
  --verbose        names every operator that was not verified, not the first few of each reason

Exit codes: 0; 1 an operator differs from float64, or from itself, or crashed (with --against: only
where it did not before); 2 the surroundings; 3 usage.
)";

// An operator that takes longer has hung: the slowest takes 0.1 s.
constexpr absl::Duration kTimeout = absl::Seconds(30);

std::atomic<bool> interrupted{false};

struct Options {
  bool help = false, verbose = false;
  std::string filter = ".", out, against;
  // Of a child.
  std::string journal, results;
  int first = 0;
};

int Usage(std::string_view problem) {
  std::cerr << "sweep: " << problem << "\n";
  return 3;
}

int Surroundings(std::string_view problem) {
  std::cerr << "sweep: " << problem << "\n";
  return 2;
}

std::vector<c10::OperatorName> Chosen(const std::string& filter) {
  const std::regex pattern(filter);
  std::vector<c10::OperatorName> names;
  for (const c10::OperatorName& name : FunctionalOperators()) {
    if (std::regex_search(c10::toString(name), pattern)) names.push_back(name);
  }
  return names;
}

int Serve(const Options& options, const std::vector<c10::OperatorName>& names) {
  at::set_num_threads(1);
  const absl::StatusOr<SampleTable> table = SampleTable::Parse(kSamples);
  if (!table.ok()) return Surroundings(absl::StrCat("samples.txt: ", table.status().message()));
  absl::StatusOr<processes::Journal> journal = processes::Journal::Open(options.journal, kTimeout);
  if (!journal.ok()) return Surroundings(journal.status().message());
  std::ofstream results(options.results, std::ios::app);
  const char* const aborted = std::getenv("ASSAY_SWEEP_ABORT");  // for a test: dies at this one
  for (int64_t i = options.first; i < static_cast<int64_t>(names.size()); ++i) {
    const c10::OperatorName& name = names[static_cast<size_t>(i)];
    if (!journal->Begin(i, c10::toString(name)).ok()) return 2;
    if (aborted != nullptr && c10::toString(name) == aborted) std::abort();
    results << ToJsonLine(CheckOperator(name, *table)) << std::flush;
    if (!results || !journal->End().ok()) return Surroundings("the results cannot be written");
  }
  return journal->Finish(0).ok() ? 0 : 2;
}

int Lead(const Options& options) {
  namespace fs = std::filesystem;
  std::string folder = (fs::temp_directory_path() / "assay_sweep_XXXXXX").string();
  if (mkdtemp(folder.data()) == nullptr) return Surroundings("no temporary folder");
  const std::string journal = folder + "/journal", results = folder + "/results";
  std::vector<OperatorResult> lost;
  const absl::StatusOr<int> code = processes::RunSeries(
      journal,
      [&](int64_t first) {
        return processes::ChildCommand{.arguments = {fs::read_symlink("/proc/self/exe").string(),
                                                     absl::StrCat("--filter=", options.filter),
                                                     absl::StrCat("--journal=", journal),
                                                     absl::StrCat("--results=", results),
                                                     absl::StrCat("--first=", first)}};
      },
      [&](const processes::LostItem& item) {
        lost.push_back({.name = item.note,
                        .finding = item.timed_out ? Finding::kTimedOut : Finding::kCrashed,
                        .reason = processes::Describe(item.end)});
      },
      &interrupted);
  absl::StatusOr<std::vector<OperatorResult>> read = ReadResults(results);
  std::error_code ignored;
  fs::remove_all(folder, ignored);
  if (!code.ok()) return Surroundings(code.status().message());
  if (*code != 0) return *code;
  if (!read.ok()) return Surroundings(read.status().message());
  read->insert(read->end(), lost.begin(), lost.end());
  std::sort(read->begin(), read->end(),
            [](const OperatorResult& a, const OperatorResult& b) { return a.name < b.name; });
  if (!options.out.empty()) {
    const absl::Status written = WriteResults(options.out, *read);
    if (!written.ok()) return Surroundings(written.message());
  }
  std::cout << Report(*read, options.verbose);
  if (options.against.empty()) return HasWrong(*read) ? 1 : 0;
  const absl::StatusOr<std::vector<OperatorResult>> before = ReadResults(options.against);
  if (!before.ok()) return Surroundings(before.status().message());
  const std::vector<std::string> worse = Worse(*before, *read, std::regex(options.filter));
  for (const std::string& line : worse) std::cout << "worse     " << line << "\n";
  std::cout << absl::StrFormat("against   %s: %d of %d operators are worse\n", options.against,
                               worse.size(), before->size());
  return worse.empty() ? 0 : 1;
}

int Main(const std::vector<std::string>& words) {
  Options options;
  base::Flag first = base::WholeNumberFlag(options.first, 0, 1 << 20);
  base::Flag journal = base::TextFlag(options.journal), results = base::TextFlag(options.results);
  first.listed = journal.listed = results.listed = false;
  const absl::Status parsed = base::ParseFlags({{"help", base::SwitchFlag(options.help)},
                                                {"verbose", base::SwitchFlag(options.verbose)},
                                                {"filter", base::RegexFlag(options.filter)},
                                                {"out", base::TextFlag(options.out)},
                                                {"against", base::TextFlag(options.against)},
                                                {"first", first},
                                                {"journal", journal},
                                                {"results", results}},
                                               words);
  if (!parsed.ok()) return Usage(parsed.message());
  if (options.help) {
    std::cout << kUsage;
    return 0;
  }
  const std::vector<c10::OperatorName> names = Chosen(options.filter);
  if (names.empty())
    return Usage(
        absl::StrCat("--filter=", options.filter, ": no functional operator of ATen matches"));
  if (!options.journal.empty()) return Serve(options, names);
  const char* folder = std::getenv("BUILD_WORKING_DIRECTORY");
  if (folder != nullptr && chdir(folder) != 0)
    return Surroundings(absl::StrCat("cannot enter ", folder));
  std::signal(SIGINT, [](int) { interrupted = true; });
  std::signal(SIGTERM, [](int) { interrupted = true; });
  return Lead(options);
}

}  // namespace
}  // namespace assay::sweep

int main(int argc, char** argv) {
  const int code = assay::sweep::Main(std::vector<std::string>(argv + 1, argv + argc));
  std::cout.flush();
  std::cerr.flush();
  std::_Exit(code);  // LibTorch's static objects take a tenth of a second to die
}

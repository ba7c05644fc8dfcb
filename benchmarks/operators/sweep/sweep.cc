// Checks every functional public operator of ATen with sample arguments: which run, which agree
// with float64, and why the others do not.
//
//   tools/bazel run //benchmarks/operators:sweep -- --out=sweep.jsonl
//   tools/bazel run //benchmarks/operators:sweep -- --against=sweep.jsonl
//   tools/bazel run //benchmarks/operators:sweep -- --load-library=libmine.so --samples=mine.txt
#include <ATen/Parallel.h>
#include <ATen/core/dispatch/Dispatcher.h>

#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <iostream>
#include <iterator>
#include <regex>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_format.h"
#include "absl/strings/str_split.h"
#include "benchmarks/harness/base/exit_code.h"
#include "benchmarks/harness/base/flags.h"
#include "benchmarks/harness/base/working_folder.h"
#include "benchmarks/harness/dispatcher/kernels_over_aten.h"
#include "benchmarks/harness/processes/interrupts.h"
#include "benchmarks/harness/processes/program_main.h"
#include "benchmarks/harness/processes/series.h"
#include "benchmarks/operators/kernel/loaded_operators.h"
#include "benchmarks/operators/sweep/operator_check.h"
#include "benchmarks/operators/sweep/own_rows.h"
#include "benchmarks/operators/sweep/sample_table.h"
#include "benchmarks/operators/sweep/sweep_report.h"

namespace assay::sweep {
namespace {

constexpr char kUsage[] =
    R"(Calls every functional public operator of ATen with sample arguments on the CPU.

  --filter=REGEX   only operators whose names match, e.g. '^aten::conv'
  --out=FILE       writes a line of JSON for each operator
  --against=FILE   compares with what --out wrote before, perhaps with another LibTorch: exit code 1
                   where an operator is no longer verified, or gone
  --load-library=FILE  the operators that this library registers (TORCH_LIBRARY), and those of ATen
                   whose kernels it replaces (TORCH_LIBRARY_IMPL), in place of all of ATen's
  --samples=FILE   rows of arguments that go before those of samples.txt, for operators of yours; each
                   row that names arguments is a call
  --verbose        names every operator that was not verified, not the first few of each reason, and
                   the whole reasons

Exit codes: 0; 1 an operator differs from float64, or from itself, or crashed (with --against: only
where it did not before); 2 the machine or the setup, nothing was verified, or a call of a library's or of your
rows was not; 3 usage, with file and line for a row that fits no operator, argument or truth.
)";

// An operator that takes longer hangs: the slowest takes 0.1 s.
constexpr absl::Duration kTimeout = absl::Seconds(30);

struct Options {
  bool help = false, verbose = false;
  std::string filter = ".", out, against, library, samples;
  // Set by the parent for its child.
  std::string journal, results;
  int first = 0;
};

int Usage(std::string_view problem) { return base::Fail("sweep", problem, base::kUsageError); }

int Surroundings(std::string_view problem) {
  return base::Fail("sweep", problem, base::kSurroundings);
}

// Whether calls on the CPU, forward or backward, may come to such a kernel.
bool RunsOnTheCpu(const execution::KernelOverAten& kernel) {
  const std::string& key = kernel.dispatch_key;
  return key == "CPU" || key == "AutogradCPU" || key.rfind("Autograd[", 0) == 0 ||
         key == "Autograd" || key.rfind("Composite", 0) == 0;
}

// The operators of ATen or, if there is a library, those that come with it. FailedPrecondition, in
// the loader's words, for a library that does not load.
absl::StatusOr<std::vector<c10::OperatorName>> Swept(const Options& options) {
  if (options.library.empty()) return FunctionalOperators(IsPublicAten);
  const absl::StatusOr<std::vector<std::string>> own = override::LoadOperators(options.library);
  if (!own.ok())
    return absl::FailedPreconditionError(absl::StrCat("--load-library: ", own.status().message()));
  std::set<std::string> swept(own->begin(), own->end());
  for (const execution::KernelOverAten& kernel : execution::KernelsOverAten()) {
    if (RunsOnTheCpu(kernel)) swept.insert(kernel.operator_name);
  }
  return FunctionalOperators(
      [&](const c10::OperatorName& name) { return swept.count(c10::toString(name)) > 0; });
}

// One call of an operator.
struct SweptCall {
  c10::OperatorName name;
  SampleRow row;
};

// The calls of the operators that --filter fits.
std::vector<SweptCall> CallsOf(const std::vector<c10::OperatorName>& swept,
                               const std::string& filter, const SampleTable& table) {
  const std::regex pattern(filter);
  std::vector<SweptCall> calls;
  for (const c10::OperatorName& name : swept) {
    const std::string text = c10::toString(name);
    if (!std::regex_search(text, pattern)) continue;
    for (SampleRow& row : table.CallsOf(text)) calls.push_back({name, std::move(row)});
  }
  return calls;
}

absl::StatusOr<SampleTable> Samples(const std::string& path) {
  if (path.empty()) return SampleTable::Parse("", "");
  std::ifstream file(path);
  const std::string own((std::istreambuf_iterator<char>(file)), {});
  if (!file.is_open()) return absl::NotFoundError(absl::StrCat(path, ": there is no such file"));
  return SampleTable::Parse(own, path);
}

// The note about a call that is lost: its operator and, after a blank, its row.
std::string NoteOf(const SweptCall& call) {
  return absl::StrCat(c10::toString(call.name), call.row.place.empty() ? "" : " ", call.row.place);
}

OperatorResult Lost(const processes::LostItem& item) {
  const std::pair<std::string, std::string> note =
      absl::StrSplit(item.note, absl::MaxSplits(' ', 1));
  return {.name = note.first,
          .row = note.second,
          .finding = item.timed_out ? Finding::kTimedOut : Finding::kCrashed,
          .reason = processes::Describe(item.end)};
}

int Serve(const Options& options, const std::vector<SweptCall>& calls) {
  at::set_num_threads(1);
  absl::StatusOr<processes::Journal> journal = processes::Journal::Open(options.journal, kTimeout);
  if (!journal.ok()) return Surroundings(journal.status().message());
  std::ofstream results(options.results, std::ios::app);
  for (int64_t i = options.first; i < static_cast<int64_t>(calls.size()); ++i) {
    const SweptCall& call = calls[static_cast<size_t>(i)];
    if (!journal->Begin(i, NoteOf(call)).ok()) return base::kSurroundings;
    results << ToJsonLine(CheckOperator(call.name, call.row, !options.library.empty()))
            << std::flush;
    if (!results || !journal->End().ok()) return Surroundings("the results cannot be written");
  }
  return journal->Finish(0).ok() ? 0 : 2;
}

// Writes and shows what was found; returns the exit code.
int Conclude(const Options& options, const std::vector<OperatorResult>& results) {
  if (!options.out.empty()) {
    const absl::Status written = WriteResults(options.out, results);
    if (!written.ok()) return Surroundings(written.message());
  }
  const std::vector<execution::KernelOverAten> kernels = execution::KernelsOverAten();
  if (!kernels.empty())
    std::cout << "kernels   not LibTorch's own: " << execution::KernelsText(kernels) << "\n";
  std::cout << Report(results, options.verbose);
  const std::string missing = Missing(results, /*all_asked=*/!options.library.empty());
  if (options.against.empty()) {
    if (HasWrong(results)) return base::kProductWrong;
    return missing.empty() ? 0 : Surroundings(missing);
  }
  const absl::StatusOr<std::vector<OperatorResult>> before = ReadResults(options.against);
  if (!before.ok()) return Surroundings(before.status().message());
  const std::vector<std::string> worse = Worse(*before, results, std::regex(options.filter));
  for (const std::string& line : worse) std::cout << "worse     " << line << "\n";
  std::cout << absl::StrFormat("against   %s: %d of %d operators are worse\n", options.against,
                               worse.size(), before->size());
  if (!worse.empty()) return base::kProductWrong;
  return missing.empty() || HasWrong(results) ? 0 : Surroundings(missing);
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
        return processes::ChildCommand{
            .arguments = {fs::read_symlink("/proc/self/exe").string(),
                          absl::StrCat("--filter=", options.filter),
                          absl::StrCat("--load-library=", options.library),
                          absl::StrCat("--samples=", options.samples),
                          absl::StrCat("--journal=", journal), absl::StrCat("--results=", results),
                          absl::StrCat("--first=", first)},
            // A process that has computed with several threads must not be copied (isolated_call.h).
            .environment = options.library.empty() ? std::vector<std::string>()
                                                   : std::vector<std::string>{"OMP_NUM_THREADS=1"}};
      },
      [&](const processes::LostItem& item) { lost.push_back(Lost(item)); },
      &processes::Interrupted());
  absl::StatusOr<std::vector<OperatorResult>> read = ReadResults(results);
  std::error_code ignored;
  fs::remove_all(folder, ignored);
  if (!code.ok()) return Surroundings(code.status().message());
  if (*code != 0) return *code;
  if (!read.ok()) return Surroundings(read.status().message());
  read->insert(read->end(), lost.begin(), lost.end());
  std::stable_sort(
      read->begin(), read->end(),
      [](const OperatorResult& a, const OperatorResult& b) { return a.name < b.name; });
  return Conclude(options, *read);
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
                                                {"load_library", base::TextFlag(options.library)},
                                                {"samples", base::TextFlag(options.samples)},
                                                {"first", first},
                                                {"journal", journal},
                                                {"results", results}},
                                               words);
  if (!parsed.ok()) return Usage(parsed.message());
  if (options.help) return processes::Print(kUsage);
  const absl::Status entered = base::EnterWorkingFolder();
  if (!entered.ok()) return Surroundings(entered.message());
  const absl::StatusOr<std::vector<c10::OperatorName>> swept = Swept(options);
  if (!swept.ok()) return Surroundings(swept.status().message());
  // The parent reports faults of a table, before there is a child.
  const absl::StatusOr<SampleTable> table = Samples(options.samples);
  if (!table.ok()) {
    const absl::Status& status = table.status();
    return absl::IsNotFound(status) ? Surroundings(status.message()) : Usage(status.message());
  }
  const std::vector<SweptCall> calls = CallsOf(*swept, options.filter, *table);
  if (!options.journal.empty()) return Serve(options, calls);
  if (calls.empty()) {
    const std::vector<execution::KernelOverAten> kernels = execution::KernelsOverAten();
    return Usage(absl::StrCat("--filter=", options.filter, ": no functional operator of ",
                              options.library.empty() ? "ATen" : options.library, " matches",
                              kernels.empty() ? "" : "; kernels that are not LibTorch's own: ",
                              execution::KernelsText(kernels)));
  }
  if (const absl::Status rows = CheckOwnRows(*table, *swept); !rows.ok())
    return Usage(rows.message());
  processes::CatchInterrupts();
  return Lead(options);
}

}  // namespace
}  // namespace assay::sweep

int main(int argc, char** argv) {
  return assay::processes::ProgramMain(
      argc, argv, {.name = "sweep", .run = assay::sweep::Main, .leaves_at_once = true});
}

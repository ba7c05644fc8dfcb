// The one program behind all cases of a family: reads the case, verifies it, measures it, writes
// one record, and exits with the outcome (0 right, 1 the product is wrong, 2 the surroundings are,
// 3 usage).
#include <ATen/Parallel.h>
#include <benchmark/benchmark.h>
#include <malloc.h>

#include <atomic>
#include <csignal>
#include <cstdlib>
#include <iostream>
#include <string>
#include <string_view>
#include <vector>

#include "benchmarks/harness/base/working_folder.h"
#include "benchmarks/harness/execution/executable.h"
#include "benchmarks/harness/record/outcome.h"
#include "benchmarks/harness/runner/accuracy.h"
#include "benchmarks/harness/runner/as_called.h"
#include "benchmarks/harness/runner/benchmark_list.h"
#include "benchmarks/harness/runner/case_file.h"
#include "benchmarks/harness/runner/case_run.h"
#include "benchmarks/harness/runner/command_line.h"
#include "benchmarks/harness/runner/exporting.h"
#include "benchmarks/harness/runner/measuring.h"
#include "benchmarks/harness/runner/run_status.h"
#include "benchmarks/harness/runner/settings.h"
#include "benchmarks/harness/runner/usage.h"
#include "benchmarks/harness/sampling/device/cpu_device.h"

namespace assay::runner {
namespace {

std::atomic<bool> interrupted{false};

// The first Ctrl-C ends sampling and keeps what is done; the second ends the process.
void OnInterrupt(int) {
  interrupted = true;
  std::signal(SIGINT, SIG_DFL);
  std::signal(SIGTERM, SIG_DFL);
}

// Left alone, glibc gives the large blocks of one call back to the kernel, and the next call faults
// every page in again: 73,000 faults and 121 ms of system time in each call of resnet50 at batch 8.
// CUDA's caching allocator does not do that either. All three settings are needed: the trim
// threshold alone switches glibc's adaptive mmap threshold off, which makes it worse.
void RetainMemory() {
  mallopt(M_MMAP_MAX, 0);
  mallopt(M_TRIM_THRESHOLD, -1);
  mallopt(M_TOP_PAD, 64 << 20);
}

// Google Benchmark's arguments without those that this program answers itself.
void InitializeBenchmark(const CommandLine& line) {
  static std::vector<std::string> kept;  // the library keeps pointers
  static std::vector<char*> pointers;
  for (const std::string& argument : line.benchmark_arguments) {
    if (argument.rfind("--benchmark_filter", 0) != 0 &&
        argument.rfind("--benchmark_min_time", 0) != 0)
      kept.push_back(argument);
  }
  for (std::string& argument : kept) pointers.push_back(argument.data());
  int count = static_cast<int>(pointers.size());
  benchmark::Initialize(&count, pointers.data());
}

int Usage(std::string_view problem) {
  std::cerr << "assay: " << problem << "\n";
  return 3;
}

int ListBenchmarks(const ResolvedCase& c, const Settings& settings) {
  const sampling::CpuDevice cpu;  // names do not depend on a GPU being there
  const BenchmarkCase& b = c.benchmark_case();
  const std::vector<BenchmarkSpec> benchmarks = BenchmarksOf(settings, b.mode(), cpu);
  const absl::Status filtered = CheckFilter(settings.filter, benchmarks, b.name());
  if (!filtered.ok()) return Usage(filtered.message());
  for (const BenchmarkSpec& spec : benchmarks) {
    const std::string name = spec.Name(b.name());
    if (*MatchesFilter(name, settings.filter)) std::cout << name << "\n";
  }
  return 0;
}

int ExportCase(const ResolvedCase& c, const ExportPaths& paths) {
  const absl::Status exported = Export(c, paths);
  if (exported.ok()) return 0;
  std::cerr << c.benchmark_case().name() << ": " << exported.message() << "\n";
  return record::ExitCode(OutcomeOf(exported));
}

int Main(int argc, char** argv) {
  const absl::StatusOr<CommandLine> line = ParseCommandLine(argc, argv);
  if (!line.ok()) return Usage(line.status().message());
  if (line->help) {
    std::cout << UsageText();
    return 0;
  }
  const absl::StatusOr<Settings> settings = ReadSettings(*line);
  if (!settings.ok()) return Usage(settings.status().message());
  const absl::StatusOr<ResolvedCase> declared = ReadCase(settings->case_path, settings->case_name);
  if (!declared.ok()) return Usage(declared.status().message());
  const absl::StatusOr<ResolvedCase> called =
      AsCalled(*declared, settings->call, ComparisonOf(*settings));
  if (!called.ok()) return Usage(called.status().message());
  const absl::StatusOr<ResolvedCase> c = AsAsked(*called, settings->accuracy);
  if (!c.ok()) return Usage(c.status().message());
  if (line->list_tests) return ListBenchmarks(*c, *settings);
  if (settings->retain_memory) RetainMemory();
  if (settings->threads > 0) at::set_num_threads(settings->threads);
  execution::ApplyToProcess(c->benchmark_case().execution());
  const absl::Status entered = base::EnterWorkingFolder();
  if (!entered.ok()) return Usage(entered.message());
  if (settings->exports.any()) return ExportCase(*c, settings->exports);
  std::signal(SIGINT, OnInterrupt);
  std::signal(SIGTERM, OnInterrupt);
  InitializeBenchmark(*line);
  return CaseRun(*c, *line, *settings, &interrupted).Execute();
}

}  // namespace
}  // namespace assay::runner

int main(int argc, char** argv) {
  // Main() returns; whoever calls exit() before, code under test or a library, ends a run that has
  // no verdict, whatever code it gives.
  std::atexit([] {
    std::cerr << "assay: CRASH: exit() was called before the run was over\n";
    std::_Exit(assay::record::ExitCode(assay::CRASH));
  });
  const int code = assay::runner::Main(argc, argv);
  std::cout.flush();
  std::cerr.flush();
  // LibTorch's static objects take a tenth of a second to die, and on a GPU may outlive the driver.
  std::_Exit(code);
}

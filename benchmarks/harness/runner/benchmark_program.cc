#include "benchmarks/harness/runner/benchmark_program.h"

#include <ATen/Parallel.h>
#include <benchmark/benchmark.h>
#include <malloc.h>
#include <unistd.h>

#include <algorithm>
#include <cstdlib>
#include <iostream>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "absl/flags/reflection.h"
#include "absl/strings/str_cat.h"
#include "absl/time/time.h"
#include "benchmarks/harness/base/exit_code.h"
#include "benchmarks/harness/base/short_help.h"
#include "benchmarks/harness/base/working_folder.h"
#include "benchmarks/harness/configuration/case_flags.h"
#include "benchmarks/harness/configuration/usage.h"
#include "benchmarks/harness/configuration/with_call_flags.h"
#include "benchmarks/harness/execution/backend.h"
#include "benchmarks/harness/execution/executable.h"
#include "benchmarks/harness/processes/command_lines.h"
#include "benchmarks/harness/processes/interrupts.h"
#include "benchmarks/harness/processes/program_main.h"
#include "benchmarks/harness/processes/series.h"
#include "benchmarks/harness/record/outcome.h"
#include "benchmarks/harness/runner/benchmark_list.h"
#include "benchmarks/harness/runner/case_file.h"
#include "benchmarks/harness/runner/case_run.h"
#include "benchmarks/harness/runner/command_line.h"
#include "benchmarks/harness/runner/given/locating.h"
#include "benchmarks/harness/runner/given/python_reference.h"
#include "benchmarks/harness/runner/measure/dynamic_batch.h"
#include "benchmarks/harness/runner/measuring.h"
#include "benchmarks/harness/runner/series/relaunch.h"
#include "benchmarks/harness/runner/settings.h"
#include "benchmarks/harness/runner/vary/sized_case.h"
#include "benchmarks/harness/runner/verdict/accuracy.h"
#include "benchmarks/harness/runner/verdict/exporting.h"
#include "benchmarks/harness/runner/verdict/run_status.h"
#include "benchmarks/harness/sampling/device/cpu_device.h"
#include "defs/case/case_steps.h"
#include "defs/case/execution_names.h"

namespace assay::runner {

using configuration::FlagValues;
using configuration::ValueOf;

namespace {

// Left alone, glibc gives the large blocks of one call back to the kernel, and the next call faults
// every page in again: 73,000 faults and 121 ms of system time in each call of resnet50 at batch 8.
// CUDA's caching allocator does not do that either. All three settings are needed: the trim
// threshold alone switches glibc's adaptive mmap threshold off, which makes it worse.
void RetainMemory() {
  mallopt(M_MMAP_MAX, 0);
  mallopt(M_TRIM_THRESHOLD, -1);
  mallopt(M_TOP_PAD, 64 << 20);
}

// Google Benchmark's arguments without those that this program handles itself.
void InitializeBenchmark(const CommandLine& line) {
  static std::vector<std::string> kept;  // the library keeps pointers
  static std::vector<char*> pointers;
  if (!kept.empty()) return;  // set by an earlier run of this process
  for (const std::string& argument : line.benchmark_arguments) {
    if (argument.rfind("--benchmark_filter", 0) != 0 &&
        argument.rfind("--benchmark_min_time", 0) != 0)
      kept.push_back(argument);
  }
  for (std::string& argument : kept) pointers.push_back(argument.data());
  int count = static_cast<int>(pointers.size());
  benchmark::Initialize(&count, pointers.data());
}

int Usage(std::string_view problem) { return base::Fail("assay", problem, base::kUsageError); }

int Refused(const absl::Status& status) {
  if (absl::IsInvalidArgument(status) || IsUsageError(status)) return Usage(status.message());
  const Outcome outcome = OutcomeOf(status);
  std::cerr << "assay: " << record::OutcomeName(outcome) << ": " << status.message() << "\n";
  return record::ExitCode(outcome);
}

int ListBenchmarks(const ResolvedCase& c, const Settings& settings) {
  const sampling::CpuDevice cpu;  // so that names do not depend on whether there is a GPU
  const BenchmarkCase& b = c.benchmark_case();
  const std::vector<BenchmarkSpec> benchmarks = BenchmarksOf(settings, c, cpu);
  const absl::Status filtered = CheckFilter(settings.filter, benchmarks, b.name());
  if (!filtered.ok()) return Usage(filtered.message());
  for (const BenchmarkSpec& spec : benchmarks) {
    const std::string name = spec.Name(b.name());
    if (*MatchesFilter(name, settings.filter)) std::cout << name << "\n";
  }
  return 0;
}

int ExportCase(const ResolvedCase& c, const ExportPaths& paths) {
  const absl::Status exported = paths.locate ? Locate(c, paths.mistake) : Export(c, paths);
  if (exported.ok()) return 0;
  if (IsUsageError(exported)) return Usage(exported.message());
  std::cerr << c.benchmark_case().name() << ": " << exported.message() << "\n";
  return record::ExitCode(OutcomeOf(exported));
}

// A case with the command line's flags applied, and the settings that say so.
struct CalledCase {
  ResolvedCase resolved;
  std::vector<ResolvedCase> sizes = {};  // of --vary
  CommandLine line;
  Settings settings;
};

// One case, or one for each batch of --dynamic-batch.
absl::StatusOr<std::vector<CalledCase>> CalledCases(const ResolvedCase& declared,
                                                    const CommandLine& line,
                                                    const Settings& settings) {
  std::vector<CalledCase> called(std::max<size_t>(settings.dynamic_batch.size(), 1),
                                 {.resolved = declared, .line = line, .settings = settings});
  for (size_t i = 0; i < called.size(); ++i) {
    CalledCase& one = called[i];
    if (!settings.dynamic_batch.empty()) {
      one.settings.call.batch = settings.dynamic_batch[i];
      one.line.as_given = WithBatch(line.as_given, settings.dynamic_batch[i]);
      one.line.values.erase("dynamic-batch");
      one.line.values["batch"] = absl::StrCat(settings.dynamic_batch[i]);
    }
    one.settings.shared |= i > 0;
    const auto with_flags = [&](const ResolvedCase& c) -> absl::StatusOr<ResolvedCase> {
      const absl::StatusOr<ResolvedCase> with_call_flags = configuration::WithCallFlags(
          c, one.settings.call, configuration::ComparisonOf(one.line.values), settings.device);
      if (!with_call_flags.ok()) return with_call_flags;
      return WithAccuracyFlags(*with_call_flags, one.settings.accuracy,
                               settings.device == CUDA ? at::kCUDA : at::kCPU);
    };
    absl::StatusOr<ResolvedCase> asked = with_flags(declared);
    if (!asked.ok()) return asked.status();
    one.resolved = *std::move(asked);
    for (size_t size = 0; settings.mix && size < settings.mix->sizes.size(); ++size) {
      absl::StatusOr<ResolvedCase> sized = SizedCase(declared, settings.mix->sizes[size]);
      if (sized.ok()) sized = with_flags(*sized);
      if (!sized.ok()) return sized.status();
      one.sizes.push_back(VerifiedAsMeasured(*std::move(sized)));
    }
    for (const std::string& step : settings.steps) {
      const absl::Status found = FindStep(one.resolved, step, settings.device).status();
      if (!found.ok()) return found;
    }
  }
  return called;
}

// How the cases of a command line ended.
struct LineEnd {
  int code = 0;
  bool spent = false;  // this process can run nothing more on the device
};

// `loaded`: of the first case; without a program it is made of the case.
LineEnd RunAll(const std::vector<CalledCase>& cases, LoadedProgram loaded) {
  LineEnd end;
  for (const CalledCase& c : cases) {
    CaseRun run(c.resolved, c.line, c.settings, &processes::Interrupted(), std::move(loaded),
                c.sizes);
    const int ended = run.Execute();
    loaded = {};
    // A program whose run failed may be in any state, so it is not used again.
    if (ended == 0) loaded = run.TakeProgram();
    end = {.code = base::WorseCode(end.code, ended), .spent = run.SpentTheDevice()};
    if (processes::Interrupted() || ended == base::kUsageError) break;
    if (!end.spent || &c == &cases.back()) continue;
    std::cerr << "assay: the other batches are not run: this process can use the GPU no more. Run "
                 "them with a --batch of their own\n";
    break;
  }
  return end;
}

// Runs one command line. `shared`: it is not the first of this process. `alone`: it is the only one.
LineEnd RunLine(const CaseSource& source, const CommandLine& line, bool shared, bool alone) {
  absl::StatusOr<Settings> settings = ReadSettings(line);
  if (!settings.ok()) return {Usage(settings.status().message())};
  settings->shared = shared;
  absl::StatusOr<OpenedCase> opened = source.open(line, *settings);
  if (!opened.ok()) return {Refused(opened.status())};
  const absl::Status entered = base::EnterWorkingFolder();
  if (!entered.ok()) return {Usage(entered.message())};
  if (settings->serves && FindServing() != nullptr) {
    absl::StatusOr<std::shared_ptr<const ServingSettings>> serving =
        FindServing()->read(line.values);
    if (!serving.ok()) return {Refused(serving.status())};
    settings->serving = *std::move(serving);
  }
  absl::StatusOr<std::vector<CalledCase>> cases = CalledCases(opened->resolved, line, *settings);
  if (!cases.ok()) return {Usage(cases.status().message())};
  const ResolvedCase& c = cases->front().resolved;
  if (line.list_tests) return {ListBenchmarks(c, *settings)};
  if (settings->retain_memory) RetainMemory();
  if (settings->threads > 0) at::set_num_threads(settings->threads);
  if (settings->device == CUDA) {
    const absl::Status prepared =
        execution::PrepareCublas(c.benchmark_case().execution(), settings->shared);
    if (!prepared.ok()) return {Usage(prepared.message())};
  }
  execution::ApplyToProcess(c.benchmark_case().execution());
  BenchmarkCase called = c.benchmark_case();
  if (!settings->exports.module.empty()) *called.mutable_execution() = TracedExecution();
  const bool lacks_load = settings->serves && settings->serving == nullptr;
  const absl::Status backend = execution::FindBackend(called.execution()).status();
  if (alone && !backend.ok() && !IsLinkable(BackendName(called.execution())))
    return {Usage(backend.message())};
  if (alone && (lacks_load || !backend.ok())) {
    const absl::Status relaunched = RelaunchWith(settings->serves, called, line.as_given);
    if (!relaunched.ok()) return {Usage(relaunched.message())};
  }
  if (lacks_load) {
    return {
        Usage(absl::StrCat("--scenario: no load generator is linked; tools/bazel run "
                           "//tools:serve -- --case=",
                           called.label(), " … links one"))};
  }
  if (settings->exports.any()) return {ExportCase(c, settings->exports)};
  processes::CatchInterrupts();  // the first one ends sampling and keeps what is done
  for (CalledCase& one : *cases) {
    if (!settings->given.by_python) break;
    absl::StatusOr<std::string> reference =
        ReferenceByPython(one.resolved, settings->given.weights);
    if (!reference.ok()) return {Refused(reference.status())};
    one.settings.given.reference = *std::move(reference);
  }
  InitializeBenchmark(line);
  return RunAll(*cases,
                {.program = std::move(opened->program), .reference = std::move(opened->reference)});
}

absl::StatusOr<CommandLine> Parse(const CaseSource& source, std::vector<std::string> words) {
  std::vector<char*> pointers;
  for (std::string& word : words) pointers.push_back(word.data());
  return ParseCommandLine(static_cast<int>(pointers.size()), pointers.data(), source.flags);
}

// Runs the lines of --series one after another, as a child of processes::RunSeries(). A journal
// beside the file says which line is running. Each line starts from the flags' defaults and writes
// a record of its own, which has its outcome; the exit code is the worst of all. If the parent
// deletes the file, no further line is run. After a line that cost the device this process leaves,
// and the parent starts another at the next line.
int RunSeries(const CaseSource& source, const std::string& program, const FlagValues& values) {
  const std::string path = ValueOf(values, "series");
  const double timeout_s = configuration::ToRealNumber(ValueOf(values, "series-timeout"));
  absl::StatusOr<processes::Journal> journal =
      processes::Journal::Open(absl::StrCat(path, ".journal"),
                               timeout_s > 0 ? absl::Seconds(timeout_s) : absl::InfiniteDuration());
  if (!journal.ok()) return Usage(journal.status().message());
  const absl::StatusOr<processes::CommandLines> lines = processes::ReadCommandLines(path);
  if (!lines.ok() && !absl::IsNotFound(lines.status())) return Usage(lines.status().message());
  const int64_t first = configuration::ToWholeNumber(ValueOf(values, "series-first"));
  absl::Status noted;
  int code = 0;
  for (int64_t i = first; lines.ok() && i < static_cast<int64_t>(lines->size()); ++i) {
    if (processes::Interrupted() || access(path.c_str(), F_OK) != 0) break;
    noted.Update(journal->Begin(i, ""));
    std::vector<std::string> words = (*lines)[static_cast<size_t>(i)];
    words.insert(words.begin(), program);
    const absl::FlagSaver put_back;  // of back ends' flags
    const absl::StatusOr<CommandLine> line = Parse(source, words);
    const LineEnd end = line.ok() ? RunLine(source, *line, i > first, false)
                                  : LineEnd{Usage(line.status().message())};
    code = base::WorseCode(code, end.code);
    std::cout.flush();
    noted.Update(journal->End());
    if (!noted.ok()) return Usage(noted.message());
    if (end.spent) return code;
  }
  noted.Update(journal->Finish(code));
  return noted.ok() ? code : Usage(noted.message());
}

// Names this program's case, if it is one.
std::string ShortHelp(const CaseSource& source, const CommandLine& line) {
  std::string head = source.usage;
  if (head.empty()) {
    const absl::StatusOr<ResolvedCase> declared =
        ReadCase(ValueOf(line.values, "case"), ValueOf(line.values, "case_name"));
    head = configuration::ShortHead(declared.ok() ? declared->benchmark_case().label() : "");
  }
  return configuration::ShortUsageText(head, source.refused);
}

int Main(const CaseSource& source, const std::vector<std::string>& words) {
  const absl::StatusOr<CommandLine> line = Parse(source, words);
  if (!line.ok()) return Usage(line.status().message());
  if (line->help != base::Help::kNone) {
    return processes::Print(line->help == base::Help::kAll
                                ? source.usage + configuration::UsageText()
                                : ShortHelp(source, *line));
  }
  return configuration::IsGiven(line->values, "series")
             ? RunSeries(source, words[0], line->values)
             : RunLine(source, *line, /*shared=*/false, /*alone=*/true).code;
}

}  // namespace

absl::StatusOr<OpenedCase> OpenCaseFile(const CommandLine& /*line*/, Settings& settings) {
  absl::StatusOr<ResolvedCase> declared = ReadCase(settings.case_path, settings.case_name);
  if (!declared.ok()) return declared.status();
  const absl::Status entered = base::EnterWorkingFolder();
  if (!entered.ok()) return UsageError(entered.message());
  declared = WithConfigBeside(settings.given, *std::move(declared));
  if (!declared.ok()) return declared.status();
  return OpenedCase{.resolved = *std::move(declared), .program = nullptr};
}

void RunProgram(int argc, char** argv, const CaseSource& source) {
  // Main() returns. An exit() before that, by code under test or by a library, ends a run that has
  // no verdict, whatever its code says.
  std::atexit([] {
    std::cerr << "assay: CRASH: exit() was called before the run was over\n";
    std::_Exit(record::ExitCode(CRASH));
  });
  const auto run = [&source, argv](const std::vector<std::string>& words) {
    std::vector<std::string> all = {argv[0]};
    all.insert(all.end(), words.begin(), words.end());
    return Main(source, all);
  };
  processes::ProgramMain(argc, argv, {.name = "assay", .run = run, .leaves_at_once = true});
  std::abort();  // it has left
}

}  // namespace assay::runner

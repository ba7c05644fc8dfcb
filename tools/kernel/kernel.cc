// Is a kernel right, and is it faster than ATen's? tools/bazel run //tools:kernel -- mine.cc --like=softmax
#include <unistd.h>

#include <algorithm>
#include <iostream>
#include <string>
#include <vector>

#include "absl/status/status.h"
#include "absl/time/clock.h"
#include "benchmarks/harness/base/exit_code.h"
#include "benchmarks/harness/base/working_folder.h"
#include "benchmarks/harness/output/progress_line.h"
#include "benchmarks/harness/processes/interrupts.h"
#include "benchmarks/harness/processes/program_main.h"
#include "benchmarks/harness/tensor_files/file_bytes.h"
#include "tools/kernel/asked.h"
#include "tools/kernel/report/kernel_page.h"
#include "tools/kernel/report/kernel_report.h"
#include "tools/kernel/report/verdicts.h"
#include "tools/kernel/session.h"
#include "tools/kernel/settings.h"

namespace assay::kernel {
namespace {

std::string TextAs(Output output, const KernelReport& report) {
  switch (output) {
    case Output::kJson:
      return JsonOf(report);
    case Output::kCsv:
      return CsvOf(report);
    case Output::kMarkdown:
      return MarkdownOf(report);
    case Output::kText:
      break;
  }
  return TextOf(report);
}

absl::StatusOr<int> Main(const std::vector<std::string>& words) {
  const absl::StatusOr<Settings> settings = ParseSettings(words);
  if (!settings.ok()) return settings.status();
  if (settings->help) return processes::Print(kUsage);
  if (settings->list) {
    const absl::StatusOr<std::string> list = ListOperators();
    return list.ok() ? absl::StatusOr<int>(processes::Print(*list)) : list.status();
  }
  if (absl::Status entered = base::EnterWorkingFolder(); !entered.ok()) return entered;
  if (settings->only_library) {
    const absl::StatusOr<std::string> variables =
        LoadingVariables(*settings, processes::CatchInterrupts());
    if (variables.ok()) return processes::Print(*variables);
    const absl::StatusCode code = variables.status().code();
    const bool wrong =
        code == absl::StatusCode::kAborted || code == absl::StatusCode::kPermissionDenied;
    return wrong ? absl::StatusOr<int>(
                       base::Fail("kernel", variables.status().message(), base::kProductWrong))
                 : variables.status();
  }
  output::ProgressLine line(std::cerr, isatty(STDERR_FILENO) != 0, absl::Now());
  const absl::StatusOr<KernelReport> report =
      RunSession(*settings, processes::CatchInterrupts(),
                 [&](const std::string& text) { line.Show(text, absl::Now()); });
  line.Clear();
  if (!report.ok()) return report.status();
  std::cout << TextAs(settings->output, *report);
  if (!settings->html.empty()) {
    const absl::Status written = tensor_files::WriteFileAtomically(settings->html, PageOf(*report));
    if (!written.ok()) return written;
  }
  return ExitCode(*report, settings->gate);
}

}  // namespace
}  // namespace assay::kernel

int main(int argc, char** argv) {
  return assay::processes::ProgramMain(argc, argv, {.name = "kernel", .run = assay::kernel::Main});
}

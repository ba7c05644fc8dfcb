#include "tools/processes/case_process.h"

#include <csignal>
#include <utility>
#include <vector>

#include "absl/strings/ascii.h"
#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "absl/strings/str_split.h"
#include "benchmarks/harness/record/outcome.h"
#include "tools/suite/secrets/secret_texts.h"

namespace assay::processes {
namespace {

// The last lines of what a process printed, for an error message.
std::string LastLines(std::string_view text, size_t count = 12) {
  std::vector<std::string_view> lines =
      absl::StrSplit(absl::StripTrailingAsciiWhitespace(text), '\n');
  if (lines.size() > count) lines.erase(lines.begin(), lines.end() - count);
  return absl::StrJoin(lines, "\n    ");
}

CaseProcess Failed(Outcome outcome, std::string message, const ChildEnd& end) {
  return {.outcome = outcome, .message = std::move(message), .end = end};
}

// Whether the output of a process that died has the out-of-memory message of C++ or LibTorch.
bool SaysOutOfMemory(const ChildEnd& end) {
  if (end.ending != Ending::kKilled || end.code != SIGABRT) return false;
  for (const std::string_view text : {"std::bad_alloc", "can't allocate memory",
                                      "Cannot allocate memory", "CUDA out of memory"}) {
    if (absl::StrContains(end.errors, text) || absl::StrContains(end.output, text)) return true;
  }
  return false;
}

// Why there is no record, of a process that was not ended from here.
CaseProcess WithoutRecord(const ChildEnd& end, const record::RecordFile& file) {
  for (const record::LineProblem& problem : file.problems) {
    if (problem.kind == record::LineProblem::Kind::kOtherSchema) {
      return Failed(CRASH,
                    absl::StrCat("its record is of another version: ", problem.message,
                                 "; start it with the tools of the tree that built it"),
                    end);
    }
  }
  if (end.ending == Ending::kExited && end.code == 3) {
    return Failed(OUTCOME_UNSPECIFIED, WithOutput("it does not understand its command line", end),
                  end);
  }
  if (end.ending == Ending::kExited && end.code == 2) {
    return Failed(RECORD_FAILED, WithOutput("its record could not be written", end), end);
  }
  const bool memory = end.out_of_memory || SaysOutOfMemory(end);
  std::string message = absl::StrCat("it ended without a complete record (", Describe(end), ")");
  for (const record::LineProblem& problem : file.problems) {
    absl::StrAppend(&message, "; line ", problem.line, ": ", problem.message);
  }
  return Failed(memory ? OUT_OF_MEMORY : CRASH, WithOutput(std::move(message), end), end);
}

std::string FirstOf(const std::string& a, const std::string& b) { return a.empty() ? b : a; }

// Judges a process that exited by itself.
CaseProcess JudgeRecord(const ChildEnd& end, const Record& record) {
  CaseProcess process{.outcome = record.outcome(), .end = end, .record = record};
  const int code = record::ExitCode(process.outcome);
  if (code != 0) {
    process.message = FirstOf(FirstOf(record.verdict().message(), record.error()),
                              WithOutput(Describe(end), end));
  } else if (!end.Exited(0)) {
    // The record is written before the process ends; one that dies after it is still broken.
    process.outcome = CRASH;
    process.message =
        WithOutput(absl::StrCat("its record says ", record::OutcomeName(record.outcome()),
                                ", but it ended with ", Describe(end)),
                   end);
  } else if (process.outcome == SKIPPED_DECLARED) {
    process.message = record.error();
  }
  return process;
}

}  // namespace

std::string WithOutput(std::string message, const ChildEnd& end) {
  const std::string text = suite::CleanText(end.errors.empty() ? end.output : end.errors);
  if (!absl::StripAsciiWhitespace(text).empty()) {
    absl::StrAppend(&message, "; it printed last\n    ", LastLines(text));
  }
  return message;
}

CaseProcess Judge(const ChildEnd& end, const absl::StatusOr<record::RecordFile>& file) {
  const bool whole = file.ok() && file->records.size() == 1 && file->problems.empty();
  if (end.ending == Ending::kInterrupted || end.ending == Ending::kTimedOut) {
    const bool interrupted = end.ending == Ending::kInterrupted;
    CaseProcess process =
        interrupted
            ? Failed(INTERRUPTED, "interrupted", end)
            : Failed(TIMEOUT,
                     WithOutput(Describe(end) + "; it was killed with all it started", end), end);
    if (whole) process.record = file->records[0];
    return process;
  }
  if (!file.ok()) return WithoutRecord(end, {});
  if (file->records.size() > 1 && file->problems.empty()) {
    return Failed(CRASH, "it wrote several records; one process gives one (no repetitions)", end);
  }
  return whole ? JudgeRecord(end, file->records[0]) : WithoutRecord(end, *file);
}

CaseProcess RunCase(ChildCommand command, const std::string& record_path,
                    const std::atomic<bool>* interrupted) {
  command.arguments.push_back("--record=" + record_path);
  const absl::StatusOr<ChildEnd> end = RunChild(command, interrupted);
  if (!end.ok()) return Failed(CRASH, std::string(end.status().message()), {});
  return Judge(*end, record::ReadAll(record_path));
}

}  // namespace assay::processes

#include "tools/compare/measured_process.h"

#include <unistd.h>

#include <cmath>
#include <cstdlib>
#include <filesystem>
#include <map>
#include <string_view>

#include "absl/cleanup/cleanup.h"
#include "absl/strings/ascii.h"
#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "absl/strings/str_split.h"
#include "benchmarks/harness/record/outcome.h"

namespace assay::compare {
namespace {

using processes::ChildCommand;
using processes::Describe;
using processes::Ending;
using processes::RunChild;

namespace fs = std::filesystem;

// The last lines of what a process printed, for an error message.
std::string LastLines(std::string_view text, size_t count = 12) {
  std::vector<std::string_view> lines =
      absl::StrSplit(absl::StripTrailingAsciiWhitespace(text), '\n');
  if (lines.size() > count) lines.erase(lines.begin(), lines.end() - count);
  return absl::StrJoin(lines, "\n    ");
}

std::string WithOutput(std::string message, const ChildEnd& end) {
  const std::string& text = end.errors.empty() ? end.output : end.errors;
  if (!absl::StripAsciiWhitespace(text).empty()) {
    absl::StrAppend(&message, "; it printed last\n    ", LastLines(text));
  }
  return message;
}

MeasuredProcess Failed(Outcome outcome, std::string message, const ChildEnd& end) {
  MeasuredProcess process;
  process.outcome = outcome;
  process.message = std::move(message);
  process.elapsed = end.elapsed;
  return process;
}

// Why there is no record, of a process that was not ended from here.
MeasuredProcess WithoutRecord(const ChildEnd& end, const record::RecordFile& file) {
  for (const record::LineProblem& problem : file.problems) {
    if (problem.kind == record::LineProblem::Kind::kOtherSchema) {
      return Failed(CRASH,
                    absl::StrCat("its record is of another version: ", problem.message,
                                 "; compare with //tools:compare of the tree that wrote it"),
                    end);
    }
  }
  if (end.ending == Ending::kExited && end.code == 3) {
    return Failed(OUTCOME_UNSPECIFIED, WithOutput("it does not understand its command line", end),
                  end);
  }
  std::string message = absl::StrCat("it ended without a complete record (", Describe(end), ")");
  for (const record::LineProblem& problem : file.problems) {
    absl::StrAppend(&message, "; line ", problem.line, ": ", problem.message);
  }
  return Failed(CRASH, WithOutput(std::move(message), end), end);
}

std::string FirstOf(const std::string& a, const std::string& b) { return a.empty() ? b : a; }

std::string WorkloadOf(const Record& record) {
  std::map<std::string, std::string> parameters;  // ordered, unlike the proto's map
  for (const auto& [name, value] : record.workload().parameters()) {
    parameters[name] = value.ShortDebugString();
  }
  std::string text =
      absl::StrCat(record.benchmark_case().model(), " batch ", record.workload().batch(), " ",
                   CaseMode_Name(record.benchmark_case().mode()));
  for (const auto& [name, value] : parameters) absl::StrAppend(&text, " ", name, "=", value);
  for (const TensorSpec& input : record.workload().inputs()) {
    absl::StrAppend(&text, " ", input.name(), "[", absl::StrJoin(input.shape(), ","), "]");
  }
  return text;
}

// Times depend on values: zeros, subnormals and saturated activations run at other speeds.
std::string WeightsOf(const Record& record) {
  if (!record.has_weights()) return "seeded";
  return absl::StrCat(record.weights().name(), " sha256 ", record.weights().sha256().substr(0, 8));
}

}  // namespace

std::vector<Trait> TraitsOf(const Record& record) {
  const Environment& environment = record.environment();
  std::vector<std::string> modes;
  for (const Measurement& m : record.measurements()) {
    modes.push_back(
        absl::StrCat(m.mode(), "/", m.step(), m.preset().empty() ? "" : " as ", m.preset()));
  }
  std::string machine =
      absl::StrCat(environment.cpu_model(), ", ", environment.cpu_count(), " CPUs");
  if (record.device() == CUDA) absl::StrAppend(&machine, ", ", environment.gpu_name());
  return {{"dtype", Dtype_Name(record.benchmark_case().dtype())},
          {"device", DeviceType_Name(record.device())},
          {"workload", WorkloadOf(record)},
          {"weights", WeightsOf(record)},
          {"modes", absl::StrJoin(modes, " ")},
          {"machine", machine}};
}

std::vector<std::string> Differences(const std::vector<Trait>& baseline,
                                     const std::vector<Trait>& candidate) {
  std::vector<std::string> differences;
  for (size_t i = 0; i < std::min(baseline.size(), candidate.size()); ++i) {
    if (baseline[i] == candidate[i]) continue;
    differences.push_back(absl::StrCat(baseline[i].first, ": ", baseline[i].second, " against ",
                                       candidate[i].second));
  }
  return differences;
}

absl::StatusOr<std::vector<ModeMedian>> MediansOf(const Record& record) {
  std::vector<ModeMedian> medians;
  for (const Measurement& m : record.measurements()) {
    ModeMedian median;
    median.mode = m.step().empty() || m.step() == "forward" ? m.mode()
                                                            : absl::StrCat(m.mode(), "/", m.step());
    median.median_ns = m.median_ns();
    if (!std::isfinite(m.median_ns()) || m.median_ns() <= 0) {
      return absl::InvalidArgumentError(
          absl::StrCat("its median of mode ", median.mode, " is ", m.median_ns(), " ns"));
    }
    for (const Check& check : m.checks()) {
      const std::string text =
          absl::StrCat(check.name(), check.detail().empty() ? "" : ": ", check.detail());
      if (check.status() == CHECK_FLAGGED) median.flags.push_back(text);
      if (check.status() == CHECK_NOTED) median.notes.push_back(text);
    }
    medians.push_back(std::move(median));
  }
  if (medians.empty()) return absl::InvalidArgumentError("its record holds no measurement");
  return medians;
}

MeasuredProcess Interpret(const ChildEnd& end, const absl::StatusOr<record::RecordFile>& file) {
  if (end.ending == Ending::kInterrupted) return Failed(INTERRUPTED, "interrupted", end);
  if (end.ending == Ending::kTimedOut) {
    return Failed(TIMEOUT, WithOutput(Describe(end) + "; it was killed with all it started", end),
                  end);
  }
  if (!file.ok()) return WithoutRecord(end, {});
  if (file->records.empty() || !file->problems.empty()) return WithoutRecord(end, *file);
  if (file->records.size() > 1) {
    return Failed(CRASH, "it wrote several records; one process gives one (no repetitions)", end);
  }
  MeasuredProcess process;
  process.record = file->records[0];
  for (Measurement& m : *process.record.mutable_measurements()) m.clear_samples_ns();
  process.elapsed = end.elapsed;
  process.outcome = process.record.outcome();
  process.traits = TraitsOf(process.record);
  if (!process.Usable()) {
    process.message = FirstOf(FirstOf(process.record.verdict().message(), process.record.error()),
                              WithOutput(Describe(end), end));
    return process;
  }
  // The record is written before the process ends; one that dies after it is still broken.
  if (!end.Exited(0)) {
    return Failed(CRASH,
                  WithOutput(absl::StrCat("its record says ", record::OutcomeName(process.outcome),
                                          ", but it ended with ", Describe(end)),
                             end),
                  end);
  }
  absl::StatusOr<std::vector<ModeMedian>> medians = MediansOf(process.record);
  if (!medians.ok()) return Failed(CRASH, std::string(medians.status().message()), end);
  process.medians = *std::move(medians);
  return process;
}

MeasuredProcess RunMeasured(const MeasuredCommand& command, const std::atomic<bool>* interrupted) {
  std::string folder = (fs::temp_directory_path() / "assay-compare-XXXXXX").string();
  if (mkdtemp(folder.data()) == nullptr) {
    return Failed(RECORD_FAILED, absl::StrCat("cannot make a folder like ", folder), {});
  }
  absl::Cleanup remove = [&folder] {
    std::error_code ignored;
    fs::remove_all(folder, ignored);
  };
  const std::string path = folder + "/record.jsonl";
  ChildCommand child{
      .arguments = command.command,
      .environment = {"ASSAY_LAYOUT_PADDING=" + std::string(command.padding_bytes, 'x')},
      .folder = command.folder,
      .timeout = command.timeout};
  child.arguments.insert(child.arguments.end(), command.flags.begin(), command.flags.end());
  child.arguments.push_back("--record=" + path);
  const absl::StatusOr<ChildEnd> end = RunChild(child, interrupted);
  if (!end.ok()) return Failed(CRASH, std::string(end.status().message()), {});
  return Interpret(*end, record::ReadAll(path));
}

}  // namespace assay::compare

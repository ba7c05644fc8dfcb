// How close measured cases come to what their machine can do; settings.cc's usage says how to call
// it.
#include <iostream>
#include <string>
#include <utility>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "benchmarks/harness/base/working_folder.h"
#include "benchmarks/harness/record/record_file.h"
#include "benchmarks/harness/tensor_files/file_bytes.h"
#include "tools/roofline/analysis.h"
#include "tools/roofline/plot.h"
#include "tools/roofline/report.h"
#include "tools/roofline/settings.h"

namespace assay::roofline {
namespace {

constexpr int kSurroundings = 2, kUsageError = 3;

int Fail(const absl::Status& status) {
  std::cerr << "roofline: " << status.message() << "\n";
  return absl::IsInvalidArgument(status) || absl::IsNotFound(status) ? kUsageError : kSurroundings;
}

absl::StatusOr<std::vector<Input>> Read(const std::vector<std::string>& paths) {
  std::vector<Input> inputs;
  for (const std::string& path : paths) {
    absl::StatusOr<record::RecordFile> file = record::ReadAll(path);
    if (!file.ok()) return file.status();
    if (file->records.empty()) {
      return absl::InvalidArgumentError(absl::StrCat(
          path, ": holds no records",
          file->problems.empty() ? "" : absl::StrCat("; ", file->problems[0].message)));
    }
    inputs.push_back({path, *std::move(file)});
  }
  return inputs;
}

absl::Status CheckRows(const Analysis& analysis, const Settings& settings) {
  if (analysis.rows.empty()) {
    return absl::InvalidArgumentError(
        absl::StrCat("no record is left by --filter, --dtype and --mode\n", NotesText(analysis)));
  }
  for (const Row& row : analysis.rows) {
    if (row.flops > 0 || row.bytes > 0) {
      if (settings.format != "svg" || analysis.machines.size() == 1) return absl::OkStatus();
      return absl::InvalidArgumentError(absl::StrCat(
          "a plot is of one machine, and these records are of ", analysis.machines.size(), ": ",
          absl::StrJoin(analysis.machines, "; "), "; give their files apart"));
    }
  }
  return absl::InvalidArgumentError(
      absl::StrCat("of none of ", analysis.rows.size(),
                   " rows operations or bytes are known; records of this version of the suite have "
                   "them, so measure again"));
}

std::string Formatted(const Analysis& analysis, const std::string& format) {
  if (format == "csv") return CsvReport(analysis);
  if (format == "json") return JsonReport(analysis);
  if (format == "svg") return SvgPlot(analysis);
  return TextReport(analysis);
}

absl::Status Run(const Settings& settings) {
  const absl::Status entered = base::EnterWorkingFolder();
  if (!entered.ok()) return absl::UnavailableError(entered.message());
  const absl::StatusOr<std::vector<Input>> inputs = Read(settings.files);
  if (!inputs.ok()) return inputs.status();
  const absl::StatusOr<std::vector<Input>> peak_inputs = Read(settings.peak_files);
  if (!peak_inputs.ok()) return peak_inputs.status();
  Analysis analysis = Analyse(*inputs, *peak_inputs, settings.selection);
  const absl::Status usable = CheckRows(analysis, settings);
  if (!usable.ok()) return usable;
  Sort(analysis.rows, settings.order);
  if (settings.format == "csv" || settings.format == "svg") std::cerr << NotesText(analysis);
  const std::string text = Formatted(analysis, settings.format);
  if (settings.output.empty()) {
    std::cout << text << std::flush;
    return std::cout ? absl::OkStatus() : absl::UnavailableError("cannot write to standard output");
  }
  const absl::Status written = tensor_files::WriteFileAtomically(settings.output, text);
  if (!written.ok()) return absl::UnavailableError(written.message());
  std::cerr << "roofline: " << analysis.rows.size() << " rows written to " << settings.output
            << "\n";
  return absl::OkStatus();
}

int Main(const std::vector<std::string>& words) {
  const absl::StatusOr<Settings> settings = ParseSettings(words);
  if (!settings.ok()) return Fail(settings.status());
  if (settings->help) {
    std::cout << UsageText();
    return 0;
  }
  const absl::Status done = Run(*settings);
  return done.ok() ? 0 : Fail(done);
}

}  // namespace
}  // namespace assay::roofline

int main(int argc, char** argv) {
  return assay::roofline::Main(std::vector<std::string>(argv + 1, argv + argc));
}

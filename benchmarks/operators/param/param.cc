// Measures operators by files of configurations in the format of facebookresearch/param; --help
// says how to call it.
//
// A child process (param_child, beside this program) does the work, so that an operator that aborts
// does not end the run. This program links no LibTorch, so it starts at once.
#include <unistd.h>

#include <cstdlib>
#include <filesystem>
#include <iostream>
#include <string>
#include <utility>
#include <vector>

#include "absl/cleanup/cleanup.h"
#include "absl/status/statusor.h"
#include "absl/strings/numbers.h"
#include "absl/strings/str_cat.h"
#include "absl/time/clock.h"
#include "benchmarks/harness/base/exit_code.h"
#include "benchmarks/harness/base/working_folder.h"
#include "benchmarks/harness/processes/interrupts.h"
#include "benchmarks/harness/processes/program_main.h"
#include "benchmarks/harness/processes/series.h"
#include "benchmarks/harness/record/line_file.h"
#include "benchmarks/harness/record/record_file.h"
#include "benchmarks/harness/text/untrusted_text.h"
#include "benchmarks/operators/param/error_class.h"
#include "benchmarks/operators/param/item_record.h"
#include "benchmarks/operators/param/output.h"
#include "benchmarks/operators/param/run_options.h"
#include "benchmarks/operators/param/settings.h"
#include "benchmarks/operators/param/tool_batches.h"

namespace assay::param {
namespace {

namespace fs = std::filesystem;

using base::kSurroundings, base::kUsageError, base::WorseCode;
constexpr char kConfigs[] = "benchmarks/operators/param/configs";
constexpr char kCudaPlugin[] = "benchmarks/harness/sampling/cuda/libassay_cuda.so";

int Fail(std::string_view message, base::ExitCode code) {
  return base::Fail("param", message, code);
}

// The folder of this program in bazel-bin, which also holds what was built with it.
fs::path OwnFolder() { return fs::canonical("/proc/self/exe").parent_path(); }

std::string ChildProgram() { return (OwnFolder() / "param_child").string(); }

// The path of the file, or of an example by its name; `started` is the folder in which `bazel run`
// was typed.
std::string ConfigPath(const std::string& given, const fs::path& started) {
  std::error_code none;
  if (fs::exists(given, none) || given.find('/') != std::string::npos) return given;
  const fs::path example = started / kConfigs / given;
  return fs::exists(example, none) ? example.string() : given;
}

// The flags that the file's run_options stand for; says which of the options are not used. The child
// says what else is wrong with the file.
absl::StatusOr<std::vector<std::string>> FileWords(const std::string& path) {
  absl::StatusOr<RunOptions> options = ReadRunOptions(path);
  if (!options.ok()) return options.status();
  for (const std::string& note : options->notes) std::cerr << "param: note: " << note << "\n";
  return std::move(options->words);
}

std::string OutputPath(const Settings& settings) {
  if (settings.append) return settings.output_prefix + ".json";
  return absl::StrCat(settings.output_prefix, "_", getpid(), "_", absl::ToUnixSeconds(absl::Now()),
                      ".json");
}

processes::ChildCommand Command(Settings settings, int64_t first) {
  settings.first_item = static_cast<int>(first);
  processes::ChildCommand command;
  command.arguments = ChildWords(settings);
  command.arguments.insert(command.arguments.begin(), ChildProgram());
  command.show_errors = true;
  return command;
}

// The results for items that the child died of. The note is the worst exit code so far, and the
// item's line.
class LostItems {
 public:
  explicit LostItems(const Settings& settings) : settings_(settings) {}

  int worst_code() const { return worst_code_; }

  void Report(const processes::LostItem& lost) {
    const size_t space = lost.note.find(' ');
    int code = 0;
    if (absl::SimpleAtoi(lost.note.substr(0, space), &code))
      worst_code_ = WorseCode(worst_code_, code);
    const Json item = Json::parse(space == std::string::npos ? "" : lost.note.substr(space + 1),
                                  nullptr, /*allow_exceptions=*/false);
    if (!item.is_object()) return;
    const std::string error_class = ClassOf(lost);
    const std::string message =
        lost.timed_out ? absl::StrCat("no end after ", settings_.timeout_s, " s")
                       : absl::StrCat("the process that ran it ended: ", Describe(lost.end));
    worst_code_ = WorseCode(worst_code_, ExitCodeOf(error_class));
    const auto op_name = item["op_name"].get<std::string>();
    const std::string run_id = absl::StrCat(op_name, "|", item["id"].get<std::string>());
    constexpr size_t kLongestName = 200;
    std::cerr << base::Printable(run_id, kLongestName) << ": " << error_class << ": " << message
              << "\n";
    Check(record::AppendLine({.path = settings_.output, .kind = "output"},
                             LineText(ErrorLine(item, error_class, message))));
    if (settings_.record.empty()) return;
    Record record = NewItemRecord(settings_, op_name, run_id, absl::Now());
    if (SetOutcome(error_class, message, record)) Check(record::Append(settings_.record, record));
  }

  void Check(const absl::Status& written) {
    if (!written.ok()) worst_code_ = WorseCode(worst_code_, Fail(written.message(), kSurroundings));
  }

 private:
  const Settings& settings_;
  int worst_code_ = 0;
};

int RunInChild(Settings settings) {
  absl::Status writable = record::CheckAppendable({.path = settings.output, .kind = "output"});
  if (writable.ok() && !settings.record.empty())
    writable = record::CheckAppendable(settings.record);
  if (!writable.ok()) return Fail(writable.message(), kSurroundings);
  if (const absl::Status there = CheckTool(settings); !there.ok())
    return Fail(there.message(), kSurroundings);
  settings.journal = (fs::temp_directory_path() / "assay_param_XXXXXX").string();
  const int file = mkstemp(settings.journal.data());
  if (file < 0) return Fail(absl::StrCat("cannot make ", settings.journal), kSurroundings);
  close(file);
  const absl::Cleanup remove = [&] { unlink(settings.journal.c_str()); };

  LostItems lost(settings);
  const absl::StatusOr<int> code = processes::RunSeries(
      settings.journal, [&](int64_t first) { return Command(settings, first); },
      [&](const processes::LostItem& item) { lost.Report(item); }, &processes::Interrupted());
  if (code.ok() && (settings.nsys.asked || settings.ncu.asked)) {
    lost.Check(RunToolBatches(settings, ChildProgram(), [&](const Json& line) {
      lost.Check(record::AppendLine({.path = settings.output, .kind = "output"}, LineText(line)));
    }));
  }
  if (code.ok() || absl::IsCancelled(code.status()))
    lost.Check(record::AppendLine({.path = settings.output, .kind = "output"},
                                  LineText(FinishLine(absl::Now()))));
  std::cout << settings.output << "\n";
  if (code.ok()) return WorseCode(*code, lost.worst_code());
  return WorseCode(lost.worst_code(), Fail(code.status().message(), kSurroundings));
}

int Main(const std::vector<std::string>& words) {
  const fs::path started = fs::current_path();
  const absl::Status entered = base::EnterWorkingFolder();
  if (!entered.ok()) return Fail(entered.message(), kSurroundings);
  absl::StatusOr<Settings> settings = ParseSettings(
      words, [&](const std::string& config) { return FileWords(ConfigPath(config, started)); });
  if (!settings.ok()) return Fail(settings.status().message(), kUsageError);
  if (settings->help) return processes::Print(Usage());
  if (settings->version) return processes::Print(absl::StrCat("assay param ", kVersion, "\n"));
  settings->config_path = ConfigPath(settings->config, started);
  settings->output = OutputPath(*settings);
  // bazel-bin/benchmarks/operators/param holds this program.
  settings->cuda_plugin =
      (OwnFolder().parent_path().parent_path().parent_path() / kCudaPlugin).string();
  processes::CatchInterrupts();
  return RunInChild(*std::move(settings));
}

}  // namespace
}  // namespace assay::param

int main(int argc, char** argv) {
  return assay::processes::ProgramMain(argc, argv, {.name = "param", .run = assay::param::Main});
}

#include "tools/suite/launch/processes/results_folder.h"

#include <fcntl.h>
#include <sys/file.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <filesystem>
#include <fstream>
#include <system_error>
#include <utility>

#include "absl/strings/ascii.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "absl/time/clock.h"
#include "benchmarks/harness/base/sha256.h"
#include "benchmarks/harness/record/record_file.h"
#include "benchmarks/harness/tensor_files/file_bytes.h"
#include "benchmarks/harness/text/untrusted_text.h"

namespace assay::suite {
namespace {

namespace fs = std::filesystem;

absl::Status Failed(std::string_view what, const std::string& path, const std::error_code& error) {
  return absl::UnavailableError(absl::StrCat("cannot ", what, " ", path, ": ", error.message(),
                                             "; choose another folder with --out"));
}

// The first free name of this form: "results.torn-1".
std::string FreeName(const std::string& stem) {
  for (int number = 1;; ++number) {
    std::string name = absl::StrCat(stem, "-", number);
    if (!fs::exists(name)) return name;
  }
}

// A configuration's name as a file name. If characters had to be replaced or cut, a digest of the
// whole name keeps it unique.
std::string FileName(std::string_view name) {
  constexpr size_t kLongest = 120;
  std::string file;
  for (const char c : name.substr(0, kLongest)) {
    const bool plain = absl::ascii_isalnum(static_cast<unsigned char>(c)) || c == '_' || c == '-' ||
                       c == '=' || (c == '.' && !file.empty());
    file.push_back(plain ? c : '_');
  }
  if (file != name) absl::StrAppend(&file, "-", base::Sha256Hex(name).substr(0, 8));
  return file;
}

// The end of a file behind its last newline.
std::string TornEnd(const std::string& path) {
  std::error_code ignored;
  if (!fs::is_regular_file(path, ignored)) return "";
  std::ifstream file(path, std::ios::binary | std::ios::ate);
  std::string end;
  for (int64_t at = file ? static_cast<int64_t>(file.tellg()) : 0; at > 0;) {
    const int64_t from = std::max<int64_t>(0, at - 65536);
    std::string block(at - from, '\0');
    file.seekg(from);
    file.read(block.data(), static_cast<std::streamsize>(block.size()));
    const size_t newline = block.rfind('\n');
    end.insert(0, newline == std::string::npos ? block : block.substr(newline + 1));
    if (newline != std::string::npos) break;
    at = from;
  }
  return end;
}

}  // namespace

absl::StatusOr<std::unique_ptr<ResultsFolder>> ResultsFolder::Open(const std::string& path) {
  std::unique_ptr<ResultsFolder> folder(new ResultsFolder(path));
  absl::Status status = folder->Lock();
  if (status.ok()) status = folder->Prepare();
  if (!status.ok()) return status;
  return folder;
}

ResultsFolder::~ResultsFolder() {
  if (lock_ >= 0) close(lock_);
}

absl::Status ResultsFolder::Lock() {
  std::error_code error;
  fs::create_directories(path_ + "/logs", error);
  if (error) return Failed("make the folder", path_ + "/logs", error);
  for (const char* name : {"lock", "results.jsonl", "processes.jsonl"}) {
    if (!fs::is_symlink(absl::StrCat(path_, "/", name), error)) continue;
    return absl::FailedPreconditionError(
        absl::StrCat(path_, "/", name,
                     " is a link, and a suite writes into its own folder alone; remove it, or ",
                     "choose another folder with --out"));
  }
  const std::string file = path_ + "/lock";
  lock_ = open(file.c_str(), O_RDWR | O_CREAT | O_CLOEXEC, 0644);
  if (lock_ < 0) return Failed("open", file, {errno, std::generic_category()});
  std::array<char, 256> holder = {};
  if (flock(lock_, LOCK_EX | LOCK_NB) != 0) {
    if (errno != EWOULDBLOCK) return Failed("lock", file, {errno, std::generic_category()});
    const ssize_t bytes = pread(lock_, holder.data(), holder.size(), 0);
    return absl::FailedPreconditionError(
        absl::StrCat(path_, " is being written by ",
                     bytes > 0 ? base::Printable({holder.data(), static_cast<size_t>(bytes)}, 200)
                               : "another program",
                     "; wait for it, or choose another folder with --out"));
  }
  gethostname(holder.data(), holder.size() - 1);
  const std::string text =
      absl::StrCat("process ", getpid(), " on ", holder.data(), ", since ",
                   absl::FormatTime("%Y-%m-%d %H:%M:%S UTC", absl::Now(), absl::UTCTimeZone()));
  if (ftruncate(lock_, 0) != 0 || pwrite(lock_, text.data(), text.size(), 0) < 0) {
    return Failed("write", file, {errno, std::generic_category()});
  }
  return absl::OkStatus();
}

absl::Status ResultsFolder::Prepare() {
  absl::Status status = MoveTornLine("results");
  if (status.ok()) status = MoveTornLine("processes");
  if (status.ok()) status = MoveRunning();
  if (status.ok()) status = record::CheckAppendable(results());
  if (status.ok()) status = ReadResults();
  if (status.ok()) status = ReadProcesses();
  return status;
}

absl::Status ResultsFolder::MoveTornLine(const std::string& stem) {
  const std::string path = absl::StrCat(path_, "/", stem, ".jsonl");
  const std::string torn = TornEnd(path);
  if (torn.empty()) return absl::OkStatus();
  const std::string aside = FreeName(absl::StrCat(path_, "/", stem, ".torn"));
  if (absl::Status kept = tensor_files::WriteFileAtomically(aside, torn); !kept.ok()) return kept;
  std::error_code error;
  fs::resize_file(path, fs::file_size(path) - torn.size(), error);
  if (error) return Failed("cut half a line off", path, error);
  notes_.push_back(absl::StrCat(path, " ended in half a line of ", torn.size(),
                                " bytes, of a run that was killed: moved to ", aside));
  return absl::OkStatus();
}

absl::Status ResultsFolder::MoveRunning() {
  const std::string running = path_ + "/running";
  std::error_code error;
  if (fs::exists(running) && !fs::is_empty(running)) {
    const std::string aside = FreeName(path_ + "/running.left");
    fs::rename(running, aside, error);
    if (error) return Failed("move", running, error);
    notes_.push_back(absl::StrCat("a run that was killed has left files: moved to ", aside));
  }
  fs::create_directories(running, error);
  return error ? Failed("make the folder", running, error) : absl::OkStatus();
}

absl::Status ResultsFolder::ReadResults() {
  absl::StatusOr<record::RecordFile> file = record::ReadAll(results());
  if (!file.ok()) return file.status();
  for (const record::LineProblem& problem : file->problems) {
    notes_.push_back(
        absl::StrCat("passed over, and what it tells counts as not run: ", problem.message));
  }
  for (Record& record : file->records) Keep(std::move(record));
  return absl::OkStatus();
}

absl::Status ResultsFolder::ReadProcesses() {
  const std::string path = path_ + "/processes.jsonl";
  if (!fs::exists(path)) return absl::OkStatus();
  absl::StatusOr<record::RecordFile> file = record::ReadAll(path);
  if (!file.ok()) return file.status();
  for (Record& record : file->records) {
    processes_[record.launch().fingerprint()].push_back(std::move(record));
  }
  return absl::OkStatus();
}

void ResultsFolder::Keep(Record record) {
  if (!record.has_launch()) return;  // another program appended it
  for (Measurement& m : *record.mutable_measurements()) m.clear_samples_ns();
  if (record.launch().elapsed_s() > 0) {
    elapsed_s_[record.benchmark_case().label()] = record.launch().elapsed_s();
  }
  const std::string fingerprint = record.launch().fingerprint();
  if (record.launch().task() > 0) {
    tasks_[{record.launch().suite_run(), record.launch().task()}] = fingerprint;
  }
  records_[fingerprint] = std::move(record);
}

const Record* ResultsFolder::Find(const std::string& fingerprint) const {
  const auto found = records_.find(fingerprint);
  return found == records_.end() ? nullptr : &found->second;
}

const Record* ResultsFolder::FindTask(const std::string& suite_run, int64_t task) const {
  const auto found = tasks_.find({suite_run, task});
  return found == tasks_.end() ? nullptr : Find(found->second);
}

std::vector<Record> ResultsFolder::Processes(const std::string& fingerprint) const {
  const auto found = processes_.find(fingerprint);
  return found == processes_.end() ? std::vector<Record>() : found->second;
}

std::optional<double> ResultsFolder::ElapsedSeconds(const std::string& label) const {
  const auto found = elapsed_s_.find(label);
  return found == elapsed_s_.end() ? std::nullopt : std::optional<double>(found->second);
}

absl::Status ResultsFolder::Append(const Record& record) {
  absl::Status appended = record::Append(results(), record);
  if (appended.ok()) Keep(record);
  return appended;
}

absl::Status ResultsFolder::AppendProcess(const Record& record) {
  absl::Status appended = record::Append(path_ + "/processes.jsonl", record);
  if (appended.ok()) processes_[record.launch().fingerprint()].push_back(record);
  return appended;
}

absl::Status ResultsFolder::AppendLines(const std::vector<std::string>& lines) {
  return lines.empty() ? absl::OkStatus()
                       : record::AppendLines(results(), absl::StrJoin(lines, "\n"));
}

absl::Status ResultsFolder::AppendProcessLines(const std::vector<std::string>& lines) {
  return lines.empty()
             ? absl::OkStatus()
             : record::AppendLines(path_ + "/processes.jsonl", absl::StrJoin(lines, "\n"));
}

absl::Status ResultsFolder::Append(const SuiteRun& end) {
  Record footer;
  footer.set_schema_version(2);
  *footer.mutable_suite_run() = end;
  return record::Append(results(), footer);
}

std::string ResultsFolder::NewRecordPath() {
  // The name has this process's number: processes that a killed suite had started may still be
  // running.
  return absl::StrCat(path_, "/running/record-", getpid(), "-", next_record_++, ".jsonl");
}

absl::StatusOr<std::string> ResultsFolder::NewLog(std::string_view name) {
  const std::string log = absl::StrCat("logs/", FileName(name), ".log");
  const std::string path = absl::StrCat(path_, "/", log);
  if (!std::ofstream(path, std::ios::binary | std::ios::trunc)) {
    return Failed("write", path, {errno, std::generic_category()});
  }
  return log;
}

}  // namespace assay::suite

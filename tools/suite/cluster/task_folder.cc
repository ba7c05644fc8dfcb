#include "tools/suite/cluster/task_folder.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <atomic>
#include <cerrno>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <random>
#include <string_view>
#include <system_error>
#include <thread>

#include "absl/functional/function_ref.h"
#include "absl/strings/numbers.h"
#include "absl/strings/str_cat.h"
#include "absl/time/clock.h"
#include "absl/time/time.h"
#include "benchmarks/harness/base/sha256.h"
#include "benchmarks/harness/tensor_files/file_bytes.h"
#include "benchmarks/harness/text/message_bytes.h"

namespace assay::suite {
namespace {

namespace fs = std::filesystem;

constexpr size_t kWord = sizeof(uint64_t);

absl::Status Damaged(const std::string& path) {
  return absl::DataLossError(absl::StrCat(path, " is damaged"));
}

template <typename Message>
absl::StatusOr<Message> ReadMessage(const std::string& path) {
  const absl::StatusOr<std::string> bytes = tensor_files::ReadFile(path, kMostBytes);
  if (!bytes.ok()) return bytes.status();
  Message message;
  if (!message.ParseFromString(*bytes)) return Damaged(path);
  return message;
}

// The bytes [from, from + count) of a file.
absl::StatusOr<std::string> ReadPart(const std::string& path, uint64_t from, uint64_t count) {
  if (count > static_cast<uint64_t>(kMostBytes)) return Damaged(path);
  const int fd = open(path.c_str(), O_RDONLY | O_CLOEXEC);
  if (fd < 0) return absl::ErrnoToStatus(errno, path);
  std::string bytes(count, '\0');
  size_t got = 0;
  for (ssize_t n = 1; got < count && n > 0; got += static_cast<size_t>(std::max<ssize_t>(n, 0))) {
    n = pread(fd, bytes.data() + got, count - got, static_cast<off_t>(from + got));
  }
  close(fd);
  if (got < count) return Damaged(path);
  return bytes;
}

std::vector<uint64_t> Words(const std::string& bytes) {
  std::vector<uint64_t> words(bytes.size() / kWord);
  std::memcpy(words.data(), bytes.data(), words.size() * kWord);
  return words;
}

std::string Bytes(const std::vector<uint64_t>& words) {
  std::string bytes(words.size() * kWord, '\0');
  std::memcpy(bytes.data(), words.data(), bytes.size());
  return bytes;
}

// Calls f(0) to f(count - 1), in no order, on many threads.
void InParallel(size_t count, absl::FunctionRef<void(size_t)> f) {
  constexpr size_t kMostThreads = 64;
  std::atomic<size_t> next{0};
  const auto work = [&] {
    for (size_t i = next++; i < count; i = next++) f(i);
  };
  std::vector<std::thread> threads;
  for (size_t i = 1; i < std::min(count, kMostThreads); ++i) threads.emplace_back(work);
  work();
  for (std::thread& thread : threads) thread.join();
}

// Seconds by which this machine's clock is ahead of that of the file's file system, when `written_s`
// is the time just before the file was.
absl::StatusOr<double> ClockAhead(const std::string& file, double written_s) {
  struct stat found;
  if (stat(file.c_str(), &found) != 0) return absl::ErrnoToStatus(errno, file);
  return written_s - (static_cast<double>(found.st_mtim.tv_sec) +
                      1e-9 * static_cast<double>(found.st_mtim.tv_nsec));
}

}  // namespace

TaskFolder::TaskFolder(const std::string& results, const std::string& suite_run)
    : path_(absl::StrCat(results, "/cluster/", suite_run)), results_(results) {}

TaskFolder::TaskFolder(const std::string& path)
    : path_(path), results_(fs::path(path).parent_path().parent_path().string()) {}

std::string TaskFolder::JobName() const {
  return absl::StrCat("assay-", fs::path(path_).filename().string());
}

absl::Status TaskFolder::Write(const TaskRun& run, const std::vector<PlannedTask>& tasks) {
  std::error_code error;
  for (const char* name : {"started", "results", "output"}) {
    fs::create_directories(Path(name), error);
    if (error) {
      return absl::UnavailableError(
          absl::StrCat("cannot make the folder ", Path(name), ": ", error.message()));
    }
  }
  // Variables may be secret.
  fs::permissions(path_, fs::perms::owner_all, error);
  std::vector<uint64_t> head = {tasks.size()};
  std::string all;
  for (const PlannedTask& task : tasks) {
    head.push_back(all.size());
    task.AppendToString(&all);
  }
  head.push_back(all.size());
  std::random_device random;
  const std::string token =
      absl::StrCat(absl::Hex(random(), absl::kZeroPad8), absl::Hex(random(), absl::kZeroPad8));
  absl::Status status = tensor_files::WriteFileAtomically(Path("tasks"), {Bytes(head), all});
  if (status.ok()) status = tensor_files::WriteFileAtomically(Path("token"), token);
  if (status.ok())  // last: with it the run exists
    status = tensor_files::WriteFileAtomically(Path("run.pb"), run.SerializeAsString());
  return status;
}

absl::StatusOr<TaskRun> TaskFolder::ReadRun() const { return ReadMessage<TaskRun>(Path("run.pb")); }

absl::StatusOr<PlannedTask> TaskFolder::ReadTask(int64_t index) const {
  const std::string path = Path("tasks");
  const absl::StatusOr<std::string> count = ReadPart(path, 0, kWord);
  if (!count.ok()) return count.status();
  const uint64_t tasks = Words(*count)[0];
  if (index < 0 || static_cast<uint64_t>(index) >= tasks) {
    return absl::OutOfRangeError(absl::StrCat(path, " has ", tasks, " tasks, and none is ", index));
  }
  const absl::StatusOr<std::string> ends = ReadPart(path, (1 + index) * kWord, 2 * kWord);
  if (!ends.ok()) return ends.status();
  const std::vector<uint64_t> end = Words(*ends);
  if (end[1] < end[0]) return Damaged(path);
  const absl::StatusOr<std::string> bytes =
      ReadPart(path, (2 + tasks) * kWord + end[0], end[1] - end[0]);
  if (!bytes.ok()) return bytes.status();
  PlannedTask task;
  if (!task.ParseFromString(*bytes)) return Damaged(path);
  return task;
}

absl::StatusOr<std::vector<PlannedTask>> TaskFolder::ReadTasks() const {
  const std::string path = Path("tasks");
  const absl::StatusOr<std::string> bytes = tensor_files::ReadFile(path, kMostBytes);
  if (!bytes.ok()) return bytes.status();
  const std::vector<uint64_t> words = Words(*bytes);
  if (words.size() < 2 || words[0] > words.size() - 2) return Damaged(path);
  const std::string_view all = std::string_view(*bytes).substr((2 + words[0]) * kWord);
  std::vector<PlannedTask> tasks(words[0]);
  for (size_t i = 0; i < tasks.size(); ++i) {
    const uint64_t begin = words[1 + i], end = words[2 + i];
    if (end < begin || end > all.size()) return Damaged(path);
    if (!tasks[i].ParseFromArray(all.data() + begin, static_cast<int>(end - begin)))
      return Damaged(path);
  }
  return tasks;
}

absl::StatusOr<double> TaskFolder::WriteAttempt(int64_t index, int attempt, TaskAttempt begun) {
  begun.set_started_s(absl::ToDoubleSeconds(absl::Now() - absl::UnixEpoch()));
  const std::string path = Path(absl::StrCat("started/", index, ".", attempt));
  const absl::Status written = tensor_files::WriteFileAtomically(path, begun.SerializeAsString());
  if (!written.ok()) return written;
  return ClockAhead(path, begun.started_s());
}

std::optional<TaskAttempt> TaskFolder::ReadAttempt(int64_t index, int attempt) const {
  absl::StatusOr<TaskAttempt> begun =
      ReadMessage<TaskAttempt>(Path(absl::StrCat("started/", index, ".", attempt)));
  return begun.ok() ? std::optional<TaskAttempt>(*std::move(begun)) : std::nullopt;
}

std::optional<std::pair<int, TaskAttempt>> TaskFolder::LastAttempt(int64_t index) const {
  std::optional<std::pair<int, TaskAttempt>> last;
  for (int attempt = 1;; ++attempt) {
    std::optional<TaskAttempt> begun = ReadAttempt(index, attempt);
    if (!begun.has_value()) return last;
    last = {attempt, *std::move(begun)};
  }
}

absl::Status TaskFolder::WriteResult(int64_t index, const TaskResult& result) {
  return tensor_files::WriteFileAtomically(Path(absl::StrCat("results/", index)),
                                           result.SerializeAsString());
}

bool TaskFolder::HasResult(int64_t index) const {
  std::error_code ignored;
  return fs::exists(Path(absl::StrCat("results/", index)), ignored);
}

absl::StatusOr<std::vector<int64_t>> TaskFolder::Results() const {
  std::vector<int64_t> tasks;
  std::error_code error;
  for (fs::directory_iterator entry(Path("results"), error), end; !error && entry != end;
       entry.increment(error)) {
    int64_t task = 0;  // another name is a file that is being written
    if (absl::SimpleAtoi(entry->path().filename().string(), &task)) tasks.push_back(task);
  }
  if (error) {
    return absl::UnavailableError(absl::StrCat(Path("results"), ": ", error.message()));
  }
  return tasks;
}

absl::StatusOr<std::vector<TaskResult>> TaskFolder::ReadResults(
    absl::Span<const int64_t> tasks) const {
  std::vector<TaskResult> results(tasks.size());
  std::vector<absl::Status> read(tasks.size());
  InParallel(tasks.size(), [&](size_t i) {
    absl::StatusOr<TaskResult> result =
        ReadMessage<TaskResult>(Path(absl::StrCat("results/", tasks[i])));
    read[i] = result.status();
    if (result.ok()) results[i] = *std::move(result);
  });
  for (const absl::Status& status : read) {
    if (!status.ok()) return status;
  }
  return results;
}

void TaskFolder::RemoveResults(absl::Span<const int64_t> tasks) const {
  InParallel(tasks.size(),
             [&](size_t i) { unlink(Path(absl::StrCat("results/", tasks[i])).c_str()); });
}

absl::Status TaskFolder::MarkOver() { return tensor_files::WriteFileAtomically(Path("over"), ""); }

std::string OpenRun(const std::string& results) {
  std::error_code error;
  for (fs::directory_iterator entry(results + "/cluster", error), end; !error && entry != end;
       entry.increment(error)) {
    if (fs::exists(entry->path() / "run.pb") && !fs::exists(entry->path() / "over")) {
      return entry->path().filename().string();
    }
  }
  return "";
}

std::optional<Environment> ReadMachine(const std::string& results, const std::string& name) {
  absl::StatusOr<Environment> machine =
      ReadMessage<Environment>(absl::StrCat(results, "/cluster/machines/", name));
  return machine.ok() ? std::optional<Environment>(*std::move(machine)) : std::nullopt;
}

std::vector<Environment> ReadMachines(const std::string& results) {
  std::vector<Environment> machines;
  std::error_code error;
  for (fs::directory_iterator entry(results + "/cluster/machines", error), end;
       !error && entry != end; entry.increment(error)) {
    const std::string name = entry->path().filename().string();
    if (!base::IsSha256Hex(name)) continue;
    if (auto machine = ReadMachine(results, name)) machines.push_back(*std::move(machine));
  }
  return machines;
}

absl::StatusOr<std::string> KeepMachine(const std::string& results, const Environment& machine) {
  Environment kept;
  kept.set_cpu_model(machine.cpu_model());
  kept.set_cpu_count(machine.cpu_count());
  kept.set_kernel(machine.kernel());
  kept.set_gpu_name(machine.gpu_name());
  kept.set_gpu_driver(machine.gpu_driver());
  *kept.mutable_variables() = machine.variables();
  const std::string bytes = base::MessageBytes(kept);
  const std::string name = base::Sha256Hex(bytes), folder = results + "/cluster/machines";
  std::error_code error;
  if (fs::exists(folder + "/" + name, error)) return name;
  fs::create_directories(folder, error);
  const absl::Status written = tensor_files::WriteFileAtomically(folder + "/" + name, bytes);
  if (!written.ok()) return written;
  return name;
}

}  // namespace assay::suite

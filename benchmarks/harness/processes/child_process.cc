#include "benchmarks/harness/processes/child_process.h"

#include <fcntl.h>
#include <poll.h>
#include <sched.h>
#include <signal.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <charconv>
#include <cstdlib>
#include <cstring>
#include <fstream>
#include <iterator>
#include <string_view>

#include "absl/cleanup/cleanup.h"
#include "absl/status/status.h"
#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "benchmarks/harness/base/steady_time.h"

extern char** environ;

namespace assay::processes {
namespace {

constexpr std::array kOwnVariables = {"RUNFILES_DIR=",
                                      "RUNFILES_MANIFEST_FILE=",
                                      "TEST_SRCDIR=",
                                      "BUILD_WORKING_DIRECTORY=",
                                      "BUILD_WORKSPACE_DIRECTORY=",
                                      "ASSAY_WORKSPACE="};

std::vector<std::string> ChildEnvironment(const std::vector<std::string>& added) {
  const auto replaced = [&](std::string_view variable) {
    for (const char* name : kOwnVariables) {
      if (absl::StartsWith(variable, name)) return true;
    }
    for (const std::string& other : added) {
      if (absl::StartsWith(variable, other.substr(0, other.find('=') + 1))) return true;
    }
    return false;
  };
  std::vector<std::string> result = added;
  for (const char* name : {"BUILD_WORKSPACE_DIRECTORY", kWorkspaceVariable}) {
    const char* const workspace = std::getenv(name);
    if (workspace == nullptr) continue;
    result.push_back(absl::StrCat(kWorkspaceVariable, "=", workspace));
    break;
  }
  for (char** variable = environ; *variable != nullptr; ++variable) {
    if (!replaced(*variable)) result.emplace_back(*variable);
  }
  return result;
}

std::vector<char*> Pointers(std::vector<std::string>& strings) {
  std::vector<char*> pointers;
  for (std::string& string : strings) pointers.push_back(string.data());
  pointers.push_back(nullptr);
  return pointers;
}

// A file that takes the first bytes of a stream.
struct Log {
  int file = -1;
  int64_t room = 0;

  absl::Status Open(const std::string& path, int64_t bytes) {
    file = open(path.c_str(), O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0644);
    room = bytes;
    return file >= 0 ? absl::OkStatus() : absl::ErrnoToStatus(errno, absl::StrCat("log ", path));
  }
  // If the disk is full the log loses its end, and the child does not notice.
  void Take(std::string_view text) {
    if (file < 0 || room <= 0) return;
    text = text.substr(0, room);
    const ssize_t written = write(file, text.data(), text.size());
    room = written == static_cast<ssize_t>(text.size()) ? room - written : 0;
    if (room > 0) return;
    constexpr std::string_view kCut = "\n... the rest was not kept\n";
    [[maybe_unused]] const ssize_t note = write(file, kCut.data(), kCut.size());
  }
  void Close() {
    if (file >= 0) close(file);
    file = -1;
  }
};

// The read end of a child's stream, and what came through it.
struct Stream {
  int read_end = -1;
  int write_end = -1;
  std::string text;
  Log log;

  absl::Status Open(bool blocking = false) {
    int ends[2];
    if (pipe2(ends, O_CLOEXEC) != 0) return absl::ErrnoToStatus(errno, "cannot make a pipe");
    read_end = ends[0];
    write_end = fcntl(ends[1], F_DUPFD_CLOEXEC, kAnswer + 1);  // 0 to 3 will be others in the child
    close(ends[1]);
    if (!blocking) fcntl(read_end, F_SETFL, O_NONBLOCK);
    return absl::OkStatus();
  }
  void CloseWriteEnd() {
    if (write_end >= 0) close(write_end);
    write_end = -1;
  }
  // Reads what there is, keeping the last `keep` bytes or somewhat more.
  void Drain(int64_t keep) {
    char buffer[16384];
    for (ssize_t got; read_end >= 0;) {
      got = read(read_end, buffer, sizeof buffer);
      if (got > 0) {
        log.Take({buffer, static_cast<size_t>(got)});
        text.append(buffer, got);
        if (static_cast<int64_t>(text.size()) > 2 * keep) text.erase(0, text.size() - keep);
        // A child that prints faster than this reads must not delay the watchdog.
        if (got < static_cast<ssize_t>(sizeof buffer)) return;
        continue;
      }
      if (got < 0 && errno == EINTR) continue;
      if (got == 0) Close();
      return;
    }
  }
  void Close() {
    if (read_end >= 0) close(read_end);
    read_end = -1;
  }
};

// The number behind a word in a file of lines "word number"; 0 where there is none.
int64_t CounterIn(const std::string& path, std::string_view name) {
  std::ifstream file(path);
  std::string word;
  for (int64_t value = 0; file >> word >> value;) {
    if (word == name) return value;
  }
  return 0;
}

// How often the kernel has killed a process for want of memory: in the child's own control group,
// or else on the whole machine.
int64_t OutOfMemoryKills(const ChildLimits& limits) {
  return CounterIn(
      limits.control_group.empty() ? "/proc/vmstat" : limits.control_group + "/memory.events",
      "oom_kill");
}

// The step that the child could not do before it became the program.
struct StartFailure {
  enum Step { kCpus, kData, kControlGroup, kFolder, kProgram } step = kProgram;
  int error = 0;
};

// Everything that the child needs until it has become the program, made before it is one: after fork() it may
// not allocate, since another thread can hold the allocator's lock.
struct Start {
  explicit Start(const ChildCommand& command)
      : command(command),
        words(command.arguments),
        variables(ChildEnvironment(command.environment)) {
    if (!command.limits.control_group.empty()) {
      group_file = command.limits.control_group + "/cgroup.procs";
    }
    arguments = Pointers(words);
    environment = Pointers(variables);
    CPU_ZERO(&cpus);
    for (const int cpu : command.limits.cpus) CPU_SET(cpu, &cpus);
  }

  const ChildCommand& command;
  std::vector<std::string> words, variables;
  std::vector<char*> arguments, environment;
  std::string group_file;
  cpu_set_t cpus;
};

// Puts this process into a control group.
bool Join(const char* group_file) {
  char text[16];
  const std::to_chars_result end = std::to_chars(text, text + sizeof text, getpid());
  const int file = open(group_file, O_WRONLY | O_CREAT | O_CLOEXEC, 0644);
  return file >= 0 && write(file, text, end.ptr - text) == end.ptr - text;
}

// In the child: takes on its limits, then becomes the program. Returns what failed.
StartFailure Become(const Start& start, int output, int errors, int answer) {
  const ChildLimits& limits = start.command.limits;
  const int null = open("/dev/null", O_RDONLY | O_CLOEXEC);
  dup2(null, 0);
  if (!start.command.show_output) dup2(output, 1);
  if (!start.command.show_errors) dup2(start.command.log.empty() ? errors : output, 2);
  if (start.command.output_as_errors) dup2(2, 1);
  if (start.command.answers) dup2(answer, kAnswer);
  if (start.command.own_group) setpgid(0, 0);
  for (const int number : {SIGINT, SIGTERM, SIGPIPE}) signal(number, SIG_DFL);
  if (!limits.cpus.empty() && sched_setaffinity(0, sizeof start.cpus, &start.cpus) != 0) {
    return {StartFailure::kCpus, errno};
  }
  const auto bytes = static_cast<rlim_t>(limits.data_bytes);
  const rlimit data = {bytes, bytes};
  if (bytes > 0 && setrlimit(RLIMIT_DATA, &data) != 0) return {StartFailure::kData, errno};
  if (!start.group_file.empty() && !Join(start.group_file.c_str())) {
    return {StartFailure::kControlGroup, errno};
  }
  const std::string& folder = start.command.folder;
  if (!folder.empty() && chdir(folder.c_str()) != 0) return {StartFailure::kFolder, errno};
  sigset_t none;
  sigemptyset(&none);
  sigprocmask(SIG_SETMASK, &none, nullptr);
  execvpe(start.arguments[0], start.arguments.data(), start.environment.data());
  return {StartFailure::kProgram, errno};
}

absl::Status ErrorOf(const StartFailure& failure, const ChildCommand& command) {
  const char* const why = std::strerror(failure.error);
  switch (failure.step) {
    case StartFailure::kCpus:
      return absl::InvalidArgumentError(absl::StrCat(
          "cannot run on CPU ", absl::StrJoin(command.limits.cpus, ","), " alone: ", why));
    case StartFailure::kData:
      return absl::InvalidArgumentError(absl::StrCat("cannot limit memory: ", why));
    case StartFailure::kControlGroup:
      return absl::InvalidArgumentError(
          absl::StrCat("cannot join control group ", command.limits.control_group, ": ", why));
    case StartFailure::kFolder:
      return absl::NotFoundError(absl::StrCat("folder ", command.folder, ": ", why));
    case StartFailure::kProgram:
      break;
  }
  return absl::NotFoundError(absl::StrCat("cannot start ", command.arguments[0], ": ", why));
}

// fork() in the place of posix_spawn(), which can neither set limits nor tie the child's life to
// ours: a suite that is killed must not leave a program behind that disturbs the next one.
absl::StatusOr<pid_t> Spawn(const ChildCommand& command, const Stream& output, const Stream& errors,
                            const Stream& answer) {
  for (const int cpu : command.limits.cpus) {
    if (cpu < 0 || cpu >= CPU_SETSIZE) {
      return absl::InvalidArgumentError(absl::StrCat("there is no CPU ", cpu));
    }
  }
  const Start start(command);
  Stream report;
  absl::Cleanup close_report = [&report] {
    report.CloseWriteEnd();
    report.Close();
  };
  if (absl::Status opened = report.Open(/*blocking=*/true); !opened.ok()) return opened;
  const pid_t parent = getpid();
  sigset_t all, before;
  sigfillset(&all);
  pthread_sigmask(SIG_SETMASK, &all, &before);  // our handlers are not for the child
  const pid_t pid = fork();
  if (pid == 0) {
    prctl(PR_SET_PDEATHSIG, SIGKILL);
    if (getppid() != parent) _exit(127);
    const StartFailure failure =
        Become(start, output.write_end, errors.write_end, answer.write_end);
    [[maybe_unused]] const ssize_t told = write(report.write_end, &failure, sizeof failure);
    _exit(127);
  }
  const int error = errno;
  pthread_sigmask(SIG_SETMASK, &before, nullptr);
  if (pid < 0) return absl::ErrnoToStatus(error, "fork");
  report.CloseWriteEnd();
  StartFailure failure;
  ssize_t got;
  while ((got = read(report.read_end, &failure, sizeof failure)) < 0 && errno == EINTR) {
  }
  if (got != static_cast<ssize_t>(sizeof failure)) return pid;  // closed by exec
  waitpid(pid, nullptr, 0);
  return ErrorOf(failure, command);
}

// Waits until the child has ended or must be ended. It is not reaped yet, so that no other process
// group can get its number.
Ending Watch(pid_t pid, int pid_descriptor, const ChildCommand& command, absl::Duration start,
             const std::atomic<bool>* interrupted, Stream& output, Stream& errors, Stream& answer) {
  const pid_t target = command.own_group ? -pid : pid;
  const absl::Duration deadline = start + command.timeout;
  absl::Duration kill_time = absl::InfiniteDuration();
  Ending ending = Ending::kExited;
  const auto ask_to_end = [&](Ending as, int signal, absl::Duration now) {
    if (ending != Ending::kExited) return;
    ending = as;
    kill_time = now + command.grace;
    kill(target, signal);
  };
  while (true) {
    const absl::Duration now = base::SteadyNow();
    if (now >= deadline) ask_to_end(Ending::kTimedOut, SIGTERM, now);
    if (interrupted != nullptr && *interrupted) ask_to_end(Ending::kInterrupted, SIGINT, now);
    if (now >= kill_time) kill(target, SIGKILL);
    pollfd polled[] = {{pid_descriptor, POLLIN, 0},
                       {output.read_end, POLLIN, 0},
                       {errors.read_end, POLLIN, 0},
                       {answer.read_end, POLLIN, 0}};
    const absl::Duration next = ending == Ending::kExited ? deadline : kill_time;
    const absl::Duration wait = std::min(next - now, absl::Milliseconds(250));
    poll(polled, std::size(polled), std::max<int64_t>(1, absl::ToInt64Milliseconds(wait)));
    output.Drain(command.keep_bytes);
    errors.Drain(command.keep_bytes);
    answer.Drain(command.keep_bytes);
    if (polled[0].revents != 0) return ending;
  }
}

}  // namespace

absl::StatusOr<ChildEnd> RunChild(const ChildCommand& command,
                                  const std::atomic<bool>* interrupted) {
  Stream output, errors, answer;
  absl::Cleanup close_streams = [&] {
    for (Stream* stream : {&output, &errors, &answer}) {
      stream->CloseWriteEnd();
      stream->Close();
      stream->log.Close();
    }
  };
  for (Stream* stream : {&output, &errors, &answer}) {
    if (const absl::Status opened = stream->Open(); !opened.ok()) return opened;
  }
  if (!command.log.empty()) {
    absl::Status opened = output.log.Open(command.log, command.log_bytes);
    if (!opened.ok()) return opened;
  }
  const int64_t kills_before = OutOfMemoryKills(command.limits);
  const absl::Duration start = base::SteadyNow();
  const absl::StatusOr<pid_t> pid = Spawn(command, output, errors, answer);
  if (!pid.ok()) return pid.status();
  output.CloseWriteEnd();
  errors.CloseWriteEnd();
  answer.CloseWriteEnd();
  const int descriptor = static_cast<int>(syscall(SYS_pidfd_open, *pid, 0));
  if (descriptor < 0) {
    const int error = errno;
    kill(command.own_group ? -*pid : *pid, SIGKILL);
    waitpid(*pid, nullptr, 0);
    return absl::ErrnoToStatus(error, "pidfd_open (Linux 5.3 or later is needed)");
  }
  ChildEnd end;
  end.ending = Watch(*pid, descriptor, command, start, interrupted, output, errors, answer);
  close(descriptor);
  end.elapsed = base::SteadyNow() - start;
  if (command.own_group) kill(-*pid, SIGKILL);  // processes that it left behind
  int status = 0;
  rusage usage = {};
  while (wait4(*pid, &status, 0, &usage) < 0 && errno == EINTR) {
  }
  output.Drain(command.keep_bytes);
  errors.Drain(command.keep_bytes);
  answer.Drain(command.keep_bytes);
  end.output = std::move(output.text);
  end.errors = std::move(errors.text);
  end.answer = std::move(answer.text);
  end.code = WIFSIGNALED(status) ? WTERMSIG(status) : WEXITSTATUS(status);
  if (end.ending == Ending::kExited && WIFSIGNALED(status)) end.ending = Ending::kKilled;
  end.peak_bytes = int64_t{usage.ru_maxrss} << 10;
  end.out_of_memory = end.ending == Ending::kKilled && end.code == SIGKILL &&
                      OutOfMemoryKills(command.limits) > kills_before;
  return end;
}

std::string Describe(const ChildEnd& end) {
  switch (end.ending) {
    case Ending::kExited:
      return absl::StrCat("exit code ", end.code);
    case Ending::kKilled:
      return absl::StrCat("signal ", end.code, " (", strsignal(end.code), ")",
                          end.out_of_memory     ? ": the kernel killed it, out of memory"
                          : end.code == SIGKILL ? ": perhaps out of memory"
                                                : "");
    case Ending::kTimedOut:
      return absl::StrCat("no end after ",
                          absl::FormatDuration(absl::Trunc(end.elapsed, absl::Milliseconds(100))));
    case Ending::kInterrupted:
      return "interrupted";
  }
  return "";
}

}  // namespace assay::processes

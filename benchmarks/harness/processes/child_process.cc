#include "benchmarks/harness/processes/child_process.h"

#include <fcntl.h>
#include <poll.h>
#include <sched.h>
#include <signal.h>
#include <spawn.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <cstring>
#include <fstream>
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

constexpr std::array kOwnVariables = {"RUNFILES_DIR=", "RUNFILES_MANIFEST_FILE=", "TEST_SRCDIR=",
                                      "BUILD_WORKING_DIRECTORY=", "BUILD_WORKSPACE_DIRECTORY="};

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

  absl::Status Open() {
    int ends[2];
    if (pipe2(ends, O_CLOEXEC) != 0) return absl::ErrnoToStatus(errno, "cannot make a pipe");
    read_end = ends[0];
    write_end = ends[1];
    fcntl(read_end, F_SETFL, O_NONBLOCK);
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

// While this object exists, the thread runs on the CPUs that a child is to inherit.
class InheritedCpus {
 public:
  absl::Status Choose(const std::vector<int>& cpus) {
    if (cpus.empty()) return absl::OkStatus();
    cpu_set_t chosen;
    CPU_ZERO(&chosen);
    for (const int cpu : cpus) {
      if (cpu < 0 || cpu >= CPU_SETSIZE) {
        return absl::InvalidArgumentError(absl::StrCat("there is no CPU ", cpu));
      }
      CPU_SET(cpu, &chosen);
    }
    if (sched_getaffinity(0, sizeof before_, &before_) != 0 ||
        sched_setaffinity(0, sizeof chosen, &chosen) != 0) {
      return absl::InvalidArgumentError(absl::StrCat("cannot run on CPU ", absl::StrJoin(cpus, ","),
                                                     " alone: ", std::strerror(errno)));
    }
    changed_ = true;
    return absl::OkStatus();
  }
  ~InheritedCpus() {
    if (changed_) sched_setaffinity(0, sizeof before_, &before_);
  }

 private:
  cpu_set_t before_;
  bool changed_ = false;
};

// The command that starts the program. A shell sets the limits on itself and then becomes the
// program: limits set from outside could come after the end of a short program.
std::vector<std::string> LimitedArguments(const ChildCommand& command) {
  const ChildLimits& limits = command.limits;
  std::string script;
  if (limits.data_bytes > 0) {
    absl::StrAppend(&script, "ulimit -d ", std::max<int64_t>(1, limits.data_bytes >> 10), " && ");
  }
  if (!limits.control_group.empty()) absl::StrAppend(&script, "echo $$ >\"$0/cgroup.procs\" && ");
  if (script.empty()) return command.arguments;
  std::vector<std::string> arguments = {"/bin/sh", "-c", script + "exec \"$@\"",
                                        limits.control_group};
  arguments.insert(arguments.end(), command.arguments.begin(), command.arguments.end());
  return arguments;
}

absl::StatusOr<pid_t> Spawn(const ChildCommand& command, Stream& output, Stream& errors) {
  std::vector<std::string> arguments = LimitedArguments(command);
  std::vector<std::string> environment = ChildEnvironment(command.environment);
  posix_spawn_file_actions_t actions;
  posix_spawn_file_actions_init(&actions);
  posix_spawnattr_t attributes;
  posix_spawnattr_init(&attributes);
  absl::Cleanup destroy = [&] {
    posix_spawn_file_actions_destroy(&actions);
    posix_spawnattr_destroy(&attributes);
  };
  posix_spawn_file_actions_addopen(&actions, 0, "/dev/null", O_RDONLY, 0);
  if (!command.show_output) posix_spawn_file_actions_adddup2(&actions, output.write_end, 1);
  if (!command.show_errors) {
    posix_spawn_file_actions_adddup2(&actions,
                                     command.log.empty() ? errors.write_end : output.write_end, 2);
  }
  for (const int descriptor : command.descriptors) {
    posix_spawn_file_actions_adddup2(&actions, descriptor, descriptor);  // not closed by exec
  }
  if (!command.folder.empty()) {
    posix_spawn_file_actions_addchdir_np(&actions, command.folder.c_str());
  }
  sigset_t none, usual;
  sigemptyset(&none);
  sigemptyset(&usual);
  for (const int signal : {SIGINT, SIGTERM, SIGPIPE}) sigaddset(&usual, signal);
  posix_spawnattr_setsigmask(&attributes, &none);
  posix_spawnattr_setsigdefault(&attributes, &usual);
  posix_spawnattr_setpgroup(&attributes, 0);
  posix_spawnattr_setflags(&attributes,
                           POSIX_SPAWN_SETPGROUP | POSIX_SPAWN_SETSIGMASK | POSIX_SPAWN_SETSIGDEF);
  InheritedCpus inherited;
  if (absl::Status chosen = inherited.Choose(command.limits.cpus); !chosen.ok()) return chosen;
  pid_t pid = 0;
  const int error = posix_spawnp(&pid, arguments[0].c_str(), &actions, &attributes,
                                 Pointers(arguments).data(), Pointers(environment).data());
  if (error == 0) return pid;
  return absl::NotFoundError(
      absl::StrCat("cannot start ", arguments[0], ": ", std::strerror(error)));
}

// Waits until the child has ended or must be ended. It is not reaped yet, so that no other process
// group can get its number.
Ending Watch(pid_t pid, int pid_descriptor, const ChildCommand& command, absl::Duration start,
             const std::atomic<bool>* interrupted, Stream& output, Stream& errors) {
  const absl::Duration deadline = start + command.timeout;
  absl::Duration kill_time = absl::InfiniteDuration();
  Ending ending = Ending::kExited;
  const auto ask_to_end = [&](Ending as, int signal, absl::Duration now) {
    if (ending != Ending::kExited) return;
    ending = as;
    kill_time = now + command.grace;
    kill(-pid, signal);
  };
  while (true) {
    const absl::Duration now = base::SteadyNow();
    if (now >= deadline) ask_to_end(Ending::kTimedOut, SIGTERM, now);
    if (interrupted != nullptr && *interrupted) ask_to_end(Ending::kInterrupted, SIGINT, now);
    if (now >= kill_time) kill(-pid, SIGKILL);
    pollfd polled[3] = {
        {pid_descriptor, POLLIN, 0}, {output.read_end, POLLIN, 0}, {errors.read_end, POLLIN, 0}};
    const absl::Duration next = ending == Ending::kExited ? deadline : kill_time;
    const absl::Duration wait = std::min(next - now, absl::Milliseconds(250));
    poll(polled, 3, std::max<int64_t>(1, absl::ToInt64Milliseconds(wait)));
    output.Drain(command.keep_bytes);
    errors.Drain(command.keep_bytes);
    if (polled[0].revents != 0) return ending;
  }
}

}  // namespace

absl::StatusOr<ChildEnd> RunChild(const ChildCommand& command,
                                  const std::atomic<bool>* interrupted) {
  Stream output, errors;
  absl::Cleanup close_streams = [&] {
    for (Stream* stream : {&output, &errors}) {
      stream->CloseWriteEnd();
      stream->Close();
      stream->log.Close();
    }
  };
  for (Stream* stream : {&output, &errors}) {
    if (const absl::Status opened = stream->Open(); !opened.ok()) return opened;
  }
  if (!command.log.empty()) {
    absl::Status opened = output.log.Open(command.log, command.log_bytes);
    if (!opened.ok()) return opened;
  }
  const int64_t kills_before = OutOfMemoryKills(command.limits);
  const absl::Duration start = base::SteadyNow();
  const absl::StatusOr<pid_t> pid = Spawn(command, output, errors);
  if (!pid.ok()) return pid.status();
  output.CloseWriteEnd();
  errors.CloseWriteEnd();
  const int descriptor = static_cast<int>(syscall(SYS_pidfd_open, *pid, 0));
  if (descriptor < 0) {
    const int error = errno;
    kill(-*pid, SIGKILL);
    waitpid(*pid, nullptr, 0);
    return absl::ErrnoToStatus(error, "pidfd_open (Linux 5.3 or later is needed)");
  }
  ChildEnd end;
  end.ending = Watch(*pid, descriptor, command, start, interrupted, output, errors);
  close(descriptor);
  end.elapsed = base::SteadyNow() - start;
  kill(-*pid, SIGKILL);  // processes that it left behind
  int status = 0;
  rusage usage = {};
  while (wait4(*pid, &status, 0, &usage) < 0 && errno == EINTR) {
  }
  output.Drain(command.keep_bytes);
  errors.Drain(command.keep_bytes);
  end.output = std::move(output.text);
  end.errors = std::move(errors.text);
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

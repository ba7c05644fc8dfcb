#include "benchmarks/harness/processes/child_process.h"

#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <spawn.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <cstring>
#include <string_view>

#include "absl/cleanup/cleanup.h"
#include "absl/status/status.h"
#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "absl/time/clock.h"

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

// The read end of a child's stream, and what came through it.
struct Stream {
  int read_end = -1;
  int write_end = -1;
  std::string text;

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
        text.append(buffer, got);
        if (static_cast<int64_t>(text.size()) > 2 * keep) text.erase(0, text.size() - keep);
        // A child that prints faster than this reads must not keep the watchdog from its turn.
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

absl::StatusOr<pid_t> Spawn(const ChildCommand& command, Stream& output, Stream& errors) {
  std::vector<std::string> arguments = command.arguments;
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
  posix_spawn_file_actions_adddup2(&actions, output.write_end, 1);
  if (!command.show_errors) posix_spawn_file_actions_adddup2(&actions, errors.write_end, 2);
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
  pid_t pid = 0;
  const int error = posix_spawnp(&pid, arguments[0].c_str(), &actions, &attributes,
                                 Pointers(arguments).data(), Pointers(environment).data());
  if (error == 0) return pid;
  return absl::NotFoundError(
      absl::StrCat("cannot start ", arguments[0], ": ", std::strerror(error)));
}

// Waits until the child has ended, or until it has to be ended; leaves it unreaped, so that its
// group's number cannot be given to somebody else.
Ending Watch(pid_t pid, int pid_descriptor, const ChildCommand& command, absl::Time start,
             const std::atomic<bool>* interrupted, Stream& output, Stream& errors) {
  const absl::Time deadline = start + command.timeout;
  absl::Time kill_time = absl::InfiniteFuture();
  bool interrupting = false;
  while (true) {
    const absl::Time now = absl::Now();
    if (now >= deadline && !interrupting) {
      kill(-pid, SIGKILL);
      return Ending::kTimedOut;
    }
    if (interrupted != nullptr && *interrupted && !interrupting) {
      interrupting = true;
      kill_time = now + absl::Seconds(2);
      kill(-pid, SIGINT);
    }
    if (now >= kill_time) kill(-pid, SIGKILL);
    pollfd polled[3] = {
        {pid_descriptor, POLLIN, 0}, {output.read_end, POLLIN, 0}, {errors.read_end, POLLIN, 0}};
    const absl::Duration wait =
        std::min(std::min(deadline, kill_time) - now, absl::Milliseconds(250));
    poll(polled, 3, std::max<int64_t>(1, absl::ToInt64Milliseconds(wait)));
    output.Drain(command.keep_bytes);
    errors.Drain(command.keep_bytes);
    if (polled[0].revents != 0) return interrupting ? Ending::kInterrupted : Ending::kExited;
  }
}

}  // namespace

absl::StatusOr<ChildEnd> RunChild(const ChildCommand& command,
                                  const std::atomic<bool>* interrupted) {
  Stream output, errors;
  absl::Cleanup close_streams = [&] {
    for (Stream* stream : {&output, &errors}) stream->CloseWriteEnd(), stream->Close();
  };
  for (Stream* stream : {&output, &errors}) {
    if (const absl::Status opened = stream->Open(); !opened.ok()) return opened;
  }
  const absl::Time start = absl::Now();
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
  end.elapsed = absl::Now() - start;
  kill(-*pid, SIGKILL);  // whatever it left behind
  int status = 0;
  while (waitpid(*pid, &status, 0) < 0 && errno == EINTR) {
  }
  output.Drain(command.keep_bytes);
  errors.Drain(command.keep_bytes);
  end.output = std::move(output.text);
  end.errors = std::move(errors.text);
  end.code = WIFSIGNALED(status) ? WTERMSIG(status) : WEXITSTATUS(status);
  if (end.ending == Ending::kExited && WIFSIGNALED(status)) end.ending = Ending::kKilled;
  return end;
}

std::string Describe(const ChildEnd& end) {
  switch (end.ending) {
    case Ending::kExited:
      return absl::StrCat("exit code ", end.code);
    case Ending::kKilled:
      return absl::StrCat("signal ", end.code, " (", strsignal(end.code), ")",
                          end.code == SIGKILL ? ": perhaps out of memory" : "");
    case Ending::kTimedOut:
      return absl::StrCat("no end after ",
                          absl::FormatDuration(absl::Trunc(end.elapsed, absl::Milliseconds(100))));
    case Ending::kInterrupted:
      return "interrupted";
  }
  return "";
}

}  // namespace assay::processes

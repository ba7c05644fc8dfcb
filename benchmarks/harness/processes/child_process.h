// -----------------------------------------------------------------------------
// File: child_process.h
// -----------------------------------------------------------------------------
//
// Runs one program to its end, whatever the program does. It gets a process group of its own, no
// standard input and a watchdog. When it ends or is ended, every process that it left in its group
// is killed. When this process ends first, however it ends, the child is killed.
//
// Its output is kept for error messages, and shown only where that is asked for; a program that
// prints without end costs no more memory than `keep_bytes`, and no more of the disk than
// `log_bytes`.
//
// Not for work that must survive the end of a child: series.h.
//
//   absl::StatusOr<ChildEnd> end = assay::processes::RunChild(
//       {.arguments = {"/bin/sh", "-c", "exit 3"}, .timeout = absl::Seconds(5)}, &interrupted);
//   end->Exited(3);   // true

#ifndef ASSAY_BENCHMARKS_HARNESS_PROCESSES_CHILD_PROCESS_H_
#define ASSAY_BENCHMARKS_HARNESS_PROCESSES_CHILD_PROCESS_H_

#include <atomic>
#include <cstdint>
#include <string>
#include <vector>

#include "absl/status/statusor.h"
#include "absl/time/time.h"

namespace assay::processes {

// Limits that the kernel enforces on a child and on all that it starts.
struct ChildLimits {
  std::vector<int> cpus = {};      // runs on these CPUs only; empty: on those of this process
  int64_t data_bytes = 0;          // of memory of its own, touched or not (RLIMIT_DATA); 0: any
  std::string control_group = {};  // folder of its control group; empty: ours
};

struct ChildCommand {
  std::vector<std::string> arguments = {};    // [0]: a path, or a name to look up in PATH
  std::vector<std::string> environment = {};  // "NAME=value", laid over this process's environment
  std::string folder = {};                    // working directory; empty: ours
  absl::Duration timeout = absl::InfiniteDuration();
  absl::Duration grace = absl::Seconds(2);  // from the signal that asks it to end, to SIGKILL
  // false: stays in this process's group. Ctrl-C in a terminal, and whoever ends that group, then reach
  // the child as well, and what it leaves behind is not ended.
  bool own_group = true;
  bool show_errors = false;       // standard error goes to this process's own
  bool show_output = false;       // standard output likewise
  bool output_as_errors = false;  // standard output goes where standard error goes
  bool answers = false;  // it gets the descriptor kAnswer, and what it writes there is kept apart
  int64_t keep_bytes = int64_t{64} << 10;  // kept of each stream, from its end
  std::string log = {};  // both streams, as one, are added to this file; empty: to none
  int64_t log_bytes = int64_t{16} << 20;  // of these, the first bytes are kept
  ChildLimits limits = {};
};

// A child that runs code of unknown origin may print anything, so it answers on this file descriptor.
inline constexpr int kAnswer = 3;

enum class Ending {
  kExited,       // by itself, with a code
  kKilled,       // by a signal from elsewhere
  kTimedOut,     // its time was up; its group got SIGTERM, then SIGKILL
  kInterrupted,  // *interrupted became true; its group was interrupted, then killed
};

// Where Bazel can be started, for a child that `bazel run` has not started itself.
inline constexpr char kWorkspaceVariable[] = "ASSAY_WORKSPACE";

struct ChildEnd {
  Ending ending = Ending::kExited;
  int code = 0;             // exit code, or the signal's number
  std::string output = {};  // standard output; with a log, both streams
  std::string errors = {};  // standard error; with a log, nothing
  std::string answer = {};  // what it wrote to kAnswer
  absl::Duration elapsed = {};
  // Most resident memory of it, or of a process that it waited for. Linux also counts the memory
  // before exec, so the figure is at least this process's own memory.
  int64_t peak_bytes = 0;
  bool out_of_memory = false;  // the kernel killed it, since there was no more memory

  bool Exited(int with) const { return ending == Ending::kExited && code == with; }
};

// The variables that name this program's runfiles, and those by which a program knows that `bazel run`
// started it, are not passed on, or a child would use them as its own; the workspace goes on as
// kWorkspaceVariable. NotFound if the program or the folder does not exist or the program is not executable,
// InvalidArgument if the kernel refuses a limit, and errors of opening the log.
absl::StatusOr<ChildEnd> RunChild(const ChildCommand& command,
                                  const std::atomic<bool>* interrupted);

// "exit code 3", "signal 9 (Killed): perhaps out of memory", "no end after 5 s".
std::string Describe(const ChildEnd& end);

}  // namespace assay::processes

#endif  // ASSAY_BENCHMARKS_HARNESS_PROCESSES_CHILD_PROCESS_H_

// -----------------------------------------------------------------------------
// File: child_process.h
// -----------------------------------------------------------------------------
//
// Runs one program to its end, whatever the program does: it gets a process group of its own, no
// standard input, a watchdog, and when it ends, or has to be ended, every process that it left in
// its group is killed.
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

// What the kernel holds a child, and all that it starts, to.
struct ChildLimits {
  std::vector<int> cpus = {};      // it runs on these alone; empty: on those that this process has
  int64_t data_bytes = 0;          // of memory of its own, touched or not (RLIMIT_DATA); 0: any
  std::string control_group = {};  // folder of the control group that it is put into; empty: ours
};

struct ChildCommand {
  std::vector<std::string> arguments = {};    // [0]: a path, or a name to look up in PATH
  std::vector<std::string> environment = {};  // "NAME=value", laid over this process's environment
  std::string folder = {};                    // where it starts; empty: here
  absl::Duration timeout = absl::InfiniteDuration();
  absl::Duration grace = absl::Seconds(2);  // from the signal that asks it to end to SIGKILL
  bool show_errors = false;                 // standard error goes to this process's own
  bool show_output = false;                 // standard output likewise
  int64_t keep_bytes = int64_t{64} << 10;   // of each stream, the last ones
  std::string log = {};  // both streams, as one, are added to this file; empty: to none
  int64_t log_bytes = int64_t{16} << 20;  // of them, the first ones
  ChildLimits limits = {};
  std::vector<int> descriptors = {};  // open in the child too, under the same numbers
};

enum class Ending {
  kExited,       // by itself, with a code
  kKilled,       // by a signal that did not come from here
  kTimedOut,     // its time was up; its group got SIGTERM, then SIGKILL
  kInterrupted,  // *interrupted became true; its group was interrupted, then killed
};

struct ChildEnd {
  Ending ending = Ending::kExited;
  int code = 0;             // exit code, or the signal's number
  std::string output = {};  // standard output; with a log, both streams
  std::string errors = {};  // standard error; with a log, nothing
  absl::Duration elapsed = {};
  // Most resident memory of it, or of a process that it waited for. Linux counts what it was before
  // it became another program, so that this process's own memory is the least that is seen.
  int64_t peak_bytes = 0;
  bool out_of_memory = false;  // the kernel killed it, since there was no more memory

  bool Exited(int with) const { return ending == Ending::kExited && code == with; }
};

// Environment variables that tell a program where its own runfiles are are not handed on: a child
// would take this program's for its own. NotFound where the program is not there or not executable,
// InvalidArgument where it may not run on its CPUs, and what opening the log gives. Where the kernel
// refuses another limit, or where a program with one is not there, the child says so and exits with
// a code that is not 0.
absl::StatusOr<ChildEnd> RunChild(const ChildCommand& command,
                                  const std::atomic<bool>* interrupted);

// "exit code 3", "signal 9 (Killed): perhaps out of memory", "no end after 5 s".
std::string Describe(const ChildEnd& end);

}  // namespace assay::processes

#endif  // ASSAY_BENCHMARKS_HARNESS_PROCESSES_CHILD_PROCESS_H_

// -----------------------------------------------------------------------------
// File: ledger.h
// -----------------------------------------------------------------------------
//
// The list of what a run of a suite has to do, and of what is done: a task for each configuration, whose record is
// kept in the folder of the results, printed and counted as it comes.
//
// Not for starting anything (launcher.h), nor for what a configuration is run with
// (task_preparation.h).
//
//   Ledger ledger(options, "20260101T120000Z-0", plan.size(), *folder, stop);
//   ledger.tasks().push_back({.startable = ...});
//   ledger.Keep(ledger.tasks()[0], record);
//   return ledger.Finish();

#ifndef ASSAY_TOOLS_SUITE_LAUNCH_LEDGER_H_
#define ASSAY_TOOLS_SUITE_LAUNCH_LEDGER_H_

#include <cstddef>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "absl/status/status.h"
#include "absl/time/clock.h"
#include "absl/time/time.h"
#include "benchmarks/harness/base/steady_time.h"
#include "benchmarks/harness/output/progress_line.h"
#include "defs/proto/record.pb.h"
#include "tools/suite/launch/processes/configuration_launcher.h"
#include "tools/suite/launch/processes/results_folder.h"
#include "tools/suite/launch/processes/run_options.h"
#include "tools/suite/launch/processes/stop_requests.h"
#include "tools/suite/launch/suite_report.h"

namespace assay::suite {

// A configuration and the state of its run.
struct Task {
  Startable startable = {};
  DeviceType device = CPU;
  const Environment* machine = nullptr;  // of the device, here
  Place place = {};
  std::vector<Record> parts = {};  // with several processes: their records
  double expected_s = -1;          // of one process; negative: unknown
  bool done = false;
  std::string lost = {};  // how a shared process ended while this ran
};

// Estimates the remaining time from the last runs, or from the mean of this one's.
class TimeLeft {
 public:
  void Expect(double expected_s);
  // `times`: how many planned processes this was.
  void Done(double expected_s, double took_s, int times = 1);
  double Seconds() const;  // negative: unknown

 private:
  double known_s_ = 0, took_s_ = 0;
  int unknown_ = 0, runs_ = 0;
};

// The exit code of a record is good: there is a right result.
bool IsGood(Outcome outcome);

class Ledger {
 public:
  // All arguments outlive this.
  Ledger(const RunOptions& options, const std::string& suite_run, size_t planned,
         ResultsFolder& folder, const StopRequests& stop);

  const std::string& suite_run() const { return summary_.run.id(); }
  ResultsFolder& folder() { return folder_; }
  std::vector<Task>& tasks() { return tasks_; }  // task_preparation.h adds them
  TimeLeft& time_left() { return time_left_; }

  // Takes over what the folder has of the task's fingerprint: it may be done, or, with several
  // processes, some of these.
  void Recall(Task& task);
  // The same for a task of this run, which began earlier, whatever its machine.
  void RecallOfRun(Task& task);
  // Takes over a record that is in the folder, if it is one to be kept. Null: there is none.
  void TakeBefore(Task& task, const Record* before);

  // Appends the record to the results, prints and counts it. A file that cannot be written stops the run.
  void Keep(Task& task, const Record& record);
  // The same for one of several processes, which are merged when the last one has come.
  void KeepPart(Task& task, Record record);
  // Merges the parts of all processes into a record, or, if one failed, of those that were run.
  void Merge(Task& task);
  // Prints and counts a record that is in the folder now.
  void TakeIn(Task& task, const Record& record);
  // The task will have no record, because of `reason`.
  void Miss(const Task& task, const std::string& reason);

  void Say(std::string_view text);
  void SayWhatIsDone();
  // The time that is left is that of all tasks that are not done, one after another.
  void ExpectAll();
  void ShowProgress(std::string_view doing);
  void ClearProgress() { progress_.Clear(); }

  // Nothing is started from here on; the summary says why. The first reason stays.
  void Stop(std::string_view why);
  bool IsStopped() const { return !summary_.stopped.empty(); }
  // Whether it is stopped, or Ctrl-C asks for it.
  bool IsTimeToStop();

  // Keeps and prints the summary. Returns the exit code (run_configurations.h).
  int Finish();

 private:
  void Count(const Task& task, const Record& record);
  size_t Done() const;

  const RunOptions& options_;
  ResultsFolder& folder_;
  const StopRequests& stop_;
  const absl::Time start_ = absl::Now();
  const absl::Duration steady_start_ = base::SteadyNow();
  output::ProgressLine progress_;
  const size_t planned_;
  std::vector<Task> tasks_;
  TimeLeft time_left_;
  SuiteSummary summary_;
  std::set<int> codes_;
};

}  // namespace assay::suite

#endif  // ASSAY_TOOLS_SUITE_LAUNCH_LEDGER_H_

// -----------------------------------------------------------------------------
// File: results_folder.h
// -----------------------------------------------------------------------------
//
// The folder of a suite's results, which one program at a time may write to and no crash can spoil:
//
//   results.jsonl      one record for each configuration that was run; at the end of a run, what of it
//                      was planned and came of it (SuiteRun)
//   processes.jsonl    with --processes: the records that those of results.jsonl were made of
//   logs/<name>.log    what a process printed
//   running/           of the process that runs now
//   lock               who writes
//
// Nothing is ever removed. What a run that was killed has left half done is moved aside, and said:
// half a line at the end of a file to results.torn-1, running/ to running.left-1.
//
//   absl::StatusOr<std::unique_ptr<ResultsFolder>> folder = ResultsFolder::Open("out");
//   for (const std::string& note : (*folder)->notes()) std::cout << note << "\n";
//   absl::Status appended = (*folder)->Append(record);

#ifndef ASSAY_TOOLS_SUITE_LAUNCH_PROCESSES_RESULTS_FOLDER_H_
#define ASSAY_TOOLS_SUITE_LAUNCH_PROCESSES_RESULTS_FOLDER_H_

#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "defs/proto/record.pb.h"

namespace assay::suite {

class ResultsFolder {
 public:
  // FailedPrecondition, with the other program, if one writes there; else the error of the file
  // system, with the file and the fix.
  static absl::StatusOr<std::unique_ptr<ResultsFolder>> Open(const std::string& path);

  ResultsFolder(const ResultsFolder&) = delete;
  ResultsFolder& operator=(const ResultsFolder&) = delete;
  ~ResultsFolder();

  // The damage that was found, one sentence each.
  const std::vector<std::string>& notes() const { return notes_; }

  // The last record with this fingerprint, without its samples; null where there is none.
  const Record* Find(const std::string& fingerprint) const;

  // The record of a task of this run; null where there is none.
  const Record* FindTask(const std::string& suite_run, int64_t task) const;

  // The records of single processes with this fingerprint, in order.
  std::vector<Record> Processes(const std::string& fingerprint) const;

  // How long a run of this case took the last time; absent if unknown.
  std::optional<double> ElapsedSeconds(const std::string& label) const;

  // The data is on the disk when this returns. A failure leaves the file as it was.
  absl::Status Append(const Record& record);
  absl::Status AppendProcess(const Record& record);
  absl::Status Append(const SuiteRun& end);
  // Many records that other machines made, as JSON. They are not found here afterwards.
  absl::Status AppendLines(const std::vector<std::string>& lines);
  absl::Status AppendProcessLines(const std::vector<std::string>& lines);

  const std::string& path() const { return path_; }
  std::string results() const { return path_ + "/results.jsonl"; }
  // A path for a process's record; no file has it yet.
  std::string NewRecordPath();
  // Makes an empty log file for a configuration, named after it; returns its path in the folder:
  // "logs/x.log".
  absl::StatusOr<std::string> NewLog(std::string_view name);

 private:
  explicit ResultsFolder(std::string path) : path_(std::move(path)) {}

  absl::Status Lock();
  absl::Status Prepare();
  absl::Status MoveTornLine(const std::string& stem);
  absl::Status MoveRunning();
  absl::Status ReadResults();
  absl::Status ReadProcesses();
  void Keep(Record record);

  const std::string path_;
  int lock_ = -1;
  int next_record_ = 0;
  std::vector<std::string> notes_;
  std::map<std::string, Record> records_;                         // by fingerprint
  std::map<std::pair<std::string, int64_t>, std::string> tasks_;  // of a run; fingerprints
  std::map<std::string, std::vector<Record>> processes_;          // by fingerprint
  std::map<std::string, double> elapsed_s_;                       // by label
};

}  // namespace assay::suite

#endif  // ASSAY_TOOLS_SUITE_LAUNCH_PROCESSES_RESULTS_FOLDER_H_

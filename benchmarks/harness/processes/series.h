// -----------------------------------------------------------------------------
// File: series.h
// -----------------------------------------------------------------------------
//
// Runs many items of work, numbered from 0, in a child process that may die at any of them: by a
// signal, by exiting, by hanging. One child does all of them and writes to a journal file which
// item it is at. If it dies, the parent reports that item as lost and starts a new child at the
// next item.
//
// A child may also leave by itself between two items, by a normal exit without Finish(): where its
// process is spent, as after a fault on a GPU, and the next item wants a new one.
//
// Only the child knows what the items are. It leaves a note of one line with each item, which the
// parent shows if that item is lost.
//
// Not for a single program that is run to its end: child_process.h.
//
//   // In the parent:
//   absl::StatusOr<int> code = RunSeries(journal,
//       [&](int64_t first) { return ChildCommand{.arguments = {child, absl::StrCat(first)}}; },
//       [&](const LostItem& lost) { std::cerr << lost.note << ": " << Describe(lost.end); }, nullptr);
//
//   // In the child:
//   absl::StatusOr<Journal> journal = Journal::Open(path, absl::Seconds(60));
//   for (int64_t i = first; i < items; ++i) {
//     journal->Begin(i, name_of(i));
//     work(i);
//     journal->End();
//   }
//   journal->Finish(/*code=*/0);

#ifndef ASSAY_BENCHMARKS_HARNESS_PROCESSES_SERIES_H_
#define ASSAY_BENCHMARKS_HARNESS_PROCESSES_SERIES_H_

#include <atomic>
#include <cstdint>
#include <string>
#include <string_view>

#include "absl/functional/function_ref.h"
#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/time/time.h"
#include "benchmarks/harness/processes/child_process.h"

namespace assay::processes {

struct LostItem {
  int64_t item = 0;
  std::string note;
  ChildEnd end;
  bool timed_out = false;  // the item's own time was up
};

// The worst code of the child that finished and of those that left between two items. Every child
// starts with an empty journal. Aborted if a child ends before it has begun an item, or before it
// has ended one; Cancelled once *interrupted is true, after the item at which that happened was
// reported; else what RunChild returns.
absl::StatusOr<int> RunSeries(const std::string& journal,
                              absl::FunctionRef<ChildCommand(int64_t first)> command,
                              absl::FunctionRef<void(const LostItem&)> lost,
                              const std::atomic<bool>* interrupted);

// The child's side. A call costs a few microseconds.
class Journal {
 public:
  // An item that takes longer than `timeout` ends the child by SIGALRM.
  static absl::StatusOr<Journal> Open(const std::string& path,
                                      absl::Duration timeout = absl::InfiniteDuration());

  // `note` is one line.
  absl::Status Begin(int64_t item, std::string_view note);
  absl::Status End();
  // There are no more items.
  absl::Status Finish(int code);

 private:
  Journal(int file, absl::Duration timeout) : file_(file), timeout_(timeout) {}

  absl::Status Write(std::string_view text) const;

  const int file_;  // open until the process ends
  const absl::Duration timeout_;
};

}  // namespace assay::processes

#endif  // ASSAY_BENCHMARKS_HARNESS_PROCESSES_SERIES_H_

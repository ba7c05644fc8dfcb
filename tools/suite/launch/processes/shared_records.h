// -----------------------------------------------------------------------------
// File: shared_records.h
// -----------------------------------------------------------------------------
//
// The records of the runs of a shared process: one each, but for those during which the process ended.
//
//   LostRuns lost;                                     // filled by the thread that runs the process
//   SharedRecords left(startables, record_paths, lost);
//   left.Take(/*all=*/false, [&](size_t run, const auto& end, const auto& file) { ... });

#ifndef ASSAY_TOOLS_SUITE_LAUNCH_PROCESSES_SHARED_RECORDS_H_
#define ASSAY_TOOLS_SUITE_LAUNCH_PROCESSES_SHARED_RECORDS_H_

#include <cstddef>
#include <map>
#include <string>
#include <vector>

#include "absl/functional/function_ref.h"
#include "absl/synchronization/mutex.h"
#include "benchmarks/harness/processes/child_process.h"
#include "benchmarks/harness/record/record_file.h"
#include "tools/suite/launch/processes/startable.h"

namespace assay::suite {

// The runs that a shared process did not survive; known before the next one begins, in any thread.
class LostRuns {
 public:
  void Add(size_t run, const processes::ChildEnd& end) {
    const absl::MutexLock lock(&mutex_);
    ends_[run] = end;
  }
  bool Has(size_t run) const {
    const absl::MutexLock lock(&mutex_);
    return ends_.count(run) > 0;
  }
  std::map<size_t, processes::ChildEnd> All() const {
    const absl::MutexLock lock(&mutex_);
    return ends_;
  }

 private:
  mutable absl::Mutex mutex_;
  std::map<size_t, processes::ChildEnd> ends_;
};

// The records of the runs, in their order.
class SharedRecords {
 public:
  // How the run ended, by its own record, and the file that holds the record.
  using Taken =
      absl::FunctionRef<void(size_t run, const processes::ChildEnd&, const record::RecordFile&)>;

  // All arguments outlive this.
  SharedRecords(const std::vector<Startable>& runs, const std::vector<std::string>& paths,
                const LostRuns& lost)
      : runs_(runs), paths_(paths), lost_(lost) {}

  // Takes the records of the runs that are over, and removes their files; `all`: of each run. A run is over when
  // the next one has left a record. A lost run, and one whose program has changed, is passed over.
  void Take(bool all, Taken taken);

 private:
  const std::vector<Startable>& runs_;
  const std::vector<std::string>& paths_;
  const LostRuns& lost_;
  size_t next_ = 0;  // all runs before it have been taken or have left nothing
};

}  // namespace assay::suite

#endif  // ASSAY_TOOLS_SUITE_LAUNCH_PROCESSES_SHARED_RECORDS_H_

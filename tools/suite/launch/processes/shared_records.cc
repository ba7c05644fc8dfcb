#include "tools/suite/launch/processes/shared_records.h"

#include <cstdio>
#include <filesystem>

#include "absl/status/statusor.h"
#include "absl/time/time.h"
#include "benchmarks/harness/record/outcome.h"
#include "defs/proto/record.pb.h"
#include "tools/processes/program_stamp.h"

namespace assay::suite {

void SharedRecords::Take(bool all, Taken taken) {
  for (; next_ < runs_.size(); ++next_) {
    if (!all && (next_ + 1 == runs_.size() || !std::filesystem::exists(paths_[next_ + 1]))) return;
    const absl::StatusOr<record::RecordFile> file = record::ReadAll(paths_[next_]);
    std::remove(paths_[next_].c_str());
    if (!file.ok() || file->records.size() != 1 || !file->problems.empty()) continue;
    const Startable& startable = runs_[next_];
    if (processes::StampOf(startable.program) != startable.stamp) continue;  // Run() says it
    // A process that dies after it wrote its record has failed all the same.
    if (lost_.Has(next_)) continue;
    const Record& left = file->records[0];
    taken(next_,
          {.code = record::ExitCode(left.outcome()), .elapsed = absl::Seconds(left.duration_s())},
          *file);
  }
}

}  // namespace assay::suite

#include "tools/suite/launch/run_configurations.h"

#include <algorithm>
#include <filesystem>
#include <memory>
#include <random>
#include <string_view>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/str_cat.h"
#include "absl/time/clock.h"
#include "benchmarks/harness/base/exit_code.h"
#include "defs/proto/record.pb.h"
#include "tools/suite/launch/ledger.h"
#include "tools/suite/launch/local_launcher.h"
#include "tools/suite/launch/processes/configuration_launcher.h"
#include "tools/suite/launch/processes/file_digests.h"
#include "tools/suite/launch/processes/results_folder.h"
#include "tools/suite/launch/processes/stop_requests.h"
#include "tools/suite/launch/processes/suite_machine.h"
#include "tools/suite/launch/remote_launcher.h"
#include "tools/suite/launch/shared_launcher.h"
#include "tools/suite/launch/task_preparation.h"

namespace assay::suite {
namespace {

int Complain(std::string_view text) { return base::Fail("run_suite", text, base::kSurroundings); }

// CUDA's libraries belong to another build.
RunOptions WithCuda(RunOptions options, const std::vector<PlannedRun>& plan) {
  const bool cuda = std::any_of(plan.begin(), plan.end(), [&](const PlannedRun& c) {
    return c.skip_reason.empty() && DeviceOf(c.flags, options.build) == CUDA;
  });
  if (cuda && DeviceOf({}, options.build) == CPU) options.build += " --config=cuda";
  return options;
}

void RunHere(const RunOptions& options, const ConfigurationLauncher& processes,
             const StopRequests& stop, Ledger& ledger) {
  if (!processes.memory_note().empty()) ledger.Say(processes.memory_note());
  ledger.SayWhatIsDone();
  ledger.ExpectAll();
  if (options.in_process) SharedLauncher(processes).Run(ledger);
  LocalLauncher(options, processes, stop).Run(ledger);
}

}  // namespace

std::string NewRunId(absl::Time start) {
  // Shards that start together, in containers where each has the same process number, have ids of their own.
  std::random_device random;
  return absl::StrCat(absl::FormatTime("%Y%m%dT%H%M%SZ", start, absl::UTCTimeZone()), "-",
                      absl::Hex(random(), absl::kZeroPad8), absl::Hex(random(), absl::kZeroPad8));
}

int RunConfigurations(const std::vector<PlannedRun>& plan, const RunOptions& given,
                      const RunPlace& place) {
  const RunOptions options = WithCuda(given, plan);
  const StopRequests& stop = CatchStopRequests();
  if (plan.empty()) return Complain("there is nothing to run");
  const absl::StatusOr<std::unique_ptr<ResultsFolder>> folder =
      ResultsFolder::Open(std::filesystem::absolute(options.out).string());
  if (!folder.ok()) return Complain(folder.status().message());
  Ledger ledger(options, place.suite_run.empty() ? NewRunId(absl::Now()) : place.suite_run,
                plan.size(), **folder, stop);
  for (const std::string& note : (*folder)->notes()) ledger.Say(absl::StrCat("note      ", note));
  FileDigests digests(DigestCacheFile());
  TaskPreparation preparation(options, place, digests, stop);
  if (const absl::Status prepared = preparation.Fill(plan, ledger); !prepared.ok())
    return Complain(prepared.message());
  const ConfigurationLauncher processes(options, ledger.suite_run(), stop,
                                        [&](std::string_view text) { ledger.Say(text); });
  if (place.launcher == nullptr) {
    RunHere(options, processes, stop, ledger);
  } else {
    ledger.SayWhatIsDone();
    RemoteLauncher(options, processes, *place.launcher, digests, stop).Run(ledger);
  }
  return ledger.Finish();
}

}  // namespace assay::suite

#include "benchmarks/harness/runner/capturing.h"

#include <memory>
#include <string>
#include <utility>

#include "absl/status/statusor.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_format.h"
#include "absl/strings/strip.h"
#include "benchmarks/harness/profile/profiler.h"
#include "benchmarks/harness/runner/verdict/run_status.h"
#include "benchmarks/harness/trace/capture.h"
#include "benchmarks/harness/trace/observer.h"
#include "benchmarks/harness/trace/operator_times.h"

namespace assay::runner {
namespace {

// After the warm-up two calls: one for the times, one for the arguments (operator_times.h says why).
absl::StatusOr<trace::Captured> CaptureStep(profile::ProfileOptions options, const ProfiledCase& p,
                                            std::string path) {
  const profile::WorkOf work = WorkOf(p.steps);
  // The first calls take longer, and in training make gradients that later ones add to.
  if (absl::Status called = profile::CallInRanges(options, p.device, work); !called.ok())
    return called;
  options.warmup_calls = 0;
  const std::unique_ptr<trace::OperatorTiming> timing = trace::OperatorTiming::Start();
  if (absl::Status called = profile::CallInRanges(options, p.device, work); !called.ok())
    return called;
  absl::StatusOr<std::unique_ptr<trace::Capture>> capture =
      trace::Capture::Start({.path = std::move(path),
                             .values = p.settings.profile.capture_values,
                             .times = timing->Finish()});
  if (!capture.ok()) return Ended(RECORD_FAILED, capture.status().message());
  if (absl::Status called = profile::CallInRanges(options, p.device, work); !called.ok())
    return called;
  absl::StatusOr<trace::Captured> captured = (*capture)->Finish();
  if (!captured.ok()) return Ended(RECORD_FAILED, captured.status().message());
  return captured;
}

// One more call, by LibTorch's own recorder.
absl::Status ObserveStep(profile::ProfileOptions options, const ProfiledCase& p,
                         const std::string& path) {
  options.warmup_calls = 0;
  const absl::StatusOr<std::unique_ptr<trace::Observer>> observer = trace::Observer::Start(path);
  if (!observer.ok()) return Ended(RECORD_FAILED, observer.status().message());
  if (absl::Status called = profile::CallInRanges(options, p.device, WorkOf(p.steps)); !called.ok())
    return called;
  const absl::Status written = (*observer)->Finish();
  return written.ok() ? written : Ended(RECORD_FAILED, written.message());
}

}  // namespace

absl::Status CaptureTraces(const ProfiledCase& p, std::ostream& out) {
  const std::string& name = p.c.benchmark_case().name();
  profile::ProfileOptions options = StepsOf(p);
  options.calls = 1;
  for (const std::string& step : std::exchange(options.steps, {})) {
    options.steps = {step};
    const std::string path =
        absl::StrCat(TraceFolder(name, p.settings.profile), "/", name, ".", step, ".json");
    const absl::StatusOr<trace::Captured> captured = CaptureStep(options, p, path);
    if (!captured.ok()) return captured.status();
    out << absl::StrFormat("%-10s%-11s%s: %d operators\n", "trace", step, path,
                           captured->operators);
    if (!captured->values_path.empty())
      out << absl::StrFormat("%-10s%-11s%s\n", "", "values", captured->values_path);
    if (!p.settings.profile.capture_observer) continue;
    const std::string observed = absl::StrCat(absl::StripSuffix(path, ".json"), ".observer.json");
    if (absl::Status status = ObserveStep(options, p, observed); !status.ok()) return status;
    out << absl::StrFormat("%-10s%-11s%s\n", "", "observer", observed);
  }
  return absl::OkStatus();
}

}  // namespace assay::runner

#include "benchmarks/harness/profile/profiler.h"

#include <ATen/record_function.h>
#include <kineto/ActivityType.h>
#include <kineto/Config.h>
#include <torch/csrc/autograd/profiler_kineto.h>
#include <unistd.h>

#include <cstdint>
#include <cstdlib>
#include <filesystem>
#include <limits>
#include <optional>
#include <set>
#include <string_view>
#include <system_error>
#include <utility>

#include "absl/cleanup/cleanup.h"
#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "benchmarks/harness/base/torch_status.h"
#include "benchmarks/harness/profile/range_name.h"
#include "benchmarks/harness/profile/trace_check.h"
#include "benchmarks/harness/tensor_files/file_bytes.h"

namespace assay::profile {
namespace {

namespace kineto = torch::autograd::profiler;
using torch::profiler::impl::ActivityType;

// Opens a range for the device's tools, and for LibTorch's profiler where that is on.
class OpenRange {
 public:
  OpenRange(sampling::Device& device, const std::string& name)
      : device_(device), range_(device.StartRange(name)), recorded_(at::RecordScope::USER_SCOPE) {
    if (recorded_.isActive()) recorded_.before(name);
  }
  ~OpenRange() {
    recorded_.end();
    device_.EndRange(range_);
  }
  OpenRange(const OpenRange&) = delete;
  OpenRange& operator=(const OpenRange&) = delete;

 private:
  sampling::Device& device_;
  const uint64_t range_;
  at::RecordFunction recorded_;
};

absl::Status CallOnce(sampling::TimedWork& work, sampling::Device& device,
                      const std::string* range) {
  if (work.HasPreparation()) work.Prepare();
  if (absl::Status done = device.Synchronize(); !done.ok()) return done;
  if (range == nullptr) {
    work.Call();
    return device.Synchronize();
  }
  const at::RecordFunctionGuard recording(true);
  const OpenRange open(device, *range);
  work.Call();
  return device.Synchronize();
}

absl::Status CallStep(const ProfileOptions& options, const std::string& step,
                      sampling::Device& device, const WorkOf& work_of) {
  const absl::StatusOr<sampling::TimedWork*> work = work_of(step);
  if (!work.ok()) return work.status();
  const std::string range = RangeName(options.case_name, step);
  for (int call = -options.warmup_calls; call < options.calls; ++call) {
    absl::Status done;
    const absl::Status caught = base::CatchTorch(absl::StrCat("profiling step ", step), [&] {
      done = CallOnce(**work, device, call < 0 ? nullptr : &range);
    });
    if (!caught.ok()) return caught;
    if (!done.ok()) return done;
  }
  return absl::OkStatus();
}

// Nothing for an event that is no work of a step: marks, the profiler's overhead, the device's copy
// of a range.
std::optional<EventKind> KindOf(const kineto::KinetoEvent& event) {
  using libkineto::ActivityType;
  switch (static_cast<ActivityType>(event.activityType())) {
    case ActivityType::CPU_OP:
      return event.scope() == static_cast<uint8_t>(at::RecordScope::USER_SCOPE)
                 ? EventKind::kRange
                 : EventKind::kOperator;
    case ActivityType::USER_ANNOTATION:
      return EventKind::kRange;
    case ActivityType::CUDA_RUNTIME:
    case ActivityType::CUDA_DRIVER: {
      const std::string name = event.name();
      const bool launches = absl::StrContains(name, "Launch") && !absl::StrContains(name, "Host");
      return launches ? EventKind::kLaunch : EventKind::kHostCall;
    }
    case ActivityType::CONCURRENT_KERNEL:
      return EventKind::kKernel;
    case ActivityType::GPU_MEMCPY:
    case ActivityType::GPU_MEMSET:
      return EventKind::kCopy;
    default:
      return std::nullopt;
  }
}

std::vector<ProfiledEvent> EventsOf(const kineto::ProfilerResult& result) {
  std::vector<ProfiledEvent> events;
  for (const kineto::KinetoEvent& event : result.events()) {
    const std::optional<EventKind> kind = KindOf(event);
    if (!kind || event.isAsync() || event.isHiddenEvent()) continue;
    events.push_back({.name = event.name(),
                      .kind = *kind,
                      .thread = event.startThreadId(),
                      .start_ns = static_cast<int64_t>(event.startNs()),
                      .end_ns = static_cast<int64_t>(event.endNs()),
                      .correlation = event.correlationId(),
                      .linked = event.linkedCorrelationId()});
  }
  return events;
}

// Kineto does not check whether it could write the file; this finds the reason why it could not.
absl::Status NotWhole(const std::string& path, const absl::Status& fault) {
  std::error_code error;
  const auto space = std::filesystem::space(std::filesystem::path(path).parent_path(), error);
  constexpr std::uintmax_t kLeast = 1 << 16;
  if (!error && space.available < kLeast) {
    return absl::ResourceExhaustedError(
        absl::StrCat("writing ", path, ": no space left; free some or choose another folder"));
  }
  return absl::Status(fault.code(), absl::StrCat("writing ", path, ": ", fault.message()));
}

class KinetoProfiled final : public Profiled {
 public:
  KinetoProfiled(std::unique_ptr<kineto::ProfilerResult> result, std::vector<std::string> ranges)
      : result_(std::move(result)), ranges_(std::move(ranges)) {
    table = MakeOperatorTable(EventsOf(*result_), ranges_);
  }

  absl::Status SaveTrace(const std::string& path) override {
    const std::string partial = absl::StrCat(path, ".partial.", getpid());
    const absl::StatusOr<std::string> text = Saved(partial);
    if (!text.ok()) return NotWhole(path, text.status());
    if (absl::Status whole = CheckTrace(*text, ranges_); !whole.ok()) return NotWhole(path, whole);
    // Kineto writes the name that it was given into the trace.
    const size_t at = text->rfind(partial);
    if (at == std::string::npos) return tensor_files::WriteFileAtomically(path, *text);
    const std::string_view before = std::string_view(*text).substr(0, at);
    const std::string_view after = std::string_view(*text).substr(at + partial.size());
    return tensor_files::WriteFileAtomically(path, {before, path, after});
  }

 private:
  // What Kineto writes to a file of this name, which is gone afterwards.
  absl::StatusOr<std::string> Saved(const std::string& partial) {
    const absl::Cleanup remove = [&partial] {
      unlink(partial.c_str());
      unlink(absl::StrCat(partial, ".tmp").c_str());  // Kineto's own
    };
    const absl::Status caught = base::CatchTorch("Kineto", [&] { result_->save(partial); });
    if (!caught.ok()) return caught;
    return tensor_files::ReadFile(partial, std::numeric_limits<int64_t>::max());
  }

  const std::unique_ptr<kineto::ProfilerResult> result_;
  const std::vector<std::string> ranges_;
};

}  // namespace

std::vector<std::string> RangesOf(const ProfileOptions& options) {
  std::vector<std::string> ranges;
  for (const std::string& step : options.steps)
    ranges.push_back(RangeName(options.case_name, step));
  return ranges;
}

absl::Status CallInRanges(const ProfileOptions& options, sampling::Device& device,
                          const WorkOf& work) {
  const at::RecordFunctionGuard silent(false);  // but inside the ranges
  const uint64_t all = device.StartRange(options.case_name);
  const absl::Cleanup end = [&] { device.EndRange(all); };
  for (const std::string& step : options.steps) {
    if (absl::Status called = CallStep(options, step, device, work); !called.ok()) return called;
  }
  return absl::OkStatus();
}

absl::StatusOr<std::unique_ptr<Profiled>> ProfileSteps(const ProfileOptions& options,
                                                       sampling::Device& device,
                                                       const WorkOf& work) {
  // Kineto starts a thread of its own, which may come to its first line only when the process ends. The
  // state that it reads there must not be gone by then ("corrupted double-linked list", seldom).
  [[maybe_unused]] static const auto* const kept =
      new std::shared_ptr<void>(libkineto::Config::getStaticObjectsLifetimeHandle());
  // Otherwise Kineto prints internal messages to standard error.
  setenv("KINETO_LOG_LEVEL", "5", /*overwrite=*/0);
  const torch::profiler::impl::ProfilerConfig config(torch::profiler::impl::ProfilerState::KINETO,
                                                     /*report_input_shapes=*/true);
  std::set<ActivityType> activities = {ActivityType::CPU};
  if (options.cuda) activities.insert(ActivityType::CUDA);
  absl::Status status = base::CatchTorch("starting the profiler", [&] {
    kineto::prepareProfiler(config, activities);
    kineto::enableProfiler(config, activities);
  });
  if (!status.ok()) return status;
  status = CallInRanges(options, device, work);
  std::unique_ptr<kineto::ProfilerResult> result;
  status.Update(
      base::CatchTorch("ending the profiler", [&] { result = kineto::disableProfiler(); }));
  if (!status.ok()) return status;
  return std::make_unique<KinetoProfiled>(std::move(result), RangesOf(options));
}

}  // namespace assay::profile

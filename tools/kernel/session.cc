#include "tools/kernel/session.h"

#include <stdlib.h>

#include <algorithm>
#include <filesystem>
#include <future>
#include <optional>
#include <set>
#include <string_view>
#include <system_error>
#include <utility>
#include <vector>

#include "absl/cleanup/cleanup.h"
#include "absl/status/status.h"
#include "absl/strings/ascii.h"
#include "absl/strings/str_cat.h"
#include "absl/time/clock.h"
#include "absl/time/time.h"
#include "benchmarks/harness/base/sha256.h"
#include "benchmarks/harness/output/progress_line.h"
#include "benchmarks/harness/tensor_files/file_bytes.h"
#include "tools/kernel/asked.h"
#include "tools/kernel/child_call.h"
#include "tools/kernel/compile_command.h"
#include "tools/kernel/library_build.h"
#include "tools/kernel/library_symbols.h"
#include "tools/kernel/machine_peaks.h"
#include "tools/kernel/memory_check.h"
#include "tools/kernel/report/verdicts.h"
#include "tools/kernel/request/flashinfer.h"
#include "tools/kernel/user_library.h"

namespace assay::kernel {
namespace {

namespace fs = std::filesystem;

constexpr int64_t kMostBytes = int64_t{1} << 30;  // of a library

std::pair<fs::file_time_type, uintmax_t> Written(const std::string& file) {
  std::error_code ignored;
  return {fs::last_write_time(file, ignored), fs::file_size(file, ignored)};
}

// A candidate with one dtype.
struct Task {
  KernelPlan plan;
  KernelCandidate answer;
  std::vector<KernelCandidate> timed = {};
  std::string plan_file = {};
  std::string source = {};                                // empty: the file is a library
  std::pair<fs::file_time_type, uintmax_t> written = {};  // of the library: when, and its bytes
  // It is compiled meanwhile.
  std::shared_future<absl::StatusOr<std::string>> sanitized = {};
};

class Session {
 public:
  Session(const Settings& settings, const std::atomic<bool>& interrupted,
          absl::FunctionRef<void(const std::string&)> progress)
      : settings_(settings), interrupted_(interrupted), progress_(progress) {}

  absl::StatusOr<KernelReport> Run() {
    if (mkdtemp(folder_.data()) == nullptr) return absl::UnavailableError("no temporary folder");
    const absl::Cleanup remove = [this] {
      std::error_code ignored;
      fs::remove_all(folder_, ignored);
    };
    if (absl::Status writable = FoldersExist(); !writable.ok()) return writable;
    if (const absl::StatusOr<std::string> child = FindChild(); !child.ok()) return child.status();
    absl::StatusOr<Asked> asked = ReadAsked(settings_, folder_, interrupted_, progress_);
    if (!asked.ok()) return asked.status();
    asked_ = *std::move(asked);
    for (const std::string& file : settings_.files) {
      if (absl::Status added = Add(file); !added.ok()) return added;
    }
    start_ = absl::Now();
    for (Task& task : tasks_) {
      if (task.answer.verdict().empty()) Check(task);
      ++done_;
      if (task.answer.verdict() == "RIGHT" && IsSanitized(task)) Sanitize(task);
      if (IsSanitized(task)) ++done_;
      if (task.answer.verdict() == "RIGHT" && task.plan.has_gpu_code()) WatchGpu(task);
      if (task.answer.verdict() == "RIGHT" && settings_.measures) AddPeaks(task);
      if (interrupted_) return absl::CancelledError("interrupted");
    }
    for (int process = 0; settings_.measures && process < settings_.processes; ++process) {
      // Candidates take turns, from another one each time.
      for (size_t i = 0; i < tasks_.size(); ++i) {
        Task& task = tasks_[(i + static_cast<size_t>(process)) % tasks_.size()];
        if (task.answer.verdict() == "RIGHT") Time(task, process);
        ++done_;
        if (interrupted_) return absl::CancelledError("interrupted");
      }
    }
    KernelReport report;
    report.set_like(asked_.row.call().name());
    report.set_seed(settings_.seed);
    report.set_machine(machine_);
    report.set_fast_p_threshold(settings_.fast_p);
    for (Task& task : tasks_) {
      if (task.answer.verdict() == "RIGHT" && !task.timed.empty())
        Conclude(task.timed, task.answer);
      *report.add_candidates() = std::move(task.answer);
    }
    if (!settings_.flashinfer_out.empty()) {
      const absl::Status written = tensor_files::WriteFileAtomically(
          settings_.flashinfer_out,
          TracesOf(asked_.task, report, machine_.empty() ? "CPU" : machine_,
                   absl::FormatTime(absl::Now())));
      if (!written.ok())
        return absl::FailedPreconditionError(
            absl::StrCat("--flashinfer-out=", settings_.flashinfer_out, ": cannot be written; ",
                         written.message()));
    }
    return report;
  }

 private:
  // By the address sanitizer, which knows nothing of nvcc's part of a source.
  bool IsSanitized(const Task& task) const { return task.sanitized.valid(); }

  // Steps are checks, and processes that time.
  void Show(std::string_view doing) {
    doing_ = doing;
    step_start_ = absl::Now();
    Repeat();
  }

  // A step may take a minute: the line says for how long it has run.
  void Repeat() {
    const absl::Duration took = absl::Trunc(absl::Now() - step_start_, absl::Seconds(1));
    const std::string doing = took < absl::Seconds(1)
                                  ? doing_
                                  : absl::StrCat(doing_, " for ", absl::FormatDuration(took));
    size_t steps = 0;
    for (const Task& task : tasks_)
      steps += 1 + IsSanitized(task) + (settings_.measures ? settings_.processes : 0);
    const double left = static_cast<double>(steps - done_) / static_cast<double>(done_);
    progress_(output::ProgressText(
        done_, steps, done_ == 0 ? -1 : left * absl::ToDoubleSeconds(absl::Now() - start_), doing));
  }

  // Before anything is measured that could then not be written.
  absl::Status FoldersExist() const {
    std::error_code ignored;
    for (const auto& [flag, file] : {std::pair("--html=", settings_.html),
                                     std::pair("--flashinfer-out=", settings_.flashinfer_out)}) {
      const fs::path folder = fs::absolute(file, ignored).parent_path();
      if (!file.empty() && !fs::is_directory(folder, ignored))
        return absl::InvalidArgumentError(
            absl::StrCat(flag, file, ": there is no folder ", folder.string(), "; make it first"));
    }
    return absl::OkStatus();
  }

  // A task for each dtype. Errors are of the request and the surroundings; what is wrong with the
  // library is in the answer.
  absl::Status Add(const std::string& file) {
    KernelCandidate answer;
    answer.set_file(file);
    if (!IsLibrary(file)) progress_(absl::StrCat("compiling ", file));
    std::shared_future<absl::StatusOr<std::string>> sanitized;
    if (!IsLibrary(file) && settings_.asan &&
        KindOfSource(file).value_or(SourceKind::kCuda) == SourceKind::kCpp) {
      sanitized = std::async(std::launch::async, [this, file] {
                    return BuildLibrary({.path = file, .address_sanitizer = true}, &interrupted_);
                  }).share();
    }
    const absl::StatusOr<std::string> built = LibraryOf(file, &interrupted_);
    if (absl::IsAborted(built.status())) {
      answer.set_verdict("WRONG");
      const std::string_view message = built.status().message();
      answer.set_reason(absl::StrCat("it does not compile",
                                     message.substr(std::min(message.find('\n'), message.size()))));
    } else if (!built.ok()) {
      return built.status();
    }
    const std::string library = built.value_or("");
    KernelPlan plan = PlanOf(library);
    const auto written = Written(library);
    if (answer.verdict().empty()) Inspect(library, answer, plan);
    for (const Dtype dtype : asked_.dtypes) {
      Task task;
      task.answer = answer;
      task.plan = plan;
      task.plan.set_dtype(dtype);
      if (!IsLibrary(file)) task.source = file;
      task.written = written;
      task.sanitized = sanitized;
      task.plan_file = absl::StrCat(folder_, "/", tasks_.size(), ".textproto");
      WritePlan(task.plan, task.plan_file);
      tasks_.push_back(std::move(task));
    }
    return absl::OkStatus();
  }

  // Before anything of it runs. The plan says whether it is a TVM-FFI library.
  void Inspect(const std::string& library, KernelCandidate& answer, KernelPlan& plan) {
    const absl::StatusOr<std::string> bytes = tensor_files::ReadFile(library, kMostBytes);
    if (bytes.ok()) answer.set_sha256(base::Sha256Hex(*bytes));
    const absl::Status fits = CheckUserLibrary(library, plan);
    if (fits.ok()) return;
    answer.set_verdict(absl::IsPermissionDenied(fits) ? "WRONG" : "NOT_VERIFIED");
    answer.set_reason(std::string(fits.message()));
  }

  KernelPlan PlanOf(const std::string& library) const {
    KernelPlan plan;
    plan.set_library(library);
    plan.set_operator_name(settings_.op);
    *plan.mutable_row() = asked_.row;
    for (const Sizes& sizes : asked_.sizes) *plan.add_sizes() = sizes;
    plan.set_seed(settings_.seed);
    plan.set_nondeterministic(settings_.nondeterministic);
    plan.set_threads(settings_.threads);
    plan.set_milliseconds(settings_.milliseconds);
    plan.set_call_timeout_s(settings_.timeout_s);
    return plan;
  }

  ChildAnswer AnswerOf(const ChildCall& call) {
    return AskChild(call, &interrupted_, [this] { Repeat(); });
  }

  // Whether another library lies there now. Then nothing of the candidate holds. The library of a source has its
  // content's digest for a name, and whoever takes it from the cache sets its time.
  static bool HasChanged(Task& task) {
    if (!task.source.empty() || Written(task.plan.library()) == task.written) return false;
    task.answer.clear_failure();
    task.answer.set_verdict("NOT_VERIFIED");
    task.answer.set_reason(absl::StrCat(
        task.plan.library(),
        " changed while it was checked or timed; run this again when its build has ended"));
    return true;
  }

  void Check(Task& task) {
    Show(absl::StrCat("checking ", task.answer.file()));
    KernelCandidate checked = AnswerOf({.plan_file = task.plan_file, .action = "check"}).candidate;
    checked.set_file(task.answer.file());
    checked.set_reason(LoadErrorText(checked.reason()));
    checked.set_sha256(task.answer.sha256());
    for (KernelSize& size : *checked.mutable_sizes())
      size.set_dtype(absl::AsciiStrToLower(Dtype_Name(task.plan.dtype())));
    if (checked.failure().kind() == "threw" && asked_.task.workloads.empty() &&
        asked_.dtypes == std::vector{Dtype::FP32})
      checked.mutable_failure()->mutable_text()->append(
          "\na kernel for another dtype is checked with --dtype=fp16, bf16 or fp64");
    task.answer = std::move(checked);
    HasChanged(task);
  }

  // The same check of the same source, built with the address sanitizer. What it reports is the failure.
  void Sanitize(Task& task) {
    Show(absl::StrCat("checking ", task.source, " with the address sanitizer"));
    const absl::StatusOr<std::string> line = FindCompileLine();
    const absl::StatusOr<std::string> runtime =
        line.ok() ? AddressSanitizerRuntime(*line, &interrupted_) : line.status();
    const absl::StatusOr<std::string> library = task.sanitized.get();
    for (const absl::Status& status : {runtime.status(), library.status()}) {
      if (status.ok()) continue;
      task.answer.add_warnings(absl::StrCat("no address sanitizer: ", status.message()));
      return;
    }
    KernelPlan plan = task.plan;
    plan.set_library(*library);
    const std::string plan_file = task.plan_file + ".asan";
    WritePlan(plan, plan_file);
    CheckUnderAddressSanitizer(
        *runtime, task.plan_file + ".log",
        [&](const Watch& watch) {
          return AnswerOf({.plan_file = plan_file, .action = "check", .watch = watch}).candidate;
        },
        task.answer);
  }

  // The same check once more.
  void WatchGpu(Task& task) {
    Show(absl::StrCat("checking ", task.answer.file(), " under compute-sanitizer"));
    CheckUnderComputeSanitizer(
        task.plan_file + ".gpu", &interrupted_,
        [&](const Watch& watch) -> std::optional<KernelCandidate> {
          KernelCandidate checked =
              AnswerOf({.plan_file = task.plan_file, .action = "check", .watch = watch}).candidate;
          if (HasChanged(task)) return std::nullopt;
          return checked;
        },
        task.answer);
  }

  // Peaks are those that were kept; --peaks measures them now.
  void AddPeaks(Task& task) {
    const PeaksKey key = {machine_, task.answer.threads(), task.plan.dtype()};
    std::optional<KernelPeaks> peaks = KeptPeaks(key);
    if (settings_.peaks && measured_.insert({key.threads, key.dtype}).second) {
      Show("measuring the peaks of this machine");
      const KernelCandidate answer =
          AnswerOf({.plan_file = task.plan_file, .action = "peaks"}).candidate;
      const absl::Status kept = answer.has_peaks()
                                    ? KeepPeaks(key, answer.peaks())
                                    : absl::UnavailableError("the peaks were not measured");
      if (answer.has_peaks()) peaks = answer.peaks();
      if (!kept.ok()) task.answer.add_warnings(absl::StrCat("--peaks: ", kept.message()));
    }
    if (peaks) *task.answer.mutable_peaks() = *std::move(peaks);
  }

  void Time(Task& task, int process) {
    Show(absl::StrCat("timing ", task.answer.file()));
    auto [timed, elapsed] =
        AnswerOf({.plan_file = task.plan_file, .action = "time", .process = process});
    if (HasChanged(task)) return;
    if (timed.verdict() != "RIGHT") {
      task.answer.set_verdict(timed.verdict());
      task.answer.set_reason(timed.reason());
      if (timed.has_failure()) *task.answer.mutable_failure() = timed.failure();
      return;
    }
    double sum_ns = 0;
    for (const KernelSize& size : timed.sizes()) {
      for (const KernelTimes* times : {&size.hot(), &size.cold()}) {
        for (const double ns : times->candidate_ns()) sum_ns += ns;
        for (const double ns : times->aten_ns()) sum_ns += ns;
      }
    }
    if (sum_ns > absl::ToDoubleNanoseconds(elapsed)) {
      for (KernelSize& size : *timed.mutable_sizes())
        size.set_flagged("its samples last longer than its process did");
    }
    task.timed.push_back(std::move(timed));
  }

  const Settings& settings_;
  const std::atomic<bool>& interrupted_;
  const absl::FunctionRef<void(const std::string&)> progress_;
  std::string doing_;
  absl::Time step_start_;
  std::string folder_ = (fs::temp_directory_path() / "assay_kernel_XXXXXX").string();
  Asked asked_;
  std::vector<Task> tasks_;
  const std::string machine_ = ProcessorName();
  std::set<std::pair<int, Dtype>> measured_;  // threads and dtype of peaks
  size_t done_ = 0;
  absl::Time start_;
};

}  // namespace

absl::StatusOr<std::string> LoadingVariables(const Settings& settings,
                                             const std::atomic<bool>& interrupted) {
  const std::string& file = settings.files.front();
  const absl::StatusOr<std::string> like = AtenNameOf(settings.like);
  if (!like.ok()) return like.status();
  const absl::StatusOr<std::string> library = LibraryOf(file, &interrupted);
  if (!library.ok()) return library.status();
  KernelPlan plan;
  if (absl::Status fits = CheckUserLibrary(*library, plan); !fits.ok())
    return absl::Status(fits.code(), absl::StrCat(file, ": ", fits.message()));
  if (!plan.tvm_ffi_functions().empty())
    return absl::InvalidArgumentError(
        absl::StrCat(file,
                     ": a function of a TVM-FFI library cannot be called in a whole model; "
                     "register an operator by TORCH_LIBRARY"));
  return absl::StrCat("ASSAY_KERNEL_LIBRARY=", *library, "\nASSAY_KERNEL_LIKE=", *like,
                      "\nASSAY_KERNEL_OP=", settings.op, "\n");
}

absl::StatusOr<KernelReport> RunSession(const Settings& settings,
                                        const std::atomic<bool>& interrupted,
                                        absl::FunctionRef<void(const std::string&)> progress) {
  return Session(settings, interrupted, progress).Run();
}

}  // namespace assay::kernel

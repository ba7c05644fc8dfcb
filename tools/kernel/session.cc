#include "tools/kernel/session.h"

#include <google/protobuf/text_format.h>

#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <functional>
#include <future>
#include <optional>
#include <set>
#include <string_view>
#include <thread>
#include <utility>
#include <vector>

#include "absl/status/status.h"
#include "absl/strings/ascii.h"
#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_split.h"
#include "absl/strings/strip.h"
#include "absl/synchronization/notification.h"
#include "absl/time/clock.h"
#include "absl/time/time.h"
#include "benchmarks/harness/base/sha256.h"
#include "benchmarks/harness/output/progress_line.h"
#include "benchmarks/harness/processes/child_process.h"
#include "benchmarks/harness/tensor_files/file_bytes.h"
#include "tools/kernel/compile_command.h"
#include "tools/kernel/library_build.h"
#include "tools/kernel/machine_peaks.h"
#include "tools/kernel/report/verdicts.h"
#include "tools/kernel/request/flashinfer.h"
#include "tools/kernel/request/request.h"
#include "tools/kernel/runfile.h"
#include "tools/kernel/user_library.h"

namespace assay::kernel {
namespace {

namespace fs = std::filesystem;

constexpr char kRows[] = "benchmarks/operators/kernel/operator_rows.textproto";
constexpr char kChild[] = "benchmarks/operators/kernel/kernel_child";

constexpr char kComputeSanitizer[] = "compute-sanitizer";
constexpr int64_t kMostBytes = int64_t{1} << 30;  // of a library or a log

absl::StatusOr<std::string> ReadFile(const std::string& path) {
  return tensor_files::ReadFile(path, kMostBytes);
}

absl::StatusOr<OperatorRows> ReadRows() {
  const absl::StatusOr<std::string> path = FindRunfile(kRows);
  if (!path.ok()) return path.status();
  const absl::StatusOr<std::string> text = ReadFile(*path);
  if (!text.ok()) return text.status();
  OperatorRows rows;
  if (!google::protobuf::TextFormat::ParseFromString(*text, &rows))
    return absl::DataLossError(absl::StrCat(*path, ": no table of operators"));
  return rows;
}

// A folder that goes with this object.
class ScratchFolder {
 public:
  ScratchFolder() : path_((fs::temp_directory_path() / "assay_kernel_XXXXXX").string()) {
    if (mkdtemp(path_.data()) == nullptr) path_.clear();
  }
  ~ScratchFolder() {
    std::error_code ignored;
    if (!path_.empty()) fs::remove_all(path_, ignored);
  }
  ScratchFolder(const ScratchFolder&) = delete;
  ScratchFolder& operator=(const ScratchFolder&) = delete;
  const std::string& path() const { return path_; }

 private:
  std::string path_;
};

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

// Calls a function once a second from a thread of its own, as long as it lives.
class Ticking {
 public:
  explicit Ticking(std::function<void()> tick)
      : thread_([this, tick = std::move(tick)] {
          while (!ended_.WaitForNotificationWithTimeout(absl::Seconds(1))) tick();
        }) {}
  ~Ticking() { ended_.Notify(); }
  Ticking(const Ticking&) = delete;
  Ticking& operator=(const Ticking&) = delete;

 private:
  absl::Notification ended_;
  std::jthread thread_;  // the last member: joined first
};

// "heap-buffer-overflow mine.cc:12 in Softmax" of the address sanitizer's report.
std::string AddressFinding(const std::string& text) {
  constexpr std::string_view kSummary = "SUMMARY: AddressSanitizer: ";
  const size_t at = text.find(kSummary);
  return at == std::string::npos
             ? ""
             : text.substr(at + kSummary.size(), text.find('\n', at) - at - kSummary.size());
}

// "Invalid __global__ write of size 4 bytes at softmax(float*)+0x70 in mine.cu:12" of compute-sanitizer's log. Each finding is a
// line that is followed by its place.
std::string GpuFinding(const std::string& text) {
  std::string_view before;
  for (std::string_view line : absl::StrSplit(text, '\n')) {
    if (!absl::ConsumePrefix(&line, "=========")) continue;
    const bool place = absl::StartsWith(line, "     at ");
    line = absl::StripAsciiWhitespace(line);
    if (place) return absl::StrCat(before, " ", line);
    before = line;
  }
  return "";
}

class Session {
 public:
  Session(const Settings& settings, const std::atomic<bool>& interrupted,
          absl::FunctionRef<void(const std::string&)> progress)
      : settings_(settings),
        interrupted_(interrupted),
        progress_(progress),
        dtypes_(settings.dtypes) {}

  absl::StatusOr<KernelReport> Run() {
    if (folder_.path().empty()) return absl::UnavailableError("no temporary folder");
    if (absl::Status writable = FoldersExist(); !writable.ok()) return writable;
    if (absl::Status read = ReadRequest(); !read.ok()) return read;
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
    report.set_like(row_.call().name());
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
          settings_.flashinfer_out, TracesOf(task_, report, machine_.empty() ? "CPU" : machine_,
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

  absl::Status ReadRequest() {
    const absl::StatusOr<std::string> child = FindRunfile(kChild);
    if (!child.ok()) return child.status();
    child_ = *child;
    if (!settings_.flashinfer_trace.empty()) return ReadDefinition();
    const absl::StatusOr<OperatorRows> rows = ReadRows();
    if (!rows.ok()) return rows.status();
    const absl::StatusOr<OperatorRow> row = RowLike(*rows, settings_.like, settings_.at);
    if (!row.ok()) return row.status();
    row_ = *row;
    const absl::StatusOr<std::vector<Sizes>> sizes = SizesOf(row_, settings_.at);
    if (!sizes.ok()) return sizes.status();
    sizes_ = *sizes;
    return absl::OkStatus();
  }

  absl::Status ReadDefinition() {
    const absl::StatusOr<std::string> definition = ReadFile(settings_.flashinfer_trace);
    const absl::StatusOr<std::string> workloads = ReadFile(settings_.workload);
    for (const absl::Status& status : {definition.status(), workloads.status()}) {
      if (!status.ok()) return absl::InvalidArgumentError(status.message());
    }
    absl::StatusOr<FlashInferTask> task = ReadFlashInfer(*definition, *workloads);
    if (!task.ok()) return task.status();
    const absl::StatusOr<std::string> script = FindRunfile(kFlashInferScript);
    if (!script.ok()) return script.status();
    progress_("tracing the reference");
    absl::Status traced = TraceReference({.python = settings_.python,
                                          .script = *script,
                                          .definition = settings_.flashinfer_trace,
                                          .workloads = settings_.workload,
                                          .folder = folder_.path(),
                                          .seed = settings_.seed},
                                         *task, &interrupted_);
    if (!traced.ok()) return traced;
    row_ = task->row;
    sizes_ = {row_.sizes().begin(), row_.sizes().end()};
    dtypes_ = {task->dtype};
    task_ = *std::move(task);
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
    for (const Dtype dtype : dtypes_) {
      Task task;
      task.answer = answer;
      task.plan = plan;
      task.plan.set_dtype(dtype);
      if (!IsLibrary(file)) task.source = file;
      task.written = written;
      task.sanitized = sanitized;
      task.plan_file = absl::StrCat(folder_.path(), "/", tasks_.size(), ".textproto");
      std::string text;
      google::protobuf::TextFormat::PrintToString(task.plan, &text);
      std::ofstream(task.plan_file) << text;
      tasks_.push_back(std::move(task));
    }
    return absl::OkStatus();
  }

  // Before anything of it runs. The plan says whether it is a TVM-FFI library.
  void Inspect(const std::string& library, KernelCandidate& answer, KernelPlan& plan) {
    const absl::StatusOr<std::string> bytes = ReadFile(library);
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
    *plan.mutable_row() = row_;
    for (const Sizes& sizes : sizes_) *plan.add_sizes() = sizes;
    plan.set_seed(settings_.seed);
    plan.set_nondeterministic(settings_.nondeterministic);
    plan.set_threads(settings_.threads);
    plan.set_milliseconds(settings_.milliseconds);
    plan.set_call_timeout_s(settings_.timeout_s);
    return plan;
  }

  // The child's answer; of a child that ended otherwise, what that means.
  KernelCandidate AnswerOf(const Task& task, const std::string& action, absl::Duration& elapsed,
                           const std::vector<std::string>& environment = {}, int process = 0,
                           std::vector<std::string> words = {}) {
    KernelCandidate answer;
    const Ticking ticking([this] { Repeat(); });
    words.insert(words.end(),
                 {child_, absl::StrCat("--plan=", task.plan_file),
                  absl::StrCat("--action=", action), absl::StrCat("--process=", process)});
    const absl::StatusOr<processes::ChildEnd> end =
        processes::RunChild({.arguments = std::move(words),
                             .environment = environment,
                             .timeout = absl::Minutes(10),
                             .answers = true,
                             .keep_bytes = int64_t{64} << 20},  // all samples of all sizes
                            &interrupted_);
    if (!end.ok()) {
      answer.set_verdict("NOT_VERIFIED");
      answer.set_reason(std::string(end.status().message()));
      return answer;
    }
    elapsed = end->elapsed;
    if (end->Exited(0) && google::protobuf::TextFormat::ParseFromString(end->answer, &answer) &&
        !answer.verdict().empty())
      return answer;
    answer.Clear();
    // Only the kernel's own code can end a timing process so: its calls came to their ends before, alone.
    answer.set_verdict(end->ending == processes::Ending::kInterrupted ? "NOT_VERIFIED" : "WRONG");
    answer.mutable_failure()->set_kind(action == "time" ? "crashed while it was timed"
                                                        : "crashed when it was loaded");
    answer.mutable_failure()->set_text(
        absl::StrCat(processes::Describe(*end), end->errors.empty() ? "" : ": ", end->errors));
    return answer;
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
    absl::Duration elapsed;
    KernelCandidate checked = AnswerOf(task, "check", elapsed);
    checked.set_file(task.answer.file());
    checked.set_reason(LoadErrorText(checked.reason()));
    checked.set_sha256(task.answer.sha256());
    for (KernelSize& size : *checked.mutable_sizes())
      size.set_dtype(absl::AsciiStrToLower(Dtype_Name(task.plan.dtype())));
    if (checked.failure().kind() == "threw" && task_.workloads.empty() &&
        dtypes_ == std::vector{Dtype::FP32})
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
    Task sanitized;
    sanitized.plan = task.plan;
    sanitized.plan_file = task.plan_file + ".asan";
    sanitized.plan.set_library(*library);
    std::string text;
    google::protobuf::TextFormat::PrintToString(sanitized.plan, &text);
    std::ofstream(sanitized.plan_file) << text;
    const std::string log = absl::StrCat(folder_.path(), "/asan");
    absl::Duration elapsed;
    KernelCandidate checked =
        AnswerOf(sanitized, "check", elapsed,
                 {absl::StrCat("LD_PRELOAD=", *runtime),
                  absl::StrCat("ASAN_OPTIONS=detect_leaks=0:handle_segv=0:handle_sigbus=0:allow_"
                               "user_segv_handler=1:log_path=",
                               log)});
    if (checked.verdict() == "RIGHT") return;
    task.answer.set_verdict(checked.verdict());
    task.answer.set_reason(checked.reason());
    *task.answer.mutable_failure() = checked.failure();
    if (const std::string summary = FirstIn(log, AddressFinding); !summary.empty()) {
      task.answer.mutable_failure()->set_kind("address sanitizer");
      task.answer.mutable_failure()->set_text(summary);
    }
  }

  // The same check once more under compute-sanitizer, which watches a GPU's memory. A slow call proves nothing there: what it
  // reports counts alone.
  void WatchGpu(Task& task) {
    Show(absl::StrCat("checking ", task.answer.file(), " under compute-sanitizer"));
    const absl::StatusOr<processes::ChildEnd> version = processes::RunChild(
        {.arguments = {kComputeSanitizer, "--version"}, .timeout = absl::Minutes(1)},
        &interrupted_);
    if (!version.ok() || !version->Exited(0)) {
      task.answer.add_warnings(absl::StrCat(
          "no compute-sanitizer: ",
          version.ok() ? processes::Describe(*version) : std::string("it is not in PATH"),
          ", so wrong accesses to a GPU's memory were not looked for; it is part of CUDA"));
      return;
    }
    const std::string log = task.plan_file + ".gpu";
    absl::Duration elapsed;
    const KernelCandidate checked =
        AnswerOf(task, "check", elapsed, {}, 0,
                 {kComputeSanitizer, "--tool=memcheck", "--target-processes=all",
                  "--report-api-errors=no", absl::StrCat("--log-file=", log, ".%p")});
    if (HasChanged(task)) return;
    const auto any = [](const std::string&) { return std::string("there is one"); };
    const std::string finding = FirstIn(log, GpuFinding);
    if (FirstIn(log, any).empty()) {
      task.answer.add_warnings(
          "no compute-sanitizer: it wrote no log, so wrong accesses to a GPU's memory were not "
          "looked for");
    } else if (!finding.empty()) {
      task.answer.set_verdict("WRONG");
      task.answer.mutable_failure()->set_kind(kComputeSanitizer);
      task.answer.mutable_failure()->set_text(finding);
    } else if (checked.verdict() != "RIGHT") {
      task.answer.add_warnings(
          absl::StrCat("compute-sanitizer found nothing, but the checks did not pass under it: ",
                       checked.reason(), checked.failure().text()));
    }
  }

  // Calls `find` with the text of each file whose path begins with `log`; the first answer that is not empty.
  std::string FirstIn(const std::string& log,
                      absl::FunctionRef<std::string(const std::string&)> find) const {
    std::error_code error;
    for (const auto& entry : fs::directory_iterator(folder_.path(), error)) {
      if (!absl::StartsWith(entry.path().string(), log)) continue;
      const absl::StatusOr<std::string> text = ReadFile(entry.path().string());
      if (!text.ok()) continue;
      if (std::string finding = find(*text); !finding.empty()) return finding;
    }
    return "";
  }

  // Peaks are those that were kept; --peaks measures them now.
  void AddPeaks(Task& task) {
    const PeaksKey key = {machine_, task.answer.threads(), task.plan.dtype()};
    std::optional<KernelPeaks> peaks = KeptPeaks(key);
    if (settings_.peaks && measured_.insert({key.threads, key.dtype}).second) {
      Show("measuring the peaks of this machine");
      absl::Duration elapsed;
      const KernelCandidate answer = AnswerOf(task, "peaks", elapsed);
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
    absl::Duration elapsed;
    KernelCandidate timed = AnswerOf(task, "time", elapsed, {}, process);
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
  const ScratchFolder folder_;
  std::string child_;
  OperatorRow row_;
  std::vector<Sizes> sizes_;
  std::vector<Dtype> dtypes_;
  FlashInferTask task_;
  std::vector<Task> tasks_;
  const std::string machine_ = ProcessorName();
  std::set<std::pair<int, Dtype>> measured_;  // threads and dtype of peaks
  size_t done_ = 0;
  absl::Time start_;
};

}  // namespace

absl::StatusOr<std::string> ListOperators() {
  const absl::StatusOr<OperatorRows> rows = ReadRows();
  if (!rows.ok()) return rows.status();
  return ListOf(*rows);
}

absl::StatusOr<std::string> LoadingVariables(const Settings& settings,
                                             const std::atomic<bool>& interrupted) {
  const std::string& file = settings.files.front();
  std::string like = settings.like;
  if (!like.empty() && !absl::StrContains(like, "::")) {
    const absl::StatusOr<OperatorRows> rows = ReadRows();
    if (!rows.ok()) return rows.status();
    const absl::StatusOr<OperatorRow> row = RowLike(*rows, like, {});
    if (!row.ok()) return row.status();
    like = row->call().name();
  }
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
  return absl::StrCat("ASSAY_KERNEL_LIBRARY=", *library, "\nASSAY_KERNEL_LIKE=", like,
                      "\nASSAY_KERNEL_OP=", settings.op, "\n");
}

absl::StatusOr<KernelReport> RunSession(const Settings& settings,
                                        const std::atomic<bool>& interrupted,
                                        absl::FunctionRef<void(const std::string&)> progress) {
  return Session(settings, interrupted, progress).Run();
}

}  // namespace assay::kernel

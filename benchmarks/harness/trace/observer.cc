#include "benchmarks/harness/trace/observer.h"

#include <torch/csrc/profiler/standalone/execution_trace_observer.h>

#include <atomic>
#include <cerrno>
#include <cstdio>
#include <fstream>
#include <utility>

#include "absl/status/status.h"
#include "absl/strings/str_cat.h"
#include "benchmarks/harness/tensor_files/atomic_file.h"

namespace assay::trace {
namespace {

namespace libtorch = torch::profiler::impl;

std::atomic<bool> is_recording = false;

}  // namespace

Observer::Observer(std::string path) : path_(std::move(path)) {}

absl::StatusOr<std::unique_ptr<Observer>> Observer::Start(std::string path) {
  if (is_recording.exchange(true))
    return absl::FailedPreconditionError(
        "LibTorch's observer records another execution trace; finish it first");
  std::unique_ptr<Observer> observer(new Observer(std::move(path)));
  // Once it could not open a file, LibTorch's observer can never be used again in this process.
  const bool opens = std::ofstream(observer->Unfinished()).is_open();
  if (!opens || !libtorch::addExecutionTraceObserver(observer->Unfinished())) {
    return absl::UnavailableError(
        absl::StrCat("LibTorch's observer cannot write ", observer->Unfinished()));
  }
  observer->added_ = true;
  libtorch::enableExecutionTraceObserver();
  return observer;
}

void Observer::Stop() {
  if (!std::exchange(records_, false)) return;
  if (added_) {
    libtorch::disableExecutionTraceObserver();
    libtorch::removeExecutionTraceObserver();
  }
  is_recording = false;
}

Observer::~Observer() {
  if (!records_) return;
  Stop();
  std::remove(Unfinished().c_str());
}

absl::Status Observer::Finish() {
  Stop();
  if (std::rename(Unfinished().c_str(), path_.c_str()) == 0) return absl::OkStatus();
  return tensor_files::ErrnoStatus(errno, "writing", path_);
}

}  // namespace assay::trace

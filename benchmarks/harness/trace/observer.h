#ifndef ASSAY_BENCHMARKS_HARNESS_TRACE_OBSERVER_H_
#define ASSAY_BENCHMARKS_HARNESS_TRACE_OBSERVER_H_

// ---------------------------------------------------------------------------------------------
// observer.h: writes an execution trace by LibTorch's own ExecutionTraceObserver, to be compared with
// that of our recorder (capture.h).
//
// The observer writes six decimals, gives ids twice, cuts lists after 4,097 elements, and leaves out
// operators that throw.
//
// Example:
//   auto observer = trace::Observer::Start("step.observer.json");
//   if (!observer.ok()) ...
//   step();
//   absl::Status written = (*observer)->Finish();
// ---------------------------------------------------------------------------------------------

#include <memory>
#include <string>

#include "absl/status/status.h"
#include "absl/status/statusor.h"

namespace assay::trace {

class Observer {
 public:
  // Records every thread's operators from now on. Unavailable where the file cannot be opened;
  // FailedPrecondition while another one records, because LibTorch has one observer.
  static absl::StatusOr<std::unique_ptr<Observer>> Start(std::string path);

  // Without Finish() there is no file.
  ~Observer();
  Observer(const Observer&) = delete;
  Observer& operator=(const Observer&) = delete;

  // Ends the recording; the file has its name from now on.
  absl::Status Finish();

 private:
  explicit Observer(std::string path);
  std::string Unfinished() const { return path_ + ".unfinished"; }
  void Stop();

  const std::string path_;
  bool records_ = true;
  bool added_ = false;  // LibTorch knows it
};

}  // namespace assay::trace

#endif  // ASSAY_BENCHMARKS_HARNESS_TRACE_OBSERVER_H_

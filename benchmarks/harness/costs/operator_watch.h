#ifndef ASSAY_BENCHMARKS_HARNESS_COSTS_OPERATOR_WATCH_H_
#define ASSAY_BENCHMARKS_HARNESS_COSTS_OPERATOR_WATCH_H_

// ---------------------------------------------------------------------------------------------
// operator_watch.h: calls a pair of callbacks around every operator that this thread, and
// autograd's threads on its behalf, call while the watch exists.
//
// Not for: profiles (harness/profile).
//
// Example:
//   const OperatorWatch watch(at::RecordFunctionCallback(OnStart, OnEnd).needsInputs(true));
// ---------------------------------------------------------------------------------------------

#include <ATen/record_function.h>

namespace assay::costs {

class OperatorWatch {
 public:
  explicit OperatorWatch(at::RecordFunctionCallback callback)
      : handle_(at::addThreadLocalCallback(callback.scopes({at::RecordScope::FUNCTION}))) {}
  ~OperatorWatch() { at::removeCallback(handle_); }
  OperatorWatch(const OperatorWatch&) = delete;
  OperatorWatch& operator=(const OperatorWatch&) = delete;

 private:
  const at::CallbackHandle handle_;
};

}  // namespace assay::costs

#endif  // ASSAY_BENCHMARKS_HARNESS_COSTS_OPERATOR_WATCH_H_

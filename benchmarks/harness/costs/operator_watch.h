#ifndef ASSAY_BENCHMARKS_HARNESS_COSTS_OPERATOR_WATCH_H_
#define ASSAY_BENCHMARKS_HARNESS_COSTS_OPERATOR_WATCH_H_

// ---------------------------------------------------------------------------------------------
// operator_watch.h: calls a pair of callbacks around every operator that this thread, and
// autograd's threads on its behalf, call while the watch exists; or around what other scopes of
// LibTorch there are, such as autograd's nodes.
//
// Not for: profiles (harness/profile).
//
// Example:
//   const OperatorWatch watch(at::RecordFunctionCallback(OnStart, OnEnd).needsInputs(true));
// ---------------------------------------------------------------------------------------------

#include <ATen/record_function.h>

#include <unordered_set>
#include <utility>

namespace assay::costs {

class OperatorWatch {
 public:
  using Scopes = std::unordered_set<at::RecordScope, std::hash<at::RecordScope>>;

  explicit OperatorWatch(at::RecordFunctionCallback callback,
                         Scopes scopes = {at::RecordScope::FUNCTION})
      : handle_(at::addThreadLocalCallback(callback.scopes(scopes))) {}
  ~OperatorWatch() { at::removeCallback(handle_); }
  OperatorWatch(const OperatorWatch&) = delete;
  OperatorWatch& operator=(const OperatorWatch&) = delete;

 private:
  const at::CallbackHandle handle_;
};

}  // namespace assay::costs

#endif  // ASSAY_BENCHMARKS_HARNESS_COSTS_OPERATOR_WATCH_H_

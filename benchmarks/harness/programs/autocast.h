#ifndef ASSAY_BENCHMARKS_HARNESS_PROGRAMS_AUTOCAST_H_
#define ASSAY_BENCHMARKS_HARNESS_PROGRAMS_AUTOCAST_H_

// ---------------------------------------------------------------------------------------------
// autocast.h: enters and leaves torch.autocast.
//
//   const AutocastScope autocast(at::kCPU, at::kBFloat16);    // until the end of the block
//
// Not for: what is cast to what, which is LibTorch's.
// ---------------------------------------------------------------------------------------------

#include <c10/core/DeviceType.h>
#include <c10/core/ScalarType.h>

namespace assay::execution {

// Enters torch.autocast for its lifetime, with its cache of cast weights.
class AutocastScope {
 public:
  AutocastScope(c10::DeviceType device, c10::ScalarType dtype);
  ~AutocastScope();
  AutocastScope(const AutocastScope&) = delete;
  AutocastScope& operator=(const AutocastScope&) = delete;

 private:
  const c10::DeviceType device_;
  const bool was_enabled_;
  const c10::ScalarType old_dtype_;
};

// Leaves autocast for backward and update, as in Python: the tensors that forward saved decide
// their dtypes. It also drops autocast's casts of the weights.
class AutocastPause {
 public:
  explicit AutocastPause(c10::DeviceType device);
  ~AutocastPause();
  AutocastPause(const AutocastPause&) = delete;
  AutocastPause& operator=(const AutocastPause&) = delete;

 private:
  const c10::DeviceType device_;
  const bool was_enabled_;
};

}  // namespace assay::execution

#endif  // ASSAY_BENCHMARKS_HARNESS_PROGRAMS_AUTOCAST_H_

#ifndef ASSAY_BENCHMARKS_HARNESS_TRACE_OPERATOR_TIMES_H_
#define ASSAY_BENCHMARKS_HARNESS_TRACE_OPERATOR_TIMES_H_

// ---------------------------------------------------------------------------------------------
// operator_times.h: how long each operator of a program takes, by a recorder that reads the clock and
// nothing else.
//
// A recorder of arguments makes a small operator several times slower, so its own times say nothing.
// The program is therefore called twice: once for the times, once for the arguments (capture.h), and
// the two are joined by thread, order and name.
//
// Example:
//   auto timing = OperatorTiming::Start();
//   program();
//   OperatorTimes times = timing->Finish();
// ---------------------------------------------------------------------------------------------

#include <ATen/record_function.h>

#include <cstdint>
#include <memory>
#include <mutex>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

namespace assay::trace {

struct OperatorTime {
  std::string name;
  int64_t start_ns = 0;  // since the recording began; children are inside their parents
  int64_t duration_ns = 0;
};

// By LibTorch's number of the thread, in the order in which the operators began.
using OperatorTimes = std::unordered_map<uint64_t, std::vector<OperatorTime>>;

class OperatorTiming {
 public:
  static std::unique_ptr<OperatorTiming> Start();
  ~OperatorTiming();
  OperatorTiming(const OperatorTiming&) = delete;
  OperatorTiming& operator=(const OperatorTiming&) = delete;

  OperatorTimes Finish();

 private:
  OperatorTiming() = default;
  static std::unique_ptr<at::ObserverContext> OnStart(const at::RecordFunction& fn);
  static void OnEnd(const at::RecordFunction& fn, at::ObserverContext* context);
  void Remove();

  at::CallbackHandle handle_ = at::INVALID_CALLBACK_HANDLE;
  int64_t began_ns_ = 0;
  std::mutex mutex_;
  OperatorTimes times_;
};

}  // namespace assay::trace

#endif  // ASSAY_BENCHMARKS_HARNESS_TRACE_OPERATOR_TIMES_H_

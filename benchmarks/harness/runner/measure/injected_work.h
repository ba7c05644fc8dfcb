#ifndef ASSAY_BENCHMARKS_HARNESS_RUNNER_MEASURE_INJECTED_WORK_H_
#define ASSAY_BENCHMARKS_HARNESS_RUNNER_MEASURE_INJECTED_WORK_H_

// ---------------------------------------------------------------------------------------------
// injected_work.h: makes a workload slower by a known share, to test that a comparison finds it.
//
// After each call the host waits for the device and then spins for a share of what that call took.
//
// Not for: modes that use the device's clock; it is the host that spins.
//
// Example:
//   InjectedWork slower(device, workload, /*share=*/0.03);
// ---------------------------------------------------------------------------------------------

#include <cstdint>
#include <optional>

#include "benchmarks/harness/sampling/device/device.h"
#include "benchmarks/harness/sampling/timed_work.h"

namespace assay::runner {

class InjectedWork : public sampling::TimedWork {
 public:
  // Both must outlive this.
  InjectedWork(sampling::Device& device, sampling::TimedWork& inner, double share)
      : device_(device), inner_(inner), share_(share) {}

  void Call() override {
    const int64_t start_ns = device_.NowNs();
    inner_.Call();
    device_.Synchronize().IgnoreError();  // the engine sees it at its next call
    const int64_t end_ns = device_.NowNs();
    const double until_ns =
        static_cast<double>(end_ns) + share_ * static_cast<double>(end_ns - start_ns);
    while (static_cast<double>(device_.NowNs()) < until_ns) {
    }
  }
  bool HasPreparation() const override { return inner_.HasPreparation(); }
  void Prepare() override { inner_.Prepare(); }
  int InputSets() const override { return inner_.InputSets(); }
  void UseInputs(int set) override { inner_.UseInputs(set); }
  int64_t InputBytes() const override { return inner_.InputBytes(); }
  std::optional<uint64_t> OutputDigest() override { return inner_.OutputDigest(); }
  std::optional<uint64_t> InputDigest() override { return inner_.InputDigest(); }

 private:
  sampling::Device& device_;
  sampling::TimedWork& inner_;
  const double share_;
};

}  // namespace assay::runner

#endif  // ASSAY_BENCHMARKS_HARNESS_RUNNER_MEASURE_INJECTED_WORK_H_

#ifndef ASSAY_BENCHMARKS_HARNESS_RUNNER_MEASURE_ENERGY_PASS_H_
#define ASSAY_BENCHMARKS_HARNESS_RUNNER_MEASURE_ENERGY_PASS_H_

// ---------------------------------------------------------------------------------------------
// energy_pass.h: --energy: the joules of a call, by the machine's own counters
// (environment/energy_counters.h).
//
// First a window of kEnergyWindow in which this process does nothing: the machine's idle power. Then
// for each measured step a window of that length or longer in which it is called again and again.
// The energy of a call is all that was counted, idle power included, divided by the calls; the idle
// power stands beside it, and nothing is subtracted. NVML counts on every 0.1 s, RAPL every
// millisecond, which is why windows are long.
//
// A counter that cannot be read, or that stands still, gives no figure, never 0. A step with an untimed
// preparation has none, since both would be counted.
//
// Not for: times.
//
// Example:
//   EnergyMeter meter(OpenEnergyCounters({}), *device, &interrupted);
//   absl::Status taken = meter.MeasureSteps(record.measurements(), WorkOf(steps), keep);
//   std::cout << EnergyLines(record, meter.Missing());
// ---------------------------------------------------------------------------------------------

#include <google/protobuf/repeated_ptr_field.h>

#include <atomic>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "absl/functional/function_ref.h"
#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/time/time.h"
#include "benchmarks/harness/environment/energy_counters.h"
#include "benchmarks/harness/sampling/device/device.h"
#include "benchmarks/harness/sampling/timed_work.h"
#include "defs/proto/record.pb.h"

namespace assay::runner {

inline constexpr absl::Duration kEnergyWindow = absl::Seconds(5);

class EnergyMeter {
 public:
  // `device` and `interrupted` must outlive this. The device's clock tells the time.
  EnergyMeter(environment::EnergyCounters counters, sampling::Device& device,
              const std::atomic<bool>* interrupted)
      : counters_(std::move(counters.found)),
        missing_(std::move(counters.missing)),
        device_(device),
        interrupted_(interrupted) {}

  using WorkOf = absl::FunctionRef<absl::StatusOr<sampling::TimedWork*>(std::string_view step)>;
  using Keep = absl::FunctionRef<void(const std::string& step, const Energy& energy)>;

  // Gives `keep` the energy of each step with samples that has some. Cancelled once interrupted; errors
  // of `work_of` and of the calls.
  absl::Status MeasureSteps(const google::protobuf::RepeatedPtrField<Measurement>& measurements,
                            WorkOf work_of, Keep keep);

  // Why figures are missing, in one text; empty if there are all.
  std::string Missing() const;

 private:
  using Counts = std::vector<std::optional<uint64_t>>;

  struct Window {
    double seconds = 0;
    std::vector<double> joules = {};  // of each counter
  };

  // Drops counters that stand still.
  absl::Status MeasureIdle();
  // `call_ns`: about how long one call takes. FailedPrecondition where a counter is no longer read or may have
  // begun anew more than once.
  absl::StatusOr<Energy> Measure(sampling::TimedWork& work, double call_ns);
  Counts Read() const;
  // Calls `pass`, which takes some time, until the window is over.
  template <typename Pass>
  absl::StatusOr<Window> Watch(Pass pass);

  std::vector<environment::EnergyCounter> counters_;
  std::vector<std::string> missing_;
  std::vector<double> idle_watts_;  // of each counter
  sampling::Device& device_;
  const std::atomic<bool>* const interrupted_;
};

// A line for each step that has figures, and one for what is missing; empty without both.
std::string EnergyLines(const Record& record, const std::string& missing);

}  // namespace assay::runner

#endif  // ASSAY_BENCHMARKS_HARNESS_RUNNER_MEASURE_ENERGY_PASS_H_

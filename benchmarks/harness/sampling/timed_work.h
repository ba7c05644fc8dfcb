// -----------------------------------------------------------------------------
// File: timed_work.h
// -----------------------------------------------------------------------------
//
// What is measured, as the engine sees it: something that can be called, and that may be asked what
// it computes from. The questions serve the validity checks: the time of a function whose output
// does not change with its input, or that answers from memory, says nothing about its work.
//
// Not for what a program is made of: harness/execution/program.h.
//
//   TimedFunction work([&] { model.Forward(inputs); });
//   absl::StatusOr<SampleSet> set = Measure(device, Mode::kWall, work, {});

#ifndef ASSAY_BENCHMARKS_HARNESS_SAMPLING_TIMED_WORK_H_
#define ASSAY_BENCHMARKS_HARNESS_SAMPLING_TIMED_WORK_H_

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <utility>

namespace assay::sampling {

class TimedWork {
 public:
  virtual ~TimedWork() = default;

  // Queues one call in the queue that the device's timers are put in. What it throws passes
  // through the engine.
  virtual void Call() = 0;

  // Untimed work that each call needs done anew before it, such as the forward pass before a
  // backward pass. A work with any is timed one call at a time.
  virtual bool HasPreparation() const { return false; }
  virtual void Prepare() {}

  // Prepared sets of different inputs of one shape, at least one; set 0 is in use at first.
  virtual int InputSets() const { return 1; }
  virtual void UseInputs(int /*set*/) {}
  // What one call reads of one set, weights not counted; 0 where unknown.
  virtual int64_t InputBytes() const { return 0; }

  // Fingerprints, which may wait for the device and copy from it: of the last call's outputs; of
  // the inputs in use and the state that calls must not change. Absent where there is no way.
  virtual std::optional<uint64_t> OutputDigest() { return std::nullopt; }
  virtual std::optional<uint64_t> InputDigest() { return std::nullopt; }
  // What about the inputs' values makes hardware faster or slower than usual ones would (zeros,
  // subnormals), in words; empty where nothing does.
  virtual std::optional<std::string> InputConcern() { return std::nullopt; }
};

// A function that cannot be asked anything.
class TimedFunction : public TimedWork {
 public:
  explicit TimedFunction(std::function<void()> call) : call_(std::move(call)) {}
  void Call() override { call_(); }

 private:
  const std::function<void()> call_;
};

}  // namespace assay::sampling

#endif  // ASSAY_BENCHMARKS_HARNESS_SAMPLING_TIMED_WORK_H_

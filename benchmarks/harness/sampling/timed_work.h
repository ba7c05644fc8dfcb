// -----------------------------------------------------------------------------
// File: timed_work.h
// -----------------------------------------------------------------------------
//
// The work that the engine measures: something that can be called, and that may be asked about its
// inputs and outputs. The validity checks ask: the time of a function whose output does not change
// with its input, or that returns remembered outputs, says nothing about its work.
//
// Not for the parts of a program: harness/programs/program.h.
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

  // Queues one call in the queue that the device's timers use. Exceptions pass through the engine.
  virtual void Call() = 0;

  // Whether each call needs untimed work before it, such as the forward pass before a backward
  // pass. Such a work is timed one call at a time.
  virtual bool HasPreparation() const { return false; }
  virtual void Prepare() {}

  // Prepared sets of different inputs of one shape, at least one; set 0 is in use at first.
  virtual int InputSets() const { return 1; }
  virtual void UseInputs(int /*set*/) {}
  // Bytes that one call reads of one set, without weights; 0 where unknown.
  virtual int64_t InputBytes() const { return 0; }

  // Fingerprints of the last call's outputs, and of the inputs in use with the state that calls
  // must not change. They may wait for the device and copy from it. Absent where there are none.
  virtual std::optional<uint64_t> OutputDigest() { return std::nullopt; }
  virtual std::optional<uint64_t> InputDigest() { return std::nullopt; }
  // Names what makes these inputs and weights faster or slower than usual ones (zeros, subnormals);
  // empty if nothing does.
  virtual std::optional<std::string> InputConcern() { return std::nullopt; }
};

// A plain function, without answers to these questions.
class TimedFunction : public TimedWork {
 public:
  explicit TimedFunction(std::function<void()> call) : call_(std::move(call)) {}
  void Call() override { call_(); }

 private:
  const std::function<void()> call_;
};

}  // namespace assay::sampling

#endif  // ASSAY_BENCHMARKS_HARNESS_SAMPLING_TIMED_WORK_H_

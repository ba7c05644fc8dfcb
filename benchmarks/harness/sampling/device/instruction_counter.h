// -----------------------------------------------------------------------------
// File: instruction_counter.h
// -----------------------------------------------------------------------------
//
// Counts the instructions that this process executes in user space, all threads together, by Linux's
// perf_event_open(2): PERF_COUNT_HW_INSTRUCTIONS, without kernel and hypervisor. Other programs
// change a time, and this count much less.
//
// It opens one event for each thread that there is at the first Read(); threads that these start later
// are counted with them (`inherit`). A kernel or a virtual machine may refuse, and other counters may
// take the hardware's place for a part of the time. Then there is no count, and Missing() says why: a
// count is never 0, and never extrapolated.
//
// Not for cycles: they change with the memory's speed, as a time does.
//
//   InstructionCounter counter;
//   const int64_t before = counter.Read();
//   call();
//   const int64_t instructions = counter.Read() - before;  // if both are >= 0; else counter.Missing()

#ifndef ASSAY_BENCHMARKS_HARNESS_SAMPLING_DEVICE_INSTRUCTION_COUNTER_H_
#define ASSAY_BENCHMARKS_HARNESS_SAMPLING_DEVICE_INSTRUCTION_COUNTER_H_

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

namespace assay::sampling {

// The kernel's part of it, which a test replaces.
class PerfEvents {
 public:
  struct Reading {
    int64_t count = 0;
    int64_t enabled_ns = 0;  // time of the threads since it was opened
    int64_t running_ns = 0;  // the part of it in which the hardware counted
  };

  virtual ~PerfEvents() = default;
  virtual std::vector<int> Threads() = 0;                   // of this process
  virtual int Open(int thread) = 0;                         // a descriptor, or -errno
  virtual bool Read(int descriptor, Reading& reading) = 0;  // false: it failed
  virtual void Close(int descriptor) = 0;
  virtual std::string Paranoid() = 0;  // /proc/sys/kernel/perf_event_paranoid; empty: unknown
};

class InstructionCounter {
 public:
  InstructionCounter();
  explicit InstructionCounter(std::unique_ptr<PerfEvents> events) : events_(std::move(events)) {}
  ~InstructionCounter();
  InstructionCounter(const InstructionCounter&) = delete;
  InstructionCounter& operator=(const InstructionCounter&) = delete;

  // Counts from the first Read() on, which opens the events. -1: there is no count, from now on.
  int64_t Read();
  const std::string& Missing() const { return missing_; }  // why; empty while there is a count

 private:
  void Open();
  int64_t Fail(std::string why);

  const std::unique_ptr<PerfEvents> events_;
  std::vector<int> descriptors_;
  bool opened_ = false;
  std::string missing_;
};

}  // namespace assay::sampling

#endif  // ASSAY_BENCHMARKS_HARNESS_SAMPLING_DEVICE_INSTRUCTION_COUNTER_H_

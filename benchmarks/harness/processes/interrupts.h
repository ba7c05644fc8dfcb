#ifndef ASSAY_BENCHMARKS_HARNESS_PROCESSES_INTERRUPTS_H_
#define ASSAY_BENCHMARKS_HARNESS_PROCESSES_INTERRUPTS_H_

// ---------------------------------------------------------------------------------------------
// interrupts.h: Ctrl-C in a program that keeps what it has: the first one asks it to stop, the second
// ends it. SIGTERM means the same.
//
// Not for a suite, which lets the process that runs finish first: tools/suite/launch/processes/stop_requests.h.
//
// Example:
//   const std::atomic<bool>& interrupted = processes::CatchInterrupts();
//   processes::RunChild(command, &interrupted);
// ---------------------------------------------------------------------------------------------

#include <atomic>

namespace assay::processes {

// Catches both signals from here on. True from the first one on.
const std::atomic<bool>& CatchInterrupts();

// The same variable, without catching anything: false where nobody does.
const std::atomic<bool>& Interrupted();

}  // namespace assay::processes

#endif  // ASSAY_BENCHMARKS_HARNESS_PROCESSES_INTERRUPTS_H_

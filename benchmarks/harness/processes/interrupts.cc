#include "benchmarks/harness/processes/interrupts.h"

#include <csignal>

namespace assay::processes {
namespace {

std::atomic<bool> interrupted{false};

void OnInterrupt(int) {
  interrupted = true;
  std::signal(SIGINT, SIG_DFL);
  std::signal(SIGTERM, SIG_DFL);
}

}  // namespace

const std::atomic<bool>& CatchInterrupts() {
  std::signal(SIGINT, OnInterrupt);
  std::signal(SIGTERM, OnInterrupt);
  return interrupted;
}

const std::atomic<bool>& Interrupted() { return interrupted; }

}  // namespace assay::processes

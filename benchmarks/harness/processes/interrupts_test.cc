#include "benchmarks/harness/processes/interrupts.h"

#include <unistd.h>

#include <csignal>

#include "gtest/gtest.h"

namespace assay::processes {
namespace {

TEST(InterruptsDeathTest, TheFirstAsksTheSecondEnds) {
  EXPECT_EXIT(
      {
        const std::atomic<bool>& interrupted = CatchInterrupts();
        if (interrupted) _exit(1);
        std::raise(SIGINT);
        if (!interrupted || !Interrupted()) _exit(2);
        std::raise(SIGTERM);
        _exit(3);
      },
      testing::KilledBySignal(SIGTERM), "");
}

}  // namespace
}  // namespace assay::processes

#include "benchmarks/harness/runner/presentation.h"

#include "defs/record.pb.h"
#include "gtest/gtest.h"

namespace assay::runner {
namespace {

TEST(MachineLine, SaysHowQuietAQuietMachineIs) {
  Environment e;
  e.set_cpu_count(8);
  e.set_load_1m(0.25);
  EXPECT_EQ(MachineLine(e), "machine   quiet    load 0.2 on 8 cores\n");
}

TEST(MachineLine, NamesTheNoiseAndTheCommandThatKnowsMore) {
  Environment e;
  e.add_noise("load 1.9 on 2 cores: other work competes for the CPU");
  e.add_noise("governor unknown: the CPU's clock may change unseen");
  EXPECT_EQ(MachineLine(e),
            "machine   noisy    load 1.9 on 2 cores; governor unknown   "
            "advice: tools/bazel run //tools:check_machine\n");
  e.set_gpu_name("NVIDIA H200");
  EXPECT_EQ(MachineLine(e),
            "machine   noisy    load 1.9 on 2 cores; governor unknown   "
            "advice: tools/bazel run //tools:check_machine -- --gpu\n");
}

TEST(MachineLine, CountsWhatItDoesNotName) {
  Environment e;
  for (const char* sentence : {"a: x", "b: x", "c: x", "d: x", "no colon"}) e.add_noise(sentence);
  EXPECT_EQ(MachineLine(e),
            "machine   noisy    a; b; c; 2 more   advice: tools/bazel run //tools:check_machine\n");
}

}  // namespace
}  // namespace assay::runner

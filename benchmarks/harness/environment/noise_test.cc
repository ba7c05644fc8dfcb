#include "benchmarks/harness/environment/noise.h"

#include <string>
#include <vector>

#include "defs/record.pb.h"
#include "gtest/gtest.h"

namespace assay::environment {
namespace {

constexpr int64_t kGib = int64_t{1} << 30;

Environment Quiet() {
  Environment e;
  e.set_cpu_count(8);
  e.set_threads(8);
  e.set_load_1m(2.0);  // exactly a quarter
  e.set_governor("performance");
  e.set_memory_bytes(100 * kGib);
  e.set_memory_available_bytes(10 * kGib);
  return e;
}

using Sentences = std::vector<std::string>;

TEST(NoiseOf, AQuietMachineIsNothing) { EXPECT_EQ(NoiseOf(Quiet()), Sentences{}); }

TEST(NoiseOf, LoadAboveAQuarterOfTheCpus) {
  Environment e = Quiet();
  e.set_load_1m(2.1);
  EXPECT_EQ(NoiseOf(e), Sentences{"load 2.1 on 8 cores: other work competes for the CPU"});
}

TEST(NoiseOf, AGovernorOtherThanPerformance) {
  Environment e = Quiet();
  e.set_governor("powersave");
  EXPECT_EQ(NoiseOf(e), Sentences{"governor powersave: the CPU's clock follows the load"});
  e.set_governor("");
  EXPECT_EQ(NoiseOf(e), Sentences{"governor unknown: the CPU's clock may change unseen"});
}

TEST(NoiseOf, LittleMemory) {
  Environment e = Quiet();
  e.set_memory_available_bytes(10 * kGib - 1);
  EXPECT_EQ(NoiseOf(e), Sentences{"10.0 of 100.0 GiB of memory available: the machine may swap"});
  e.set_memory_bytes(4 * kGib);
  e.set_memory_available_bytes(kGib - 1);
  EXPECT_EQ(NoiseOf(e).size(), 1) << "a tenth of a small machine is too little";
  e.set_memory_available_bytes(kGib);
  EXPECT_EQ(NoiseOf(e), Sentences{});
}

TEST(NoiseOf, MoreThreadsThanCpus) {
  Environment e = Quiet();
  e.set_cpu_count(1);
  e.set_load_1m(0);
  EXPECT_EQ(NoiseOf(e), Sentences{"8 threads on 1 core: threads wait for each other"});
}

TEST(NoiseOf, LaunchesThatAreWaitedFor) {
  Environment e = Quiet();
  (*e.mutable_variables())["CUDA_LAUNCH_BLOCKING"] = "1";
  EXPECT_EQ(NoiseOf(e), Sentences{"CUDA_LAUNCH_BLOCKING=1: every GPU launch is waited for"});
  (*e.mutable_variables())["CUDA_LAUNCH_BLOCKING"] = "0";
  EXPECT_EQ(NoiseOf(e), Sentences{});
}

TEST(NoiseOf, SaysOnlyThatTheGovernorIsUnknownWhereNothingIsKnown) {
  EXPECT_EQ(NoiseOf(Environment()).size(), 1);
}

}  // namespace
}  // namespace assay::environment

#include "benchmarks/harness/environment/facts/gpu_facts.h"

#include <functional>
#include <set>
#include <string>

#include "absl/status/status.h"
#include "absl/strings/str_cat.h"
#include "benchmarks/harness/environment/facts/fact_of.h"
#include "defs/proto/record.pb.h"
#include "gtest/gtest.h"

namespace assay::environment {
namespace {

GpuReading Quiet() {
  GpuReading gpu;
  gpu.count = 1;
  gpu.name = "NVIDIA H200";
  gpu.uuid = "GPU-aaaa1111";
  gpu.driver = "580.65.06";
  gpu.persistence = true;
  gpu.ecc = true;
  gpu.mig = false;
  gpu.sm_clock_mhz = 1500;
  gpu.max_sm_clock_mhz = 1980;
  gpu.memory_clock_mhz = 3201;
  gpu.max_memory_clock_mhz = 3201;
  gpu.clock_reasons = kClockSetting;
  gpu.power_limit_mw = 700'000;
  gpu.default_power_limit_mw = 700'000;
  gpu.temperature_c = 41;
  gpu.slowdown_temperature_c = 92;
  gpu.utilization_percent = 5;
  gpu.process_ids.emplace();
  return gpu;
}

Environment Read(const absl::StatusOr<GpuReading>& gpu, const GpuUse& use = {}) {
  Environment environment;
  AddGpuFacts(gpu, use, environment);
  return environment;
}

// The schema of a GPU's facts: what every record of a run on one carries.
TEST(AddGpuFacts, NameEveryFactOnceWhateverTheGpuSays) {
  const std::set<std::string> want = {
      "gpu",     "gpu_driver",      "gpu_persistence", "gpu_clock",
      "gpu_ecc", "gpu_clock_lock",  "gpu_throttling",  "gpu_power_limit",
      "gpu_mig", "gpu_temperature", "gpu_processes",   "gpu_utilization"};
  for (const GpuReading& gpu : {Quiet(), GpuReading()}) {
    const Environment e = Read(gpu);
    std::set<std::string> names;
    for (const MachineFact& fact : e.facts()) names.insert(fact.name());
    EXPECT_EQ(names, want);
    EXPECT_EQ(e.facts_size(), static_cast<int>(want.size()));
  }
}

TEST(AddGpuFacts, AQuietGpuIsGoodThroughout) {
  const Environment e = Read(Quiet());
  for (const MachineFact& fact : e.facts()) {
    EXPECT_EQ(fact.state(), FACT_GOOD) << fact.name();
    EXPECT_EQ(fact.advice(), "") << fact.name();
  }
  // printf GPU-aaaa1111 | sha256sum, first eight digits.
  EXPECT_EQ(FactOf("gpu", e), "GOOD NVIDIA H200 (index 0 of 1), uuid hash 5de48a31");
  EXPECT_EQ(FactOf("gpu_driver", e), "GOOD 580.65.06");
  EXPECT_EQ(FactOf("gpu_clock", e), "GOOD SM 1500 of 1980 MHz, memory 3201 of 3201 MHz");
  EXPECT_EQ(FactOf("gpu_power_limit", e), "GOOD 700 W");
  EXPECT_EQ(FactOf("gpu_temperature", e), "GOOD 41 °C, slows down at 92");
}

TEST(AddGpuFacts, WithoutAGpuSayWhyOnce) {
  const Environment e = Read(absl::NotFoundError("no NVIDIA driver: no libnvidia-ml.so.1"));
  ASSERT_EQ(e.facts_size(), 1);
  EXPECT_EQ(e.facts(0).name(), "gpu");
  EXPECT_EQ(e.facts(0).state(), FACT_UNKNOWN);
  EXPECT_EQ(e.facts(0).value(), "no NVIDIA driver: no libnvidia-ml.so.1");
  EXPECT_NE(e.facts(0).advice(), "");
}

TEST(AddGpuFacts, ASilentGpuIsNeverTakenForGood) {
  const Environment e = Read(GpuReading());
  for (const MachineFact& fact : e.facts()) {
    EXPECT_EQ(fact.state(), FACT_UNKNOWN) << fact.name();
    EXPECT_NE(fact.advice(), "") << fact.name();
  }
}

// This sentence follows each command that changes a setting: a borrowed GPU is left as it is.
constexpr char kYourOwn[] =
    " (on a machine of your own: it changes the GPU's settings, and needs root)";

struct Case {
  std::function<void(GpuReading&)> change;
  std::string_view fact;
  std::string want;
};

TEST(AddGpuFacts, JudgeEachState) {
  const Case cases[] = {
      {[](auto& g) { g.persistence = false; }, "gpu_persistence",
       absl::StrCat("BAD off -> sudo nvidia-smi -i 3 -pm 1", kYourOwn)},
      {[](auto& g) { g.clock_reasons = 0; }, "gpu_clock_lock",
       absl::StrCat("BAD none -> sudo nvidia-smi -i 3 -lgc 1485,1485", kYourOwn)},
      {[](auto& g) { g.clock_reasons = kClockIdle; }, "gpu_clock_lock",
       absl::StrCat(
           "UNKNOWN cannot be told while the GPU idles -> sudo nvidia-smi -i 3 -lgc 1485,1485",
           kYourOwn)},
      {[](auto& g) {
         g.clock_reasons = 0;
         g.application_clock_mhz = 1200;
         g.default_application_clock_mhz = 1980;
       },
       "gpu_clock_lock", "GOOD applications' clock set to 1200 MHz"},
      {[](auto& g) {
         g.clock_reasons = 0;
         g.application_clock_mhz = g.default_application_clock_mhz = 1980;
       },
       "gpu_clock_lock", absl::StrCat("BAD none -> sudo nvidia-smi -i 3 -lgc 1485,1485", kYourOwn)},
      {[](auto& g) { g.clock_reasons = kClockPowerCap; }, "gpu_throttling",
       absl::StrCat("BAD by power cap -> sudo nvidia-smi -i 3 -lgc 1485,1485", kYourOwn)},
      {[](auto& g) { g.clock_reasons = kClockHardwareThermal; }, "gpu_throttling",
       "BAD by heat -> cool the GPU; nvidia-smi -q -d PERFORMANCE,TEMPERATURE -i 3"},
      {[](auto& g) { g.clock_reasons = kClockHardwareSlowdown | kClockSoftwareThermal; },
       "gpu_throttling",
       "BAD by hardware slowdown, heat -> cool the GPU; nvidia-smi -q -d PERFORMANCE,TEMPERATURE "
       "-i 3"},
      {[](auto& g) { g.clock_reasons = kClockHardwareThermal | kClockSoftwareThermal; },
       "gpu_throttling",
       "BAD by heat -> cool the GPU; nvidia-smi -q -d PERFORMANCE,TEMPERATURE -i 3"},
      {[](auto& g) { g.clock_reasons = kClockPowerBrake | kClockSyncBoost | kClockSetting; },
       "gpu_throttling",
       absl::StrCat("BAD by sync boost, power brake -> sudo nvidia-smi -i 3 -lgc 1485,1485",
                    kYourOwn)},
      {[](auto& g) { g.clock_reasons = kClockIdle; }, "gpu_throttling", "GOOD none"},
      {[](auto& g) { g.power_limit_mw = 400'000; }, "gpu_power_limit",
       absl::StrCat("BAD 400 W, by default 700 -> sudo nvidia-smi -i 3 -pl 700", kYourOwn)},
      {[](auto& g) { g.ecc = false; }, "gpu_ecc", "GOOD off"},
      {[](auto& g) { g.mig = true; }, "gpu_mig",
       absl::StrCat("BAD on: power and clock are shared -> sudo nvidia-smi -i 3 -mig 0", kYourOwn)},
      {[](auto& g) { g.temperature_c = 82; }, "gpu_temperature",
       "BAD 82 °C, slows down at 92 -> let it cool, and see to its fans and the room"},
      {[](auto& g) { g.temperature_c = 81; }, "gpu_temperature", "GOOD 81 °C, slows down at 92"},
      {[](auto& g) {
         g.temperature_c = 79;
         g.slowdown_temperature_c.reset();
       },
       "gpu_temperature", "GOOD 79 °C"},
      {[](auto& g) { g.utilization_percent = 6; }, "gpu_utilization",
       "BAD 6 % -> stop what uses it: nvidia-smi"},
  };
  int number = 0;
  for (const Case& c : cases) {
    GpuReading gpu = Quiet();
    gpu.index = 3;
    c.change(gpu);
    EXPECT_EQ(FactOf(c.fact, Read(gpu)), c.want) << "case " << number;
    ++number;
  }
}

struct Tenants {
  std::vector<unsigned> seen;
  GpuUse use;
  std::string want;
};

TEST(AddGpuFacts, TellThisProcessFromOthers) {
  const GpuUse ours = {.own_process = 7};
  const GpuUse ours_in_container = {.own_process = 7, .in_container = true};
  const GpuUse none_in_container = {.own_process = {}, .in_container = true};
  const Tenants cases[] = {
      {{}, {}, "GOOD no other"},
      {{5}, {}, "BAD 1 other process"},
      {{7}, ours, "GOOD no other"},
      {{5, 6, 7}, ours, "BAD 2 others"},
      {{5}, ours, "BAD 1 other process"},
      {{5}, ours_in_container, "GOOD no other"},  // ours under the number that the host gave it
      {{5, 6}, ours_in_container, "BAD 1 other process"},
      {{}, ours_in_container, "UNKNOWN a container does not see other processes"},
      {{}, none_in_container, "UNKNOWN a container does not see other processes"},
      {{5}, none_in_container, "BAD 1 other process"},
  };
  int number = 0;
  for (const Tenants& c : cases) {
    GpuReading gpu = Quiet();
    gpu.process_ids = c.seen;
    const std::string fact = FactOf("gpu_processes", Read(gpu, c.use));
    EXPECT_EQ(fact.substr(0, fact.find(" ->")), c.want) << "case " << number;
    ++number;
  }
}

TEST(AddGpuFacts, DoNotBlameOthersForThisProcesssWork) {
  GpuReading gpu = Quiet();
  gpu.utilization_percent = 90;
  EXPECT_EQ(FactOf("gpu_utilization", Read(gpu, {.own_process = 7})).substr(0, 7), "UNKNOWN");
}

TEST(ReadGpuUse, KnowsThisProcess) {
  EXPECT_EQ(ReadGpuUse("/", /*own=*/false).own_process, std::nullopt);
  EXPECT_NE(ReadGpuUse("/", /*own=*/true).own_process, std::nullopt);
  EXPECT_TRUE(ReadGpuUse("/nothing_here", false).in_container) << "the careful side";
}

}  // namespace
}  // namespace assay::environment

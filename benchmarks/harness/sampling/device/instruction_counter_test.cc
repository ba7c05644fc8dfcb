#include "benchmarks/harness/sampling/device/instruction_counter.h"

#include <cerrno>
#include <map>
#include <memory>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "gtest/gtest.h"

namespace assay::sampling {
namespace {

// A kernel whose answers a test writes.
struct Script {
  std::vector<int> threads = {10, 11};
  std::map<int, int> refused = {};                   // thread -> errno
  std::map<int, PerfEvents::Reading> readings = {};  // by descriptor, which is 100 + thread
  std::set<int> unreadable = {}, open = {};
  std::string paranoid = "2";
};

class FakeEvents final : public PerfEvents {
 public:
  explicit FakeEvents(Script& script) : script_(script) {}
  std::vector<int> Threads() override { return script_.threads; }
  int Open(int thread) override {
    if (const auto found = script_.refused.find(thread); found != script_.refused.end())
      return -found->second;
    script_.open.insert(100 + thread);
    return 100 + thread;
  }
  bool Read(int descriptor, Reading& reading) override {
    reading = script_.readings[descriptor];
    return script_.unreadable.count(descriptor) == 0;
  }
  void Close(int descriptor) override { script_.open.erase(descriptor); }
  std::string Paranoid() override { return script_.paranoid; }

 private:
  Script& script_;
};

std::string WhyMissing(Script script) {
  InstructionCounter counter(std::make_unique<FakeEvents>(script));
  EXPECT_EQ(counter.Read(), -1);
  EXPECT_TRUE(script.open.empty()) << "events that stay open";
  EXPECT_EQ(counter.Read(), -1);
  return counter.Missing();
}

TEST(InstructionCounter, AddsTheCountsOfAllThreads) {
  Script script;
  {
    InstructionCounter counter(std::make_unique<FakeEvents>(script));
    EXPECT_TRUE(script.open.empty()) << "nothing is opened before the first reading";
    EXPECT_EQ(counter.Read(), 0);
    script.readings = {{110, {700, 50, 50}}, {111, {40, 9, 9}}};
    EXPECT_EQ(counter.Read(), 740);
    EXPECT_EQ(script.open, (std::set<int>{110, 111}));
    EXPECT_EQ(counter.Missing(), "");
  }
  EXPECT_TRUE(script.open.empty());
}

TEST(InstructionCounter, GoesPastAThreadThatHasEnded) {
  Script script = {.refused = {{10, ESRCH}}, .readings = {{111, {40, 9, 9}}}};
  InstructionCounter counter(std::make_unique<FakeEvents>(script));
  EXPECT_EQ(counter.Read(), 40);
}

TEST(InstructionCounter, SaysWhyTheKernelRefuses) {
  for (const int error : {ENOENT, ENODEV, EOPNOTSUPP})
    EXPECT_EQ(WhyMissing({.refused = {{11, error}}}),
              "this machine has no counter of instructions: a virtual machine often has none");
  for (const int error : {EACCES, EPERM}) {
    EXPECT_EQ(WhyMissing({.refused = {{10, error}}, .paranoid = "3"}),
              "perf_event_paranoid is 3: sudo sysctl kernel.perf_event_paranoid=2 allows it");
    for (const char* level : {"2", "-1", ""})
      EXPECT_NE(WhyMissing({.refused = {{10, error}}, .paranoid = level}).find("seccomp"),
                std::string::npos);
  }
  EXPECT_EQ(WhyMissing({.refused = {{10, ENOSYS}}}), "this kernel has no perf events");
  EXPECT_EQ(WhyMissing({.refused = {{10, EMFILE}}}), "perf_event_open: Too many open files");
}

TEST(InstructionCounter, ExtrapolatesNothing) {
  EXPECT_EQ(WhyMissing({.readings = {{110, {700, 50, 50}}, {111, {40, 50, 10}}}}),
            "other counters took the hardware: it counted 60 % of the time");
  EXPECT_EQ(WhyMissing({.readings = {{110, {0, 50, 0}}, {111, {0, 50, 0}}}}),
            "other counters took the hardware: it counted 0 % of the time");
}

TEST(InstructionCounter, SaysThatAReadingFailed) {
  EXPECT_EQ(WhyMissing({.unreadable = {111}}), "a perf event could not be read");
}

// On this machine: either it counts, and more work is a larger count, or it says why not.
TEST(InstructionCounter, CountsHereOrSaysWhyNot) {
  InstructionCounter counter;
  const int64_t first = counter.Read();
  volatile int64_t sum = 0;
  for (int i = 0; i < 100'000; ++i) sum = sum + i;
  const int64_t second = counter.Read();
  if (second < 0) {
    EXPECT_FALSE(counter.Missing().empty());
    return;
  }
  EXPECT_GT(second - first, 100'000);
}

}  // namespace
}  // namespace assay::sampling

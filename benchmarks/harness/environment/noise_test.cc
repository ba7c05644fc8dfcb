#include "benchmarks/harness/environment/noise.h"

#include <string>
#include <vector>

#include "defs/proto/record.pb.h"
#include "gtest/gtest.h"

namespace assay::environment {
namespace {

using Sentences = std::vector<std::string>;

void Add(std::string_view name, FactState state, std::string_view value, Environment& e) {
  MachineFact& fact = *e.add_facts();
  fact.set_name(std::string(name));
  fact.set_state(state);
  fact.set_value(std::string(value));
}

Sentences NoiseOfOne(std::string_view name, FactState state, std::string_view value) {
  Environment e;
  Add(name, state, value, e);
  return NoiseOf(e);
}

TEST(NoiseOf, NothingKnownIsNothing) { EXPECT_EQ(NoiseOf(Environment()), Sentences{}); }

TEST(NoiseOf, WhatIsGoodIsNothing) {
  for (const char* name : {"governor", "load", "memory", "gpu_processes"}) {
    EXPECT_EQ(NoiseOfOne(name, FACT_GOOD, "fine"), Sentences{}) << name;
  }
}

TEST(NoiseOf, SaysWhatABadFactDoes) {
  EXPECT_EQ(NoiseOfOne("load", FACT_BAD, "2.1 on 8 cores"),
            Sentences{"load 2.1 on 8 cores: other work competes for the CPU"});
  EXPECT_EQ(NoiseOfOne("governor", FACT_BAD, "powersave"),
            Sentences{"governor powersave: the CPU's clock follows the load"});
  EXPECT_EQ(NoiseOfOne("memory", FACT_BAD, "9.9 of 100.0 GiB available"),
            Sentences{"memory 9.9 of 100.0 GiB available: the machine may swap"});
  EXPECT_EQ(NoiseOfOne("threads", FACT_BAD, "8 on 1 core"),
            Sentences{"threads 8 on 1 core: threads wait for each other"});
  EXPECT_EQ(
      NoiseOfOne("launch_blocking", FACT_BAD, "on by CUDA_LAUNCH_BLOCKING=1"),
      Sentences{"launch blocking on by CUDA_LAUNCH_BLOCKING=1: every GPU launch is waited for"});
  EXPECT_EQ(NoiseOfOne("gpu_processes", FACT_BAD, "2 others"),
            Sentences{"gpu processes 2 others: other work competes for the GPU"});
}

TEST(NoiseOf, OnlyTheGovernorIsWorthASentenceWhereItIsUnknown) {
  EXPECT_EQ(NoiseOfOne("governor", FACT_UNKNOWN, "unknown"),
            Sentences{"governor unknown: the CPU's clock may change unseen"});
  for (const char* name : {"load", "turbo", "steal", "gpu", "gpu_clock_lock"}) {
    EXPECT_EQ(NoiseOfOne(name, FACT_UNKNOWN, "unknown"), Sentences{}) << name;
  }
}

TEST(NoiseOf, PassesOverWhatIsTheSameForEverySample) {
  for (const char* name : {"aslr", "huge_pages", "numa", "smt", "swappiness", "no_such_fact"}) {
    EXPECT_EQ(NoiseOfOne(name, FACT_BAD, "on"), Sentences{}) << name;
  }
}

TEST(NoiseOf, KeepsTheOrderOfTheFacts) {
  Environment e;
  Add("turbo", FACT_BAD, "on", e);
  Add("smt", FACT_BAD, "on", e);
  Add("load", FACT_BAD, "9.0 on 2 cores", e);
  ASSERT_EQ(NoiseOf(e).size(), 2);
  EXPECT_EQ(NoiseOf(e)[0].substr(0, 5), "turbo");
  EXPECT_EQ(NoiseOf(e)[1].substr(0, 4), "load");
}

}  // namespace
}  // namespace assay::environment

// -----------------------------------------------------------------------------
// File: fact.h
// -----------------------------------------------------------------------------
//
// How one MachineFact is made: a name, what was read, whether that is good for a measurement, and
// the command that fixes it.
//
// Not for sentences about it: noise.h makes those.
//
//   AddGood("smt", "off", environment);
//   AddBad("smt", "on", "echo off | sudo tee /sys/devices/system/cpu/smt/control", environment);

#ifndef ASSAY_BENCHMARKS_HARNESS_ENVIRONMENT_FACTS_FACT_H_
#define ASSAY_BENCHMARKS_HARNESS_ENVIRONMENT_FACTS_FACT_H_

#include <string>
#include <string_view>

#include "defs/proto/record.pb.h"

namespace assay::environment {

void AddGood(std::string_view name, std::string_view value, Environment& environment);
void AddBad(std::string_view name, std::string_view value, std::string_view advice,
            Environment& environment);

// A fact that could not be read; it never counts as good. `advice` says how to read it.
void AddUnknown(std::string_view name, std::string_view value, std::string_view advice,
                Environment& environment);

// Good if `good`, otherwise bad with `advice`.
void AddJudged(std::string_view name, bool good, std::string_view value, std::string_view advice,
               Environment& environment);

// The advice for a setting that cannot be read: the command `look` or, in a virtual machine, that
// only its host has the setting.
std::string AdviceForUnseen(const std::string& root, std::string_view look);

}  // namespace assay::environment

#endif  // ASSAY_BENCHMARKS_HARNESS_ENVIRONMENT_FACTS_FACT_H_

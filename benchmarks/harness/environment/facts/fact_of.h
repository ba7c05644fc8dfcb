// -----------------------------------------------------------------------------
// File: fact_of.h
// -----------------------------------------------------------------------------
//
// For tests: one fact of an environment in one line.
//
//   EXPECT_EQ(FactOf("smt", environment), "GOOD off");
//   EXPECT_EQ(FactOf("smt", environment), "BAD on -> echo off | sudo tee ...");

#ifndef ASSAY_BENCHMARKS_HARNESS_ENVIRONMENT_FACTS_FACT_OF_H_
#define ASSAY_BENCHMARKS_HARNESS_ENVIRONMENT_FACTS_FACT_OF_H_

#include <string>
#include <string_view>

#include "absl/strings/str_cat.h"
#include "absl/strings/strip.h"
#include "defs/proto/record.pb.h"

namespace assay::environment {

// State, value and, where there is one, advice. Empty where there is no such fact.
inline std::string FactOf(std::string_view name, const Environment& environment) {
  for (const MachineFact& fact : environment.facts()) {
    if (fact.name() != name) continue;
    return absl::StrCat(absl::StripPrefix(FactState_Name(fact.state()), "FACT_"), " ", fact.value(),
                        fact.advice().empty() ? "" : " -> ", fact.advice());
  }
  return "";
}

}  // namespace assay::environment

#endif  // ASSAY_BENCHMARKS_HARNESS_ENVIRONMENT_FACTS_FACT_OF_H_

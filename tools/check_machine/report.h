// -----------------------------------------------------------------------------
// File: report.h
// -----------------------------------------------------------------------------
//
// Facts about a machine as a table for a person, as JSON or as CSV.
//
//   std::cout << Report(environment, output::Format::kText);

#ifndef ASSAY_TOOLS_CHECK_MACHINE_REPORT_H_
#define ASSAY_TOOLS_CHECK_MACHINE_REPORT_H_

#include <string>

#include "benchmarks/harness/output/output.h"
#include "defs/proto/record.pb.h"

namespace assay::check_machine {

// Text: one line for each of environment.facts, and a last one that counts them. JSON: one object
// with "facts" (name, state, value, advice) and the counts "good", "bad", "unknown". CSV (RFC
// 4180): the same four columns under a head line.
std::string Report(const Environment& environment, output::Format format);

int CountOf(FactState state, const Environment& environment);

}  // namespace assay::check_machine

#endif  // ASSAY_TOOLS_CHECK_MACHINE_REPORT_H_

// -----------------------------------------------------------------------------
// File: suite_report.h
// -----------------------------------------------------------------------------
//
// The text that a person reads while a suite runs and when it ends.
//
//   [ 3/16] mlp_fp32_b1          PASS      221.3 us ±0.4 %  1.2 s
//   [ 4/16] gpt2_fp32_b1_gen16   PASS      generate 1.344 s ±0.4 %, 11.9 tokens/s FLAGGED: decode  9.1 s
//
// Not for results that a program reads: those are records.
//
//   out << ResultLine({.number = 3, .of = 16, .name = "mlp_fp32_b1", .name_width = 20}, record);

#ifndef ASSAY_TOOLS_SUITE_LAUNCH_SUITE_REPORT_H_
#define ASSAY_TOOLS_SUITE_LAUNCH_SUITE_REPORT_H_

#include <cstdint>
#include <map>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "defs/proto/record.pb.h"

namespace assay::suite {

// A configuration's place in its plan.
struct Place {
  size_t number = 0;  // counted from 1
  size_t of = 0;
  std::string name = {};
  size_t name_width = 0;
};

// The checks that flag a number of the record.
std::set<std::string> FlaggedBy(const Record& record);

// One line; for a failure, the first line of its error follows.
std::string ResultLine(const Place& place, const Record& record);

struct Failure {
  std::string name;
  Outcome outcome = OUTCOME_UNSPECIFIED;
  std::string error;
  std::string log;  // path; empty: none
};

struct SuiteSummary {
  SuiteRun run;
  std::map<std::string, int64_t> outcomes =
      {};  // of all configurations, including those done before
  std::vector<Failure> failures = {};
  std::vector<Failure> missing = {};          // without a record, though a cluster was to run them
  int64_t flagged = 0;                        // configurations with a number that is FLAGGED
  std::map<std::string, int64_t> flags = {};  // of these, by the check that flagged it
  std::string results = {};                   // path
  std::string stopped = {};                   // why not all were run; empty if they were
};

std::string SummaryText(const SuiteSummary& summary);

}  // namespace assay::suite

#endif  // ASSAY_TOOLS_SUITE_LAUNCH_SUITE_REPORT_H_

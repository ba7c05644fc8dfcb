// -----------------------------------------------------------------------------
// File: report.h
// -----------------------------------------------------------------------------
//
// Reports a comparison to a person (text), a program (JSON), a spreadsheet (CSV) and a shell (exit
// code). JSON and CSV hold each process's median, so that every figure can be computed again from
// them.
//
// Not for deciding anything: decision.h.
//
//   std::cout << assay::compare::TextReport(report);
//   return assay::compare::ExitCodeOf(report);

#ifndef ASSAY_TOOLS_COMPARE_REPORT_REPORT_H_
#define ASSAY_TOOLS_COMPARE_REPORT_REPORT_H_

#include <cstdint>
#include <string>
#include <vector>

#include "tools/compare/decision/campaign.h"

namespace assay::compare {

struct Report {
  std::string baseline;  // as described by compared_cases.h
  std::vector<std::string> candidates;
  bool same_sides = false;     // A/A
  bool recorded_runs = false;  // two files: there are processes, but no pairs
  std::string modes;
  double budget_s = 0;  // 0: not known
  std::string inject;   // empty: nothing
  CampaignOptions options;
  std::string command;  // that was typed
  std::vector<std::string> notes;
  CampaignResult result;
  double elapsed_s = 0;   // all of it
  double building_s = 0;  // of that, until all sides were opened, listed and built
  bool gate = false;
};

std::string TextReport(const Report& report);
std::string JsonReport(const Report& report);  // strict JSON; a number that is not finite is null
std::string CsvReport(const Report& report);   // a line for each pair of each case and mode

// 0 to 4, as settings.cc's usage says. If several apply, the first of 1, 3, 2, 4.
int ExitCodeOf(const Report& report);

}  // namespace assay::compare

#endif  // ASSAY_TOOLS_COMPARE_REPORT_REPORT_H_

// -----------------------------------------------------------------------------
// File: report.h
// -----------------------------------------------------------------------------
//
// The certificate as a table, as JSON, and as CSV.
//
//   std::cout << Report(goals, output::Format::kText);

#ifndef ASSAY_CI_CERTIFY_REPORT_H_
#define ASSAY_CI_CERTIFY_REPORT_H_

#include <string>
#include <vector>

#include "benchmarks/harness/output/output.h"
#include "ci/certify/goal.h"

namespace assay::certify {

// JSON has null for a figure that is not finite or was not taken.
std::string Report(const std::vector<Goal>& goals, output::Format format);

}  // namespace assay::certify

#endif  // ASSAY_CI_CERTIFY_REPORT_H_

// -----------------------------------------------------------------------------
// File: outcome.h
// -----------------------------------------------------------------------------
//
// What an Outcome means to a shell, and what other suites call it.
//
// The exit code says whose fault it was: 0 the product is right, 1 the product is wrong, 2 the
// surroundings are. (3, a wrong command line, is not an outcome: no case was run.) A machine
// without the device asked for exits with 2, never with 0.
//
// Not for deciding an outcome: that is the comparison's and the runner's job.
//
//   return assay::record::ExitCode(record.outcome());
//   assay::record::NameIn(System::kTorchDynamo, FAIL_ACCURACY);   // "fail_accuracy"

#ifndef ASSAY_BENCHMARKS_HARNESS_RECORD_OUTCOME_H_
#define ASSAY_BENCHMARKS_HARNESS_RECORD_OUTCOME_H_

#include <string_view>

#include "absl/status/statusor.h"
#include "absl/types/span.h"
#include "defs/record.pb.h"

namespace assay::record {

// 0, 1 or 2. OUTCOME_UNSPECIFIED, which no finished run has, is 1.
int ExitCode(Outcome outcome);

// The enum's own spelling: "FAIL_ACCURACY".
std::string_view OutcomeName(Outcome outcome);

// The suites whose words for outcomes are known.
enum class System {
  kPyTorchXla,      // pytorch/xla benchmarks/verifier.py since 2024-07: VerificationCode
  kPyTorchXla2024,  // the same before, 2024-01
  kTorchDynamo,     // pytorch/pytorch benchmarks/dynamo: the accuracy column
  kIntelXpu,        // intel-xpu-backend-for-triton: runs TorchDynamo's scripts, so its words
  kOpenXla,         // openxla-benchmark: an entry has metrics or an "error", no more
  kParam,           // facebookresearch/param train/compute: no accuracy check, no words
};

// One word of a system for an outcome.
struct OutcomeWord {
  Outcome outcome;
  std::string_view word;
};

// All words of a system, several for one outcome where it makes a finer distinction; the first of
// them is the one to write. Empty for kParam.
absl::Span<const OutcomeWord> Words(System system);

// The system's word, or its word for any failure to run where it has none for this one; empty where
// it has no words.
std::string_view NameIn(System system, Outcome outcome);

// The outcome that a system's word means. NotFound for a word that the system does not have.
absl::StatusOr<Outcome> FromNameIn(System system, std::string_view word);

}  // namespace assay::record

#endif  // ASSAY_BENCHMARKS_HARNESS_RECORD_OUTCOME_H_

#ifndef ASSAY_BENCHMARKS_HARNESS_RUNNER_CHEATS_SUBJECTS_H_
#define ASSAY_BENCHMARKS_HARNESS_RUNNER_CHEATS_SUBJECTS_H_

// ---------------------------------------------------------------------------------------------
// subjects.h: small cases, one of each kind of program, for tests of what a run believes.
//
// Not for: the cases that people measure.
//
// Example:
//   absl::StatusOr<Subject> subject = WithReference(TrainingSubject(), folder);
//   CaseRun(subject->resolved, {}, Settings{.reference_path = subject->path}, &interrupted);
// ---------------------------------------------------------------------------------------------

#include <string>

#include "absl/status/statusor.h"
#include "defs/proto/suite.pb.h"

namespace assay::runner {

// A model of which two of six rows have a reference; an operator, and one with its backward pass; a
// training step; a generation of tokens.
ResolvedCase ModelSubject();
ResolvedCase OperatorSubject();
ResolvedCase BackwardSubject();
ResolvedCase TrainingSubject();
ResolvedCase GenerationSubject();

struct Subject {
  ResolvedCase resolved;
  std::string path;  // of the reference; empty for an operator's case
};

// Writes the reference into `folder`, out of the program itself. Errors of Export().
absl::StatusOr<Subject> WithReference(ResolvedCase c, const std::string& folder);

}  // namespace assay::runner

#endif  // ASSAY_BENCHMARKS_HARNESS_RUNNER_CHEATS_SUBJECTS_H_

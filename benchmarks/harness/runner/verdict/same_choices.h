#ifndef ASSAY_BENCHMARKS_HARNESS_RUNNER_VERDICT_SAME_CHOICES_H_
#define ASSAY_BENCHMARKS_HARNESS_RUNNER_VERDICT_SAME_CHOICES_H_

// ---------------------------------------------------------------------------------------------
// same_choices.h: the reference of a model that chooses by its own numbers, such as the experts of a token
// (models/choices.h). If two scores are nearly equal, then rounding decides, and the token goes through another expert
// than in float64. Its outputs are then far from the reference, although each number was computed right.
//
// Therefore a comparison that fails is made once more, with float64 outputs of the same choices. Three things must hold before:
//
//   1. In float64, with choices of its own, the program gives the reference: so its code is that of the reference.
//   2. The scores from which the program has chosen are within the case's limits of those of float64 on the same way. So it
//      takes another expert than float64 only if their scores lie as near as the case's rounding.
//   3. The program takes the best of these scores: models::Chosen() does that.
//
// Limits are those of the case in each comparison; none is wider than without choices. The check `choices` says how many
// differ, and how near their scores are.
//
// It costs one call of the program, two in float64 on the CPU, and memory for a copy of the state in float64.
//
// Not for: lowered models, training, rules other than RELATIVE_TO_STD; these keep the reference that they have.
//
// Example:
//   if (std::optional<Check> check = TakeSameChoices(c, c.verified(), program, known)) ...
//   if (check->status() == CHECK_OK) verdict = Compare(known.reference, ...);
// ---------------------------------------------------------------------------------------------

#include <optional>

#include "benchmarks/harness/programs/program.h"
#include "benchmarks/harness/runner/verdict/truth.h"
#include "defs/proto/record.pb.h"
#include "defs/proto/suite.pb.h"

namespace assay::runner {

// Gives `known` the outputs of float64 that follow the choices of `program` on its inputs, if what stands above holds. The
// check is OK then, else FLAGGED, or NOT_RUN with the error; `known` stays as it is. Nothing for a program that makes no
// choice, and for one that this is not for. An executable of the program sets its inputs anew.
std::optional<Check> TakeSameChoices(const ResolvedCase& c, const Workload& workload,
                                     execution::Program& program, KnownCall& known);

}  // namespace assay::runner

#endif  // ASSAY_BENCHMARKS_HARNESS_RUNNER_VERDICT_SAME_CHOICES_H_

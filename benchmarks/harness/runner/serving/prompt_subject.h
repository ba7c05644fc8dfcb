#ifndef ASSAY_BENCHMARKS_HARNESS_RUNNER_SERVING_PROMPT_SUBJECT_H_
#define ASSAY_BENCHMARKS_HARNESS_RUNNER_SERVING_PROMPT_SUBJECT_H_

// ---------------------------------------------------------------------------------------------
// prompt_subject.h: a decoder under load: requests are prompts, answered by continuous batching
// (decoder_server.h), and the times of their tokens.
//
// Example:
//   absl::StatusOr<std::unique_ptr<ServedSubject>> subject = MakePromptSubject(given, slots, threads);
// ---------------------------------------------------------------------------------------------

#include <cstdint>
#include <memory>

#include "absl/status/statusor.h"
#include "benchmarks/harness/runner/serving/served_case.h"
#include "benchmarks/harness/runner/serving/served_subject.h"

namespace assay::runner {

// Generates after each prompt alone. InvalidArgument for a case that cannot be served: another back
// end than eager, autocast, several workers. `given` outlives the result.
absl::StatusOr<std::unique_ptr<ServedSubject>> MakePromptSubject(const ServedCase& given,
                                                                 int64_t slots, int threads);

}  // namespace assay::runner

#endif  // ASSAY_BENCHMARKS_HARNESS_RUNNER_SERVING_PROMPT_SUBJECT_H_

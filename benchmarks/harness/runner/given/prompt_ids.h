#ifndef ASSAY_BENCHMARKS_HARNESS_RUNNER_GIVEN_PROMPT_IDS_H_
#define ASSAY_BENCHMARKS_HARNESS_RUNNER_GIVEN_PROMPT_IDS_H_

// ---------------------------------------------------------------------------------------------
// prompt_ids.h: reads the prompts of a generation case from a text file, as a tokenizer prints them:
//
//   a line is a row: token ids with blanks, commas or brackets between them
//   one line stands for all rows; otherwise there are as many as the verified call has
//   a row is as long as the case's prompt, or shorter where the model takes an attention_mask: it is
//   then padded at its beginning with token 0
//
// The continuation, which only a comparison with a reference reads, is all 0.
//
// Not for: whether ids are in the vocabulary (given_files.h); encoder-decoders (--inputs).
//
// Example:
//   absl::StatusOr<std::vector<at::Tensor>> inputs = ParsePrompts(text, c);
// ---------------------------------------------------------------------------------------------

#include <ATen/core/Tensor.h>

#include <string_view>
#include <vector>

#include "absl/status/statusor.h"
#include "defs/proto/suite.pb.h"

namespace assay::runner {

// The inputs of the verified call, in their order. InvalidArgument that names the line.
absl::StatusOr<std::vector<at::Tensor>> ParsePrompts(std::string_view text, const ResolvedCase& c);

}  // namespace assay::runner

#endif  // ASSAY_BENCHMARKS_HARNESS_RUNNER_GIVEN_PROMPT_IDS_H_

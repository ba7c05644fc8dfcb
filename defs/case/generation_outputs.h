#ifndef ASSAY_DEFS_CASE_GENERATION_OUTPUTS_H_
#define ASSAY_DEFS_CASE_GENERATION_OUTPUTS_H_

// ---------------------------------------------------------------------------------------------
// generation_outputs.h: the outputs by which a generation case is verified: the logits of its n new
// tokens. The prompt and the first n - 1 tokens of a given continuation, of which each is fed in its
// turn, are one sequence, so the reference is one forward pass over it, without any cache:
//
//   first.logits    of the first new token, [batch, vocabulary]: what prefill returns
//   middle.logits   of those between, [batch, n - 2, vocabulary]
//   last.logits     of the last one, [batch, vocabulary]: what decode returns
//
// "logits" is the name of the implementation's first output.
//
// Not for: computing them (benchmarks/harness/programs/generation_program.h,
// tools/artifacts/generate/compute.py).
//
// Example:
//   std::vector<ExpectedOutput> outputs = GenerationOutputs(of_forward[0], 16);
// ---------------------------------------------------------------------------------------------

#include <cstdint>
#include <vector>

#include "defs/proto/suite.pb.h"

namespace assay {

// The parameter that a continuation's dimensions may use.
inline constexpr char kNewTokens[] = "new_tokens";
inline constexpr int64_t kFewestNewTokens = 3, kMostNewTokens = 1 << 20;

// `of_forward`: [batch, tokens, vocabulary].
std::vector<ExpectedOutput> GenerationOutputs(const ExpectedOutput& of_forward, int64_t new_tokens);

}  // namespace assay

#endif  // ASSAY_DEFS_CASE_GENERATION_OUTPUTS_H_

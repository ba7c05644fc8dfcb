#ifndef ASSAY_BENCHMARKS_HARNESS_PROGRAMS_GENERATION_PROGRAM_H_
#define ASSAY_BENCHMARKS_HARNESS_PROGRAMS_GENERATION_PROGRAM_H_

// ---------------------------------------------------------------------------------------------
// generation_program.h: the generation of tokens by a model with a cache as a program.
//
//   prefill    the prompt into an empty cache, and the logits of the first new token
//   decode     the logits of the last new token, with all those before it in the cache
//   generate   prefill, then one call for each further token, each the likeliest
//
// Inputs are the model's, one of which is the prompt, int64 (N, S), and a continuation, int64
// (N, n - 1), of n new tokens. What
// is verified is fed the continuation in place of its own tokens (teacher forcing), so that the
// logits of each new token are those of one forward pass over the whole sequence, which is their
// reference: a wrong position or a lost key shows. defs/case/generation_outputs.h has their names.
//
// The cache is made by Begin() and kept. `decode` writes the same place of it in each call, so all
// steps leave the state alone.
//
// Mistakes: those of ModelProgram; "stale_position", which the last token of a decode is given;
// "lost_key", the last token of the prompt, which is missing from the cache.
//
// Not for: sampling, beams, stopping at an end token.
//
// Example:
//   auto program = GenerationProgram::Make(std::move(model), implementation, workload, c.generation());
// ---------------------------------------------------------------------------------------------

#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "absl/status/statusor.h"
#include "benchmarks/harness/programs/model_program.h"
#include "benchmarks/harness/programs/program.h"
#include "defs/case/lowerings.h"
#include "defs/proto/suite.pb.h"
#include "models/generator.h"
#include "models/model.h"

namespace assay::execution {

// Which input is the prompt, behind which its tokens come.
size_t PlaceOfPrompt(const ModelImplementation& implementation, const Workload& workload);

class GenerationProgram final : public Program {
 public:
  // Unimplemented for a model whose code does not generate.
  static absl::StatusOr<std::unique_ptr<Program>> Make(std::unique_ptr<models::Model> model,
                                                       const ModelImplementation& implementation,
                                                       const Workload& workload,
                                                       const Generation& generation);

  StateContract Contract() const override { return StateContract::kPure; }
  std::vector<models::NamedTensor> State() override { return model_.State(); }
  void To(at::Device device, at::ScalarType dtype) override;
  absl::Status Lower(const Lowering& lowering) override { return model_.Lower(lowering); }
  Tensors Outputs(TensorsRef inputs) override;
  void Begin(Step step, TensorsRef inputs) override;
  Tensors Call(Step step, TensorsRef inputs) override;
  // Decode reads what Begin() puts into the cache; generate is verified by the continuation's tokens.
  bool VerifiesAsTimed(Step step) const override;
  void BeginVerified(Step step, TensorsRef inputs) override;
  std::vector<VerifiedOutput> Verified(Step step, Tensors returned) override;
  Tensors Kept() const override { return cache_; }
  std::vector<std::string> Mistakes() const override;
  void MakeMistake(std::string_view mistake) override;

  // For callers with caches of their own.
  models::Generator& generator() { return generator_; }

 private:
  GenerationProgram(std::unique_ptr<models::Model> model, models::Generator& generator,
                    size_t prompt, int64_t new_tokens)
      : model_(std::move(model)), generator_(generator), prompt_(prompt), new_tokens_(new_tokens) {}

  void MakeCache(TensorsRef inputs);
  int64_t PromptTokens(TensorsRef inputs) const { return inputs[prompt_].size(1); }
  at::Tensor Prefill(TensorsRef inputs);
  // The logits of new token `number`, from 1 on, after `token`.
  at::Tensor Decode(const at::Tensor& token, int64_t prompt, int64_t number);
  // The logits of new tokens 0 to `count` - 1, each after that of the continuation.
  Tensors Forced(TensorsRef inputs, int64_t count);
  Tensors Likeliest(TensorsRef inputs);

  ModelProgram model_;
  models::Generator& generator_;
  const size_t prompt_;  // its place among the inputs
  const int64_t new_tokens_;
  std::vector<at::Tensor> cache_;
  std::vector<std::vector<int64_t>> shapes_;  // of the inputs that the cache was made for
  bool forced_ = false;                       // whether `generate` takes the continuation's tokens
  std::string mistake_;                       // empty: none of this program's own
};

}  // namespace assay::execution

#endif  // ASSAY_BENCHMARKS_HARNESS_PROGRAMS_GENERATION_PROGRAM_H_

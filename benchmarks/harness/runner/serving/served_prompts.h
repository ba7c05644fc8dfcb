#ifndef ASSAY_BENCHMARKS_HARNESS_RUNNER_SERVING_SERVED_PROMPTS_H_
#define ASSAY_BENCHMARKS_HARNESS_RUNNER_SERVING_SERVED_PROMPTS_H_

// ---------------------------------------------------------------------------------------------
// served_prompts.h: the prompts that a decoder under load is sent, and the tokens that follow each when
// it is alone.
//
// Lengths differ, so that rows stand at different positions: a prompt has a quarter to all of the
// case's tokens, and a reply a quarter to all of its new tokens, both drawn by the seed. Where a prompt
// has other inputs beside it (those of an encoder, an image, padding), all of it is sent. Each next
// token is the likeliest. Where two are nearer than the case's limits, rounding may choose, and the
// replies go apart from there: a tie. A reply that differs is fed to the model alone, and each of its tokens
// must be within twice the limit of the likeliest at its place.
//
// Example:
//   absl::StatusOr<ServedPrompts> prompts = ServedPrompts::Make(given, generator, 32);
//   OutputDifference off = prompts->Compare(17, tokens, scores, generator);
// ---------------------------------------------------------------------------------------------

#include <ATen/core/Tensor.h>

#include <cstddef>
#include <cstdint>
#include <vector>

#include "absl/status/statusor.h"
#include "absl/time/time.h"
#include "benchmarks/harness/runner/serving/served_case.h"
#include "benchmarks/harness/runner/verdict/output_difference.h"
#include "models/generator.h"

namespace assay::runner {

struct ServedPrompt {
  std::vector<at::Tensor> inputs;  // of the model, one row of each
  at::Tensor tokens;               // of these the prompt, int64 (1, S)
  std::vector<int64_t> alone;      // the new tokens
  std::vector<double> scores;      // of these
};

// The score of the likeliest token of each row of logits (N, words), float64 (N) on the CPU: how many
// standard deviations it is above their mean. A wrong cache moves it where the token stays the same.
at::Tensor TopScores(const at::Tensor& logits);

class ServedPrompts {
 public:
  // Generates after each prompt. The lengths that the settings' arrivals have, of each prompt, are taken, and
  // others drawn. InvalidArgument for a length that the case does not have, and for prompts or slots
  // that memory does not hold.
  static absl::StatusOr<ServedPrompts> Make(const ServedCase& given, models::Generator& model,
                                            int64_t count);

  int64_t count() const { return static_cast<int64_t>(prompts_.size()); }
  const ServedPrompt& at(int64_t sample) const { return prompts_.at(static_cast<size_t>(sample)); }
  // A cache for so many of them at once. Lets c10::Error through.
  std::vector<at::Tensor> NewCache(models::Generator& model, int64_t rows) const;
  absl::Duration time_alone() const { return time_alone_; }

  // Bit-equal: the same tokens. Within limits: those that are not are ties.
  OutputDifference Compare(int64_t sample, const std::vector<int64_t>& tokens,
                           const std::vector<double>& scores, models::Generator& model) const;

 private:
  ServedPrompts() = default;

  std::vector<ServedPrompt> prompts_;
  std::vector<at::Tensor> widest_;  // inputs of a prompt that is not cut
  int64_t capacity_ = 0;            // tokens that a cache needs for each row
  double tie_ = 0;                  // in standard deviations of the logits
  absl::Duration time_alone_;
};

}  // namespace assay::runner

#endif  // ASSAY_BENCHMARKS_HARNESS_RUNNER_SERVING_SERVED_PROMPTS_H_

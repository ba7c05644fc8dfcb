#include "defs/case/generation_outputs.h"

#include <string>

namespace assay {
namespace {

// `shape`: beside the batch.
ExpectedOutput Named(const char* which, const ExpectedOutput& of_forward,
                     const std::vector<int64_t>& shape) {
  ExpectedOutput output = of_forward;
  output.set_name(which + of_forward.name());
  output.mutable_shape()->Truncate(1);
  output.mutable_shape()->Add(shape.begin(), shape.end());
  return output;
}

}  // namespace

std::vector<ExpectedOutput> GenerationOutputs(const ExpectedOutput& of_forward,
                                              int64_t new_tokens) {
  const int64_t vocabulary = of_forward.shape(2);
  return {Named("first.", of_forward, {vocabulary}),
          Named("middle.", of_forward, {new_tokens - 2, vocabulary}),
          Named("last.", of_forward, {vocabulary})};
}

}  // namespace assay

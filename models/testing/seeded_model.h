#ifndef ASSAY_MODELS_TESTING_SEEDED_MODEL_H_
#define ASSAY_MODELS_TESTING_SEEDED_MODEL_H_

// ---------------------------------------------------------------------------------------------
// models/testing/seeded_model.h: small models and inputs for a family's own test, filled with the
// same numbers in every run. They are LibTorch's, not those of the suite's cases: models/ knows
// nothing of benchmarks/.
//
// A family's test checks what its tables cannot: padding, dropout, gradients, refusals.
//
// Not for: checking outputs (the accuracy tests of the family's cases) or the state (its
// :model_golden_test); those compare with the Python implementation.
//
// Example:
//
//     std::unique_ptr<Model> model = CreateOrDie("mlp", parameters);
//     FillInFloat64(*model);
//     at::Tensor probabilities = model->Forward({SeededFloats({2, 32})})[0];
// ---------------------------------------------------------------------------------------------

#include <ATen/core/Tensor.h>

#include <cstdint>
#include <memory>
#include <string_view>
#include <vector>

#include "models/model.h"
#include "models/parameters.h"

namespace assay::models {

// Creates a model; aborts if that fails.
std::unique_ptr<Model> CreateOrDie(std::string_view implementation, const Parameters& parameters);

// Fills all floating-point tensors of the model, which is in float32.
void FillInFloat32(Model& model);

// The same, then moves it to float64.
void FillInFloat64(Model& model);

// Whether the model's first output in float16 is finite, and not the same, where a feature behind the
// first of the encoder's layers, whose names begin with `layers`, is infinite on either side: 120,000.
// The second layer adds 500, which is infinite again where the first one's limit was nearer than
// that to 65,504.
bool IsFiniteBeyondFloat16(std::string_view implementation, const Parameters& parameters,
                           std::string_view layers, const std::vector<at::Tensor>& inputs);

// The tensor called `name`; aborts if there is none.
at::Tensor Find(Model& model, std::string_view name);

// An input in float64 with mean 0 and standard deviation 1.
at::Tensor SeededFloats(at::IntArrayRef shape);

// An input of integers from 0 to `limit` - 1.
at::Tensor SeededIntegers(at::IntArrayRef shape, int64_t limit);

// The largest derivative of another word's scores by the embedding of `word`, of which all of the four
// tokens of a row are. `words` names the table, which may be the scores' weight too; `others` are the
// inputs behind the tokens.
double LargestWordGradient(Model& model, std::string_view words, int64_t word,
                           const std::vector<at::Tensor>& others = {});

}  // namespace assay::models

#endif  // ASSAY_MODELS_TESTING_SEEDED_MODEL_H_

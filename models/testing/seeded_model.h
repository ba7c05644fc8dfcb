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

#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <set>
#include <string>
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

// A model that float16 overflows in: `set` makes a feature's sum behind the first layer `sum`, and lets
// the second layer take `taken` off.
struct Overflow {
  std::string_view implementation;
  Parameters parameters;
  std::vector<at::Tensor> inputs;
  std::function<void(Model& model, double sum, double taken)> set;
};

// Sets the first feature's sum behind the first of two encoder layers whose blocks are fairseq's.
void SetFairseqSum(Model& model, double sum, double taken);

// Whether the model in float16, with `sum`, computes what it does in float32 with `becomes`, likewise
// below zero. 150 less and more than that are taken off, so what is left has another sign where
// `becomes` is 150 off.
bool BecomesInFloat16(const Overflow& overflow, double sum, double becomes);

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

// The names of the operators that a forward pass calls: "aten::addmm".
std::set<std::string> OperatorsOf(Model& model, const std::vector<at::Tensor>& inputs);

// Whether rows of a Generator (models/generator.h) that began at different times give what each gives in one
// forward pass. `inputs` of Forward() have two rows; number `continued` has the tokens, eight of each row, and an input
// of the same shape says which of them there are. Fills the rows of one cache behind one another with prompts
// of three and five tokens, and then runs three steps of both. Empty: all logits are right.
std::string RowsApart(Model& model, const std::vector<at::Tensor>& inputs, size_t continued = 0);

}  // namespace assay::models

#endif  // ASSAY_MODELS_TESTING_SEEDED_MODEL_H_

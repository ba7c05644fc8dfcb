#ifndef ASSAY_MODELS_TESTING_GOLDEN_H_
#define ASSAY_MODELS_TESTING_GOLDEN_H_

// ---------------------------------------------------------------------------------------------
// models/testing/golden.h: compares a model with what another implementation says of it.
//
// Two kinds of golden files lie in a family's testdata/, both with their source in the first line:
// state_<model>.txt lists the other implementation's state_dict, a line "name dtype shape" for
// each tensor in order; forward_<model>.txt lists its outputs in float64, a number a line, for
// weights and inputs filled by the functions below. These use a small hash and not the suite's own
// generator, so that the models' tests need nothing of the harness and can be repeated in a few
// lines of NumPy:
//
//     w = (i + 1) * 2654435761 + fnv1a32(name)   for element i, all modulo 2^32
//     w ^= w >> 15;  w *= 2246822519;  w ^= w >> 13;  w *= 3266489917;  w ^= w >> 16
//     u = ((w >> 8) - 2^23) / 2^23               value = float32(multiplier * (offset + slope * u))
//     token = (w * limit) >> 32
//
// Not for: the accuracy tests of benchmark cases (benchmarks/harness/numerics does those).
//
// Example:
//
//     EXPECT_EQ(StateLines(*model), ReadGolden("models/mlp/testdata/state_mlp.txt"));
// ---------------------------------------------------------------------------------------------

#include <ATen/core/Tensor.h>

#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "models/model.h"
#include "models/parameters.h"

namespace assay::models {

// Creates a model; aborts if that fails.
std::unique_ptr<Model> CreateOrDie(std::string_view implementation, const Parameters& parameters);

// The lines of a golden file but its first. Path relative to the workspace's root.
std::vector<std::string> ReadGolden(const std::string& path);
std::vector<double> ReadNumbers(const std::string& path);

// "name dtype shape" for each tensor, e.g. "conv1.weight float32 64x3x7x7".
std::vector<std::string> StateLines(Model& model);

// Elements of trainable tensors.
int64_t ParameterCount(Model& model);

// Fills all floating-point tensors of the model, then moves it to float64.
void FillInFloat64(Model& model);

// The tensor called `name`; aborts if there is none.
at::Tensor Find(Model& model, std::string_view name);

// Inputs as the golden files' makers had them: float64 with standard deviation 1; token ids below
// `limit`; padding masks whose row r has ones up to length - ((r + 1) mod 4) * (length / 8);
// segments of zeros, then ones from the middle on.
at::Tensor SeededImage(at::IntArrayRef shape);
at::Tensor SeededTokens(int64_t rows, int64_t length, int64_t limit);
at::Tensor PrefixMask(int64_t rows, int64_t length);
at::Tensor Segments(int64_t rows, int64_t length);

// The largest |got - want| over the concatenated, flattened tensors, in units of the standard
// deviation of `want`. Infinite if the counts differ.
double WorstError(const std::vector<at::Tensor>& got, const std::vector<double>& want);

}  // namespace assay::models

#endif  // ASSAY_MODELS_TESTING_GOLDEN_H_

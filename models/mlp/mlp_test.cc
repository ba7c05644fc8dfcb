#include <ATen/TensorOperators.h>
#include <ATen/core/Tensor.h>
#include <c10/core/InferenceMode.h>

#include <memory>

#include "gtest/gtest.h"
#include "models/model.h"
#include "models/parameters.h"
#include "models/testing/seeded_model.h"

namespace assay::models {
namespace {

std::unique_ptr<Model> Mlp() {
  Parameters parameters;
  parameters.Set("in_features", 32);
  parameters.Set("hidden_features", 64);
  parameters.Set("out_features", 16);
  std::unique_ptr<Model> model = CreateOrDie("mlp", parameters);
  FillInFloat64(*model);
  return model;
}

TEST(MlpTest, RowsAreProbabilities) {
  const c10::InferenceMode guard;
  const at::Tensor probabilities = Mlp()->Forward({SeededFloats({3, 32})})[0];
  EXPECT_GT(probabilities.min().item<double>(), 0);
  EXPECT_LT((probabilities.sum(1) - 1).abs().max().item<double>(), 1e-12);
}

TEST(MlpTest, LeavesItsInputAsItWas) {
  const at::Tensor x = SeededFloats({2, 32});
  Mlp()->Forward({x});
  EXPECT_TRUE(x.equal(SeededFloats({2, 32})));
}

}  // namespace
}  // namespace assay::models

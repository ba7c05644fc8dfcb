#include <ATen/core/Tensor.h>
#include <c10/core/InferenceMode.h>

#include <memory>
#include <vector>

#include "gtest/gtest.h"
#include "models/model.h"
#include "models/parameters.h"
#include "models/testing/golden.h"

namespace assay::models {
namespace {

std::unique_ptr<Model> Mlp() {
  Parameters parameters;
  parameters.Set("in_features", 32);
  parameters.Set("hidden_features", 512);
  parameters.Set("out_features", 32);
  return CreateOrDie("mlp", parameters);
}

TEST(MlpTest, StateEqualsTorchsSequential) {
  EXPECT_EQ(StateLines(*Mlp()), ReadGolden("models/mlp/testdata/state_mlp.txt"));
}

TEST(MlpTest, OutputsEqualTorchsSequential) {
  const std::unique_ptr<Model> model = Mlp();
  FillInFloat64(*model);
  const c10::InferenceMode guard;
  EXPECT_LT(WorstError(model->Forward({SeededImage({2, 32})}),
                       ReadNumbers("models/mlp/testdata/forward_mlp.txt")),
            1e-12);
}

TEST(MlpTest, LeavesItsInputAsItWas) {
  const std::unique_ptr<Model> model = Mlp();
  FillInFloat64(*model);
  const at::Tensor x = SeededImage({2, 32});
  model->Forward({x});
  EXPECT_TRUE(x.equal(SeededImage({2, 32})));
}

}  // namespace
}  // namespace assay::models

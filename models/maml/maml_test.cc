#include <ATen/core/Tensor.h>
#include <c10/core/GradMode.h>
#include <c10/core/InferenceMode.h>

#include <cstdint>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "models/model.h"
#include "models/parameters.h"
#include "models/testing/seeded_model.h"

namespace assay::models {
namespace {

Parameters Small(bool at_once = false) {
  Parameters parameters;
  for (const auto &[name, value] : {std::pair("channels", 4), {"ways", 3}, {"steps", 2}})
    parameters.Set(name, int64_t{value});
  parameters.Set("tasks_at_once", at_once);
  return parameters;
}

std::vector<at::Tensor> Tasks(int64_t tasks) {
  return {SeededFloats({tasks, 6, 1, 28, 28}), SeededIntegers({tasks, 6}, 3),
          SeededFloats({tasks, 4, 1, 28, 28})};
}

std::string Refusal(Model &model, const std::vector<at::Tensor> &inputs) {
  try {
    model.Forward(inputs);
  } catch (const c10::ValueError &error) {
    return error.what_without_backtrace();
  }
  return "(not refused)";
}

// A task's result does not depend on the others, whether they are called
// together or not.
TEST(MamlTest, EachTaskIsAloneAndAdaptsWhereAutogradIsSwitchedOff) {
  for (const bool at_once : {false, true}) {
    const std::unique_ptr<Model> model = CreateOrDie("maml_omniglot", Small(at_once));
    FillInFloat64(*model);
    const at::Tensor weight = Find(*model, "0.weight").requires_grad_(true);
    const at::Tensor before = weight.clone();
    at::Tensor logits;
    std::vector<at::Tensor> last;
    {
      const c10::InferenceMode inference;
      const std::vector<at::Tensor> tasks = Tasks(3);
      logits = model->Forward(tasks)[0];
      for (const at::Tensor &input : tasks) last.push_back(input.narrow(0, 2, 1));
    }
    EXPECT_FALSE(logits.requires_grad());
    const c10::NoGradGuard no_grad;
    EXPECT_TRUE(model->Forward(last)[0].allclose(logits.narrow(0, 2, 1), 1e-10, 1e-12));
    EXPECT_TRUE(weight.equal(before));
  }
}

TEST(MamlTest, RefusesImagesAndLabelsThatDoNotFit) {
  const std::unique_ptr<Model> model = CreateOrDie("maml", Small());
  FillInFloat64(*model);
  std::vector<at::Tensor> tasks = Tasks(2);
  tasks[1] = SeededIntegers({2, 5}, 3);
  EXPECT_EQ(Refusal(*model, tasks),
            "maml: the labels are [2, 5] and the queries [2, 4, 1, 28, 28]; "
            "want one of each of the "
            "images [2, 6, 1, 28, 28] and as many tasks");
  tasks = Tasks(2);
  tasks[2] = SeededFloats({3, 4, 1, 28, 28});
  EXPECT_THAT(Refusal(*model, tasks), testing::HasSubstr("as many tasks"));
  for (const int wrong : {0, 2}) {
    for (const std::vector<int64_t> &shape :
         {std::vector<int64_t>{2, 1, 1, 28, 28}, {2, 6, 1, 28, 32}, {6, 1, 28, 28}}) {
      tasks = Tasks(2);
      tasks[wrong] = SeededFloats(shape);
      EXPECT_THAT(Refusal(*model, tasks), testing::HasSubstr("with two images or more"));
    }
  }
}

}  // namespace
}  // namespace assay::models

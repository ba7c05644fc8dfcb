#include <ATen/core/Tensor.h>

#include <cstddef>
#include <memory>
#include <vector>

#include "gtest/gtest.h"
#include "models/model.h"
#include "models/parameters.h"
#include "models/testing/seeded_model.h"

namespace assay::models {
namespace {

at::Tensor Floats(at::IntArrayRef shape) { return SeededFloats(shape).to(at::kFloat); }

TEST(BackgroundMattingTest, WantsFourImagesOfOneSize) {
  Parameters parameters;
  parameters.Set("channels", 4);
  parameters.Set("blocks", 1);
  parameters.Set("branch_blocks", 1);
  const std::unique_ptr<Model> model = CreateOrDie("background_matting", parameters);
  FillInFloat32(*model);
  std::vector<at::Tensor> inputs = {Floats({2, 3, 8, 12}), Floats({2, 3, 8, 12}),
                                    Floats({2, 1, 8, 12}), Floats({2, 4, 8, 12})};
  const std::vector<at::Tensor> outputs = model->Forward(inputs);
  EXPECT_EQ(outputs[0].sizes(), at::IntArrayRef({2, 1, 8, 12}));
  EXPECT_EQ(outputs[1].sizes(), at::IntArrayRef({2, 3, 8, 12}));
  const char* const messages[] = {
      "background_matting: the background is [2, 2, 8, 12]; want [2, 3, 8, 12]",
      "background_matting: the segmentation is [2, 2, 8, 12]; want [2, 1, 8, 12]",
      "background_matting: the frames is [2, 2, 8, 12]; want [2, 4, 8, 12]"};
  for (size_t i = 1; i < inputs.size(); ++i) {
    std::vector<at::Tensor> others = inputs;
    others[i] = Floats({2, 2, 8, 12});
    try {
      model->Forward(others);
      ADD_FAILURE() << "not refused";
    } catch (const c10::ValueError& error) {
      EXPECT_STREQ(error.what_without_backtrace(), messages[i - 1]);
    }
  }
}

}  // namespace
}  // namespace assay::models

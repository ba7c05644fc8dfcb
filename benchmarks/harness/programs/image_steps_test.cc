#include "benchmarks/harness/programs/image_steps.h"

#include <ATen/TensorOperators.h>
#include <ATen/ops/allclose.h>
#include <ATen/ops/arange.h>
#include <ATen/ops/floor_divide.h>
#include <ATen/ops/remainder.h>
#include <ATen/ops/tensor.h>
#include <ATen/ops/zeros.h>

#include <fstream>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "google/protobuf/util/json_util.h"
#include "gtest/gtest.h"

namespace assay::execution {
namespace {

const nlohmann::json& ImageGoldens() {
  static const auto* const goldens = new nlohmann::json(nlohmann::json::parse(
      std::ifstream("benchmarks/harness/programs/testdata/image_goldens.json")));
  return *goldens;
}

at::Tensor Floats(const nlohmann::json& numbers) {
  return at::tensor(numbers.get<std::vector<float>>());
}

// The same as photograph() of ci/goldens/image_goldens.py.
at::Tensor Photograph(int64_t height, int64_t width) {
  const at::Tensor c = at::arange(3).view({1, 3, 1, 1});
  const at::Tensor y = at::floor_divide(at::arange(height), 2).view({1, 1, height, 1});
  const at::Tensor x = at::floor_divide(at::arange(width), 3).view({1, 1, 1, width});
  return at::remainder((x * 97 + y * 61 + c * 29) * 53, 256).to(at::kByte);
}

ImagePreset PresetOf(const nlohmann::json& fields) {
  ImagePreset preset;
  EXPECT_TRUE(google::protobuf::util::JsonStringToMessage(fields.dump(), &preset).ok());
  return preset;
}

TEST(Preprocess, IsTorchvisions) {
  ASSERT_EQ(ImageGoldens()["images"].size(), 4);
  for (const auto& [name, golden] : ImageGoldens()["images"].items()) {
    const ImagePreset preset = PresetOf(golden["preset"]);
    const at::Tensor image = Preprocess(Photograph(golden["height"], golden["width"]), preset,
                                        preset.crop(), at::kFloat);
    EXPECT_TRUE(at::allclose(image.flatten(), Floats(golden["image"]), 1e-6, 1e-6)) << name;
  }
}

TEST(Preprocess, ScalesItsPresetToOtherSides) {
  const ImagePreset preset = PresetOf(ImageGoldens()["images"]["landscape"]["preset"]);
  ImagePreset larger = preset;
  larger.set_resize(2 * preset.resize());
  larger.set_crop(2 * preset.crop());
  const at::Tensor photograph = Photograph(40, 30);
  const at::Tensor image = Preprocess(photograph, preset, 2 * preset.crop(), at::kBFloat16);
  EXPECT_EQ(image.sizes(), at::IntArrayRef({1, 3, 16, 16}));
  EXPECT_TRUE(image.equal(Preprocess(photograph, larger, larger.crop(), at::kBFloat16)));
}

TEST(Photographs, ShowTheImagesThatTheyAreMadeFrom) {
  const ImagePreset preset = PresetOf(ImageGoldens()["images"]["landscape"]["preset"]);
  at::Tensor images = at::zeros({2, 3, 8, 8}, at::kHalf);
  images[1] += 0.5;
  const at::Tensor photographs = PhotographsOf(images, preset);
  EXPECT_EQ(photographs.sizes(), at::IntArrayRef({2, 3, kPhotographHeight, kPhotographWidth}));
  // An image of one colour stays the same up to the rounding to bytes: 1/255 / 0.2.
  EXPECT_TRUE(at::allclose(Preprocess(photographs, preset, 8, at::kHalf), images, 0, 0.01));
}

TEST(Postprocess, NamesTheLikeliestClasses) {
  const auto rows = ImageGoldens()["logits"].get<std::vector<std::vector<float>>>();
  at::Tensor logits = at::zeros({2, static_cast<int64_t>(rows[0].size())});
  for (int row = 0; row < 2; ++row) logits[row].copy_(at::tensor(rows[row]));
  for (const at::ScalarType dtype : {at::kFloat, at::kBFloat16}) {  // which holds them exactly
    const TopClasses top = Postprocess(logits.to(dtype));
    EXPECT_EQ(top.probabilities.scalar_type(), at::kFloat);
    EXPECT_TRUE(at::allclose(top.probabilities.flatten(), Floats(ImageGoldens()["probabilities"])));
    EXPECT_TRUE(top.classes.flatten().equal(
        at::tensor(ImageGoldens()["classes"].get<std::vector<int64_t>>())));
  }
}

TEST(Postprocess, TakesFewerClassesThanFive) {
  EXPECT_EQ(Postprocess(at::zeros({1, 3})).classes.sizes(), at::IntArrayRef({1, 3}));
}

}  // namespace
}  // namespace assay::execution

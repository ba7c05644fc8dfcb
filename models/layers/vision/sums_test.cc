// Tests a whole network on integers: all layers that the lowering int8_static takes.
#include "models/layers/vision/sums.h"

#include <ATen/Context.h>
#include <ATen/core/Tensor.h>
#include <ATen/ops/max_pool2d.h>
#include <c10/core/QEngine.h>

#include <string>
#include <vector>

#include "absl/status/status.h"
#include "defs/case/lowerings.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "models/layers/core/activation.h"
#include "models/layers/core/layered_model.h"
#include "models/layers/core/linear.h"
#include "models/layers/vision/conv_norm_activation.h"
#include "models/testing/seeded_model.h"

namespace assay::models {
namespace {

class SmallNetwork : public LayeredModel {
 public:
  std::vector<at::Tensor> Forward(at::ArrayRef<at::Tensor> inputs) override {
    at::Tensor x = stem_.Forward(inputs[0]);
    x = at::max_pool2d(x, {2, 2}, {2, 2}, {0, 0}, {1, 1});
    x = sum_.Forward(branch_.Forward(x), x);
    return {head_.Forward(mean_.Forward(x))};
  }

 private:
  bool TakesIntegers() const override { return true; }

  ConvNormActivation stem_{*this,
                           NamesInSequence("stem"),
                           {.in = 3, .out = 8, .kernel = 3, .activation = Activation::kRelu6}};
  ConvNormActivation branch_{
      *this, {"conv", "bn"}, {.in = 8, .out = 8, .kernel = 3, .activation = Activation::kNone}};
  BranchSum sum_{*this, Activation::kRelu};
  PixelMean mean_{*this};
  Linear head_{*this, "head", {.in = 8, .out = 5}};
};

class FloatsBetween final : public SmallNetwork {
  bool TakesIntegers() const override { return false; }
};

class SumsTest : public testing::Test {
 protected:
  SumsTest() {
    FillInFloat64(model_);
    model_.To(at::kCPU, at::kFloat);
  }

  SmallNetwork model_;
  const std::vector<at::Tensor> images_ = {SeededFloats({2, 3, 12, 12}).to(at::kFloat)};
};

TEST_F(SumsTest, AWholeNetworkWorksOnIntegers) {
  const at::Tensor floats = model_.Forward(images_)[0];
  JudgedLayers judged;
  ASSERT_TRUE(
      model_.Lower({.name = lowerings::kInt8Static, .judged = &judged, .calibration = &images_})
          .ok());
  EXPECT_THAT(judged.errors, testing::IsEmpty())
      << "the call that is watched is no call of the layers";
  const at::Tensor got = model_.Forward(images_)[0];
  EXPECT_EQ(got.scalar_type(), at::kFloat);
  EXPECT_LT(((got - floats).square().mean().sqrt() / floats.std()).item<double>(), 0.1);
  EXPECT_FALSE(got.equal(floats));
  std::vector<std::string> layers;
  for (const LayerError& error : judged.errors) {
    EXPECT_EQ(error.wrong, 0) << error.layer;
    layers.push_back(error.layer);
  }
  EXPECT_THAT(layers,
              testing::ElementsAre("stem.0's input", "stem.0", "conv", "add", "avgpool", "head"));
  std::vector<std::string> weights;
  for (const LayerError& error : judged.weights) {
    EXPECT_EQ(error.wrong, 0) << error.layer;
    weights.push_back(error.layer);
  }
  EXPECT_THAT(weights, testing::ElementsAre("stem.0", "conv", "head"));
  EXPECT_EQ(judged.engine, c10::toString(at::globalContext().qEngine()));
  std::vector<std::string> names;
  for (const NamedTensor& entry : model_.State()) names.push_back(entry.name);
  EXPECT_THAT(names, testing::ElementsAre("stem.0.weight_int8", "conv.weight_int8", "head.bias",
                                          "head.weight_int8"));
  EXPECT_EQ(model_.State()[0].lowered_elements, 8 * 3 * 9);
}

TEST_F(SumsTest, ScalesAreThoseOfTheCallThatWasWatched) {
  const at::Tensor bright = images_[0].sign();
  const std::vector<at::Tensor> dim = {bright * 0.1};
  ASSERT_TRUE(model_.Lower({.name = lowerings::kInt8Static, .calibration = &dim}).ok());
  const at::Tensor cut = model_.Forward({bright})[0];
  EXPECT_TRUE(cut.equal(model_.Forward({bright * 2})[0])) << "both lie beyond the range";
  EXPECT_FALSE(cut.equal(model_.Forward(dim)[0]));
}

TEST_F(SumsTest, OtherLoweringsLeaveThemAlone) {
  ASSERT_TRUE(model_.Lower({.name = lowerings::kInt8Dynamic}).ok());
  EXPECT_EQ(model_.State()[0].name, "stem.0.weight");
  EXPECT_EQ(model_.Forward(images_)[0].sizes(), at::IntArrayRef({2, 5}));
}

TEST_F(SumsTest, ItIsRefusedWithItsReason) {
  const absl::Status blind = model_.Lower({.name = lowerings::kInt8Static});
  EXPECT_EQ(blind.code(), absl::StatusCode::kFailedPrecondition);
  EXPECT_THAT(std::string(blind.message()), testing::HasSubstr("no inputs were given"));
  FloatsBetween other;
  const absl::Status refused =
      other.Lower({.name = lowerings::kInt8Static, .calibration = &images_});
  EXPECT_EQ(refused.code(), absl::StatusCode::kUnimplemented);
  EXPECT_THAT(std::string(refused.message()), testing::HasSubstr("parts that take no integers"));
}

TEST_F(SumsTest, AnotherEngineIsRefused) {
  const at::QEngine usual = at::globalContext().qEngine();
  at::globalContext().setQEngine(at::QEngine::ONEDNN);
  const absl::Status refused =
      model_.Lower({.name = lowerings::kInt8Static, .calibration = &images_});
  at::globalContext().setQEngine(usual);
  EXPECT_EQ(refused.code(), absl::StatusCode::kUnimplemented);
  EXPECT_THAT(std::string(refused.message()), testing::HasSubstr("the engine ONEDNN"));
}

class AnyConvolution final : public LayeredModel {
 public:
  explicit AnyConvolution(const ConvNormActivationOptions& options)
      : conv_(*this, {"conv", "bn"}, options) {}
  std::vector<at::Tensor> Forward(at::ArrayRef<at::Tensor> inputs) override {
    return {conv_.Forward(inputs[0])};
  }

 private:
  bool TakesIntegers() const override { return true; }
  ConvNormActivation conv_;
};

TEST_F(SumsTest, ConvolutionsOfOtherKindsAreRefused) {
  for (const ConvNormActivationOptions& options :
       {ConvNormActivationOptions{.in = 3, .out = 4, .activation = Activation::kSilu},
        ConvNormActivationOptions{.in = 3, .out = 4, .kernel = 3, .stride = 2, .by_size = true},
        ConvNormActivationOptions{.in = 3, .out = 4, .bias = true},
        ConvNormActivationOptions{.in = 3, .out = 4, .norm_groups = 2}}) {
    AnyConvolution model(options);
    FillInFloat64(model);
    model.To(at::kCPU, at::kFloat);
    const absl::Status refused =
        model.Lower({.name = lowerings::kInt8Static, .calibration = &images_});
    EXPECT_EQ(refused.code(), absl::StatusCode::kUnimplemented);
    EXPECT_THAT(std::string(refused.message()), testing::StartsWith("conv is no convolution"));
  }
}

}  // namespace
}  // namespace assay::models

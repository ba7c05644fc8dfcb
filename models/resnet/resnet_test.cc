#include <ATen/core/Tensor.h>
#include <c10/core/InferenceMode.h>

#include <cstdint>
#include <memory>
#include <ostream>
#include <string>
#include <utility>
#include <vector>

#include "absl/status/status.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "models/model.h"
#include "models/parameters.h"
#include "models/registry.h"
#include "models/testing/golden.h"

namespace assay::models {
namespace {

const std::string kTestdata = "models/resnet/testdata/";

Parameters ResNet(const char* block, std::vector<int64_t> layers, int64_t groups = 1,
                  int64_t width_per_group = 64, int64_t num_classes = 1000) {
  Parameters parameters;
  parameters.Set("block", block);
  parameters.Set("layers", std::move(layers));
  parameters.Set("groups", groups);
  parameters.Set("width_per_group", width_per_group);
  parameters.Set("num_classes", num_classes);
  return parameters;
}

struct Variant {
  const char* name;
  Parameters parameters;
  int64_t parameter_count;  // counted on torchvision's model
};

void PrintTo(const Variant& value, std::ostream* out) { *out << value.name; }

class ResNetVariantTest : public testing::TestWithParam<Variant> {};

TEST_P(ResNetVariantTest, StateEqualsTorchvisions) {
  const std::unique_ptr<Model> model = CreateOrDie("resnet", GetParam().parameters);
  EXPECT_EQ(StateLines(*model), ReadGolden(kTestdata + "state_" + GetParam().name + ".txt"));
  EXPECT_EQ(ParameterCount(*model), GetParam().parameter_count);
}

INSTANTIATE_TEST_SUITE_P(
    All, ResNetVariantTest,
    testing::Values(
        Variant{"resnet18", ResNet("basic", {2, 2, 2, 2}), 11'689'512},
        Variant{"resnet34", ResNet("basic", {3, 4, 6, 3}), 21'797'672},
        Variant{"resnet50", ResNet("bottleneck", {3, 4, 6, 3}), 25'557'032},
        Variant{"resnet101", ResNet("bottleneck", {3, 4, 23, 3}), 44'549'160},
        Variant{"resnet152", ResNet("bottleneck", {3, 8, 36, 3}), 60'192'808},
        Variant{"resnext50_32x4d", ResNet("bottleneck", {3, 4, 6, 3}, 32, 4), 25'028'904},
        Variant{"wide_resnet50_2", ResNet("bottleneck", {3, 4, 6, 3}, 1, 128), 68'883'240}),
    [](const auto& variant) { return std::string(variant.param.name); });

struct Small {
  const char* name;
  Parameters parameters;
};

void PrintTo(const Small& value, std::ostream* out) { *out << value.name; }

class SmallResNetTest : public testing::TestWithParam<Small> {
 protected:
  void SetUp() override {
    model_ = CreateOrDie("resnet", GetParam().parameters);
    FillInFloat64(*model_);
  }

  std::unique_ptr<Model> model_;
  const at::Tensor x_ = SeededImage({2, 3, 64, 64});
};

TEST_P(SmallResNetTest, LogitsEqualTorchvisionsInEvaluation) {
  const c10::InferenceMode guard;
  EXPECT_LT(WorstError(model_->Forward({x_}),
                       ReadNumbers(kTestdata + "forward_" + GetParam().name + "_eval.txt")),
            1e-12);
}

TEST_P(SmallResNetTest, LogitsAndStatisticsEqualTorchvisionsInTraining) {
  model_->SetTraining(true);
  std::vector<at::Tensor> got = model_->Forward({x_});
  got.push_back(Find(*model_, "bn1.running_mean").narrow(0, 0, 8));
  got.push_back(Find(*model_, "layer4.1.bn1.running_var").narrow(0, 0, 8));
  EXPECT_LT(WorstError(got, ReadNumbers(kTestdata + "forward_" + GetParam().name + "_train.txt")),
            1e-12);
  EXPECT_EQ(Find(*model_, "layer4.1.bn2.num_batches_tracked").item<int64_t>(), 1);
}

TEST_P(SmallResNetTest, EvaluationChangesNeitherStateNorInput) {
  const at::Tensor mean = Find(*model_, "bn1.running_mean").clone();
  model_->Forward({x_});
  EXPECT_TRUE(Find(*model_, "bn1.running_mean").equal(mean));
  EXPECT_EQ(Find(*model_, "bn1.num_batches_tracked").item<int64_t>(), 0);
  EXPECT_TRUE(x_.equal(SeededImage({2, 3, 64, 64})));
}

TEST_P(SmallResNetTest, EveryParameterGetsAGradient) {
  model_->SetTraining(true);
  model_->To(at::kCPU, at::kFloat);  // four times as fast as float64
  for (NamedTensor& entry : model_->State()) entry.tensor.requires_grad_(entry.trainable);
  model_->Forward({x_.to(at::kFloat)})[0].square().sum().backward();
  for (const NamedTensor& entry : model_->State()) {
    if (!entry.trainable) continue;
    ASSERT_TRUE(entry.tensor.grad().defined()) << entry.name;
    EXPECT_GT(entry.tensor.grad().abs().max().item<double>(), 0) << entry.name;
  }
}

INSTANTIATE_TEST_SUITE_P(All, SmallResNetTest,
                         testing::Values(Small{"basic", ResNet("basic", {2, 1, 1, 2}, 1, 64, 8)},
                                         Small{"bottleneck",
                                               ResNet("bottleneck", {2, 1, 1, 2}, 4, 16, 8)}),
                         [](const auto& small) { return std::string(small.param.name); });

TEST(ResNetTest, RefusesGroupsInBasicBlocks) {
  const absl::Status status = Create("resnet", ResNet("basic", {2, 2, 2, 2}, 32, 4)).status();
  EXPECT_EQ(status.code(), absl::StatusCode::kInvalidArgument);
  EXPECT_THAT(status.message(),
              testing::HasSubstr("groups 1 and width_per_group 64, not 32 and 4"));
}

TEST(ResNetTest, RefusesOtherThanFourStages) {
  const absl::Status status = Create("resnet", ResNet("basic", {2, 2, 2})).status();
  EXPECT_EQ(status.code(), absl::StatusCode::kInvalidArgument);
  EXPECT_THAT(status.message(), testing::HasSubstr("layers has 3 numbers; want 4"));
}

TEST(ResNetTest, RefusesAnEmptyStage) {
  EXPECT_EQ(Create("resnet", ResNet("basic", {2, 0, 2, 2})).status().code(),
            absl::StatusCode::kInvalidArgument);
}

}  // namespace
}  // namespace assay::models

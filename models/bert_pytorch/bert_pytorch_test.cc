#include <ATen/core/Tensor.h>
#include <ATen/ops/equal.h>
#include <ATen/ops/isfinite.h>
#include <ATen/ops/tensor.h>
#include <ATen/ops/zeros_like.h>
#include <c10/util/Exception.h>

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "absl/status/status.h"
#include "gtest/gtest.h"
#include "models/model.h"
#include "models/parameters.h"
#include "models/registry.h"
#include "models/testing/seeded_model.h"
#include "models/trainable.h"

namespace assay::models {
namespace {

Parameters Small(int64_t heads) {
  Parameters parameters;
  parameters.Set("vocab_size", 20);
  parameters.Set("hidden", 12);
  parameters.Set("layers", 2);
  parameters.Set("heads", heads);
  parameters.Set("sequence_length", 6);
  return parameters;
}

class BertPytorchTest : public testing::Test {
 protected:
  BertPytorchTest() : model_(CreateOrDie("bert_pytorch", Small(3))) { FillInFloat64(*model_); }

  std::vector<at::Tensor> Outputs(const at::Tensor& words) {
    return model_->Forward({words, at::zeros_like(words)});
  }

  const std::unique_ptr<Model> model_;
};

TEST_F(BertPytorchTest, NoWordLooksAtPadding) {
  // Row 1 has another word in the place of the padding.
  const at::Tensor words = at::tensor({3, 5, 0, 7, 3, 5, 9, 7}, at::kLong).view({2, -1});
  const at::Tensor with = Outputs(words)[1];
  Find(*model_, "bert.embedding.token.weight")[0].add_(1);
  const at::Tensor changed = Outputs(words)[1];
  for (const int64_t place : {0, 1, 3}) EXPECT_TRUE(at::equal(with[0][place], changed[0][place]));
  EXPECT_FALSE(with[0][2].allclose(changed[0][2]));
  EXPECT_FALSE(with[0][0].allclose(with[1][0]));
}

TEST_F(BertPytorchTest, ARowOfPaddingIsFinite) {
  for (const at::Tensor& output : Outputs(at::tensor({0, 0, 0}, at::kLong).view({1, -1})))
    EXPECT_TRUE(at::isfinite(output).all().item<bool>());
}

TEST_F(BertPytorchTest, TheLossLeavesOutZeros) {
  const std::vector<at::Tensor> outputs =
      Outputs(at::tensor({3, 5, 4, 6}, at::kLong).view({2, -1}));
  const double loss = dynamic_cast<Trainable&>(*model_)
                          .Loss(outputs, {at::tensor({0, 1}, at::kLong),
                                          at::tensor({0, 8, 0, 0}, at::kLong).view({2, -1})})
                          .item<double>();
  EXPECT_NEAR(loss, -(outputs[0][1][1] + outputs[1][0][1][8]).item<double>(), 1e-12);
}

TEST_F(BertPytorchTest, RefusesMoreWordsThanPositions) {
  EXPECT_NO_THROW(Outputs(SeededIntegers({1, 512}, 20)));
  try {
    Outputs(SeededIntegers({1, 513}, 20));
    FAIL() << "513 words are taken";
  } catch (const c10::ValueError& error) {
    EXPECT_EQ(std::string(error.what_without_backtrace()),
              "bert_pytorch: 513 positions in a row; at most 512");
  }
}

TEST(BertPytorch, RefusesHeadsThatDoNotDivideTheFeatures) {
  EXPECT_EQ(Create("bert_pytorch", Small(5)).status().message(),
            "bert_pytorch: hidden 12 is not a multiple of heads 5");
}

}  // namespace
}  // namespace assay::models

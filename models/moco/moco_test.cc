#include <ATen/core/Tensor.h>
#include <ATen/ops/ones.h>
#include <ATen/ops/zeros.h>

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "models/model.h"
#include "models/parameters.h"
#include "models/testing/seeded_model.h"
#include "models/trainable.h"

namespace assay::models {
namespace {

Parameters Small() {
  Parameters parameters;
  parameters.Set("block", "basic");
  parameters.Set("layers", std::vector<int64_t>{1, 1, 1, 1});
  parameters.Set("features", 4);
  parameters.Set("queue_size", 6);
  return parameters;
}

std::string Refusal(Model &model, const std::vector<at::Tensor> &inputs) {
  try {
    model.Forward(inputs);
  } catch (const c10::ValueError &error) {
    return error.what_without_backtrace();
  }
  return "(not refused)";
}

at::Tensor Images(int64_t images, int64_t side = 32) {
  return SeededFloats({images, 3, side, side}).to(at::kFloat);
}

// A reference takes three steps, and the queue is full after as many here.
TEST(MocoTest, TheQueueIsARing) {
  const std::unique_ptr<Model> model = CreateOrDie("moco", Small());
  FillInFloat32(*model);
  const at::Tensor queue = Find(*model, "queue"), place = Find(*model, "queue_ptr");
  const at::Tensor before = queue.clone();
  model->Forward({Images(2), Images(2)});
  EXPECT_TRUE(queue.equal(before)) << "evaluation leaves it alone";
  model->SetTraining(true);
  for (const int64_t next : {2, 4, 0}) {
    model->Forward({Images(2), Images(2)});
    EXPECT_EQ(place.item<int64_t>(), next);
  }
  EXPECT_TRUE(queue.norm(2, at::IntArrayRef{0}).allclose(at::ones({6})));
  const at::Tensor full = queue.clone();
  model->Forward({Images(2), Images(2)});
  EXPECT_FALSE(queue.narrow(1, 0, 2).equal(full.narrow(1, 0, 2)));
  EXPECT_TRUE(queue.narrow(1, 2, 4).equal(full.narrow(1, 2, 4)));
}

TEST(MocoTest, EqualCallsGiveOtherOutputsAndItSaysSo) {
  const std::unique_ptr<Model> model = CreateOrDie("moco", Small());
  FillInFloat32(*model);
  model->SetTraining(true);
  const at::Tensor first = model->Forward({Images(2), Images(2)})[0];
  EXPECT_FALSE(first.equal(model->Forward({Images(2), Images(2)})[0]));
  EXPECT_TRUE(dynamic_cast<Trainable &>(*model).Remembers());
}

TEST(MocoTest, FeaturesWithoutADirectionAreLikeNoKey) {
  const std::unique_ptr<Model> model = CreateOrDie("moco", Small());
  FillInFloat32(*model);
  for (const char *name : {"encoder_q.fc.weight", "encoder_q.fc.bias"}) Find(*model, name).zero_();
  EXPECT_TRUE(model->Forward({Images(2), Images(2)})[0].equal(at::zeros({2, 7})));
}

TEST(MocoTest, RefusesWhatDoesNotFit) {
  const std::unique_ptr<Model> model = CreateOrDie("moco", Small());
  FillInFloat32(*model);
  EXPECT_EQ(Refusal(*model, {Images(2), Images(3)}),
            "moco: there are 2 queries and 3 keys; want as many");
  for (const int wrong : {0, 1}) {
    std::vector<at::Tensor> views = {Images(2), Images(2)};
    views[wrong] = Images(2, 16);
    EXPECT_THAT(Refusal(*model, views), testing::HasSubstr("moco: "));
  }
  model->SetTraining(true);
  EXPECT_EQ(Refusal(*model, {Images(4), Images(4)}),
            "moco: a queue of 6 keys does not divide into batches of 4; give a "
            "batch that divides "
            "it, or another queue_size");
}

}  // namespace
}  // namespace assay::models

#include <ATen/core/Tensor.h>
#include <ATen/ops/eye.h>
#include <ATen/ops/full.h>
#include <ATen/ops/ones.h>

#include <cmath>
#include <cstdint>
#include <memory>
#include <string>

#include "gtest/gtest.h"
#include "models/model.h"
#include "models/parameters.h"
#include "models/testing/seeded_model.h"
#include "models/trainable.h"

namespace assay::models {
namespace {

class TtsAngularTest : public testing::Test {
 protected:
  TtsAngularTest() {
    Parameters parameters;
    parameters.Set("input_dim", 6);
    parameters.Set("lstm_dim", 10);
    parameters.Set("proj_dim", 8);
    parameters.Set("num_lstm_layers", 2);
    parameters.Set("utterances", 3);
    model_ = CreateOrDie("tts_angular", parameters);
    FillInFloat64(*model_);
  }

  at::Tensor Embeddings(const at::Tensor& mel) { return model_->Forward({mel})[0]; }

  double Loss(const at::Tensor& embeddings) {
    return dynamic_cast<Trainable&>(*model_).Loss({embeddings}, {}).item<double>();
  }

  template <typename Call>
  static std::string Refusal(const Call& call) {
    try {
      call();
    } catch (const c10::ValueError& error) {
      return error.what_without_backtrace();
    }
    return "none";
  }

  std::unique_ptr<Model> model_;
};

TEST_F(TtsAngularTest, EmbeddingsHaveUnitLength) {
  const at::Tensor lengths = Embeddings(SeededFloats({4, 5, 6})).norm(2, 1);
  EXPECT_TRUE(lengths.allclose(at::ones({4}, at::kDouble)));
}

TEST_F(TtsAngularTest, AVectorShorterThan1e12thIsDividedByThat) {
  // With such biases alone, each of ten hidden units is tanh(1) after one frame.
  for (const NamedTensor& entry : model_->State()) entry.tensor.zero_();
  Find(*model_, "layers.1.lstm.bias_ih_l0").fill_(100);
  Find(*model_, "layers.1.linear.weight").fill_(1e-14);
  const at::Tensor embeddings = Embeddings(SeededFloats({2, 1, 6}));
  EXPECT_TRUE(embeddings.allclose(at::full({2, 8}, 10 * std::tanh(1.0) / 100, at::kDouble)));
}

TEST_F(TtsAngularTest, EveryFrameCounts) {
  const at::Tensor mel = SeededFloats({1, 5, 6}), before = Embeddings(mel);
  for (int64_t frame = 0; frame < 5; ++frame) {
    at::Tensor changed = mel.clone();
    changed.select(1, frame).add_(1);
    EXPECT_FALSE(before.allclose(Embeddings(changed))) << frame;
  }
}

TEST_F(TtsAngularTest, TheLossWantsSpeakersApart) {
  // Two speakers of three utterances: each its own direction, one for both, the other's.
  const at::Tensor directions = at::eye(2, 8, at::kDouble);
  const at::Tensor apart = directions.repeat_interleave(3, 0);
  EXPECT_NEAR(Loss(apart), std::log1p(std::exp(-10)), 1e-9);
  EXPECT_NEAR(Loss(at::ones({6, 8}, at::kDouble)), std::log(2), 1e-9);
  at::Tensor swapped = apart.clone();
  swapped.select(0, 0).copy_(directions.select(0, 1));
  swapped.select(0, 3).copy_(directions.select(0, 0));
  EXPECT_NEAR(Loss(swapped), 10 + std::log1p(std::exp(-10)), 1e-9);
}

TEST_F(TtsAngularTest, RefusesOtherShapes) {
  const auto refusal = [&](at::IntArrayRef shape) {
    return Refusal([&] { Embeddings(SeededFloats(shape)); });
  };
  EXPECT_EQ(refusal({2, 5, 7}), "tts_angular: the frames are [2, 5, 7]; want (N, frames, 6)");
  EXPECT_EQ(refusal({2, 0, 6}), "tts_angular: the frames are [2, 0, 6]; want (N, frames, 6)");
  EXPECT_EQ(refusal({5, 6}), "tts_angular: the frames are [5, 6]; want (N, frames, 6)");
  EXPECT_EQ(Refusal([&] {
              Loss(at::ones({4, 8}, at::kDouble));
            }),
            "tts_angular: 4 rows; want a multiple of 3 utterances a speaker");
}

}  // namespace
}  // namespace assay::models

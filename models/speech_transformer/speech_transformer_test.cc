#include <ATen/core/Tensor.h>
#include <ATen/ops/equal.h>
#include <ATen/ops/tensor.h>
#include <c10/util/Exception.h>

#include <cstdint>
#include <memory>
#include <string>

#include "gtest/gtest.h"
#include "models/model.h"
#include "models/parameters.h"
#include "models/registry.h"
#include "models/testing/seeded_model.h"

namespace assay::models {
namespace {

constexpr int64_t kFeatures = 7;
constexpr int kSos = 2, kEos = 3;

Parameters Small() {
  Parameters parameters;
  parameters.Set("input_features", kFeatures);
  parameters.Set("heads", 2);
  parameters.Set("head_features", 6);
  parameters.Set("hidden", 10);
  parameters.Set("layers", 2);
  parameters.Set("vocab_size", 9);
  parameters.Set("sos", kSos);
  parameters.Set("eos", kEos);
  return parameters;
}

class SpeechTransformerTest : public testing::Test {
 protected:
  SpeechTransformerTest() {
    model_ = CreateOrDie("speech_transformer", Small());
    FillInFloat64(*model_);
  }

  at::Tensor Scores(const at::Tensor& frames, int64_t length, const at::Tensor& words) {
    return model_->Forward({frames, at::tensor({length}, at::kLong), words})[0];
  }

  std::unique_ptr<Model> model_;
};

TEST_F(SpeechTransformerTest, FramesBehindTheEndOfARowDoNotCount) {
  const at::Tensor frames = SeededFloats({1, 6, kFeatures}), words = SeededIntegers({1, 4}, 2);
  at::Tensor behind = frames.clone();
  behind.narrow(1, 4, 2).add_(1);
  EXPECT_TRUE(at::equal(Scores(frames, 4, words), Scores(behind, 4, words)));
  EXPECT_FALSE(Scores(frames, 5, words).allclose(Scores(behind, 5, words)));
}

TEST_F(SpeechTransformerTest, AWordChangesTheScoresBehindItAlone) {
  const at::Tensor frames = SeededFloats({1, 6, kFeatures});
  const at::Tensor one = Scores(frames, 6, at::tensor({1, 4, 5}, at::kLong).view({1, -1}));
  const at::Tensor other = Scores(frames, 6, at::tensor({1, 6, 5}, at::kLong).view({1, -1}));
  EXPECT_TRUE(at::equal(one.narrow(1, 0, 2), other.narrow(1, 0, 2)));
  EXPECT_FALSE(one[0][2].allclose(other[0][2]));
  EXPECT_FALSE(one[0][3].allclose(other[0][3]));
}

TEST_F(SpeechTransformerTest, WordsAtTheEndOfARowAreNotSeen) {
  const at::Tensor frames = SeededFloats({1, 6, kFeatures});
  const at::Tensor words = at::tensor({1, kEos, 5}, at::kLong).view({1, -1});
  const at::Tensor before = Scores(frames, 6, words);
  EXPECT_EQ(before.sizes(), at::IntArrayRef({1, 4, 9}));
  EXPECT_TRUE(before[0][2].eq(0).all().item<bool>()) << "a filled place has no features";
}

TEST_F(SpeechTransformerTest, RefusesMoreFramesThanPositions) {
  try {
    Scores(SeededFloats({1, 5001, kFeatures}), 1, SeededIntegers({1, 2}, 2));
    FAIL() << "5001 frames are taken";
  } catch (const c10::ValueError& error) {
    EXPECT_EQ(std::string(error.what_without_backtrace()),
              "speech_transformer: 5001 positions in a row; at most 5000");
  }
}

TEST(SpeechTransformer, RefusesWordsAndWidthsThatItCannotUse) {
  const auto problem = [](const char* name, int value) {
    Parameters parameters = Small();
    parameters.Set(name, value);
    return std::string(Create("speech_transformer", parameters).status().message());
  };
  EXPECT_EQ(problem("sos", kEos),
            "speech_transformer: sos 3 and eos 3 must be two words of the vocabulary, which has 9");
  EXPECT_EQ(problem("eos", 9),
            "speech_transformer: sos 2 and eos 9 must be two words of the vocabulary, which has 9");
  Parameters odd = Small();
  odd.Set("heads", 1);
  odd.Set("head_features", 7);
  EXPECT_EQ(Create("speech_transformer", odd).status().message(),
            "speech_transformer: heads * head_features 7 is not even");
}

}  // namespace
}  // namespace assay::models

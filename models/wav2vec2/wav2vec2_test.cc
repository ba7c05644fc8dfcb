#include <ATen/core/Tensor.h>
#include <c10/util/Exception.h>

#include <memory>

#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "models/parameters.h"
#include "models/testing/seeded_model.h"
#include "models/trainable.h"

namespace assay::models {
namespace {

Parameters SmallWav2Vec2() {
  Parameters parameters;
  for (const auto& [name, value] : {std::pair("vocab_size", 5),
                                    {"hidden_size", 8},
                                    {"num_hidden_layers", 1},
                                    {"num_attention_heads", 2},
                                    {"intermediate_size", 16},
                                    {"conv_dim", 4},
                                    {"num_conv_pos_embeddings", 3},
                                    {"num_conv_pos_embedding_groups", 2}})
    parameters.Set(name, value);
  parameters.Set("feat_extract_norm", "group");
  parameters.Set("conv_bias", false);
  parameters.Set("do_stable_layer_norm", false);
  return parameters;
}

TEST(Wav2Vec2Test, AFrameNeedsItsWindow) {
  const std::unique_ptr<Model> model = CreateOrDie("wav2vec2", SmallWav2Vec2());
  FillInFloat64(*model);
  EXPECT_EQ(model->Forward({SeededFloats({1, 400})})[0].sizes(), at::IntArrayRef({1, 1, 5}));
  EXPECT_EQ(model->Forward({SeededFloats({1, 719})})[0].sizes(), at::IntArrayRef({1, 1, 5}));
  EXPECT_EQ(model->Forward({SeededFloats({1, 720})})[0].sizes(), at::IntArrayRef({1, 2, 5}));
  const auto message = [&](const at::Tensor& sound) -> std::string {
    try {
      model->Forward({sound});
    } catch (const c10::ValueError& error) {
      return error.what_without_backtrace();
    }
    return "accepted";
  };
  EXPECT_EQ(message(SeededFloats({2, 399})),
            "wav2vec2: the sound is [2, 399]; want (N, samples) with at least 400 samples, the "
            "window of a frame");
  EXPECT_THAT(message(SeededFloats({2, 1, 500})), testing::HasSubstr("the sound is [2, 1, 500]"));
}

// Two equal letters need a blank between them: 3 letters fit into 5 frames, and not into 4.
TEST(Wav2Vec2Test, LettersNeedAFrameAndABlankEach) {
  const std::unique_ptr<Model> model = CreateOrDie("wav2vec2", SmallWav2Vec2());
  auto& trainable = dynamic_cast<Trainable&>(*model);
  const at::Tensor letters = SeededIntegers({2, 3}, 1) + 1;
  EXPECT_TRUE(trainable.Loss({SeededFloats({2, 5, 5})}, {letters}).isfinite().item<bool>());
  EXPECT_THAT(
      [&] {
        trainable.Loss({SeededFloats({2, 4, 5})}, {letters});
      },
      testing::Throws<c10::ValueError>());
}

}  // namespace
}  // namespace assay::models

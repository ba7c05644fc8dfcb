#include <ATen/TensorOperators.h>
#include <ATen/core/Tensor.h>
#include <ATen/ops/ones.h>
#include <ATen/ops/zeros.h>
#include <c10/util/Exception.h>

#include <cstdint>
#include <memory>
#include <string>

#include "absl/status/status.h"
#include "gtest/gtest.h"
#include "models/model.h"
#include "models/parameters.h"
#include "models/registry.h"
#include "models/testing/seeded_model.h"
#include "models/trainable.h"

namespace assay::models {
namespace {

Parameters Small(int64_t nfft = 64, int64_t depth = 5) {
  Parameters parameters;
  parameters.Set("sources", 3);
  parameters.Set("audio_channels", 1);
  parameters.Set("channels", 4);
  parameters.Set("nfft", nfft);
  parameters.Set("depth", depth);
  return parameters;
}

std::unique_ptr<Model> Filled(const Parameters& parameters) {
  std::unique_ptr<Model> model = CreateOrDie("hdemucs", parameters);
  FillInFloat64(*model);
  return model;
}

std::string Refusal(at::IntArrayRef song) {
  try {
    Filled(Small())->Forward({SeededFloats(song)});
  } catch (const c10::ValueError& error) {
    return error.what_without_backtrace();
  }
  return "none";
}

std::string Refusal(int64_t nfft, int64_t depth) {
  const absl::Status status = Create("hdemucs", Small(nfft, depth)).status();
  return status.ok() ? "none" : std::string(status.message());
}

// 24 samples are reflected at the beginning, and up to 15 more at the end.
TEST(HDemucsTest, RefusesASongThatIsTooShort) {
  EXPECT_EQ(Refusal({2, 1, 40}), "none");
  EXPECT_EQ(Refusal({2, 1, 39}),
            "hdemucs: the song is [2, 1, 39]; want (N, 1, samples), 40 samples or more");
  EXPECT_EQ(Refusal({2, 2, 40}),
            "hdemucs: the song is [2, 2, 40]; want (N, 1, samples), 40 samples or more");
  EXPECT_EQ(Refusal({1, 40}),
            "hdemucs: the song is [1, 40]; want (N, 1, samples), 40 samples or more");
}

// The next multiple of a step is 15 samples away.
TEST(HDemucsTest, EstimatesAreAsLongAsTheSong) {
  EXPECT_EQ(Filled(Small())->Forward({SeededFloats({2, 1, 49})})[0].sizes(),
            at::IntArrayRef({2, 3, 1, 49}));
}

TEST(HDemucsTest, RefusesTransformsWhoseStepsAreNotTheSounds) {
  EXPECT_EQ(Refusal(2048, 5), "none");
  EXPECT_EQ(Refusal(1024, 4), "none");
  for (const int64_t nfft : {65, 100, 128, 512, 3072}) {
    EXPECT_EQ(
        Refusal(nfft, 6),
        "hdemucs: nfft " + std::to_string(nfft) +
            "; give 2048 or a power of 4, so that a step of the spectrogram is as long as one "
            "of the sound");
  }
}

TEST(HDemucsTest, RefusesADepthAtWhichTheUNetsDoNotMeet) {
  EXPECT_EQ(Refusal(64, 2), "none");
  EXPECT_EQ(Refusal(64, 1), "hdemucs: nfft 64 needs more levels than depth 1");
  EXPECT_EQ(Refusal(4096, 4), "hdemucs: nfft 4096 needs more levels than depth 4");
}

// The model normalizes what it reads, and gives its sounds the song's loudness again.
TEST(HDemucsTest, ALouderSongHasLouderSounds) {
  const std::unique_ptr<Model> model = Filled(Small());
  const at::Tensor song = SeededFloats({2, 1, 200});
  const at::Tensor sounds = model->Forward({song})[0], louder = model->Forward({song * 8})[0];
  EXPECT_TRUE(louder.allclose(sounds * 8, /*rtol=*/0, /*atol=*/1e-3));
  EXPECT_FALSE(louder.equal(sounds * 8));  // 1e-5 is added to the deviation
}

TEST(HDemucsTest, SilenceHasSilentSounds) {
  const at::Tensor silence = at::zeros({1, 1, 100}, at::kDouble);
  EXPECT_TRUE(Filled(Small())->Forward({silence})[0].equal(at::zeros({1, 3, 1, 100}, at::kDouble)));
}

TEST(HDemucsTest, TheLossIsTheMeanDistance) {
  const std::unique_ptr<Model> model = Filled(Small());
  const at::Tensor estimates = at::ones({1, 3, 1, 4}, at::kDouble);
  auto& trainable = dynamic_cast<Trainable&>(*model);
  EXPECT_EQ(trainable.Loss({estimates * 3}, {estimates}).item<double>(), 2);
  EXPECT_EQ(trainable.Loss({estimates * -3}, {estimates}).item<double>(), 4);
}

}  // namespace
}  // namespace assay::models

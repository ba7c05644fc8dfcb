#include <ATen/core/Tensor.h>
#include <ATen/ops/full.h>

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "absl/status/status.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "models/model.h"
#include "models/parameters.h"
#include "models/registry.h"
#include "models/testing/seeded_model.h"
#include "models/trainable.h"

namespace assay::models {
namespace {

constexpr int64_t kClasses = 8;

// Six samples a frame; two frames are cut off at either end.
Parameters WaveRnn(int64_t hop_length = 6, int64_t kernel_size = 5) {
  Parameters parameters;
  parameters.Set("upsample_scales", std::vector<int64_t>{2, 3});
  parameters.Set("n_classes", kClasses);
  parameters.Set("hop_length", hop_length);
  parameters.Set("n_res_block", 1);
  parameters.Set("n_rnn", 12);
  parameters.Set("n_fc", 10);
  parameters.Set("kernel_size", kernel_size);
  parameters.Set("n_freq", 7);
  parameters.Set("n_hidden", 9);
  parameters.Set("n_output", 8);
  return parameters;
}

class WaveRnnTest : public testing::Test {
 protected:
  WaveRnnTest() : model_(CreateOrDie("wavernn", WaveRnn())) { FillInFloat64(*model_); }

  at::Tensor Logits(const at::Tensor& waveform, const at::Tensor& specgram) {
    return model_->Forward({waveform, specgram})[0];
  }

  std::string Refusal(at::IntArrayRef waveform, at::IntArrayRef specgram) {
    try {
      Logits(SeededFloats(waveform), SeededFloats(specgram));
    } catch (const c10::ValueError& error) {
      return error.what_without_backtrace();
    }
    return "none";
  }

  const std::unique_ptr<Model> model_;
};

TEST_F(WaveRnnTest, RefusesParametersThatDoNotFitTogether) {
  absl::Status status = Create("wavernn", WaveRnn(7)).status();
  EXPECT_EQ(status.code(), absl::StatusCode::kInvalidArgument);
  EXPECT_EQ(status.message(), "wavernn: upsample_scales multiply to 6, not to hop_length 7");
  for (const int64_t kernel_size : {1, 4}) {
    status = Create("wavernn", WaveRnn(6, kernel_size)).status();
    EXPECT_EQ(status.code(), absl::StatusCode::kInvalidArgument);
    EXPECT_THAT(status.message(), testing::HasSubstr("want an odd number from 3 on"));
  }
  EXPECT_TRUE(Create("wavernn", WaveRnn(6, 3)).ok());
}

TEST_F(WaveRnnTest, RefusesOtherShapes) {
  const std::string spectrogram = "; want (N, 1, 7, frames), 5 frames or more";
  EXPECT_EQ(Refusal({2, 1, 6}, {2, 1, 7, 4}),
            "wavernn: the spectrogram is [2, 1, 7, 4]" + spectrogram);
  EXPECT_EQ(Refusal({2, 1, 6}, {2, 1, 8, 5}),
            "wavernn: the spectrogram is [2, 1, 8, 5]" + spectrogram);
  EXPECT_EQ(Refusal({2, 1, 6}, {2, 2, 7, 5}),
            "wavernn: the spectrogram is [2, 2, 7, 5]" + spectrogram);
  EXPECT_EQ(Refusal({2, 1, 6}, {2, 7, 5}), "wavernn: the spectrogram is [2, 7, 5]" + spectrogram);
  EXPECT_EQ(Refusal({2, 1, 6}, {2, 1, 7, 6}),
            "wavernn: the waveform is [2, 1, 6]; want (2, 1, 12) for a spectrogram [2, 1, 7, 6]");
  EXPECT_EQ(Refusal({2, 1, 6}, {2, 1, 7, 5}), "none");
}

TEST_F(WaveRnnTest, ASampleChangesThoseBehindItAlone) {
  const at::Tensor waveform = SeededFloats({1, 1, 18}), specgram = SeededFloats({1, 1, 7, 7});
  at::Tensor changed = waveform.clone();
  changed.select(2, 10).add_(1);
  const at::Tensor before = Logits(waveform, specgram), after = Logits(changed, specgram);
  EXPECT_TRUE(before.narrow(2, 0, 10).allclose(after.narrow(2, 0, 10)));
  for (int64_t sample = 10; sample < 18; ++sample)
    EXPECT_FALSE(before.select(2, sample).allclose(after.select(2, sample))) << sample;
}

TEST_F(WaveRnnTest, TheLossIsOfEachSamplesValue) {
  auto& trainable = dynamic_cast<Trainable&>(*model_);
  const at::Tensor values = SeededIntegers({2, 1, 6}, kClasses);
  at::Tensor logits = at::full({2, 1, 6, kClasses}, -100.0, at::kDouble);
  logits.scatter_(3, values.unsqueeze(3), 100.0);
  EXPECT_LT(trainable.Loss({logits}, {values}).item<double>(), 1e-6);
  EXPECT_GT(trainable.Loss({logits.roll(1, 2)}, {values}).item<double>(), 1);
}

}  // namespace
}  // namespace assay::models

#include <ATen/core/Tensor.h>
#include <ATen/ops/ones.h>
#include <ATen/ops/zeros.h>
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

Parameters Small(int64_t kernel_size = 4, int64_t lstm_layers = 1) {
  Parameters parameters;
  parameters.Set("sources", 3);
  parameters.Set("audio_channels", 1);
  parameters.Set("channels", 4);
  parameters.Set("depth", 2);
  parameters.Set("kernel_size", kernel_size);
  parameters.Set("stride", 2);
  parameters.Set("context", 3);
  parameters.Set("lstm_layers", lstm_layers);
  return parameters;
}

std::unique_ptr<Model> Filled(const Parameters& parameters) {
  std::unique_ptr<Model> model = CreateOrDie("demucs", parameters);
  FillInFloat64(*model);
  return model;
}

std::string Refusal(at::IntArrayRef sound) {
  try {
    Filled(Small())->Forward({SeededFloats(sound)});
  } catch (const c10::ValueError& error) {
    return error.what_without_backtrace();
  }
  return "none";
}

TEST(DemucsTest, RefusesAKernelThatIsShorterThanTheContext) {
  const absl::Status status = Create("demucs", Small(2)).status();
  EXPECT_EQ(status.code(), absl::StatusCode::kInvalidArgument);
  EXPECT_EQ(status.message(), "demucs: kernel_size 2 is smaller than context 3");
}

// Three steps of the LSTM are eight steps of the first convolution, 18 samples.
TEST(DemucsTest, RefusesASoundThatIsTooShort) {
  EXPECT_EQ(Refusal({2, 1, 18}), "none");
  EXPECT_EQ(Refusal({2, 1, 17}),
            "demucs: the sound is [2, 1, 17]; want (N, 1, samples), 18 samples or more");
  EXPECT_EQ(Refusal({2, 2, 18}),
            "demucs: the sound is [2, 2, 18]; want (N, 1, samples), 18 samples or more");
  EXPECT_EQ(Refusal({2, 18}),
            "demucs: the sound is [2, 18]; want (N, 1, samples), 18 samples or more");
}

TEST(DemucsTest, TheShortestKernelIsAsLongAsTheContext) {
  // 3 steps, 7, 15; back to 3 and to 3.
  EXPECT_EQ(Filled(Small(3))->Forward({SeededFloats({1, 1, 15})})[0].sizes(),
            at::IntArrayRef({1, 3, 1, 3}));
}

TEST(DemucsTest, WithoutAnLstmASampleIsSeenNearby) {
  const at::Tensor sound = SeededFloats({1, 1, 101});
  at::Tensor changed = sound.clone();
  changed.select(2, 0).add_(1);
  for (const int64_t layers : {0, 1}) {
    const std::unique_ptr<Model> model = Filled(Small(4, layers));
    const at::Tensor before = model->Forward({sound})[0], after = model->Forward({changed})[0];
    EXPECT_EQ(before.select(3, -1).equal(after.select(3, -1)), layers == 0);
  }
}

TEST(DemucsTest, TheLossIsOfTheMiddleOfTheSources) {
  const std::unique_ptr<Model> model = Filled(Small());
  at::Tensor separate = at::zeros({1, 3, 1, 7}, at::kDouble);
  separate.narrow(3, 1, 4).fill_(1);
  const at::Tensor estimates = at::ones({1, 3, 1, 4}, at::kDouble);
  auto& trainable = dynamic_cast<Trainable&>(*model);
  EXPECT_EQ(trainable.Loss({estimates}, {separate}).item<double>(), 0);
  EXPECT_EQ(trainable.Loss({estimates * 3}, {separate}).item<double>(), 2);
}

}  // namespace
}  // namespace assay::models

#include "models/testing/image_classifier.h"

#include <ATen/TensorOperators.h>
#include <ATen/core/Tensor.h>

#include <map>
#include <memory>

#include "absl/strings/str_cat.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "models/model.h"
#include "models/testing/seeded_model.h"

namespace assay::models {
namespace {

at::Tensor Image(int64_t rows, int64_t channels, int64_t pixels) {
  return SeededFloats({rows, channels, pixels, pixels}).to(at::kFloat);
}

void ExpectPureEvaluation(Model& model, const ImageClassifierLimits& limits) {
  const int64_t pixels = limits.pixels;
  std::map<std::string, at::Tensor> before;
  for (const NamedTensor& entry : model.State()) before[entry.name] = entry.tensor.clone();
  const at::Tensor image = Image(2, 3, pixels);
  const std::vector<at::Tensor> outputs = model.Forward({image});
  EXPECT_EQ(outputs.size(), limits.outputs);
  const at::Tensor& logits = outputs[0];
  EXPECT_EQ(logits.sizes(), at::IntArrayRef(limits.output));
  EXPECT_TRUE(logits.equal(model.Forward({image})[0])) << "a second call differs";
  EXPECT_TRUE(image.equal(Image(2, 3, pixels))) << "the input was written to";
  for (const NamedTensor& entry : model.State()) {
    EXPECT_TRUE(entry.tensor.equal(before[entry.name])) << entry.name;
  }
  // Finds a wrong stride between rows, or a sum over them.
  EXPECT_TRUE(
      logits.narrow(0, 1, 1).allclose(model.Forward({image.narrow(0, 1, 1)})[0], 1e-3, 1e-3));
}

void ExpectGradients(Model& model, const ImageClassifierLimits& limits) {
  model.SetTraining(true);
  model.SetDropout(false);  // so that no branch is dropped
  for (NamedTensor& entry : model.State()) entry.tensor.requires_grad_(entry.trainable);
  const std::vector<at::Tensor> outputs = model.Forward({Image(4, 3, limits.pixels)});
  EXPECT_EQ(outputs.size(), limits.outputs + limits.auxiliary_outputs);
  at::Tensor sum;
  for (const at::Tensor& output : outputs) {
    EXPECT_EQ(output.sizes().slice(1), at::IntArrayRef(limits.output).slice(1));
    sum = sum.defined() ? sum + output.square().sum() : output.square().sum();
  }
  sum.backward();
  for (const NamedTensor& entry : model.State()) {
    if (!entry.trainable) continue;
    ASSERT_TRUE(entry.tensor.grad().defined()) << entry.name;
    EXPECT_GT(entry.tensor.grad().norm().item<double>(), 0) << entry.name;
  }
}

std::string Refusal(Model& model, const at::Tensor& image) {
  try {
    model.Forward({image});
  } catch (const c10::ValueError& error) {
    return error.what_without_backtrace();
  }
  return "(not refused)";
}

}  // namespace

void ExpectImageClassifier(std::string_view implementation, const Parameters& parameters,
                           const ImageClassifierLimits& limits) {
  const std::unique_ptr<Model> model = CreateOrDie(implementation, parameters);
  FillInFloat32(*model);
  ExpectPureEvaluation(*model, limits);
  const std::string name(implementation);
  if (limits.minimum > 1) {
    EXPECT_THAT(Refusal(*model, Image(1, 3, limits.minimum - 1)),
                testing::AllOf(testing::StartsWith(name + ": the image is"),
                               testing::HasSubstr(absl::StrCat(limits.size_words, " ",
                                                               limits.minimum, " pixels"))));
  }
  model->Forward({Image(1, 3, limits.minimum)});
  EXPECT_THAT(Refusal(*model, Image(1, 4, limits.pixels)),
              testing::AllOf(testing::StartsWith(name), testing::HasSubstr("want (N, 3,")));
  ExpectGradients(*model, limits);
}

}  // namespace assay::models

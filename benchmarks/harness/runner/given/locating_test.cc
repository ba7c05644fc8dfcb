#include "benchmarks/harness/runner/given/locating.h"

#include <ATen/core/Tensor.h>
#include <ATen/ops/allclose.h>
#include <ATen/ops/equal.h>
#include <ATen/ops/linear.h>
#include <ATen/ops/softmax.h>

#include <cstdlib>
#include <filesystem>
#include <map>
#include <string>

#include "absl/strings/str_cat.h"
#include "benchmarks/harness/runner/verdict/exporting.h"
#include "benchmarks/harness/runner/verdict/run_status.h"
#include "benchmarks/harness/runner/verdict/small_mlp.h"
#include "benchmarks/harness/tensor_files/mapped_file.h"
#include "benchmarks/harness/tensor_files/safetensors_torch.h"
#include "benchmarks/harness/tensor_files/test_folder.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"

namespace assay::runner {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::Pair;

std::map<std::string, at::Tensor> TensorsIn(const std::string& path) {
  std::map<std::string, at::Tensor> tensors;
  const auto read = tensor_files::ReadTensors(path);
  EXPECT_TRUE(read.ok()) << read.status();
  for (const tensor_files::StoredTensor& stored : *read) tensors[stored.name] = stored.tensor;
  return tensors;
}

std::map<std::string, std::string> Metadata(const std::string& path) {
  const auto file = tensor_files::MappedFile::Open(path);
  EXPECT_TRUE(file.ok()) << file.status();
  const auto index = tensor_files::ParseSafetensors((*file)->bytes());
  EXPECT_TRUE(index.ok()) << index.status();
  return index->metadata;
}

// Writes the case's layers into a folder and returns it.
std::string Written(const ResolvedCase& c, const std::string& mistake = "") {
  std::string folder = tensor_files::TestFolder();
  const absl::Status exported = Export(c, {.layers = folder, .mistake = mistake});
  EXPECT_TRUE(exported.ok()) << exported;
  return folder;
}

TEST(ExportLayers, WritesEachCallInFloat64FromWeightsAndInputsThatWereRounded) {
  ResolvedCase c = SmallMlpCase();
  c.mutable_benchmark_case()->set_dtype(BF16);
  c.mutable_referenced()->mutable_inputs(0)->set_dtype(BF16);
  const std::string folder = Written(c);
  EXPECT_TRUE(std::filesystem::exists(folder + "/case.json"));
  const auto state = TensorsIn(folder + "/state.safetensors");
  const at::Tensor x = TensorsIn(folder + "/inputs.safetensors").at("input");
  EXPECT_EQ(x.scalar_type(), at::kFloat);
  const auto rounded = [](const at::Tensor& tensor) {
    return tensor.to(at::kBFloat16).to(at::kDouble);
  };
  const std::string first = folder + "/calls/0.safetensors";
  EXPECT_THAT(Metadata(first), ElementsAre(Pair("layer", "0"), Pair("number", "0")));
  EXPECT_TRUE(at::equal(TensorsIn(first).at("input.0"), rounded(x)));
  EXPECT_TRUE(at::allclose(
      TensorsIn(first).at("output"),
      at::linear(rounded(x), rounded(state.at("0.weight")), rounded(state.at("0.bias"))), 0,
      1e-12));
  EXPECT_EQ(Metadata(folder + "/calls/2.safetensors").at("layer"), "4");
  EXPECT_FALSE(std::filesystem::exists(folder + "/calls/3.safetensors"));
  const auto results = TensorsIn(folder + "/results.safetensors");
  EXPECT_EQ(results.size(), 1);
  EXPECT_TRUE(at::allclose(results.at("output.probabilities"),
                           at::softmax(TensorsIn(folder + "/calls/2.safetensors").at("output"), -1),
                           0, 1e-12));
}

TEST(ExportLayers, AMistakeIsMadeInOurLayersAndNotInTheWeightsThatAreHandedOn) {
  const ResolvedCase c = SmallMlpCase();
  const auto weight = TensorsIn(Written(c) + "/state.safetensors").at("2.weight").clone();
  const std::string folder = Written(c, "scaled_2");
  EXPECT_TRUE(at::equal(TensorsIn(folder + "/state.safetensors").at("2.weight"), weight));
  const auto call = TensorsIn(folder + "/calls/1.safetensors");
  EXPECT_FALSE(at::allclose(at::linear(call.at("input.0"), weight.to(at::kDouble)),
                            call.at("output"), 0, 1e-12));
}

TEST(ExportLayers, AnUnknownMistakeIsRefused) {
  const absl::Status refused =
      Export(SmallMlpCase(), {.layers = tensor_files::TestFolder(), .mistake = "scaled_7"});
  EXPECT_TRUE(absl::IsInvalidArgument(refused));
  EXPECT_THAT(refused.message(), HasSubstr("knows scaled_0, scaled_2, scaled_4"));
}

TEST(ExportLayers, AFolderThatIsNotThereIsSaid) {
  EXPECT_FALSE(Export(SmallMlpCase(), {.layers = "/nowhere/at/all"}).ok());
}

// The message with which --locate refuses a case before it begins.
std::string Refused(const ResolvedCase& c) {
  const absl::Status refused = CheckLocatable(c);
  EXPECT_TRUE(IsUsageError(refused)) << refused;
  return std::string(refused.message());
}

TEST(CheckLocatable, WantsAnotherImplementationAndAWorkspace) {
  ResolvedCase c = SmallMlpCase();
  setenv("BUILD_WORKSPACE_DIRECTORY", "/anywhere", 1);
  EXPECT_THAT(Refused(c), HasSubstr("without another implementation in Python"));
  c.mutable_implementation()->set_reference_script("models/mlp/reference.py");
  EXPECT_TRUE(CheckLocatable(c).ok());
  unsetenv("BUILD_WORKSPACE_DIRECTORY");
  EXPECT_THAT(Refused(c), HasSubstr("tools/bazel run //x:mlp_fp32_b2 -- --locate"));
  c.mutable_benchmark_case()->mutable_operator_call()->set_name("aten::relu");
  EXPECT_THAT(Refused(c), HasSubstr("one operator, which has no layers"));
}

}  // namespace
}  // namespace assay::runner

// Tests --weights, --inputs and --reference from the file to the verdict, with the mlp family and
// tensors that were computed without this suite's code.
#include "benchmarks/harness/runner/given/given_files.h"

#include <ATen/Context.h>
#include <ATen/TensorOperators.h>
#include <ATen/core/Tensor.h>
#include <ATen/ops/arange.h>
#include <ATen/ops/clamp_min.h>
#include <ATen/ops/full.h>
#include <ATen/ops/matmul.h>
#include <ATen/ops/ones.h>
#include <ATen/ops/rand.h>
#include <ATen/ops/randn.h>
#include <ATen/ops/zeros.h>
#include <google/protobuf/text_format.h>

#include <cmath>
#include <filesystem>
#include <limits>
#include <string>
#include <utility>
#include <vector>

#include "absl/strings/str_cat.h"
#include "benchmarks/harness/execution/eager_backend.h"
#include "benchmarks/harness/numerics/reference_writer.h"
#include "benchmarks/harness/runner/given/given_tensors.h"
#include "benchmarks/harness/runner/verdict/small_mlp.h"
#include "benchmarks/harness/runner/verdict/verification.h"
#include "benchmarks/harness/tensor_files/file_bytes.h"
#include "benchmarks/harness/tensor_files/safetensors_torch.h"
#include "benchmarks/harness/tensor_files/test_folder.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"

namespace assay::runner {
namespace {

using tensor_files::StoredTensor;
using testing::HasSubstr;

std::string Written(const std::string& path, const std::vector<StoredTensor>& tensors) {
  const absl::Status written = tensor_files::WriteTensors(path, tensors, {});
  EXPECT_TRUE(written.ok()) << written;
  return path;
}

// Writes a float32 tensor as npy, version 1.0, in C order.
std::string Npy(const at::Tensor& tensor) {
  std::string shape;
  for (const int64_t size : tensor.sizes()) absl::StrAppend(&shape, size, ", ");
  std::string header =
      absl::StrCat("{'descr': '<f4', 'fortran_order': False, 'shape': (", shape, "), }");
  header.resize((10 + header.size() + 1 + 63) / 64 * 64 - 10 - 1, ' ');
  header += '\n';
  return absl::StrCat(
      std::string("\x93NUMPY\x01\x00", 8), std::string(1, static_cast<char>(header.size())),
      std::string(1, '\0'), header,
      std::string_view(static_cast<const char*>(tensor.const_data_ptr()), tensor.nbytes()));
}

// Weights, an input, and the float64 output computed without this suite's model.
struct Elsewhere {
  std::vector<StoredTensor> weights;
  at::Tensor input, output;

  Elsewhere() {
    at::manual_seed(1);
    for (const auto& [name, out, in] : {std::tuple{"0", 7, 5}, {"2", 7, 7}, {"4", 3, 7}}) {
      weights.push_back({absl::StrCat(name, ".weight"), at::randn({out, in})});
      weights.push_back({absl::StrCat(name, ".bias"), at::randn({out})});
    }
    input = at::randn({2, 5});
    at::Tensor x = input.to(at::kDouble);
    for (size_t layer = 0; layer < 3; ++layer) {
      x = at::matmul(x, weights[2 * layer].tensor.to(at::kDouble).t()) +
          weights[2 * layer + 1].tensor.to(at::kDouble);
      if (layer < 2) x = at::clamp_min(x, 0);
    }
    output = (x - x.amax(-1, true)).exp();
    output = output / output.sum(-1, true);
  }
};

Verdict Judged(const GivenPaths& paths) {
  const ResolvedCase c = SmallMlpCase();
  absl::StatusOr<GivenFiles> given = ReadGivenFiles(paths, c);
  EXPECT_TRUE(given.ok()) << given.status();
  absl::StatusOr<LoadedProgram> loaded = ProgramWithWeights(*given->weights, {}, c);
  EXPECT_TRUE(loaded.ok()) << loaded.status();
  const auto eager = execution::LoadEager({}, *loaded->program);
  return VerifyAgainst(c, *eager, at::kCPU, given->inputs, given->reference->outputs);
}

TEST(GivenFiles, AConfigJsonInTheFolderOfTheWeightsIsRead) {
  const std::string folder = tensor_files::TestFolder();
  GivenPaths paths{.weights = folder};
  EXPECT_TRUE(WithConfigBeside(paths, SmallMlpCase()).ok());
  EXPECT_TRUE(paths.notes.empty());  // there is none
  paths.config_ignore = {"key"};
  EXPECT_THAT(std::string(WithConfigBeside(paths, SmallMlpCase()).status().message()),
              HasSubstr(absl::StrCat("there is no ", folder, "/config.json")));
  paths.config_ignore = {};
  ASSERT_TRUE(tensor_files::WriteFileAtomically(folder + "/config.json", "{}").ok());
  EXPECT_TRUE(WithConfigBeside(paths, SmallMlpCase()).ok());
  EXPECT_THAT(paths.notes, testing::ElementsAre(HasSubstr("mlp has no table of its keys")));
  ResolvedCase c = SmallMlpCase();
  c.mutable_implementation()->add_checkpoint_configs()->set_model_type("mlp");
  for (const std::string& weights : {folder, folder + "/model.safetensors"}) {
    paths.weights = weights;
    EXPECT_THAT(std::string(WithConfigBeside(paths, c).status().message()),
                HasSubstr(folder + "/config.json: \"model_type\" is not there"));
  }
}

TEST(GivenFiles, ACheckpointOfSomebodyElsePassesAgainstOutputsMadeElsewhere) {
  const std::string folder = tensor_files::TestFolder();
  const Elsewhere elsewhere;
  std::filesystem::create_directory(folder + "/in");
  std::filesystem::create_directory(folder + "/out");
  ASSERT_TRUE(
      tensor_files::WriteFileAtomically(folder + "/in/input_0.npy", Npy(elsewhere.input)).ok());
  ASSERT_TRUE(tensor_files::WriteFileAtomically(folder + "/out/output_0.npy",
                                                Npy(elsewhere.output.to(at::kFloat)))
                  .ok());
  const std::string weights = Written(folder + "/model.safetensors", elsewhere.weights);
  const std::string input = Written(folder + "/i.safetensors", {{"input", elsewhere.input}});
  const std::string plain =
      Written(folder + "/o.safetensors", {{"probabilities", elsewhere.output}});
  const std::string blob = folder + "/blob.safetensors";
  ASSERT_TRUE(
      numerics::WriteReference(blob, {{"probabilities", elsewhere.output}}, {{"provenance", "me"}})
          .ok());
  for (const GivenPaths& paths : {GivenPaths{weights, "", input, plain},
                                  {folder + "/model.safetensors", "", folder + "/in", blob},
                                  {weights, "", folder + "/in", folder + "/out"}}) {
    const Verdict verdict = Judged(paths);
    EXPECT_EQ(verdict.outcome(), PASS) << verdict.message();
    EXPECT_GT(verdict.outputs(0).max_error(), 0) << "float32 against float64 cannot agree to a bit";
    EXPECT_LT(verdict.outputs(0).max_error(), 1e-5);
  }
}

TEST(GivenFiles, OneWeightOffIsSeen) {
  const std::string folder = tensor_files::TestFolder();
  Elsewhere elsewhere;
  elsewhere.weights[5].tensor[1] += 1e-2;
  const Verdict verdict =
      Judged({Written(folder + "/w.safetensors", elsewhere.weights), "",
              Written(folder + "/i.safetensors", {{"input", elsewhere.input}}),
              Written(folder + "/o.safetensors", {{"probabilities", elsewhere.output}})});
  EXPECT_EQ(verdict.outcome(), FAIL_ACCURACY);
}

TEST(ProgramWithWeights, TheCasesImplementationSaysWhatIsLeftOutAndTheUserThePrefix) {
  Elsewhere elsewhere;
  for (StoredTensor& stored : elsewhere.weights) stored.name = "ema." + stored.name;
  elsewhere.weights.push_back({"ema.head.bias", at::ones({1})});
  elsewhere.weights.push_back({"online.0.bias", at::ones({7})});
  const auto given = ReadGivenFiles(
      {.weights = Written(tensor_files::TestFolder() + "/w.safetensors", elsewhere.weights)},
      SmallMlpCase());
  ASSERT_TRUE(given.ok()) << given.status();
  EXPECT_FALSE(ProgramWithWeights(*given->weights, {.weights_prefix = "ema."}, SmallMlpCase()).ok())
      << "no head is declared";
  ResolvedCase c = SmallMlpCase();
  c.mutable_implementation()->mutable_checkpoint_extras()->add_heads("head");
  EXPECT_FALSE(ProgramWithWeights(*given->weights, {}, c).ok()) << "online.0.bias is unexpected";
  const auto loaded = ProgramWithWeights(*given->weights, {.weights_prefix = "ema."}, c);
  EXPECT_TRUE(ProgramWithWeights(*given->weights,
                                 {.weights_prefix = "ema.", .weights_ignore = {"head"}},
                                 SmallMlpCase())
                  .ok());
  ASSERT_TRUE(loaded.ok()) << loaded.status();
  EXPECT_EQ(loaded->weights.tensors(), 6);
  EXPECT_THAT(loaded->weights.conversions(),
              testing::ElementsAre("6 tensors have \"ema.\" in front of their names",
                                   HasSubstr("\"ema.head.bias\""), HasSubstr("\"online.0.bias\"")));
}

TEST(GivenFiles, OutputsOfOtherInputsDoNotPass) {
  const std::string folder = tensor_files::TestFolder();
  const Elsewhere elsewhere;
  const Verdict verdict =
      Judged({Written(folder + "/w.safetensors", elsewhere.weights), "", "",
              Written(folder + "/o.safetensors", {{"probabilities", elsewhere.output}})});
  EXPECT_EQ(verdict.outcome(), FAIL_ACCURACY) << "the seeded inputs are others";
}

TEST(GivenFiles, LargeReferencesAreComparedWhole) {
  const std::string path = Written(tensor_files::TestFolder() + "/o.safetensors",
                                   {{"probabilities", at::rand({2, 5000})}});
  const absl::StatusOr<GivenFiles> given = ReadGivenFiles({.reference = path}, SmallMlpCase());
  ASSERT_TRUE(given.ok()) << given.status();
  const numerics::ReferenceOutput& output = given->reference->outputs.outputs[0];
  EXPECT_FALSE(output.sampled);
  EXPECT_EQ(output.values.size(), 10000u);
  EXPECT_TRUE(numerics::Validate(output).ok());
}

TEST(GivenFiles, TheReferenceSaysWhoseItIs) {
  const Elsewhere elsewhere;
  const std::string path = tensor_files::TestFolder() + "/blob.safetensors";
  const auto sha256 = numerics::WriteReference(path, {{"probabilities", elsewhere.output}},
                                               {{"provenance", "jax 0.9, float64"}});
  const absl::StatusOr<GivenFiles> given = ReadGivenFiles({.reference = path}, SmallMlpCase());
  ASSERT_TRUE(given.ok()) << given.status();
  EXPECT_EQ(given->reference->artifact.sha256(), *sha256);
  EXPECT_EQ(given->reference->artifact.provenance(),
            "blob.safetensors, given by --reference: jax 0.9, float64");
}

constexpr char kTokens[] = "integers { limit: 100 }";

// Applies `change` to `input`, reads it for the case and returns the status.
absl::Status InputStatus(const at::Tensor& input, const std::string& distribution = "uniform {}",
                         Dtype dtype = FP32) {
  ResolvedCase c = SmallMlpCase();
  TensorSpec& spec = *c.mutable_verified()->mutable_inputs(0);
  EXPECT_TRUE(
      google::protobuf::TextFormat::ParseFromString(distribution, spec.mutable_distribution()));
  spec.set_dtype(dtype);
  const std::string path =
      Written(tensor_files::TestFolder() + "/i.safetensors", {{"input", input}});
  return ReadGivenFiles({.inputs = path}, c).status();
}

TEST(GivenFiles, AnInputMustFitTheVerifiedCall) {
  EXPECT_TRUE(InputStatus(at::zeros({2, 5})).ok());
  EXPECT_TRUE(InputStatus(at::zeros({2, 5}, at::kDouble)).ok()) << "rounded to the case's dtype";
  EXPECT_TRUE(InputStatus(at::full({2, 5}, 99, at::kLong), kTokens, INT64).ok());
  EXPECT_TRUE(
      InputStatus(at::full({2, 5}, -3, at::kLong), "integers { low: -3 limit: 4 }", INT64).ok());
  EXPECT_TRUE(InputStatus(at::tensor({9, 0, 9, 0, 9, 9, 9, 9, 0, 0}, at::kLong).view({2, 5}),
                          "integers { limit: 9 run: 3 }", INT64)
                  .ok());
  EXPECT_TRUE(InputStatus(at::ones({2, 5}, at::kBool), "bernoulli { p: 0.5 }", BOOL).ok());
  EXPECT_TRUE(InputStatus(at::full({2, 5}, std::numeric_limits<int64_t>::max(), at::kLong),
                          "integers { low: -3 limit: 9223372036854775807 }", INT64)
                  .ok());
  // They are the user's: a mask holds -inf.
  EXPECT_TRUE(InputStatus(at::full({2, 5}, std::nanf(""))).ok());
  EXPECT_TRUE(InputStatus(at::full({2, 5}, -INFINITY), "uniform {}", FP16).ok());
  const struct {
    absl::Status status;
    std::string_view message;
  } cases[] = {
      {InputStatus(at::zeros({5})),
       "input \"input\" has shape [5]; the verified call takes [2, 5]"},
      {InputStatus(at::zeros({1, 5})), "has shape [1, 5]"},
      {InputStatus(at::zeros({2, 5}, at::kInt)), "is Int; the case takes fp32"},
      {InputStatus(at::zeros({2, 5}, at::kInt), kTokens, INT64), "is Int; the case takes int64"},
      {InputStatus(at::zeros({2, 5}), kTokens, INT64), "is Float; the case takes int64"},
      {InputStatus(at::full({2, 5}, 1e6), "uniform {}", FP16),
       "holds numbers that are infinite as fp16"},
      {InputStatus(at::full({2, 5}, 100, at::kLong), kTokens, INT64),
       "holds 100 at [0, 0]; it may hold 0 to 99"},
      {InputStatus(at::full({2, 5}, -1, at::kLong), kTokens, INT64), "holds -1"},
      // The first of two.
      {InputStatus(at::arange(8, 18).view({2, 5}), "integers { limit: 16 }", INT64),
       "holds 16 at [1, 3]; it may hold 0 to 15"},
      {InputStatus(at::full({2, 5}, 2, at::kLong), "prefix_mask {}", INT64),
       "holds 2 at [0, 0]; it may hold 0 to 1"},
      {InputStatus(at::full({2, 5}, -4, at::kLong), "integers { low: -3 limit: 4 }", INT64),
       "holds -4 at [0, 0]; it may hold -3 to 3"},
      {InputStatus(at::full({2, 5}, 4, at::kInt), "integers { low: -3 limit: 4 }", INT32),
       "holds 4 at [0, 0]; it may hold -3 to 3"},
      {InputStatus(at::full({2, 5}, 10, at::kLong), "integers { limit: 9 run: 3 }", INT64),
       "holds 10 at [0, 0]; it may hold 0 to 9"},
      {InputStatus(at::tensor({9, 0, 9, 0, 9, 9, 9, 8, 0, 0}, at::kLong).view({2, 5}),
                   "integers { limit: 9 run: 3 }", INT64),
       "holds 9 at 2 places of row 1; the case has it at 3 places of each row"},
      {InputStatus(at::full({2, 5}, 10, at::kLong), "zipf { limit: 10 exponent: 1 }", INT64),
       "holds 10 at [0, 0]; it may hold 0 to 9"},
      {InputStatus(at::full({2, 5}, 1000, at::kLong), "time_steps { limit: 1000 }", INT64),
       "holds 1000 at [0, 0]; it may hold 0 to 999"},
      {InputStatus(at::full({2, 5}, 40, at::kLong), "bag_offsets { bag_size: 4 }", INT64),
       "holds 40 at [0, 0]; it may hold 0 to 39"},
      {InputStatus(at::full({2, 5}, 3, at::kLong), "uniform {}", INT64),
       "holds integers; its distribution is uniform"},
  };
  for (const auto& row : cases) {
    EXPECT_EQ(row.status.code(), absl::StatusCode::kInvalidArgument) << row.message;
    EXPECT_THAT(row.status.message(), HasSubstr(row.message));
  }
}

// Two rows' bags: "indices" by the input "bags", which `distribution` makes offsets or lengths.
absl::Status BagsStatus(const char* distribution, const at::Tensor& bags, int64_t elements) {
  ResolvedCase c = SmallMlpCase();
  Workload& verified = *c.mutable_verified();
  verified.clear_inputs();
  EXPECT_TRUE(google::protobuf::TextFormat::ParseFromString(
      absl::StrCat(R"(inputs { name: "indices" dtype: INT64 shape: 7 bags: "bags"
                               distribution { integers { limit: 100 } } }
                      inputs { name: "bags" dtype: INT64 shape: 2 distribution { )",
                   distribution, " } }"),
      &verified));
  const std::string path = Written(tensor_files::TestFolder() + "/i.safetensors",
                                   {{"indices", at::zeros({elements}, at::kLong)}, {"bags", bags}});
  return ReadGivenFiles({.inputs = path}, c).status();
}

TEST(GivenFiles, BagsMayHaveAnySizeAndMustFitTheirElements) {
  constexpr char kOffsets[] = "bag_offsets { bag_size: 5 spread: 4 }";
  constexpr char kLengths[] = "integers { limit: 6 }";
  const auto pair = [](int64_t a, int64_t b) { return at::tensor({a, b}, at::kLong); };
  EXPECT_TRUE(BagsStatus(kOffsets, pair(0, 40), 50).ok()) << "longer than a seeded one";
  EXPECT_TRUE(BagsStatus(kOffsets, pair(0, 50), 50).ok()) << "the last is empty";
  EXPECT_TRUE(BagsStatus(kLengths, pair(0, 5), 5).ok());
  const struct {
    absl::Status status;
    std::string_view message;
  } cases[] = {
      {BagsStatus(kOffsets, pair(3, 2), 5),
       "i.safetensors: input \"bags\" holds offsets that run backwards: 2 comes after 3, of "
       "\"indices\""},
      {BagsStatus(kOffsets, pair(1, 2), 5), "holds offsets from 1 to 2; the first is 0"},
      {BagsStatus(kOffsets, pair(0, 6), 5),
       "holds offsets from 0 to 6; the first is 0 and the last "},
      {BagsStatus(kLengths, pair(1, 3), 5), "holds lengths whose sum is 4; the bags hold 5"},
      {BagsStatus(kLengths, pair(0, 0), 0), "holds lengths whose sum is 0; the bags hold 0"},
      {BagsStatus(kLengths, pair(-1, 6), 5), "holds -1 at [0]; it may hold 0 to 5"},
  };
  for (const auto& row : cases) EXPECT_THAT(row.status.message(), HasSubstr(row.message));
}

TEST(GivenFiles, NamesThatAreMissingOrUnexpectedAreListed) {
  const std::string path = Written(tensor_files::TestFolder() + "/o.safetensors",
                                   {{"logits", at::ones({2})}, {"loss", at::ones({1})}});
  const absl::Status status = ReadGivenFiles({.reference = path}, SmallMlpCase()).status();
  EXPECT_EQ(status.code(), absl::StatusCode::kInvalidArgument);
  EXPECT_THAT(status.message(),
              HasSubstr("o.safetensors: it must hold the outputs probabilities; missing "
                        "\"probabilities\"; unexpected \"logits\", \"loss\""));
}

TEST(GivenFiles, AFolderMustHoldAsManyOutputsAsTheCase) {
  const std::string folder = tensor_files::TestFolder();
  for (const char* name : {"/output_0.npy", "/output_1.npy"})
    ASSERT_TRUE(tensor_files::WriteFileAtomically(folder + name, Npy(at::ones({2, 3}))).ok());
  const absl::Status status = ReadGivenFiles({.reference = folder}, SmallMlpCase()).status();
  EXPECT_EQ(status.code(), absl::StatusCode::kInvalidArgument);
  EXPECT_THAT(status.message(), HasSubstr("it holds 2 outputs, the case has 1: probabilities"));
}

TEST(GivenFiles, ABlobOfAnOldFormatIsRefusedWithItsMend) {
  const std::string path = tensor_files::TestFolder() + "/old.safetensors";
  const absl::Status written = tensor_files::WriteTensors(
      path, {{"probabilities", at::ones({2, 3}, at::kDouble)}}, {{"format", "assay-reference-2"}});
  ASSERT_TRUE(written.ok()) << written;
  const absl::Status status = ReadGivenFiles({.reference = path}, SmallMlpCase()).status();
  for (const std::string& part : {path, std::string("assay-reference-2, must be"),
                                  std::string("make the blob anew: tools/bazel run")})
    EXPECT_THAT(status.message(), HasSubstr(part));
}

TEST(GivenFiles, AReferenceWithNanIsRefused) {
  const std::string path = Written(tensor_files::TestFolder() + "/o.safetensors",
                                   {{"probabilities", at::full({2, 3}, std::nanf(""))}});
  const absl::Status status = ReadGivenFiles({.reference = path}, SmallMlpCase()).status();
  EXPECT_EQ(status.code(), absl::StatusCode::kInvalidArgument);
  EXPECT_THAT(status.message(), HasSubstr("all of its elements are NaN"));
}

TEST(GivenFiles, AReferenceMayHoldInfinity) {
  at::Tensor masked = at::ones({2, 3}, at::kDouble);
  masked[1][2] = -INFINITY;
  const std::string path =
      Written(tensor_files::TestFolder() + "/o.safetensors", {{"probabilities", masked}});
  const auto given = ReadGivenFiles({.reference = path}, SmallMlpCase());
  ASSERT_TRUE(given.ok()) << given.status();
  EXPECT_EQ(given->reference->outputs.outputs[0].nonfinite.size(), 1U);
}

TEST(GivenFiles, WhatCannotBeHadIsToldFromWhatIsNoGood) {
  const std::string folder = tensor_files::TestFolder();
  ASSERT_TRUE(tensor_files::WriteFileAtomically(folder + "/x.safetensors", "<html>").ok());
  ASSERT_TRUE(tensor_files::WriteFileAtomically(folder + "/x.npz", "<html>").ok());
  for (const std::string name : {"/x.safetensors", "/x.npz"}) {
    for (const GivenPaths& paths :
         {GivenPaths{.inputs = folder + name}, GivenPaths{.reference = folder + name}}) {
      const absl::Status status = ReadGivenFiles(paths, SmallMlpCase()).status();
      EXPECT_EQ(status.code(), absl::StatusCode::kDataLoss) << status;
      EXPECT_THAT(status.message(), HasSubstr(name));
      EXPECT_FALSE(Unreadable(status));
    }
  }
  for (const GivenPaths& paths :
       {GivenPaths{.weights = folder + "/none"}, GivenPaths{.inputs = folder + "/none"},
        GivenPaths{.inputs = folder + "/none.npz"}, GivenPaths{.reference = folder + "/none"}}) {
    const absl::Status status = ReadGivenFiles(paths, SmallMlpCase()).status();
    EXPECT_TRUE(Unreadable(status)) << status;
    EXPECT_THAT(status.message(), HasSubstr("/none"));
  }
}

TEST(IdentityOf, AFileReplacedAfterwardsIsNotWhatWasRead) {
  const std::string path = tensor_files::TestFolder() + "/reference.npz";
  ASSERT_TRUE(tensor_files::WriteFileAtomically(path, "a").ok());
  const absl::StatusOr<GivenFile> identity = IdentityOf(path);
  ASSERT_TRUE(identity.ok()) << identity.status();
  EXPECT_TRUE(CheckUnchanged(path, *identity).ok());
  ASSERT_TRUE(tensor_files::WriteFileAtomically(path, "b").ok());
  EXPECT_THAT(CheckUnchanged(path, *identity).message(), HasSubstr("replaced while it was read"));
}

TEST(IdentityOf, FilesThatBelongToAFileChangeItsDigest) {
  const std::string folder = tensor_files::TestFolder();
  const std::string model = folder + "/model.onnx", data = folder + "/model.onnx.data";
  ASSERT_TRUE(tensor_files::WriteFileAtomically(model, "a").ok());
  ASSERT_TRUE(tensor_files::WriteFileAtomically(data, "b").ok());
  EXPECT_EQ(IdentityOf(model, {})->sha256(), IdentityOf(model)->sha256());
  const absl::StatusOr<GivenFile> both = IdentityOf(model, {data});
  ASSERT_TRUE(both.ok()) << both.status();
  EXPECT_EQ(both->name(), "model.onnx");
  EXPECT_EQ(both->size_bytes(), 2);
  // printf a >model.onnx; printf b >model.onnx.data; sha256sum model.onnx{,.data} | cut -c-64 | sha256sum
  EXPECT_EQ(both->sha256(), "bf75fafab8e46555836b92f1b04106b795a9ed36bd39b351f103b28819895f33");
  ASSERT_TRUE(tensor_files::WriteFileAtomically(data, "c").ok());
  EXPECT_NE(IdentityOf(model, {data})->sha256(), both->sha256());
  EXPECT_NE(IdentityOf(data, {model})->sha256(), IdentityOf(model, {data})->sha256());
  EXPECT_TRUE(Unreadable(IdentityOf(model, {folder + "/none"}).status()));
}

TEST(IdentityOf, AFolderIsNamedByWhatSha256sumPrints) {
  const std::string folder = tensor_files::TestFolder() + "/outputs_npy";
  std::filesystem::create_directory(folder);
  ASSERT_TRUE(tensor_files::WriteFileAtomically(folder + "/output_0.npy", "a").ok());
  ASSERT_TRUE(tensor_files::WriteFileAtomically(folder + "/output_1.npy", "b").ok());
  const absl::StatusOr<GivenFile> identity = IdentityOf(folder + "/");
  ASSERT_TRUE(identity.ok()) << identity.status();
  EXPECT_EQ(identity->size_bytes(), 2);
  // printf a >output_0.npy; printf b >output_1.npy; sha256sum *.npy | sha256sum
  EXPECT_EQ(identity->sha256(), "918eeba7e0f0f561e4780b95d5edc59a703ae56ff7e12d1c058c61ac6d398e6e");
}

}  // namespace
}  // namespace assay::runner

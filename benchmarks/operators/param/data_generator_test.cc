#include "benchmarks/operators/param/data_generator.h"

#include <ATen/core/Tensor.h>
#include <ATen/ops/equal.h>
#include <ATen/ops/tensor.h>

#include <cstdlib>
#include <string>
#include <vector>

#include "absl/strings/match.h"
#include "benchmarks/operators/param/embedding_data.h"
#include "benchmarks/operators/param/error_class.h"
#include "gtest/gtest.h"

namespace assay::param {
namespace {

absl::StatusOr<execution::OperatorArguments> Generate(const char* args,
                                                      const GeneratorOptions& options = {"op"},
                                                      std::string_view generator = "") {
  return (*FindDataGenerator(generator).value())({{"args", Json::parse(args)}}, options);
}

at::Tensor Tensor(const std::string& dtype, const std::string& shape,
                  const std::string& more = "") {
  const std::string args =
      R"([{"type": "tensor", "dtype": ")" + dtype + R"(", "shape": )" + shape + more + "}]";
  const auto values = Generate(args.c_str());
  EXPECT_TRUE(values.ok()) << values.status();
  return values->positional[0].toTensor();
}

TEST(DataGenerator, BothSpellingsOfTheDefaultsName) {
  EXPECT_EQ(*FindDataGenerator("PyTorch:DefaultDataGenerator"), *FindDataGenerator(""));
  EXPECT_EQ(*FindDataGenerator("PyTorch::DefaultDataGenerator"), *FindDataGenerator(""));
  const absl::Status unknown = FindDataGenerator("Torch").status();
  EXPECT_EQ(ClassOf(unknown), "UNKNOWN_GENERATOR");
  EXPECT_TRUE(absl::StrContains(unknown.message(), "PyTorch:DefaultDataGenerator"));
}

TEST(DataGenerator, TensorsHaveParamsValues) {
  for (const char* dtype : {"float", "double", "float16", "bfloat16"}) {
    const at::Tensor x = Tensor(dtype, "[100, 10]").to(at::kDouble);
    EXPECT_GE(x.min().item<double>(), 0) << dtype;
    EXPECT_LE(x.max().item<double>(), 1) << dtype;
    EXPECT_NEAR(x.mean().item<double>(), 0.5, 0.05) << dtype;
  }
  for (const char* dtype : {"int8", "int16", "int", "long"}) {
    const at::Tensor x = Tensor(dtype, "[1000]");
    EXPECT_EQ(x.min().item<int64_t>(), -10) << dtype;
    EXPECT_EQ(x.max().item<int64_t>(), 9) << dtype;
  }
  EXPECT_EQ(Tensor("uint8", "[1000]").min().item<int64_t>(), 0);
  EXPECT_NEAR(Tensor("bool", "[1000]").to(at::kFloat).mean().item<float>(), 0.5, 0.1);
  EXPECT_EQ(Tensor("float16", "[]").dim(), 0);
}

TEST(DataGenerator, TensorsHaveTheStridesAndValuesThatTheyAreGiven) {
  const at::Tensor turned = Tensor("float", "[3, 4]", R"(, "strides": [1, 3])");
  EXPECT_EQ(turned.strides(), (std::vector<int64_t>{1, 3}));
  EXPECT_EQ(turned.storage().nbytes(), 12 * sizeof(float));
  const at::Tensor indices = Tensor("long", "[1000]", R"(, "value_range": [5, 7])");
  EXPECT_EQ(indices.min().item<int64_t>(), 5);
  EXPECT_EQ(indices.max().item<int64_t>(), 7);
}

TEST(DataGenerator, OnlyFloatsAskForGradients) {
  EXPECT_TRUE(Tensor("float", "[2]").requires_grad());
  EXPECT_TRUE(Tensor("bfloat16", "[2]").is_leaf());
  EXPECT_FALSE(Tensor("float", "[2]", R"(, "requires_grad": false)").requires_grad());
  for (const char* dtype : {"uint8", "int8", "int16", "int", "long", "bool"})
    EXPECT_FALSE(Tensor(dtype, "[2]").requires_grad()) << dtype;
}

TEST(DataGenerator, ValuesFollowFromSeedAndPlaceAlone) {
  const char* args =
      R"([{"type": "tensor", "dtype": "float", "shape": [8]}, {"type": "int", "value_range": [0, 1000000]}])";
  const auto one = Generate(args), same = Generate(args),
             other = Generate(args, {.place = "other"}),
             seeded = Generate(args, {.place = "op", .seed = 1});
  EXPECT_TRUE(at::equal(one->positional[0].toTensor(), same->positional[0].toTensor()));
  EXPECT_FALSE(at::equal(one->positional[0].toTensor(), other->positional[0].toTensor()));
  EXPECT_FALSE(at::equal(one->positional[0].toTensor(), seeded->positional[0].toTensor()));
  EXPECT_EQ(one->positional[1].toInt(), same->positional[1].toInt());
  EXPECT_NE(one->positional[1].toInt(), other->positional[1].toInt());
}

TEST(DataGenerator, WhatDoesNotFitIntoMemoryIsRefusedBeforeItIsMade) {
  const auto values =
      Generate(R"([{"type": "tensor", "dtype": "float", "shape": [1099511627776]}])",
               {.place = "op", .memory_bytes = 1e9});
  EXPECT_EQ(ClassOf(values.status()), "OUT_OF_MEMORY");
  EXPECT_EQ(values.status().message(), "the tensors take 4.00 TiB, of memory there are 954 MiB");
}

TEST(EmbeddingIndices, FollowAlpha) {
  using Indices = std::vector<int64_t>;
  EXPECT_EQ(EmbeddingIndices(0, 6, 2, 100, "p", 0), Indices({0, 1, 0, 1, 0, 1}));
  EXPECT_EQ(EmbeddingIndices(0.5, 6, 2, 4, "p", 0), Indices({0, 1, 2, 3, 0, 1}));
  const Indices uniform = EmbeddingIndices(1, 10'000, 2, 10, "p", 0);
  const Indices zipf = EmbeddingIndices(2, 10'000, 2, 1000, "p", 0);
  std::vector<int> uniform_counts(10), zipf_counts(1000);
  for (const int64_t i : uniform) ++uniform_counts[static_cast<size_t>(i)];
  for (const int64_t i : zipf) ++zipf_counts[static_cast<size_t>(i)];
  for (const int count : uniform_counts) EXPECT_NEAR(count, 1000, 150);
  // P(k) = k^-2 / (pi^2 / 6): 0.6079 and 0.1520 of the draws.
  EXPECT_NEAR(zipf_counts[1], 6079, 200);
  EXPECT_NEAR(zipf_counts[2], 1520, 150);
}

constexpr char kEmbedding[] = "SplitTableBatchedEmbeddingBagsCodegenInputDataGenerator";

TEST(EmbeddingData, TablesStandOneBehindTheOther) {
  const auto values = Generate(R"([{"type": "int", "value": 2}, {"type": "int", "value": [10, 20]},
      {"type": "int", "value": [4, 4]}, {"type": "int", "value": 3},
      {"type": "genericlist", "value": [{"type": "int", "value": 2}, {"type": "int", "value": 5}]},
      {"type": "bool", "value": true}, {"type": "str", "value": "fp16"}])",
                               {"op"}, kEmbedding);
  ASSERT_TRUE(values.ok()) << values.status();
  EXPECT_EQ(values->positional[0].toTensor().numel(), 3 * 2 + 3 * 5);
  EXPECT_TRUE(
      at::equal(values->positional[1].toTensor(), at::tensor({0, 2, 4, 6, 11, 16, 21}, at::kLong)));
  EXPECT_EQ(values->positional[2].toTensor().numel(), 21);
}

TEST(EmbeddingData, WrongRequestsAndFilesAreNamed) {
  const auto error = [](const char* args) {
    return std::string(Generate(args, {"op"}, kEmbedding).status().message());
  };
  EXPECT_TRUE(absl::StrContains(error("[]"), "7 arguments"));
  EXPECT_TRUE(
      absl::StrContains(error("[1, 0, 4, 3, 2, false, \"fp16\"]"), "rows is a whole number"));
  EXPECT_TRUE(absl::StrContains(error(R"([1, 9, 4, 3, {"type": "int", "value": 2,
      "indices_tensor": "/none/i.pt", "offsets_tensor": "/none/o.pt"}, false, "fp16"])"),
                                "/none/i.pt"));
}

}  // namespace
}  // namespace assay::param

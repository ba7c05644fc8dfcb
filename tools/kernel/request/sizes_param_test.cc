#include "tools/kernel/request/sizes_param.h"

#include <gmock/gmock.h>
#include <google/protobuf/text_format.h>
#include <gtest/gtest.h>

namespace assay::kernel {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;

OperatorRow Row(const char* text) {
  OperatorRow row;
  EXPECT_TRUE(google::protobuf::TextFormat::ParseFromString(text, &row));
  return row;
}

OperatorRow Mm() {
  return Row(R"(name: "mm"
    call { name: "aten::mm" inputs { name: "self" shape: ["m", "k"] }
           inputs { name: "mat2" shape: ["k", "n"] } }
    sizes { sizes { letter: "m" number: 1 } sizes { letter: "k" number: 2 }
            sizes { letter: "n" number: 3 } })");
}

absl::StatusOr<std::vector<std::string>> SizesIn(const OperatorRow& row, std::string_view text) {
  const auto file = param::ConfigFile::Parse("f.json", text);
  EXPECT_TRUE(file.ok()) << file.status();
  return SizesInParam(row, **file);
}

TEST(SizesParamTest, ConfigurationsOfTheOperatorAreSizesEachOnce) {
  const auto file =
      param::ConfigFile::Open("benchmarks/operators/param/configs/simple_mm_range.json");
  ASSERT_TRUE(file.ok()) << file.status();
  const absl::StatusOr<std::vector<std::string>> ranges = SizesInParam(Mm(), **file);
  ASSERT_TRUE(ranges.ok()) << ranges.status();
  EXPECT_EQ(ranges->front(), "m=128,k=256,n=256");
  EXPECT_EQ(ranges->back(), "m=2048,k=256,n=256");
  EXPECT_EQ(ranges->size(), 121);
  const auto models = param::ConfigFile::Open("benchmarks/operators/param/configs/llama2.json");
  ASSERT_TRUE(models.ok()) << models.status();
  EXPECT_THAT(*SizesInParam(Mm(), **models),
              ElementsAre("m=2048,k=4096,n=4096", "m=2048,k=4096,n=2048", "m=4096,k=11008,n=11008",
                          "m=11008,k=11008,n=4096"));
}

TEST(SizesParamTest, NamesListsAndProductsAreUnderstood) {
  const OperatorRow cat = Row(R"(name: "cat"
    call { name: "aten::cat" inputs { name: "tensors.0" shape: ["r", "c"] }
           inputs { name: "tensors.1" shape: ["r", "2*c"] } }
    sizes { sizes { letter: "r" number: 1 } sizes { letter: "c" number: 2 } })");
  constexpr char kCat[] = R"({"aten::cat": {"config": [{"input": [{"args": [
      {"type": "genericlist", "value": [{"type": "tensor", "dtype": "float", "shape": [5, 7]},
                                        {"type": "tensor", "dtype": "float", "shape": [5, 14]}]},
      {"type": "int", "value": 1}]}]}]}})";
  EXPECT_THAT(*SizesIn(cat, kCat), ElementsAre("r=5,c=7"));
  constexpr char kNamed[] = R"({"torch.mm": {"config": [{"input": [{"args": [], "kwargs": {
      "mat2": {"type": "tensor", "dtype": "float", "shape": [3, 9]},
      "self": {"type": "tensor", "dtype": "float", "shape": [8, 3]}}}]}]},
      "torch.mm_": {"config": [{"input": [{"args": []}]}]}})";
  EXPECT_THAT(*SizesIn(Mm(), kNamed), ElementsAre("m=8,k=3,n=9"));
}

TEST(SizesParamTest, WhatDoesNotFitIsNamed) {
  constexpr char kOther[] = R"({"torch.mm": {"config": [{"input": [{"args": [
      {"type": "tensor", "dtype": "float", "shape": [4, 5]},
      {"type": "tensor", "dtype": "float", "shape": [6, 7]}]}]}]}})";
  EXPECT_THAT(SizesIn(Mm(), kOther).status().message(),
              HasSubstr("torch.mm|0|0|0: its tensors have other shapes than mm, self of [m, k]"));
  constexpr char kAdd[] = R"({"torch.add": {"config": [{"input": [{"args": []}]}]}})";
  EXPECT_THAT(SizesIn(Mm(), kAdd).status().message(),
              HasSubstr("no configuration of mm; it has torch.add"));
}

}  // namespace
}  // namespace assay::kernel

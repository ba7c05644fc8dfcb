#include "benchmarks/operators/param/arguments.h"

#include <string>

#include "absl/strings/str_cat.h"
#include "benchmarks/operators/param/error_class.h"
#include "gtest/gtest.h"

namespace assay::param {
namespace {

Argument Read(const char* json) {
  const auto arguments = ReadArguments({{"args", Json::array({Json::parse(json)})}});
  EXPECT_TRUE(arguments.ok()) << arguments.status();
  return arguments.ok() ? arguments->positional[0] : Argument();
}

std::string Error(const char* json) {
  const absl::Status status = ReadArguments(Json::parse(json)).status();
  EXPECT_EQ(ClassOf(status), "INVALID_CONFIG") << json;
  return std::string(status.message());
}

TEST(Arguments, ANumberIsWhatItIsWrittenAs) {
  EXPECT_EQ(std::get<int64_t>(Read(R"({"type": "int", "value": 0})").value), 0);
  EXPECT_EQ(std::get<double>(Read(R"({"type": "int", "value": 2.5})").value), 2.5);
  EXPECT_EQ(std::get<int64_t>(Read(R"({"type": "float", "value": 2})").value), 2);
  EXPECT_EQ(std::get<bool>(Read(R"({"type": "bool", "value": false})").value), false);
  EXPECT_EQ(std::get<std::string>(Read(R"({"type": "str"})").value), "");
  EXPECT_EQ(std::get<Device>(Read(R"({"type": "device", "value": "cpu"})").value).name, "cpu");
  EXPECT_TRUE(std::holds_alternative<std::monostate>(Read(R"({"type": "none"})").value));
}

TEST(Arguments, RangesHaveTwoEnds) {
  const auto whole =
      std::get<Drawn<int64_t>>(Read(R"({"type": "long", "value_range": [-3, 4]})").value);
  EXPECT_EQ(whole.low, -3);
  EXPECT_EQ(whole.high, 4);
  EXPECT_EQ(
      std::get<Drawn<double>>(Read(R"({"type": "double", "value_range": [0, 0.5]})").value).high,
      0.5);
}

TEST(Arguments, ListsAndTuplesNest) {
  const auto list = std::get<ListArgument>(Read(R"({"type": "tuple", "value": [
      {"type": "genericlist", "value": [{"type": "int", "value": 1}, 2]},
      {"type": "tensor", "dtype": "bfloat16", "shape": [2, 0], "requires_grad": false}]})")
                                               .value);
  EXPECT_TRUE(list.is_tuple);
  const auto& inner = std::get<ListArgument>(list.items[0].value);
  EXPECT_FALSE(inner.is_tuple);
  EXPECT_EQ(std::get<int64_t>(inner.items[1].value), 2);
  const auto& tensor = std::get<TensorArgument>(list.items[1].value);
  EXPECT_EQ(tensor.dtype, c10::kBFloat16);
  EXPECT_EQ(tensor.shape, std::vector<int64_t>({2, 0}));
  EXPECT_FALSE(tensor.requires_grad);
}

TEST(Arguments, EveryDtypeOfParamIsKnown) {
  for (const char* dtype : {"uint8", "int8", "int16", "int", "long", "float", "double", "float16",
                            "bfloat16", "bool"}) {
    const std::string json =
        absl::StrCat(R"({"type": "tensor", "dtype": ")", dtype, R"(", "shape": []})");
    EXPECT_TRUE(std::get<TensorArgument>(Read(json.c_str()).value).requires_grad) << dtype;
  }
}

TEST(Arguments, SizesMayBeSignedNumbersAsRangesMakeThem) {
  Json tensor = Json::parse(R"({"type": "tensor", "dtype": "float", "shape": [0]})");
  tensor["shape"][0] = int64_t{5};
  const auto arguments = ReadArguments({{"args", Json::array({tensor})}});
  ASSERT_TRUE(arguments.ok()) << arguments.status();
  EXPECT_EQ(std::get<TensorArgument>(arguments->positional[0].value).shape[0], 5);
}

TEST(Arguments, NothingIsNoArguments) {
  EXPECT_TRUE(ReadArguments(Json()).ok());
  EXPECT_TRUE(ReadArguments(Json::array()).ok());
  EXPECT_TRUE(ReadArguments(Json::parse(R"({"args": null, "kwargs": {}})")).ok());
}

TEST(Arguments, WhatIsWrongIsNamedByItsPlace) {
  EXPECT_EQ(Error(R"({"args": [1, {"type": "tensor", "dtype": "float", "shape": [3, -1]}]})"),
            "/args/1/shape/1: a size is a whole number that is not negative: -1");
  EXPECT_EQ(Error(R"({"args": [{"type": "tensor", "dtype": "float", "shape": [1.5]}]})"),
            "/args/0/shape/0: a size is a whole number that is not negative: 1.5");
  EXPECT_EQ(Error(R"({"kwargs": {"k": {"type": "int"}}})"),
            "/kwargs/k: has neither \"value\" nor \"value_range\"");
  EXPECT_EQ(Error(R"({"args": [{"type": "int", "value_range": [2, 1]}]})"),
            "/args/0/value_range: low is above high: [2,1]");
  EXPECT_EQ(Error(R"({"args": [{"type": "int", "value_range": [1, 2.5]}]})"),
            "/args/0/value_range: want [low, high], two integers, given is [1,2.5]");
  EXPECT_EQ(Error(R"({"args": [{"type": "bool", "value": 1}]})"),
            "/args/0/value: want true or false");
  EXPECT_EQ(Error(R"({"args": {}})"), "/args: want a list");
  EXPECT_EQ(Error(R"([1])"), ": want an object with \"args\" and \"kwargs\"");
  EXPECT_EQ(Error(R"({"args": [{"type": "tensor", "dtype": "fp32", "shape": []}]})"),
            "/args/0/dtype: want one of bfloat16, bool, double, float, float16, int, int16, int8, "
            "long, uint8, given is \"fp32\"");
  EXPECT_EQ(
      Error(R"({"args": [{"type": "matrix"}]})"),
      "/args/0/type: want an argument's type, one of bool, device, double, float, genericlist, "
      "int, long, none, str, tensor, tuple, given is \"matrix\"");
}

TEST(Arguments, AKeyThatIsNoneIsNamedByItsPlace) {
  EXPECT_EQ(Error(R"({"args": [], "kwarg": {"dim": 0}})"),
            "/kwarg: there is no key \"kwarg\"; there are args, kwargs, id");
  EXPECT_EQ(
      Error(R"({"args": [{"type": "tensor", "dtype": "float", "shape": [2], "zzzzzzz": 1}]})"),
      "/args/0/zzzzzzz: there is no key \"zzzzzzz\"; there are type, name, dtype, shape, "
      "requires_grad, strides, value_range");
  EXPECT_EQ(
      Error(R"({"kwargs": {"k": {"type": "int", "value": 1, "__range__": ["value"]}}})"),
      "/kwargs/k/__range__: wants \"input_iterator\": \"RangeConfigIterator\" (build_iterator "
      "for a build)");
  Read(R"({"type": "int", "value": 1, "name": "rows", "comment": "of a table", "_by": "me"})");
}

TEST(Arguments, StridesAndValuesOfATensorAreChecked) {
  const auto tensor = [](const std::string& more) {
    return Error(
        (R"({"args": [{"type": "tensor", "dtype": "long", "shape": [2, 3], )" + more + "}]}")
            .c_str());
  };
  EXPECT_EQ(tensor(R"("strides": [1])"), "/args/0/strides: want a stride for each size");
  EXPECT_EQ(tensor(R"("strides": [1, -2])"),
            "/args/0/strides/1: a stride is a whole number that is not negative: -2");
  EXPECT_EQ(tensor(R"("value_range": [9, 0])"), "/args/0/value_range: low is above high: [9,0]");
  EXPECT_EQ(
      Error(
          R"({"args": [{"type": "tensor", "dtype": "float", "shape": [2], "value_range": [0, 1]}]})"),
      "/args/0/value_range: is of tensors of whole numbers");
  const auto strided = ReadArguments(Json::parse(
      R"({"args": [{"type": "tensor", "dtype": "float", "shape": [2, 3], "strides": [1, 10]}]})"));
  EXPECT_EQ(TensorBytes(*strided), 4.0 * 22);
}

TEST(Arguments, BytesDoNotOverflow) {
  const auto arguments = ReadArguments(Json::parse(R"({"args": [{"type": "tensor", "dtype": "float",
      "shape": [1099511627776, 1099511627776]}, {"type": "tuple", "value": [
      {"type": "tensor", "dtype": "uint8", "shape": []}]}]})"));
  EXPECT_EQ(TensorBytes(*arguments), 4.0 * (1ull << 40) * (1ull << 40) + 1);
}

}  // namespace
}  // namespace assay::param

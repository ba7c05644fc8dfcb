#include "benchmarks/traces/replay/traced_call.h"

#include <string>

#include "benchmarks/traces/graph/test_nodes.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"

namespace assay::traces {
namespace {

using ::testing::HasSubstr;
using Kind = TraceValue::Kind;

constexpr char kAdd[] = "aten::add.Tensor(Tensor self, Tensor other, *, Scalar alpha=1) -> Tensor";

std::string Reason(const TraceNode& node) {
  return std::string(BindTraced(node).status().message());
}

TEST(BindTraced, KeepsTheKindOfAScalar) {
  TraceNode add =
      Operator(5, kAdd, 1, {Tensor(2, 3, {4}), Tensor(6, 7, {4}), Int(2)}, {Tensor(8, 9, {4})});
  const auto whole = BindTraced(add);
  ASSERT_TRUE(whole.ok()) << whole.status();
  EXPECT_TRUE(whole->arguments[2].isInt());
  add.inputs[2] = {.kind = Kind::kDouble, .type = "Double", .number = 0.5};
  EXPECT_EQ(BindTraced(add)->arguments[2].toDouble(), 0.5);
}

TEST(BindTraced, CallsOnTheCpuWhatWasOnAGpu) {
  const TraceValue none = {};
  TraceValue device = {.kind = Kind::kDevice, .type = "Device", .text = "cuda:0"};
  TraceValue pins = {.kind = Kind::kBool, .type = "Bool", .integer = 1};
  const auto empty = BindTraced(Operator(5, "aten::empty.memory_format(SymInt[] size) -> Tensor", 1,
                                         {List({Int(2), Int(3)}), Int(6), none, device, pins, none},
                                         {Tensor(8, 9, {2, 3})}));
  ASSERT_TRUE(empty.ok()) << empty.status();
  EXPECT_EQ(empty->arguments[3].toDevice(), at::Device(at::kCPU));
  EXPECT_TRUE(empty->arguments[4].isNone());
}

TEST(BindTraced, NamesWhyAnOperatorCannotBeCalled) {
  const auto input = [](TraceValue value) {
    return Reason(Operator(5, "aten::relu(Tensor self) -> Tensor", 1, {std::move(value)},
                           {Tensor(8, 9, {4})}));
  };
  EXPECT_THAT(Reason(Operator(5, "aten::rellu(Tensor self) -> Tensor", 1)),
              HasSubstr("there is no operator 'aten::rellu'; the nearest names are aten::relu"));
  EXPECT_THAT(
      Reason(Operator(5, "aten::add.Tensors(Tensor self) -> Tensor", 1)),
      HasSubstr("there is no operator 'aten::add.Tensors'; the nearest names are aten::add"));
  EXPECT_THAT(Reason(Operator(5, "aten::cudnn_convolution(Tensor self) -> Tensor", 1)),
              HasSubstr("no kernel for the CPU"));
  EXPECT_THAT(Reason(Operator(5, kAdd, 1, {Tensor(2, 3, {4})}, {Tensor(8, 9, {4})})),
              HasSubstr("the trace has 1 arguments and 1 results, this LibTorch's schema 3 and 1"));
  EXPECT_THAT(input(Tensor(2, 3, {4}, "c10::float128")), HasSubstr("a tensor of dtype"));
  EXPECT_THAT(input({.kind = Kind::kLost, .type = "Tensor(float)", .text = "sparse"}),
              HasSubstr("has lost an argument"));
  EXPECT_THAT(input(List(std::vector<TraceValue>(kCutList, Int(1)))), HasSubstr("4097 values"));
  TraceValue negative = Tensor(2, 3, {4});
  negative.tensor.offset = -1;
  EXPECT_THAT(input(negative), HasSubstr("impossible sizes"));
}

TEST(ScalarTypeOf, HasLibTorchsNames) {
  EXPECT_EQ(ScalarTypeOf("float"), at::kFloat);
  EXPECT_EQ(ScalarTypeOf("long int"), at::kLong);
  EXPECT_EQ(ScalarTypeOf("unsigned char"), at::kByte);
  EXPECT_EQ(ScalarTypeOf("c10::BFloat16"), at::kBFloat16);
  EXPECT_EQ(ScalarTypeOf("bool"), at::kBool);
  EXPECT_EQ(ScalarTypeOf("c10::qint8"), std::nullopt);
}

}  // namespace
}  // namespace assay::traces

#include "benchmarks/harness/trace/node_text.h"

#include <ATen/Functions.h>
#include <gtest/gtest.h>

#include <string>
#include <vector>

namespace assay::trace {
namespace {

ValuesText TextOfOne(const c10::IValue& value) {
  Identities ids;
  return TextOf({value}, ids);
}

TEST(NodeTextTest, TensorsAreDescribedAsTheSchemaHasThem) {
  Identities ids;
  const at::Tensor base = at::zeros({4, 6}, at::kLong);
  const ValuesText text = TextOf({base.slice(1, 2, 5), at::Tensor()}, ids);
  EXPECT_EQ(text.values, R"([[1,2,2,12,8,"cpu"],[0,0,0,0,0,""]])");
  EXPECT_EQ(text.shapes, "[[4,3],[]]");
  EXPECT_EQ(text.strides, "[[6,1],[]]");
  EXPECT_EQ(text.types, R"_(["Tensor(long int)","Tensor(nullptr (uninitialized))"])_");
  EXPECT_EQ(text.tensors.size(), 2u);
}

TEST(NodeTextTest, OtherValues) {
  EXPECT_EQ(TextOfOne(2.5).types, R"(["Double"])");
  EXPECT_EQ(TextOfOne(2.5).shapes, "[[]]");
  EXPECT_EQ(TextOfOne(c10::IValue()).values, R"(["<None>"])");
  EXPECT_EQ(TextOfOne(true).values, "[true]");
  EXPECT_EQ(TextOfOne(c10::Device("cpu")).values, R"(["cpu"])");
  EXPECT_EQ(TextOfOne(c10::complex<double>(1, -2)).values, "[[1.0,-2.0]]");
}

TEST(NodeTextTest, ListsAreWhole) {
  const ValuesText text = TextOfOne(std::vector<int64_t>(5000, 7));
  EXPECT_EQ(text.values.size(), 5000u * 2 - 1 + 4);
  Identities ids;
  const ValuesText tensors = TextOf({std::vector<at::Tensor>{at::zeros({2}), at::zeros({3})}}, ids);
  EXPECT_EQ(tensors.types, R"(["GenericList[Tensor(float),Tensor(float)]"])");
  EXPECT_EQ(tensors.shapes, "[[[2],[3]]]");
  EXPECT_EQ(tensors.tensors.size(), 2u);
}

}  // namespace
}  // namespace assay::trace

#include "tools/kernel/request/request.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <fstream>

namespace assay::kernel {
namespace {

using ::testing::HasSubstr;

OperatorRows Rows() {
  OperatorRows rows;
  OperatorRow& row = *rows.add_rows();
  row.set_name("softmax");
  row.mutable_call()->set_name("aten::softmax.int");
  InputSpec& input = *row.mutable_call()->add_inputs();
  input.set_name("self");
  Sizes& sizes = *row.add_sizes();
  for (const char* letter : {"b", "c"}) {
    input.add_shape(letter);
    Size& size = *sizes.add_sizes();
    size.set_letter(letter);
    size.set_number(16);
  }
  return rows;
}

std::string Shape(const InputSpec& input) {
  std::string text;
  for (const std::string& dimension : input.shape()) text += dimension + " ";
  return text;
}

TEST(RequestTest, ARowIsKnownByItsNameAndItsOperators) {
  for (const char* const like : {"softmax", "aten::softmax.int", "aten::softmax"}) {
    const absl::StatusOr<OperatorRow> row = RowLike(Rows(), like, {});
    ASSERT_TRUE(row.ok()) << row.status();
    EXPECT_EQ(row->name(), "softmax");
  }
}

TEST(RequestTest, AnUnknownNameIsRefusedWithNearOnes) {
  const absl::Status status = RowLike(Rows(), "sofmax", {}).status();
  EXPECT_TRUE(absl::IsInvalidArgument(status));
  EXPECT_THAT(status.message(),
              HasSubstr("--like=sofmax: --list has no such operator; near: softmax"));
}

TEST(RequestTest, SizesAreTheRowsOwnOrThoseAsked) {
  const OperatorRow row = *RowLike(Rows(), "softmax", {});
  EXPECT_EQ(SizesOf(row, {})->size(), 1);
  const absl::StatusOr<std::vector<Sizes>> sizes = SizesOf(row, {"b=1,c=7", "c=9,b=2"});
  ASSERT_TRUE(sizes.ok()) << sizes.status();
  EXPECT_EQ((*sizes)[0].sizes(1).number(), 7);
  EXPECT_EQ((*sizes)[1].sizes(0).number(), 2);
}

TEST(RequestTest, EachWrongSizeIsNamed) {
  const OperatorRow row = *RowLike(Rows(), "softmax", {});
  const auto message = [&](const char* at) {
    return std::string(SizesOf(row, {at}).status().message());
  };
  EXPECT_THAT(message("b=1"), HasSubstr("--at=b=1: 'c' is missing; write b=16,c=16"));
  EXPECT_THAT(message("b=1,c=2,d=3"), HasSubstr("'d' is no size of softmax"));
  EXPECT_THAT(message("b=0,c=2"), HasSubstr("'0' is no size"));
  EXPECT_THAT(message("b=x,c=2"), HasSubstr("'x' is no size"));
  EXPECT_THAT(message("b=9999999999,c=2"), HasSubstr("is no size from 1 to 2^31"));
  EXPECT_THAT(message("b"), HasSubstr("'b' is no name=value; write "));
}

TEST(RequestTest, AnOperatorWithoutARowIsMadeOfItsArguments) {
  const absl::StatusOr<OperatorRow> row =
      RowLike(Rows(), "aten::tril", {"self=m64xk96,diagonal=-1,other=96x8,flag=true,p=0.5"});
  ASSERT_TRUE(row.ok()) << row.status();
  EXPECT_EQ(row->call().name(), "aten::tril");
  ASSERT_EQ(row->call().inputs_size(), 2);
  EXPECT_EQ(Shape(row->call().inputs(0)), "m k ");
  EXPECT_EQ(row->call().arguments().at("diagonal").integer(), -1);
  EXPECT_EQ(row->call().arguments().at("p").real(), 0.5);
  EXPECT_TRUE(row->call().arguments().at("flag").flag());
  EXPECT_EQ(row->sizes(0).sizes(0).number(), 64);
}

TEST(RequestTest, AnOperatorOfTheTablesTakesOtherArguments) {
  const absl::StatusOr<OperatorRow> row = RowLike(Rows(), "softmax", {"self=b3xc4xd5,dim=0"});
  ASSERT_TRUE(row.ok()) << row.status();
  EXPECT_EQ(row->call().name(), "aten::softmax.int");
  EXPECT_EQ(row->call().arguments().at("dim").integer(), 0);
  EXPECT_EQ(row->sizes(0).sizes_size(), 3);
}

TEST(RequestTest, AFileOfParamStandsForItsSizes) {
  const std::string path = ::testing::TempDir() + "/softmax.json";
  std::ofstream(path) << R"({"torch.softmax": {"config": [{"input": [
      {"args": [{"type": "tensor", "dtype": "float", "shape": [3, 7]}]}]}]}})";
  const OperatorRow row = *RowLike(Rows(), "softmax", {"param:" + path});
  const absl::StatusOr<std::vector<Sizes>> sizes = SizesOf(row, {"b=1,c=2", "param:" + path});
  ASSERT_TRUE(sizes.ok()) << sizes.status();
  ASSERT_EQ(sizes->size(), 2);
  EXPECT_EQ((*sizes)[1].sizes(0).number(), 3);
  EXPECT_EQ((*sizes)[1].sizes(1).number(), 7);
  EXPECT_THAT(SizesOf(row, {"param:none.json"}).status().message(),
              HasSubstr("--at=param:none.json: "));
}

TEST(RequestTest, TheListNamesLettersAndTheInputsThatHaveThem) {
  EXPECT_THAT(ListOf(Rows()), HasSubstr("softmax  aten::softmax.int  b=16,c=16  self[b,c]"));
}

TEST(RequestTest, EqualNumbersHaveOneLetter) {
  const absl::StatusOr<OperatorRow> row = RowLike(Rows(), "aten::mm", {"self=64x96,mat2=96x80"});
  ASSERT_TRUE(row.ok()) << row.status();
  EXPECT_EQ(Shape(row->call().inputs(0)), "a b ");
  EXPECT_EQ(Shape(row->call().inputs(1)), "b c ");
  EXPECT_FALSE(RowLike(Rows(), "aten::mm", {"self=m2xm3"}).ok());
  EXPECT_FALSE(RowLike(Rows(), "aten::mm", {"dim=1"}).ok());
}

}  // namespace
}  // namespace assay::kernel

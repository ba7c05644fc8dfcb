#include "benchmarks/traces/analysis/case_table.h"

#include <string>

#include "absl/strings/match.h"
#include "benchmarks/traces/graph/test_nodes.h"
#include "gtest/gtest.h"

namespace assay::traces {
namespace {

std::string WhyNot(const TraceNode& node) {
  CaseTable table;
  return std::string(table.Add(node, "row_1", {}, "").message());
}

TEST(CaseTable, ARowHasNamesOfTheSchema) {
  CaseTable table;
  const TraceNode conv = Operator(
      5,
      "aten::conv2d(Tensor input, Tensor weight, Tensor? bias=None, SymInt[2] stride=1, SymInt[2] "
      "padding=0, SymInt[2] dilation=[1, 1], SymInt groups=1) -> Tensor",
      1,
      {Tensor(1, 1, {1, 3, 8, 8}),
       Tensor(2, 2, {4, 3, 3, 3}),
       {.kind = TraceValue::Kind::kUndefinedTensor},
       List({Int(2), Int(2)}),
       List({Int(0), Int(0)}),
       List({Int(1), Int(1)}),
       Int(1)},
      {Tensor(3, 3, {1, 4, 3, 3})});
  ASSERT_TRUE(table.Add(conv, CaseRowName(conv, 7), {}, "20 calls").ok());
  EXPECT_TRUE(absl::StrContains(table.Table(), R"(
    # 20 calls
    operator(
        "conv2d_7",
        call = "aten::conv2d",
        inputs = [
            input("input", [1, 3, 8, 8]),
            input("weight", [4, 3, 3, 3]),
        ],
        arguments = {"stride": [2, 2]},
        outputs = [
            result("result", [1, 4, 3, 3], of_dtype()),
        ],
        dtypes = ["fp32"],
        sizes = [at()],
    ),
)")) << table.Table();
  EXPECT_TRUE(absl::StrContains(table.Build(), "default_case = \"conv2d_7_fp32\""));
  EXPECT_FALSE(absl::StrContains(table.Table(), "integers"));  // nothing is loaded in vain
}

TEST(CaseTable, InPlaceBecomesTheOneThatReturns) {
  CaseTable table;
  const TraceNode add = Operator(
      5, "aten::add_.Tensor(Tensor(a!) self, Tensor other, *, Scalar alpha=1) -> Tensor(a!)", 1,
      {Tensor(1, 1, {2}), Tensor(2, 2, {2}), Int(1)}, {Tensor(1, 1, {2})});
  ASSERT_TRUE(table.Add(add, CaseRowName(add, 1), {}, "").ok());
  EXPECT_TRUE(absl::StrContains(table.Table(), "\"add_1\",\n        call = \"aten::add.Tensor\""));
}

TEST(CaseTable, IndicesStayInsideWhatTheyIndex) {
  CaseTable table;
  const TraceNode embedding =
      Operator(5, "aten::embedding(Tensor weight, Tensor indices) -> Tensor", 1,
               {Tensor(1, 1, {30, 4}), Tensor(2, 2, {6}, "long int", 8)}, {Tensor(3, 3, {6, 4})});
  ASSERT_TRUE(table.Add(embedding, "embedding_1", {{1, {.limit = 30}}}, "").ok());
  EXPECT_TRUE(
      absl::StrContains(table.Table(), R"(input("indices", [6], integers(30), dtype = "INT64"))"));
}

TEST(CaseTable, NamesWhatCannotBeACase) {
  TraceValue turned = Tensor(3, 4, {2, 3});
  turned.tensor.strides = {1, 2};
  const auto of = [&](const std::string& schema, TraceValue input) {
    return WhyNot(Operator(5, schema, 1, {std::move(input)}, {Tensor(8, 9, {2})}));
  };
  EXPECT_TRUE(absl::StrContains(of("aten::t(Tensor(a) self) -> Tensor(a)", turned), "view"));
  EXPECT_TRUE(absl::StrContains(of("aten::relu(Tensor self) -> Tensor", turned), "contiguous"));
  EXPECT_TRUE(absl::StrContains(of("aten::rand_like(Tensor self) -> Tensor", turned), "random"));
  EXPECT_TRUE(absl::StrContains(of("my::relu(Tensor self) -> Tensor", turned), "ATen"));
  EXPECT_TRUE(
      absl::StrContains(of("aten::ones(int[] size) -> Tensor", List({Int(2)})), "reads no"));
  EXPECT_TRUE(absl::StrContains(of("aten::_foreach_add_(Tensor(a!)[] self) -> ()", turned),
                                "writes to its arguments"));
  EXPECT_TRUE(absl::StrContains(
      of("aten::relu(Tensor self) -> Tensor", Tensor(1, 2, {2}, "double", 8)), "double"));
}

}  // namespace
}  // namespace assay::traces

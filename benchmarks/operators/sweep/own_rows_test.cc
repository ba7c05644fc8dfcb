#include "benchmarks/operators/sweep/own_rows.h"

#include <ATen/core/Tensor.h>
#include <ATen/ops/softmax.h>
#include <torch/library.h>

#include <string>

#include "gmock/gmock.h"
#include "gtest/gtest.h"

namespace assay::sweep {
namespace {

using testing::AllOf;
using testing::HasSubstr;
using testing::StartsWith;

TORCH_LIBRARY(own_rows, library) {
  library.def("softmax(Tensor self, int dim) -> Tensor",
              [](const at::Tensor& self, int64_t dim) { return at::softmax(self, dim); });
}

std::string RowProblem(const std::string& row) {
  const auto table = SampleTable::Parse("# mine\n" + row, "mine.txt");
  if (!table.ok()) return std::string(table.status().message());
  return std::string(CheckOwnRows(*table, {{"own_rows::softmax", ""}}).message());
}

TEST(CheckOwnRows, TakesWhatFits) {
  EXPECT_EQ(RowProblem("^own_rows::softmax$ self=f[7,67|1001] dim=1 !truth=aten::softmax.int"), "");
  EXPECT_EQ(RowProblem("^own_rows:: *=f[7,67] !free=of_order"), "");
}

TEST(CheckOwnRows, NamesThePatternThatFitsNothing) {
  EXPECT_THAT(RowProblem("^own_rows::softmx$ self=f[4]"),
              AllOf(StartsWith("mine.txt:2: no operator that '^own_rows::softmx$' fits"),
                    HasSubstr("own_rows::softmax")));
}

TEST(CheckOwnRows, NamesTheArgumentThatNoOperatorHas) {
  EXPECT_THAT(RowProblem("^own_rows::softmax$ slf=f[7,67]"),
              AllOf(StartsWith("mine.txt:2: own_rows::softmax has no argument 'slf'"),
                    HasSubstr("the nearest are self")));
}

TEST(CheckOwnRows, NamesTheTextThatIsNoValue) {
  EXPECT_THAT(RowProblem("^own_rows::softmax$ self=f[7,"), StartsWith("mine.txt:2: self=f[7,: "));
}

TEST(CheckOwnRows, NamesTheTruthThatDoesNotExistOrFit) {
  EXPECT_THAT(RowProblem("^own_rows::softmax$ dim=1 !truth=aten::softmx.int"),
              AllOf(StartsWith("mine.txt:2: !truth=aten::softmx.int of own_rows::softmax: there is "
                               "no operator"),
                    HasSubstr("aten::softmax")));
  EXPECT_THAT(RowProblem("^own_rows::softmax$ dim=1 !truth=aten::addmm"),
              AllOf(StartsWith("mine.txt:2: !truth=aten::addmm of"), HasSubstr("argument")));
}

}  // namespace
}  // namespace assay::sweep

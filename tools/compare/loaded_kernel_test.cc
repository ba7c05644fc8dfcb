#include "tools/compare/loaded_kernel.h"

#include "gmock/gmock.h"
#include "gtest/gtest.h"

namespace assay::compare {
namespace {

using testing::ElementsAre;
using testing::IsEmpty;

TEST(LoadedKernel, ReadsTheOperatorsOfARecord) {
  EXPECT_THAT(OperatorsIn("aten::_softmax (CPU, a.cc), aten::add.Tensor (CPU, my b.cc), "
                          "aten::add.out (CPU, my b.cc)"),
              ElementsAre("aten::_softmax", "aten::add"));
  EXPECT_THAT(OperatorsIn(""), IsEmpty());
}

TEST(LoadedKernel, CountsTheCallsOfOneCallOfTheCase) {
  const std::string profile = R"({
    "steps": [{"calls": 3, "cpu_ns": 300}, {"calls": 3, "cpu_ns": 100}],
    "operators": [{"name": "aten::_softmax", "calls": 36, "cpu_total_ns": 40},
                  {"name": "aten::softmax", "calls": 36, "cpu_total_ns": 50}]})";
  const auto uses = UsesOf({"aten::_softmax", "aten::mm"}, profile);
  ASSERT_EQ(uses.size(), 2u);
  EXPECT_EQ(uses[0].calls, 12);
  EXPECT_EQ(uses[0].share, 0.1);
  EXPECT_EQ(uses[1].name, "aten::mm");
  EXPECT_EQ(uses[1].calls, 0);
  EXPECT_THAT(UsesOf({"aten::mm"}, "{\"steps\": []"), IsEmpty());
}

}  // namespace
}  // namespace assay::compare

#include "benchmarks/traces/graph/validation.h"

#include <string>
#include <vector>

#include "benchmarks/traces/graph/test_nodes.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"

namespace assay::traces {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;

std::vector<std::string> Kinds(const NodeList& nodes) {
  const Trace trace = {.nodes = nodes};
  std::vector<std::string> kinds;
  for (const Finding& finding : Validate(trace, TraceTree(trace.nodes)))
    kinds.push_back(std::string(finding.error ? "error " : "") + std::string(finding.kind));
  return kinds;
}

TEST(Validate, FindsNothingWrongInPublicFiles) {
  for (const char* name : {"linear_1.0.1", "pt2_triton_1.1.1"}) {
    const absl::StatusOr<Trace> trace =
        LoadTrace(std::string("benchmarks/traces/testdata/") + name + ".json.gz");
    ASSERT_TRUE(trace.ok()) << trace.status();
    for (const Finding& finding : Validate(*trace, TraceTree(trace->nodes)))
      EXPECT_FALSE(finding.error) << finding.kind << ": " << finding.text;
  }
}

TEST(Validate, NamesEachFaultOfTheTree) {
  EXPECT_THAT(Kinds({Label(1, "process", 1), Label(2, "thread", 1)}), IsEmpty());
  EXPECT_THAT(Kinds({Label(1, "p", 1), Label(2, "a", 1), Label(2, "b", 1)}),
              ElementsAre("error id twice"));
  EXPECT_THAT(Kinds({Label(1, "p", 1), Label(3, "a", 5), Label(5, "b", 1)}),
              ElementsAre("error out of order"));
  EXPECT_THAT(Kinds({Label(1, "p", 1), Label(3, "a", 4), Label(4, "b", 3)}),
              ElementsAre("error cycle"));
  EXPECT_THAT(Kinds({Label(1, "p", 1), Operator(3, "aten::f", 2)}), ElementsAre("missing parent"));
  EXPECT_THAT(Kinds({Label(1, "p", 1), Operator(3, "", 1)}), ElementsAre("error no name"));
}

TEST(Validate, NamesTensorsThatCannotBe) {
  TraceValue negative = Tensor(2, 3, {4});
  negative.tensor.sizes = {-4};
  EXPECT_THAT(Kinds({Operator(9, "aten::f", 9, {negative})}),
              ElementsAre("error impossible tensor"));
  TraceValue other = Tensor(2, 3, {4});
  other.tensor.elements = 5;
  EXPECT_THAT(Kinds({Operator(9, "aten::f", 9, {other})}), ElementsAre("error impossible tensor"));
}

TEST(Validate, NamesATensorThatIsUsedBeforeItIsMade) {
  EXPECT_THAT(Kinds({Label(1, "p", 1), Operator(4, "aten::f", 1, {Tensor(8, 9, {4})}),
                     Operator(7, "aten::g", 1, {}, {Tensor(8, 9, {4})})}),
              ElementsAre("error used before made"));
  EXPECT_THAT(Kinds({Label(1, "p", 1), Operator(4, "aten::f", 1, {Tensor(5, 6, {4})}),
                     Operator(7, "aten::g", 1, {Tensor(2, 3, {4})}, {Tensor(5, 6, {4})})}),
              IsEmpty())
      << "an argument has its id from the operator that reads it, or from one before";
}

TEST(Validate, SaysWhatTheTraceHasLost) {
  EXPECT_THAT(Kinds({Operator(9, "aten::f", 9, {List(std::vector<TraceValue>(4097, Int(1)))})}),
              ElementsAre("cut list"));
  const TraceValue cut = {.kind = TraceValue::Kind::kDouble, .type = "Double", .number = 0};
  EXPECT_THAT(Kinds({Operator(9, "aten::f", 9, {cut})}), ElementsAre("six decimals"));
  const Trace exact = {.about = {.exact = true}, .nodes = {Operator(9, "aten::f", 9, {cut})}};
  EXPECT_THAT(Validate(exact, TraceTree(exact.nodes)), IsEmpty());
  const TraceValue lost = {.kind = TraceValue::Kind::kLost, .type = "ComplexDouble", .text = "<>"};
  EXPECT_THAT(Kinds({Operator(9, "aten::f", 9, {lost})}), ElementsAre("lost value"));
  const Trace torn = {.about = {.torn = "the file ends"}};
  EXPECT_THAT(Validate(torn, TraceTree(torn.nodes)).at(0).text, HasSubstr("the file ends"));
}

}  // namespace
}  // namespace assay::traces

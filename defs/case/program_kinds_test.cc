#include "defs/case/program_kinds.h"

#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "absl/strings/match.h"
#include "defs/case/case_steps.h"
#include "defs/case/step_names.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"

namespace assay {
namespace {

using ::testing::Contains;
using ::testing::ElementsAre;

// A case of each kind as a family's table states it, in the order of the table.
std::vector<BenchmarkCase> OneOfEach() {
  std::vector<BenchmarkCase> cases(5);
  for (int i = 0; i < 2; ++i) {
    OperatorCall& call = *cases[i].mutable_operator_call();
    call.set_name("aten::mm");
    call.add_inputs()->set_name("self");
    call.set_backward(i == 0);
    cases[i].set_mode(EVAL);
  }
  for (int i = 2; i < 5; ++i) cases[i].set_model("gpt2");
  cases[2].set_mode(TRAIN);
  cases[2].mutable_training()->set_loss(OWN);
  cases[3].set_mode(GENERATE);
  cases[3].mutable_generation()->set_new_tokens(16);
  cases[4].set_mode(EVAL);
  return cases;
}

ModelImplementation Implementation() {
  ModelImplementation implementation;
  implementation.add_inputs()->set_name("input_ids");
  implementation.add_targets()->set_name("labels");
  implementation.mutable_continuation()->set_name("continuation_ids");
  return implementation;
}

TEST(ProgramKinds, EachCaseIsOfTheKindOfItsProgramAndMode) {
  std::vector<std::string_view> words;
  for (const BenchmarkCase& c : OneOfEach()) words.push_back(KindOf(c).word);
  EXPECT_THAT(words, ElementsAre("operator_backward", "operator", "train", "generate", "eval"));
  EXPECT_EQ(words.size(), ProgramKinds().size()) << "a case of each kind belongs into OneOfEach()";
  EXPECT_EQ(KindOf(BenchmarkCase()).word, "eval") << "a case whose mode is not filled in yet";
}

TEST(ProgramKinds, EachKindHasAWordAndItsMode) {
  std::set<std::string_view> words;
  for (const ProgramKind& kind : ProgramKinds())
    EXPECT_TRUE(words.insert(kind.word).second) << kind.word;
  for (const BenchmarkCase& c : OneOfEach()) EXPECT_EQ(KindOf(c).mode, c.mode()) << KindOf(c).word;
}

TEST(ProgramKinds, OneStepOfEachStandsForTheCase) {
  for (const BenchmarkCase& c : OneOfEach()) {
    ResolvedCase resolved;
    *resolved.mutable_benchmark_case() = c;
    int headlines = 0;
    for (const StepRow& step : KindOf(c).steps(resolved)) {
      headlines += step.headline;
      EXPECT_THAT(steps::kAll, Contains(step.name)) << KindOf(c).word;
    }
    EXPECT_EQ(headlines, 1) << KindOf(c).word;
  }
}

TEST(ProgramKinds, AStepThatACaseLacksIsSaidToBelongToAKindThatHasIt) {
  ResolvedCase c;
  SetSteps(c);
  for (const ProgramKind& kind : ProgramKinds()) {
    for (const std::string_view name : kind.own_steps) {
      const absl::StatusOr<StepSpec> found = FindStep(c, name, CPU);
      EXPECT_TRUE(absl::StrContains(found.status().message(), kind.whose_steps)) << found.status();
    }
  }
}

TEST(ProgramKinds, AnOperatorHasItsOwnInputsAndAModelThoseOfItsImplementation) {
  std::vector<std::vector<std::string>> names;
  for (const BenchmarkCase& c : OneOfEach()) {
    names.emplace_back();
    for (const InputSpec& input : InputSpecsOf(Implementation(), c))
      names.back().push_back(input.name());
  }
  EXPECT_THAT(
      names,
      ElementsAre(ElementsAre("self"), ElementsAre("self"), ElementsAre("input_ids", "labels"),
                  ElementsAre("input_ids", "continuation_ids"), ElementsAre("input_ids")));
}

TEST(ProgramKinds, ACaseWithoutAModelHasTheNameThatWasMadeForIt) {
  for (const BenchmarkCase& c : OneOfEach()) {
    ResolvedCase resolved;
    *resolved.mutable_benchmark_case() = c;
    resolved.mutable_model()->set_name("mm_m64");
    EXPECT_EQ(ModelNameOf(resolved), c.model().empty() ? "mm_m64" : "gpt2");
  }
}

}  // namespace
}  // namespace assay

#include "tools/suite/plan/selection.h"

#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "tools/suite/plan/small_registry.h"

namespace assay::suite {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::SizeIs;

OtherSuites SmallOthers() {
  OtherSuites others;
  Tier& one = *others.add_tiers();
  one.set_number(1);
  one.add_models("not_here");
  one.add_models("MLP_pytorch");
  Tier& two = *others.add_tiers();
  two.set_number(2);
  two.add_models("cnn");
  OtherModel& mlp = *others.add_models();
  mlp.set_name("MLP_pytorch");
  mlp.add_here("mlp");
  mlp.set_batch(8);
  return others;
}

absl::StatusOr<std::vector<std::string>> Chosen(const Selection& selection) {
  const Registry registry = SmallRegistry();
  const auto chosen = SelectCases(registry, selection, SmallOthers());
  if (!chosen.ok()) return chosen.status();
  std::vector<std::string> names;
  for (const ChosenCase& c : *chosen) names.push_back(c.resolved->benchmark_case().name());
  return names;
}

std::string Problem(const Selection& selection) {
  return std::string(Chosen(selection).status().message());
}

TEST(Selection, SearchesNamesAndLabelsWhateverTheirCase) {
  EXPECT_THAT(*Chosen({.filters = {"^MLP_bf16"}}), ElementsAre("mlp_bf16_b1", "mlp_bf16_b8"));
  EXPECT_THAT(*Chosen({.filters = {"benchmarks/cnn:.*b1$"}}),
              ElementsAre("cnn_fp32_b1", "cnn_bf16_b1"));
}

TEST(Selection, JoinsWhatNamesCasesByOrAndTakesExclusionsAway) {
  EXPECT_THAT(*Chosen({.filters = {"^mlp_fp32_b1$", "^cnn_fp32_b1$"}, .only = {"cnn_bf16_b1"}}),
              ElementsAre("mlp_fp32_b1", "cnn_fp32_b1", "cnn_bf16_b1"));
  EXPECT_THAT(*Chosen({.filters = {"cnn"}, .excludes = {"b8", "BF16"}}),
              ElementsAre("cnn_fp32_b1"));
  EXPECT_THAT(*Chosen({.tags = {"model=cnn"}, .excluded_tags = {"large"}}),
              ElementsAre("cnn_fp32_b1", "cnn_bf16_b1"));
  EXPECT_THAT(*Chosen({.excludes = {"b8"}, .provenances = {"^torchvision"}}),
              ElementsAre("cnn_fp32_b1", "cnn_bf16_b1"));
}

TEST(Selection, TakesModelsLabelsAndCasesByTheirWholeName) {
  EXPECT_THAT(*Chosen({.only = {"cnn"}}), SizeIs(4));
  EXPECT_THAT(*Chosen({.only = {"//benchmarks/mlp:mlp_fp32_b8_train"}}),
              ElementsAre("mlp_fp32_b8_train"));
}

TEST(Selection, TakesModelsByTheNamesOfOtherSuites) {
  EXPECT_THAT(*Chosen({.only = {"MLP_pytorch"}}), SizeIs(5));
  EXPECT_THAT(*Chosen({.only = {"mlp.in1k", "cnn.a.b"}}), SizeIs(9));
  EXPECT_THAT(*Chosen({.filters = {"^mlp$"}}), SizeIs(5));
  EXPECT_THAT(*Chosen({.filters = {"MLP_pytorch$"}}), SizeIs(5));
  EXPECT_THAT(*Chosen({.filters = {"^MLP_py"}}), SizeIs(5));
  EXPECT_THAT(Problem({.filters = {"_pytorch$"}}), HasSubstr("none of 9 cases"));
  EXPECT_THAT(*Chosen({.excludes = {"^MLP_pytorch$"}}), SizeIs(4));
  // An expression of a part of a name is one of cases: "1$" takes no model whose name ends so.
  EXPECT_THAT(Problem({.filters = {"lp$"}}), HasSubstr("none of 9 cases"));
}

TEST(Selection, TakesTiersByWhatTheirModelsAreCalledHereInOneBatch) {
  EXPECT_THAT(*Chosen({.tiers = {1}}),
              ElementsAre("mlp_fp32_b8", "mlp_bf16_b8", "mlp_fp32_b8_train"));
  EXPECT_THAT(*Chosen({.tiers = {2}}), ElementsAre("cnn_fp32_b1", "cnn_bf16_b1"));
  EXPECT_THAT(*Chosen({.tiers = {1, 2}, .every_batch = true}), SizeIs(9));
  EXPECT_THAT(*Chosen({.excluded_tiers = {1}}), SizeIs(4));
  EXPECT_EQ(TierList(SmallRegistry(), SmallOthers()),
            "tier 1  not_here: left out\ntier 1  MLP_pytorch: mlp, batch 8\ntier 2  cnn: cnn\n");
}

TEST(Selection, SaysWhyAModelOfAnotherSuiteIsNotHere) {
  OtherSuites others = SmallOthers();
  OtherModel& large = *others.add_models();
  large.set_name("GPT_4");
  large.set_absent("nobody has it");
  const absl::StatusOr<std::string> list = OtherModelList(SmallRegistry(), others);
  ASSERT_TRUE(list.ok()) << list.status();
  EXPECT_EQ(*list, "MLP_pytorch: done as mlp, batch 8\nGPT_4: left out: nobody has it\n");
  EXPECT_THAT(SelectCases(SmallRegistry(), {.only = {"GPT_4"}}, others).status().message(),
              HasSubstr("--only=GPT_4: left out: nobody has it"));
  const auto absent = ElementsAre("GPT_4: left out: nobody has it");
  EXPECT_THAT(*AbsentModels({.filters = {"^gpt_"}}, others), absent);
  EXPECT_THAT(*AbsentModels({.filters = {"^mlp"}, .tiers = {1, 2}}, others), IsEmpty());
  others.mutable_tiers(1)->add_models("GPT_4");
  EXPECT_THAT(*AbsentModels({.tiers = {2}}, others), absent);
  others.mutable_models(1)->clear_absent();
  EXPECT_THAT(OtherModelList(SmallRegistry(), others).status().message(),
              HasSubstr("GPT_4: of 1 models here there are 0"));
  others.mutable_models(0)->set_absent("it is");
  EXPECT_THAT(OtherModelList(SmallRegistry(), others).status().message(),
              HasSubstr("MLP_pytorch: of 1 models here there are 0; absent: it is"));
}

TEST(Selection, NarrowsToTheModelsOfASuite) {
  OtherSuites others = SmallOthers();
  OtherModel& cnn = *others.add_models();  // the other suite's network of this name is another one
  cnn.set_name("cnn");
  cnn.set_absent("theirs has no pools");
  others.mutable_models(0)->set_differs("theirs has a bias");
  OtherSuite& bench = *others.add_suites();
  bench.set_name("bench");
  for (const char* name : {"cnn", "MLP_pytorch", "mlp"}) bench.add_models(name);
  const Registry registry = SmallRegistry();
  EXPECT_EQ(*OtherModelList(registry, others, "bench"),
            "cnn: left out: theirs has no pools\n"
            "MLP_pytorch: done as mlp, batch 8; differs: theirs has a bias\n"
            "mlp: done\n");
  EXPECT_EQ(
      *SuiteSummary(registry, others, "bench"),
      "bench: 3 models: 1 done, 1 done under another name, 1 left out; --suite=bench --list says "
      "which");
  EXPECT_THAT(*SelectCases(registry, {.suite = "bench"}, others), SizeIs(5));
  EXPECT_THAT(*SelectCases(registry, {.suite = "bench", .filters = {"b8$", "^cnn_"}}, others),
              SizeIs(2));
  EXPECT_THAT(*SelectCases(registry, {.only = {"cnn"}}, others), SizeIs(4));
  EXPECT_THAT(SelectCases(registry, {.suite = "bench", .only = {"cnn"}}, others).status().message(),
              HasSubstr("--suite=bench --list says which of its models are here"));
  for (const absl::Status& status : {SelectCases(registry, {.suite = "hf"}, others).status(),
                                     OtherModelList(registry, others, "hf").status()}) {
    EXPECT_THAT(status.message(), HasSubstr("--suite=hf: one of bench"));
  }
  bench.add_models("resnet");
  EXPECT_THAT(OtherModelList(registry, others, "bench").status().message(),
              HasSubstr("resnet: of 1 models here there are 0"));
  EXPECT_FALSE(SuiteSummary(registry, others, "bench").ok());
}

TEST(Selection, NamesTheNearestOfWhatThereIsNot) {
  EXPECT_THAT(Problem({.only = {"mlp_fp32_b2"}}), HasSubstr("nearest names are mlp_fp32_b1"));
  EXPECT_THAT(Problem({.only = {"mlp_fp32_b2"}}),
              HasSubstr("or --only=mlp_fp32_b1 --batch=2 for a batch that no case has"));
  EXPECT_THAT(Problem({.only = {"mlp_fp"}}), HasSubstr("the nearest names are mlp_fp"));
  EXPECT_THAT(Problem({.only = {"vision_maskrcnn"}}),
              AllOf(HasSubstr("no case, label or model, and none has a name like it"),
                    HasSubstr("--list-others"), Not(HasSubstr("nearest names"))));
  EXPECT_THAT(Problem({.tags = {"model=cn"}}), HasSubstr("nearest tags are model=cnn"));
  EXPECT_THAT(Problem({.tiers = {4}}), HasSubstr("there are the tiers 1, 2"));
  EXPECT_THAT(Problem({.filters = {"^cnn_fp16$"}}), HasSubstr("nearest names are cnn"));
  EXPECT_EQ(Chosen({.filters = {"^cnn_fp16$"}}).status().code(), absl::StatusCode::kNotFound);
}

TEST(Selection, SaysWhichExpressionIsNoneAndFromWhereOn) {
  EXPECT_THAT(Problem({.filters = {"ok", "mlp_(a)(b"}}),
              HasSubstr("--filter=mlp_(a)(b: no regular expression from character 8 on, '(b'"));
  EXPECT_THAT(Problem({.excludes = {"*a"}}), HasSubstr("--exclude=*a: no regular expression from "
                                                       "character 1 on"));
  EXPECT_THAT(Problem({.excludes = {"["}}), HasSubstr("--exclude=["));
}

}  // namespace
}  // namespace assay::suite

#include "tools/suite/plan/plan.h"

#include <set>

#include "absl/strings/str_cat.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "tools/suite/plan/data_text.h"
#include "tools/suite/plan/small_registry.h"

namespace assay::suite {
namespace {

using testing::AllOf;
using testing::Contains;
using testing::Each;
using testing::ElementsAre;
using testing::Gt;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::Pair;
using testing::SizeIs;
using testing::StartsWith;
using testing::UnorderedElementsAre;

std::vector<std::string> Names(const Plan& plan) {
  std::vector<std::string> names;
  for (const PlannedRun& c : plan.configurations) names.push_back(c.name);
  return names;
}

Plan Made(const PlanRequest& request, const Registry& registry = SmallRegistry()) {
  absl::StatusOr<Plan> plan = MakePlan(request, registry);
  EXPECT_TRUE(plan.ok()) << plan.status();
  return plan.ok() ? *std::move(plan) : Plan{};
}

PlanRequest Product() {
  return {.selection = {.filters = {"^(mlp|cnn)_"}},
          .dtypes = {FP32, BF16},
          .batches = {1, 8},
          .flags = {{"memory-format", {"contiguous", "channels_last"}}}};
}

TEST(Plan, IsTheProductWithoutWhatCannotBe) {
  const Plan plan = Made(Product());
  EXPECT_THAT(Names(plan), ElementsAre("mlp_fp32_b1", "mlp_fp32_b8", "mlp_bf16_b1", "mlp_bf16_b8",
                                       "cnn_fp32_b1", "cnn_fp32_b1 --memory-format=channels_last",
                                       "cnn_fp32_b8", "cnn_fp32_b8 --memory-format=channels_last",
                                       "cnn_bf16_b1", "cnn_bf16_b1 --memory-format=channels_last",
                                       "cnn_bf16_b8", "cnn_bf16_b8 --memory-format=channels_last"));
  EXPECT_THAT(plan.dropped, ElementsAre(Pair(HasSubstr("four dimensions"), 4)));
  EXPECT_THAT(plan.remarks, ElementsAre(HasSubstr("training cases left out: 1")));
  const PlannedRun& last = plan.configurations.back();
  EXPECT_EQ(last.label, "//benchmarks/cnn:cnn_bf16_b8");
  EXPECT_EQ(last.case_name, "cnn_bf16_b8");
  EXPECT_THAT(last.flags, ElementsAre("--memory-format=channels_last"));
  EXPECT_EQ(last.benchmark_case.batch(), 8);
}

TEST(Plan, SearchesForOneBatchOfAModelsShape) {
  PlanRequest request = {.selection = {.filters = {"^mlp_"}},
                         .dtypes = {FP32},
                         .tests = {EVAL, TRAIN},
                         .batches = {8},
                         .search_batch = true,
                         .flags = {{"verify", {"on", "off"}}}};
  const Plan plan = Made(request);
  EXPECT_THAT(Names(plan),
              ElementsAre("mlp_fp32_b8", "mlp_fp32_b8 --verify=off", "mlp_fp32_b1 --batch=search",
                          "mlp_fp32_b1 --batch=search --verify=off", "mlp_fp32_b8_train",
                          "mlp_fp32_b8_train --verify=off",
                          "mlp_fp32_b8_train --batch=search --verify=off"));
  EXPECT_THAT(plan.dropped, Contains(Pair(HasSubstr("the reference of a training step"), 1)));
  request.flags["action"] = {"verify", "smoke"};
  const absl::Status smoke = MakePlan(request, SmallRegistry()).status();
  EXPECT_EQ(smoke.code(), absl::StatusCode::kInvalidArgument);
  EXPECT_THAT(smoke.message(), HasSubstr("--batch=search: not with --action=smoke: a smoke test"));
}

TEST(Plan, ItsShardsAreDisjointAndTogetherTheWhole) {
  PlanRequest request = Product();
  request.flags["threads"] = {"1", "2", "3", "4"};
  const std::vector<std::string> whole = Names(Made(request));
  std::multiset<std::string> together;
  for (int64_t i = 0; i < 3; ++i) {
    request.shard = {.index = i, .count = 3};
    const Plan part = Made(request);
    EXPECT_EQ(part.in_all_shards, static_cast<int64_t>(whole.size()));
    for (const std::string& name : Names(part)) together.insert(name);
  }
  EXPECT_EQ(together, std::multiset<std::string>(whole.begin(), whole.end()));
}

TEST(Plan, SaysFlagsInOneOrderAndNothingThatTheCaseHasAnyway) {
  const Plan plan = Made({.selection = {.only = {"cnn_fp32_b1"}},
                          .flags = {{"threads", {"2"}},
                                    {"modes", {"wall"}},
                                    {"autocast", {"off", "bf16"}},
                                    {"matmul-precision", {"highest"}},
                                    {"action", {"measure"}},
                                    {"verify", {"on"}}}});
  EXPECT_THAT(Names(plan), ElementsAre("cnn_fp32_b1 --threads=2 --modes=wall",
                                       "cnn_fp32_b1 --autocast=bf16 --threads=2 --modes=wall"));
}

TEST(Plan, TakesTheRegistrysCaseOfABatchElseTheNearestSmallerOne) {
  const Plan plan = Made({.selection = {.filters = {"^cnn_fp32"}}, .batches = {8, 4, 32}});
  EXPECT_THAT(Names(plan),
              ElementsAre("cnn_fp32_b8", "cnn_fp32_b1 --batch=4", "cnn_fp32_b8 --batch=32"));
  // The registry has b8, though it was not chosen: b1 --batch=8 would be the same under another
  // name.
  const Plan chosen = Made({.selection = {.only = {"cnn_fp32_b1"}}, .batches = {8, 16}});
  EXPECT_THAT(Names(chosen), ElementsAre("cnn_fp32_b1 --batch=16"));
  EXPECT_THAT(chosen.dropped, ElementsAre(Pair(HasSubstr("of that batch is not among"), 1)));
}

TEST(Plan, HasNothingTwice) {
  Registry registry = SmallRegistry();
  ResolvedCase& twin = *registry.add_cases();
  twin = registry.cases(4);  // cnn_fp32_b1
  twin.mutable_benchmark_case()->set_name("cnn_fp32_b1_channels_last");
  twin.mutable_benchmark_case()->mutable_execution()->set_memory_format(CHANNELS_LAST);
  const Plan plan = Made({.selection = {.filters = {"^cnn_fp32_b1"}},
                          .flags = {{"memory-format", {"contiguous", "channels_last"}}}},
                         registry);
  EXPECT_THAT(Names(plan), ElementsAre("cnn_fp32_b1", "cnn_fp32_b1_channels_last"));
  EXPECT_THAT(plan.dropped, ElementsAre(Pair(HasSubstr("already called so"), 2)));
}

TEST(Plan, TakesTrainingCasesWhereTheyAreAskedFor) {
  EXPECT_THAT(Names(Made({.selection = {.only = {"mlp_fp32_b8_train"}}})),
              ElementsAre("mlp_fp32_b8_train"));
  const Plan plan = Made({.dtypes = {FP32, BF16}, .tests = {TRAIN}});
  EXPECT_THAT(Names(plan), ElementsAre("mlp_fp32_b8_train"));
  EXPECT_THAT(plan.dropped,
              UnorderedElementsAre(Pair(HasSubstr("no selected fp32 train case"), 1),
                                   Pair(HasSubstr("no selected bf16 train case"), 2)));
  EXPECT_THAT(Names(Made({.tests = {EVAL, TRAIN}})), SizeIs(9));
}

TEST(Plan, DropsWhatTheRunnerRefuses) {
  const Plan plan = Made({.selection = {.filters = {"mlp.*b8"}},
                          .tests = {EVAL, TRAIN},
                          .flags = {{"optimizer", {"adam", "adamw"}}}});
  EXPECT_THAT(Names(plan), ElementsAre("mlp_fp32_b8_train --optimizer=adam"));
  EXPECT_THAT(plan.dropped, UnorderedElementsAre(
                                Pair(HasSubstr("the case does not train"), 4),
                                Pair(HasSubstr("--optimizer=adamw: the case has sgd, adam"), 1)));
  const PlanRequest batch = {
      .selection = {.only = {"mlp_fp32_b8_train"}}, .batches = {8, 16}, .flags = {}};
  EXPECT_THAT(Made(batch).dropped, ElementsAre(Pair(HasSubstr("depends on every row"), 1)));
  PlanRequest unverified = batch;
  unverified.flags["verify"] = {"off"};
  EXPECT_THAT(Names(Made(unverified)), ElementsAre("mlp_fp32_b8_train --verify=off",
                                                   "mlp_fp32_b8_train --batch=16 --verify=off"));
  EXPECT_THAT(
      Made({.selection = {.filters = {"mlp_...._b1"}}, .flags = {{"autocast", {"fp16"}}}}).dropped,
      ElementsAre(Pair(HasSubstr("takes fp32 cases"), 1)));
}

TEST(Plan, DropsFlagsThatCannotStandTogether) {
  const Plan plan = Made(
      {.selection = {.only = {"mlp_fp32_b8"}},
       .flags = {
           {"verify", {"on", "off"}}, {"action", {"measure", "verify"}}, {"rule", {"cosine"}}}});
  EXPECT_THAT(Names(plan), ElementsAre("mlp_fp32_b8 --rule=cosine",
                                       "mlp_fp32_b8 --action=verify --rule=cosine"));
  EXPECT_THAT(plan.dropped,
              UnorderedElementsAre(
                  Pair(HasSubstr("nothing would be left to do"), 1),
                  Pair("--rule: it is of the comparison, which --verify=off leaves out", 1)));
}

TEST(Plan, BackEndsAreConfigurationsOfTheirOwn) {
  const Plan plan = Made({.selection = {.only = {"mlp_fp32_b8", "mlp_fp32_b8_train"}},
                          .flags = {{"backend", {"eager", "torchscript"}}}});
  EXPECT_THAT(Names(plan),
              ElementsAre("mlp_fp32_b8", "mlp_fp32_b8 --backend=torchscript", "mlp_fp32_b8_train"));
  EXPECT_THAT(plan.dropped, ElementsAre(Pair(HasSubstr("it traces a forward pass"), 1)));
}

TEST(Plan, FlagsOfABackEndAreOfItsConfigurationsAlone) {
  const Plan plan =
      Made({.selection = {.only = {"mlp_fp32_b8"}},
            .flags = {{"backend", {"eager", "torchscript"}}, {"threads", {"1"}}},
            .backend_flags = {{"torchscript", {{"torchscript_freeze", {"true", "false"}}}}}});
  EXPECT_THAT(
      Names(plan),
      ElementsAre("mlp_fp32_b8 --threads=1",
                  "mlp_fp32_b8 --backend=torchscript --threads=1 --torchscript_freeze=true",
                  "mlp_fp32_b8 --backend=torchscript --threads=1 --torchscript_freeze=false"));
}

TEST(Plan, DropsStepsAndModesThatThereAreNotButNoDevice) {
  const PlanRequest request = {.selection = {.only = {"mlp_fp32_b1"}},
                               .flags = {{"device", {"cpu", "cuda"}},
                                         {"modes", {"wall", "graph"}},
                                         {"steps", {"forward", "h2d", "backward"}}}};
  const Plan plan = Made(request);
  EXPECT_THAT(Names(plan), SizeIs(1 + 4));  // wall of forward on the CPU; all but backward on CUDA
  EXPECT_THAT(Names(plan), Contains("mlp_fp32_b1 --device=cuda --modes=graph --steps=h2d"));
  EXPECT_THAT(plan.dropped, AllOf(Contains(Pair(HasSubstr("--steps=backward"), 4)),
                                  Contains(Pair(HasSubstr("--steps=h2d"), 2)),
                                  Contains(Pair(HasSubstr("--modes=graph"), 1))));
}

TEST(Plan, PhotographsAreForClassifiersThatEvaluate) {
  const Plan plan = Made({.flags = {{"steps", {"preprocess"}}}});
  EXPECT_THAT(Names(plan), Each(StartsWith("cnn_")));
  EXPECT_THAT(plan.dropped,
              Contains(Pair(
                  HasSubstr("photographs belong to classifiers that evaluate, boxes to detectors"),
                  Gt(0))));
}

TEST(Plan, SkipsWithTheReasonAndByTheDevice) {
  PlanRequest request = {.selection = {.only = {"cnn_bf16_b8", "mlp_fp32_b1"}},
                         .flags = {{"device", {"cpu", "cuda"}}}};
  KnownSkips skips;
  DataLines lines;
  ASSERT_TRUE(
      ParseData("skips { dtype: FP32 device: CPU reason: 'slow' }", "a", "skips", skips, lines)
          .ok());
  ASSERT_TRUE(request.known_skips.Add(skips, lines, SmallRegistry()).ok());
  const auto reasons = [](const Plan& plan) {
    std::vector<std::string> all;
    for (const PlannedRun& c : plan.configurations) all.push_back(c.skip_reason);
    return all;
  };
  EXPECT_THAT(reasons(Made(request)), ElementsAre("slow", "", "", "no kernel"));
  request.skip_known = false;
  EXPECT_THAT(reasons(Made(request)), ElementsAre("", "", "", "no kernel"));
  request.flags.clear();
  request.default_device = CUDA;
  EXPECT_THAT(reasons(Made(request)), ElementsAre("", "no kernel"));
}

TEST(Plan, OfNothingSaysWhy) {
  const absl::StatusOr<Plan> plan =
      MakePlan({.selection = {.only = {"cnn"}}, .tests = {TRAIN}}, SmallRegistry());
  EXPECT_EQ(plan.status().code(), absl::StatusCode::kNotFound);
  EXPECT_THAT(std::string(plan.status().message()),
              AllOf(HasSubstr("of 4 selected cases"), HasSubstr("no selected train case")));
  PlanRequest huge = {.flags = {{"threads", {}}, {"batch", {}}}};
  huge.flags.erase("batch");
  for (int i = 0; i < 1000; ++i) huge.flags["threads"].push_back(absl::StrCat(i));
  huge.flags["warmup"] = huge.flags["threads"];
  EXPECT_THAT(std::string(MakePlan(huge, SmallRegistry()).status().message()),
              HasSubstr("combinations; at most"));
}

}  // namespace
}  // namespace assay::suite

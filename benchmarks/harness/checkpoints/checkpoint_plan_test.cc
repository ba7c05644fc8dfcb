#include "benchmarks/harness/checkpoints/checkpoint_plan.h"

#include <string>
#include <vector>

#include "absl/strings/str_cat.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"

namespace assay::checkpoints {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::Pair;

// A normed layer with a counter, and an output layer tied to the embedding.
ModelNames Model() {
  return {{"embeddings.weight", "embeddings.weight"},
          {"norm.weight", "norm.weight"},
          {"norm.bias", "norm.bias"},
          {"bn.weight", "bn.weight"},
          {"bn.num_batches_tracked", "bn.num_batches_tracked"},
          {"head.weight", "embeddings.weight"}};
}

CheckpointExtras Extras() {
  CheckpointExtras extras;
  extras.add_buffers("embeddings.position_ids");
  extras.add_heads("cls");
  return extras;
}

struct Row {
  std::string what;
  FileNames file;
  // Expected text; empty where nothing is expected.
  std::vector<std::string> notes = {};
  std::set<std::string> missing = {}, unexpected = {};
  std::vector<std::string> doubled = {};
  std::string prefix = "";
};

const FileNames kPlain = {"embeddings.weight", "norm.weight", "norm.bias", "bn.weight",
                          "bn.num_batches_tracked"};

FileNames With(FileNames names, const FileNames& more) {
  names.insert(more.begin(), more.end());
  return names;
}

FileNames Without(FileNames names, const FileNames& less) {
  for (const std::string& name : less) names.erase(name);
  return names;
}

FileNames Behind(const std::string& prefix, const FileNames& names) {
  FileNames behind;
  for (const std::string& name : names) behind.insert(prefix + name);
  return behind;
}

std::string FiveBehind(const std::string& prefix) {
  return absl::StrCat("5 tensors have \"", prefix, "\" in front of their names");
}

TEST(PlanCheckpoint, TranslatesWhatPeopleHaveAndNothingElse) {
  const std::string buffers =
      "1 tensor left out, buffers that the original library does not read: ";
  const std::string heads = " left out, heads that the model has not: ";
  const std::vector<Row> rows = {
      {"the model's own names", kPlain},
      {"tied tensors under both names", With(kPlain, {"head.weight"})},
      {"tied tensors under the other name",
       With(Without(kPlain, {"embeddings.weight"}), {"head.weight"})},
      {"data parallel", Behind("module.", kPlain), {FiveBehind("module.")}},
      {"compiled", Behind("_orig_mod.", kPlain), {FiveBehind("_orig_mod.")}},
      {"several at once",
       Behind("_orig_mod.module.bert.", kPlain),
       {FiveBehind("_orig_mod.module.bert.")}},
      {"a name of one's own", Behind("0.auto_model.", kPlain), {FiveBehind("0.auto_model.")}},
      {"old names of a norm",
       With(Without(kPlain, {"norm.weight", "norm.bias"}), {"norm.gamma", "norm.beta"}),
       {"2 tensors called gamma or beta read as weight or bias"}},
      {"a buffer",
       With(kPlain, {"embeddings.position_ids"}),
       {buffers + "\"embeddings.position_ids\""}},
      {"a buffer behind the prefix",
       Behind("bert.", With(kPlain, {"embeddings.position_ids"})),
       {FiveBehind("bert."), buffers + "\"bert.embeddings.position_ids\""}},
      {"heads", With(kPlain, {"cls.bias"}), {"1 tensor" + heads + "\"cls.bias\""}},
      {"heads beside the prefix, some only counted",
       With(Behind("bert.", kPlain), {"cls.a.gamma", "cls.b", "cls.c", "cls.d", "cls.e"}),
       {FiveBehind("bert."),
        "5 tensors" + heads + "\"cls.a.gamma\", \"cls.b\", \"cls.c\", … and 2 more"}},
      {"heads behind the prefix or a part of it",
       With(Behind("module.bert.", kPlain), {"module.cls.b", "module.bert.cls.b"}),
       {FiveBehind("module.bert."),
        "2 tensors" + heads + "\"module.bert.cls.b\", \"module.cls.b\""}},
      {"counters of before they were counted",
       Without(kPlain, {"bn.num_batches_tracked"}),
       {"1 tensor not in the file left at 0: \"bn.num_batches_tracked\""}},
      {"a given prefix, with or without its dot",
       With(Behind("model.", kPlain), Behind("ema.", kPlain)),
       {FiveBehind("ema."),
        "5 tensors left out, outside of --weights-prefix: \"model.bn.num_batches_tracked\", "
        "\"model.bn.weight\", \"model.embeddings.weight\", … and 2 more"},
       {},
       {},
       {},
       "ema"},

      {"nothing",
       {},
       {"1 tensor not in the file left at 0: \"bn.num_batches_tracked\""},
       {"embeddings.weight", "head.weight", "norm.weight", "norm.bias", "bn.weight"}},
      {"one is missing", Without(kPlain, {"norm.bias"}), {}, {"norm.bias"}},
      {"one is missing behind a prefix",
       Behind("module.", Without(kPlain, {"norm.bias"})),
       {"4 tensors have \"module.\" in front of their names"},
       {"norm.bias"}},
      {"a tied tensor is missing under both names",
       Without(kPlain, {"embeddings.weight"}),
       {},
       {"embeddings.weight", "head.weight"}},
      {"one is too many", With(kPlain, {"norm.scale"}), {}, {}, {"norm.scale"}},
      {"a head that is not declared",
       With(kPlain, {"classifier.bias"}),
       {},
       {},
       {"classifier.bias"}},
      {"no head, only a name that begins like one",
       With(kPlain, {"cls2.bias"}),
       {},
       {},
       {"cls2.bias"}},
      {"a buffer's name elsewhere",
       With(kPlain, {"more.embeddings.position_ids"}),
       {},
       {},
       {"more.embeddings.position_ids"}},
      {"a buffer's name beside the prefix",
       With(Behind("bert.", kPlain), {"embeddings.position_ids"}),
       {FiveBehind("bert.")},
       {},
       {"embeddings.position_ids"}},
      {"one tensor alone is behind a prefix",
       With(Without(kPlain, {"norm.bias"}), {"module.norm.bias"}),
       {},
       {"norm.bias"},
       {"module.norm.bias"}},
      {"both names of a norm's weight",
       With(kPlain, {"norm.gamma"}),
       {"1 tensor called gamma or beta read as weight or bias"},
       {},
       {},
       {"is there as \"norm.gamma\" and as \"norm.weight\""}},
      {"gamma alone in a name",
       With(kPlain, {"gamma", "normgamma"}),
       {},
       {},
       {"gamma", "normgamma"}},
      {"a part of a second copy",
       With(Behind("model.", kPlain), Behind("ema.", {"norm.bias"})),
       {FiveBehind("model.")},
       {},
       {"ema.norm.bias"}},
  };
  for (const Row& row : rows) {
    SCOPED_TRACE(row.what);
    const auto plan = PlanCheckpoint(Model(), row.file, {Extras(), row.prefix});
    ASSERT_TRUE(plan.ok()) << plan.status();
    EXPECT_EQ(plan->Notes(), row.notes);
    EXPECT_EQ(plan->misfit.missing, row.missing);
    EXPECT_EQ(plan->misfit.unexpected, row.unexpected);
    std::vector<std::string> doubled;
    for (const auto& [name, how] : plan->misfit.doubled) doubled.push_back(how);
    EXPECT_EQ(doubled, row.doubled);
    // Every name of the file is in exactly one list.
    EXPECT_EQ(plan->sources.size() + plan->buffers.size() + plan->heads.size() +
                  plan->outside.size() + plan->misfit.unexpected.size() +
                  plan->misfit.doubled.size(),
              row.file.size());
  }
}

TEST(PlanCheckpoint, SaysWhichNameFillsWhich) {
  const auto plan = PlanCheckpoint({{"a.weight", "a.weight"}, {"a.bias", "a.bias"}},
                                   {"bert.a.gamma", "bert.a.bias"}, {});
  ASSERT_TRUE(plan.ok()) << plan.status();
  EXPECT_THAT(plan->sources,
              ElementsAre(Pair("a.bias", "bert.a.bias"), Pair("a.weight", "bert.a.gamma")));
}

TEST(PlanCheckpoint, AModelsOwnGammaIsNoOldName) {
  const auto plan = PlanCheckpoint({{"a.gamma", "a.gamma"}, {"a.weight", "a.weight"}},
                                   {"a.gamma", "a.weight"}, {});
  ASSERT_TRUE(plan.ok()) << plan.status();
  EXPECT_FALSE(plan->misfit.any());
  EXPECT_THAT(plan->Notes(), IsEmpty());
}

TEST(PlanCheckpoint, SomeCountersAbsentAreMissing) {
  const auto plan = PlanCheckpoint({{"a.num_batches_tracked", "a.num_batches_tracked"},
                                    {"b.num_batches_tracked", "b.num_batches_tracked"}},
                                   {"a.num_batches_tracked"}, {});
  ASSERT_TRUE(plan.ok()) << plan.status();
  EXPECT_THAT(plan->misfit.missing, ElementsAre("b.num_batches_tracked"));
}

TEST(PlanCheckpoint, APrefixThatFitsTwiceIsForTheUserToChoose) {
  for (const char* other : {"", "module."}) {
    const auto plan =
        PlanCheckpoint(Model(), With(Behind(other, kPlain), Behind("student.", kPlain)), {});
    EXPECT_EQ(plan.status().code(), absl::StatusCode::kInvalidArgument);
    EXPECT_THAT(plan.status().message(),
                HasSubstr(absl::StrCat("the model is in it 2 times, behind \"", other,
                                       "\" and \"student.\"; say which is meant: "
                                       "--weights-prefix=student.")));
  }
}

TEST(PlanCheckpoint, TellsHowToLeaveOutAHeadThatNobodyDeclared) {
  FileNames file = With(Behind("bert.", kPlain), {"linear.weight"});
  const auto plan = PlanCheckpoint(Model(), file, {Extras()});
  ASSERT_TRUE(plan.ok()) << plan.status();
  EXPECT_THAT(plan->misfit.Text(), HasSubstr("\n  hint        --weights-prefix=bert. leaves out"));
  EXPECT_FALSE(PlanCheckpoint(Model(), file, {Extras(), "bert."})->misfit.any());
  file.insert("bert.more.a");
  EXPECT_THAT(PlanCheckpoint(Model(), file, {Extras()})->misfit.Text(),
              HasSubstr("\n  hint        --weights-ignore=bert.more leaves out"));
  const auto without = PlanCheckpoint(Model(), file, {Extras(), "", {"bert.more", "linear."}});
  ASSERT_TRUE(without.ok()) << without.status();
  EXPECT_FALSE(without->misfit.any());
  EXPECT_EQ(without->Notes().back(),
            "2 tensors left out, by --weights-ignore: \"bert.more.a\", \"linear.weight\"");
  EXPECT_FALSE(PlanCheckpoint(Model(), file, {Extras(), "", {"more", "linear"}})->misfit.any())
      << "behind the prefix";
  EXPECT_THAT(PlanCheckpoint(Model(), file, {Extras(), "", {"linea"}}).status().message(),
              HasSubstr("no tensor's name begins with \"linea\" (--weights-ignore)"));
}

TEST(PlanCheckpoint, NoHintLeavesOutWhatTheModelTakes) {
  FileNames file = kPlain;
  const std::string& taken = *file.rbegin();
  const std::string first = taken.substr(0, taken.find('.'));
  file.insert(first + ".more.a.b");
  EXPECT_THAT(PlanCheckpoint(Model(), file, {Extras()})->misfit.Text(),
              HasSubstr("\n  hint        --weights-ignore=" + first + ".more leaves out"));
}

TEST(PlanCheckpoint, ScalesOfQuantizedWeightsAreNotLeftOut) {
  FileNames file = kPlain;
  file.insert(*kPlain.begin() + "_scale_inv");
  EXPECT_THAT(
      PlanCheckpoint(Model(), file, {Extras()})->misfit.Text(),
      HasSubstr("\n  hint        the weights are stored in parts, numbers and scales: convert "
                "the file to one floating-point type first"));
}

TEST(PlanCheckpoint, ReadsOlderNamesThatTheFamilyDeclares) {
  LoadingRules rules;
  CheckpointExtras::Renaming& renaming = *rules.extras.add_renamings();
  renaming.set_then(".norm.1.");
  renaming.set_today(".norm1.");
  const ModelNames model = {{"a.norm1.weight", "a.norm1.weight"}, {"a.norm1.bias", "a.norm1.bias"}};
  const auto plan = PlanCheckpoint(model, {"m.a.norm.1.weight", "m.a.norm1.bias"}, rules);
  ASSERT_TRUE(plan.ok()) << plan.status();
  EXPECT_FALSE(plan->misfit.any());
  EXPECT_THAT(plan->Notes(),
              ElementsAre("2 tensors have \"m.\" in front of their names",
                          "1 tensor with names of an older version: \"m.a.norm.1.weight\""));
  EXPECT_THAT(PlanCheckpoint(model, {"a.norm.1.weight", "a.norm1.weight", "a.norm1.bias"}, rules)
                  ->misfit.doubled,
              testing::SizeIs(1));
}

TEST(PlanCheckpoint, ReadsFilesOfTheBareModel) {
  LoadingRules rules;
  rules.extras.set_base("base");
  rules.extras.add_buffers("base.h.*.bias");
  // The head's weight is the embedding's.
  const ModelNames model = {{"base.word", "base.word"},
                            {"base.h.0.fc.bias", "base.h.0.fc.bias"},
                            {"base.h.1.fc.bias", "base.h.1.fc.bias"},
                            {"head", "base.word"}};
  const FileNames bare = {"word", "h.0.fc.bias", "h.1.fc.bias", "h.0.bias", "h.1.bias"};
  const std::string buffers =
      "2 tensors left out, buffers that the original library does not read: ";
  auto plan = PlanCheckpoint(model, bare, rules);
  ASSERT_TRUE(plan.ok()) << plan.status();
  EXPECT_FALSE(plan->misfit.any()) << plan->misfit.Text();
  EXPECT_EQ(plan->sources["base.h.1.fc.bias"], "h.1.fc.bias");
  EXPECT_THAT(plan->Notes(), ElementsAre("the names lack \"base.\", as those of the bare model",
                                         buffers + "\"h.0.bias\", \"h.1.bias\""));
  plan = PlanCheckpoint(model, Behind("base.", bare), rules);
  EXPECT_THAT(plan->Notes(), ElementsAre(buffers + "\"base.h.0.bias\", \"base.h.1.bias\""));
  for (const std::string given : {"", "module"}) {
    rules.prefix = given;
    plan = PlanCheckpoint(model, Behind("module.", bare), rules);
    EXPECT_EQ(plan->sources["base.word"], "module.word") << given;
    EXPECT_FALSE(plan->misfit.any()) << plan->misfit.Text();
  }
  rules.prefix = "";
  EXPECT_THAT(PlanCheckpoint(model, With(bare, {"h.0.fc.more.bias"}), rules)->misfit.unexpected,
              ElementsAre("h.0.fc.more.bias"));
}

TEST(PlanCheckpoint, ProposesThePlainWeightsBeforeTheirAverage) {
  const FileNames both = With(Behind("model.", kPlain), Behind("model_ema.", kPlain));
  EXPECT_THAT(PlanCheckpoint(Model(), both, {}).status().message(),
              HasSubstr("say which is meant: --weights-prefix=model."));
}

TEST(PlanCheckpoint, AGivenPrefixMustBeThere) {
  const auto plan = PlanCheckpoint(Model(), Behind("bert.", kPlain), {{}, "roberta."});
  EXPECT_EQ(plan.status().code(), absl::StatusCode::kInvalidArgument);
  EXPECT_EQ(plan.status().message(),
            "no tensor's name begins with \"roberta.\" (--weights-prefix); they begin with "
            "\"bert.\"");
}

TEST(PlanCheckpoint, HostileNamesCostLittle) {
  FileNames file = kPlain;
  std::string dots;
  for (int i = 0; i < 2'000'000; ++i) dots += "a.";
  for (int i = 0; i < 10; ++i) file.insert(absl::StrCat(dots, i, ".norm.bias"));
  const auto plan = PlanCheckpoint(Model(), file, {Extras()});
  ASSERT_TRUE(plan.ok()) << plan.status();
  EXPECT_EQ(plan->misfit.unexpected.size(), 10u);
}

}  // namespace
}  // namespace assay::checkpoints

#include "benchmarks/harness/runner/settings.h"

#include <string>
#include <utility>
#include <vector>

#include "gmock/gmock.h"
#include "gtest/gtest.h"

namespace assay::runner {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;

// The settings of a user who types these flags.
absl::StatusOr<Settings> Typed(std::vector<std::string> words) {
  words.insert(words.begin(), "runner");
  std::vector<char*> pointers;
  for (std::string& word : words) pointers.push_back(word.data());
  const absl::StatusOr<CommandLine> line =
      ParseCommandLine(static_cast<int>(pointers.size()), pointers.data());
  if (!line.ok()) return line.status();
  return ReadSettings(*line);
}

TEST(ReadSettings, WithoutFlagsVerifiesAndMeasuresOnTheCpu) {
  const absl::StatusOr<Settings> s = Typed({});
  ASSERT_TRUE(s.ok()) << s.status();
  EXPECT_EQ(s->device, CPU);
  EXPECT_EQ(s->action, Action::kMeasure);
  EXPECT_TRUE(s->verify);
  EXPECT_FALSE(s->call.any());
  EXPECT_FALSE(s->strict_budget);
  EXPECT_EQ(s->budget, absl::Seconds(1));
  EXPECT_EQ(s->timeout, absl::ZeroDuration());
  EXPECT_TRUE(s->retain_memory);
}

TEST(ReadSettings, TakesWhatIsAskedForInItsOrder) {
  const absl::StatusOr<Settings> s =
      Typed({"--modes=cold,wall", "--exec-mode=do_bench", "--steps=backward,forward", "--batch=17",
             "--memory-format=channels_last", "--autocast=bf16", "--matmul-precision=high",
             "--deterministic", "--budget=0.5", "--timeout=60", "--inject=3%", "--threads=2",
             "--allocator=default", "--benchmark_filter=cold", "--record=r.jsonl", "--verify=off",
             "--randomize-inputs"});
  ASSERT_TRUE(s.ok()) << s.status();
  std::vector<std::string> methods;
  for (const Method& method : s->methods) methods.push_back(MethodName(method));
  EXPECT_THAT(methods, ElementsAre("cold", "wall", "do_bench"));
  EXPECT_THAT(s->steps, ElementsAre("backward", "forward"));
  EXPECT_EQ(s->call.batch, 17);
  EXPECT_EQ(s->call.memory_format, CHANNELS_LAST);
  EXPECT_EQ(s->call.autocast, BF16);
  EXPECT_EQ(s->call.matmul_precision, HIGH);
  EXPECT_EQ(s->call.deterministic, true);
  EXPECT_EQ(s->budget, absl::Milliseconds(500));
  EXPECT_TRUE(s->strict_budget);
  EXPECT_EQ(s->timeout, absl::Minutes(1));
  EXPECT_DOUBLE_EQ(s->injected_share, 0.03);
  EXPECT_EQ(s->threads, 2);
  EXPECT_FALSE(s->retain_memory);
  EXPECT_EQ(s->filter, "cold");
  EXPECT_EQ(s->record_path, "r.jsonl");
  EXPECT_FALSE(s->verify);
  EXPECT_TRUE(s->randomize_inputs);
}

TEST(ReadSettings, SeveralBatchesStandForNothingThatIsOfOne) {
  EXPECT_THAT(Typed({"--dynamic-batch=1,8"})->dynamic_batch, ElementsAre(1, 8));
  for (const char* other :
       {"--batch=2", "--export-state=s", "--profile", "--save-outputs=o.safetensors", "--inputs=i",
        "--action=smoke", "--benchmark_out=f", "--benchmark_format=json"}) {
    const auto settings = Typed({"--dynamic-batch=1,8", other});
    const std::string_view name = std::string_view(other).substr(0, 7);
    EXPECT_THAT(settings.status().message(), HasSubstr(name)) << other;
    EXPECT_THAT(settings.status().message(), HasSubstr("of one batch; give --batch=N")) << other;
  }
  EXPECT_THAT(Typed({"--dynamic-batch=1,0"}).status().message(), HasSubstr("'0' is no number"));
}

TEST(ReadSettings, SizesThatVaryStandForNothingThatIsOfOne) {
  const auto settings = Typed({"--vary=n=1,2:3", "--vary-seed=7", "--modes=wall", "--batch=2"});
  ASSERT_TRUE(settings.ok()) << settings.status();
  EXPECT_EQ(settings->mix->sizes.size(), 2);
  EXPECT_EQ(settings->mix->seed, 7);
  EXPECT_FALSE(Typed({})->mix);
  for (const char* other :
       {"--dynamic-batch=1,2", "--randomize-inputs", "--inject=3%", "--module=m", "--weights=w",
        "--inputs=i", "--action=smoke", "--energy", "--profile", "--export-state=s", "--locate",
        "--accuracy-runs=3", "--check=bitwise", "--save-outputs=s", "--compare-outputs=s",
        "--benchmark_format=json", "--exec-mode=discrete"}) {
    const auto both = Typed({"--vary=n=1,2", other});
    EXPECT_THAT(both.status().message(), HasSubstr("of calls of one size with the seeded tensors"))
        << other;
  }
  const std::pair<std::vector<std::string>, const char*> rows[] = {
      {{"--vary=n=1"}, "--vary=n=1: one size does not vary"},
      {{"--vary=n=1,2", "--scenario=offline"}, "--scenario: not with --vary"},
      {{"--vary=n=1,2", "--modes=wall,hot"}, "leave hot out"},
      {{"--vary=n=1,2", "--steps=forward,backward"}, "leave --steps=backward out"},
      {{"--vary=batch=1,2", "--batch=3"}, "--vary: its mix has batches; leave --batch out"},
      {{"--vary-seed=1"}, "--vary-seed: it is of --vary"}};
  for (const auto& [words, text] : rows) {
    const absl::Status status = Typed(words).status();
    EXPECT_EQ(status.code(), absl::StatusCode::kInvalidArgument) << text;
    EXPECT_THAT(status.message(), HasSubstr(text));
  }
}

TEST(ReadSettings, MinTimeOfGoogleBenchmarkIsTheBudget) {
  EXPECT_EQ(Typed({"--benchmark_min_time=2s", "--budget=5"})->budget, absl::Seconds(2));
}

TEST(ReadSettings, AReferenceOfTheUsersStandsInForTheLockedOne) {
  EXPECT_EQ(Typed({"--locked-reference=a"})->reference_path, "a");
  EXPECT_EQ(Typed({"--locked-reference=a", "--reference=b"})->reference_path, "b");
  EXPECT_EQ(Typed({"--locked-reference=a", "--reference=b"})->given.reference, "");
  EXPECT_EQ(Typed({"--inputs=i", "--reference=b"})->given.reference, "b");
}

TEST(ReadSettings, SeededInputsMayBeExportedBesideWeights) {
  const absl::StatusOr<Settings> s =
      Typed({"--weights=w", "--weights-prefix=bert.", "--export-inputs=i"});
  ASSERT_TRUE(s.ok()) << s.status();
  EXPECT_EQ(s->exports.inputs, "i");
  EXPECT_EQ(s->given.weights_prefix, "bert.");
}

TEST(ReadSettings, AModuleIsReadOrWritten) {
  EXPECT_EQ(Typed({"--backend=aoti", "--module=m.pt2"})->module_path, "m.pt2");
  const absl::StatusOr<Settings> s = Typed({"--export-module=m.pt"});
  ASSERT_TRUE(s.ok()) << s.status();
  EXPECT_EQ(s->exports.module, "m.pt");
  EXPECT_TRUE(s->exports.any());
  EXPECT_FALSE(s->exports.only_inputs());
}

TEST(ReadSettings, LocatingIsAnExportWithAMistakeOrWithout) {
  const absl::StatusOr<Settings> s =
      Typed({"--locate", "--mistake=scaled_0", "--memory-format=channels_last"});
  ASSERT_TRUE(s.ok()) << s.status();
  EXPECT_TRUE(s->exports.any() && s->exports.locate);
  EXPECT_FALSE(s->exports.only_inputs());
  EXPECT_EQ(s->exports.mistake, "scaled_0");
  EXPECT_FALSE(Typed({"--mistake=scaled_0"})->exports.any());
}

TEST(ReadSettings, TakesWhatIsAskedOfTheComparison) {
  const absl::StatusOr<Settings> s =
      Typed({"--rule=dynamo_same:1e-3", "--accuracy-runs=5", "--check=batch_invariance,bitwise",
             "--save-outputs=a", "--compare-outputs=b"});
  ASSERT_TRUE(s.ok()) << s.status();
  EXPECT_EQ(s->accuracy.rule->rule(), DYNAMO_SAME);
  EXPECT_EQ(s->accuracy.runs, 5);
  EXPECT_TRUE(s->accuracy.batch_invariance && s->accuracy.bitwise);
  EXPECT_EQ(s->accuracy.save_outputs, "a");
  EXPECT_EQ(s->accuracy.compare_outputs, "b");
  EXPECT_FALSE(Typed({})->accuracy.any());
}

TEST(ReadSettings, RefusesWhatCannotBeMeant) {
  const std::vector<std::pair<std::vector<std::string>, const char*>> rows = {
      {{"--device=tpu"}, "--device=tpu: one of cpu, cuda"},
      {{"--action=check"}, "--action=check: one of measure, verify, smoke"},
      {{"--verify=no"}, "--verify=no: one of on, off"},
      {{"--action=verify", "--verify=off"}, "nothing would be left to do"},
      {{"--allocator=jemalloc"}, "one of retain, default"},
      {{"--cuda-l2-cache=maybe"}, "one of on, off"},
      {{"--modes=walls"}, "walls"},
      {{"--exec-mode=sequential"}, "sequential"},
      {{"--steps=forwards"}, "forwards"},
      {{"--warmup=-1"}, "--warmup=-1: a whole number from 0"},
      {{"--iterations=0"}, "--iterations=0"},
      {{"--memory-format=nhwc"}, "one of contiguous, channels_last"},
      {{"--autocast=fp8"}, "one of bf16, fp16, off"},
      {{"--matmul-precision=low"}, "one of highest, high, medium"},
      {{"--batch=0"}, "--batch=0: a whole number from 1 to 1048576"},
      {{"--batch=1048577"}, "--batch=1048577: a whole number"},
      {{"--budget=0"}, "more than 0"},
      {{"--budget=nan"}, "more than 0"},
      {{"--budget=inf"}, "more than 0"},
      {{"--timeout=-1"}, "0 or more"},
      {{"--inject=3"}, "a share like 3%"},
      {{"--inject=0%"}, "a share like 3%"},
      {{"--inject=1001%"}, "a share like 3%"},
      {{"--threads=-2"}, "--threads=-2: a whole number from 0"},
      {{"--threads=4096"}, "--threads=4096: at most "},
      {{"--rule=dynamo"}, "--rule=dynamo: one of dynamo_same"},
      {{"--accuracy-runs=2"}, "--accuracy-runs=2: an odd number, 1 to 999"},
      {{"--accuracy-runs=-1"}, "an odd number"},
      {{"--check=bitwise,batch"}, "'batch': one of batch_invariance, bitwise, mutants"},
      {{"--rule=cosine", "--verify=off"}, "the comparison, which --verify=off leaves out"},
      {{"--check=mutants", "--weights=a.safetensors"}, "leave --weights out"},
      {{"--check=bitwise", "--action=smoke"}, "which --action=smoke leaves out"},
      {{"--save-outputs=a", "--export-state=s"}, "which --export-state leaves out"},
      {{"--check=bitwise", "--locate"},
       "--check: it is of the comparison, which --locate leaves out"},
      {{"--locate", "--weights=w"},
       "--weights: not with --locate, which is of the seeded tensors; --weights may stand beside "
       "--export-inputs alone"},
      {{"--locate", "--inputs=i"}, "--inputs: not with --locate, which is of the seeded tensors"},
      {{"--locate", "--autocast=bf16"},
       "--autocast: not with --locate, which is of the case's own tensors; leave one of them out"},
      {{"--export-state=s", "--lowering=none"}, "--lowering: not with --export-state"},
      {{"--locate", "--profile"}, "--profile: it comes after measuring; leave --locate out"},
      {{"--locate", "--dynamic-batch=1,2"}, "--dynamic-batch: not with --locate"},
      {{"--locate=x"}, "--locate=x"},
      {{"--plot=a.pdf"}, "a picture is FILE.svg, FILE.png or FILE.html"},
      {{"--plot=a.svg", "--dynamic-batch=1,2"}, "not with --plot"},
      {{"--batch=2", "--batch=3"}, "--batch=3: it was given before, as 2"},
      {{"--benchmark_filter=("}, "no regular expression"},
      {{"--weights=w", "--action=smoke"}, "--weights: not with --action=smoke"},
      {{"--inputs=i", "--export-state=s"}, "--inputs: not with --export-state"},
      {{"--inputs=i", "--export-inputs=s"}, "--inputs: not with --export-inputs"},
      {{"--weights=w", "--export-state=s"}, "--weights: not with --export-state"},
      {{"--weights=w", "--export-reference=r", "--export-inputs=i"}, "--weights: not with"},
      {{"--weights=w", "--inputs=i", "--export-inputs=s"}, "--inputs: not with --export-inputs"},
      {{"--weights-prefix=bert."}, "--weights-prefix: it is of --weights"},
      {{"--weights-ignore=aux"}, "--weights-ignore: it is of --weights"},
      {{"--export-inputs=i", "--batch=3"}, "--batch: not with --export-inputs"},
      {{"--inputs=i", "--prompt-ids=p"},
       "--prompt-ids: not with --inputs, which holds the prompt"}};
  for (const auto& [words, text] : rows) {
    const absl::Status status = Typed(words).status();
    EXPECT_EQ(status.code(), absl::StatusCode::kInvalidArgument) << words[0];
    EXPECT_THAT(status.message(), HasSubstr(text)) << words[0];
  }
}

TEST(ReadSettings, AValueThatAFlagHasAnywayIsNotInTheWay) {
  EXPECT_TRUE(Typed({"--accuracy-runs=1", "--verify=off"}).ok());
  EXPECT_TRUE(Typed({"--nolocate", "--batch=2"}).ok());
  EXPECT_TRUE(Typed({"--noprofile", "--action=verify"}).ok());
  EXPECT_TRUE(Typed({"--dynamic-batch=1,2", "--benchmark_format=console"}).ok());
  EXPECT_TRUE(Typed({"--only-ranges", "--profile-calls=2"}).ok());
}

TEST(ReadSettings, AProfileTakesAFolderOrNone) {
  const absl::StatusOr<Settings> bare = Typed({"--profile", "--modes=wall"});
  ASSERT_TRUE(bare.ok()) << bare.status();
  EXPECT_TRUE(bare->profile.trace);
  EXPECT_EQ(bare->profile.folder, "");
  EXPECT_EQ(bare->profile.calls, 3);
  EXPECT_EQ(bare->methods.size(), 1U);
  const absl::StatusOr<Settings> named = Typed({"--profile=a/b", "--profile-calls=7"});
  ASSERT_TRUE(named.ok()) << named.status();
  EXPECT_EQ(named->profile.folder, "a/b");
  EXPECT_EQ(named->profile.calls, 7);
  const absl::StatusOr<Settings> nsys = Typed({"--nsys=x"});
  ASSERT_TRUE(nsys.ok()) << nsys.status();
  EXPECT_EQ(nsys->profile.tool, profile::Tool::kNsys);
  EXPECT_FALSE(Typed({"--nsys=x", "--nonsys", "--profile", "--noprofile"})->profile.any());
}

TEST(ReadSettings, MeasuresPeaksWhereItIsAskedToAndMeasures) {
  EXPECT_FALSE(Typed({})->peaks);
  EXPECT_TRUE(Typed({"--peaks"})->peaks);
  for (const char* other : {"--action=verify", "--action=smoke", "--export-inputs=f"}) {
    EXPECT_THAT(Typed({"--peaks", other}).status().message(), HasSubstr("after the case"));
    EXPECT_THAT(Typed({"--plot=a.svg", other}).status().message(), HasSubstr("after the case"));
  }
}

TEST(ReadSettings, CountsEnergyWhereItIsAskedToAndMeasures) {
  EXPECT_FALSE(Typed({})->energy);
  EXPECT_TRUE(Typed({"--energy"})->energy);
  EXPECT_THAT(Typed({"--energy", "--action=verify"}).status().message(),
              HasSubstr("energy is counted after the case"));
}

TEST(ReadSettings, AMemoryTimelineIsOneOfThreeFiles) {
  EXPECT_EQ(Typed({})->profile.timeline_path, "");
  for (const char* file : {"a.svg", "b/a.csv", "a.pickle"}) {
    const auto settings = Typed({std::string("--memory-timeline=") + file});
    ASSERT_TRUE(settings.ok()) << settings.status();
    EXPECT_EQ(settings->profile.timeline_path, file);
  }
  for (const char* other : {"--action=smoke", "--export-state=f", "--dynamic-batch=1,2"})
    EXPECT_FALSE(Typed({"--memory-timeline=a.svg", other}).ok()) << other;
}

TEST(ReadSettings, RefusesProfilesThatCannotBe) {
  const std::vector<std::pair<std::vector<std::string>, std::string>> wrong = {
      {{"--profile="}, "--profile=: it is empty"},
      {{"--profile", "dir"}, "'dir' is no flag"},
      {{"--memory-timeline=a.png"}, "a timeline is FILE.svg, FILE.csv or FILE.pickle"},
      {{"--profile", "--nsys"}, "--profile: not with --nsys: one at a time"},
      {{"--nsys", "--ncu"}, "--nsys: not with --ncu: one at a time"},
      {{"--profile", "--action=verify"}, "after measuring"},
      {{"--profile", "--export-state=f"}, "after measuring"},
      {{"--profile-calls=3"},
       "--profile-calls: it is of --profile, --nsys or --ncu, none of which is given"},
      {{"--profile", "--profile-calls=0"}, "--profile-calls=0: a whole number from 1 to 1000"},
      {{"--profile", "--profile-calls=x"}, "a whole number"},
      {{"--ncu"}, "--device=cuda"},
  };
  for (const auto& [words, part] : wrong) {
    EXPECT_THAT(Typed(words).status().message(), HasSubstr(part));
  }
}

}  // namespace
}  // namespace assay::runner

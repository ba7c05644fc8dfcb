#include "defs/compiler/case_resolution.h"

#include <google/protobuf/text_format.h>

#include <functional>
#include <limits>
#include <map>
#include <string>
#include <vector>

#include "absl/strings/str_cat.h"
#include "defs/case/distributions.h"
#include "gtest/gtest.h"

namespace assay {
namespace {

constexpr char kFamily[] = R"pb(
  implementations {
    name: "bert"
    description: "d"
    owner: "o"
    source_url: "u"
    reference: OWN_FLOAT64
    parameters { name: "hidden_size" kind: "integer" minimum: 1 maximum: 4096 }
    parameters {
      name: "layers"
      kind: "integers"
      minimum: 1
      maximum: 8
      default_value { integers { values: [ 2, 2 ] } }
    }
    parameters {
      name: "eps"
      kind: "real"
      minimum: 0
      maximum: 1
      default_value { real: 0.5 }
    }
    parameters {
      name: "block"
      kind: "text"
      allowed: "basic"
      allowed: "bottleneck"
      default_value { text: "basic" }
    }
    parameters {
      name: "sequence_length"
      kind: "integer"
      minimum: 1
      maximum: 512
      suffix: "s"
      default_value { integer: 128 }
    }
    inputs {
      name: "ids"
      dtype: INT64
      shape: "batch"
      shape: "sequence_length"
      distribution { integers { limit_parameter: "hidden_size" } }
    }
    inputs {
      name: "image"
      shape: "batch"
      shape: "3"
      distribution { uniform {} }
    }
    outputs { name: "logits" shape: "batch" shape: "hidden_size" dtype: FP32 }
    outputs { name: "classes" shape: "batch" shape: "*" dtype: INT64 }
    outputs { name: "temperature" }
    trainable: true
    targets {
      name: "labels"
      dtype: INT64
      shape: "batch"
      distribution { integers { limit: 10 } }
    }
  }
  models {
    name: "bert_base"
    implementation: "bert"
    parameters {
      key: "hidden_size"
      value { integer: 768 }
    }
    smoke_parameters {
      key: "sequence_length"
      value { integer: 8 }
    }
  }
)pb";

constexpr char kCase[] = R"pb(
  name: "bert_base_bf16_b64_s384"
  model: "bert_base"
  dtype: BF16
  batch: 64
  parameters {
    key: "sequence_length"
    value { integer: 384 }
  }
  verify { rule: RELATIVE_TO_STD rms_limit: 0.05 max_limit: 0.3 provenance: "measured" }
)pb";

const ReferenceName kTrainingReference = {.key = "bert_base_bf16_b64_s384_train", .rows = 64};
const ReferenceName kReference = {.key = "bert_base_bf16_b2_s384", .rows = 2};

Family ExampleFamily() {
  Family family;
  EXPECT_TRUE(google::protobuf::TextFormat::ParseFromString(kFamily, &family));
  return family;
}

BenchmarkCase ExampleCase() {
  BenchmarkCase c;
  EXPECT_TRUE(google::protobuf::TextFormat::ParseFromString(kCase, &c));
  return c;
}

std::string Joined(const Problems& problems) {
  std::string joined;
  for (const std::string& problem : problems) joined += problem + "\n";
  return joined;
}

std::string ProblemsOf(const BenchmarkCase& c) {
  Problems problems;
  Resolve(ExampleFamily(), c, kReference, {}, "here", &problems);
  return Joined(problems);
}

constexpr char kTraining[] = R"pb(
  mode: TRAIN
  training {
    optimizers { sgd { learning_rate: 0.1 momentum: 0.9 } }
    loss: OWN
  }
)pb";

// A case that trains.
BenchmarkCase TrainingCase() {
  BenchmarkCase c = ExampleCase();
  EXPECT_TRUE(google::protobuf::TextFormat::MergeFromString(kTraining, &c));
  c.set_name("bert_base_bf16_b64_s384_train");
  return c;
}

constexpr char kOperator[] = R"pb(
  name: "sum_of_rows_fp32_b8"
  operator_call {
    name: "aten::sum.dim_IntList"
    inputs {
      name: "self"
      shape: "batch"
      shape: "16"
      distribution { normal {} }
    }
    arguments {
      key: "dim"
      value { integers { values: 1 } }
    }
    outputs { name: "out" shape: "batch" }
  }
  dtype: FP32
  batch: 8
  verify { rule: RELATIVE_TO_STD rms_limit: 1e-5 max_limit: 1e-4 provenance: "measured" }
)pb";

BenchmarkCase OperatorCase() {
  BenchmarkCase c;
  EXPECT_TRUE(google::protobuf::TextFormat::ParseFromString(kOperator, &c));
  return c;
}

TEST(Resolve, FillsDefaultsAndReplacesNamesByNumbers) {
  Problems problems;
  CheckFamily(ExampleFamily(), "here", &problems);
  const ResolvedCase resolved =
      Resolve(ExampleFamily(), ExampleCase(), kReference, {}, "here", &problems);
  ASSERT_TRUE(problems.empty()) << problems[0];
  EXPECT_EQ(resolved.benchmark_case().mode(), EVAL);
  EXPECT_EQ(resolved.benchmark_case().execution().backend(), "eager");
  const TensorSpec& ids = resolved.measured().inputs(0);
  EXPECT_EQ(ids.dtype(), INT64);
  ASSERT_EQ(ids.shape_size(), 2);
  EXPECT_EQ(ids.shape(0), 64);
  EXPECT_EQ(ids.shape(1), 384);
  EXPECT_EQ(ids.distribution().integers().limit(), 768);
  EXPECT_EQ(ids.distribution().integers().limit_parameter(), "");
  EXPECT_EQ(resolved.measured().inputs(1).dtype(), BF16);
  EXPECT_EQ(resolved.measured().parameters().at("layers").integers().values_size(), 2);
}

TEST(Resolve, VerifiesAtASmallBatchAndSmokesASmallModel) {
  Problems problems;
  const ResolvedCase resolved =
      Resolve(ExampleFamily(), ExampleCase(), kReference, {}, "here", &problems);
  EXPECT_EQ(resolved.verified().batch(), 2);
  EXPECT_EQ(resolved.verified().inputs(0).shape(1), 384);
  EXPECT_EQ(resolved.smoke().inputs(0).shape(1), 8);
  EXPECT_EQ(resolved.smoke().batch(), kSmokeBatch);
}

TEST(Resolve, OutputsHaveShapeDtypeAndRule) {
  Problems problems;
  const ResolvedCase resolved =
      Resolve(ExampleFamily(), ExampleCase(), kReference, {}, "here", &problems);
  ASSERT_TRUE(problems.empty()) << problems[0];
  ASSERT_EQ(resolved.verified().outputs_size(), 3);
  const ExpectedOutput& logits = resolved.verified().outputs(0);
  EXPECT_EQ(logits.dtype(), FP32) << "of a BF16 case";
  EXPECT_EQ(std::vector<int64_t>(logits.shape().begin(), logits.shape().end()),
            (std::vector<int64_t>{2, 768}));
  EXPECT_TRUE(logits.batched());
  EXPECT_EQ(logits.rule(), RULE_UNSPECIFIED) << "the case's";
  const ExpectedOutput& classes = resolved.verified().outputs(1);
  EXPECT_EQ(classes.rule(), EXACT);
  EXPECT_EQ(classes.shape(1), -1);
  const ExpectedOutput& temperature = resolved.verified().outputs(2);
  EXPECT_EQ(temperature.dtype(), BF16);
  EXPECT_EQ(temperature.shape_size(), 0);
  EXPECT_FALSE(temperature.batched());
  EXPECT_EQ(resolved.measured().outputs(0).shape(0), 64);
}

TEST(Resolve, ATrainingCaseHasTargetsAndTheOutputsOfStepsOneAndThree) {
  Problems problems;
  CheckFamily(ExampleFamily(), "here", &problems);
  const ResolvedCase resolved =
      Resolve(ExampleFamily(), TrainingCase(), kTrainingReference, {}, "here", &problems);
  ASSERT_TRUE(problems.empty()) << Joined(problems);
  EXPECT_EQ(resolved.verified().batch(), 64) << "a step depends on every row";
  for (const Workload* workload : {&resolved.measured(), &resolved.verified(), &resolved.smoke()}) {
    ASSERT_EQ(workload->inputs_size(), 3);
    EXPECT_EQ(workload->inputs(2).name(), "labels") << "targets come last";
  }
  std::vector<std::string> names;
  for (const ExpectedOutput& output : resolved.verified().outputs()) {
    names.push_back(output.name());
    EXPECT_FALSE(output.batched()) << output.name();
  }
  EXPECT_EQ(names,
            (std::vector<std::string>{
                "step1.loss", "step1.logits", "step1.classes", "step1.temperature",
                "step1.gradients", "step1.gradient_norms", "sgd.step1.parameters",
                "sgd.step1.update_norms", "sgd.step3.loss", "sgd.step3.logits", "sgd.step3.classes",
                "sgd.step3.temperature", "sgd.step3.gradients", "sgd.step3.gradient_norms",
                "sgd.step3.parameters", "sgd.step3.update_norms"}));
  EXPECT_EQ(resolved.verified().outputs(0).shape_size(), 0);
  EXPECT_EQ(resolved.verified().outputs(2).rule(), EXACT);
  EXPECT_EQ(resolved.verified().outputs(4).shape(0), -1);
  EXPECT_EQ(resolved.verified().outputs(4).dtype(), BF16);
}

TEST(Resolve, ALossOverTheOutputsReadsNoTargets) {
  BenchmarkCase c = TrainingCase();
  c.mutable_training()->set_loss(MEAN);
  Family family = ExampleFamily();
  family.mutable_implementations(0)->set_trainable(false);
  Problems problems;
  const ResolvedCase resolved = Resolve(family, c, kTrainingReference, {}, "here", &problems);
  ASSERT_TRUE(problems.empty()) << Joined(problems);
  EXPECT_EQ(resolved.verified().inputs_size(), 2);
}

TEST(Resolve, AnOperatorCaseTakesInputsAndOutputsFromItsCall) {
  Problems problems;
  const ResolvedCase resolved = Resolve(
      Family(), OperatorCase(), {.key = "sum_of_rows_fp32_b2", .rows = 2}, {}, "here", &problems);
  ASSERT_TRUE(problems.empty()) << Joined(problems);
  EXPECT_EQ(resolved.measured().inputs(0).shape(0), 8);
  EXPECT_EQ(resolved.measured().inputs(0).dtype(), FP32);
  EXPECT_EQ(resolved.verified().inputs(0).shape(0), 8) << "the verdict is on what is timed";
  EXPECT_EQ(resolved.referenced().inputs(0).shape(0), 2);
  EXPECT_EQ(resolved.verified().outputs(0).name(), "out");
  EXPECT_TRUE(resolved.verified().outputs(0).batched());
  EXPECT_TRUE(resolved.measured().parameters().empty());
  EXPECT_FALSE(resolved.has_reference()) << "no blob is asked for";
  EXPECT_EQ(resolved.model().name(), "sum_of_rows");
}

TEST(Resolve, FindsTheReferenceUnderTheVerifiedBatch) {
  Lock lock;
  lock["bert_base_bf16_b2_s384"].set_sha256("abc");
  Problems problems;
  EXPECT_EQ(Resolve(ExampleFamily(), ExampleCase(), kReference, lock, "here", &problems)
                .reference()
                .sha256(),
            "abc");
  EXPECT_EQ(Resolve(ExampleFamily(), ExampleCase(), kReference, {}, "here", &problems)
                .reference()
                .sha256(),
            "");
}

TEST(Resolve, ACaseWithFewerRowsThanItsReferenceRunsItsOwn) {
  BenchmarkCase c = ExampleCase();
  c.set_batch(1);
  Problems problems;
  ResolvedCase resolved = Resolve(ExampleFamily(), c, kReference, {}, "here", &problems);
  EXPECT_EQ(resolved.verified().batch(), 1);
  EXPECT_EQ(resolved.referenced().batch(), 2);
  EXPECT_EQ(resolved.smoke().batch(), kSmokeBatch);
  c.mutable_verify()->set_batch(4);  // given explicitly
  resolved = Resolve(ExampleFamily(), c, {.key = "k", .rows = 4}, {}, "here", &problems);
  EXPECT_EQ(resolved.verified().batch(), 4);
}

TEST(Resolve, EveryModelHasItsOwnImplementation) {
  Family family = ExampleFamily();
  ModelImplementation& second = *family.add_implementations();
  second = family.implementations(0);
  second.set_name("decoder");
  second.mutable_outputs(0)->set_name("image");
  Model& model = *family.add_models();
  model = family.models(0);
  model.set_name("vae");
  model.set_implementation("decoder");
  BenchmarkCase c = ExampleCase();
  c.set_model("vae");
  Problems problems;
  CheckFamily(family, "here", &problems);
  const ResolvedCase resolved = Resolve(family, c, kReference, {}, "here", &problems);
  ASSERT_TRUE(problems.empty()) << problems[0];
  EXPECT_EQ(resolved.implementation().name(), "decoder");
  EXPECT_EQ(resolved.model().name(), "vae");
  family.mutable_models(1)->set_implementation("encoder");
  CheckFamily(family, "here", &problems);
  ASSERT_EQ(problems.size(), 1u);
  EXPECT_EQ(problems[0], "here, model 'vae': the family has no implementation 'encoder'");
}

TEST(Resolve, AnOperatorsCallStandsForTheDeclarations) {
  BenchmarkCase c;
  ASSERT_TRUE(google::protobuf::TextFormat::ParseFromString(
      R"pb(name: "addmm_bias_fp32_b8"
           dtype: FP32
           batch: 8
           operator_call {
             name: "aten::addmm"
             inputs {
               name: "self"
               shape: "batch"
               shape: "4"
               distribution { uniform {} }
             }
             inputs {
               name: "mat1"
               shape: "batch"
               shape: "3"
               distribution { uniform {} }
             }
             inputs {
               name: "mat2"
               shape: "3"
               shape: "4"
               distribution { uniform {} }
             }
             outputs { name: "out" shape: "batch" shape: "4" }
           }
           verify { rule: RELATIVE_TO_STD rms_limit: 1e-5 max_limit: 1e-4 provenance: "p" })pb",
      &c));
  Problems problems;
  const ReferenceName reference = {.key = "addmm_bias_fp32_b2", .rows = 2};
  const ResolvedCase resolved = Resolve({}, c, reference, {}, "here", &problems);
  ASSERT_TRUE(problems.empty()) << problems[0];
  EXPECT_EQ(resolved.model().name(), "addmm_bias");
  EXPECT_EQ(resolved.implementation().name(), "addmm");
  EXPECT_EQ(resolved.measured().inputs(1).shape(0), 8);
  EXPECT_EQ(resolved.referenced().inputs(1).shape(0), 2);
  c.mutable_operator_call()->clear_inputs();
  Resolve({}, c, reference, {}, "here", &problems);
  ASSERT_EQ(problems.size(), 1u);
  EXPECT_NE(problems[0].find("at least one input is required"), std::string::npos);
}

BenchmarkCase CaseOf(const std::string& text) {
  BenchmarkCase c;
  EXPECT_TRUE(google::protobuf::TextFormat::ParseFromString(text, &c)) << text;
  return c;
}

// The identity in the name bert_base_bf16_b64_s384_seed7_train_channels_last.
BenchmarkCase Named() {
  return CaseOf(R"pb(
    name: "bert_base_bf16_b64_s384_seed7_train_channels_last"
    label: "//x:y"
    tags: "hand_written"
    model: "bert_base"
    dtype: BF16
    batch: 64
    seed: 7
    mode: TRAIN
    parameters {
      key: "sequence_length"
      value { integer: 384 }
    }
    execution { memory_format: CHANNELS_LAST }
  )pb");
}

constexpr char kTrainingByHand[] =
    "training { optimizers { sgd { learning_rate: 0.5 momentum: 0.9 } } } ";

std::string FillingProblem(const std::string& text) {
  BenchmarkCase c = CaseOf(text);
  Problems problems;
  FillFromName(Named(), "f.textproto", &c, &problems);
  return problems.empty() ? "" : problems[0];
}

TEST(FillFromName, AFileMayLeaveOutAllThatItsNameSays) {
  BenchmarkCase c = CaseOf(kTrainingByHand);
  Problems problems;
  FillFromName(Named(), "f.textproto", &c, &problems);
  ASSERT_TRUE(problems.empty()) << problems[0];
  BenchmarkCase all = Named();
  *all.mutable_training() = c.training();
  all.mutable_execution()->set_backend("eager");
  all.mutable_execution()->set_matmul_precision(HIGHEST);
  EXPECT_EQ(c.ShortDebugString(), all.ShortDebugString());
  all.clear_tags();
  EXPECT_EQ(FillingProblem(all.ShortDebugString()), "");
}

TEST(FillFromName, KeepsTheSkipsOfTheFileAndThoseOfItsExecution) {
  BenchmarkCase named = Named();
  named.add_skips()->set_reason("no kernel");
  BenchmarkCase c = CaseOf(absl::StrCat(kTrainingByHand, "skips { device: CPU reason: 'slow' }"));
  Problems problems;
  FillFromName(named, "f.textproto", &c, &problems);
  ASSERT_EQ(c.skips_size(), 2);
  EXPECT_EQ(c.skips(0).reason(), "slow");
  EXPECT_EQ(c.skips(1).reason(), "no kernel");
}

TEST(FillFromName, WhatTheTwoDifferInIsNamedWithBoth) {
  const std::map<std::string, std::string> mistakes = {
      {"name: 'x'", "holds a case called 'x'"},
      {"model: 'bert_large'", "model is bert_large, but the file's name says bert_base"},
      {"dtype: FP32", "dtype is FP32, but the file's name says BF16"},
      {"batch: 8", "batch is 8, but the file's name says 64"},
      {"seed: 8", "seed is 8, but the file's name says 7"},
      {"mode: EVAL", "mode is EVAL, but the file's name says TRAIN"},
      {"parameters { key: 'sequence_length' value { integer: 8 } }",
       "parameter 'sequence_length' is 8, but the file's name says 384"},
      {"parameters { key: 'hidden_size' value { integer: 8 } }",
       "parameter 'hidden_size' is 8, but the file's name says nothing of it"},
      {"execution { memory_format: CONTIGUOUS }",
       "execution.memory_format is CONTIGUOUS, but the file's name says CHANNELS_LAST"},
      {"execution { autocast: BF16 }", "execution.autocast is BF16, but the file's name says none"},
      {"execution { matmul_precision: HIGH }",
       "execution.matmul_precision is HIGH, but the file's name says HIGHEST"},
      {"execution { deterministic: true }",
       "execution.deterministic is true, but the file's name says false"}};
  for (const auto& [text, message] : mistakes) {
    EXPECT_NE(FillingProblem(kTrainingByHand + text).find("f.textproto: " + message),
              std::string::npos)
        << text << ": " << FillingProblem(kTrainingByHand + text);
  }
  EXPECT_NE(FillingProblem("").find("needs its optimizer"), std::string::npos);
}

struct Mistake {
  const char* name;
  std::function<void(BenchmarkCase&)> make;
  const char* message;  // part of it
};

constexpr double kNan = std::numeric_limits<double>::quiet_NaN();
constexpr double kInfinity = std::numeric_limits<double>::infinity();

void SetAllclose(BenchmarkCase& c, double atol, double rtol) {
  c.mutable_verify()->set_rule(ALLCLOSE);
  c.mutable_verify()->set_atol(atol);
  c.mutable_verify()->set_rtol(rtol);
}

class Mistakes : public testing::TestWithParam<Mistake> {};

TEST_P(Mistakes, AreNamedWithWhatIsAllowed) {
  BenchmarkCase c = ExampleCase();
  GetParam().make(c);
  EXPECT_NE(ProblemsOf(c).find(GetParam().message), std::string::npos) << ProblemsOf(c);
}

INSTANTIATE_TEST_SUITE_P(
    Cases, Mistakes,
    testing::Values(
        Mistake{"ZeroBatch", [](auto& c) { c.set_batch(0); },
                "batch 0 is out of range; 1 to 1048576"},
        Mistake{"NegativeBatch", [](auto& c) { c.set_batch(-1); }, "batch -1 is out of range"},
        Mistake{"HugeBatch", [](auto& c) { c.set_batch(int64_t{1} << 31); },
                "batch 2147483648 is out of range"},
        Mistake{"IntegerDtype", [](auto& c) { c.set_dtype(INT64); },
                "one of FP32, FP64, BF16, FP16"},
        Mistake{"UnknownModel", [](auto& c) { c.set_model("bert_huge"); },
                "unknown model 'bert_huge'; one of bert_base"},
        Mistake{"NoProvenance", [](auto& c) { c.mutable_verify()->clear_provenance(); },
                "limits without provenance are refused"},
        Mistake{"NoRule", [](auto& c) { c.mutable_verify()->clear_rule(); },
                "one of RELATIVE_TO_STD, ALLCLOSE"},
        Mistake{"ZeroLimit", [](auto& c) { c.mutable_verify()->set_max_limit(0); },
                "needs rms_limit and max_limit"},
        Mistake{"NanLimit", [](auto& c) { c.mutable_verify()->set_max_limit(kNan); },
                "a limit is negative, infinite or NaN"},
        Mistake{"InfiniteLimit", [](auto& c) { c.mutable_verify()->set_rms_limit(kInfinity); },
                "a limit is negative, infinite or NaN"},
        Mistake{"NegativeLimit", [](auto& c) { c.mutable_verify()->set_rms_limit(-1e-5); },
                "a limit is negative, infinite or NaN"},
        Mistake{"NanInALimitOfAnotherRule", [](auto& c) { c.mutable_verify()->set_rtol(kNan); },
                "a limit is negative, infinite or NaN"},
        Mistake{"InfiniteAtol", [](auto& c) { SetAllclose(c, kInfinity, 0); },
                "a limit is negative, infinite or NaN"},
        Mistake{"RmsLimitOfOne", [](auto& c) { c.mutable_verify()->set_rms_limit(1); },
                "RELATIVE_TO_STD needs rms_limit < 1"},
        Mistake{
            "GradientLimitOfOne",
            [](auto& c) { c.mutable_verify()->set_gradient_factor(1 / c.verify().rms_limit()); },
            "gradient_factor times rms_limit is 1 or more"},
        Mistake{"RtolOfOne", [](auto& c) { SetAllclose(c, 1e-3, 1); }, "ALLCLOSE needs rtol < 1"},
        Mistake{"NegativeRtol", [](auto& c) { SetAllclose(c, 1e-3, -1e-3); },
                "a limit is negative, infinite or NaN"},
        Mistake{"AllcloseOfNothing", [](auto& c) { SetAllclose(c, 0, 0); },
                "ALLCLOSE needs atol or rtol"},
        Mistake{"BlankProvenance", [](auto& c) { c.mutable_verify()->set_provenance(" \n"); },
                "limits without provenance are refused"},
        Mistake{"SkipWithoutReason", [](auto& c) { c.add_skips()->set_device(CPU); },
                "a skip without a reason"},
        Mistake{"SkipOfSomeCpus",
                [](auto& c) {
                  Skip& skip = *c.add_skips();
                  skip.set_device(CPU);
                  skip.set_reason("slow");
                  skip.set_below_capability("10.0");
                },
                "a skip below compute capability '10.0'; it is for CUDA"},
        Mistake{"SkipBelowNoNumber",
                [](auto& c) {
                  Skip& skip = *c.add_skips();
                  skip.set_device(CUDA);
                  skip.set_reason("old");
                  skip.set_below_capability("Blackwell");
                },
                "a skip below compute capability 'Blackwell'"},
        Mistake{"NondeterministicWithoutReason",
                [](auto& c) { c.add_nondeterministic()->set_device(CUDA); },
                "nondeterministic without a reason; name the kernel"},
        Mistake{"NondeterministicWithoutDevice",
                [](auto& c) { c.add_nondeterministic()->set_reason("adds atomically"); },
                "nondeterministic without a device; one of CPU, CUDA"},
        Mistake{
            "UnknownParameter", [](auto& c) { (*c.mutable_parameters())["seq"].set_integer(1); },
            "unknown parameter 'seq'; bert has: block, eps, hidden_size, layers, sequence_length"},
        Mistake{"WrongKind", [](auto& c) { (*c.mutable_parameters())["block"].set_integer(1); },
                "is integer; it must be text"},
        Mistake{"NotAllowed", [](auto& c) { (*c.mutable_parameters())["block"].set_text("dense"); },
                "one of basic, bottleneck"},
        Mistake{"DynamoSameWithoutTolerance",
                [](auto& c) { c.mutable_verify()->set_rule(DYNAMO_SAME); },
                "DYNAMO_SAME needs atol, Dynamo's tol, in (0, 1)"},
        Mistake{"DynamoSameThatLetsAnythingPass",
                [](auto& c) {
                  c.mutable_verify()->set_rule(DYNAMO_SAME);
                  c.mutable_verify()->set_atol(1);
                },
                "from 1 on, anything passes"},
        Mistake{"MeanRelativeWithoutLimit",
                [](auto& c) { c.mutable_verify()->set_rule(MEAN_RELATIVE); },
                "MEAN_RELATIVE needs mean_relative_limit"},
        Mistake{"DetectionsWithoutLimit", [](auto& c) { c.mutable_verify()->set_rule(DETECTIONS); },
                "DETECTIONS needs corner_limit and score_limit, and matched_min in (0, 1]"},
        Mistake{"IouForACase", [](auto& c) { c.mutable_verify()->set_rule(IOU); },
                "IOU is the rule of a boolean output"},
        Mistake{"InfiniteIou", [](auto& c) { c.mutable_verify()->set_iou_min(kInfinity); },
                "a limit is negative, infinite or NaN"},
        Mistake{"ExactForFloats", [](auto& c) { c.mutable_verify()->set_rule(EXACT); },
                "EXACT is not chosen"},
        Mistake{"UnknownRule", [](auto& c) { c.mutable_verify()->set_rule(static_cast<Rule>(99)); },
                "rule is not set; one of"},
        Mistake{"UnknownMode", [](auto& c) { c.set_mode(static_cast<CaseMode>(99)); },
                "unknown mode; one of EVAL, TRAIN"},
        Mistake{"TrainingWithoutTrain", [](auto& c) { c.mutable_training(); },
                "training is set, but mode is EVAL"},
        Mistake{"TrainWithoutTraining", [](auto& c) { c.set_mode(TRAIN); },
                "mode TRAIN needs training with an optimizer"},
        Mistake{"UnknownBackend", [](auto& c) { c.mutable_execution()->set_backend("Eager 2"); },
                "backend 'Eager 2' is no name"},
        Mistake{"UnknownLowering", [](auto& c) { c.mutable_execution()->set_lowering("int4"); },
                "--lowering=int4: one of merged_branches, int8_dynamic, int8_weights, "
                "int4_weights, fp8_dynamic, mxfp8_dynamic, nvfp4_dynamic, int8_static"},
        Mistake{"UnknownMemoryFormat",
                [](auto& c) {
                  c.mutable_execution()->set_memory_format(static_cast<MemoryFormat>(99));
                },
                "unknown memory_format; one of CONTIGUOUS, CHANNELS_LAST"},
        Mistake{"UnknownMatmulPrecision",
                [](auto& c) {
                  c.mutable_execution()->set_matmul_precision(static_cast<MatmulPrecision>(99));
                },
                "unknown matmul_precision; one of HIGHEST, HIGH, MEDIUM"},
        Mistake{"AutocastToIntegers", [](auto& c) { c.mutable_execution()->set_autocast(INT64); },
                "autocast is INT64; BF16 or FP16 is allowed"},
        Mistake{"AutocastOfBf16", [](auto& c) { c.mutable_execution()->set_autocast(BF16); },
                "autocast needs a case in FP32"},
        Mistake{"NegativeThreads", [](auto& c) { c.mutable_execution()->set_threads(-1); },
                "threads -1 is out of range; 0"},
        Mistake{"OutOfRange",
                [](auto& c) { (*c.mutable_parameters())["sequence_length"].set_integer(513); },
                "'sequence_length' is out of range; 1 to 512"}),
    [](const auto& info) { return info.param.name; });

TEST(CheckFamily, RefusesDuplicatesAndHoles) {
  Family family = ExampleFamily();
  *family.add_models() = family.models(0);
  family.mutable_implementations(0)->clear_owner();
  *family.mutable_implementations(0)->add_inputs() = family.implementations(0).inputs(0);
  Problems problems;
  CheckFamily(family, "//benchmarks/bert", &problems);
  ASSERT_EQ(problems.size(), 3u);
  EXPECT_NE(problems[0].find("owner is required"), std::string::npos);
  EXPECT_NE(problems[1].find("two inputs are called 'ids'"), std::string::npos);
  EXPECT_NE(problems[2].find("two models are called 'bert_base'"), std::string::npos);
}

TEST(CheckFamily, NamesAreTakenByAllowList) {
  for (const std::string& name :
       {std::string("../x"), std::string("/x"), std::string("a\\b"), std::string("a\0b", 3),
        std::string("a\nb"), std::string("\xff"), std::string("CON"), std::string("Bert_Base"),
        std::string(101, 'x'), std::string(300, 'x'), std::string("a b"), std::string()}) {
    Family family = ExampleFamily();
    family.mutable_models(0)->set_name(name);
    Problems problems;
    CheckFamily(family, "here", &problems);
    ASSERT_EQ(problems.size(), 1u) << name;
    EXPECT_NE(problems[0].find("at most 100 letters, digits and _, lower case"), std::string::npos);
    EXPECT_LT(problems[0].size(), 300u);
  }
  const std::function<void(Family&)> mistakes[] = {
      [](Family& f) { f.mutable_implementations(0)->set_name("../x"); },
      [](Family& f) { f.mutable_implementations(0)->mutable_parameters(0)->set_name("A"); },
      [](Family& f) { f.mutable_implementations(0)->mutable_inputs(0)->set_name("a/b"); },
      [](Family& f) { f.mutable_implementations(0)->mutable_outputs(0)->set_name("logits#stats"); },
      [](Family& f) { f.mutable_implementations(0)->add_outputs()->set_name("logits"); }};
  for (const auto& make : mistakes) {
    Family family = ExampleFamily();
    make(family);
    Problems problems;
    CheckFamily(family, "here", &problems);
    EXPECT_FALSE(problems.empty());
  }
}

// Each mistake that a trainable family's training case can have.
TEST(Resolve, ATrainingCaseIsComplete) {
  const struct {
    std::function<void(BenchmarkCase&, Family&)> make;
    const char* message;
  } mistakes[] = {
      {[](auto&, auto& f) { f.mutable_implementations(0)->set_trainable(false); },
       "loss OWN, but implementation 'bert' has none"},
      {[](auto& c, auto& f) {
         c.mutable_training()->set_loss(CROSS_ENTROPY);
         f.mutable_implementations(0)->clear_targets();
       },
       "loss CROSS_ENTROPY, but implementation 'bert' declares no target of class indices"},
      {[](auto& c, auto& f) {
         c.mutable_training()->set_loss(CROSS_ENTROPY);
         f.mutable_implementations(0)->mutable_outputs()->DeleteSubrange(0, 1);
       },
       "has no logits, shape [batch, classes], as its first output"},
      {[](auto& c, auto& f) {
         c.mutable_training()->set_loss(MEAN);
         f.mutable_implementations(0)->mutable_outputs()->DeleteSubrange(2, 1);
         f.mutable_implementations(0)->mutable_outputs()->DeleteSubrange(0, 1);
       },
       "loss MEAN, but implementation 'bert' has no output that holds floats"},
      {[](auto& c, auto&) { c.mutable_training()->clear_optimizers(); }, "needs training with an"},
      {[](auto& c, auto&) { c.mutable_training()->clear_loss(); },
       "needs training with a loss; one of OWN, CROSS_ENTROPY, SUM, MEAN"},
      {[](auto& c, auto&) { c.mutable_training()->set_clip_norm(-1); },
       "clip_norm -1 must be positive, or 0 for none"},
      {[](auto& c, auto&) { c.mutable_training()->add_optimizers(); },
       "an optimizer is empty; one of sgd, adam, adamw"},
      {[](auto& c, auto&) { *c.mutable_training()->add_optimizers() = c.training().optimizers(0); },
       "two optimizers are sgd"},
      {[](auto& c, auto&) {
         Sgd& sgd = *c.mutable_training()->mutable_optimizers(0)->mutable_sgd();
         sgd.set_nesterov(true);
         sgd.set_momentum(0);
       },
       "sgd: momentum 0 must be positive with nesterov"},
      {[](auto& c, auto&) {
         Adam& adam = *c.mutable_training()->add_optimizers()->mutable_adamw();
         adam.set_learning_rate(0.1);
         adam.set_beta1(0.9);
         adam.set_beta2(1);
         adam.set_epsilon(1e-8);
       },
       "adamw: beta2 1 must be in [0, 1)"},
      {[](auto& c, auto&) {
         c.mutable_training()->add_optimizers()->mutable_adam()->set_learning_rate(0.1);
       },
       "adam: epsilon 0 must be positive"},
      {[](auto& c, auto&) { c.mutable_execution()->set_accumulation(2); },
       "have no word in a case's name"},
      {[](auto& c, auto&) {
         c.mutable_training()->mutable_optimizers(0)->mutable_sgd()->set_learning_rate(0);
       },
       "learning_rate 0 must be positive"},
      {[](auto& c, auto&) {
         c.mutable_training()->mutable_optimizers(0)->mutable_sgd()->set_learning_rate(kNan);
       },
       "learning_rate nan must be positive"},
      {[](auto& c, auto&) {
         c.mutable_training()->mutable_optimizers(0)->mutable_sgd()->set_momentum(1);
       },
       "momentum 1 must be in [0, 1)"},
      {[](auto& c, auto&) { c.mutable_verify()->set_batch(2); }, "verified at its own batch"},
  };
  for (const auto& mistake : mistakes) {
    BenchmarkCase c = TrainingCase();
    Family family = ExampleFamily();
    mistake.make(c, family);
    Problems problems;
    Resolve(family, c, kReference, {}, "here", &problems);
    EXPECT_NE(Joined(problems).find(mistake.message), std::string::npos)
        << mistake.message << " in: " << Joined(problems);
  }
}

void AddOutput(BenchmarkCase& c, const std::string& name) {
  c.mutable_operator_call()->add_outputs()->set_name(name);
}

TEST(Resolve, AnOperatorCallIsComplete) {
  const struct {
    std::function<void(BenchmarkCase&)> make;
    const char* message;
  } mistakes[] = {
      {[](auto& c) { c.mutable_operator_call()->set_name("sum"); }, "name 'sum' is no operator"},
      {[](auto& c) { c.mutable_operator_call()->set_name("aten::"); }, "is no operator"},
      {[](auto& c) { c.mutable_operator_call()->clear_inputs(); }, "at least one input"},
      {[](auto& c) { c.mutable_operator_call()->clear_outputs(); }, "at least one output"},
      {[](auto& c) { c.add_nondeterministic()->add_outputs("sum"); },
       "nondeterministic: no output is called 'sum'; one of "},
      {[](auto& c) { c.mutable_operator_call()->mutable_inputs(0)->clear_distribution(); },
       "input 'self' needs a distribution; one of uniform"},
      {[](auto& c) { c.mutable_operator_call()->mutable_inputs(0)->set_shape(1, "width"); },
       "has a dimension 'width'"},
      {[](auto& c) { (*c.mutable_operator_call()->mutable_arguments())["self"].set_integer(1); },
       "argument 'self' is given a second time"},
      {[](auto& c) { (*c.mutable_operator_call()->mutable_arguments())["keepdim"]; },
       "argument 'keepdim' has no value"},
      {[](auto& c) { c.set_mode(TRAIN); }, "an operator is not trained"},
      {[](auto& c) { c.set_dtype(FP64); }, "dtype FP64: its truth is the same operator in float64"},
      {[](auto& c) { c.mutable_operator_call()->set_truth("mm"); }, "truth 'mm' is no operator"},
      {[](auto& c) { c.mutable_operator_call()->set_backward(true); },
       "backward is set, and no output is a gradient"},
      {[](auto& c) { AddOutput(c, "self.grad"); }, "but backward is not set"},
      {[](auto& c) { AddOutput(c, "x.grad"); },
       "'x.grad' is a gradient, and there is no input 'x'"},
      {[](auto& c) {
         AddOutput(c, "self.grad");
         AddOutput(c, "second");
       },
       "output 'second' stands behind a gradient"},
      {[](auto& c) { c.mutable_operator_call()->mutable_inputs(0)->set_name("out.grad"); },
       "input 'out.grad' is for backward to begin with, and there is no backward"},
      {[](auto& c) {
         c.mutable_operator_call()->set_backward(true);
         c.mutable_operator_call()->mutable_inputs(0)->set_name("y.grad");
       },
       "input 'y.grad' is for backward to begin with, and there is no output 'y'"},
      {[](auto& c) { (*c.mutable_parameters())["width"].set_integer(1); },
       "parameters are those of models"},
  };
  for (const auto& mistake : mistakes) {
    BenchmarkCase c = OperatorCase();
    mistake.make(c);
    Problems problems;
    Resolve(Family(), c, kReference, {}, "here", &problems);
    EXPECT_NE(Joined(problems).find(mistake.message), std::string::npos)
        << mistake.message << " in: " << Joined(problems);
  }
}

TEST(CheckFamily, RefusesWhatOutputsAndTargetsCannotBe) {
  const struct {
    std::function<void(ModelImplementation&)> make;
    const char* message;
  } mistakes[] = {
      {[](auto& i) { i.mutable_inputs(0)->clear_distribution(); },
       "input 'ids' needs a distribution; one of uniform, normal"},
      {[](auto& i) { i.mutable_targets(0)->clear_distribution(); },
       "target 'labels' needs a distribution"},
      {[](auto& i) { i.mutable_targets(0)->set_name("ids"); },
       "target 'ids' has the name of another"},
      {[](auto& i) { i.mutable_outputs(0)->set_name("loss"); },
       "a training step has an output of that name"},
      {[](auto& i) { i.mutable_outputs(0)->set_rule(EXACT); },
       "output 'logits' has rule EXACT, which only integers and booleans can meet"},
      {[](auto& i) { i.mutable_outputs(1)->set_rule(COSINE); },
       "output 'classes' holds integers, which are compared by EXACT, not by COSINE"},
      {[](auto& i) { i.mutable_outputs(0)->set_rule(static_cast<Rule>(99)); }, "an unknown rule"},
      {[](auto& i) { i.mutable_outputs(0)->set_dtype(static_cast<Dtype>(99)); },
       "an unknown dtype"},
      {[](auto& i) { i.clear_outputs(); }, "at least one output is required"},
  };
  for (const auto& mistake : mistakes) {
    Family family = ExampleFamily();
    mistake.make(*family.mutable_implementations(0));
    Problems problems;
    CheckFamily(family, "here", &problems);
    EXPECT_NE(Joined(problems).find(mistake.message), std::string::npos)
        << mistake.message << " in: " << Joined(problems);
  }
}

TEST(Resolve, RefusesDistributionsThatGiveNoTensor) {
  const struct {
    int input;
    const char* distribution;
    const char* message;
  } mistakes[] = {
      {0, "integers { limit_parameter: \"eps\" }",
       "limit_parameter is 'eps'; allowed is a number, \"batch\""},
      {0, "integers { limit: 5 limit_parameter: \"hidden_size\" }", "are both set"},
      {0, "integers { limit: 0 }", "integers gives integers from 0 to below limit 0"},
      {0, "integers { low: 7 limit: 7 }", "from 7 to below limit 7"},
      {0, "integers { low: -9223372036854775808 limit: 9223372036854775807 }",
       "there must be 1 to"},
      {0, "integers { limit: 5 run: 9999 }", "integers has run 9999 in rows of"},
      {0, "integers { limit: 5 run: -1 }", "integers has run -1"},
      {0, "integers { limit: 5 run: 1 sorted: true }", "integers has run 1 in sorted rows"},
      {0, "integers { limit: 5 run_parameter: \"eps\" }", "run_parameter is 'eps'"},
      {0, "uniform {}", "uniform gives floats, not int64"},
      {0, "normal {}", "normal gives floats, not int64"},
      {0, "zipf { limit: 10 exponent: 1.1 }", "a multiple of 0.25 from 0.25 to 8 is allowed"},
      {0, "zipf { limit: 10 exponent: nan }", "a multiple of 0.25"},
      {0, "zipf { limit: 16777217 exponent: 1 }", "at most 16777216 are allowed"},
      {0, "bernoulli { p: 1.5 }", "bernoulli has p 1.5; 0 to 1 is allowed"},
      {0, "bag_offsets { bag_size_parameter: \"block\" }", "bag_size_parameter is 'block'"},
      {0, "bag_offsets { bag_size: -1 }", "bag_size -1"},
      {0, "bag_offsets { bag_size: 9223372036854775807 }", "their product at most 4294967296"},
      {0, "time_steps { limit: -1000 }", "below limit -1000"},
      {0, "boxes { limit: 1001 }", "boxes needs a last dimension of 4"},
      {1, "integers { limit: 5 }", "integers gives integers, not bf16"},
      {1, "uniform { low: 1 high: 1 }", "low must be less than high"},
      {1, "uniform { low: nan }", "low must be less than high"},
      {1, "normal { stddev: -1 }", "stddev not negative"},
  };
  for (const auto& mistake : mistakes) {
    Family family = ExampleFamily();
    Distribution& distribution =
        *family.mutable_implementations(0)->mutable_inputs(mistake.input)->mutable_distribution();
    ASSERT_TRUE(google::protobuf::TextFormat::ParseFromString(mistake.distribution, &distribution));
    Problems problems;
    Resolve(family, ExampleCase(), kReference, {}, "here", &problems);
    EXPECT_NE(Joined(problems).find(mistake.message), std::string::npos)
        << mistake.distribution << ": " << Joined(problems);
  }
}

TEST(Resolve, AnOutputsOwnRuleNeedsItsLimits) {
  Family family = ExampleFamily();
  OutputSpec& logits = *family.mutable_implementations(0)->mutable_outputs(0);
  logits.set_rule(ALLCLOSE);
  Problems problems;
  Resolve(family, ExampleCase(), kReference, {}, "here", &problems);
  EXPECT_NE(Joined(problems).find("output 'logits': verify: ALLCLOSE needs atol or rtol"),
            std::string::npos)
      << Joined(problems);
  problems.clear();
  logits.set_rule(IOU);
  Resolve(family, ExampleCase(), kReference, {}, "here", &problems);
  EXPECT_NE(Joined(problems).find("output 'logits': verify: IOU needs iou_min in (0, 1]"),
            std::string::npos)
      << Joined(problems);
  problems.clear();
  logits.set_rule(ALLCLOSE);
  BenchmarkCase c = ExampleCase();
  c.mutable_verify()->set_atol(1e-3);
  const ResolvedCase resolved = Resolve(family, c, kReference, {}, "here", &problems);
  EXPECT_TRUE(problems.empty()) << Joined(problems);
  EXPECT_EQ(resolved.verified().outputs(0).rule(), ALLCLOSE);
}

TEST(CheckFamily, AnImagePresetIsForOneImageAndComplete) {
  Family family = ExampleFamily();
  ImagePreset& preset = *family.mutable_models(0)->mutable_image_preset();
  preset.set_resize(200);
  preset.set_crop(224);
  preset.add_std(0);
  Problems problems;
  CheckFamily(family, "here", &problems);
  for (const char* message :
       {"image_preset: resize 200, crop 224; a crop of at least 1 pixel, and a resize",
        "interpolation is required; one of BILINEAR, BICUBIC", "three numbers each",
        "is for models with one image in and logits out"}) {
    EXPECT_NE(Joined(problems).find(message), std::string::npos) << message;
  }
  EXPECT_EQ(problems.size(), 4u);
}

TEST(CheckFamily, RefusesADimensionThatIsNoNumber) {
  Family family = ExampleFamily();
  family.mutable_implementations(0)->mutable_inputs(1)->set_shape(1, "eps");
  Problems problems;
  Resolve(family, ExampleCase(), kReference, {}, "here", &problems);
  ASSERT_FALSE(problems.empty());
  EXPECT_NE(problems[0].find("has a dimension 'eps'"), std::string::npos);
  family = ExampleFamily();
  family.mutable_implementations(0)->mutable_outputs(0)->set_shape(1, "eps");
  problems.clear();
  Resolve(family, ExampleCase(), kReference, {}, "here", &problems);
  ASSERT_FALSE(problems.empty());
  EXPECT_NE(problems[0].find(
                "output 'logits' has a dimension 'eps'; allowed is a number, \"batch\", an "
                "integer parameter, \"sum:\" with an input of lengths or offsets, or sums and "
                "products of these that is positive, and "
                "\"*\" for any size"),
            std::string::npos)
      << problems[0];
}

// The family with further inputs: "indices", whose bags the input "bags" describes.
Family FamilyOfBags(const std::string& indices, const std::string& bags) {
  Family family = ExampleFamily();
  ModelImplementation& implementation = *family.mutable_implementations(0);
  for (const std::string& input :
       {absl::StrCat("name: 'indices' dtype: INT64 distribution { integers { limit: 9 } } ",
                     indices),
        absl::StrCat("name: 'bags' dtype: INT64 ", bags)}) {
    EXPECT_TRUE(google::protobuf::TextFormat::ParseFromString(input, implementation.add_inputs()));
  }
  return family;
}

TEST(Resolve, CountsTheElementsOfBags) {
  const Family family = FamilyOfBags("shape: 'sum:bags'",
                                     "shape: 'batch' distribution { bag_offsets { "
                                     "bag_size_parameter: 'sequence_length' "
                                     "spread_parameter: 'sequence_length-8' } }");
  Problems problems;
  CheckFamily(family, "here", &problems);
  const ResolvedCase c = Resolve(family, ExampleCase(), kReference, {}, "here", &problems);
  EXPECT_EQ(Joined(problems), "");
  const int size = c.measured().inputs_size();
  const TensorSpec& indices = c.measured().inputs(size - 2);
  const TensorSpec& offsets = c.measured().inputs(size - 1);
  EXPECT_EQ(indices.bags(), "bags");
  EXPECT_EQ(offsets.distribution().bag_offsets().spread(), 376);
  EXPECT_EQ(indices.shape(0), ElementsOfBags(offsets, c.benchmark_case().seed()));
  EXPECT_LT(c.referenced().inputs(size - 2).shape(0), indices.shape(0));
}

TEST(CheckFamily, RefusesBagsThatNobodyDescribes) {
  constexpr char kOffsets[] = "shape: 'batch' distribution { bag_offsets { bag_size: 2 } }";
  const struct {
    std::string indices, bags, problem;
  } cases[] = {
      {"shape: 'sum:nobody'", kOffsets, "a dimension 'sum:nobody'; there is no input 'nobody'"},
      {"shape: '2*sum:bags'", kOffsets, "a sum of bags stands alone, as the first dimension"},
      {"shape: 'batch' shape: 'sum:bags'", kOffsets, "a sum of bags stands alone, as the first"},
      {"shape: 'sum:indices'", kOffsets,
       "input 'indices' has the shape [sum:indices]; lengths are"},
      {"shape: 'sum:bags'", "shape: 'batch' distribution { bernoulli { p: 1 } }",
       "input 'bags' is drawn by bernoulli; integers from 0 on are lengths"},
      {"shape: 'sum:bags'", "shape: 'batch' distribution { integers { low: -1 limit: 3 } }",
       "input 'bags' is drawn by integers; integers from 0 on are lengths"},
      {"shape: 'sum:bags'", "shape: '8' distribution { bag_offsets { bag_size: 2 } }",
       "input 'bags' has the shape [8]; lengths are [batch] or [batch, ...], offsets [batch]"},
  };
  for (const auto& [indices, bags, problem] : cases) {
    Problems problems;
    CheckFamily(FamilyOfBags(indices, bags), "here", &problems);
    EXPECT_NE(Joined(problems).find(problem), std::string::npos) << Joined(problems);
  }
}

TEST(Resolve, RefusesBagsWithoutElementsAndTooLargeASpread) {
  const auto problems_of = [](const char* bags) {
    Problems problems;
    Resolve(FamilyOfBags("shape: 'sum:bags'", bags), ExampleCase(), kReference, {}, "here",
            &problems);
    return Joined(problems);
  };
  EXPECT_NE(problems_of("shape: 'batch' distribution { integers { limit: 1 } }")
                .find("input 'indices' has a dimension 'sum:bags'; allowed is"),
            std::string::npos);
  EXPECT_NE(problems_of("shape: 'batch' distribution { bag_offsets { bag_size: 2 spread: 3 } }")
                .find("input 'bags': bag_offsets has spread 3; 0 to bag_size, 2, is allowed"),
            std::string::npos);
}

TEST(Resolve, AnImplementationsUnitIsCounted) {
  Family family = ExampleFamily();
  family.mutable_implementations(0)->set_unit("token");
  Problems problems;
  for (const char* units : {"", "batch*eps", "0"}) {
    family.mutable_implementations(0)->set_units_per_call(units);
    Resolve(family, ExampleCase(), kReference, {}, "here", &problems);
    ASSERT_EQ(problems.size(), 1u) << units;
    EXPECT_NE(problems[0].find("of unit 'token' in a call; allowed is a number"),
              std::string::npos);
    problems.clear();
  }
  family.mutable_implementations(0)->set_units_per_call("2*batch");
  Resolve(family, ExampleCase(), kReference, {}, "here", &problems);
  EXPECT_TRUE(problems.empty());
}

}  // namespace
}  // namespace assay

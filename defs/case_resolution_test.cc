#include "defs/case_resolution.h"

#include <google/protobuf/text_format.h>

#include <functional>
#include <limits>
#include <map>
#include <string>

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
      fill: TOKEN_IDS
      limit: "hidden_size"
    }
    inputs { name: "image" shape: "batch" shape: "3" fill: UNIFORM }
    outputs: "logits"
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

std::string ProblemsOf(const BenchmarkCase& c) {
  Problems problems;
  Resolve(ExampleFamily(), c, kReference, {}, "here", &problems);
  std::string joined;
  for (const std::string& problem : problems) joined += problem + "\n";
  return joined;
}

TEST(Resolve, FillsDefaultsAndReplacesNamesByNumbers) {
  Problems problems;
  CheckFamily(ExampleFamily(), "here", &problems);
  const ResolvedCase resolved =
      Resolve(ExampleFamily(), ExampleCase(), kReference, {}, "here", &problems);
  ASSERT_TRUE(problems.empty()) << problems[0];
  EXPECT_EQ(resolved.benchmark_case().mode(), EVAL);
  EXPECT_EQ(resolved.benchmark_case().execution().backend(), EAGER);
  const TensorSpec& ids = resolved.measured().inputs(0);
  EXPECT_EQ(ids.dtype(), INT64);
  ASSERT_EQ(ids.shape_size(), 2);
  EXPECT_EQ(ids.shape(0), 64);
  EXPECT_EQ(ids.shape(1), 384);
  EXPECT_EQ(ids.limit(), 768);
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
  c.mutable_verify()->set_batch(4);  // asked for in so many words
  resolved = Resolve(ExampleFamily(), c, {.key = "k", .rows = 4}, {}, "here", &problems);
  EXPECT_EQ(resolved.verified().batch(), 4);
}

TEST(Resolve, EveryModelHasItsOwnImplementation) {
  Family family = ExampleFamily();
  ModelImplementation& second = *family.add_implementations();
  second = family.implementations(0);
  second.set_name("decoder");
  second.set_outputs(0, "image");
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

BenchmarkCase CaseOf(const std::string& text) {
  BenchmarkCase c;
  EXPECT_TRUE(google::protobuf::TextFormat::ParseFromString(text, &c)) << text;
  return c;
}

// What the name bert_base_bf16_b64_s384_seed7_train_channels_last says.
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

constexpr char kTraining[] = "training { optimizer { sgd { learning_rate: 0.5 momentum: 0.9 } } } ";

std::string FillingProblem(const std::string& text) {
  BenchmarkCase c = CaseOf(text);
  Problems problems;
  FillFromName(Named(), "f.textproto", &c, &problems);
  return problems.empty() ? "" : problems[0];
}

TEST(FillFromName, AFileMayLeaveOutAllThatItsNameSays) {
  BenchmarkCase c = CaseOf(kTraining);
  Problems problems;
  FillFromName(Named(), "f.textproto", &c, &problems);
  ASSERT_TRUE(problems.empty()) << problems[0];
  BenchmarkCase all = Named();
  *all.mutable_training() = c.training();
  all.mutable_execution()->set_backend(EAGER);
  all.mutable_execution()->set_matmul_precision(HIGHEST);
  EXPECT_EQ(c.ShortDebugString(), all.ShortDebugString());
  all.clear_tags();
  EXPECT_EQ(FillingProblem(all.ShortDebugString()), "");
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
    EXPECT_NE(FillingProblem(kTraining + text).find("f.textproto: " + message), std::string::npos)
        << text << ": " << FillingProblem(kTraining + text);
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
        Mistake{"RtolOfOne", [](auto& c) { SetAllclose(c, 1e-3, 1); }, "ALLCLOSE needs rtol < 1"},
        Mistake{"NegativeRtol", [](auto& c) { SetAllclose(c, 1e-3, -1e-3); },
                "a limit is negative, infinite or NaN"},
        Mistake{"AllcloseOfNothing", [](auto& c) { SetAllclose(c, 0, 0); },
                "ALLCLOSE needs atol or rtol"},
        Mistake{"BlankProvenance", [](auto& c) { c.mutable_verify()->set_provenance(" \n"); },
                "limits without provenance are refused"},
        Mistake{"SkipWithoutReason", [](auto& c) { c.add_skips()->set_device(CPU); },
                "a skip without a reason"},
        Mistake{
            "UnknownParameter", [](auto& c) { (*c.mutable_parameters())["seq"].set_integer(1); },
            "unknown parameter 'seq'; bert has: block, eps, hidden_size, layers, sequence_length"},
        Mistake{"WrongKind", [](auto& c) { (*c.mutable_parameters())["block"].set_integer(1); },
                "is integer; it must be text"},
        Mistake{"NotAllowed", [](auto& c) { (*c.mutable_parameters())["block"].set_text("dense"); },
                "one of basic, bottleneck"},
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
      [](Family& f) { f.mutable_implementations(0)->set_outputs(0, "logits#stats"); },
      [](Family& f) { f.mutable_implementations(0)->add_outputs("logits"); }};
  for (const auto& make : mistakes) {
    Family family = ExampleFamily();
    make(family);
    Problems problems;
    CheckFamily(family, "here", &problems);
    EXPECT_FALSE(problems.empty());
  }
}

TEST(CheckFamily, RefusesADimensionThatIsNoNumber) {
  Family family = ExampleFamily();
  family.mutable_implementations(0)->mutable_inputs(1)->set_shape(1, "eps");
  Problems problems;
  Resolve(family, ExampleCase(), kReference, {}, "here", &problems);
  ASSERT_FALSE(problems.empty());
  EXPECT_NE(problems[0].find("has a dimension 'eps'"), std::string::npos);
}

}  // namespace
}  // namespace assay

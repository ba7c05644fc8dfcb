#include "defs/case_resolution.h"

#include <google/protobuf/text_format.h>

#include <functional>
#include <limits>
#include <string>

#include "gtest/gtest.h"

namespace assay {
namespace {

constexpr char kFamily[] = R"pb(
  implementation {
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
  Resolve(ExampleFamily(), c, {}, "here", &problems);
  std::string joined;
  for (const std::string& problem : problems) joined += problem + "\n";
  return joined;
}

TEST(Resolve, FillsDefaultsAndReplacesNamesByNumbers) {
  Problems problems;
  CheckFamily(ExampleFamily(), "here", &problems);
  const ResolvedCase resolved = Resolve(ExampleFamily(), ExampleCase(), {}, "here", &problems);
  ASSERT_TRUE(problems.empty()) << problems[0];
  EXPECT_EQ(resolved.benchmark_case().mode(), EVAL);
  EXPECT_EQ(resolved.benchmark_case().backend(), EAGER);
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
  const ResolvedCase resolved = Resolve(ExampleFamily(), ExampleCase(), {}, "here", &problems);
  EXPECT_EQ(resolved.verified().batch(), kVerifiedBatch);
  EXPECT_EQ(resolved.verified().inputs(0).shape(1), 384);
  EXPECT_EQ(resolved.smoke().inputs(0).shape(1), 8);
  EXPECT_EQ(resolved.smoke().batch(), kSmokeBatch);
}

TEST(Resolve, FindsTheReferenceUnderTheVerifiedBatch) {
  Lock lock;
  lock["bert_base_bf16_b2_s384"].set_sha256("abc");
  Problems problems;
  EXPECT_EQ(Resolve(ExampleFamily(), ExampleCase(), lock, "here", &problems).reference().sha256(),
            "abc");
  EXPECT_EQ(Resolve(ExampleFamily(), ExampleCase(), {}, "here", &problems).reference().sha256(),
            "");
}

TEST(Resolve, KeepsReferencesOfOtherSeedsApart) {
  BenchmarkCase c = ExampleCase();
  c.set_seed(7);
  Problems problems;
  EXPECT_EQ(Resolve(ExampleFamily(), c, {}, "here", &problems).reference().key(),
            "bert_base_bf16_b2_s384_seed7");
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
        Mistake{"OtherName", [](auto& c) { c.set_name("x"); },
                "makes it 'bert_base_bf16_b64_s384'"},
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
        Mistake{"PathAsName", [](auto& c) { c.set_name("../x"); }, "is called '../x', but"},
        Mistake{"NameOfAnotherCase", [](auto& c) { c.set_name("BERT_BASE_BF16_B64_S384"); },
                "makes it 'bert_base_bf16_b64_s384'"},
        Mistake{"LongName", [](auto& c) { c.set_name(std::string(300, 'x')); },
                "makes it 'bert_base_bf16_b64_s384'"},
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
  family.mutable_implementation()->clear_owner();
  *family.mutable_implementation()->add_inputs() = family.implementation().inputs(0);
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
      [](Family& f) { f.mutable_implementation()->set_name("../x"); },
      [](Family& f) { f.mutable_implementation()->mutable_parameters(0)->set_name("A"); },
      [](Family& f) { f.mutable_implementation()->mutable_inputs(0)->set_name("a/b"); },
      [](Family& f) { f.mutable_implementation()->set_outputs(0, "logits#stats"); },
      [](Family& f) { f.mutable_implementation()->add_outputs("logits"); }};
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
  family.mutable_implementation()->mutable_inputs(1)->set_shape(1, "eps");
  Problems problems;
  Resolve(family, ExampleCase(), {}, "here", &problems);
  ASSERT_FALSE(problems.empty());
  EXPECT_NE(problems[0].find("has a dimension 'eps'"), std::string::npos);
}

}  // namespace
}  // namespace assay

#include "benchmarks/harness/runner/verdict/rule_flag.h"

#include <google/protobuf/text_format.h>

#include <string>

#include "benchmarks/harness/runner/verdict/small_mlp.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"

namespace assay::runner {
namespace {

using testing::HasSubstr;

TEST(ParseRule, ReadsEachRuleWithItsLimitsOrTheSeedsDefaults) {
  const struct {
    const char *text, *limits;
  } rows[] = {
      {"dynamo_same", "rule: DYNAMO_SAME atol: 1e-4"},
      {"dynamo_same:1e-3", "rule: DYNAMO_SAME atol: 1e-3"},
      {"dynamo_same:tol=1e-3,multiplier=10", "rule: DYNAMO_SAME atol: 1e-3 multiplier: 10"},
      {"dynamo_same:multiplier=10", "rule: DYNAMO_SAME atol: 1e-4 multiplier: 10"},
      {"dynamo_same:1e-2,larger_multiplier",
       "rule: DYNAMO_SAME atol: 1e-2 larger_multiplier: true"},
      {"dynamo_same:1e-2,cosine", "rule: DYNAMO_SAME atol: 1e-2 cosine_min: 0.99"},
      {"dynamo_same:cosine=0.9", "rule: DYNAMO_SAME atol: 1e-4 cosine_min: 0.9"},
      {"cosine", "rule: COSINE cosine_min: 0.99"},
      {"cosine:0.999", "rule: COSINE cosine_min: 0.999"},
      {"cosine:min=0.999", "rule: COSINE cosine_min: 0.999"},
      {"allclose", "rule: ALLCLOSE atol: 0.5"},
      {"allclose:atol=1e-3,rtol=2e-3", "rule: ALLCLOSE atol: 1e-3 rtol: 2e-3"},
      {"allclose:rtol=2e-3", "rule: ALLCLOSE rtol: 2e-3"},
      {"mean_relative", "rule: MEAN_RELATIVE mean_relative_limit: 0.02"},
      {"mean_relative:3%", "rule: MEAN_RELATIVE mean_relative_limit: 0.03"},
      {"mean_relative:0.5", "rule: MEAN_RELATIVE mean_relative_limit: 0.5"},
      {"iou", "rule: IOU iou_min: 0.99"},
      {"iou:95%", "rule: IOU iou_min: 0.95"},
      {"relative_to_std:rms=1e-5,max=1e-4",
       "rule: RELATIVE_TO_STD rms_limit: 1e-5 max_limit: 1e-4"},
  };
  for (const auto& row : rows) {
    VerifyParameters want;
    ASSERT_TRUE(google::protobuf::TextFormat::ParseFromString(row.limits, &want)) << row.limits;
    want.set_provenance(std::string("flag --rule=") + row.text);
    const absl::StatusOr<VerifyParameters> got = ParseRule(row.text);
    ASSERT_TRUE(got.ok()) << got.status();
    EXPECT_EQ(got->ShortDebugString(), want.ShortDebugString());
  }
}

TEST(ParseRule, SaysWhatIsAllowed) {
  const struct {
    const char *text, *message;
  } rows[] = {
      {"", "one of dynamo_same, cosine, allclose, mean_relative, iou, relative_to_std"},
      {"DYNAMO_SAME", "--rule=DYNAMO_SAME: one of dynamo_same"},
      {"dynamo", "one of dynamo_same"},
      {"exact", "--check=bitwise"},
      {"allclose:1e-3", "'1e-3': allclose takes atol, rtol"},
      {"allclose:atol", "'atol': atol is a number"},
      {"allclose:atol=", "atol is a number"},
      {"allclose:atol=-1", "atol is a number, 0 or more"},
      {"allclose:atol=inf", "atol is a number"},
      {"allclose:atol=nan", "atol is a number"},
      {"allclose:rtol=1", "rtol must be below 1"},
      {"dynamo_same:", "'': tol is a number"},
      {"dynamo_same:x", "'x': tol is a number"},
      {"dynamo_same:1", "must be below 1 for DYNAMO_SAME"},
      {"dynamo_same:atol=1e-3", "'atol=1e-3': dynamo_same takes a number, or tol, multiplier"},
      {"dynamo_same:multiplier=2,1e-3", "'1e-3': dynamo_same takes"},
      {"cosine:1.5", "cosine_min 1.5 must be in (0, 1]"},
      {"cosine:0", "must be in (0, 1]"},
      {"iou:2", "iou_min 2 must be in (0, 1]"},
      {"mean_relative:0%", "mean_relative_limit must be more than 0"},
      {"relative_to_std", "needs both"},
      {"relative_to_std:rms=1e-5", "needs both"},
  };
  for (const auto& row : rows) {
    const absl::Status status = ParseRule(row.text).status();
    EXPECT_EQ(status.code(), absl::StatusCode::kInvalidArgument) << row.text;
    EXPECT_THAT(status.message(), HasSubstr(row.message)) << row.text;
    EXPECT_EQ(status.message().find("--rule="), 0u) << status.message();
  }
}

TEST(WithRule, ReplacesTheCasesRuleAndThoseOfItsOutputs) {
  ResolvedCase c = SmallMlpCase();
  c.mutable_benchmark_case()->mutable_verify()->set_batch(2);
  c.mutable_verified()->mutable_outputs(0)->set_rule(ALLCLOSE);
  const absl::StatusOr<ResolvedCase> judged = WithRule(c, *ParseRule("cosine"));
  ASSERT_TRUE(judged.ok()) << judged.status();
  const VerifyParameters& verify = judged->benchmark_case().verify();
  EXPECT_EQ(verify.rule(), COSINE);
  EXPECT_EQ(verify.rms_limit(), 0);
  EXPECT_EQ(verify.batch(), 2);
  EXPECT_EQ(verify.provenance(), "flag --rule=cosine");
  EXPECT_EQ(judged->verified().outputs(0).rule(), RULE_UNSPECIFIED);
}

TEST(WithRule, BoxesAreComparedAsASetAlone) {
  ResolvedCase c = SmallMlpCase();
  c.mutable_benchmark_case()->mutable_verify()->set_rule(DETECTIONS);
  EXPECT_THAT(WithRule(c, *ParseRule("cosine")).status().message(),
              HasSubstr("--rule=cosine: mlp_fp32_b2 finds boxes, whose order is open"));
}

TEST(WithRule, IouIsForBooleansAndLeavesTheRestAsItIs) {
  ResolvedCase c = SmallMlpCase();
  EXPECT_THAT(WithRule(c, *ParseRule("iou")).status().message(),
              HasSubstr("--rule=iou: mlp_fp32_b2 has no boolean outputs"));
  ExpectedOutput& mask = *c.mutable_verified()->add_outputs();
  mask.set_dtype(BOOL);
  const absl::StatusOr<ResolvedCase> judged = WithRule(c, *ParseRule("iou:0.95"));
  ASSERT_TRUE(judged.ok()) << judged.status();
  EXPECT_EQ(judged->verified().outputs(0).rule(), RULE_UNSPECIFIED);
  EXPECT_EQ(judged->verified().outputs(1).rule(), IOU);
  const VerifyParameters& verify = judged->benchmark_case().verify();
  EXPECT_EQ(verify.rule(), RELATIVE_TO_STD);
  EXPECT_EQ(verify.iou_min(), 0.95);
  EXPECT_EQ(verify.provenance(), "here; booleans: flag --rule=iou:0.95");
  c.mutable_verified()->mutable_outputs()->DeleteSubrange(0, 1);
  EXPECT_THAT(WithRule(c, *ParseRule("cosine")).status().message(), HasSubstr("no outputs that"));
}

}  // namespace
}  // namespace assay::runner

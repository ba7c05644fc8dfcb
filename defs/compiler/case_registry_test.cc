#include "defs/compiler/case_registry.h"

#include <string>

#include "gtest/gtest.h"

namespace assay {
namespace {

ResolvedCase Case(const std::string& name, const std::string& model,
                  const std::string& implementation) {
  ResolvedCase c;
  c.mutable_benchmark_case()->set_name(name);
  c.mutable_benchmark_case()->set_model(model);
  c.mutable_model()->set_name(model);
  c.mutable_model()->set_implementation(implementation);
  c.mutable_implementation()->set_name(implementation);
  c.mutable_implementation()->set_description("code of " + implementation);
  return c;
}

TEST(CaseRegistry, SaysAModelAndItsCodeOnceAndJoinsThemAgain) {
  const ResolvedCase cases[] = {
      Case("unet_fp32_b1", "unet", "unet"), Case("unet_fp32_b8", "unet", "unet"),
      Case("unet_small_fp32_b1", "unet_small", "unet"), Case("vae_fp32_b1", "vae", "vae")};
  Registry registry;
  for (const ResolvedCase& c : cases) EXPECT_EQ(AddCase(c, &registry), "");
  EXPECT_EQ(registry.cases_size(), 4);
  EXPECT_EQ(registry.models_size(), 3);
  EXPECT_EQ(registry.implementations_size(), 2);
  EXPECT_FALSE(registry.cases(1).has_implementation());
  for (int i = 0; i < registry.cases_size(); ++i) {
    ResolvedCase c = registry.cases(i);
    ASSERT_TRUE(JoinCase(registry, &c));
    EXPECT_EQ(c.steps(0).name(), "forward");
    c.clear_steps();
    EXPECT_EQ(c.SerializeAsString(), cases[i].SerializeAsString());
  }
}

TEST(CaseRegistry, RefusesTwoContentsUnderOneName) {
  Registry registry;
  EXPECT_EQ(AddCase(Case("a_fp32_b1", "a", "code"), &registry), "");
  ResolvedCase other = Case("b_fp32_b1", "b", "code");
  other.mutable_implementation()->set_description("another code");
  EXPECT_NE(
      AddCase(other, &registry).find("implementations with different content are called 'code'"),
      std::string::npos);
  EXPECT_NE(AddCase(Case("a_fp32_b8", "a", "code2"), &registry).find("called 'a'"),
            std::string::npos);
}

TEST(CaseRegistry, ACaseWhoseModelIsNotThereIsNotJoined) {
  Registry registry;
  ASSERT_EQ(AddCase(Case("a_fp32_b1", "a", "code"), &registry), "");
  registry.mutable_models(0)->set_name("b");
  ResolvedCase c = registry.cases(0);
  EXPECT_FALSE(JoinCase(registry, &c));
  registry.mutable_models(0)->set_name("a");
  registry.clear_implementations();
  EXPECT_FALSE(JoinCase(registry, &c));
}

TEST(CaseRegistry, AnOperatorsCaseKeepsWhatIsItsOwn) {
  ResolvedCase c = Case("addmm_fp32_b2", "", "addmm");
  c.mutable_benchmark_case()->mutable_operator_call()->set_name("aten::addmm");
  Registry registry;
  EXPECT_EQ(AddCase(c, &registry), "");
  c.mutable_implementation()->set_description("another shape");
  EXPECT_EQ(AddCase(c, &registry), "");
  ResolvedCase read = registry.cases(1);
  ASSERT_TRUE(JoinCase(registry, &read));
  EXPECT_EQ(read.implementation().description(), "another shape");
}

ExecutionLimits Limits(Dtype dtype, double rms_limit) {
  ExecutionLimits limits;
  limits.set_dtype(dtype);
  limits.mutable_verify()->set_rms_limit(rms_limit);
  return limits;
}

TEST(CaseRegistry, ACasesOwnLimitsUnderAutocastStandBeforeTheDefaults) {
  Registry registry;
  *registry.add_default_limits() = Limits(BF16, 0.05);
  *registry.add_default_limits() = Limits(FP16, 0.01);
  *registry.add_default_limits() = Limits(FP32, 1e-5);
  *registry.add_default_limits() = Limits(FP32, 0.2);
  registry.mutable_default_limits(3)->set_lowering("int8_dynamic");
  *registry.add_default_limits() = Limits(FP32, 0.02);
  registry.mutable_default_limits(4)->set_matmul_precision(HIGH);
  ResolvedCase c = Case("a_fp32_b1", "a", "code");
  c.mutable_benchmark_case()->set_dtype(FP32);
  *c.add_execution_limits() = Limits(BF16, 1);
  ASSERT_EQ(AddCase(c, &registry), "");
  for (int times = 1; times <= 2; ++times) {
    ResolvedCase joined = registry.cases(times - 1);
    ASSERT_TRUE(JoinCase(registry, &joined));
    ASSERT_EQ(joined.execution_limits_size(), 4);
    EXPECT_EQ(joined.execution_limits(3).matmul_precision(), HIGH);
    EXPECT_EQ(joined.execution_limits(2).lowering(), "int8_dynamic");
    EXPECT_EQ(joined.execution_limits(0).verify().rms_limit(), 1);
    EXPECT_EQ(joined.execution_limits(1).dtype(), FP16);
    ASSERT_EQ(AddCase(joined, &registry), "");
    EXPECT_EQ(registry.cases(times).execution_limits_size(), 1) << "the defaults are said once";
  }
}

TEST(CaseRegistry, FilesOfFamiliesWithTheSameCodeAreOne) {
  Registry one, two, all;
  ASSERT_EQ(AddCase(Case("a_fp32_b1", "a", "code"), &one), "");
  ASSERT_EQ(AddCase(Case("b_fp32_b1", "b", "code"), &two), "");
  EXPECT_EQ(AddRegistry(one, &all), "");
  EXPECT_EQ(AddRegistry(two, &all), "");
  EXPECT_EQ(all.cases_size(), 2);
  EXPECT_EQ(all.implementations_size(), 1);
}

}  // namespace
}  // namespace assay

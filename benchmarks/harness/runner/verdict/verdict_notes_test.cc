#include "benchmarks/harness/runner/verdict/verdict_notes.h"

#include <ATen/ops/full.h>
#include <ATen/ops/zeros.h>

#include <limits>

#include "benchmarks/harness/runner/verdict/small_mlp.h"
#include "defs/case/written_inputs.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"

namespace assay::runner {
namespace {

using ::testing::HasSubstr;

TEST(VerdictNotes, AreNoneOfSeededInputs) {
  EXPECT_EQ(WithInputNotes({}, SmallMlpCase().verified(), {}).checks_size(), 0);
  EXPECT_EQ(WithKernels({}).checks_size(), 0);
}

TEST(VerdictNotes, NameTheInputsThatACallWritesTo) {
  Workload workload = SmallMlpCase().verified();
  SetWrittenInputs("input", workload);
  const Verdict noted = WithInputNotes({}, workload, {});
  ASSERT_EQ(noted.checks_size(), 1);
  EXPECT_EQ(noted.checks(0).name(), "written_inputs");
  EXPECT_EQ(noted.checks(0).status(), CHECK_NOTED);
  EXPECT_THAT(noted.checks(0).detail(), HasSubstr("a call writes to input;"));
}

TEST(VerdictNotes, NameTheInputsThatAreTimedAsGiven) {
  Workload workload = SmallMlpCase().verified();
  workload.mutable_inputs(0)->set_name("x");
  TensorSpec& ids = *workload.add_inputs();
  ids.set_name("ids");
  const at::Tensor infinite = at::full({2}, std::numeric_limits<float>::infinity());
  const at::Tensor whole = at::zeros({2}, at::kLong);
  const Verdict one = WithInputNotes({}, workload, {at::Tensor(), whole});
  ASSERT_EQ(one.checks_size(), 1);
  EXPECT_EQ(one.checks(0).name(), "whole_inputs");
  EXPECT_EQ(one.checks(0).detail(),
            "ids holds whole numbers or booleans; timed calls get the given values");
  const Verdict both = WithInputNotes({}, workload, {infinite, whole});
  ASSERT_EQ(both.checks_size(), 2);
  EXPECT_THAT(both.checks(0).detail(), HasSubstr("x holds NaN or infinity"));
  EXPECT_THAT(both.checks(1).detail(), HasSubstr("no input is drawn"));
}

}  // namespace
}  // namespace assay::runner

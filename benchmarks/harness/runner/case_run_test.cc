// A run from its settings to its exit code, record and testimony, with a small mlp.
#include "benchmarks/harness/runner/case_run.h"

#include <cstdlib>
#include <filesystem>
#include <string>

#include "benchmarks/harness/base/sha256.h"
#include "benchmarks/harness/record/record_file.h"
#include "benchmarks/harness/runner/exporting.h"
#include "benchmarks/harness/runner/small_mlp.h"
#include "benchmarks/harness/tensor_files/file_bytes.h"
#include "benchmarks/harness/tensor_files/test_folder.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"

namespace assay::runner {
namespace {

using ::testing::HasSubstr;

class CaseRuns : public ::testing::Test {
 protected:
  CaseRuns() {
    settings_.reference_path = folder_ + "/reference.safetensors";
    settings_.record_path = folder_ + "/runs.jsonl";
    settings_.budget = absl::Milliseconds(10);
    settings_.strict_budget = true;
    settings_.methods = {sampling::Mode::kWall};
    EXPECT_TRUE(Export(case_, {.reference = settings_.reference_path}).ok());
    const std::string blob = *tensor_files::ReadFile(settings_.reference_path, 1 << 20);
    case_.mutable_reference()->set_key("mlp_fp32_b2");
    case_.mutable_reference()->set_sha256(base::Sha256Hex(blob));
    case_.mutable_reference()->set_size_bytes(static_cast<int64_t>(blob.size()));
    setenv("ASSAY_TESTIMONY", Testimony().c_str(), 1);
  }
  ~CaseRuns() override { unsetenv("ASSAY_TESTIMONY"); }

  std::string Testimony() const { return folder_ + "/testimony"; }

  // NOLINTNEXTLINE(bugprone-derived-method-shadowing-base-method): its Run() is private.
  int Run() { return CaseRun(case_, {}, settings_, &interrupted_).Execute(); }

  // What the run left behind; an empty record where it left none.
  Record Left() const {
    const auto file = record::ReadAll(settings_.record_path);
    return file.ok() && file->records.size() == 1 ? file->records[0] : Record();
  }
  std::string Testified() const {
    return tensor_files::ReadFile(Testimony(), 1000).value_or("nothing");
  }

  const std::string folder_ = tensor_files::TestFolder();
  ResolvedCase case_ = SmallMlpCase();
  Settings settings_;
  std::atomic<bool> interrupted_{false};
};

TEST_F(CaseRuns, MeasuresWhatItHasVerified) {
  EXPECT_EQ(Run(), 0);
  EXPECT_EQ(Left().outcome(), PASS);
  EXPECT_EQ(Left().schema_version(), 2);
  ASSERT_EQ(Left().measurements_size(), 1);
  EXPECT_GT(Left().measurements(0).median_ns(), 0);
  EXPECT_EQ(Testified(), "measure //x:mlp_fp32_b2\n");
}

TEST_F(CaseRuns, TestifiesToTheActionThatItWasAskedFor) {
  settings_.action = Action::kVerify;
  EXPECT_EQ(Run(), 0);
  EXPECT_EQ(Left().measurements_size(), 0);
  EXPECT_EQ(Testified(), "verify //x:mlp_fp32_b2\n");
  settings_.action = Action::kSmoke;
  EXPECT_EQ(Run(), 0);
  EXPECT_EQ(Testified(), "smoke //x:mlp_fp32_b2\n");
}

TEST_F(CaseRuns, TestifiesToNothingThatIsNotTheCaseAsDeclared) {
  settings_.call.batch = 2;
  EXPECT_EQ(Run(), 0);
  EXPECT_EQ(Testified(), "nothing");
}

TEST_F(CaseRuns, TestifiesToNothingThatAnotherRuleOrAMajorityPassed) {
  settings_.accuracy.runs = 3;
  EXPECT_EQ(Run(), 0);
  EXPECT_EQ(Left().verdict().passed_runs(), 3);
  EXPECT_EQ(Testified(), "nothing");
}

TEST_F(CaseRuns, SavedOutputsThatAreNotThereAreTheSurroundingsFault) {
  settings_.accuracy.compare_outputs = folder_ + "/none.safetensors";
  EXPECT_EQ(Run(), 2);
  EXPECT_EQ(Left().outcome(), ARTIFACT_UNAVAILABLE);
}

TEST_F(CaseRuns, SavedOutputsThatAreNoneAreAWrongCommandLine) {
  settings_.accuracy.compare_outputs = settings_.reference_path;
  EXPECT_EQ(Run(), 3);
}

TEST_F(CaseRuns, TestifiesToNothingThatWasNotVerified) {
  settings_.verify = false;
  EXPECT_EQ(Run(), 0);
  EXPECT_EQ(Left().outcome(), NOT_VERIFIED);
  EXPECT_EQ(Testified(), "nothing");
}

TEST_F(CaseRuns, MeasuresAWrongModelTooAndFails) {
  case_.mutable_benchmark_case()->set_seed(7);  // another model's weights
  EXPECT_EQ(Run(), 1);
  EXPECT_EQ(Left().outcome(), FAIL_ACCURACY);
  EXPECT_EQ(Left().measurements_size(), 1);
  EXPECT_EQ(Testified(), "nothing");
}

TEST_F(CaseRuns, ADamagedReferenceIsTheSurroundingsFault) {
  ASSERT_TRUE(tensor_files::WriteFileAtomically(settings_.reference_path, "x").ok());
  EXPECT_EQ(Run(), 2);
  EXPECT_EQ(Left().outcome(), FAIL_ARTIFACT);
}

TEST_F(CaseRuns, WithoutAReferenceIsNoPass) {
  case_.clear_reference();
  settings_.reference_path.clear();
  EXPECT_NE(Run(), 0);
  EXPECT_EQ(Testified(), "nothing");
}

TEST_F(CaseRuns, ADeclaredSkipRunsNothingAndSaysWhy) {
  Skip& skip = *case_.mutable_benchmark_case()->add_skips();
  skip.set_device(CPU);
  skip.set_reason("no kernel");
  settings_.action = Action::kVerify;
  EXPECT_EQ(Run(), 0);
  EXPECT_EQ(Left().outcome(), SKIPPED_DECLARED);
  EXPECT_THAT(Left().error(), HasSubstr("no kernel"));
  EXPECT_EQ(Testified(), "verify //x:mlp_fp32_b2\n");
}

TEST_F(CaseRuns, AFilterThatMatchesNothingIsAWrongCommandLineAndNoRecord) {
  settings_.filter = "nothing";
  EXPECT_EQ(Run(), 3);
  EXPECT_EQ(Left().outcome(), OUTCOME_UNSPECIFIED);
  EXPECT_EQ(Testified(), "nothing");
}

TEST_F(CaseRuns, AStepThatTheProgramHasNotIsAWrongCommandLine) {
  settings_.steps = {execution::Step::kOptimizer};
  EXPECT_EQ(Run(), 3);
}

TEST_F(CaseRuns, ARecordThatCannotBeWrittenIsSaidBeforeAnythingIsMeasured) {
  settings_.record_path = folder_ + "/no/folder/runs.jsonl";
  EXPECT_EQ(Run(), 2);
  EXPECT_EQ(Testified(), "nothing");
}

TEST_F(CaseRuns, ATestimonyThatCannotBeWrittenIsNoPass) {
  setenv("ASSAY_TESTIMONY", (folder_ + "/no/folder/testimony").c_str(), 1);
  EXPECT_EQ(Run(), 2);
}

TEST_F(CaseRuns, AnInterruptedRunIsNoPassAndKeepsItsVerdict) {
  interrupted_ = true;
  EXPECT_EQ(Run(), 2);
  EXPECT_EQ(Left().outcome(), INTERRUPTED);
  EXPECT_EQ(Left().verdict().outcome(), PASS);
  EXPECT_EQ(Testified(), "nothing");
}

TEST_F(CaseRuns, ARunThatIsNotDoneInTimeEndsTheProcess) {
  settings_.timeout = absl::Milliseconds(1);
  settings_.budget = absl::Hours(1);
  settings_.strict_budget = true;
  EXPECT_EXIT(Run(), ::testing::ExitedWithCode(2), "not done within 1ms");
  EXPECT_EQ(Left().outcome(), TIMEOUT);
}

}  // namespace
}  // namespace assay::runner

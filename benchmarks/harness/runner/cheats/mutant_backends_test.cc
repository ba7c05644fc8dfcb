#include "benchmarks/harness/runner/cheats/mutant_backends.h"

#include <atomic>
#include <string>

#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "absl/time/time.h"
#include "benchmarks/harness/base/sha256.h"
#include "benchmarks/harness/record/record_file.h"
#include "benchmarks/harness/runner/case_run.h"
#include "benchmarks/harness/runner/settings.h"
#include "benchmarks/harness/runner/verdict/exporting.h"
#include "benchmarks/harness/runner/verdict/small_mlp.h"
#include "benchmarks/harness/tensor_files/file_bytes.h"
#include "benchmarks/harness/tensor_files/test_folder.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"

namespace assay::runner {
namespace {

using ::testing::HasSubstr;

// Runs the case as a person does, and returns the record.
Record RecordOf(const ResolvedCase& c, const std::string& reference, Action action) {
  Settings settings;
  settings.reference_path = reference;
  settings.record_path = absl::StrCat(tensor_files::TestFolder(), "/runs.jsonl");
  settings.action = action;
  settings.budget = absl::Milliseconds(10);
  settings.strict_budget = true;
  settings.methods = {sampling::Mode::kWall};
  const std::atomic<bool> interrupted = false;
  const int code = CaseRun(c, {}, settings, &interrupted).Execute();
  const auto file = record::ReadAll(settings.record_path);
  EXPECT_TRUE(file.ok() && file->records.size() == 1) << file.status();
  EXPECT_EQ(code, file->records[0].outcome() == PASS ? 0 : 1);
  return file->records[0];
}

TEST(MutantBackends, AreCaughtAndTheHonestOneIsNot) {
  ResolvedCase c = SmallMlpCase();
  const std::string reference = absl::StrCat(testing::TempDir(), "/mutants.safetensors");
  ASSERT_TRUE(Export(c, {.reference = reference}).ok());
  c.mutable_reference()->set_sha256(base::Sha256Hex(*tensor_files::ReadFile(reference, 1 << 20)));
  ASSERT_EQ(MutantBackends().size(), 9u);
  for (const MutantBackend& mutant : MutantBackends()) {
    SCOPED_TRACE(mutant.name);
    c.mutable_benchmark_case()->mutable_execution()->set_backend(mutant.name);
    const Record verified = RecordOf(c, reference, Action::kVerify);
    EXPECT_EQ(Outcome_Name(verified.outcome()), Outcome_Name(mutant.verified));
    const Record measured = RecordOf(c, reference, Action::kMeasure);
    EXPECT_EQ(Outcome_Name(measured.outcome()), Outcome_Name(mutant.measured));
    EXPECT_THAT(absl::StrCat(measured.error(), measured.verdict().message()),
                HasSubstr(mutant.message));
  }
}

}  // namespace
}  // namespace assay::runner

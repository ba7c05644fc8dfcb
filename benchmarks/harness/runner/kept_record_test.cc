#include "benchmarks/harness/runner/kept_record.h"

#include <cstdlib>
#include <sstream>
#include <string>

#include "absl/strings/str_cat.h"
#include "benchmarks/harness/record/record_file.h"
#include "benchmarks/harness/runner/verdict/run_status.h"
#include "benchmarks/harness/runner/verdict/small_mlp.h"
#include "benchmarks/harness/tensor_files/test_folder.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"

namespace assay::runner {
namespace {

using ::testing::HasSubstr;

class KeptRecords : public ::testing::Test {
 protected:
  KeptRecords() { settings_.record_path = absl::StrCat(tensor_files::TestFolder(), "/runs.jsonl"); }

  Record Written() const {
    const auto file = record::ReadAll(settings_.record_path);
    return file.ok() && file->records.size() == 1 ? file->records[0] : Record();
  }

  const ResolvedCase case_ = SmallMlpCase();
  CommandLine line_;
  Settings settings_;
  std::ostringstream out_;
};

TEST_F(KeptRecords, AreWrittenWithTheOutcome) {
  KeptRecord kept(case_, line_, settings_, out_);
  ASSERT_TRUE(kept.Begin().ok());
  kept.Keep([](Record& record) { record.set_load_s(1.5); });
  EXPECT_EQ(kept.Finish(Ended(FAIL_ACCURACY, "it is off")), 1);
  EXPECT_EQ(Written().outcome(), FAIL_ACCURACY);
  EXPECT_EQ(Written().error(), "it is off");
  EXPECT_EQ(Written().load_s(), 1.5);
  EXPECT_GT(Written().duration_s(), 0);
  EXPECT_THAT(out_.str(), HasSubstr("appended to"));
}

TEST_F(KeptRecords, ThatCannotBeWrittenSayItAtTheBeginning) {
  settings_.record_path += "/in/no/folder";
  EXPECT_FALSE(KeptRecord(case_, line_, settings_, out_).Begin().ok());
}

// The watchdog's thread ends the process in the middle of a step.
TEST_F(KeptRecords, AreWrittenWhenARunIsGivenUp) {
  EXPECT_EXIT(
      {
        KeptRecord kept(case_, line_, settings_, out_);
        if (!kept.Begin().ok()) std::_Exit(9);
        kept.Doing("forward/wall");
        kept.GiveUp(TIMEOUT, "too long");
      },
      ::testing::ExitedWithCode(2), "TIMEOUT: too long, in forward/wall");
  EXPECT_EQ(Written().outcome(), TIMEOUT);
  EXPECT_GT(Written().duration_s(), 0);
}

}  // namespace
}  // namespace assay::runner

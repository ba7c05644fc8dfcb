#include "benchmarks/harness/record/agreement.h"

#include <functional>
#include <string>
#include <vector>

#include "gmock/gmock.h"
#include "gtest/gtest.h"

namespace assay::record {
namespace {

using ::testing::HasSubstr;

// Two outputs that passed by their rule.
Record Passed() {
  Record record;
  record.set_outcome(PASS);
  record.mutable_verdict()->set_outcome(PASS);
  for (const char* name : {"a", "b"}) {
    OutputVerdict& output = *record.mutable_verdict()->add_outputs();
    output.set_name(name);
    output.set_outcome(PASS);
    output.set_rms_error(1e-5);
    output.set_rms_limit(1e-5);
    // An element far from the mean may be further off than the limit says for others.
    output.set_max_error(3e-4);
    output.set_max_limit(1e-4);
  }
  return record;
}

TEST(Agreement, ARecordWhoseOutputsPassedAgrees) {
  EXPECT_TRUE(CheckAgreement(Passed()).ok()) << CheckAgreement(Passed());
  Record bare;  // another suite's
  bare.set_outcome(PASS);
  EXPECT_TRUE(CheckAgreement(bare).ok());
  Record same = Passed();  // by DYNAMO_SAME, which holds an output against a baseline
  same.mutable_verdict()->mutable_outputs(0)->clear_rms_limit();
  same.mutable_verdict()->mutable_outputs(0)->set_elements_wrong(3);
  EXPECT_TRUE(CheckAgreement(same).ok()) << CheckAgreement(same);
}

TEST(Agreement, ARecordThatPassedHasNoBadReply) {
  for (const auto& set : std::vector<std::function<void(Served&)>>{
           [](Served& served) { served.set_wrong_replies(1); },
           [](Served& served) { served.set_lost_replies(1); },
           [](Served& served) { served.set_doubled_replies(1); }}) {
    Record record = Passed();
    record.add_served()->set_equal_replies(7);
    EXPECT_TRUE(CheckAgreement(record).ok()) << CheckAgreement(record);
    record.add_served()->set_scenario("server");
    set(*record.mutable_served(1));
    EXPECT_THAT(std::string(CheckAgreement(record).message()), HasSubstr(" replies of server"));
    record.set_outcome(FAIL_ACCURACY);
    EXPECT_TRUE(CheckAgreement(record).ok()) << CheckAgreement(record);
  }
}

TEST(Agreement, TheEndOfASuiteHasNoOutcome) {
  Record record;
  record.mutable_suite_run()->set_id("night");
  EXPECT_TRUE(CheckAgreement(record).ok());
  record.set_outcome(CRASH);
  EXPECT_THAT(std::string(CheckAgreement(record).message()), HasSubstr("end of a suite's run"));
}

TEST(Agreement, AMajorityIsMoreThanHalf) {
  for (const auto& [passed, ok] : std::vector<std::pair<int, bool>>{
           {0, false}, {1, false}, {2, true}, {3, true}, {4, false}}) {
    Record record = Passed();
    record.mutable_verdict()->set_runs(3);
    record.mutable_verdict()->set_passed_runs(passed);
    EXPECT_EQ(CheckAgreement(record).ok(), ok) << passed;
  }
  Record half = Passed();
  half.mutable_verdict()->set_runs(4);
  half.mutable_verdict()->set_passed_runs(2);
  EXPECT_THAT(std::string(CheckAgreement(half).message()), HasSubstr("2 of 4 accuracy runs"));
}

TEST(Agreement, NoPartThatFailedStandsBesideAPass) {
  struct Case {
    std::function<void(Verdict&)> change;
    const char* says;
  };
  const std::vector<Case> cases = {
      {[](Verdict& v) { v.set_outcome(NOT_VERIFIED); }, "the verdict is NOT_VERIFIED"},
      {[](Verdict& v) { v.mutable_outputs(1)->set_outcome(FAIL_SHAPE); },
       "output \"b\" is FAIL_SHAPE"},
      {[](Verdict& v) { v.mutable_outputs(1)->set_elements_wrong(1); }, "1 wrong elements"},
      {[](Verdict& v) { v.mutable_outputs(0)->set_rms_error(1.1e-5); },
       "output \"a\" has rms_error 1.1e-05, limit 1e-05"},
      {[](Verdict& v) {
         Check& check = *v.add_checks();
         check.set_name("bitwise");
         check.set_status(CHECK_FLAGGED);
       },
       "check bitwise of the verdict is FLAGGED"},
  };
  for (const Case& one : cases) {
    Record record = Passed();
    one.change(*record.mutable_verdict());
    const absl::Status status = CheckAgreement(record);
    EXPECT_EQ(status.code(), absl::StatusCode::kInvalidArgument) << one.says;
    EXPECT_THAT(std::string(status.message()), HasSubstr(one.says));
    EXPECT_THAT(std::string(status.message()), HasSubstr("the outcome is PASS"));
    // A later end of the run does not make its verdict right.
    record.set_outcome(TIMEOUT);
    const bool of_verdict = record.verdict().outcome() == PASS;
    EXPECT_EQ(CheckAgreement(record).ok(), !of_verdict) << one.says;
    record.mutable_verdict()->set_outcome(FAIL_ACCURACY);
    record.set_outcome(FAIL_ACCURACY);
    EXPECT_TRUE(CheckAgreement(record).ok()) << "a record that says that it failed";
  }
}

}  // namespace
}  // namespace assay::record

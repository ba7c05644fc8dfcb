#include "benchmarks/harness/record/outcome.h"

#include <set>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "defs/record.pb.h"
#include "gtest/gtest.h"

namespace assay::record {
namespace {

std::vector<Outcome> AllOutcomes() {
  std::vector<Outcome> all;
  for (int i = Outcome_MIN; i <= Outcome_MAX; ++i) {
    if (Outcome_IsValid(i)) all.push_back(static_cast<Outcome>(i));
  }
  return all;
}

constexpr System kSystems[] = {System::kPyTorchXla, System::kPyTorchXla2024, System::kTorchDynamo,
                               System::kIntelXpu,   System::kOpenXla,        System::kParam};

TEST(ExitCode, SaysWhoseFaultItWas) {
  const struct {
    Outcome outcome;
    int code;
  } cases[] = {
      {OUTCOME_UNSPECIFIED, 1},
      {PASS, 0},
      {FAIL_ACCURACY, 1},
      {FAIL_SHAPE, 1},
      {FAIL_DTYPE, 1},
      {FAIL_NONFINITE, 1},
      {NONDETERMINISTIC_BASELINE, 1},
      {FAIL_ARTIFACT, 2},
      {ARTIFACT_UNAVAILABLE, 2},
      {NO_DEVICE, 2},
      {DEVICE_LOST, 2},
      {OUT_OF_MEMORY, 2},
      {TIMEOUT, 2},
      {CRASH, 1},
      {SKIPPED_DECLARED, 0},
      {NOT_VERIFIED, 0},
      {INTERRUPTED, 2},
      {RECORD_FAILED, 2},
  };
  EXPECT_EQ(std::size(cases), AllOutcomes().size()) << "a new outcome needs a row here";
  for (const auto& c : cases) EXPECT_EQ(ExitCode(c.outcome), c.code) << OutcomeName(c.outcome);
}

TEST(ExitCode, NeverPassesAnOutcomeItDoesNotKnow) {
  EXPECT_NE(ExitCode(static_cast<Outcome>(1000)), 0);
}

TEST(OutcomeName, IsTheEnumsSpelling) { EXPECT_EQ(OutcomeName(FAIL_NONFINITE), "FAIL_NONFINITE"); }

// Words may be coarser than outcomes, but reading back what was written never makes a failure a
// pass.
TEST(FromNameIn, UnderstandsEveryWordThatNameInWrites) {
  for (System system : kSystems) {
    if (Words(system).empty()) continue;
    for (Outcome outcome : AllOutcomes()) {
      const auto back = FromNameIn(system, NameIn(system, outcome));
      ASSERT_TRUE(back.ok()) << back.status();
      EXPECT_EQ(NameIn(system, *back), NameIn(system, outcome));
      EXPECT_TRUE(*back != PASS || ExitCode(outcome) == 0) << OutcomeName(outcome);
    }
  }
}

TEST(FromNameIn, ReadsTheWordsOfTorchDynamo) {
  const struct {
    const char* word;
    Outcome outcome;
  } cases[] = {{"pass", PASS},
               {"pass_due_to_skip", SKIPPED_DECLARED},
               {"fail_accuracy", FAIL_ACCURACY},
               {"fail_to_run", CRASH},
               {"OOM", OUT_OF_MEMORY},
               {"eager_1st_run_OOM", OUT_OF_MEMORY},
               {"eager_1st_run_fail", CRASH},
               {"eager_2nd_run_OOM", OUT_OF_MEMORY},
               {"eager_2nd_run_fail", CRASH},
               {"eager_two_runs_differ", NONDETERMINISTIC_BASELINE},
               {"not_bitwise_equivalent", FAIL_ACCURACY},
               {"fail_batch_invariance_at_8", FAIL_ACCURACY},
               {"timeout", TIMEOUT},
               {"model_fail_to_load", CRASH},
               {"eager_fail_to_run", CRASH}};
  for (const auto& c : cases) {
    for (System system : {System::kTorchDynamo, System::kIntelXpu}) {
      ASSERT_TRUE(FromNameIn(system, c.word).ok()) << c.word;
      EXPECT_EQ(*FromNameIn(system, c.word), c.outcome) << c.word;
    }
  }
}

TEST(FromNameIn, ReadsTheCodesOfBothGenerationsOfPyTorchXla) {
  struct {
    System system;
    const char* word;
    Outcome outcome;
  } cases[] = {{System::kPyTorchXla, "PASS", PASS},
               {System::kPyTorchXla, "FAIL", FAIL_ACCURACY},
               {System::kPyTorchXla, "EAGER_FAILED", FAIL_ARTIFACT},
               {System::kPyTorchXla, "EXCEPTION_RAISED", CRASH},
               {System::kPyTorchXla, "NONDETERMINISTIC_EAGER_RUN", NONDETERMINISTIC_BASELINE},
               {System::kPyTorchXla, "VERIFIER_SKIPPED", SKIPPED_DECLARED},
               {System::kPyTorchXla, "VERIFIER_DIDNT_RUN", NOT_VERIFIED},
               {System::kPyTorchXla2024, "PASS", PASS},
               {System::kPyTorchXla2024, "FAIL", FAIL_ACCURACY},
               {System::kPyTorchXla2024, "NONDETERMINISTIC_EAGER_RUN", NONDETERMINISTIC_BASELINE},
               {System::kPyTorchXla2024, "CANNOT_PROCEED_WITH_VERIFICATION", FAIL_ARTIFACT},
               {System::kPyTorchXla2024, "NO_OUTPUT_PROVIDED", NO_DEVICE},
               {System::kPyTorchXla2024, "SKIP_VERIFICATION", SKIPPED_DECLARED},
               {System::kPyTorchXla2024, "VERIFICATION_FAILED", CRASH}};
  for (const auto& c : cases) {
    ASSERT_TRUE(FromNameIn(c.system, c.word).ok()) << c.word;
    EXPECT_EQ(*FromNameIn(c.system, c.word), c.outcome) << c.word;
  }
}

// Both ways, for the words as the systems themselves list them.
TEST(Words, AreTheSystemsAndNoOthers) {
  const std::pair<System, std::vector<std::string_view>> systems[] = {
      {System::kPyTorchXla,
       {"PASS", "FAIL", "EAGER_FAILED", "EXCEPTION_RAISED", "NONDETERMINISTIC_EAGER_RUN",
        "VERIFIER_SKIPPED", "VERIFIER_DIDNT_RUN"}},
      {System::kPyTorchXla2024,
       {"PASS", "FAIL", "NONDETERMINISTIC_EAGER_RUN", "CANNOT_PROCEED_WITH_VERIFICATION",
        "NO_OUTPUT_PROVIDED", "SKIP_VERIFICATION", "VERIFICATION_FAILED"}},
      // fail_batch_invariance_at_N is read, and not listed: it has a number in it.
      {System::kTorchDynamo,
       {"pass", "pass_due_to_skip", "fail_accuracy", "fail_to_run", "OOM", "eager_1st_run_OOM",
        "eager_1st_run_fail", "eager_2nd_run_OOM", "eager_2nd_run_fail", "eager_two_runs_differ",
        "not_bitwise_equivalent", "timeout", "model_fail_to_load", "eager_fail_to_run"}},
      {System::kOpenXla, {"metrics", "error"}},
      {System::kParam, {}},
  };
  for (const auto& [system, words] : systems) {
    std::set<std::string_view> listed;
    for (const OutcomeWord& entry : Words(system)) {
      listed.insert(entry.word);
      EXPECT_TRUE(Outcome_IsValid(entry.outcome)) << entry.word;
    }
    EXPECT_EQ(listed, std::set(words.begin(), words.end()));
    for (const std::string_view word : words) {
      const absl::StatusOr<Outcome> outcome = FromNameIn(system, word);
      ASSERT_TRUE(outcome.ok()) << outcome.status();
      // The word that is written for this outcome, maybe a coarser one, is read as the same.
      EXPECT_EQ(*FromNameIn(system, NameIn(system, *outcome)), *outcome) << word;
    }
  }
}

TEST(FromNameIn, ReadsABatchSizeAndNothingElseAfterBatchInvariance) {
  for (const char* word : {"fail_batch_invariance_at_", "fail_batch_invariance_at_x",
                           "fail_batch_invariance_at_0", "fail_batch_invariance_at_-2"}) {
    EXPECT_FALSE(FromNameIn(System::kTorchDynamo, word).ok()) << word;
  }
  EXPECT_EQ(*FromNameIn(System::kTorchDynamo, "fail_batch_invariance_at_128"), FAIL_ACCURACY);
}

TEST(FromNameIn, RefusesAWordOfAnotherSystem) {
  EXPECT_EQ(FromNameIn(System::kPyTorchXla, "pass").status().code(), absl::StatusCode::kNotFound);
  EXPECT_FALSE(FromNameIn(System::kTorchDynamo, "").ok());
  EXPECT_FALSE(FromNameIn(System::kParam, "PASS").ok());
}

TEST(NameIn, NeverCallsAFailureAPass) {
  for (System system : {System::kPyTorchXla, System::kPyTorchXla2024, System::kTorchDynamo,
                        System::kIntelXpu, System::kOpenXla}) {
    for (Outcome outcome : AllOutcomes()) {
      const std::string_view word = NameIn(system, outcome);
      EXPECT_FALSE(word.empty()) << OutcomeName(outcome);
      if (ExitCode(outcome) == 0) continue;
      EXPECT_NE(word, NameIn(system, PASS)) << OutcomeName(outcome);
    }
  }
}

TEST(NameIn, IsEmptyForASystemWithoutWords) { EXPECT_EQ(NameIn(System::kParam, PASS), ""); }

}  // namespace
}  // namespace assay::record

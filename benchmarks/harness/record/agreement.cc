#include "benchmarks/harness/record/agreement.h"

#include <string_view>
#include <utility>

#include "absl/strings/str_cat.h"
#include "benchmarks/harness/record/outcome.h"

namespace assay::record {
namespace {

constexpr double kRounding = 1e-9;  // the rule compares products, not these quotients

absl::Status Disagree(std::string_view passes, std::string_view part) {
  return absl::InvalidArgumentError(
      absl::StrCat("not a record: its parts disagree: ", passes, " is PASS, and ", part));
}

bool MayPass(Outcome outcome) { return outcome == PASS || outcome == OUTCOME_UNSPECIFIED; }

absl::Status CheckOutput(const OutputVerdict& output, std::string_view passes) {
  if (!MayPass(output.outcome())) {
    return Disagree(
        passes, absl::StrCat("output \"", output.name(), "\" is ", OutcomeName(output.outcome())));
  }
  if (output.rms_limit() <= 0) return absl::OkStatus();  // of another rule, which may allow both
  if (output.elements_wrong() > 0) {
    return Disagree(passes, absl::StrCat("output \"", output.name(), "\" has ",
                                         output.elements_wrong(), " wrong elements"));
  }
  if (output.rms_error() > output.rms_limit() * (1 + kRounding)) {
    return Disagree(passes, absl::StrCat("output \"", output.name(), "\" has rms_error ",
                                         output.rms_error(), ", limit ", output.rms_limit()));
  }
  return absl::OkStatus();
}

absl::Status CheckVerdict(const Verdict& verdict, std::string_view passes) {
  for (const OutputVerdict& output : verdict.outputs()) {
    if (absl::Status status = CheckOutput(output, passes); !status.ok()) return status;
  }
  for (const Check& check : verdict.checks()) {
    if (check.status() != CHECK_FLAGGED) continue;
    return Disagree(passes, absl::StrCat("check ", check.name(), " of the verdict is FLAGGED"));
  }
  const int runs = verdict.runs(), passed = verdict.passed_runs();
  if (runs > 0 && (2 * passed <= runs || passed > runs)) {
    return Disagree(passes, absl::StrCat(passed, " of ", runs, " accuracy runs passed"));
  }
  return absl::OkStatus();
}

absl::Status CheckReplies(const Served& served) {
  for (const auto& [count, kind] : {std::pair{served.wrong_replies(), "wrong"},
                                    {served.lost_replies(), "lost"},
                                    {served.doubled_replies(), "doubled"}}) {
    if (count <= 0) continue;
    return Disagree("the outcome",
                    absl::StrCat(count, " ", kind, " replies of ", served.scenario()));
  }
  return absl::OkStatus();
}

}  // namespace

absl::Status CheckAgreement(const Record& record) {
  const Verdict& verdict = record.verdict();
  if (record.has_suite_run() && record.outcome() != OUTCOME_UNSPECIFIED) {
    return absl::InvalidArgumentError(
        "not a record: its parts disagree: it has an outcome and is the end of a suite's run");
  }
  if (record.outcome() == PASS && !MayPass(verdict.outcome())) {
    return Disagree("the outcome", absl::StrCat("the verdict is ", OutcomeName(verdict.outcome())));
  }
  if (record.outcome() == PASS) {
    for (const Served& served : record.served())
      if (absl::Status status = CheckReplies(served); !status.ok()) return status;
    return CheckVerdict(verdict, "the outcome");
  }
  return verdict.outcome() == PASS ? CheckVerdict(verdict, "the verdict") : absl::OkStatus();
}

}  // namespace assay::record

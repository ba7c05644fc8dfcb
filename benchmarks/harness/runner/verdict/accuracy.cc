#include "benchmarks/harness/runner/verdict/accuracy.h"

#include <ATen/ops/tensor.h>

#include <algorithm>
#include <memory>
#include <utility>
#include <vector>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "benchmarks/harness/base/torch_status.h"
#include "benchmarks/harness/configuration/with_call_flags.h"
#include "benchmarks/harness/execution/backend.h"
#include "benchmarks/harness/execution/executable.h"
#include "benchmarks/harness/execution/repeatability.h"
#include "benchmarks/harness/numerics/tensor_values.h"
#include "benchmarks/harness/programs/program.h"
#include "benchmarks/harness/programs/seeded_program.h"
#include "benchmarks/harness/record/outcome.h"
#include "benchmarks/harness/runner/verdict/added_check.h"
#include "benchmarks/harness/runner/verdict/compared_rows.h"
#include "benchmarks/harness/runner/verdict/eager_baseline.h"
#include "benchmarks/harness/runner/verdict/output_difference.h"
#include "benchmarks/harness/runner/verdict/rule_flag.h"
#include "benchmarks/harness/runner/verdict/run_status.h"
#include "defs/case/program_kinds.h"

namespace assay::runner {
namespace {

using execution::Tensors;

// The outputs of a call with some rows of a batch, beside the same rows of the whole batch's
// outputs. It holds only outputs whose first dimension is the batch.
struct BatchedOutputs {
  numerics::ExpectedOutputs expected;
  Tensors alone, of_whole;
};

BatchedOutputs OfRows(const ResolvedCase& small, const std::vector<int64_t>& rows,
                      const Tensors& alone, const Tensors& whole) {
  BatchedOutputs result;
  const numerics::ExpectedOutputs expected =
      ExpectedOf(small.benchmark_case(), small.verified(), alone);
  for (size_t i = 0; i < std::min(alone.size(), whole.size()); ++i) {
    const int at = static_cast<int>(i);
    if (at >= expected.size() || !expected[at].batched() || whole[i].dim() == 0) continue;
    *result.expected.Add() = expected[at];
    result.alone.push_back(alone[i]);
    // A batch that lost rows is passed on whole: the comparison then fails by its shape.
    const bool has = whole[i].size(0) > rows.back();
    result.of_whole.push_back(has ? whole[i].index_select(0, at::tensor(rows).to(whole[i].device()))
                                  : whole[i]);
  }
  return result;
}

// Names the first value that is not finite in each output of the whole batch; empty where all are
// finite.
std::string NonfiniteText(const Workload& verified, const Tensors& whole) {
  for (size_t i = 0; i < whole.size(); ++i) {
    const auto index = numerics::FirstNonfinite(whole[i]);
    if (!index) continue;
    const int at = static_cast<int>(i);
    return absl::StrCat(at < verified.outputs_size() ? verified.outputs(at).name() : "#",
                        " is not finite at [", absl::StrJoin(*index, ", "), "]");
  }
  return "";
}

// Computes these rows alone and compares them with the same rows of the batch.
absl::StatusOr<OutputDifference> RowsAlone(const ResolvedCase& c, execution::Executable& executable,
                                           const Workload& batch, const Tensors& inputs,
                                           const Tensors& whole, const std::vector<int64_t>& rows) {
  const absl::StatusOr<ResolvedCase> small = configuration::WithCallFlags(
      c, {.batch = static_cast<int64_t>(rows.size())}, configuration::Comparison::kNone,
      inputs.at(0).is_cuda() ? CUDA : CPU);
  if (!small.ok()) return small.status();
  Tensors of_rows;
  const absl::Status cut = base::CatchTorch("cutting the inputs to some of their rows", [&] {
    of_rows = RowsOfInputs(inputs, batch, small->verified(), rows);
  });
  if (!cut.ok()) return cut;
  const absl::StatusOr<Tensors> alone = execution::OutputsOf(executable, std::move(of_rows));
  if (!alone.ok()) return alone.status();
  BatchedOutputs outputs;
  const absl::Status chosen = base::CatchTorch(
      "reading rows of the outputs", [&] { outputs = OfRows(*small, rows, *alone, whole); });
  if (!chosen.ok()) return chosen;
  return DifferenceOf(outputs.expected, outputs.alone, outputs.of_whole,
                      c.benchmark_case().verify());
}

absl::Status CheckBatchInvariance(const ResolvedCase& c, execution::Executable& executable,
                                  at::Device device, const VerifiedCall& call, bool given,
                                  Verdict& verdict) {
  const BenchmarkCase& b = c.benchmark_case();
  // Uses the batch that is timed; the reference has only a few rows.
  const Workload& workload =
      !given && c.verified().batch() < c.measured().batch() ? c.measured() : c.verified();
  const int64_t batch = workload.batch();
  absl::StatusOr<Tensors> inputs = call.inputs;
  // The verified call may repeat rows (compared_rows.h), so its inputs are not used here.
  if (!given) inputs = execution::SeededInputs(workload, b.dtype(), b.seed(), device);
  if (!inputs.ok()) return inputs.status();
  const absl::StatusOr<Tensors> whole = execution::OutputsOf(executable, *inputs);
  if (!whole.ok()) return whole.status();
  std::string reasons;
  const absl::Status read = base::CatchTorch(
      "reading the outputs", [&] { reasons = NonfiniteText(c.verified(), *whole); });
  if (!read.ok()) return read;
  bool ok = reasons.empty();
  std::vector<std::string> details;
  for (int64_t count = 1; count <= 2 && count < batch; ++count) {
    const std::vector<int64_t> rows = DrawnRows(batch, count, b.seed());
    const absl::StatusOr<OutputDifference> difference =
        RowsAlone(c, executable, workload, *inputs, *whole, rows);
    if (!difference.ok()) return difference.status();
    details.push_back(absl::StrCat(count == 1 ? "row " : "rows ", absl::StrJoin(rows, " and "),
                                   ": ", difference->text));
    ok = ok && difference->within_limits;
    absl::StrAppend(&reasons, reasons.empty() ? "" : "\n", difference->reasons);
  }
  AddCheck("batch_invariance", ok,
           absl::StrCat("rows alone against the same of batch ", batch, "; ",
                        absl::StrJoin(details, "; ")),
           reasons, verdict);
  return absl::OkStatus();
}

void CheckBitwise(const ResolvedCase& c, const VerifiedCall& call, Verdict& verdict) {
  const OutputDifference difference =
      DifferenceOf(ExpectedOf(c.benchmark_case(), c.verified(), call.outputs), call.outputs,
                   call.baseline, c.benchmark_case().verify());
  AddCheck("bitwise", difference.bit_equal, absl::StrCat("against plain eager; ", difference.text),
           "", verdict);
}

void CheckSaved(const ResolvedCase& c, const VerifiedCall& call, const SavedOutputs& saved,
                Verdict& verdict) {
  const OutputDifference difference =
      DifferenceOf(ExpectedOf(c.benchmark_case(), c.verified(), call.outputs), call.outputs,
                   saved.outputs, c.benchmark_case().verify());
  AddCheck("saved_outputs", difference.within_limits,
           absl::StrCat("against ", saved.Origin(), "; ", difference.text), difference.reasons,
           verdict);
}

// Spoils one thing in a copy of the program, and returns the verdict on its outputs.
absl::StatusOr<Verdict> OfMutant(const ResolvedCase& c, execution::Program& right,
                                 std::string_view mistake, at::Device device,
                                 const VerifiedCall& call) {
  // Only a lowered program has no state to copy.
  absl::StatusOr<std::unique_ptr<execution::Program>> mutant =
      c.benchmark_case().execution().lowering().empty() ? execution::CopyOf(right, c, c.verified())
                                                        : execution::SeededProgram(c, c.verified());
  if (!mutant.ok()) return mutant.status();
  const absl::Status made =
      base::CatchTorch("making a mistake", [&] { (*mutant)->MakeMistake(mistake); });
  if (!made.ok()) return made;
  const absl::Status moved = execution::Place(**mutant, device, c.benchmark_case(), c.referenced());
  if (!moved.ok()) return moved;
  const auto executable = execution::Load({.c = c, .device = device}, **mutant);
  if (!executable.ok()) return executable.status();
  const absl::StatusOr<Tensors> outputs = execution::OutputsOf(**executable, call.inputs);
  if (!outputs.ok()) return outputs.status();
  return call.compare(*outputs);
}

absl::Status CheckMutants(const ResolvedCase& c, execution::Program& program, at::Device device,
                          const VerifiedCall& call, Verdict& verdict) {
  const std::vector<std::string> mistakes = program.Mistakes();
  if (mistakes.empty()) return absl::FailedPreconditionError("the program knows no mistakes");
  if (verdict.outcome() != PASS) {
    return absl::FailedPreconditionError(
        absl::StrCat("what is right did not pass: ", record::OutcomeName(verdict.outcome())));
  }
  for (const std::string& mistake : mistakes) {
    const absl::StatusOr<Verdict> wrong = OfMutant(c, program, mistake, device, call);
    if (!wrong.ok()) return wrong.status();
    const bool found = wrong->outcome() == FAIL_ACCURACY || wrong->outcome() == FAIL_NONFINITE;
    AddCheck(absl::StrCat("mutant ", mistake), found,
             absl::StrCat(record::OutcomeName(wrong->outcome()), ", ", WorstText(*wrong)),
             found ? "" : "the case's limits do not tell it from what is right", verdict);
  }
  return absl::OkStatus();
}

absl::Status NotRun(std::string_view name, const absl::Status& status, Verdict& verdict) {
  Check& check = *verdict.add_checks();
  check.set_name(std::string(name));
  check.set_status(CHECK_NOT_RUN);
  check.set_detail(std::string(status.message()));
  return absl::Status(status.code(), absl::StrCat("check ", name, ": ", status.message()));
}

// InvalidArgument that begins with the flag and its value.
absl::Status OfFlag(std::string_view flag, std::string_view value, const absl::Status& status) {
  return absl::Status(status.code(), absl::StrCat("--", flag, "=", value, ": ", status.message()));
}

}  // namespace

absl::StatusOr<ResolvedCase> WithAccuracyFlags(const ResolvedCase& c,
                                               const AccuracySettings& settings,
                                               at::Device device) {
  const BenchmarkCase& b = c.benchmark_case();
  if (settings.batch_invariance) {
    const auto& outputs = c.verified().outputs();
    const bool batched = std::any_of(outputs.begin(), outputs.end(),
                                     [](const ExpectedOutput& o) { return o.batched(); });
    std::string problem;
    if (KindOf(b).depends_on_every_row) {
      problem = "a training step depends on every row, so that a row alone gives something else";
    } else if (std::max(c.measured().batch(), c.verified().batch()) < 2) {
      problem = "the batch is 1, so that there is no larger one to compare with; add --batch=8";
    } else if (!batched) {
      problem = "no output has the batch as its first dimension";
    }
    if (!problem.empty())
      return absl::InvalidArgumentError(absl::StrCat("--check=batch_invariance: ", problem));
  }
  if (!b.execution().lowering().empty() && (settings.bitwise || RulesNeedPlain(c))) {
    return absl::InvalidArgumentError(
        absl::StrCat("--lowering=", b.execution().lowering(),
                     ": --check=bitwise and the rule dynamo_same compare with plain eager calls of "
                     "the same program, "
                     "which is lowered; leave one of them out"));
  }
  if (settings.bitwise && IsPlain(b.execution())) {
    return absl::InvalidArgumentError(
        "--check=bitwise: it compares an execution with plain eager, which this is; add another, "
        "as "
        "--memory-format=channels_last or --matmul-precision=high");
  }
  const execution::Repeatability calls = execution::RepeatabilityOf(b, device);
  if (settings.bitwise && calls.MayDiffer()) {
    return absl::InvalidArgumentError(absl::StrCat(
        "--check=bitwise: two equal calls may differ here, so that other bits say nothing of the "
        "execution: ",
        calls.reason, "; add --deterministic"));
  }
  return settings.rule ? WithRule(c, *settings.rule) : c;
}

absl::StatusOr<AccuracyChecks> AccuracyChecks::Open(const AccuracySettings& settings,
                                                    const ResolvedCase& c) {
  const std::string& name = c.benchmark_case().name();
  AccuracyChecks asked;
  asked.settings_ = settings;
  if (!settings.save_outputs.empty()) {
    asked.save_to_ = OutputsFile(settings.save_outputs, name);
    const absl::Status folder = CheckFolderOf(asked.save_to_);
    if (!folder.ok()) return OfFlag("save-outputs", settings.save_outputs, folder);
  }
  if (!settings.compare_outputs.empty()) {
    absl::StatusOr<SavedOutputs> saved =
        ReadSavedOutputs(OutputsFile(settings.compare_outputs, name), c);
    if (!saved.ok()) return OfFlag("compare-outputs", settings.compare_outputs, saved.status());
    asked.saved_ = *std::move(saved);
  }
  return asked;
}

VerifyOptions AccuracyChecks::Options(const ResolvedCase& c, execution::Executable& executable,
                                      at::Device device, bool given_inputs,
                                      const Environment& environment, std::ostream& out) const {
  VerifyOptions options = {.runs = settings_.runs, .baseline = settings_.bitwise};
  options.also = [this, &c, &executable, device, given_inputs, &environment, &out](
                     const VerifiedCall& call, Verdict& verdict) {
    if (!save_to_.empty()) {
      const absl::Status saved =
          SaveOutputs(save_to_, c, call.outputs, verdict.outcome(), environment);
      if (!saved.ok()) return Ended(RECORD_FAILED, saved.message());
      out << "outputs   saved    " << save_to_ << "\n";
    }
    if (settings_.bitwise) CheckBitwise(c, call, verdict);
    if (saved_) CheckSaved(c, call, *saved_, verdict);
    if (settings_.batch_invariance) {
      const absl::Status ran =
          CheckBatchInvariance(c, executable, device, call, given_inputs, verdict);
      if (!ran.ok()) return NotRun("batch_invariance", ran, verdict);
    }
    if (!settings_.mutants) return absl::OkStatus();
    const absl::Status ran = CheckMutants(c, executable.program(), device, call, verdict);
    return ran.ok() ? ran : NotRun("mutants", ran, verdict);
  };
  return options;
}

}  // namespace assay::runner

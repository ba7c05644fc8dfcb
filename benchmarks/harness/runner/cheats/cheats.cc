#include "benchmarks/harness/runner/cheats/cheats.h"

#include <ATen/Parallel.h>
#include <ATen/TensorOperators.h>
#include <ATen/ops/full_like.h>

#include <atomic>
#include <filesystem>
#include <functional>
#include <iostream>
#include <limits>
#include <map>
#include <memory>
#include <sstream>
#include <utility>

#include "absl/cleanup/cleanup.h"
#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "absl/time/time.h"
#include "benchmarks/harness/programs/autocast.h"
#include "benchmarks/harness/programs/program_decorator.h"
#include "benchmarks/harness/programs/seeded_program.h"
#include "benchmarks/harness/record/record_file.h"
#include "benchmarks/harness/runner/case_run.h"
#include "benchmarks/harness/runner/cheats/subjects.h"
#include "benchmarks/harness/runner/settings.h"
#include "benchmarks/harness/runner/verdict/timed_check.h"
#include "defs/case/case_steps.h"

namespace assay::runner {
namespace {

using execution::Program;
using execution::Step;
using execution::Tensors;
using execution::TensorsRef;

// Owns what a decorator decorates; a base, so that it is made first.
struct Owned {
  std::unique_ptr<Program> program;
};

class Cheating final : private Owned, public execution::ProgramDecorator {
 public:
  Cheating(std::unique_ptr<Program> honest, std::string step, Cheat cheat)
      : Owned{std::move(honest)},
        ProgramDecorator(*program),
        step_(std::move(step)),
        cheat_(std::move(cheat)) {}

  void Begin(Step step, TensorsRef inputs) override {
    calls_ = 0;
    verified_ = false;
    ProgramDecorator::Begin(step, inputs);
  }
  void BeginVerified(Step step, TensorsRef inputs) override {
    calls_ = 0;
    verified_ = true;
    ProgramDecorator::BeginVerified(step, inputs);
  }
  Tensors Call(Step step, TensorsRef inputs) override {
    const CheatedCall call = {inner(), step, inputs, ++calls_, verified_};
    return step == step_ ? cheat_(call) : call.Honest();
  }

 private:
  const std::string step_;
  const Cheat cheat_;
  int calls_ = 0;
  bool verified_ = false;
};

// While it lives, keeps what is printed.
class Printed {
 public:
  Printed() : out_(std::cout.rdbuf(text_.rdbuf())), err_(std::cerr.rdbuf(text_.rdbuf())) {}
  ~Printed() {
    std::cout.rdbuf(out_);
    std::cerr.rdbuf(err_);
  }
  Printed(const Printed&) = delete;
  Printed& operator=(const Printed&) = delete;
  std::string Text() const { return text_.str(); }

 private:
  std::ostringstream text_;
  std::streambuf* const out_;
  std::streambuf* const err_;
};

Tensors Honest(const CheatedCall& call) { return call.Honest(); }

// Cheats that compute something else.

Tensors FirstRow(const CheatedCall& call) {
  Tensors one = call.inputs.vec();
  one[0] = one[0].narrow(0, 0, 1);
  return call.honest.Call(call.step, one);
}

Tensors FirstRowRepeated(const CheatedCall& call) {
  Tensors outputs = FirstRow(call);
  for (at::Tensor& output : outputs) output = output.expand({call.inputs[0].size(0), -1});
  return outputs;
}

Tensors HalfAgain(const CheatedCall& call) {
  Tensors outputs = call.Honest();
  for (at::Tensor& output : outputs) output = output * 1.5;
  return outputs;
}

Tensors NotANumber(const CheatedCall& call) {
  Tensors outputs = call.Honest();
  for (at::Tensor& output : outputs)
    output = at::full_like(output, std::numeric_limits<double>::quiet_NaN());
  return outputs;
}

Tensors InBfloat16(const CheatedCall& call) {
  const execution::AutocastScope autocast(at::kCPU, at::kBFloat16);
  Tensors outputs = call.Honest();
  for (at::Tensor& output : outputs) output = output.to(at::kFloat);
  return outputs;
}

Cheat WrongFromTheThirdCallOn() {
  return [calls = 0](const CheatedCall& call) mutable {
    return ++calls < 3 ? call.Honest() : HalfAgain(call);
  };
}

Tensors OneOutputLess(const CheatedCall& call) {
  Tensors outputs = call.Honest();
  outputs.pop_back();
  return outputs;
}

Tensors NoUpdate(const CheatedCall& call) {
  call.honest.Call(steps::kForward, call.inputs);
  return call.honest.Call(steps::kBackward, call.inputs);
}

// Cheats that compute nothing.

Tensors Nothing(const CheatedCall&) { return {}; }

Tensors NothingFromTheSecondCallOn(const CheatedCall& call) {
  return call.number == 1 ? call.Honest() : Tensors();
}

Cheat TheSameFromTheSecondCallOn() {
  return [kept = Tensors()](const CheatedCall& call) mutable {
    if (call.number == 1) kept = call.Honest();
    return kept;
  };
}

Tensors NothingUnlessVerified(const CheatedCall& call) {
  return call.verified ? call.Honest() : Tensors();
}

Cheat RemembersByAddress() {
  return [seen = std::map<const void*, Tensors>()](const CheatedCall& call) mutable {
    Tensors& outputs = seen[call.inputs[0].const_data_ptr()];
    if (outputs.empty()) outputs = call.Honest();
    return outputs;
  };
}

struct Kind {
  std::string_view name;
  std::function<Cheat()> make;
};

const Kind kTheFirstRow = {"the first row alone", [] { return FirstRow; }};
const Kind kTheFirstRowForAll = {"the first row for all", [] { return FirstRowRepeated; }};
const Kind kHalfAgain = {"half again the numbers", [] { return HalfAgain; }};
const Kind kNotANumber = {"NaN", [] { return NotANumber; }};
const Kind kBfloat16 = {"bf16 in place of fp32", [] { return InBfloat16; }};
const Kind kThird = {"wrong from the third call on", WrongFromTheThirdCallOn};
const Kind kRemembers = {"remembers inputs by their address", RemembersByAddress};
const Kind kNoUpdate = {"no update", [] { return NoUpdate; }};
const Kind kNothing = {"nothing", [] { return Nothing; }};
const Kind kOneLess = {"one output less", [] { return OneOutputLess; }};
const Kind kSecond = {"nothing from the second call on", [] { return NothingFromTheSecondCallOn; }};
const Kind kSecondSame = {"the same from the second call on", TheSameFromTheSecondCallOn};
const Kind kUnlessVerified = {"nothing unless it is verified",
                              [] { return NothingUnlessVerified; }};

// Cheats of a step.
struct Suspects {
  Step step;
  std::vector<Kind> kinds;
};

// The check of each measurement of the step; of all steps where it is empty.
std::vector<Check> TimedChecks(const Record& record, std::string_view step) {
  std::vector<Check> checks;
  for (const Measurement& m : record.measurements()) {
    if (!step.empty() && m.step() != step) continue;
    Check& found = checks.emplace_back();
    for (const Check& check : m.checks()) {
      if (check.name() == kTimedCheck) found = check;
    }
  }
  return checks;
}

bool AllAre(CheckStatus status, const std::vector<Check>& checks) {
  bool all = !checks.empty();
  for (const Check& check : checks) all &= check.status() == status;
  return all;
}

// The row of Google Benchmark's table, and below it the check's line.
bool IsPrinted(const CheatedRun& run, std::string_view step) {
  const std::string mode =
      step == steps::kForward ? std::string("wall") : absl::StrCat("wall/", step);
  const std::string row = absl::StrCat("\n", run.record.benchmark_case().name(), "/", mode, "  ");
  const size_t table = run.printed.find(row);
  if (table == std::string::npos) return false;
  const size_t flagged = run.printed.find("\ncheck     FLAGGED  ", table);
  return flagged != std::string::npos &&
         absl::StrContains(run.printed.substr(flagged), kTimedCheck);
}

bool IsCaught(const CheatedRun& run, std::string_view step) {
  return run.code == 1 && run.record.verdict().outcome() == PASS && run.record.outcome() != PASS &&
         !run.record.error().empty() && AllAre(CHECK_FLAGGED, TimedChecks(run.record, step)) &&
         IsPrinted(run, step);
}

bool IsClean(const CheatedRun& run, size_t steps) {
  const std::vector<Check> checks = TimedChecks(run.record, "");
  return run.code == 0 && run.record.outcome() == PASS && checks.size() == steps &&
         AllAre(CHECK_OK, checks) && !absl::StrContains(run.printed, kTimedCheck);
}

std::string Described(const absl::StatusOr<CheatedRun>& run, std::string_view step) {
  if (!run.ok()) return std::string(run.status().message());
  std::string text = absl::StrCat("exit code ", run->code);
  for (const Check& check : TimedChecks(run->record, step))
    absl::StrAppend(&text, "; ", CheckStatus_Name(check.status()), " ", check.detail());
  return absl::StrCat(text, "; ", run->record.error());
}

std::vector<CheatResult> RunSubject(const ResolvedCase& c, const std::vector<std::string>& steps,
                                    const std::vector<Suspects>& suspects,
                                    const std::string& folder) {
  std::vector<CheatResult> results;
  const absl::StatusOr<Subject> subject = WithReference(c, folder);
  const auto run = [&](const std::vector<std::string>& measured, Step step,
                       const Cheat& cheat) -> absl::StatusOr<CheatedRun> {
    if (!subject.ok()) return subject.status();
    return RunCheat(*subject, folder, measured, step, cheat);
  };
  const absl::StatusOr<CheatedRun> twin = run(steps, "", Honest);
  for (const auto& [step, kinds] : suspects) {
    std::vector<std::string> measured = {std::string(step)};
    if (step != steps.back()) measured.push_back(steps.back());  // what cheats is not the last step
    for (const Kind& kind : kinds) {
      const absl::StatusOr<CheatedRun> cheat = run(measured, step, kind.make());
      CheatResult& result = results.emplace_back();
      result.name = absl::StrCat(kind.name, ", ", c.benchmark_case().name(), " ", step);
      result.caught = cheat.ok() && IsCaught(*cheat, step);
      result.twin_clean = twin.ok() && IsClean(*twin, steps.size());
      result.detail = Described(cheat, step);
      if (!result.twin_clean) absl::StrAppend(&result.detail, " | twin: ", Described(twin, ""));
    }
  }
  return results;
}

}  // namespace

absl::StatusOr<CheatedRun> RunCheat(const Subject& subject, const std::string& folder,
                                    const std::vector<std::string>& steps, std::string_view step,
                                    const Cheat& cheat) {
  const ResolvedCase& c = subject.resolved;
  auto program = execution::SeededProgram(c, c.measured(), c.benchmark_case().dtype());
  if (!program.ok()) return program.status();
  Settings settings;
  settings.reference_path = subject.path;
  settings.record_path = absl::StrCat(folder, "/", c.benchmark_case().name(), ".jsonl");
  settings.budget = absl::Milliseconds(20);
  settings.strict_budget = true;
  settings.methods = {sampling::Mode::kWall};
  settings.steps = steps;
  std::filesystem::remove(settings.record_path);
  // Small calls: a second thread would only wait for a processor.
  const int threads = at::get_num_threads();
  at::set_num_threads(1);
  const absl::Cleanup put_back = [threads] { at::set_num_threads(threads); };
  const std::atomic<bool> interrupted = false;
  CheatedRun run;
  {
    const Printed printed;
    run.code =
        CaseRun(
            c, {}, settings, &interrupted,
            {.program = std::make_unique<Cheating>(*std::move(program), std::string(step), cheat),
             .weights = {}})
            .Execute();
    run.printed = printed.Text();
  }
  const auto file = record::ReadAll(settings.record_path);
  if (!file.ok()) return file.status();
  if (file->records.size() != 1) return absl::InternalError("the run left no record of its own");
  run.record = file->records[0];
  return run;
}

std::vector<CheatResult> RunCheats(const std::string& folder) {
  const std::string forward(steps::kForward), backward(steps::kBackward);
  const std::vector<Kind> of_forward = {
      kTheFirstRow, kTheFirstRowForAll, kHalfAgain, kNotANumber, kBfloat16,      kThird,
      kRemembers,   kOneLess,           kSecond,    kSecondSame, kUnlessVerified};
  const std::vector<Kind> idle = {kSecond, kUnlessVerified};
  std::vector<CheatResult> results;
  const auto add = [&](const ResolvedCase& c, const std::vector<std::string>& steps,
                       const std::vector<Suspects>& suspects) {
    for (CheatResult& result : RunSubject(c, steps, suspects, folder))
      results.push_back(std::move(result));
  };
  add(ModelSubject(), {forward}, {{steps::kForward, of_forward}});
  add(OperatorSubject(), {forward}, {{steps::kForward, of_forward}});
  add(BackwardSubject(), {forward, backward},
      {{steps::kForward, {kHalfAgain, kSecondSame}},
       {steps::kBackward, {kHalfAgain, kNothing, kRemembers, kSecondSame, kUnlessVerified}}});
  add(TrainingSubject(), {forward, backward, "optimizer", "train_step"},
      {{steps::kForward, idle},
       {steps::kBackward, {kNothing, kSecond, kUnlessVerified}},
       {steps::kOptimizer, {kNothing, kSecond, kUnlessVerified}},
       {steps::kTrainStep, {kNoUpdate, kSecond, kUnlessVerified}}});
  add(GenerationSubject(), {"prefill", "decode", "generate"},
      {{steps::kPrefill, {kHalfAgain, kSecondSame, kUnlessVerified}},
       {steps::kDecode, {kHalfAgain, kSecondSame, kUnlessVerified}},
       {steps::kGenerate, {kOneLess, kSecondSame, kUnlessVerified}}});
  return results;
}

}  // namespace assay::runner

#include "benchmarks/harness/runner/cheats/cheats.h"

#include <ATen/TensorOperators.h>
#include <ATen/ops/full_like.h>
#include <google/protobuf/text_format.h>

#include <functional>
#include <limits>
#include <map>
#include <memory>
#include <string_view>
#include <utility>

#include "absl/status/statusor.h"
#include "absl/strings/str_cat.h"
#include "benchmarks/harness/base/sha256.h"
#include "benchmarks/harness/execution/autocast.h"
#include "benchmarks/harness/execution/eager_backend.h"
#include "benchmarks/harness/execution/program_decorator.h"
#include "benchmarks/harness/execution/seeded_program.h"
#include "benchmarks/harness/execution/timed_step.h"
#include "benchmarks/harness/runner/verdict/exporting.h"
#include "benchmarks/harness/runner/verdict/timed_check.h"
#include "benchmarks/harness/runner/verdict/truth.h"
#include "benchmarks/harness/runner/verdict/verification.h"
#include "benchmarks/harness/tensor_files/file_bytes.h"
#include "defs/case_steps.h"
#include "defs/suite.pb.h"
#include "defs/training_steps.h"

namespace assay::runner {
namespace {

using execution::Program;
using execution::Step;
using execution::Tensors;
using execution::TensorsRef;

// Stands in for a timed call of the honest program.
using Cheat = std::function<Tensors(Program& honest, Step step, TensorsRef inputs)>;

class Cheating final : public execution::ProgramDecorator {
 public:
  Cheating(Program& honest, Cheat cheat) : ProgramDecorator(honest), cheat_(std::move(cheat)) {}
  Tensors Call(Step step, TensorsRef inputs) override { return cheat_(inner(), step, inputs); }

 private:
  const Cheat cheat_;
};

Tensors Honest(Program& honest, Step step, TensorsRef inputs) { return honest.Call(step, inputs); }

Tensors FirstRow(Program& honest, Step step, TensorsRef inputs) {
  Tensors one = inputs.vec();
  one[0] = one[0].narrow(0, 0, 1);
  return honest.Call(step, one);
}

Tensors FirstRowRepeated(Program& honest, Step step, TensorsRef inputs) {
  Tensors outputs = FirstRow(honest, step, inputs);
  for (at::Tensor& output : outputs) output = output.expand({inputs[0].size(0), -1});
  return outputs;
}

Tensors HalfAgain(Program& honest, Step step, TensorsRef inputs) {
  Tensors outputs = honest.Call(step, inputs);
  for (at::Tensor& output : outputs) output = output * 1.5;
  return outputs;
}

Tensors NotANumber(Program& honest, Step step, TensorsRef inputs) {
  Tensors outputs = honest.Call(step, inputs);
  for (at::Tensor& output : outputs)
    output = at::full_like(output, std::numeric_limits<double>::quiet_NaN());
  return outputs;
}

Tensors InBfloat16(Program& honest, Step step, TensorsRef inputs) {
  const execution::AutocastScope autocast(at::kCPU, at::kBFloat16);
  Tensors outputs = honest.Call(step, inputs);
  for (at::Tensor& output : outputs) output = output.to(at::kFloat);
  return outputs;
}

Cheat WrongFromTheThirdCallOn() {
  return [calls = 0](Program& honest, Step step, TensorsRef inputs) mutable {
    return ++calls < 3 ? Honest(honest, step, inputs) : HalfAgain(honest, step, inputs);
  };
}

Cheat RemembersByAddress() {
  return [seen = std::map<const void*, Tensors>()](Program& honest, Step step,
                                                   TensorsRef inputs) mutable {
    Tensors& outputs = seen[inputs[0].const_data_ptr()];
    if (outputs.empty()) outputs = honest.Call(step, inputs);
    return outputs;
  };
}

Tensors NoUpdate(Program& honest, Step, TensorsRef inputs) {
  honest.Call(steps::kForward, inputs);
  return honest.Call(steps::kBackward, inputs);
}

Tensors Nothing(Program&, Step, TensorsRef) { return {}; }

struct Kind {
  std::string_view name;
  std::function<Cheat()> make;
};

const std::vector<Kind>& ForwardCheats() {
  static const auto& cheats = *new std::vector<Kind>{
      {"the first row alone", [] { return FirstRow; }},
      {"the first row for all", [] { return FirstRowRepeated; }},
      {"half again the numbers", [] { return HalfAgain; }},
      {"NaN", [] { return NotANumber; }},
      {"bf16 in place of fp32", [] { return InBfloat16; }},
      {"wrong from the third call on", WrongFromTheThirdCallOn},
      {"remembers inputs by their address", RemembersByAddress},
  };
  return cheats;
}

constexpr char kModel[] = R"pb(
  benchmark_case {
    name: "mlp_fp32_b6"
    label: "//x:mlp_fp32_b6"
    model: "mlp"
    dtype: FP32
    batch: 6
    mode: EVAL
    verify { rule: RELATIVE_TO_STD rms_limit: 1e-5 max_limit: 1e-4 provenance: "here" }
  }
  implementation {
    name: "mlp"
    inputs { name: "input" shape: "batch" shape: "32" }
    outputs { name: "probabilities" shape: "batch" shape: "32" }
    targets { name: "labels" shape: "batch" }
  }
  measured {
    batch: 6
    parameters {
      key: "in_features"
      value { integer: 32 }
    }
    parameters {
      key: "hidden_features"
      value { integer: 64 }
    }
    parameters {
      key: "out_features"
      value { integer: 32 }
    }
    inputs {
      name: "input"
      dtype: FP32
      shape: [ 6, 32 ]
      distribution { uniform {} }
    }
    outputs {
      name: "probabilities"
      dtype: FP32
      shape: [ 6, 32 ]
      batched: true
    }
  }
)pb";

constexpr char kOperator[] = R"pb(
  benchmark_case {
    name: "mm_fp32"
    label: "//x:mm_fp32"
    dtype: FP32
    batch: 6
    mode: EVAL
    operator_call {
      name: "aten::mm"
      inputs { name: "self" shape: "batch" shape: "32" }
      inputs { name: "mat2" shape: "32" shape: "16" }
      outputs { name: "out" shape: "batch" shape: "16" }
    }
    verify { rule: RELATIVE_TO_STD rms_limit: 1e-5 max_limit: 1e-4 provenance: "here" }
  }
  measured {
    batch: 6
    inputs {
      name: "self"
      dtype: FP32
      shape: [ 6, 32 ]
      distribution { uniform {} }
    }
    inputs {
      name: "mat2"
      dtype: FP32
      shape: [ 32, 16 ]
      distribution { uniform {} }
    }
    outputs {
      name: "out"
      dtype: FP32
      shape: [ 6, 16 ]
      batched: true
    }
  }
)pb";

ResolvedCase Parsed(const char* text) {
  ResolvedCase c;
  google::protobuf::TextFormat::ParseFromString(text, &c);
  return c;
}

// Gives the reference, and the operator's float64 reference, two of the six rows.
void KnowTwoRows(ResolvedCase& c) {
  Workload two = c.measured();
  two.set_batch(2);
  two.mutable_inputs(0)->set_shape(0, 2);
  two.mutable_outputs(0)->set_shape(0, 2);
  *c.mutable_referenced() = two;
  *c.mutable_verified() = c.benchmark_case().has_operator_call() ? c.measured() : two;
}

ResolvedCase ModelCase() {
  ResolvedCase c = Parsed(kModel);
  KnowTwoRows(c);
  return c;
}

ResolvedCase OperatorCase() {
  ResolvedCase c = Parsed(kOperator);
  KnowTwoRows(c);
  return c;
}

ResolvedCase TrainingCase() {
  ResolvedCase c = Parsed(kModel);
  c.mutable_benchmark_case()->set_name("mlp_fp32_b6_train");
  c.mutable_benchmark_case()->set_mode(TRAIN);
  Training& training = *c.mutable_benchmark_case()->mutable_training();
  training.set_loss(OWN);
  Sgd& sgd = *training.add_optimizers()->mutable_sgd();
  sgd.set_learning_rate(0.05);
  sgd.set_momentum(0.9);
  TensorSpec& labels = *c.mutable_measured()->add_inputs();
  labels.set_name("labels");
  labels.set_dtype(INT64);
  labels.add_shape(6);
  labels.mutable_distribution()->mutable_integers()->set_limit(32);
  ExpectedOutput& forward = *c.mutable_measured()->mutable_outputs(0);
  forward.set_batched(false);
  const auto outputs = TrainingOutputs({forward}, training, /*keeps_statistics=*/false, FP32);
  c.mutable_measured()->mutable_outputs()->Assign(outputs.begin(), outputs.end());
  *c.mutable_verified() = *c.mutable_referenced() = c.measured();
  return c;
}

// A case with its program and its reference.
class Subject {
 public:
  static absl::StatusOr<Subject> Make(ResolvedCase c, Step step, const std::string& folder) {
    SetSteps(c);
    Subject subject(std::move(c), step);
    if (!subject.case_.benchmark_case().has_operator_call()) {
      subject.path_ =
          absl::StrCat(folder, "/", subject.case_.benchmark_case().name(), ".safetensors");
      const absl::Status exported = Export(subject.case_, {.reference = subject.path_});
      if (!exported.ok()) return exported;
      const auto bytes = tensor_files::ReadFile(subject.path_, 1 << 20);
      if (!bytes.ok()) return bytes.status();
      subject.case_.mutable_reference()->set_sha256(base::Sha256Hex(*bytes));
    }
    auto program = execution::SeededProgram(subject.case_, subject.case_.measured());
    if (!program.ok()) return program.status();
    subject.program_ = *std::move(program);
    return subject;
  }

  // Makes the verdict and some timed calls, and returns the verdict on the timed calls.
  TimedVerdict Judge(const Cheat& cheat) const {
    const auto failed = [](Outcome outcome, std::string_view what) {
      TimedVerdict verdict = {.outcome = outcome};
      verdict.check.set_detail(std::string(what));
      return verdict;
    };
    Cheating program(*program_, cheat);
    std::optional<Truth> truth;
    const auto executable = execution::LoadEager(case_.benchmark_case().execution(), program);
    const Verdict verdict = Verify(case_, *executable, at::kCPU, path_, {.truth = &truth});
    if (verdict.outcome() != PASS) return failed(verdict.outcome(), verdict.message());
    auto timed = execution::MakeTimedStep(step_, case_, *executable, at::kCPU, /*input_sets=*/3);
    if (!timed.ok()) return failed(CRASH, timed.status().message());
    for (int call = 0; call < 6; ++call) {
      (*timed)->UseInputs(call % 3);
      if ((*timed)->HasPreparation()) (*timed)->Prepare();
      (*timed)->Call();
    }
    return CheckTimed(case_, step_, **timed, *truth, at::kCPU, /*used_before=*/true);
  }

  const ResolvedCase& resolved() const { return case_; }
  Step step() const { return step_; }

 private:
  Subject(ResolvedCase c, Step step) : case_(std::move(c)), step_(step) {}

  ResolvedCase case_;
  Step step_;
  std::string path_;
  std::unique_ptr<Program> program_;
};

void Run(ResolvedCase c, Step step, const std::vector<Kind>& cheats, const std::string& folder,
         std::vector<CheatResult>& results) {
  const std::string of = absl::StrCat(", ", c.benchmark_case().name(), " ", step);
  const absl::StatusOr<Subject> subject = Subject::Make(std::move(c), step, folder);
  for (const Kind& kind : cheats) {
    CheatResult& result = results.emplace_back();
    result.name = absl::StrCat(kind.name, of);
    if (!subject.ok()) {
      result.detail = std::string(subject.status().message());
      continue;
    }
    const TimedVerdict cheat = subject->Judge(kind.make()), twin = subject->Judge(Honest);
    result.caught = cheat.check.status() == CHECK_FLAGGED && cheat.outcome != PASS;
    result.twin_clean = twin.check.status() == CHECK_OK;
    result.detail = cheat.check.detail();
    if (!result.twin_clean) absl::StrAppend(&result.detail, " | twin: ", twin.check.detail());
  }
}

}  // namespace

std::vector<CheatResult> RunCheats(const std::string& folder) {
  std::vector<CheatResult> results;
  Run(ModelCase(), steps::kForward, ForwardCheats(), folder, results);
  Run(OperatorCase(), steps::kForward, ForwardCheats(), folder, results);
  Run(TrainingCase(), steps::kTrainStep, {{"no update", [] { return NoUpdate; }}}, folder, results);
  Run(TrainingCase(), steps::kBackward, {{"no gradients", [] { return Nothing; }}}, folder,
      results);
  return results;
}

}  // namespace assay::runner

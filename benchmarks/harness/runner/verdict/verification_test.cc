// Fault injection: real models, a reference made by the float64 export, and one thing wrong at a
// time.
#include "benchmarks/harness/runner/verdict/verification.h"

#include <ATen/Parallel.h>
#include <google/protobuf/text_format.h>

#include <fstream>
#include <functional>
#include <string>
#include <string_view>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_replace.h"
#include "benchmarks/harness/base/sha256.h"
#include "benchmarks/harness/configuration/with_call_flags.h"
#include "benchmarks/harness/execution/backend.h"
#include "benchmarks/harness/programs/program_decorator.h"
#include "benchmarks/harness/programs/seeded_program.h"
#include "benchmarks/harness/runner/verdict/exporting.h"
#include "benchmarks/harness/runner/verdict/small_mlp.h"
#include "benchmarks/harness/tensor_files/file_bytes.h"
#include "defs/case/training_steps.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"

namespace assay::runner {
namespace {

using testing::HasSubstr;
using testing::Not;

constexpr char kBert[] = R"pb(
  benchmark_case {
    name: "tiny_fp32_b2"
    label: "//x:tiny_fp32_b2"
    model: "tiny"
    dtype: FP32
    batch: 2
    mode: EVAL
    verify {
      rule: RELATIVE_TO_STD
      rms_limit: 1e-5
      max_limit: 1e-4
      provenance: "defs/tolerances.bzl"
    }
  }
  implementation { name: "bert" }
  verified {
    batch: 2
    parameters {
      key: "vocab_size"
      value { integer: 100 }
    }
    parameters {
      key: "hidden_size"
      value { integer: 32 }
    }
    parameters {
      key: "num_hidden_layers"
      value { integer: 2 }
    }
    parameters {
      key: "num_attention_heads"
      value { integer: 2 }
    }
    parameters {
      key: "intermediate_size"
      value { integer: 64 }
    }
    parameters {
      key: "max_position_embeddings"
      value { integer: 16 }
    }
    parameters {
      key: "type_vocab_size"
      value { integer: 2 }
    }
    parameters {
      key: "layer_norm_eps"
      value { real: 1e-12 }
    }
    inputs {
      name: "input_ids"
      dtype: INT64
      shape: 2
      shape: 8
      distribution { integers { limit: 100 } }
    }
    inputs {
      name: "attention_mask"
      dtype: INT64
      shape: 2
      shape: 8
      distribution { prefix_mask {} }
    }
    inputs {
      name: "token_type_ids"
      dtype: INT64
      shape: 2
      shape: 8
      distribution { segments {} }
    }
    outputs { name: "last_hidden_state" dtype: FP32 shape: 2 shape: 8 shape: 32 batched: true }
    outputs { name: "pooler_output" dtype: FP32 shape: 2 shape: 32 batched: true }
  }
)pb";

constexpr char kResNet[] = R"pb(
  benchmark_case {
    name: "resnet18_fp32_b2"
    label: "//x:resnet18_fp32_b2"
    model: "resnet18"
    dtype: FP32
    batch: 2
    mode: EVAL
    verify {
      rule: RELATIVE_TO_STD
      rms_limit: 1e-5
      max_limit: 1e-4
      provenance: "defs/tolerances.bzl"
    }
  }
  implementation { name: "resnet" }
  verified {
    batch: 2
    parameters {
      key: "block"
      value { text: "basic" }
    }
    parameters {
      key: "layers"
      value { integers { values: [ 2, 2, 2, 2 ] } }
    }
    parameters {
      key: "groups"
      value { integer: 1 }
    }
    parameters {
      key: "width_per_group"
      value { integer: 64 }
    }
    parameters {
      key: "num_classes"
      value { integer: 1000 }
    }
    inputs {
      name: "image"
      dtype: FP32
      shape: 2
      shape: 3
      shape: 64
      shape: 64
      distribution { uniform {} }
    }
    outputs { name: "logits" dtype: FP32 shape: 2 shape: 1000 batched: true }
  }
)pb";

constexpr char kTraining[] = R"pb(
  benchmark_case {
    name: "mlp_fp32_b8_train"
    label: "//x:mlp_fp32_b8_train"
    model: "mlp"
    dtype: FP32
    batch: 8
    mode: TRAIN
    training {
      optimizers { sgd { learning_rate: 0.05 momentum: 0.9 } }
      optimizers { adam { learning_rate: 5e-4 beta1: 0.9 beta2: 0.999 epsilon: 1e-6 } }
      optimizers {
        adamw { learning_rate: 5e-4 beta1: 0.9 beta2: 0.999 epsilon: 1e-6 weight_decay: 0.01 }
      }
      loss: OWN
    }
    verify {
      rule: RELATIVE_TO_STD
      rms_limit: 1e-5
      max_limit: 1e-4
      provenance: "defs/tolerances.bzl"
    }
  }
  implementation {
    name: "mlp"
    outputs { name: "probabilities" }
    inputs { name: "input" shape: "batch" }
    targets { name: "labels" shape: "batch" }
  }
  verified {
    batch: 8
    parameters {
      key: "in_features"
      value { integer: 32 }
    }
    parameters {
      key: "hidden_features"
      value { integer: 512 }
    }
    parameters {
      key: "out_features"
      value { integer: 32 }
    }
    inputs {
      name: "input"
      dtype: FP32
      shape: [ 8, 32 ]
      distribution { uniform {} }
    }
    inputs {
      name: "labels"
      dtype: INT64
      shape: 8
      distribution { integers { limit: 32 } }
    }
    outputs {
      name: "probabilities"
      dtype: FP32
      shape: [ 8, 32 ]
    }
  }
)pb";

// A program that applies a fault to the outputs of another.
class FaultyOutputs final : public execution::ProgramDecorator {
 public:
  using Fault = std::function<void(std::vector<at::Tensor>&)>;
  FaultyOutputs(execution::Program& inner, Fault fault)
      : ProgramDecorator(inner), fault_(std::move(fault)) {}

  execution::Tensors Outputs(execution::TensorsRef inputs) override {
    std::vector<at::Tensor> outputs = inner().Outputs(inputs);
    fault_(outputs);
    return outputs;
  }

 private:
  const Fault fault_;
};

ResolvedCase Parsed(std::string_view text) {
  ResolvedCase c;
  EXPECT_TRUE(google::protobuf::TextFormat::ParseFromString(std::string(text), &c));
  return c;
}

// A case with its float64 reference and its program.
class Bench {
 public:
  explicit Bench(std::string_view text) : Bench(Parsed(text)) {}
  explicit Bench(ResolvedCase c) : c_(std::move(c)) {
    if (const Training& training = c_.benchmark_case().training(); training.optimizers_size() > 0) {
      const auto& forward = c_.verified().outputs();
      const auto outputs = TrainingOutputs({forward.begin(), forward.end()}, training,
                                           c_.implementation().keeps_statistics(), FP32);
      *c_.mutable_verified()->mutable_outputs() = {outputs.begin(), outputs.end()};
    }
    *c_.mutable_smoke() = c_.verified();
    *c_.mutable_referenced() = c_.verified();
    path_ = testing::TempDir() + "/" + c_.benchmark_case().name() + ".safetensors";
    const absl::Status exported = Export(c_, {.reference = path_});
    EXPECT_TRUE(exported.ok()) << exported;
    std::ifstream file(path_, std::ios::binary);
    const std::string bytes((std::istreambuf_iterator<char>(file)), {});
    c_.mutable_reference()->set_sha256(base::Sha256Hex(bytes));
    auto program = execution::SeededProgram(c_, c_.verified());
    EXPECT_TRUE(program.ok()) << program.status();
    program_ = *std::move(program);
  }

  execution::Program& program() { return *program_; }
  ResolvedCase& resolved() { return c_; }
  const std::string& path() const { return path_; }
  Verdict Judge() { return Verify(c_, *program_, at::kCPU, path_); }
  Verdict Judge(FaultyOutputs::Fault fault) {
    FaultyOutputs faulty(*program_, std::move(fault));
    return Verify(c_, faulty, at::kCPU, path_);
  }

 private:
  ResolvedCase c_;
  std::string path_;
  std::unique_ptr<execution::Program> program_;
};

TEST(ExportPaths, AskForNothingByThemselves) { EXPECT_FALSE(ExportPaths().any()); }

TEST(Verify, PassesTheRightModels) {
  for (const char* text : {kBert, kResNet}) {
    const Verdict verdict = Bench(text).Judge();
    EXPECT_EQ(verdict.outcome(), PASS) << verdict.message();
    EXPECT_EQ(verdict.verified_batch(), 2);
    EXPECT_GT(verdict.outputs(0).max_error(), 0)
        << "float32 against float64 cannot agree to the bit";
  }
}

TEST(Verify, PassesATrainingCaseAndCatchesAMomentumOffByAHundredth) {
  Bench bench(kTraining);
  const Verdict right = bench.Judge();
  EXPECT_EQ(right.outcome(), PASS) << right.message();
  bench.resolved()
      .mutable_benchmark_case()
      ->mutable_training()
      ->mutable_optimizers(0)
      ->mutable_sgd()
      ->set_momentum(0.909);
  auto wrong = execution::SeededProgram(bench.resolved(), bench.resolved().verified());
  ASSERT_TRUE(wrong.ok()) << wrong.status();
  const Verdict verdict = Verify(bench.resolved(), **wrong, at::kCPU, bench.path());
  EXPECT_EQ(verdict.outcome(), FAIL_ACCURACY);
  for (const OutputVerdict& output : verdict.outputs()) {
    if (output.name().starts_with("sgd.step3.")) continue;
    EXPECT_EQ(output.outcome(), PASS) << output.name();
  }
  EXPECT_THAT(verdict.message(), HasSubstr("sgd.step3.parameters"));
}

TEST(Verify, ComparesTheOptimizersThatTheCaseIsCalledWith) {
  Bench bench(kTraining);
  const auto called = configuration::WithCallFlags(bench.resolved(), {.optimizer = "adamw"},
                                                   configuration::Comparison::kAllOptimizers, CPU);
  ASSERT_TRUE(called.ok()) << called.status();
  auto program = execution::SeededProgram(*called, called->verified());
  ASSERT_TRUE(program.ok()) << program.status();
  const Verdict verdict = Verify(*called, **program, at::kCPU, bench.path());
  EXPECT_EQ(verdict.outcome(), PASS) << verdict.message();
  EXPECT_EQ(verdict.outputs_size(), 4 + 2 + 6);
}

struct TrainingMistake {
  const char* mistake;
  const char* first_seen;  // an output that differs
  const char* optimizer;
  bool grad_scaler = false;
};

class TrainingMistakeTest : public testing::TestWithParam<TrainingMistake> {};

TEST_P(TrainingMistakeTest, IsCaught) {
  Bench bench(kTraining);
  const auto called = configuration::WithCallFlags(
      bench.resolved(), {.optimizer = GetParam().optimizer, .grad_scaler = GetParam().grad_scaler},
      configuration::Comparison::kMeasured, CPU);
  ASSERT_TRUE(called.ok()) << called.status();
  auto program = execution::SeededProgram(*called, called->verified());
  ASSERT_TRUE(program.ok()) << program.status();
  EXPECT_EQ(Verify(*called, **program, at::kCPU, bench.path()).outcome(), PASS);
  EXPECT_THAT((*program)->Mistakes(), testing::Contains(GetParam().mistake));
  (*program)->MakeMistake(GetParam().mistake);
  const Verdict verdict = Verify(*called, **program, at::kCPU, bench.path());
  // Steps along gradients 65,536 times too large leave the range of floats.
  EXPECT_THAT(verdict.outcome(), testing::AnyOf(FAIL_ACCURACY, FAIL_NONFINITE));
  EXPECT_THAT(verdict.message(),
              HasSubstr(absl::StrCat("output \"", GetParam().first_seen, "\" differs")));
}

INSTANTIATE_TEST_SUITE_P(
    All, TrainingMistakeTest,
    testing::Values(TrainingMistake{"missing_gradient", "step1.gradient_norms", "sgd"},
                    TrainingMistake{"missing_gradient", "step1.gradient_norms", "adamw"},
                    TrainingMistake{"stale_gradient", "sgd.step3.gradients", "sgd"},
                    TrainingMistake{"stale_gradient", "adamw.step3.gradients", "adamw"},
                    TrainingMistake{"bias_correction", "adam.step1.parameters", "adam"},
                    TrainingMistake{"bias_correction", "adamw.step1.update_norms", "adamw"},
                    TrainingMistake{"scaled_gradient", "step1.gradients", "sgd", true}),
    [](const auto& tested) {
      return absl::StrCat(tested.param.mistake, "_", tested.param.optimizer);
    });

// Adds 1e-2 to one element, judges, and puts the element back.
Outcome JudgeWithOneElementOff(Bench& bench, const at::Tensor& weight, int64_t element) {
  at::Tensor one = weight.view(-1).narrow(0, element, 1);
  const at::Tensor kept = one.clone();
  one.add_(1e-2);
  const Outcome outcome = bench.Judge().outcome();
  one.copy_(kept);
  return outcome;
}

// Whether a change of one element of this parameter can change an output at all.
bool CanShow(const models::NamedTensor& entry) {
  const bool table = entry.name.find("embeddings.") != std::string::npos &&
                     entry.name.find("LayerNorm") == std::string::npos;
  // Softmax cancels the bias of a key projection, and some rows of a table are read by no token.
  return entry.trainable && !table && entry.name.find("key.bias") == std::string::npos;
}

TEST(Verify, CatchesOneElementOfAnyWeightOffByAHundredth) {
  at::set_num_threads(1);
  for (const char* text : {kBert, kResNet}) {
    Bench bench(text);
    int tensors = 0, at_once = 0;
    for (const models::NamedTensor& entry : bench.program().State()) {
      if (!CanShow(entry)) continue;
      // Many channels of a small image are dead behind their ReLU, and their weights change
      // nothing; a live one must.
      constexpr int kPlaces = 16;
      int place = 0;
      // The step is a large prime, so that rows and columns both change.
      while (place < kPlaces &&
             JudgeWithOneElementOff(bench, entry.tensor, place * 104729L % entry.tensor.numel()) !=
                 FAIL_ACCURACY)
        ++place;
      EXPECT_LT(place, kPlaces) << entry.name;
      at_once += place == 0;
      ++tensors;
    }
    EXPECT_GT(tensors, 30);
    EXPECT_GT(at_once, tensors / 2) << "of " << tensors;
    EXPECT_EQ(bench.Judge().outcome(), PASS);
  }
}

TEST(Verify, NamesTheOutputAndThePlace) {
  Bench bench(kResNet);
  // One of the 512 places that the reference keeps of 2,000; what is wrong elsewhere shows in the whole's statistics.
  const Verdict verdict =
      bench.Judge([](auto& outputs) { outputs[0].view(-1).narrow(0, 1749, 1).add_(1); });
  EXPECT_EQ(verdict.outcome(), FAIL_ACCURACY);
  EXPECT_THAT(verdict.message(), HasSubstr("logits"));
  EXPECT_THAT(verdict.message(), HasSubstr("[1, 749]"));
  const std::string text = FailureText(bench.resolved(), verdict, "cpu");
  EXPECT_THAT(text, HasSubstr("reproduce  tools/bazel test //x:resnet18_fp32_b2_accuracy_test"));
}

TEST(FailureText, OffersToLocateAWrongNumberWhereThereIsAnotherImplementation) {
  ResolvedCase c;
  c.mutable_benchmark_case()->set_label("//x:resnet18");
  Verdict verdict;
  verdict.set_outcome(FAIL_ACCURACY);
  EXPECT_THAT(FailureText(c, verdict, "cpu"), Not(HasSubstr("--locate")));
  c.mutable_implementation()->set_reference_script("x/reference.py");
  EXPECT_THAT(FailureText(c, verdict, "cpu"),
              HasSubstr("\n  locate  tools/bazel run //x:resnet18 -- --locate\n"));
  c.mutable_benchmark_case()->mutable_execution()->set_lowering("int8_dynamic");
  EXPECT_THAT(FailureText(c, verdict, "cpu"),
              HasSubstr(" -- --locate   (of the model before its lowering)\n"));
  Check& size = *verdict.add_checks();  // of --vary
  size.set_name("size");
  size.set_status(CHECK_OK);
  EXPECT_THAT(FailureText(c, verdict, "cpu"), HasSubstr("--locate"));
  size.set_status(CHECK_FLAGGED);
  EXPECT_THAT(FailureText(c, verdict, "cpu"), Not(HasSubstr("--locate")));
  verdict.clear_checks();
  verdict.set_outcome(ARTIFACT_UNAVAILABLE);
  EXPECT_THAT(FailureText(c, verdict, "cpu"), Not(HasSubstr("--locate")));
}

TEST(Verify, CatchesSwappedOutputs) {
  const Verdict verdict =
      Bench(kBert).Judge([](auto& outputs) { std::swap(outputs[0], outputs[1]); });
  EXPECT_EQ(verdict.outcome(), FAIL_SHAPE);
  EXPECT_THAT(verdict.message(), HasSubstr("last_hidden_state"));
}

TEST(Verify, CatchesSwappedRows) {
  EXPECT_EQ(Bench(kBert).Judge([](auto& outputs) { outputs[1] = outputs[1].flip(0); }).outcome(),
            FAIL_ACCURACY);
}

TEST(Verify, CatchesAnotherDtype) {
  const Verdict verdict =
      Bench(kBert).Judge([](auto& outputs) { outputs[1] = outputs[1].to(at::kDouble); });
  EXPECT_EQ(verdict.outcome(), FAIL_DTYPE);
  EXPECT_THAT(verdict.message(), HasSubstr("pooler_output"));
}

TEST(CallUncompared, NamesWhichPartOfAnOutputIsNaNOrInfinite) {
  Bench bench(kBert);
  FaultyOutputs faulty(bench.program(), [](auto& outputs) {
    outputs[0].view(-1).narrow(0, 0, outputs[0].numel() / 4).fill_(INFINITY);
    outputs[0].view(-1).narrow(0, outputs[0].numel() / 2, outputs[0].numel() / 2).fill_(NAN);
    outputs[1].fill_(-INFINITY);
  });
  ResolvedCase& c = bench.resolved();
  c.mutable_verified()->mutable_outputs()->RemoveLast();  // an output without a name
  const auto executable = execution::Load({.c = c, .device = at::kCPU}, faulty);
  ASSERT_TRUE(executable.ok()) << executable.status();
  const BenchmarkCase& b = c.benchmark_case();
  Verdict uncompared;
  uncompared.set_outcome(NOT_VERIFIED);
  const Verdict verdict = CallUncompared(
      c, **executable, at::kCPU,
      *execution::SeededInputs(c.verified(), b.dtype(), b.seed(), at::kCPU, b.seed()), uncompared,
      {});
  EXPECT_EQ(verdict.outcome(), NOT_VERIFIED) << verdict.message();
  std::string found;
  for (const Check& check : verdict.checks())
    if (check.name() == "nonfinite_outputs") found = check.detail();
  EXPECT_EQ(found,
            "last_hidden_state is NaN in 50 % and infinite in 25 %; #1 is infinite in 100 % of its "
            "elements");
}

TEST(Verify, CatchesANaN) {
  const Verdict verdict =
      Bench(kBert).Judge([](auto& outputs) { outputs[0].view(-1).narrow(0, 77, 1).fill_(NAN); });
  EXPECT_EQ(verdict.outcome(), FAIL_NONFINITE);
  EXPECT_THAT(verdict.message(), HasSubstr("last_hidden_state"));
}

// Seven rows, for a case whose reference has two.
class LargerBatch : public testing::Test {
 protected:
  LargerBatch() {
    const auto called = configuration::WithCallFlags(bench_.resolved(), {.batch = 7},
                                                     configuration::Comparison::kMeasured, CPU);
    EXPECT_TRUE(called.ok()) << called.status();
    bench_.resolved() = *called;
  }

  static ResolvedCase Case() {
    ResolvedCase c = SmallMlpCase();
    for (const char* size : {"batch", "5"})
      c.mutable_implementation()->mutable_inputs(0)->add_shape(size);
    return c;
  }

  Bench bench_ = Bench(Case());
};

TEST_F(LargerBatch, IsComparedInEveryRow) {
  const Verdict right = bench_.Judge();
  EXPECT_EQ(right.outcome(), PASS) << right.message();
  EXPECT_EQ(right.verified_batch(), 7);
  EXPECT_EQ(right.outputs(0).elements_compared(), right.outputs(0).elements());
  for (int64_t row = 0; row < 7; ++row) {
    const Verdict wrong = bench_.Judge([&](auto& outputs) { outputs[0][row].add_(0.1); });
    EXPECT_EQ(wrong.outcome(), FAIL_ACCURACY);
    EXPECT_THAT(wrong.message(), HasSubstr(absl::StrCat("worst  [", row, ", ")));
  }
}

TEST_F(LargerBatch, FailsByANaNInAnyRow) {
  for (int64_t row = 0; row < 7; ++row) {
    const Verdict wrong = bench_.Judge([&](auto& outputs) { outputs[0][row][2] = NAN; });
    EXPECT_EQ(wrong.outcome(), FAIL_NONFINITE);
    EXPECT_THAT(wrong.message(), HasSubstr(absl::StrCat("first  [", row, ", 2]")));
  }
}

TEST_F(LargerBatch, HasAsManyRowsAsItWasGiven) {
  const Verdict wrong =
      bench_.Judge([](auto& outputs) { outputs[0] = outputs[0].narrow(0, 0, 2); });
  EXPECT_EQ(wrong.outcome(), FAIL_SHAPE);
  EXPECT_THAT(wrong.message(), HasSubstr("has shape [2, 3]"));
}

TEST_F(LargerBatch, MustNotTakeOneRowForAnother) {
  EXPECT_EQ(bench_.Judge([](auto& outputs) { outputs[0] = outputs[0].flip(0); }).outcome(),
            FAIL_ACCURACY);
}

TEST(Verify, CatchesBitsThatDifferBesideANaN) {
  int calls = 0;
  const Verdict verdict = Bench(kBert).Judge([&](auto& outputs) {
    outputs[0].view(-1).narrow(0, 77, 1).fill_(NAN);
    outputs[0].view(-1).narrow(0, 3, 1).fill_(++calls);
  });
  EXPECT_EQ(verdict.outcome(), NONDETERMINISTIC_BASELINE);
}

TEST(Verify, CatchesAMissingOutput) {
  EXPECT_EQ(Bench(kBert).Judge([](auto& outputs) { outputs.pop_back(); }).outcome(), FAIL_SHAPE);
}

TEST(Verify, CatchesAFactorOf1001PerMille) {
  EXPECT_EQ(Bench(kResNet).Judge([](auto& outputs) { outputs[0].mul_(1.001); }).outcome(),
            FAIL_ACCURACY);
}

// A program that adds to its input.
class WritesToItsInput final : public execution::ProgramDecorator {
 public:
  explicit WritesToItsInput(execution::Program& inner) : ProgramDecorator(inner) {}
  execution::Tensors Outputs(execution::TensorsRef inputs) override {
    execution::Tensors outputs = inner().Outputs(inputs);
    inputs[0].add_(1);
    return outputs;
  }
};

TEST(Verify, NamesAnInputThatCallsWriteTo) {
  Bench bench(kResNet);
  WritesToItsInput writes(bench.program());
  const Verdict verdict = Verify(bench.resolved(), writes, at::kCPU, bench.path());
  EXPECT_EQ(verdict.outcome(), NONDETERMINISTIC_BASELINE);
  const std::string text = absl::StrCat(
      "a call writes to ", bench.resolved().verified().inputs(0).name(), ", and the next one");
  EXPECT_THAT(verdict.message(), HasSubstr(text));
  ASSERT_EQ(verdict.checks_size(), 1);
  EXPECT_EQ(verdict.checks(0).name(), "written_inputs");
  EXPECT_THAT(verdict.checks(0).detail(), HasSubstr(text));
}

TEST(Verify, CatchesAPureProgramThatChangesItsState) {
  Bench bench(kBert);
  const at::Tensor bias = bench.program().State()[3].tensor;
  const std::string name = bench.program().State()[3].name;
  int calls = 0;
  const Verdict verdict = bench.Judge([&](auto&) {
    // Changes the state only after the second call, so that both calls give the same outputs.
    if (++calls == 2) bias.add_(1);
  });
  EXPECT_EQ(verdict.outcome(), NONDETERMINISTIC_BASELINE);
  EXPECT_THAT(verdict.message(), HasSubstr("state \"" + name + "\" changed"));
  EXPECT_THAT(verdict.message(), HasSubstr("the program says that it is pure"));
}

// As a graph does whose calls write to memory of their own (graph_program.h).
class LearnsThatItIsPure final : public execution::ProgramDecorator {
 public:
  using ProgramDecorator::ProgramDecorator;
  execution::StateContract Contract() const override {
    return called_ ? execution::StateContract::kPure : execution::StateContract::kResettable;
  }
  execution::Tensors Outputs(execution::TensorsRef inputs) override {
    called_ = true;
    return inner().Outputs(inputs);
  }

 private:
  bool called_ = false;
};

TEST(Verify, TakesAProgramThatLearnsInItsFirstCallThatItIsPure) {
  Bench bench(kBert);
  LearnsThatItIsPure learns(bench.program());
  EXPECT_EQ(Verify(bench.resolved(), learns, at::kCPU, bench.path()).outcome(), PASS);
}

TEST(Verify, CatchesAModelThatDiffersFromCallToCall) {
  int calls = 0;
  const Verdict verdict =
      Bench(kBert).Judge([&](auto& outputs) { outputs[1].add_(1e-7 * ++calls); });
  EXPECT_EQ(verdict.outcome(), NONDETERMINISTIC_BASELINE);
  EXPECT_THAT(verdict.message(), HasSubstr("pooler_output"));
}

// A case whose output "pooler_output" may differ between two calls.
Bench MayDiffer() {
  Bench bench(kBert);
  Nondeterminism& declared = *bench.resolved().mutable_benchmark_case()->add_nondeterministic();
  declared.set_device(CPU);
  declared.set_reason("the pooler adds atomically");
  declared.add_outputs("pooler_output");
  return bench;
}

// Adds more to three elements of an output in every call.
FaultyOutputs::Fault AddsEverMore(int output, double step) {
  return [output, step, calls = 0](std::vector<at::Tensor>& outputs) mutable {
    outputs[output].view(-1).narrow(0, 5, 3).add_(step * ++calls);
  };
}

TEST(Verify, HoldsBothCallsToTheLimitsWhereTheyMayDiffer) {
  const Verdict verdict = MayDiffer().Judge(AddsEverMore(1, 1e-6));
  EXPECT_EQ(verdict.outcome(), PASS) << verdict.message();
  ASSERT_EQ(verdict.checks_size(), 1);
  EXPECT_EQ(verdict.checks(0).name(), "equal_calls");
  EXPECT_EQ(verdict.checks(0).status(), CHECK_NOTED);
  EXPECT_EQ(verdict.checks(0).detail(),
            "two calls differ in 3 of 576 elements; each is within the limits; the pooler adds "
            "atomically");
}

TEST(Verify, FailsByTheSecondCallAlone) {
  int calls = 0;
  const Verdict verdict = MayDiffer().Judge([&](auto& outputs) {
    if (++calls == 2) outputs[1].view(-1).narrow(0, 7, 1).add_(0.1);
  });
  EXPECT_EQ(verdict.outcome(), FAIL_ACCURACY);
  EXPECT_THAT(verdict.message(), HasSubstr("in the second of two equal calls: "));
  EXPECT_THAT(verdict.message(), HasSubstr("pooler_output"));
  EXPECT_THAT(verdict.message(), HasSubstr("two calls differ in 1 of 576 elements; the pooler"));
}

TEST(Verify, FailsByTheFirstCallAlone) {
  int calls = 0;
  const Verdict verdict = MayDiffer().Judge([&](auto& outputs) {
    if (++calls == 1) outputs[1].view(-1).narrow(0, 7, 1).add_(0.1);
  });
  EXPECT_EQ(verdict.outcome(), FAIL_ACCURACY);
  EXPECT_THAT(verdict.message(), Not(HasSubstr("in the second")));
}

TEST(Verify, CatchesADifferenceInAnotherOutputThanTheDeclaredOne) {
  EXPECT_EQ(MayDiffer().Judge(AddsEverMore(0, 1e-7)).outcome(), NONDETERMINISTIC_BASELINE);
}

TEST(Verify, CatchesCallsThatDifferInShapeWhereTheyMayDiffer) {
  int calls = 0;
  const Verdict verdict = MayDiffer().Judge([&](auto& outputs) {
    if (++calls == 2) outputs[1] = outputs[1].narrow(0, 0, 1);
  });
  EXPECT_EQ(verdict.outcome(), NONDETERMINISTIC_BASELINE);
}

TEST(Verify, WantsEqualBitsOfADeterministicExecution) {
  Bench bench = MayDiffer();
  bench.resolved().mutable_benchmark_case()->mutable_execution()->set_deterministic(true);
  EXPECT_EQ(bench.Judge(AddsEverMore(1, 1e-7)).outcome(), NONDETERMINISTIC_BASELINE);
}

TEST(Verify, SaysNothingOfCallsThatMayDifferAndDoNot) {
  const Verdict verdict = MayDiffer().Judge();
  EXPECT_EQ(verdict.outcome(), PASS);
  EXPECT_EQ(verdict.checks_size(), 0);
}

TEST(Verify, ReportsAModelThatThrows) {
  const Verdict verdict = Bench(kBert).Judge([](auto& outputs) { outputs[0].view({3, 5}); });
  EXPECT_EQ(verdict.outcome(), CRASH);
}

TEST(Verify, TellsADamagedReferenceFromAMissingOne) {
  Bench bench(kBert);
  const std::string digest = bench.resolved().reference().sha256();
  bench.resolved().mutable_reference()->set_sha256(std::string(64, 'a'));
  const Verdict damaged = bench.Judge();
  EXPECT_EQ(damaged.outcome(), FAIL_ARTIFACT);
  EXPECT_EQ(damaged.verified_batch(), 2);
  EXPECT_THAT(damaged.message(), HasSubstr(digest));
  EXPECT_THAT(damaged.message(), HasSubstr(std::string(64, 'a')));
  EXPECT_EQ(Verify(bench.resolved(), bench.program(), at::kCPU, "/no/such/file").outcome(),
            ARTIFACT_UNAVAILABLE);
  bench.resolved().mutable_reference()->clear_sha256();
  const Verdict missing = bench.Judge();
  EXPECT_EQ(missing.outcome(), ARTIFACT_UNAVAILABLE);
  EXPECT_THAT(missing.message(), HasSubstr("generate_artifacts"));
}

TEST(Smoke, ComparesNothingAndSaysSo) {
  Bench bench(kBert);
  const Verdict verdict = Smoke(bench.resolved(), at::kCPU);
  EXPECT_EQ(verdict.outcome(), NOT_VERIFIED) << verdict.message();
}

TEST(Smoke, HoldsSixteenBitsToItselfInFloat64) {
  Bench bench(absl::StrReplaceAll(kBert, {{"FP32", "BF16"}, {"1e-5", "0.05"}, {"1e-4", "0.3"}}));
  const Verdict right = Smoke(bench.resolved(), at::kCPU);
  EXPECT_EQ(right.outcome(), NOT_VERIFIED) << right.message();
  EXPECT_THAT(right.message(), HasSubstr("agrees with itself in float64"));
  bench.resolved().mutable_benchmark_case()->mutable_verify()->set_rms_limit(1e-5);
  const Verdict wrong = Smoke(bench.resolved(), at::kCPU);
  EXPECT_EQ(wrong.outcome(), FAIL_ACCURACY);
  EXPECT_THAT(wrong.message(), HasSubstr("against itself in float64"));
}

TEST(Smoke, CatchesAnOutputThatIsNotInTheTable) {
  Bench bench(kBert);
  bench.resolved().mutable_smoke()->add_outputs()->set_name("attentions");
  EXPECT_EQ(Smoke(bench.resolved(), at::kCPU).outcome(), FAIL_SHAPE);
}

}  // namespace
}  // namespace assay::runner

// Tests programs of each kind, and how the eager back end calls them.
#include "benchmarks/harness/programs/program.h"

#include <ATen/TensorOperators.h>
#include <ATen/core/Tensor.h>
#include <ATen/ops/add.h>
#include <ATen/ops/addmm.h>
#include <ATen/ops/allclose.h>
#include <ATen/ops/concat.h>
#include <ATen/ops/embedding.h>
#include <ATen/ops/empty.h>
#include <ATen/ops/equal.h>
#include <ATen/ops/full.h>
#include <ATen/ops/mm.h>
#include <ATen/ops/mul.h>
#include <ATen/ops/ones.h>
#include <ATen/ops/rand.h>
#include <ATen/ops/stack.h>
#include <ATen/ops/tensor.h>
#include <ATen/ops/zeros.h>
#include <ATen/ops/zeros_like.h>
#include <c10/core/GradMode.h>
#include <google/protobuf/text_format.h>

#include <algorithm>
#include <map>
#include <set>

#include "benchmarks/harness/base/tensor_memory.h"
#include "benchmarks/harness/execution/eager_backend.h"
#include "benchmarks/harness/execution/executable.h"
#include "benchmarks/harness/execution/timed_step.h"
#include "benchmarks/harness/programs/model_program.h"
#include "benchmarks/harness/programs/operator_program.h"
#include "benchmarks/harness/programs/seeded_program.h"
#include "benchmarks/harness/programs/training_program.h"
#include "defs/case/case_steps.h"
#include "defs/case/program_kinds.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "models/layers/core/batch_norm2d.h"
#include "models/layers/core/dropout.h"
#include "models/layers/core/embedding.h"
#include "models/layers/core/layered_model.h"
#include "models/layers/core/linear.h"
#include "models/layers/core/recipes.h"
#include "models/registry.h"
#include "models/trainable.h"

namespace assay::execution {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;

// y = x + w, with a counter that must stay an integer.
class Adder : public models::Model {
 public:
  explicit Adder(int64_t width)
      : weight_(at::empty({width}, at::kFloat)), counter_(at::empty({}, at::kLong)) {}

  std::vector<at::Tensor> Forward(at::ArrayRef<at::Tensor> inputs) override {
    return {at::add(inputs[0], weight_)};
  }
  std::vector<models::NamedTensor> State() override {
    return {{"w", weight_, {2, 0, 1}, true}, {"steps", counter_, {}, false}};
  }
  void To(at::Device device, at::ScalarType dtype) override {
    weight_ = weight_.to(device, dtype);
    counter_ = counter_.to(device);
  }
  void SetTraining(bool) override {}

 private:
  at::Tensor weight_, counter_;
};

ASSAY_MODEL_IMPLEMENTATION("adder",
                           [](const models::Parameters& parameters)
                               -> absl::StatusOr<std::unique_ptr<models::Model>> {
                             return std::make_unique<Adder>(parameters.Integer("width"));
                           });

// A model without a tensor.
class Doubler final : public models::Model {
 public:
  std::vector<at::Tensor> Forward(at::ArrayRef<at::Tensor> inputs) override {
    return {at::mul(inputs[0], 2)};
  }
  std::vector<models::NamedTensor> State() override { return {}; }
  void To(at::Device, at::ScalarType) override {}
  void SetTraining(bool) override {}
};

ASSAY_MODEL_IMPLEMENTATION(
    "doubler", [](const models::Parameters&) -> absl::StatusOr<std::unique_ptr<models::Model>> {
      return std::make_unique<Doubler>();
    });

ResolvedCase Parsed(const std::string& text) {
  ResolvedCase c;
  EXPECT_TRUE(google::protobuf::TextFormat::ParseFromString(text, &c));
  *c.mutable_verified() = c.measured();
  return c;
}

ResolvedCase AdderCase(int64_t batch, int64_t width, uint64_t seed = 0) {
  ResolvedCase c = Parsed(R"pb(
    benchmark_case { model: "adder" dtype: FP32 mode: EVAL }
    implementation { name: "adder" }
    measured {
      inputs {
        name: "input"
        dtype: FP32
        distribution { uniform {} }
      }
    }
  )pb");
  c.mutable_benchmark_case()->set_seed(seed);
  Workload& workload = *c.mutable_measured();
  workload.set_batch(batch);
  (*workload.mutable_parameters())["width"].set_integer(width);
  workload.mutable_inputs(0)->add_shape(batch);
  workload.mutable_inputs(0)->add_shape(width);
  return c;
}

std::unique_ptr<Program> Made(const ResolvedCase& c) {
  auto program = SeededProgram(c, c.measured());
  EXPECT_TRUE(program.ok()) << program.status();
  return program.ok() ? *std::move(program) : nullptr;
}

Tensors Inputs(const ResolvedCase& c) {
  auto inputs =
      SeededInputs(c.measured(), c.benchmark_case().dtype(), c.benchmark_case().seed(), at::kCPU);
  EXPECT_TRUE(inputs.ok()) << inputs.status();
  return inputs.ok() ? *std::move(inputs) : Tensors();
}

Tensors Called(const Execution& execution, Program& program, Tensors inputs) {
  const auto executable = LoadEager(execution, program);
  auto outputs = OutputsOf(*executable, std::move(inputs));
  EXPECT_TRUE(outputs.ok()) << outputs.status();
  return outputs.ok() ? *std::move(outputs) : Tensors();
}

TEST(SeededProgram, FillsWeightsByNameAndSeed) {
  const at::Tensor one = Made(AdderCase(1, 64, 7))->State()[0].tensor;
  const at::Tensor same = Made(AdderCase(1, 64, 7))->State()[0].tensor;
  const at::Tensor other = Made(AdderCase(1, 64, 8))->State()[0].tensor;
  EXPECT_TRUE(at::equal(one, same));
  EXPECT_FALSE(at::equal(one, other));
  EXPECT_GT(one.abs().max().item<float>(), 1.5);  // from the recipe 2 * u
}

TEST(SeededProgram, RoundsWeightsToTheDtype) {
  const ResolvedCase c = AdderCase(1, 64, 7);
  const auto program = SeededProgram(c, c.measured(), BF16);
  ASSERT_TRUE(program.ok()) << program.status();
  EXPECT_TRUE(
      at::equal((*program)->State()[0].tensor, Made(c)->State()[0].tensor.to(at::kBFloat16)));
}

// The words "no row of kMakers" would be the error of a kind that nothing makes.
TEST(NewProgram, KnowsHowEachKindIsMade) {
  std::vector<BenchmarkCase> cases(5);
  cases[0].set_mode(EVAL);
  cases[1].set_mode(TRAIN);
  cases[2].set_mode(GENERATE);
  cases[3].mutable_operator_call();
  cases[4].mutable_operator_call()->set_backward(true);
  std::set<std::string_view> kinds;
  for (const BenchmarkCase& c : cases) {
    ResolvedCase resolved;
    *resolved.mutable_benchmark_case() = c;
    kinds.insert(KindOf(c).word);
    const absl::Status made = NewProgram(resolved, resolved.measured()).status();
    EXPECT_FALSE(absl::IsUnimplemented(made)) << made;
  }
  EXPECT_EQ(kinds.size(), ProgramKinds().size()) << "a case of each kind belongs here";
}

TEST(SeededProgram, NamesTheImplementationsThereAre) {
  ResolvedCase c = AdderCase(1, 4);
  c.mutable_implementation()->set_name("subtractor");
  EXPECT_THAT(SeededProgram(c, c.measured()).status().message(), HasSubstr("adder"));
}

// Has only a state, whose names define its blocks.
class Named final : public models::Model {
 public:
  std::vector<at::Tensor> Forward(at::ArrayRef<at::Tensor>) override { return {}; }
  std::vector<models::NamedTensor> State() override { return state_; }
  void To(at::Device, at::ScalarType) override {}
  void SetTraining(bool) override {}

 private:
  static models::NamedTensor Ones(const char* name, at::IntArrayRef shape, bool trainable = true) {
    return {name, at::ones(shape), {}, trainable};
  }
  const std::vector<models::NamedTensor> state_ = {
      Ones("stem.weight", {2, 2}),
      Ones("stem.bias", {2}),
      Ones("stage1.0.conv.weight", {2, 2}),
      Ones("stage1.0.norm.weight", {2}),
      Ones("stage1.0.norm.mean", {2}, false),
      Ones("stage1.10.conv.weight", {2, 2}),
      Ones("norm.weight", {2}),
      Ones("head.weight", {2, 2}),
  };
};

TEST(ModelProgram, ScalesTheFirstTheMiddleOrTheLastBlock) {
  const std::vector<std::pair<std::string, std::vector<int>>> scaled = {
      {"scaled_stem", {0, 1}}, {"scaled_stage1.10", {5, 6}}, {"scaled_head", {7}}};
  for (size_t i = 0; i < scaled.size(); ++i) {
    ModelProgram program(std::make_unique<Named>());
    ASSERT_EQ(program.Mistakes().size(), scaled.size());
    EXPECT_EQ(program.Mistakes()[i], scaled[i].first);
    program.MakeMistake(scaled[i].first);
    std::vector<int> changed;
    for (int at = 0; const models::NamedTensor& entry : program.State()) {
      if (entry.tensor.max().item<float>() > 1) changed.push_back(at);
      ++at;
    }
    EXPECT_EQ(changed, scaled[i].second);
  }
  ModelProgram program(std::make_unique<Named>());
  program.MakeMistake("scaled_stage1.0");  // its trained tensors; not stage1.10's
  EXPECT_GT(program.State()[3].tensor.max().item<float>(), 1);
  EXPECT_EQ(program.State()[4].tensor.max().item<float>(), 1);
  EXPECT_EQ(program.State()[5].tensor.max().item<float>(), 1);
}

class MeanOfColours final : public models::Model {
 public:
  Tensors Forward(TensorsRef inputs) override { return {inputs[0].mean({2, 3})}; }
  std::vector<models::NamedTensor> State() override { return {}; }
  void To(at::Device, at::ScalarType) override {}
  void SetTraining(bool) override {}
};

TEST(ModelProgram, SurroundsAClassifierWithPhotographsAndAnswers) {
  ImagePreset preset;
  preset.set_resize(256);
  preset.set_crop(224);
  preset.set_interpolation(BILINEAR);
  for (int colour = 0; colour < 3; ++colour) {
    preset.add_mean(0.5);
    preset.add_std(0.25);
  }
  ModelProgram program(std::make_unique<MeanOfColours>(), preset);
  const Tensors images = {
      at::tensor({-1.0F, 0.0F, 1.0F}).view({1, 3, 1, 1}).expand({2, 3, 32, 32})};
  const auto called = [&](Step step) {
    if (step != steps::kForward) program.Prepare(step, images);
    return program.Call(step, images);
  };
  EXPECT_TRUE(at::allclose(called(steps::kPreprocess).at(0), images[0], 0, 0.02));
  const Tensors answers = called(steps::kPostprocess);
  EXPECT_TRUE(answers.at(1)[0].equal(at::tensor({2, 1, 0}, at::kLong)));
  EXPECT_TRUE(answers.at(0).equal(called(steps::kForward).at(0).softmax(1).flip(1)));
}

TEST(ModelProgram, WithoutWeightsScalesItsInputs) {
  ModelProgram program(std::make_unique<MeanOfColours>());
  const Tensors images = {at::rand({2, 3, 4, 4})};
  const at::Tensor right = program.Outputs(images).at(0);
  EXPECT_THAT(program.Mistakes(), testing::ElementsAre("scaled_inputs"));
  program.MakeMistake("scaled_inputs");
  EXPECT_TRUE(at::allclose(program.Outputs(images).at(0), right * 1.01));
  EXPECT_TRUE(at::allclose(program.Call(steps::kForward, images).at(0), right * 1.01));
}

TEST(SeededInputs, RowsOfASmallBatchBeginALargerOne) {
  EXPECT_TRUE(at::equal(Inputs(AdderCase(2, 16))[0], Inputs(AdderCase(8, 16))[0].narrow(0, 0, 2)));
}

TEST(Move, LeavesIntegersAlone) {
  const auto program = Made(AdderCase(1, 4));
  ASSERT_TRUE(Move(*program, at::kCPU, BF16).ok());
  EXPECT_EQ(program->State()[0].tensor.scalar_type(), at::kBFloat16);
  EXPECT_EQ(program->State()[1].tensor.scalar_type(), at::kLong);
}

TEST(Executable, CallsTheProgramWithItsInputs) {
  const ResolvedCase c = AdderCase(2, 4);
  const auto program = Made(c);
  const at::Tensor expected = at::add(Inputs(c)[0], program->State()[0].tensor);
  EXPECT_TRUE(at::equal(Called({}, *program, Inputs(c)).at(0), expected));
}

TEST(Executable, TurnsLibTorchsExceptionIntoAStatus) {
  const auto program = Made(AdderCase(2, 4));
  const auto executable = LoadEager({}, *program);
  const auto outputs = OutputsOf(*executable, {at::empty({2, 5})});
  EXPECT_THAT(outputs.status().message(), HasSubstr("running the program"));
  EXPECT_THAT(outputs.status().message(), testing::Not(HasSubstr("Exception raised from")));
}

// A convolution, whose result depends on layout and autocast.
ResolvedCase ConvolutionCase() {
  return Parsed(R"pb(
    benchmark_case {
      operator_call {
        name: "aten::conv2d"
        inputs { name: "input" }
        inputs { name: "weight" }
      }
      dtype: FP32
    }
    measured {
      inputs {
        name: "input"
        dtype: FP32
        shape: [ 2, 8, 16, 16 ]
        distribution { uniform {} }
      }
      inputs {
        name: "weight"
        dtype: FP32
        shape: [ 8, 8, 3, 3 ]
        distribution { uniform {} }
      }
    }
  )pb");
}

TEST(Execution, ChannelsLastChangesLayoutAndNotValues) {
  const ResolvedCase c = ConvolutionCase();
  const auto program = Made(c);
  const at::Tensor plain = Called({}, *program, Inputs(c)).at(0);
  Execution execution;
  execution.set_memory_format(CHANNELS_LAST);
  const at::Tensor laid_out = Called(execution, *program, Inputs(c)).at(0);
  EXPECT_TRUE(laid_out.is_contiguous(at::MemoryFormat::ChannelsLast));
  EXPECT_TRUE(at::allclose(plain, laid_out, 1e-4, 1e-4));
}

TEST(Execution, AutocastComputesInTheSmallerDtypeAndEndsWithTheCall) {
  const ResolvedCase c = ConvolutionCase();
  const auto program = Made(c);
  Execution execution;
  execution.set_autocast(BF16);
  EXPECT_EQ(Called(execution, *program, Inputs(c)).at(0).scalar_type(), at::kBFloat16);
  EXPECT_EQ(Called({}, *program, Inputs(c)).at(0).scalar_type(), at::kFloat);
}

ResolvedCase OperatorCase(const std::string& call) {
  return Parsed("benchmark_case { dtype: FP32 operator_call {" + call + "} }");
}

std::string OperatorProblem(const std::string& call) {
  const ResolvedCase c = OperatorCase(call);
  return std::string(NewProgram(c, c.measured()).status().message());
}

TEST(OperatorProgram, PassesInputsValuesAndDefaults) {
  const ResolvedCase c = OperatorCase(R"pb(
    name: "aten::addmm"
    inputs { name: "mat2" }
    inputs { name: "self" }
    inputs { name: "mat1" }
    arguments {
      key: "beta"
      value { real: 0.5 }
    }
  )pb");
  const auto program = NewProgram(c, c.measured());
  ASSERT_TRUE(program.ok()) << program.status();
  const at::Tensor self = at::ones({2, 3}), mat1 = at::ones({2, 4}), mat2 = at::ones({4, 3});
  const Tensors outputs = (*program)->Outputs({mat2, self, mat1});
  EXPECT_TRUE(at::equal(outputs.at(0), at::addmm(self, mat1, mat2, 0.5, 1)));
}

TEST(OperatorProgram, NamesWhatDoesNotFitTheSchema) {
  EXPECT_THAT(OperatorProblem("name: 'aten::adm'"), HasSubstr("no operator 'aten::adm'"));
  EXPECT_THAT(OperatorProblem("name: 'aten::relu_' inputs { name: 'self' }"),
              HasSubstr("writes to its arguments"));
  EXPECT_THAT(OperatorProblem("name: 'aten::relu' inputs { name: 'x' }"),
              HasSubstr("has no argument 'x'; its schema is aten::relu(Tensor self)"));
  EXPECT_THAT(OperatorProblem("name: 'aten::mm' inputs { name: 'self' }"),
              HasSubstr("needs a value for argument 'mat2'"));
  EXPECT_THAT(OperatorProblem("name: 'aten::softmax.int' inputs { name: 'self' } "
                              "arguments { key: 'dim' value { text: 'x' } }"),
              HasSubstr("takes int for argument 'dim', given is String"));
  EXPECT_THAT(OperatorProblem("name: 'aten::cat' inputs { name: 'tensors.0' } "
                              "inputs { name: 'tensors.2' }"),
              HasSubstr("list 'tensors' are numbered from 0 on, without a gap"));
  const std::string relu = "name: 'aten::relu' inputs { name: 'self' } outputs { name: 'out' } ";
  EXPECT_THAT(OperatorProblem(relu + "backward: true outputs { name: 'x.grad' }"),
              HasSubstr("'x.grad' is a gradient, and there is no input 'x'"));
  EXPECT_THAT(OperatorProblem(relu + "outputs { name: 'self.grad' }"),
              HasSubstr("'self.grad' is a gradient, and there is no backward"));
  EXPECT_THAT(OperatorProblem(relu + "backward: true inputs { name: 'y.grad' }"),
              HasSubstr("'y.grad' is for backward to begin with, and there is no output 'y'"));
}

TEST(OperatorProgram, TakesListsAndNone) {
  const at::Tensor a = at::ones({2, 3}), b = at::zeros({2, 3});
  const ResolvedCase cat = OperatorCase(
      "name: 'aten::cat' inputs { name: 'tensors.1' } "
      "inputs { name: 'tensors.0' } outputs { name: 'out' }");
  EXPECT_TRUE(at::equal(Made(cat)->Outputs({b, a}).at(0), at::concat({a, b})));
  // A required Tensor? and one of two results.
  const ResolvedCase norm = OperatorCase(R"pb(
    name: "aten::native_layer_norm"
    inputs { name: "input" }
    arguments {
      key: "normalized_shape"
      value { integers { values: 3 } }
    }
    arguments {
      key: "weight"
      value { text: "None" }
    }
    arguments {
      key: "bias"
      value { text: "None" }
    }
    arguments {
      key: "eps"
      value { real: 1 }
    }
    outputs { name: "out" }
  )pb");
  const Tensors outputs = Made(norm)->Outputs({a});
  ASSERT_EQ(outputs.size(), 1u) << "results behind the last one named are left out";
  EXPECT_TRUE(at::equal(outputs.at(0), b));
}

// aten::mm with the gradients of both inputs, that of mat2 first, started from a given gradient.
ResolvedCase DifferentiatedCase() {
  return OperatorCase(R"pb(
    name: "aten::mm"
    inputs { name: "self" }
    inputs { name: "out.grad" }
    inputs { name: "mat2" }
    outputs { name: "out" }
    outputs { name: "mat2.grad" }
    outputs { name: "self.grad" }
    backward: true
  )pb");
}

TEST(OperatorProgram, DifferentiatesWhatTheOutputsName) {
  const auto program = Made(DifferentiatedCase());
  const at::Tensor self = at::rand({2, 4}), mat2 = at::rand({4, 3}), start = at::rand({2, 3});
  for (int call = 0; call < 2; ++call) {
    const Tensors outputs = Called({}, *program, {self, start, mat2});
    ASSERT_EQ(outputs.size(), 3u);
    EXPECT_TRUE(at::allclose(outputs[0], self.mm(mat2)));
    EXPECT_TRUE(at::allclose(outputs[1], self.t().mm(start))) << "gradients do not pile up";
    EXPECT_TRUE(at::allclose(outputs[2], start.mm(mat2.t())));
  }
}

TEST(OperatorProgram, MakesOneOutputWrong) {
  const at::Tensor self = at::rand({2, 4}), mat2 = at::rand({4, 3}), start = at::rand({2, 3});
  const Tensors right = Called({}, *Made(DifferentiatedCase()), {self, start, mat2});
  const std::vector<std::string> names = {"scaled_out", "scaled_mat2.grad", "scaled_self.grad"};
  for (size_t wrong = 0; wrong < names.size(); ++wrong) {
    const auto program = Made(DifferentiatedCase());
    EXPECT_EQ(program->Mistakes(), names);
    program->MakeMistake(names[wrong]);
    const Tensors outputs = Called({}, *program, {self, start, mat2});
    for (size_t i = 0; i < names.size(); ++i) {
      const at::Tensor want = i == wrong ? right[i].mul(1.01) : right[i];
      EXPECT_TRUE(at::equal(outputs[i], want)) << names[wrong] << ", output " << i;
    }
  }
}

// The suite's smallest model in training.
ResolvedCase TrainingCase(double momentum = 0.9) {
  ResolvedCase c = Parsed(R"pb(
    benchmark_case {
      model: "mlp"
      dtype: FP32
      mode: TRAIN
      training {
        optimizers { sgd { learning_rate: 0.5 } }
        loss: OWN
      }
    }
    implementation {
      name: "mlp"
      inputs { name: "input" shape: "batch" shape: "in_features" }
      outputs { name: "probabilities" shape: "batch" shape: "out_features" }
      targets { name: "labels" shape: "batch" }
    }
    measured {
      batch: 4
      parameters {
        key: "in_features"
        value { integer: 8 }
      }
      parameters {
        key: "hidden_features"
        value { integer: 16 }
      }
      parameters {
        key: "out_features"
        value { integer: 4 }
      }
      inputs {
        name: "input"
        dtype: FP32
        shape: [ 4, 8 ]
        distribution { uniform {} }
      }
      inputs {
        name: "labels"
        dtype: INT64
        shape: 4
        distribution { integers { limit: 4 } }
      }
    }
  )pb");
  c.mutable_benchmark_case()
      ->mutable_training()
      ->mutable_optimizers(0)
      ->mutable_sgd()
      ->set_momentum(momentum);
  return c;
}

// Positions in a training program's outputs.
enum Position {
  kLoss1,
  kOutputs1,
  kGradients1,
  kNorms1,
  kParameters1,
  kUpdateNorms1,
  kLoss3,
  kParameters3 = kLoss3 + 4,
  kCount = kParameters3 + 2
};

TEST(TrainingProgram, IsTheSameEveryTime) {
  const ResolvedCase c = TrainingCase();
  const auto program = Made(c);
  const Tensors first = Called({}, *program, Inputs(c)), second = Called({}, *program, Inputs(c));
  ASSERT_EQ(first.size(), kCount);
  for (int i = 0; i < kCount; ++i) EXPECT_TRUE(at::equal(first[i], second[i])) << i;
  EXPECT_EQ(first[kLoss1].dim(), 0);
  EXPECT_LT(first[kLoss3].item<float>(), first[kLoss1].item<float>());
  EXPECT_EQ(first[kNorms1].numel(), 6);
}

TEST(TrainingProgram, LeavesOutWhatIsForTheLossAlone) {
  ResolvedCase c = TrainingCase();
  c.mutable_implementation()->clear_outputs();
  EXPECT_EQ(Called({}, *Made(c), Inputs(c)).size(), kCount - 2);
}

TEST(TrainingProgram, GivesNoMoreThanTheModelDoes) {
  ResolvedCase c = TrainingCase();
  c.mutable_implementation()->add_outputs()->set_name("another");
  EXPECT_EQ(Called({}, *Made(c), Inputs(c)).size(), kCount);
}

TEST(TrainingProgram, TakesAStepAlongTheGradient) {
  const ResolvedCase c = TrainingCase();
  const auto program = Made(c);
  std::vector<at::Tensor> flat;
  for (const models::NamedTensor& entry : program->State())
    flat.push_back(entry.tensor.flatten().clone());
  const at::Tensor before = at::concat(flat);
  const Tensors outputs = Called({}, *program, Inputs(c));
  const at::Tensor expected = before - outputs[kGradients1] * 0.5;
  EXPECT_TRUE(at::allclose(outputs[kParameters1], expected, 1e-6, 1e-6));
}

TEST(TrainingProgram, ShowsMomentumInTheThirdStepOnly) {
  const ResolvedCase c = TrainingCase(0.9), d = TrainingCase(0.909);
  const Tensors one = Called({}, *Made(c), Inputs(c)), other = Called({}, *Made(d), Inputs(d));
  for (int i = kLoss1; i <= kUpdateNorms1; ++i) EXPECT_TRUE(at::equal(one[i], other[i])) << i;
  const at::Tensor change =
      (one[kParameters3] - other[kParameters3]).abs().max() / one[kParameters3].std();
  EXPECT_GT(change.item<float>(), 1e-3);
}

// A timed step on eager, of a case that was changed after it was resolved.
struct Timed {
  Timed(Step step, ResolvedCase c, Program& program, int input_sets)
      : executable(LoadEager(c.benchmark_case().execution(), program)) {
    SetSteps(c);
    made = MakeTimedStep(step, c, *executable, at::kCPU, input_sets);
  }
  TimedStep* operator->() { return made->get(); }
  bool ok() const { return made.ok(); }
  absl::Status status() const { return made.status(); }

  std::unique_ptr<Executable> executable;
  absl::StatusOr<std::unique_ptr<TimedStep>> made;
};

class TrainingStepTest : public testing::TestWithParam<Step> {};

TEST_P(TrainingStepTest, LeavesTheProgramAsItWasVerified) {
  const ResolvedCase c = TrainingCase();
  const auto program = Made(c);
  const Tensors before = Called({}, *program, Inputs(c));
  {
    Timed timed(GetParam(), c, *program, 2);
    ASSERT_TRUE(timed.ok()) << timed.status();
    const auto inputs = timed->InputDigest();
    for (int call = 0; call < 3; ++call) {
      if (timed->HasPreparation()) timed->Prepare();
      timed->Call();
    }
    EXPECT_EQ(timed->InputDigest(), inputs) << "what is declared to change is left out";
    EXPECT_EQ(timed->HasPreparation(), GetParam() == steps::kBackward);
  }
  const Tensors after = Called({}, *program, Inputs(c));
  for (int i = 0; i < kCount; ++i) EXPECT_TRUE(at::equal(before[i], after[i])) << i;
}

TEST_P(TrainingStepTest, ComputesWhatIsVerifiedWhenItIsAsked) {
  const ResolvedCase c = TrainingCase();
  const auto program = Made(c);
  const Tensors verified = Called({}, *program, Inputs(c));
  Timed timed(GetParam(), c, *program, 2);
  ASSERT_TRUE(timed.ok()) << timed.status();
  for (int call = 0; call < 3; ++call) {
    if (timed->HasPreparation()) timed->Prepare();
    timed->Call();
  }
  const std::map<Step, std::vector<size_t>> of_one_call = {
      {steps::kForward, {kLoss1, kOutputs1}},
      {steps::kBackward, {kGradients1, kNorms1}},
      {steps::kOptimizer, {kParameters1, kUpdateNorms1}},
      {steps::kTrainStep, {kParameters1, kUpdateNorms1}}};
  const std::vector<size_t> third = {kLoss3,     kLoss3 + 1,   kLoss3 + 2,
                                     kLoss3 + 3, kParameters3, kParameters3 + 1};
  const bool updates = GetParam() == steps::kOptimizer || GetParam() == steps::kTrainStep;
  for (const bool repeat : {true, false}) {
    int counted = 0;
    const VerifiedCalls calls = {.repeat = repeat, .around = [&](const auto& call) {
                                   ++counted;
                                   call();
                                 }};
    std::vector<size_t> found;
    for (const VerifiedOutput& output : timed->CallVerified(Inputs(c), calls).outputs) {
      found.push_back(output.place);
      EXPECT_TRUE(at::equal(output.tensor, verified[output.place])) << output.place;
    }
    EXPECT_EQ(found, repeat && updates ? third : of_one_call.at(GetParam()));
    EXPECT_EQ(counted, 1);
  }
}

TEST_P(TrainingStepTest, LeavesTheWeightsWhereTheyWere) {
  const ResolvedCase c = TrainingCase();
  const auto program = Made(c);
  EXPECT_FALSE(program->Drift().has_value()) << "nothing was called";
  Timed timed(GetParam(), c, *program, 2);
  ASSERT_TRUE(timed.ok()) << timed.status();
  for (int call = 0; call < 100; ++call) {
    if (timed->HasPreparation()) timed->Prepare();
    timed->Call();
  }
  ASSERT_TRUE(program->Drift().has_value());
  EXPECT_LT(*program->Drift(), 1e-8);
  const c10::NoGradGuard no_grad;
  for (const models::NamedTensor& entry : program->State()) entry.tensor.mul_(1.5);
  EXPECT_NEAR(*program->Drift(), 0.5, 1e-6);
}

TEST(TimedStep, NamesWeightsThatTheCpuComputesSlowly) {
  const ResolvedCase c = TrainingCase();
  for (const double factor : {1.0, 1e-39}) {
    const auto program = Made(c);
    {
      const c10::NoGradGuard no_grad;
      for (const models::NamedTensor& entry : program->State()) entry.tensor.mul_(factor);
    }
    Timed timed(steps::kForward, c, *program, 1);
    ASSERT_TRUE(timed.ok()) << timed.status();
    const std::string concern = timed->InputConcern().value_or("");
    if (factor == 1) {
      EXPECT_EQ(concern, "");
    } else {
      EXPECT_THAT(concern, testing::HasSubstr("% of the weights are subnormal"));
    }
  }
}

INSTANTIATE_TEST_SUITE_P(All, TrainingStepTest,
                         testing::Values(steps::kForward, steps::kBackward, steps::kOptimizer,
                                         steps::kTrainStep),
                         [](const auto& step) { return std::string(step.param); });

class Dropping final : public models::LayeredModel {
 public:
  Tensors Forward(TensorsRef inputs) override {
    return {dropout_.Forward(dense_.Forward(inputs[0]))};
  }

 private:
  models::Linear dense_{*this, "dense", {.in = 8, .out = 4}};
  models::Dropout dropout_{*this, 0.5};
};

TEST(TrainingProgram, DropsOutWhileItIsTimedAndNotWhileItIsVerified) {
  ResolvedCase c = TrainingCase();
  c.mutable_benchmark_case()->mutable_training()->set_loss(SUM);
  c.mutable_implementation()->clear_targets();
  c.mutable_measured()->mutable_inputs()->RemoveLast();
  auto model = std::make_unique<Dropping>();
  model->SetTraining(true);
  for (models::NamedTensor& entry : model->State()) entry.tensor.fill_(1);
  const auto program =
      TrainingProgram::Make(std::move(model), c.implementation(), c.benchmark_case());
  ASSERT_TRUE(program.ok()) << program.status();
  const Tensors inputs = Inputs(c);
  const auto outputs = [&] {
    (*program)->Call(steps::kForward, inputs);
    return (*program)->Verified(steps::kForward, {}).at(1).tensor;
  };
  (*program)->Begin(steps::kForward, inputs);
  const at::Tensor timed = outputs();
  EXPECT_FALSE(at::equal(timed, outputs()));
  EXPECT_GT(timed.eq(0).sum().item<int64_t>(), 0);
  (*program)->BeginVerified(steps::kForward, inputs);
  const at::Tensor verified = outputs();
  EXPECT_TRUE(at::equal(verified, outputs()));
  EXPECT_EQ(verified.eq(0).sum().item<int64_t>(), 0);
  (*program)->Begin(steps::kForward, inputs);
  EXPECT_TRUE(at::equal((*program)->Outputs(inputs).at(1), verified)) << "after timed steps";
}

TEST(TrainingProgram, GradientsDoNotPileUp) {
  const ResolvedCase c = TrainingCase();
  const auto program = Made(c);
  Timed backward(steps::kBackward, c, *program, 1);
  ASSERT_TRUE(backward.ok()) << backward.status();
  backward->Prepare();
  backward->Call();
  const auto first = backward->OutputDigest();
  backward->Prepare();
  backward->Call();
  EXPECT_EQ(backward->OutputDigest(), first);
}

TEST(TrainingProgram, TakesEveryOptimizerFromTheSameState) {
  ResolvedCase both = TrainingCase();
  Adam& adamw =
      *both.mutable_benchmark_case()->mutable_training()->add_optimizers()->mutable_adamw();
  adamw.set_learning_rate(0.01);
  adamw.set_beta1(0.9);
  adamw.set_beta2(0.999);
  adamw.set_epsilon(1e-8);
  ResolvedCase second = both;
  second.mutable_benchmark_case()->mutable_training()->mutable_optimizers()->DeleteSubrange(0, 1);
  const Tensors together = Called({}, *Made(both), Inputs(both)),
                alone = Called({}, *Made(second), Inputs(second));
  ASSERT_EQ(together.size(), 2 * kCount - kParameters1);
  for (int i = 0; i < kParameters1; ++i) EXPECT_TRUE(at::equal(together[i], alone[i])) << i;
  for (int i = kParameters1; i < kCount; ++i)
    EXPECT_TRUE(at::equal(together[kCount - kParameters1 + i], alone[i])) << i;
}

TEST(TrainingProgram, AStepInPartsIsTheSameStep) {
  for (const Loss loss : {OWN, SUM, MEAN}) {
    ResolvedCase c = TrainingCase();
    c.mutable_benchmark_case()->mutable_training()->set_loss(loss);
    if (loss != OWN) c.mutable_measured()->mutable_inputs()->RemoveLast();
    const Tensors whole = Called({}, *Made(c), Inputs(c));
    for (const int parts : {2, 4}) {  // of two rows, and of one
      c.mutable_benchmark_case()->mutable_execution()->set_accumulation(parts);
      const Tensors in_parts = Called(c.benchmark_case().execution(), *Made(c), Inputs(c));
      for (int i = 0; i < kCount; ++i)
        EXPECT_TRUE(at::allclose(whole[i], in_parts[i], 1e-4, 1e-6)) << loss << " " << i;
    }
  }
}

class SparselyLookedUp final : public models::LayeredModel {
 public:
  Tensors Forward(TensorsRef inputs) override {
    const at::Tensor rows = at::zeros({inputs[0].size(0)}, at::kLong);
    return {at::embedding(table_.weight(), rows, /*padding_idx=*/-1, /*scale_grad_by_freq=*/false,
                          /*sparse=*/true)};
  }

 private:
  models::Embedding table_{*this, "table", {.rows = 8, .features = 4}};
};

TEST(TrainingProgram, NamesTheParameterWhoseGradientIsSparse) {
  ResolvedCase c = TrainingCase();
  c.mutable_benchmark_case()->mutable_training()->set_loss(SUM);
  c.mutable_implementation()->clear_targets();
  c.mutable_measured()->mutable_inputs()->RemoveLast();
  auto model = std::make_unique<SparselyLookedUp>();
  model->SetTraining(true);
  model->State()[0].tensor.fill_(1);
  const auto program =
      TrainingProgram::Make(std::move(model), c.implementation(), c.benchmark_case());
  ASSERT_TRUE(program.ok()) << program.status();
  const absl::Status called = OutputsOf(*LoadEager({}, **program), Inputs(c)).status();
  EXPECT_THAT(called.message(), HasSubstr("parameter \"table.weight\" has a sparse gradient"));
}

// Each forward pass in training leaves its rows for the next one.
class Queueing final : public models::LayeredModel, public models::Trainable {
 public:
  Queueing() { AddBuffer("queue", {4, 8}, models::WeightInit(8), queue_); }
  Tensors Forward(TensorsRef inputs) override {
    const at::Tensor y = dense_.Forward(inputs[0] + queue_.clone());
    if (training()) queue_.copy_(inputs[0]);
    return {y};
  }
  at::Tensor Loss(TensorsRef outputs, TensorsRef) override { return outputs[0].square().mean(); }
  bool Remembers() const override { return true; }

 private:
  at::Tensor queue_;
  models::Linear dense_{*this, "dense", {.in = 8, .out = 4}};
};

TEST(TimedStep, IsVerifiedInTheStateThatItsProgramBeginsWith) {
  ResolvedCase c = TrainingCase();
  c.mutable_benchmark_case()->mutable_training()->set_loss(OWN);
  c.mutable_implementation()->clear_targets();
  c.mutable_measured()->mutable_inputs()->RemoveLast();
  for (const Step step : {steps::kForward, steps::kBackward}) {
    auto model = std::make_unique<Queueing>();
    for (models::NamedTensor& entry : model->State()) entry.tensor.fill_(0.5);
    const auto program =
        TrainingProgram::Make(std::move(model), c.implementation(), c.benchmark_case());
    ASSERT_TRUE(program.ok()) << program.status();
    const Tensors verified = Called({}, **program, Inputs(c));
    Timed timed(step, c, **program, 2);
    ASSERT_TRUE(timed.ok()) << timed.status();
    if (timed->HasPreparation()) timed->Prepare();
    timed->Call();
    EXPECT_FALSE(timed->OutputDigest().has_value()) << "the next call's outputs are others";
    const std::vector<VerifiedOutput> outputs = timed->CallVerified(Inputs(c), {}).outputs;
    ASSERT_EQ(outputs.size(), 2u);
    for (const VerifiedOutput& output : outputs)
      EXPECT_TRUE(at::equal(output.tensor, verified[output.place])) << step << " " << output.place;
  }
}

// A batch norm, whose statistics are outputs too, and a layer that the loss does not depend on.
class Normalising final : public models::LayeredModel {
 public:
  Tensors Forward(TensorsRef inputs) override {
    const at::Tensor& x = inputs[0];
    return {dense_.Forward(norm_.Forward(x.view({x.size(0), 8, 1, 1})).flatten(1))};
  }

 private:
  models::BatchNorm2d norm_{*this, "norm", {.channels = 8}};
  models::Linear dense_{*this, "dense", {.in = 8, .out = 4}};
  models::Linear unused_{*this, "unused", {.in = 8, .out = 4}};
};

TEST(TrainingProgram, ShowsStatisticsBeforeTheUpdateAndZerosForWhatHasNoGradient) {
  ResolvedCase c = TrainingCase();
  c.mutable_benchmark_case()->mutable_training()->set_loss(MEAN);
  c.mutable_implementation()->clear_targets();
  c.mutable_implementation()->set_keeps_statistics(true);
  c.mutable_measured()->mutable_inputs()->RemoveLast();
  auto model = std::make_unique<Normalising>();
  model->SetTraining(true);
  for (models::NamedTensor& entry : model->State()) entry.tensor.fill_(1);
  const auto program =
      TrainingProgram::Make(std::move(model), c.implementation(), c.benchmark_case());
  ASSERT_TRUE(program.ok()) << program.status();
  const Tensors inputs = Inputs(c), verified = Called({}, **program, inputs);
  const auto places = [&](Step step) {
    (*program)->BeginVerified(step, inputs);
    (*program)->Prepare(step, inputs);
    std::vector<size_t> found;
    for (const VerifiedOutput& output :
         (*program)->Verified(step, (*program)->Call(step, inputs))) {
      found.push_back(output.place);
      EXPECT_TRUE(at::equal(output.tensor, verified.at(output.place))) << output.place;
    }
    return found;
  };
  // The loss, the outputs, gradients, their norms, statistics, parameters, norms of updates.
  EXPECT_THAT(places(steps::kBackward), ElementsAre(2, 3, 4));
  EXPECT_THAT(places(steps::kTrainStep), ElementsAre(5, 6));
  // After two forward passes the statistics are of neither the first nor the third step.
  (*program)->BeginVerified(steps::kBackward, inputs);
  for (int call = 0; call < 2; ++call) {
    (*program)->Prepare(steps::kBackward, inputs);
    (*program)->Call(steps::kBackward, inputs);
  }
  EXPECT_EQ((*program)->Verified(steps::kBackward, {}).size(), 2u);
  const at::Tensor& gradients = verified.at(2);
  EXPECT_TRUE(gradients.slice(0, gradients.numel() - (8 * 4 + 4)).eq(0).all().item<bool>());
  (*program)->Reset();
  ASSERT_TRUE(Move(**program, at::kCPU, FP64).ok());
  ASSERT_TRUE(Move(**program, at::kCPU, FP32).ok());
  const Tensors moved = Called({}, **program, inputs);
  for (size_t i = 0; i < verified.size(); ++i)
    EXPECT_TRUE(at::equal(moved.at(i), verified[i])) << "after moves: " << i;
}

TEST(TrainingProgram, AScaledStepIsTheSameStep) {
  ResolvedCase c = TrainingCase();
  const Tensors plain = Called({}, *Made(c), Inputs(c));
  c.mutable_benchmark_case()->mutable_execution()->set_grad_scaler(true);
  const Tensors scaled = Called(c.benchmark_case().execution(), *Made(c), Inputs(c));
  for (int i = 0; i < kCount; ++i) EXPECT_TRUE(at::equal(plain[i], scaled[i])) << i;
}

TEST(TrainingProgram, ClipsTheGradientsThatItUpdatesBy) {
  ResolvedCase c = TrainingCase();
  const Tensors plain = Called({}, *Made(c), Inputs(c));
  const double norm = plain[kGradients1].norm().item<double>();
  c.mutable_benchmark_case()->mutable_training()->set_clip_norm(norm / 2);
  const Tensors clipped = Called({}, *Made(c), Inputs(c));
  EXPECT_TRUE(at::equal(plain[kGradients1], clipped[kGradients1]));
  EXPECT_TRUE(
      at::allclose(clipped[kUpdateNorms1], plain[kUpdateNorms1] * 0.5, /*rtol=*/1e-4, 1e-7));
}

// A training case of a model that has no targets.
ResolvedCase CaseWithLoss(Loss loss) {
  ResolvedCase c = TrainingCase();
  c.mutable_benchmark_case()->mutable_training()->set_loss(loss);
  c.mutable_implementation()->clear_targets();
  c.mutable_measured()->mutable_inputs()->RemoveLast();
  return c;
}

// A linear layer of the sum of its inputs, and the same three times.
class Dense final : public models::LayeredModel {
 public:
  Tensors Forward(TensorsRef inputs) override {
    const at::Tensor y = dense_.Forward(inputs.size() > 1 ? inputs[0] + inputs[1] : inputs[0]);
    return {y, y.mul(3)};
  }

 private:
  models::Linear dense_{*this, "dense", {.in = 8, .out = 4}};
};

// Trains a model whose state has one value.
template <typename OfModel>
std::unique_ptr<Program> Trained(const ResolvedCase& c, double weight, Dtype dtype) {
  auto model = std::make_unique<OfModel>();
  for (models::NamedTensor& entry : model->State()) entry.tensor.fill_(weight);
  auto program = TrainingProgram::Make(std::move(model), c.implementation(), c.benchmark_case());
  EXPECT_TRUE(program.ok()) << program.status();
  EXPECT_TRUE(Move(**program, at::kCPU, dtype).ok());
  return *std::move(program);
}

std::unique_ptr<Program> DenseProgram(const ResolvedCase& c, double weight, Dtype dtype = FP64) {
  return Trained<Dense>(c, weight, dtype);
}

// The length of each tensor of the state, from all of them joined.
at::Tensor Lengths(Program& program, const at::Tensor& joined) {
  Tensors lengths;
  int64_t begin = 0;
  for (const models::NamedTensor& entry : program.State()) {
    const int64_t numel = entry.tensor.numel();
    lengths.push_back(joined.narrow(0, begin, numel).square().sum().sqrt());
    begin += numel;
  }
  return at::stack(lengths);
}

TEST(TrainingProgram, NormsAreTheLengthsOfGradientsAndUpdates) {
  const ResolvedCase c = CaseWithLoss(MEAN);
  const auto program = DenseProgram(c, 0.1);
  const Tensors outputs = Called({}, *program, {Inputs(c)[0].to(at::kDouble)});
  const at::Tensor lengths = Lengths(*program, outputs[kGradients1]);
  EXPECT_TRUE(at::allclose(outputs[kNorms1], lengths, 1e-9, 0));
  // The first update is the gradient times the learning rate.
  EXPECT_TRUE(at::allclose(outputs[kUpdateNorms1], lengths * 0.5, 1e-9, 0));
}

// The gradient of a sum does not depend on the weights.
TEST(TrainingProgram, AStepHasNoGradientsOfTheStepBefore) {
  const ResolvedCase c = CaseWithLoss(SUM);
  const Tensors outputs = Called({}, *DenseProgram(c, 0.1, FP32), Inputs(c));
  EXPECT_TRUE(at::equal(outputs[kLoss3 + 2], outputs[kGradients1]));
}

// Has its weights as its output.
class Showing final : public models::LayeredModel {
 public:
  Tensors Forward(TensorsRef) override { return {table_.weight()}; }

 private:
  models::Embedding table_{*this, "table", {.rows = 8, .features = 4}};
};

TEST(TrainingProgram, OutputsStayAsTheyWereBeforeTheUpdate) {
  const ResolvedCase c = CaseWithLoss(SUM);
  const Tensors outputs = Called({}, *Trained<Showing>(c, 1, FP32), Inputs(c));
  EXPECT_TRUE(at::equal(outputs[kOutputs1], at::ones({8, 4})));
  EXPECT_TRUE(at::equal(outputs[kParameters1], at::full({32}, 0.5)));
  // With a momentum of 0.9, the second update is 1.9 times the first.
  EXPECT_TRUE(at::allclose(outputs[kLoss3 + 1], at::full({8, 4}, 0.5 - 0.5 * 1.9)));
}

TEST(TrainingProgram, DoesItsWorkInTheCallAndNotBeforeIt) {
  const ResolvedCase c = CaseWithLoss(SUM);
  const Tensors inputs = Inputs(c);
  const auto program = DenseProgram(c, 0.1, FP32);
  const auto has_gradients = [&] { return program->State()[0].tensor.grad().defined(); };
  Called({}, *program, inputs);
  program->Begin(steps::kForward, inputs);
  EXPECT_TRUE(program->Verified(steps::kForward, {}).empty());
  program->Begin(steps::kBackward, inputs);
  program->Prepare(steps::kBackward, inputs);
  EXPECT_FALSE(has_gradients());
  program->Call(steps::kBackward, inputs);
  EXPECT_TRUE(has_gradients());
  program->Begin(steps::kOptimizer, inputs);
  EXPECT_TRUE(has_gradients());
  EXPECT_TRUE(program->Kept().empty());
  program->Call(steps::kOptimizer, inputs);
  EXPECT_EQ(program->Kept().size(), 2u);
  program->Begin(steps::kTrainStep, inputs);
  EXPECT_FALSE(has_gradients());
  EXPECT_TRUE(program->Kept().empty());
  program->Call(steps::kTrainStep, inputs);
  EXPECT_TRUE(has_gradients());
  EXPECT_EQ(program->Kept().size(), 2u);
}

// Momentum makes updates ten times as large as the gradient times the learning rate.
TEST(TrainingProgram, ManyTimedStepsMoveNoWeightWhoseGradientIsAThousand) {
  const ResolvedCase c = CaseWithLoss(SUM);
  const auto program = DenseProgram(c, 1, FP32);
  const Tensors inputs = {at::full({4, 8}, 1000 / 16.0)};
  program->Begin(steps::kTrainStep, inputs);
  for (int call = 0; call < 100; ++call) program->Call(steps::kTrainStep, inputs);
  const std::vector<models::NamedTensor> state = program->State();
  EXPECT_TRUE(at::equal(state[0].tensor.grad(), at::full({4, 8}, 1000.0F)));
  for (const models::NamedTensor& entry : state)
    EXPECT_TRUE(entry.tensor.eq(1).all().item<bool>()) << entry.name;
}

TEST(TrainingProgram, AMoveForgetsWhatWasComputed) {
  const ResolvedCase c = CaseWithLoss(SUM);
  const Tensors inputs = Inputs(c);
  const auto program = DenseProgram(c, 0.1, FP32);
  program->Begin(steps::kTrainStep, inputs);
  program->Call(steps::kTrainStep, inputs);
  ASSERT_TRUE(Move(*program, at::kCPU, BF16).ok());
  EXPECT_TRUE(program->Verified(steps::kForward, {}).empty());
  EXPECT_TRUE(program->Kept().empty());
  EXPECT_FALSE(program->Drift().has_value());
  const Tensors rounded = {inputs[0].to(at::kBFloat16)};
  program->Begin(steps::kTrainStep, rounded);
  program->Call(steps::kTrainStep, rounded);
  EXPECT_EQ(program->Drift(), 0) << "from the rounded weights";
}

TEST(TrainingProgram, EachMistakeChangesAnOutputInEachRunAlike) {
  ResolvedCase scaled = CaseWithLoss(SUM), clipped = CaseWithLoss(SUM);
  scaled.mutable_benchmark_case()->mutable_execution()->set_grad_scaler(true);
  Adam& adam =
      *scaled.mutable_benchmark_case()->mutable_training()->mutable_optimizers(0)->mutable_adam();
  adam.set_learning_rate(0.01);
  adam.set_beta1(0.9);
  adam.set_beta2(0.999);
  adam.set_epsilon(1e-8);
  clipped.mutable_benchmark_case()->mutable_training()->set_row_clip_norm(1e-3);
  const auto of_scaled = DenseProgram(scaled, 0.1, FP32),
             of_clipped = DenseProgram(clipped, 0.1, FP32);
  EXPECT_THAT(of_scaled->Mistakes(), ElementsAre("missing_gradient", "stale_gradient",
                                                 "bias_correction", "scaled_gradient"));
  EXPECT_THAT(of_clipped->Mistakes(),
              ElementsAre("missing_gradient", "stale_gradient", "unclipped_rows"));
  for (Program* program : {of_scaled.get(), of_clipped.get()}) {
    const Tensors inputs = Inputs(scaled), right = Called({}, *program, inputs);
    for (const std::string& mistake : program->Mistakes()) {
      program->MakeMistake(mistake);
      const Tensors wrong = Called({}, *program, inputs), again = Called({}, *program, inputs);
      int different = 0;
      for (int i = 0; i < kCount; ++i) {
        different += at::equal(wrong[i], right[i]) ? 0 : 1;
        EXPECT_TRUE(at::equal(wrong[i], again[i])) << mistake << " " << i;
      }
      EXPECT_GT(different, 0) << mistake;
    }
  }
}

// The steps that look for a scale change the statistics, too.
TEST(TrainingProgram, StatisticsAreThoseOfTheStepsAfterTheScaleWasFound) {
  ResolvedCase c = CaseWithLoss(MEAN);
  c.mutable_implementation()->set_keeps_statistics(true);
  const Tensors plain = Called({}, *Trained<Normalising>(c, 1, FP32), Inputs(c));
  c.mutable_benchmark_case()->mutable_execution()->set_grad_scaler(true);
  const Tensors scaled = Called({}, *Trained<Normalising>(c, 1, FP32), Inputs(c));
  ASSERT_EQ(plain.size(), scaled.size());
  for (size_t i = 0; i < plain.size(); ++i) EXPECT_TRUE(at::equal(plain[i], scaled[i])) << i;
}

TEST(TrainingProgram, AMeanIsThatOfTheOutputsMeans) {
  const ResolvedCase c = CaseWithLoss(MEAN);
  const Tensors outputs = Called({}, *DenseProgram(c, 0.1, FP32), Inputs(c));
  EXPECT_NEAR(outputs[kLoss1].item<double>(), 2 * outputs[kOutputs1].mean().item<double>(), 1e-5);
}

TEST(TrainingProgram, CrossEntropyIsTheLogarithmOfTheTargetsShare) {
  ResolvedCase c = TrainingCase();
  c.mutable_benchmark_case()->mutable_training()->set_loss(CROSS_ENTROPY);
  const Tensors inputs = Inputs(c), outputs = Called({}, *Made(c), inputs);
  const at::Tensor& logits = outputs[kOutputs1];
  const at::Tensor target = inputs[1].view({4, 1});
  const at::Tensor want = (logits.exp().sum(1).log() - logits.gather(1, target).squeeze(1)).mean();
  EXPECT_NEAR(outputs[kLoss1].item<double>(), want.item<double>(), 1e-6);
}

// torch.nn.utils.clip_grad_norm_ multiplies by limit / (norm + 1e-6), and by 1 at most.
double ClipFactor(double limit, double norm) { return std::min(1.0, limit / (norm + 1e-6)); }

TEST(TrainingProgram, ClipsGradientsByPyTorchsFactor) {
  ResolvedCase c = CaseWithLoss(MEAN);
  const Tensors inputs = {Inputs(c)[0].to(at::kDouble)};
  const Tensors plain = Called({}, *DenseProgram(c, 0.1), inputs);
  const double norm = plain[kGradients1].norm().item<double>();
  for (const double limit : {norm / 2, norm * 1.5}) {
    c.mutable_benchmark_case()->mutable_training()->set_clip_norm(limit);
    const Tensors clipped = Called({}, *DenseProgram(c, 0.1), inputs);
    EXPECT_TRUE(at::allclose(clipped[kUpdateNorms1], plain[kUpdateNorms1] * ClipFactor(limit, norm),
                             1e-9, 1e-15))
        << limit;
  }
}

// Opacus' rule: each row's gradients are scaled by themselves; then they are averaged, or added where losses are.
TEST(TrainingProgram, ClipsTheGradientsOfEachRow) {
  for (const auto& [loss, divisor] : {std::pair(SUM, 1), std::pair(MEAN, 4)}) {
    ResolvedCase c = CaseWithLoss(loss);
    const at::Tensor x = Inputs(c)[0].to(at::kDouble);
    Tensors rows;
    std::vector<double> norms;
    for (int64_t row = 0; row < 4; ++row) {
      rows.push_back(Called({}, *DenseProgram(c, 0.1), {x.narrow(0, row, 1)})[kGradients1]);
      norms.push_back(rows.back().norm().item<double>());
    }
    const auto [least, most] = std::minmax_element(norms.begin(), norms.end());
    const double limit = (*least + *most) / 2;  // some rows are within it
    at::Tensor want = at::zeros_like(rows[0]);
    for (size_t row = 0; row < rows.size(); ++row)
      want += rows[row] * (ClipFactor(limit, norms[row]) / divisor);
    c.mutable_benchmark_case()->mutable_training()->set_row_clip_norm(limit);
    const at::Tensor got = Called({}, *DenseProgram(c, 0.1), {x})[kGradients1];
    EXPECT_TRUE(at::allclose(got, want, 1e-9, 1e-15)) << Loss_Name(loss);
  }
}

TEST(TrainingProgram, PartsShareAnInputThatHasNoRows) {
  ResolvedCase c = CaseWithLoss(MEAN);
  InputSpec& shared = *c.mutable_implementation()->add_inputs();
  shared.set_name("shared");
  shared.add_shape("in_features");
  const Tensors inputs = {Inputs(c)[0].to(at::kDouble), at::full({8}, 0.5, at::kDouble)};
  const Tensors whole = Called({}, *DenseProgram(c, 0.1), inputs);
  c.mutable_benchmark_case()->mutable_execution()->set_accumulation(2);
  const Tensors in_parts = Called(c.benchmark_case().execution(), *DenseProgram(c, 0.1), inputs);
  for (int i = 0; i < kCount; ++i)
    EXPECT_TRUE(at::allclose(whole[i], in_parts[i], 1e-9, 1e-12)) << i;
}

TEST(TrainingProgram, ATimedStepIsNotSkippedBecauseTheFirstScaleOverflows) {
  ResolvedCase c = CaseWithLoss(SUM);
  c.mutable_benchmark_case()->mutable_execution()->set_grad_scaler(true);
  const auto program = DenseProgram(c, 0, FP32);
  const Tensors inputs = {at::full({4, 8}, 1e34F)};
  program->Begin(steps::kTrainStep, inputs);
  program->Call(steps::kTrainStep, inputs);
  const Tensors momentum = program->Kept();
  ASSERT_EQ(momentum.size(), 2u);
  EXPECT_TRUE(at::allclose(momentum[0], at::full({4, 8}, 1.6e35F)));
  // A verified step is not skipped, either.
  const Tensors verified = Called(c.benchmark_case().execution(), *program, inputs);
  EXPECT_GT(verified[kUpdateNorms1].min().item<float>(), 0);
  program->BeginVerified(steps::kTrainStep, inputs);
  program->Prepare(steps::kTrainStep, inputs);
  const std::vector<VerifiedOutput> of_call =
      program->Verified(steps::kTrainStep, program->Call(steps::kTrainStep, inputs));
  ASSERT_EQ(of_call.size(), 2u);
  for (const VerifiedOutput& output : of_call)
    EXPECT_TRUE(at::equal(output.tensor, verified[output.place])) << output.place;
}

TEST(TrainingProgram, BeginsWithTheWeightsThatItWasLastMovedWith) {
  const ResolvedCase c = TrainingCase();
  const auto program = Made(c);
  Called({}, *program, Inputs(c));
  ASSERT_TRUE(Move(*program, at::kCPU, BF16).ok());
  ASSERT_TRUE(Move(*program, at::kCPU, FP32).ok());
  const at::Tensor rounded = program->State()[0].tensor.detach().clone();
  Called({}, *program, Inputs(c));
  EXPECT_TRUE(at::equal(program->State()[0].tensor, rounded));
}

// Places that timed calls compute, each equal to the verified output.
std::vector<size_t> PlacesOfTimedCalls(const ResolvedCase& c, Step step) {
  const auto program = Made(c);
  const Tensors verified = Called(c.benchmark_case().execution(), *program, Inputs(c));
  Timed timed(step, c, *program, 2);
  EXPECT_TRUE(timed.ok()) << timed.status();
  std::vector<size_t> found;
  for (const VerifiedOutput& output : timed->CallVerified(Inputs(c), {}).outputs) {
    found.push_back(output.place);
    EXPECT_TRUE(at::equal(output.tensor, verified[output.place])) << step << " " << output.place;
  }
  return found;
}

TEST(TrainingProgram, TimedStepsAreTheVerifiedOnesWhereGradientsAreScaledOrClipped) {
  ResolvedCase c = TrainingCase();
  c.mutable_benchmark_case()->mutable_execution()->set_grad_scaler(true);
  for (const Step step : {steps::kOptimizer, steps::kTrainStep})
    EXPECT_EQ(PlacesOfTimedCalls(c, step).size(), kCount - kLoss3);
  c = TrainingCase();
  c.mutable_benchmark_case()->mutable_training()->set_clip_norm(1e-3);
  for (const Step step : {steps::kOptimizer, steps::kTrainStep}) {
    EXPECT_THAT(PlacesOfTimedCalls(c, step),
                ElementsAre(kLoss3, kLoss3 + 1, kParameters3, kParameters3 + 1));
  }
}

TEST(TrainingProgram, AutocastRoundsForwardAndNotTheUpdate) {
  ResolvedCase c = TrainingCase();
  const Tensors plain = Called({}, *Made(c), Inputs(c));
  Execution execution;
  execution.set_autocast(BF16);
  const Tensors cast = Called(execution, *Made(c), Inputs(c));
  EXPECT_EQ(cast[kParameters1].scalar_type(), at::kFloat);
  EXPECT_FALSE(at::equal(plain[kGradients1], cast[kGradients1]));
  const at::Tensor difference = (plain[kGradients1] - cast[kGradients1]).norm();
  EXPECT_LT(difference.item<float>(), 0.05 * plain[kGradients1].norm().item<float>());
  // The casts of the weights are dropped with each update.
  const float learnt = (plain[kLoss1] - plain[kLoss3]).abs().item<float>();
  EXPECT_LT((plain[kLoss3] - cast[kLoss3]).abs().item<float>(), 0.1 * learnt);
}

// Notes the dtypes of products that are made in its forward and in its backward pass.
class Noting final : public models::LayeredModel {
 public:
  struct Seen {
    std::set<at::ScalarType> forward, backward;
  };
  explicit Noting(Seen& seen) : seen_(seen) {}

  Tensors Forward(TensorsRef inputs) override {
    const at::Tensor y = dense_.Forward(inputs[0]);
    seen_.forward.insert(y.scalar_type());
    y.register_hook([this](const at::Tensor&) {
      const at::Tensor one = at::ones({1, 1});
      seen_.backward.insert(at::mm(one, one).scalar_type());
    });
    return {y};
  }

 private:
  Seen& seen_;
  models::Linear dense_{*this, "dense", {.in = 8, .out = 4}};
};

TEST(TrainingProgram, AutocastIsOffInTheBackwardPass) {
  ResolvedCase c = TrainingCase();
  c.mutable_benchmark_case()->mutable_training()->set_loss(SUM);
  c.mutable_implementation()->clear_targets();
  c.mutable_measured()->mutable_inputs()->RemoveLast();
  Execution execution;
  execution.set_autocast(BF16);
  Noting::Seen seen;
  const auto program =
      TrainingProgram::Make(std::make_unique<Noting>(seen), c.implementation(), c.benchmark_case());
  ASSERT_TRUE(program.ok()) << program.status();
  for (models::NamedTensor& entry : (*program)->State()) entry.tensor.fill_(1);
  Called(execution, **program, Inputs(c));
  EXPECT_THAT(seen.forward, ElementsAre(at::kBFloat16));
  EXPECT_THAT(seen.backward, ElementsAre(at::kFloat));
}

TEST(TrainingProgram, SumAndMeanOverTheOutputsNeedNoLossOfTheModel) {
  ResolvedCase c = TrainingCase();
  c.mutable_measured()->mutable_inputs()->RemoveLast();
  Training& training = *c.mutable_benchmark_case()->mutable_training();
  for (const auto& [loss, want] : {std::pair(SUM, 4.0), std::pair(MEAN, 0.25)}) {
    training.set_loss(loss);
    const Tensors outputs = Called({}, *Made(c), Inputs(c));
    EXPECT_NEAR(outputs[kLoss1].item<double>(), want, 1e-6) << "four rows of probabilities";
  }
}

TEST(TrainingProgram, NeedsALossAnOptimizerAndSomethingToTrain) {
  ResolvedCase c = TrainingCase();
  c.mutable_benchmark_case()->mutable_training()->clear_optimizers();
  EXPECT_THAT(NewProgram(c, c.measured()).status().message(), HasSubstr("names no optimizer"));
  c = AdderCase(2, 4);
  c.mutable_benchmark_case()->set_mode(TRAIN);
  c.mutable_benchmark_case()->mutable_training()->set_loss(OWN);
  EXPECT_THAT(NewProgram(c, c.measured()).status().message(), HasSubstr("has no loss"));
  c.mutable_benchmark_case()->mutable_training()->set_loss(MEAN);
  c.mutable_benchmark_case()->mutable_training()->add_optimizers()->mutable_sgd();
  EXPECT_TRUE(NewProgram(c, c.measured()).ok());
  c.mutable_implementation()->set_name("doubler");
  c.mutable_measured()->clear_parameters();
  EXPECT_THAT(NewProgram(c, c.measured()).status().message(), HasSubstr("no trainable tensor"));
}

TEST(TimedStep, HasNoDigestOfOutputsThatMayDifferFromCallToCall) {
  ResolvedCase c = AdderCase(2, 32);
  Nondeterminism& declared = *c.mutable_benchmark_case()->add_nondeterministic();
  declared.set_device(CPU);
  declared.set_reason("adds atomically");
  const auto program = Made(c);
  Timed forward(steps::kForward, c, *program, 2);
  ASSERT_TRUE(forward.ok()) << forward.status();
  forward->Call();
  EXPECT_FALSE(forward->OutputDigest().has_value());
  EXPECT_TRUE(forward->InputDigest().has_value());
}

TEST(TimedStep, ForwardDependsOnItsInputsAndOnNothingElse) {
  const ResolvedCase c = AdderCase(2, 32);
  const auto program = Made(c);
  Timed forward(steps::kForward, c, *program, 2);
  ASSERT_TRUE(forward.ok()) << forward.status();
  const auto inputs = forward->InputDigest();
  forward->Call();
  const auto first = forward->OutputDigest();
  forward->UseInputs(1);
  forward->Call();
  EXPECT_NE(forward->OutputDigest(), first);
  forward->UseInputs(0);
  forward->Call();
  EXPECT_EQ(forward->OutputDigest(), first);
  EXPECT_EQ(forward->InputDigest(), inputs);
  EXPECT_EQ(forward->InputBytes(), 2 * 32 * 4);
}

TEST(TimedStep, GivesTheResultOfOtherInputs) {
  const ResolvedCase c = TrainingCase();
  ResolvedCase evaluated = c;
  evaluated.mutable_benchmark_case()->set_mode(EVAL);
  evaluated.mutable_benchmark_case()->clear_training();
  evaluated.mutable_measured()->mutable_inputs()->RemoveLast();
  const auto program = Made(evaluated);
  const Tensors inputs = {at::full({4, 8}, 0.25f)};
  const Tensors want = Called({}, *program, inputs);
  Timed timed(steps::kForward, evaluated, *program, 3);
  ASSERT_TRUE(timed.ok()) << timed.status();
  timed->Call();
  const auto verified = timed->CallVerified(inputs, {}).outputs;
  ASSERT_EQ(verified.size(), 1u);
  EXPECT_EQ(verified[0].place, 0u);
  EXPECT_TRUE(at::equal(verified[0].tensor, want[0]));
}

TEST(TimedStep, ChangesItsInputsWithoutConvertingThem) {
  ResolvedCase c = AdderCase(2, 32);
  c.mutable_benchmark_case()->mutable_execution()->set_memory_format(CHANNELS_LAST);
  TensorSpec& input = *c.mutable_measured()->mutable_inputs(0);
  input.clear_shape();
  for (const int64_t size : {2, 4, 4, 32}) input.add_shape(size);
  const auto program = Made(c);
  Timed forward(steps::kForward, c, *program, 2);
  ASSERT_TRUE(forward.ok()) << forward.status();
  const base::TensorMemory memory;
  forward->UseInputs(1);
  EXPECT_EQ(memory.Counts().allocations, 0);
}

// Fails at the second Reset().
class Unresettable final : public Program {
 public:
  StateContract Contract() const override { return StateContract::kResettable; }
  std::vector<models::NamedTensor> State() override { return {}; }
  void To(at::Device, at::ScalarType) override {}
  Tensors Outputs(TensorsRef inputs) override { return inputs.vec(); }
  void Begin(Step, TensorsRef) override { Reset(); }
  Tensors Call(Step, TensorsRef) override { return {}; }
  void Reset() override {
    if (++resets_ > 1) at::empty({int64_t{1} << 58});
  }

 private:
  int resets_ = 0;
};

TEST(TimedStep, ThatCannotBeResetSaysSoToTheNextStepAndLivesOn) {
  const ResolvedCase c = AdderCase(2, 4);
  Unresettable program;
  { ASSERT_TRUE(Timed(steps::kForward, c, program, 1).ok()); }
  const absl::Status next = Timed(steps::kForward, c, program, 1).status();
  EXPECT_EQ(next.code(), absl::StatusCode::kResourceExhausted);
  EXPECT_THAT(next.message(), HasSubstr("preparing step forward"));
}

}  // namespace
}  // namespace assay::execution

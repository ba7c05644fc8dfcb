#include "benchmarks/harness/costs/memory_use.h"

#include <ATen/ops/add.h>
#include <ATen/ops/empty.h>
#include <ATen/ops/mul.h>
#include <ATen/ops/ones.h>

#include <cstdint>
#include <functional>
#include <initializer_list>
#include <map>
#include <string>
#include <utility>
#include <vector>

#include "absl/strings/str_cat.h"
#include "benchmarks/harness/execution/eager_backend.h"
#include "benchmarks/harness/programs/seeded_program.h"
#include "defs/case/case_steps.h"
#include "defs/proto/suite.pb.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"

namespace assay::costs {
namespace {

using testing::HasSubstr;

constexpr execution::Step kAllSteps[] = {steps::kForward, steps::kBackward, steps::kOptimizer,
                                         steps::kTrainStep};

// A program whose only step is a function.
class FunctionProgram final : public execution::Program {
 public:
  explicit FunctionProgram(std::function<execution::Tensors(const at::Tensor&)> call,
                           bool trains = false)
      : call_(std::move(call)), trains_(trains) {}

  execution::StateContract Contract() const override { return execution::StateContract::kPure; }
  bool Differentiates() const override { return trains_; }
  std::vector<models::NamedTensor> State() override { return state; }
  void To(at::Device, at::ScalarType) override {}
  execution::Tensors Outputs(execution::TensorsRef inputs) override { return call_(inputs[0]); }
  execution::Tensors Call(execution::Step, execution::TensorsRef inputs) override {
    return call_(inputs[0]);
  }

  std::vector<models::NamedTensor> state;

 private:
  const std::function<execution::Tensors(const at::Tensor&)> call_;
  const bool trains_;
};

absl::StatusOr<ProgramMemory> Counted(execution::Program& program, execution::Tensors inputs,
                                      absl::Span<const execution::Step> steps = {steps::kForward},
                                      Calls calls = Calls::kSteady, ResolvedCase c = {}) {
  SetSteps(c);
  const auto executable = execution::LoadEager({}, program);
  executable->SetInputs(std::move(inputs));
  ProgramMemory memory = StateMemory(program);
  const absl::Status counted = CountMemory(*executable, c, steps, calls, memory);
  if (!counted.ok()) return counted;
  return memory;
}

StepMemory Forward(std::function<execution::Tensors(const at::Tensor&)> call, bool trains = false) {
  FunctionProgram program(std::move(call), trains);
  const absl::StatusOr<ProgramMemory> memory = Counted(program, {at::ones({256})});
  EXPECT_TRUE(memory.ok()) << memory.status();
  return memory.ok() ? memory->steps(0) : StepMemory();
}

TEST(StateMemory, TellsParametersFromBuffersAndCountsTiedOnesOnce) {
  const at::Tensor weight = at::empty({10}), table = at::empty({100}),
                   steps = at::empty({}, at::kLong);
  FunctionProgram program([](const at::Tensor& x) { return execution::Tensors{x}; });
  program.state = {{.name = "w", .tensor = weight, .trainable = true},
                   {.name = "table", .tensor = table, .trainable = true},
                   {.name = "decoder", .tensor = table, .alias = true},
                   {.name = "half", .tensor = table.slice(0, 0, 50)},
                   {.name = "steps", .tensor = steps}};
  EXPECT_EQ(StateMemory(program).parameter_bytes(), 440);
  EXPECT_EQ(StateMemory(program).buffer_bytes(), 8);
  EXPECT_EQ(StateMemory(program).parameters(), 110);
}

TEST(StateMemory, CountsTheElementsOfLoweredWeightsAmongTheParameters) {
  FunctionProgram program([](const at::Tensor& x) { return execution::Tensors{x}; });
  program.state = {
      {.name = "bias", .tensor = at::empty({10}), .trainable = true},
      {.name = "weight_int4", .tensor = at::empty({10, 16}, at::kByte), .lowered_elements = 320},
      {.name = "weight_scales", .tensor = at::empty({10}, at::kBFloat16)}};
  EXPECT_EQ(StateMemory(program).parameters(), 330);
  EXPECT_EQ(StateMemory(program).parameter_bytes(), 40);
  EXPECT_EQ(StateMemory(program).buffer_bytes(), 180);
}

TEST(CountMemory, CountsWhatOneCallAllocates) {
  const StepMemory memory =
      Forward([](const at::Tensor& x) { return execution::Tensors{at::add(at::mul(x, x), x)}; });
  EXPECT_EQ(memory.step(), "forward");
  EXPECT_EQ(memory.peak_bytes(), 2048);
  EXPECT_EQ(memory.allocated_bytes(), 2048);
  EXPECT_EQ(memory.allocations(), 2);
  EXPECT_EQ(memory.leaked_bytes(), 0);
}

// Memory appended by each call stays allocated.
TEST(CountMemory, FindsALeak) {
  execution::Tensors kept;
  const StepMemory memory = Forward([&](const at::Tensor& x) {
    kept.push_back(at::add(x, x));
    return execution::Tensors{at::add(x, x)};
  });
  EXPECT_EQ(memory.leaked_bytes(), 1024);
}

// A loop that sums losses without detaching them, which keeps each call's graph.
TEST(CountMemory, FindsAGraphThatIsKeptFromCallToCall) {
  const at::Tensor weight = at::ones({256}).requires_grad_(true);
  at::Tensor total = at::ones({});
  const auto call = [&](const at::Tensor& x, bool detached) {
    const at::Tensor loss = at::mul(at::mul(x, weight), weight).sum();
    total = at::add(total, detached ? loss.detach() : loss);
    return execution::Tensors{loss};
  };
  const StepMemory kept = Forward([&](const at::Tensor& x) { return call(x, false); }, true);
  EXPECT_GE(kept.leaked_bytes(), 1024);
  total = at::ones({});
  const StepMemory detached = Forward([&](const at::Tensor& x) { return call(x, true); }, true);
  EXPECT_EQ(detached.leaked_bytes(), 0);
}

TEST(CountMemory, ACacheThatFillsIsNoLeak) {
  for (const int fills_at : {1, 2, 3}) {
    execution::Tensors cache;
    int calls = 0;
    const StepMemory memory = Forward([&](const at::Tensor& x) {
      if (++calls == fills_at) cache.push_back(at::add(x, x));
      return execution::Tensors{at::add(x, x)};
    });
    EXPECT_EQ(memory.leaked_bytes(), 0) << fills_at;
    EXPECT_EQ(memory.peak_bytes(), fills_at < 3 ? 1024 : 2048) << fills_at;
  }
}

TEST(CountMemory, OfOneCallLooksForNoLeak) {
  int calls = 0;
  execution::Tensors kept;
  FunctionProgram program([&](const at::Tensor& x) {
    ++calls;
    kept.push_back(at::add(x, x));
    return execution::Tensors{};
  });
  const auto memory = Counted(program, {at::ones({256})}, {steps::kForward}, Calls::kOne);
  ASSERT_TRUE(memory.ok()) << memory.status();
  EXPECT_EQ(calls, 1);
  EXPECT_EQ(memory->steps(0).peak_bytes(), 1024);
  EXPECT_EQ(memory->steps(0).leaked_bytes(), 0);
}

class Resettable final : public execution::Program {
 public:
  execution::StateContract Contract() const override {
    return execution::StateContract::kResettable;
  }
  std::vector<models::NamedTensor> State() override { return {}; }
  void To(at::Device, at::ScalarType) override {}
  execution::Tensors Outputs(execution::TensorsRef) override { return {}; }
  execution::Tensors Call(execution::Step, execution::TensorsRef) override {
    changed = true;
    return {};
  }
  void Reset() override { changed = false; }

  bool changed = false;
};

TEST(CountMemory, LeavesAProgramAsItWas) {
  Resettable program;
  ASSERT_TRUE(Counted(program, {at::ones({1})}).ok());
  EXPECT_FALSE(program.changed);
}

TEST(CountMemory, NamesTheStepThatMemoryDidNotSufficeFor) {
  FunctionProgram program(
      [](const at::Tensor&) { return execution::Tensors{at::empty({int64_t{1} << 58})}; });
  const absl::Status status = Counted(program, {at::ones({1})}).status();
  EXPECT_EQ(status.code(), absl::StatusCode::kResourceExhausted);
  EXPECT_THAT(status.message(), HasSubstr("counting the memory of step forward"));
}

void AddInput(ResolvedCase& c, std::initializer_list<int64_t> shape, int64_t integers_below = 0) {
  TensorSpec& input = *c.mutable_measured()->add_inputs();
  input.set_name(absl::StrCat("input ", c.measured().inputs_size()));
  input.set_dtype(integers_below > 0 ? INT64 : FP32);
  *input.mutable_shape() = {shape.begin(), shape.end()};
  if (integers_below > 0) {
    input.mutable_distribution()->mutable_integers()->set_limit(integers_below);
  } else {
    input.mutable_distribution()->mutable_uniform();
  }
}

ResolvedCase CaseOf(const char* family, const std::map<std::string, int64_t>& parameters) {
  ResolvedCase c;
  c.mutable_benchmark_case()->set_dtype(FP32);
  c.mutable_benchmark_case()->set_mode(EVAL);
  c.mutable_implementation()->set_name(family);
  for (const auto& [name, value] : parameters)
    (*c.mutable_measured()->mutable_parameters())[name].set_integer(value);
  return c;
}

ResolvedCase Mlp() {
  ResolvedCase c =
      CaseOf("mlp", {{"in_features", 8}, {"hidden_features", 16}, {"out_features", 4}});
  AddInput(c, {4, 8});
  return c;
}

ResolvedCase ResNet() {
  ResolvedCase c = CaseOf("resnet", {{"groups", 1}, {"width_per_group", 64}, {"num_classes", 10}});
  auto& parameters = *c.mutable_measured()->mutable_parameters();
  parameters["block"].set_text("bottleneck");
  for (int stage = 0; stage < 4; ++stage) parameters["layers"].mutable_integers()->add_values(1);
  AddInput(c, {2, 3, 32, 32});
  return c;
}

ResolvedCase Bert() {
  ResolvedCase c = CaseOf("bert", {{"vocab_size", 32},
                                   {"hidden_size", 16},
                                   {"num_hidden_layers", 2},
                                   {"num_attention_heads", 2},
                                   {"intermediate_size", 32},
                                   {"max_position_embeddings", 16},
                                   {"type_vocab_size", 2}});
  (*c.mutable_measured()->mutable_parameters())["layer_norm_eps"].set_real(1e-12);
  AddInput(c, {2, 8}, 32);  // tokens
  AddInput(c, {2, 8}, 2);   // attention mask
  AddInput(c, {2, 8}, 2);   // token types
  return c;
}

ResolvedCase TrainedMlp(double momentum = 0.9) {
  ResolvedCase c = Mlp();
  AddInput(c, {4}, 4);
  c.mutable_implementation()->add_targets()->set_name("labels");
  BenchmarkCase& b = *c.mutable_benchmark_case();
  b.set_mode(TRAIN);
  b.mutable_training()->set_loss(OWN);
  Sgd& sgd = *b.mutable_training()->add_optimizers()->mutable_sgd();
  sgd.set_learning_rate(0.5);
  sgd.set_momentum(momentum);
  return c;
}

ProgramMemory MemoryOf(const ResolvedCase& c, absl::Span<const execution::Step> steps,
                       Calls calls = Calls::kSteady) {
  const auto program = execution::SeededProgram(c, c.measured());
  EXPECT_TRUE(program.ok()) << program.status();
  auto inputs = execution::SeededInputs(c.measured(), FP32, 0, at::kCPU);
  EXPECT_TRUE(inputs.ok()) << inputs.status();
  const auto memory = Counted(**program, *std::move(inputs), steps, calls, c);
  EXPECT_TRUE(memory.ok()) << memory.status();
  return memory.value_or(ProgramMemory());
}

TEST(CountMemory, FindsNoLeakInAFamily) {
  for (const ResolvedCase& c : {Mlp(), ResNet(), Bert()}) {
    const ProgramMemory memory = MemoryOf(c, {steps::kForward});
    EXPECT_GT(memory.parameter_bytes(), 0) << c.implementation().name();
    EXPECT_GT(memory.steps(0).peak_bytes(), 0) << c.implementation().name();
    EXPECT_EQ(memory.steps(0).leaked_bytes(), 0) << c.implementation().name();
    EXPECT_EQ(memory.gradient_bytes() + memory.optimizer_bytes(), 0);
    EXPECT_EQ(memory.saved_activation_bytes(), 0);
  }
}

// Computed by hand, in floats: four rows; layers 8 to 16, 16 to 16, 16 to 4, each with its bias.
constexpr int64_t kFloat = 4;  // bytes
constexpr int64_t kParameters = kFloat * (8 * 16 + 16 + 16 * 16 + 16 + 16 * 4 + 4);
constexpr int64_t kHidden = kFloat * 4 * 16, kOut = kFloat * 4 * 4;

TEST(CountMemory, OfAForwardPassIsTheLargestSumOfTwoLayersOutputs) {
  const ProgramMemory memory = MemoryOf(Mlp(), {steps::kForward});
  EXPECT_EQ(memory.parameter_bytes(), kParameters);
  EXPECT_EQ(memory.buffer_bytes(), 0);
  EXPECT_EQ(memory.steps(0).peak_bytes(), 2 * kHidden);
  EXPECT_EQ(memory.steps(0).allocated_bytes(), 2 * kHidden + 2 * kOut);
  EXPECT_EQ(memory.steps(0).allocations(), 4);
}

class TrainingMemoryTest : public testing::TestWithParam<Calls> {};

TEST_P(TrainingMemoryTest, IsWhatAHandCounts) {
  const ProgramMemory memory = MemoryOf(TrainedMlp(), kAllSteps, GetParam());
  EXPECT_EQ(memory.parameter_bytes(), kParameters);
  EXPECT_EQ(memory.gradient_bytes(), kParameters);
  EXPECT_EQ(memory.optimizer_bytes(), kParameters) << "a momentum for each";
  // Two hidden layers, the probabilities, the labels' own, and the loss.
  EXPECT_EQ(memory.saved_activation_bytes(), 2 * kHidden + kOut + kFloat * 4 + kFloat);
  ASSERT_EQ(memory.steps_size(), 4);
  for (const StepMemory& step : memory.steps()) EXPECT_EQ(step.leaked_bytes(), 0) << step.step();
  EXPECT_GE(memory.steps(0).peak_bytes(), memory.saved_activation_bytes());
  EXPECT_GE(memory.steps(1).peak_bytes(), kParameters) << "backward makes the gradients";
  EXPECT_GE(memory.steps(3).peak_bytes(), memory.steps(1).peak_bytes());
}

INSTANTIATE_TEST_SUITE_P(All, TrainingMemoryTest, testing::Values(Calls::kSteady, Calls::kOne));

// As of optimizers that keep all gradients in one buffer.
TEST(CountMemory, GradientsThatShareMemoryCountOnce) {
  const at::Tensor all = at::ones({2, 256});
  FunctionProgram program(
      [&](const at::Tensor&) {
        for (int64_t i = 0; i < 2; ++i) program.state[i].tensor.mutable_grad() = all[i];
        return execution::Tensors{};
      },
      /*trains=*/true);
  for (const char* name : {"a", "b", "without a gradient"})
    program.state.push_back({.name = name, .tensor = at::ones({256}), .trainable = true});
  const auto memory = Counted(program, {at::ones({1})}, {}, Calls::kOne, TrainedMlp());
  ASSERT_TRUE(memory.ok()) << memory.status();
  EXPECT_EQ(memory->parameter_bytes(), 3 * kFloat * 256);
  EXPECT_EQ(memory->gradient_bytes(), 2 * kFloat * 256);
}

TEST(CountMemory, AnOptimizerWithoutMomentumKeepsNothing) {
  EXPECT_EQ(MemoryOf(TrainedMlp(0), {steps::kOptimizer}).optimizer_bytes(), 0);
}

TEST(CountMemory, TheFirstCallOfAnOptimizerIsNotItsSteadyOne) {
  const auto allocated = [](Calls calls) {
    return MemoryOf(TrainedMlp(), {steps::kOptimizer}, calls).steps(0).allocated_bytes();
  };
  EXPECT_GE(allocated(Calls::kOne), kParameters) << "the momentum";
  EXPECT_LT(allocated(Calls::kSteady), kParameters);
}

}  // namespace
}  // namespace assay::costs

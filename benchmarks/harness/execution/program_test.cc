// Tests how programs are made and filled, and how the eager back end calls them.
#include "benchmarks/harness/programs/program.h"

#include <ATen/TensorOperators.h>
#include <ATen/core/Tensor.h>
#include <ATen/ops/add.h>
#include <ATen/ops/allclose.h>
#include <ATen/ops/empty.h>
#include <ATen/ops/equal.h>
#include <ATen/ops/ones.h>
#include <ATen/ops/rand.h>
#include <ATen/ops/tensor.h>

#include <memory>
#include <set>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "absl/status/status.h"
#include "benchmarks/harness/execution/eager_backend.h"
#include "benchmarks/harness/execution/executable.h"
#include "benchmarks/harness/execution/program_cases.h"
#include "benchmarks/harness/programs/model_program.h"
#include "benchmarks/harness/programs/seeded_program.h"
#include "defs/case/case_steps.h"
#include "defs/case/lowerings.h"
#include "defs/case/program_kinds.h"
#include "defs/proto/suite.pb.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "models/model.h"
#include "models/named_tensor.h"

namespace assay::execution {
namespace {

using testing::HasSubstr;

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

// Notes how it is lowered.
class Lowerable final : public Program {
 public:
  StateContract Contract() const override { return StateContract::kPure; }
  std::vector<models::NamedTensor> State() override { return {}; }
  void To(at::Device, at::ScalarType) override {}
  absl::Status Lower(const Lowering& lowering) override {
    name = lowering.name;
    judged = lowering.judged;
    if (lowering.calibration != nullptr) calibration = *lowering.calibration;
    return absl::OkStatus();
  }
  Tensors Outputs(TensorsRef) override { return {}; }
  Tensors Call(Step, TensorsRef) override { return {}; }

  std::string name;
  JudgedLayers* judged = nullptr;
  Tensors calibration;
};

TEST(Place, NamesTheLoweringAndShowsItSeededInputsIfItCalibrates) {
  ResolvedCase c = AdderCase(2, 4, 7);
  JudgedLayers judged;
  for (const lowerings::Row& row : lowerings::kTable) {
    c.mutable_benchmark_case()->mutable_execution()->set_lowering(std::string(row.name));
    Lowerable program;
    ASSERT_TRUE(Place(program, at::kCPU, c.benchmark_case(), c.measured(), &judged).ok());
    EXPECT_EQ(program.name, row.name);
    EXPECT_EQ(program.judged, &judged);
    ASSERT_EQ(program.calibration.size(), row.calibrates ? 1U : 0U) << row.name;
    if (row.calibrates) {
      EXPECT_TRUE(at::equal(program.calibration[0], Inputs(c)[0]));
    }
  }
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

}  // namespace
}  // namespace assay::execution

// The promises of every back end, by eager and torchscript, and which of them a program has.

#include <ATen/core/Tensor.h>
#include <ATen/ops/allclose.h>
#include <google/protobuf/text_format.h>

#include <memory>
#include <string>
#include <utility>

#include "benchmarks/harness/execution/backend.h"
#include "benchmarks/harness/execution/eager_backend.h"
#include "benchmarks/harness/execution/timed_step.h"
#include "benchmarks/harness/programs/seeded_program.h"
#include "defs/case/case_steps.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"

namespace assay::execution {
namespace {

using ::testing::HasSubstr;

ResolvedCase Case(const std::string& backend) {
  ResolvedCase c;
  EXPECT_TRUE(google::protobuf::TextFormat::ParseFromString(
      R"pb(
        benchmark_case { dtype: FP32 mode: EVAL }
        implementation { name: "resnet" }
        measured {
          batch: 4
          inputs {
            name: "image"
            dtype: FP32
            shape: [ 4, 3, 32, 32 ]
            distribution { normal {} }
          }
        })pb",
      &c));
  auto& parameters = *c.mutable_measured()->mutable_parameters();
  parameters["block"].set_text("basic");
  parameters["num_classes"].set_integer(5);
  parameters["groups"].set_integer(1);
  parameters["width_per_group"].set_integer(64);
  for (const int64_t count : {1, 1, 1, 1})
    parameters["layers"].mutable_integers()->add_values(count);
  c.mutable_benchmark_case()->mutable_execution()->set_backend(backend);
  SetSteps(c);
  return c;
}

Tensors InputsFor(const ResolvedCase& c, uint64_t seed = 0) {
  return *SeededInputs(c.measured(), FP32, seed, at::kCPU);
}

std::unique_ptr<Program> NewSeeded(const ResolvedCase& c) {
  auto program = SeededProgram(c, c.measured());
  EXPECT_TRUE(program.ok()) << program.status();
  return *std::move(program);
}

class Loaded {
 public:
  explicit Loaded(ResolvedCase c) : case_(std::move(c)), program_(NewSeeded(case_)) {
    auto executable = Load({.c = case_, .device = at::kCPU}, *program_);
    EXPECT_TRUE(executable.ok()) << executable.status();
    executable_ = *std::move(executable);
  }
  at::Tensor Of(Tensors inputs) { return OutputsOf(*executable_, std::move(inputs))->at(0); }
  Program& program() { return *program_; }
  Executable& executable() { return *executable_; }

 private:
  ResolvedCase case_;
  std::unique_ptr<Program> program_;
  std::unique_ptr<Executable> executable_;
};

class ABackend : public ::testing::TestWithParam<std::string_view> {
 protected:
  const ResolvedCase case_ = Case(std::string(GetParam()));
  at::Tensor Eager(const Tensors& inputs) { return Loaded(Case("eager")).Of(inputs); }
};

TEST_P(ABackend, ComputesWhatEagerDoesOfAnyBatchAndFormat) {
  Loaded loaded(case_);
  const Tensors inputs = InputsFor(case_);
  EXPECT_TRUE(at::allclose(loaded.Of(inputs), Eager(inputs), 1e-4, 1e-4));
  const Tensors fewer = {inputs[0].narrow(0, 0, 3)};
  EXPECT_TRUE(at::allclose(loaded.Of(fewer), Eager(fewer), 1e-4, 1e-4));
  const Tensors others = InputsFor(case_, 1);
  EXPECT_TRUE(at::allclose(loaded.Of(others), Eager(others), 1e-4, 1e-4));
  ResolvedCase channels_last = case_;
  channels_last.mutable_benchmark_case()->mutable_execution()->set_memory_format(CHANNELS_LAST);
  EXPECT_TRUE(at::allclose(Loaded(channels_last).Of(inputs), Eager(inputs), 1e-4, 1e-4));
}

TEST_P(ABackend, ShowsEachMistakeOfTheProgram) {
  const Tensors inputs = InputsFor(case_);
  const at::Tensor right = Eager(inputs);
  for (const std::string& mistake : NewSeeded(case_)->Mistakes()) {
    Loaded loaded(case_);
    loaded.program().MakeMistake(mistake);
    EXPECT_FALSE(at::allclose(loaded.Of(inputs), right, 1e-4, 1e-4)) << mistake;
  }
}

TEST_P(ABackend, LeavesTheValuesOfTheProgramAlone) {
  Loaded loaded(case_);
  const at::Tensor right = loaded.Of(InputsFor(case_));
  const auto fresh = NewSeeded(case_)->State(), used = loaded.program().State();
  for (size_t i = 0; i < fresh.size(); ++i)
    EXPECT_TRUE(fresh[i].tensor.equal(used[i].tensor)) << fresh[i].name;
  // Another execution of the same program may lay it out otherwise.
  Execution channels_last;
  channels_last.set_memory_format(CHANNELS_LAST);
  const auto other = LoadEager(channels_last, loaded.program());
  EXPECT_TRUE(at::allclose(OutputsOf(*other, InputsFor(case_))->at(0), right, 1e-4, 1e-4));
  EXPECT_TRUE(loaded.Of(InputsFor(case_)).equal(right));
}

TEST_P(ABackend, TimesWhatItVerifies) {
  Loaded loaded(case_);
  const auto timed = MakeTimedStep(steps::kForward, case_, loaded.executable(), at::kCPU, 3);
  ASSERT_TRUE(timed.ok()) << timed.status();
  (*timed)->Call();
  const auto first = (*timed)->OutputDigest();
  (*timed)->UseInputs(1);
  (*timed)->Call();
  EXPECT_NE((*timed)->OutputDigest(), first);
  const auto verified = (*timed)->CallVerified(InputsFor(case_), {}).outputs;
  ASSERT_EQ(verified.size(), 1u);
  EXPECT_TRUE(at::allclose(verified[0].tensor, Eager(InputsFor(case_)), 1e-4, 1e-4));
}

INSTANTIATE_TEST_SUITE_P(All, ABackend, ::testing::Values("eager", "torchscript"),
                         [](const auto& name) { return std::string(name.param); });

std::string Problem(const ResolvedCase& c) {
  return std::string(
      Load({.c = c, .device = at::kCPU}, *NewSeeded(Case("eager"))).status().message());
}

TEST(Load, NamesWhatIsLinkedAndHowToLinkAnother) {
  EXPECT_THAT(
      Problem(Case("inductor")),
      AllOf(HasSubstr("--backend=inductor: this program has eager, torchscript; tools/bazel "
                      "run --//benchmarks/backends=//"),
            HasSubstr(" links torchscript, aoti, exported, onnxruntime or openvino")));
  EXPECT_THAT(Problem(Case("aoti")),
              HasSubstr("--backend=aoti: this program was built without it; tools/bazel run "
                        "--//benchmarks/backends=//benchmarks/backends:aoti //"));
}

TEST(Load, RefusesWhatTheBackEndCannotDo) {
  ResolvedCase c = Case("torchscript");
  c.mutable_benchmark_case()->mutable_execution()->set_autocast(BF16);
  EXPECT_THAT(Problem(c), HasSubstr("it takes no --autocast"));
  c = Case("torchscript");
  c.mutable_benchmark_case()->set_mode(TRAIN);
  EXPECT_THAT(Problem(c), HasSubstr("it traces a forward pass"));
  for (const std::string lowering :
       {"int8_dynamic", "int8_static", "fp8_dynamic", "nvfp4_dynamic"}) {
    c = Case("torchscript");
    c.mutable_benchmark_case()->mutable_execution()->set_lowering(lowering);
    EXPECT_THAT(Problem(c), HasSubstr("it cannot trace " + lowering));
  }
  c = Case("eager");
  c.mutable_benchmark_case()->set_dtype(FP64);
  c.mutable_benchmark_case()->mutable_execution()->set_autocast(BF16);
  EXPECT_THAT(Problem(c), HasSubstr("--autocast=bf16: the case is fp64"));
}

TEST(RegisterBackendDeathTest, TwoOfOneNameAreAnError) {
  EXPECT_DEATH(RegisterBackend("eager", nullptr), "two libraries register a back end called eager");
}

}  // namespace
}  // namespace assay::execution

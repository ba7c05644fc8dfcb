#include "benchmarks/harness/programs/generation_program.h"

#include <ATen/core/Tensor.h>
#include <ATen/ops/allclose.h>
#include <ATen/ops/cat.h>
#include <ATen/ops/zeros.h>
#include <ATen/ops/zeros_like.h>

#include <map>
#include <memory>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "absl/status/status.h"
#include "benchmarks/harness/execution/eager_backend.h"
#include "benchmarks/harness/execution/executable.h"
#include "benchmarks/harness/execution/timed_step.h"
#include "benchmarks/harness/programs/seeded_program.h"
#include "defs/case/case_steps.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "models/generator.h"
#include "models/model.h"
#include "models/registry.h"

namespace assay::execution {
namespace {

using ::testing::HasSubstr;

constexpr int64_t kPrompt = 6, kNewTokens = 5, kWords = 20;

void AddTokens(const std::string& name, int64_t tokens, Workload& workload) {
  TensorSpec& input = *workload.add_inputs();
  input.set_name(name);
  input.set_dtype(INT64);
  input.add_shape(2);
  input.add_shape(tokens);
  input.mutable_distribution()->mutable_integers()->set_limit(kWords);
}

// A GPT-2 of two blocks, two rows of six tokens, and five new ones.
ResolvedCase Case() {
  ResolvedCase c;
  BenchmarkCase& b = *c.mutable_benchmark_case();
  b.set_name("gpt2_fp32_b2_s6_gen5");
  b.set_dtype(FP32);
  b.set_mode(GENERATE);
  b.mutable_generation()->set_new_tokens(kNewTokens);
  c.mutable_implementation()->set_name("gpt2");
  Workload& measured = *c.mutable_measured();
  measured.set_batch(2);
  auto& parameters = *measured.mutable_parameters();
  for (const auto& [name, value] : std::map<std::string, int64_t>{{"vocab_size", kWords},
                                                                  {"n_positions", 12},
                                                                  {"n_embd", 16},
                                                                  {"n_layer", 2},
                                                                  {"n_head", 2}})
    parameters[name].set_integer(value);
  parameters["layer_norm_epsilon"].set_real(1e-5);
  AddTokens("input_ids", kPrompt, measured);
  AddTokens("continuation_ids", kNewTokens - 1, measured);
  SetSteps(c);
  return c;
}

class Generation : public ::testing::Test {
 protected:
  std::unique_ptr<Program> Made() const {
    auto program = SeededProgram(case_, case_.measured());
    EXPECT_TRUE(program.ok()) << program.status();
    return *std::move(program);
  }

  // The logits of the new tokens by one forward pass over all tokens, (2, kNewTokens, words).
  at::Tensor OfOnePass() const {
    auto model = NewModel(case_.implementation(), case_.measured());
    EXPECT_TRUE(model.ok()) << model.status();
    const std::unique_ptr<Program> program = Made();
    const auto filled = program->State();
    const auto state = (*model)->State();
    for (size_t i = 0; i < state.size(); ++i) {
      if (!state[i].alias) state[i].tensor.copy_(filled[i].tensor);
    }
    const at::Tensor logits = (*model)->Forward({at::cat({inputs_[0], inputs_[1]}, 1)})[0];
    return logits.narrow(1, kPrompt - 1, kNewTokens);
  }

  const ResolvedCase case_ = Case();
  const Tensors inputs_ = *SeededInputs(case_.measured(), FP32, 0, at::kCPU);
};

at::Tensor Joined(const Tensors& outputs) {
  return at::cat({outputs[0].unsqueeze(1), outputs[1], outputs[2].unsqueeze(1)}, 1);
}

TEST_F(Generation, WithACacheIsOnePassOverAllTokens) {
  const std::unique_ptr<Program> program = Made();
  const at::Tensor want = OfOnePass();
  EXPECT_TRUE(at::allclose(Joined(program->Outputs(inputs_)), want, 1e-5, 1e-5));
  // A cache that holds other rows does not show.
  program->Outputs({at::zeros_like(inputs_[0]), at::zeros_like(inputs_[1])});
  EXPECT_TRUE(at::allclose(Joined(program->Outputs(inputs_)), want, 1e-5, 1e-5));
}

TEST_F(Generation, EachMistakeShows) {
  const at::Tensor want = OfOnePass();
  const std::vector<std::string> mistakes = Made()->Mistakes();
  EXPECT_THAT(mistakes, ::testing::IsSupersetOf({"stale_position", "lost_key"}));
  EXPECT_THAT(mistakes, ::testing::Contains(::testing::StartsWith("scaled_transformer.h.")));
  for (const std::string& mistake : mistakes) {
    const std::unique_ptr<Program> program = Made();
    program->MakeMistake(mistake);
    EXPECT_FALSE(at::allclose(Joined(program->Outputs(inputs_)), want, 1e-4, 1e-4)) << mistake;
  }
}

TEST_F(Generation, AMistakeIsWhereItsNameSays) {
  const Tensors right = Made()->Outputs(inputs_);
  const std::unique_ptr<Program> stale = Made(), lost = Made();
  stale->MakeMistake("stale_position");
  const Tensors of_stale = stale->Outputs(inputs_);
  EXPECT_TRUE(of_stale[0].equal(right[0]) && of_stale[1].equal(right[1]));
  EXPECT_FALSE(of_stale[2].equal(right[2]));
  lost->MakeMistake("lost_key");
  const Tensors of_lost = lost->Outputs(inputs_);
  EXPECT_TRUE(of_lost[0].equal(right[0])) << "the prompt's own pass has all keys";
  EXPECT_FALSE(of_lost[1].equal(right[1]));
}

TEST_F(Generation, ItsCacheStaysWhileTheShapesOfItsInputsDo) {
  const std::unique_ptr<Program> program = Made();
  program->Begin(steps::kPrefill, inputs_);
  const Tensors first = program->Kept();
  ASSERT_FALSE(first.empty());
  EXPECT_EQ(first[0].size(1), kPrompt + kNewTokens - 1);
  program->Begin(steps::kPrefill, inputs_);
  EXPECT_TRUE(program->Kept()[0].is_same(first[0]));
  const Tensors shorter = {inputs_[0].narrow(1, 0, kPrompt - 2), inputs_[1]};
  const Tensors want = Made()->Outputs(shorter), got = program->Outputs(shorter);
  EXPECT_EQ(program->Kept()[0].size(1), kPrompt - 2 + kNewTokens - 1);
  EXPECT_TRUE(Joined(got).equal(Joined(want)));
}

TEST_F(Generation, AMoveFreesItsCache) {
  const std::unique_ptr<Program> program = Made();
  const at::Tensor want = Joined(program->Outputs(inputs_));
  ASSERT_TRUE(Move(*program, at::kCPU, FP64).ok());
  EXPECT_TRUE(program->Kept().empty());
  const at::Tensor got = Joined(program->Outputs(inputs_));
  EXPECT_EQ(got.scalar_type(), at::kDouble);
  EXPECT_TRUE(at::allclose(got, want.to(at::kDouble), 1e-5, 1e-5));
}

TEST_F(Generation, DecodeBeginsWithAllTokensButTheLastInTheCache) {
  const std::unique_ptr<Program> program = Made();
  program->Begin(steps::kPrefill, inputs_);  // makes the cache
  for (const at::Tensor& tensor : program->Kept()) tensor.zero_();
  program->Begin(steps::kDecode, inputs_);
  const at::Tensor before = program->Kept()[0].clone();
  const Tensors logits = program->Call(steps::kDecode, inputs_);
  EXPECT_TRUE(at::allclose(logits.at(0), OfOnePass().select(1, kNewTokens - 1), 1e-5, 1e-5));
  const int64_t last = kPrompt + kNewTokens - 2;
  const at::Tensor after = program->Kept()[0];
  EXPECT_TRUE(after.narrow(1, 0, last).equal(before.narrow(1, 0, last)));
  EXPECT_FALSE(after.select(1, last).equal(before.select(1, last)));
}

// Notes how many inputs it is given.
class Counting final : public models::Model, public models::Generator {
 public:
  explicit Counting(std::set<size_t>& seen) : seen_(seen) {}

  Tensors Forward(TensorsRef) override { return {}; }
  std::vector<models::NamedTensor> State() override { return {}; }
  void To(at::Device, at::ScalarType) override {}
  void SetTraining(bool) override {}
  Tensors NewCache(TensorsRef inputs, int64_t capacity) override {
    seen_.insert(inputs.size());
    return {at::zeros({2, capacity})};
  }
  at::Tensor Prefill(TensorsRef inputs, TensorsRef) override {
    seen_.insert(inputs.size());
    return at::zeros({2, kWords});
  }
  at::Tensor Extend(const at::Tensor&, const models::CachePlace&, TensorsRef) override {
    return at::zeros({2, kWords});
  }

 private:
  std::set<size_t>& seen_;
};

TEST_F(Generation, TheModelIsNotGivenTheContinuation) {
  std::set<size_t> seen;
  const auto program =
      GenerationProgram::Make(std::make_unique<Counting>(seen), case_.implementation(),
                              case_.measured(), case_.benchmark_case().generation());
  ASSERT_TRUE(program.ok()) << program.status();
  (*program)->Outputs(inputs_);
  EXPECT_THAT(seen, ::testing::ElementsAre(1U));
}

TEST(PlaceOfPrompt, IsThatOfTheInputWhichIsContinued) {
  Workload workload;
  for (const char* const name : {"image", "input_ids", "continuation_ids"})
    workload.add_inputs()->set_name(name);
  ModelImplementation implementation;
  EXPECT_EQ(PlaceOfPrompt(implementation, workload), 0U);
  implementation.set_continued("input_ids");
  EXPECT_EQ(PlaceOfPrompt(implementation, workload), 1U);
}

TEST_F(Generation, TakesTheLikeliestTokenEachTime) {
  const std::unique_ptr<Program> program = Made();
  program->Begin(steps::kGenerate, inputs_);
  const Tensors generated = program->Call(steps::kGenerate, inputs_);
  ASSERT_EQ(generated.size(), 2u);
  const at::Tensor& tokens = generated[0];
  EXPECT_EQ(tokens.sizes(), at::IntArrayRef({2, kNewTokens}));
  // Fed with its own tokens, one pass finds each of them the likeliest.
  const Tensors own = {inputs_[0], tokens.narrow(1, 0, kNewTokens - 1)};
  EXPECT_TRUE(Joined(program->Outputs(own)).argmax(2).equal(tokens));
  EXPECT_FALSE(tokens.narrow(1, 0, kNewTokens - 1).equal(inputs_[1]));
}

class GenerationStep : public Generation, public ::testing::WithParamInterface<Step> {};

TEST_P(GenerationStep, ComputesWhatIsVerifiedAfterItWasTimed) {
  const std::unique_ptr<Program> program = Made();
  const Tensors verified = program->Outputs(inputs_);
  const auto eager = LoadEager({}, *program);
  auto timed = MakeTimedStep(GetParam(), case_, *eager, at::kCPU, /*input_sets=*/2);
  ASSERT_TRUE(timed.ok()) << timed.status();
  (*timed)->Call();
  const auto first = (*timed)->OutputDigest();
  (*timed)->UseInputs(1);
  (*timed)->Call();
  EXPECT_NE((*timed)->OutputDigest(), first);
  (*timed)->UseInputs(0);
  (*timed)->Call();
  EXPECT_EQ((*timed)->OutputDigest(), first) << "calls do not depend on those before";
  const std::map<Step, std::vector<size_t>> places = {
      {steps::kPrefill, {0}}, {steps::kDecode, {2}}, {steps::kGenerate, {0, 1, 2}}};
  std::vector<size_t> found;
  for (const VerifiedOutput& output : (*timed)->CallVerified(inputs_, {}).outputs) {
    found.push_back(output.place);
    EXPECT_TRUE(at::allclose(output.tensor, verified[output.place], 1e-5, 1e-5)) << output.place;
  }
  EXPECT_EQ(found, places.at(GetParam()));
}

INSTANTIATE_TEST_SUITE_P(All, GenerationStep,
                         ::testing::Values(steps::kPrefill, steps::kDecode, steps::kGenerate),
                         [](const auto& step) { return std::string(step.param); });

TEST_F(Generation, BeyondThePositionsOfTheModelIsAnError) {
  ResolvedCase c = case_;
  (*c.mutable_measured()->mutable_parameters())["n_positions"].set_integer(8);
  const auto program = SeededProgram(c, c.measured());
  ASSERT_TRUE(program.ok()) << program.status();
  const absl::Status status = OutputsOf(*LoadEager({}, **program), inputs_).status();
  EXPECT_THAT(status.message(), HasSubstr("positions 8 to 8 are beyond the 8 that the model has"));
}

}  // namespace
}  // namespace assay::execution

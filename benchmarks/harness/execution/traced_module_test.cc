#include "benchmarks/harness/execution/traced_module.h"

#include <ATen/core/Tensor.h>
#include <ATen/ops/arange.h>
#include <ATen/ops/full.h>
#include <ATen/ops/ones.h>
#include <ATen/ops/relu.h>
#include <ATen/ops/tensor.h>
#include <ATen/ops/zeros.h>
#include <c10/util/Exception.h>
#include <torch/csrc/jit/api/module.h>
#include <torch/csrc/jit/serialization/import.h>

#include <sstream>
#include <string>
#include <vector>

#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "models/named_tensor.h"

namespace assay::execution {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;

// Two outputs of two inputs, with names that are no identifiers.
class TwoOutputs final : public Program {
 public:
  StateContract Contract() const override { return StateContract::kPure; }
  std::vector<models::NamedTensor> State() override {
    return {{.name = "a.weight", .tensor = weight_},
            {.name = "a_weight", .tensor = other_},
            {.name = "0.bias", .tensor = bias_},
            {.name = "tied", .tensor = weight_, .alias = true}};
  }
  void To(at::Device, at::ScalarType) override {}
  Tensors Outputs(TensorsRef inputs) override { return Call("forward", inputs); }
  Tensors Call(Step, TensorsRef inputs) override {
    const at::Tensor taken = weight_.index_select(0, inputs[1]);
    return {at::relu(taken * inputs[0] + bias_), taken.sum() + other_};
  }

 private:
  at::Tensor weight_ = at::arange(12, at::kFloat).view({4, 3}), other_ = at::ones({1}),
             bias_ = -at::ones({3});
};

const Tensors kInputs = {at::ones({2, 3}), at::tensor({3, 1}, at::kLong)};

torch::jit::Module Read(const std::string& bytes) {
  std::istringstream in(bytes);
  return torch::jit::load(in);
}

TEST(TracedModule, ComputesWhatTheProgramDoesAfterAFileToo) {
  TwoOutputs program;
  TracedModule module(program, kInputs, {});
  const Tensors want = program.Outputs(kInputs), got = module.Call(kInputs);
  const Tensors others = {at::ones({2, 3}) * 2, at::tensor({0, 2}, at::kLong)};
  const Tensors want_others = program.Outputs(others);
  const auto read = Read(module.Bytes(true)).forward({others[0], others[1]});
  module.Freeze();
  const Tensors frozen = module.Call(others);
  ASSERT_EQ(got.size(), 2u);
  for (size_t i = 0; i < 2; ++i) {
    EXPECT_TRUE(got[i].equal(want[i]));
    EXPECT_TRUE(read.toTupleRef().elements()[i].toTensor().equal(want_others[i]));
    EXPECT_TRUE(frozen[i].equal(want_others[i]));
  }
}

TEST(TracedModule, NamesItsTensorsAndArgumentsAsTheModelDoes) {
  TwoOutputs program;
  const auto read = Read(TracedModule(program, kInputs, {"x", "self"}).Bytes(true));
  std::vector<std::string> names;
  for (const auto& buffer : read.named_buffers(/*recurse=*/false)) names.push_back(buffer.name);
  EXPECT_THAT(names, ElementsAre("a_weight", "a_weight_1", "_0_bias"));
  const auto& arguments = read.get_method("forward").function().getSchema().arguments();
  ASSERT_EQ(arguments.size(), 3u);
  EXPECT_EQ(arguments[1].name(), "x");
  EXPECT_EQ(arguments[2].name(), "self_1");
  const auto inputs = read.attr("example_inputs").toTensorVector();
  EXPECT_TRUE(inputs.at(0).equal(kInputs[0]) && inputs.at(1).equal(kInputs[1]));
}

TEST(TracedModule, BytesAreAFunctionOfGraphAndStateAlone) {
  TwoOutputs first, second;
  const Tensors others = {at::zeros({2, 3}), at::tensor({0, 0}, at::kLong)};
  const std::string bytes = TracedModule(first, kInputs, {}).Bytes(false);
  EXPECT_EQ(bytes, TracedModule(second, others, {}).Bytes(false));
  second.State()[2].tensor.add_(1);
  EXPECT_NE(bytes, TracedModule(second, kInputs, {}).Bytes(false));
}

std::string Saved(const torch::jit::Module& module) {
  const std::string path = testing::TempDir() + "/" +
                           testing::UnitTest::GetInstance()->current_test_info()->name() + ".pt";
  module.save(path);
  return path;
}

TEST(TracedModule, BringsBackWhatCallsChangeInIt) {
  torch::jit::Module script("recalls");
  script.register_buffer("state", at::zeros({2}));
  script.register_buffer("weight", at::ones({2}));
  script.register_attribute("seen", c10::IntType::get(), 0);
  script.define(R"(
    def forward(self, x):
        self.state.add_(x * self.weight)
        self.seen = self.seen + 1
        return self.state * self.seen
  )");
  TracedModule module = TracedModule::Read(Saved(script));
  const auto before = module.State();
  EXPECT_EQ(before.size(), 3U);
  module.Keep({"state", "seen", "gone"});
  const Tensors first = module.Call({at::ones({2})});
  const auto after = module.State();
  EXPECT_NE(after.at("state"), before.at("state"));
  EXPECT_NE(after.at("seen"), before.at("seen"));
  EXPECT_EQ(after.at("weight"), before.at("weight"));
  EXPECT_FALSE(module.Call({at::ones({2})})[0].equal(first[0]));
  for (int call = 0; call < 2; ++call) {
    module.Restore();
    EXPECT_EQ(module.State(), before);
    EXPECT_TRUE(module.Call({at::ones({2})})[0].equal(first[0]));
  }
}

TEST(TracedModule, MakesArgumentsOfTensorsWithDottedNames) {
  torch::jit::Module script("nests");
  script.define(R"(
    def forward(self, batch: Dict[str, Tensor], pair: Tuple[Tensor, int], more: List[Tensor], last: Optional[Dict[str, List[Tensor]]] = None):
        total = batch["a.b"] * pair[1] + pair[0] + more[0] + more[1]
        if last is not None:
            total = total + last["k"][1]
        return total
  )");
  TracedModule module = TracedModule::Read(Saved(script));
  const auto arguments = module.Arguments();
  EXPECT_TRUE(arguments[0].has_parts && !arguments[0].takes_tensor && arguments[1].has_parts);
  const auto one = [](double value) { return at::full({2}, value); };
  const auto sum = [](const Tensors& outputs) { return outputs.at(0).sum().item<double>() / 2; };
  module.Take({"more.0", "more.1", "pair.0", "pair.1", "batch.a.b"});
  EXPECT_EQ(sum(module.Call({one(1), one(2), one(10), at::tensor(3), one(100)})), 313);
  module.Take({"more", "pair.0", "pair.1", "batch.a.b", "last.k.0", "last.k.1"});
  EXPECT_EQ(sum(module.Call({at::ones({2, 2}), one(10), at::tensor(3), one(100), one(0), one(5)})),
            317);
  const auto problem = [&](const std::vector<std::string>& names) -> std::string {
    try {
      module.Take(names);
    } catch (const c10::Error& error) {
      return error.what_without_backtrace();
    }
    return "none";
  };
  EXPECT_THAT(problem({"batch.x", "pair.0", "more"}), HasSubstr("missing value for pair.1"));
  EXPECT_THAT(problem({"batch.x", "pair.0", "pair.1", "pair.2", "more"}),
              HasSubstr("pair.2 is no part of an argument"));
  EXPECT_THAT(problem({"batch.x", "more"}), HasSubstr("missing value for argument 'pair'"));
}

TEST(TracedModule, SaysWhatWasInTraining) {
  torch::jit::Module drop("Dropout"), script("root");
  drop.register_attribute("training", c10::BoolType::get(), true);
  drop.define("def forward(self, x):\n    return torch.dropout(x, 0.5, self.training)\n");
  script.register_module("drop", drop);
  script.register_attribute("training", c10::BoolType::get(), true);
  script.define("def forward(self, x):\n    return self.drop.forward(x)\n");
  TracedModule module = TracedModule::Read(Saved(script));
  EXPECT_EQ(module.SwitchedToEvaluation(), "drop (Dropout)");
  EXPECT_EQ(module.TrainingCall(), "");
  EXPECT_TRUE(module.Call({at::ones({9})})[0].equal(at::ones({9})));
}

TEST(TracedModule, FindsCallsThatTrainWhateverTheMode) {
  const auto call = [](const std::string& text) {
    torch::jit::Module script("calls");
    script.register_buffer("mean", at::zeros({3}));
    script.define("def forward(self, x):\n    return " + text + "\n");
    return TracedModule::Read(Saved(script)).TrainingCall();
  };
  EXPECT_EQ(call("torch.dropout(x, 0.5, True)"), "aten::dropout");
  EXPECT_EQ(call("torch.dropout(x, 0.5, False)"), "");
  EXPECT_EQ(call("torch.dropout(x, 0.0, True)"), "");
  const std::string norm = "torch.batch_norm(x, None, None, ", rest = ", 0.1, 1e-5, False)";
  EXPECT_EQ(call(norm + "self.mean, self.mean, True" + rest), "aten::batch_norm");
  EXPECT_EQ(call(norm + "self.mean, self.mean, False" + rest), "");
  EXPECT_EQ(call(norm + "None, None, True" + rest), "") << "it has no statistics of its own";
}

TEST(TracedModule, RecordsGradientsWhereItIsAskedTo) {
  torch::jit::Module script("scales");
  script.register_parameter("weight", at::ones({2}), /*is_buffer=*/false);
  script.define("def forward(self, x):\n    return x * self.weight\n");
  for (at::Tensor parameter : script.parameters()) parameter.set_requires_grad(true);
  TracedModule module = TracedModule::Read(Saved(script));
  EXPECT_FALSE(module.Call({at::ones({2})})[0].requires_grad());
  module.RecordGradients();
  EXPECT_TRUE(module.Call({at::ones({2})})[0].requires_grad());
}

TEST(TracedModule, NamesTheMethodsOfAFileThatHasNoForward) {
  torch::jit::Module script("encoder");
  script.define("def encode(self, x):\n    return x * 2\n");
  try {
    TracedModule::Read(Saved(script));
    FAIL() << "it has no forward";
  } catch (const c10::Error& error) {
    EXPECT_THAT(error.what_without_backtrace(),
                HasSubstr("no method forward, but encode; save one whose forward calls"));
  }
}

}  // namespace
}  // namespace assay::execution

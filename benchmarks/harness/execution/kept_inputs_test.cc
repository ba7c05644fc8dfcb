#include "benchmarks/harness/execution/kept_inputs.h"

#include <ATen/Functions.h>
#include <c10/util/Exception.h>

#include <memory>
#include <utility>
#include <vector>

#include "benchmarks/harness/execution/executable.h"
#include "benchmarks/harness/programs/program.h"
#include "gtest/gtest.h"

namespace assay::execution {
namespace {

class NoProgram final : public Program {
 public:
  StateContract Contract() const override { return StateContract::kPure; }
  std::vector<models::NamedTensor> State() override { return {}; }
  void To(at::Device, at::ScalarType) override {}
  Tensors Outputs(TensorsRef) override { TORCH_CHECK(false, "it has no eager execution"); }
  Tensors Call(Step, TensorsRef) override { TORCH_CHECK(false, "it has no eager execution"); }
};

// Halves its input in place and returns it.
class Halving final : public Executable {
 public:
  explicit Halving(Program& program) : Executable(program) {}
  void SetInputs(Tensors inputs) override { inputs_ = std::move(inputs); }
  const Tensors& Inputs() const override { return inputs_; }
  Tensors Outputs() override { return Call("forward"); }
  void Begin(Step) override {}
  void BeginVerified(Step) override {}
  void Prepare(Step) override {}
  Tensors Call(Step) override {
    inputs_[0].mul_(0.5);
    return {inputs_[0]};
  }

 private:
  Tensors inputs_;
};

TEST(WithKeptInputs, EachCallBeginsWithTheGivenValues) {
  NoProgram program;
  const auto executable = WithKeptInputs(std::make_unique<Halving>(program));
  const at::Tensor given = at::full({2}, 8.0);
  executable->SetInputs({given});
  const Tensors first = executable->Outputs(), second = executable->Outputs();
  EXPECT_TRUE(at::equal(first[0], at::full({2}, 4.0))) << "an output is its own tensor";
  EXPECT_TRUE(at::equal(second[0], at::full({2}, 4.0)));
  executable->Begin("forward");
  for (int call = 0; call < 3; ++call) {
    executable->Prepare("forward");
    EXPECT_TRUE(at::equal(executable->Call("forward")[0], at::full({2}, 4.0)));
  }
  const Tensors last = executable->Call("forward");
  executable->SetInputs({at::full({2}, 10.0)});
  EXPECT_TRUE(at::equal(last[0], at::full({2}, 2.0))) << "kept until the next Prepare()";
  executable->SetInputs({given});
  EXPECT_TRUE(at::equal(given, at::full({2}, 8.0)));
  EXPECT_TRUE(executable->Inputs()[0].is_same(given));
}

TEST(WithKeptInputs, TakesInputsThatWereChangedInPlaceAndOtherShapes) {
  NoProgram program;
  const auto executable = WithKeptInputs(std::make_unique<Halving>(program));
  const at::Tensor given = at::full({2}, 8.0);
  executable->SetInputs({given});
  given.fill_(2.0);
  EXPECT_TRUE(at::equal(executable->Outputs()[0], at::full({2}, 1.0)));
  executable->SetInputs({at::full({3}, 6.0)});
  EXPECT_TRUE(at::equal(executable->Outputs()[0], at::full({3}, 3.0)));
}

}  // namespace
}  // namespace assay::execution

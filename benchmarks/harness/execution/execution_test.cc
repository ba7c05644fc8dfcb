#include <ATen/ops/add.h>
#include <ATen/ops/empty.h>
#include <ATen/ops/equal.h>

#include "benchmarks/harness/execution/executable.h"
#include "benchmarks/harness/execution/seeded_model.h"
#include "gtest/gtest.h"
#include "models/registry.h"

namespace assay::execution {
namespace {

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

ModelImplementation Implementation(const std::string& name) {
  ModelImplementation implementation;
  implementation.set_name(name);
  return implementation;
}

Workload WorkloadOf(int64_t batch, int64_t width) {
  Workload workload;
  workload.set_batch(batch);
  (*workload.mutable_parameters())["width"].set_integer(width);
  TensorSpec& input = *workload.add_inputs();
  input.set_name("input");
  input.mutable_distribution()->mutable_uniform();
  input.set_dtype(FP32);
  input.add_shape(batch);
  input.add_shape(width);
  return workload;
}

TEST(SeededModel, FillsWeightsByNameAndSeed) {
  const auto one = SeededModel(Implementation("adder"), WorkloadOf(1, 64), 7);
  const auto same = SeededModel(Implementation("adder"), WorkloadOf(1, 64), 7);
  const auto other = SeededModel(Implementation("adder"), WorkloadOf(1, 64), 8);
  ASSERT_TRUE(one.ok()) << one.status();
  EXPECT_TRUE(at::equal((*one)->State()[0].tensor, (*same)->State()[0].tensor));
  EXPECT_FALSE(at::equal((*one)->State()[0].tensor, (*other)->State()[0].tensor));
  EXPECT_GT((*one)->State()[0].tensor.abs().max().item<float>(), 1.5);  // the recipe's 2 * u
}

TEST(SeededModel, NamesTheImplementationsThereAre) {
  const auto model = SeededModel(Implementation("subtractor"), WorkloadOf(1, 4), 0);
  ASSERT_FALSE(model.ok());
  EXPECT_NE(model.status().message().find("adder"), std::string::npos);
}

TEST(SeededInputs, RowsOfASmallBatchBeginALargerOne) {
  const auto small = SeededInputs(WorkloadOf(2, 16), FP32, 0, at::kCPU);
  const auto large = SeededInputs(WorkloadOf(8, 16), FP32, 0, at::kCPU);
  ASSERT_TRUE(small.ok()) << small.status();
  EXPECT_TRUE(at::equal((*small)[0], (*large)[0].narrow(0, 0, 2)));
}

TEST(Move, LeavesIntegersAlone) {
  auto model = SeededModel(Implementation("adder"), WorkloadOf(1, 4), 0);
  ASSERT_TRUE(Move(**model, at::kCPU, BF16).ok());
  EXPECT_EQ((*model)->State()[0].tensor.scalar_type(), at::kBFloat16);
  EXPECT_EQ((*model)->State()[1].tensor.scalar_type(), at::kLong);
}

TEST(Prepare, CallsTheModelWithItsInputs) {
  auto model = SeededModel(Implementation("adder"), WorkloadOf(2, 4), 0);
  auto inputs = SeededInputs(WorkloadOf(2, 4), FP32, 0, at::kCPU);
  const at::Tensor expected = at::add((*inputs)[0], (*model)->State()[0].tensor);
  auto executable = Prepare(EAGER, **model, *inputs);
  ASSERT_TRUE(executable.ok());
  const auto outputs = CallOnce(**executable);
  ASSERT_TRUE(outputs.ok());
  EXPECT_TRUE(at::equal((*outputs)[0], expected));
}

TEST(Prepare, RefusesABackendThatIsNotThere) {
  auto model = SeededModel(Implementation("adder"), WorkloadOf(2, 4), 0);
  EXPECT_EQ(Prepare(BACKEND_UNSPECIFIED, **model, {}).status().code(),
            absl::StatusCode::kUnimplemented);
}

TEST(CallOnce, TurnsLibTorchsExceptionIntoAStatus) {
  auto model = SeededModel(Implementation("adder"), WorkloadOf(2, 4), 0);
  auto executable = Prepare(EAGER, **model, {at::empty({2, 5})});
  const auto outputs = CallOnce(**executable);
  ASSERT_FALSE(outputs.ok());
  EXPECT_NE(outputs.status().message().find("running the model"), std::string::npos);
  EXPECT_EQ(outputs.status().message().find("Exception raised from"), std::string::npos);
}

}  // namespace
}  // namespace assay::execution

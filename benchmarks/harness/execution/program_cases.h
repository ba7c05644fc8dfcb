#ifndef ASSAY_BENCHMARKS_HARNESS_EXECUTION_PROGRAM_CASES_H_
#define ASSAY_BENCHMARKS_HARNESS_EXECUTION_PROGRAM_CASES_H_

// ---------------------------------------------------------------------------------------------
// program_cases.h: for tests of programs, two models of a line each, a case of one of them, and calls on the eager back end that
// fail the test where they fail.
//
// Example:
//   const ResolvedCase c = AdderCase(/*batch=*/2, /*width=*/4);
//   const std::unique_ptr<Program> program = Made(c);
//   const Tensors outputs = Called({}, *program, Inputs(c));
// ---------------------------------------------------------------------------------------------

#include <ATen/TensorOperators.h>
#include <ATen/core/Tensor.h>
#include <ATen/ops/add.h>
#include <ATen/ops/empty.h>
#include <ATen/ops/mul.h>
#include <google/protobuf/text_format.h>

#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "absl/status/statusor.h"
#include "benchmarks/harness/execution/eager_backend.h"
#include "benchmarks/harness/execution/executable.h"
#include "benchmarks/harness/programs/program.h"
#include "benchmarks/harness/programs/seeded_program.h"
#include "defs/proto/suite.pb.h"
#include "gtest/gtest.h"
#include "models/model.h"
#include "models/named_tensor.h"
#include "models/registry.h"

namespace assay::execution {

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

inline const bool adder_is_registered = models::Register(
    "adder",
    [](const models::Parameters& parameters) -> absl::StatusOr<std::unique_ptr<models::Model>> {
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

inline const bool doubler_is_registered = models::Register(
    "doubler", [](const models::Parameters&) -> absl::StatusOr<std::unique_ptr<models::Model>> {
      return std::make_unique<Doubler>();
    });

inline ResolvedCase Parsed(const std::string& text) {
  ResolvedCase c;
  EXPECT_TRUE(google::protobuf::TextFormat::ParseFromString(text, &c));
  *c.mutable_verified() = c.measured();
  return c;
}

inline ResolvedCase AdderCase(int64_t batch, int64_t width, uint64_t seed = 0) {
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

inline std::unique_ptr<Program> Made(const ResolvedCase& c) {
  auto program = SeededProgram(c, c.measured());
  EXPECT_TRUE(program.ok()) << program.status();
  return program.ok() ? *std::move(program) : nullptr;
}

inline Tensors Inputs(const ResolvedCase& c) {
  auto inputs =
      SeededInputs(c.measured(), c.benchmark_case().dtype(), c.benchmark_case().seed(), at::kCPU);
  EXPECT_TRUE(inputs.ok()) << inputs.status();
  return inputs.ok() ? *std::move(inputs) : Tensors();
}

inline Tensors Called(const Execution& execution, Program& program, Tensors inputs) {
  const auto executable = LoadEager(execution, program);
  auto outputs = OutputsOf(*executable, std::move(inputs));
  EXPECT_TRUE(outputs.ok()) << outputs.status();
  return outputs.ok() ? *std::move(outputs) : Tensors();
}

}  // namespace assay::execution

#endif  // ASSAY_BENCHMARKS_HARNESS_EXECUTION_PROGRAM_CASES_H_

#include "benchmarks/operators/kernel/traced_operator.h"

#include <ATen/Parallel.h>
#include <ATen/TensorOperators.h>
#include <ATen/ops/full.h>
#include <ATen/ops/zeros.h>
#include <gmock/gmock.h>
#include <google/protobuf/text_format.h>
#include <gtest/gtest.h>
#include <torch/csrc/jit/api/module.h>
#include <torch/library.h>

#include "benchmarks/operators/kernel/right.h"

namespace assay::kernel {
namespace {

using ::testing::HasSubstr;

// y = x * w + n, as a definition's reference would be traced for workloads of 6 and 24 rows.
at::Tensor Scaled(const at::Tensor& x, const at::Tensor& w, const at::Tensor& n) {
  return (x.to(at::kFloat) * w.to(at::kFloat) + n.to(at::kFloat)).to(x.scalar_type());
}
at::Tensor ForgetsSum(const at::Tensor& x, const at::Tensor& w, const at::Tensor& n) {
  return Scaled(x, w, n * (x.size(0) < 20));
}
TORCH_LIBRARY(traced_test, library) {
  for (const char* const name : {"scaled", "forgets_sum"})
    library.def((std::string(name) + "(Tensor x, Tensor w, Tensor n) -> Tensor").c_str());
  library.impl("scaled", c10::DispatchKey::CPU, &Scaled);
  library.impl("forgets_sum", c10::DispatchKey::CPU, &ForgetsSum);
}

OperatorRow TracedRow(const std::string& name) {
  OperatorRow row;
  EXPECT_TRUE(google::protobuf::TextFormat::ParseFromString(
      R"(call {
           inputs { name: "x" dtype: BF16 shape: ["rows", "8"] distribution { normal {} } }
           inputs { name: "w" dtype: BF16 shape: "8" distribution { normal {} } }
           inputs { name: "n" dtype: INT64 shape: "rows" shape: "1"
                    distribution { integers { limit: 2 } } } }
         sizes { sizes { letter: "rows" number: 6 } }
         sizes { sizes { letter: "rows" number: 24 } })",
      &row));
  row.mutable_call()->set_name("flashinfer::" + name);
  row.mutable_traced()->set_schema("flashinfer::" + name +
                                   "(Tensor x, Tensor w, Tensor n) -> Tensor");
  row.mutable_traced()->set_folder(::testing::TempDir());
  for (int place = 0; place < 2; ++place) {
    for (const bool exact : {false, true}) {
      torch::jit::Module module("reference");
      module.register_buffer("fixed_n", at::full({place == 0 ? 6 : 24, 1}, 7, at::kLong));
      module.define(exact ? "def forward(self, x, w, n):\n  return (x * w + n,)\n"
                          : "def forward(self, x, w, n):\n"
                            "  return ((x.float() * w.float() + n).to(x.dtype),)\n");
      module.save(::testing::TempDir() + "/" + std::to_string(place) +
                  (exact ? ".exact.pt" : ".own.pt"));
    }
  }
  EXPECT_TRUE(RegisterTraced(row).ok());
  return row;
}

RightEnd AskedLikeTheTrace(const std::string& candidate) {
  at::set_num_threads(1);
  const OperatorRow row = TracedRow("like_" + candidate);
  return IsRight({.name = "traced_test::" + candidate, .row = row, .threads = 1},
                 {.sizes = {row.sizes().begin(), row.sizes().end()},
                  .dtype = Dtype::BF16,
                  .seed = 7,
                  .no_others = true});
}

TEST(TracedOperatorTest, ATraceIsTheTruthOfItsWorkload) {
  const RightEnd right = AskedLikeTheTrace("scaled");
  EXPECT_EQ(right.state, TrialEnd::State::kRight) << right.failure.DebugString();
  EXPECT_GT(right.verified, 20);
  ASSERT_EQ(right.errors.size(), 2);
  EXPECT_GT(right.errors[1].first, 0);
  const RightEnd wrong = AskedLikeTheTrace("forgets_sum");
  EXPECT_EQ(wrong.state, TrialEnd::State::kWrong);
  EXPECT_EQ(wrong.failure.smallest().sizes(0).number(), 24);
  EXPECT_GT(wrong.errors[1].first, 6.9);  // n is 7 in every row
}

TEST(TracedOperatorTest, IntegersAreThoseOfTheTrace) {
  const OperatorRow row = TracedRow("fixed");
  std::vector<std::pair<std::string, at::Tensor>> inputs = {{"x", at::zeros({24, 8})},
                                                            {"n", at::zeros({24, 1})}};
  ASSERT_TRUE(FixInputs(row, row.sizes(1), inputs).ok());
  EXPECT_EQ(inputs[1].second.sum().item<int64_t>(), 7 * 24);
  EXPECT_EQ(inputs[0].second.sum().item<float>(), 0);
}

TEST(TracedOperatorTest, WhatIsNoSchemaIsRefused) {
  OperatorRow row;
  row.mutable_call()->set_name("flashinfer::no");
  row.mutable_traced()->set_schema("flashinfer::no(Tensor");
  EXPECT_THAT(RegisterTraced(row).message(), HasSubstr("registering flashinfer::no"));
}

}  // namespace
}  // namespace assay::kernel

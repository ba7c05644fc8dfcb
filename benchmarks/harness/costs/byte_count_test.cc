#include "benchmarks/harness/costs/byte_count.h"

#include <ATen/core/Tensor.h>
#include <ATen/ops/_foreach_add.h>
#include <ATen/ops/_fused_adamw.h>
#include <ATen/ops/_fused_sgd.h>
#include <ATen/ops/add.h>
#include <ATen/ops/concat.h>
#include <ATen/ops/conv2d.h>
#include <ATen/ops/embedding.h>
#include <ATen/ops/embedding_bag.h>
#include <ATen/ops/empty_like.h>
#include <ATen/ops/exp.h>
#include <ATen/ops/eye.h>
#include <ATen/ops/gather.h>
#include <ATen/ops/index_select.h>
#include <ATen/ops/linear.h>
#include <ATen/ops/masked_select.h>
#include <ATen/ops/matmul.h>
#include <ATen/ops/mm.h>
#include <ATen/ops/mul.h>
#include <ATen/ops/nll_loss.h>
#include <ATen/ops/nll_loss2d.h>
#include <ATen/ops/ones.h>
#include <ATen/ops/randn.h>
#include <ATen/ops/relu.h>
#include <ATen/ops/scaled_dot_product_attention.h>
#include <ATen/ops/slice_copy.h>
#include <ATen/ops/sum.h>
#include <ATen/ops/take.h>
#include <ATen/ops/tensor.h>
#include <ATen/ops/zeros.h>
#include <ATen/ops/zeros_like.h>
#include <c10/core/InferenceMode.h>
#include <torch/csrc/autograd/autograd.h>

#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "absl/status/status.h"
#include "benchmarks/harness/costs/call_cost.h"
#include "defs/proto/record.pb.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "models/registry.h"

namespace assay::costs {
namespace {

constexpr int64_t kFloatBytes = 4, kLongBytes = 8;  // bytes of an element

// The bytes of a call whose result outlives it.
template <typename Call>
std::optional<int64_t> Touched(Call call) {
  decltype(call()) kept;
  const auto count = CountBytes([&] {
    kept = call();
    return absl::OkStatus();
  });
  EXPECT_TRUE(count.ok()) << count.status();
  return count->bytes;
}

at::Tensor Randn(at::IntArrayRef shape) { return at::randn(shape); }

at::Tensor Indices(std::vector<int64_t> values) { return at::tensor(values, at::kLong); }

// As of a copy to the device and of a program that runs no operators, which nobody counts.
TEST(CallCost, IsUnknownUntilItIsCounted) {
  const CallCost none;
  EXPECT_EQ(none.figures.ByteSizeLong(), 0u) << none.figures.DebugString();
  EXPECT_FALSE(none.flops_known);
}

TEST(CountBytes, IsArgumentsOnceAndResults) {
  const at::Tensor a = Randn({10, 100}), b = Randn({10, 100});
  EXPECT_EQ(Touched([&] { return at::add(a, b); }), 3 * 1000 * kFloatBytes);
  EXPECT_EQ(Touched([&] { return at::add(a, a); }), 2 * 1000 * kFloatBytes);
  EXPECT_EQ(Touched([&] { return at::mul(a, 2); }), 2 * 1000 * kFloatBytes)
      << "a number is no memory";
  EXPECT_EQ(Touched([&] { return at::add(a, Randn({100})); }), (1000 + 1000) * kFloatBytes)
      << "what the call makes and drops is not counted";
  EXPECT_EQ(Touched([&] { return a.to(at::kBFloat16); }), 1000 * kFloatBytes + 1000 * 2);
  EXPECT_EQ(Touched([&] { return at::concat({a, b}, 1); }), 4 * 1000 * kFloatBytes);
}

TEST(CountBytes, IsTheSameWithoutAutograd) {
  const c10::InferenceMode inference;
  const at::Tensor a = Randn({10, 100}), b = Randn({10, 100});
  EXPECT_EQ(Touched([&] { return at::add(a, b); }), 3 * 1000 * kFloatBytes);
  EXPECT_EQ(Touched([&] {
              return at::linear(Randn({2, 3}), a.narrow(1, 0, 3));
            }),
            (30 + 20) * kFloatBytes);
}

TEST(CountBytes, OfProductsIsTheirThreeMatrices) {
  const at::Tensor a = Randn({2, 3}), b = Randn({3, 4});
  EXPECT_EQ(Touched([&] { return at::mm(a, b); }), (6 + 12 + 8) * kFloatBytes);
  const at::Tensor weight = Randn({4, 3}), bias = Randn({4});
  EXPECT_EQ(Touched([&] { return at::linear(a, weight, bias); }), (6 + 12 + 4 + 8) * kFloatBytes)
      << "its transposed weight is a view";
  EXPECT_EQ(Touched([&] {
              return at::matmul(Randn({5, 2, 3}), b);
            }),
            (12 + 5 * 2 * 4) * kFloatBytes);
}

TEST(CountBytes, OfAConvolutionIsInputWeightBiasAndResult) {
  const at::Tensor x = Randn({1, 3, 8, 8}), weight = Randn({4, 3, 3, 3}), bias = Randn({4});
  EXPECT_EQ(Touched([&] { return at::conv2d(x, weight, bias, 1, 1); }),
            (3 * 64 + 4 * 27 + 4 + 4 * 64) * kFloatBytes);
}

TEST(CountBytes, OfATableIsTheRowsThatIndicesName) {
  const at::Tensor table = Randn({1000, 8}), indices = Indices({1, 5, 5, 9});
  const int64_t named = 3 * 8 * kFloatBytes + 4 * kLongBytes;
  EXPECT_EQ(Touched([&] { return at::embedding(table, indices); }), named + 4 * 8 * kFloatBytes);
  EXPECT_EQ(Touched([&] { return at::index_select(table, 0, indices); }),
            named + 4 * 8 * kFloatBytes);
  EXPECT_EQ(Touched([&] { return table.index({indices}); }), named + 4 * 8 * kFloatBytes);
  const at::Tensor offsets = Indices({0, 2});
  EXPECT_EQ(Touched([&] { return std::get<0>(at::embedding_bag(table, indices, offsets)); }),
            named + 2 * kLongBytes + 2 * 8 * kFloatBytes);
  EXPECT_EQ(Touched([&] { return at::index_select(table, 1, Indices({7})); }),
            2 * 1000 * kFloatBytes)
      << "a column";
  EXPECT_EQ(Touched([&] {
              return at::gather(table, 0, at::zeros({2, 8}, at::kLong));
            }),
            2 * 16 * kFloatBytes)
      << "the index is the call's own, as above";
}

// One operator for each kind of argument that says what is read.
TEST(CountBytes, OfATableIsWhatAMaskOrSeveralIndicesName) {
  const at::Tensor table = Randn({1000, 8}), indices = Indices({1, 5, 5, 9});
  const at::Tensor narrow = indices.to(at::kInt), columns = Indices({1, 5, 5, 7});
  EXPECT_EQ(Touched([&] { return table.index({narrow}); }), (3 * 8 + 4 + 4 * 8) * kFloatBytes);
  const at::Tensor row_mask = at::zeros({1000}, at::kBool), mask = at::zeros({1000, 8}, at::kBool);
  row_mask.narrow(0, 4, 3).fill_(true);
  mask[7].narrow(0, 0, 5).fill_(true);
  EXPECT_EQ(Touched([&] { return table.index({row_mask}); }), 2 * 3 * 8 * kFloatBytes + 1000);
  EXPECT_EQ(Touched([&] { return at::masked_select(table, mask); }), 2 * 5 * kFloatBytes + 8000);
  EXPECT_EQ(Touched([&] {
              return table.index({indices, columns});
            }),
            2 * 4 * kFloatBytes + 2 * 4 * kLongBytes);
  EXPECT_EQ(Touched([&] { return at::take(table, indices); }),
            2 * 4 * kFloatBytes + 4 * kLongBytes);
}

TEST(CountBytes, OfALossOfClassesIsOneScoreOfEachRow) {
  const at::Tensor scores = Randn({4, 1000}), images = Randn({2, 50, 3, 5});
  const at::Tensor rows = Indices({1, 5, 5, 9}), pixels = at::ones({2, 3, 5}, at::kLong);
  EXPECT_EQ(Touched([&] { return at::nll_loss(scores, rows); }),
            (4 + 1) * kFloatBytes + 4 * kLongBytes);
  EXPECT_EQ(Touched([&] { return at::nll_loss2d(images, pixels); }),
            (30 + 1) * kFloatBytes + 30 * kLongBytes);
}

TEST(CountBytes, OfATableThatIsReadWholeTooIsTheTable) {
  const at::Tensor table = Randn({100, 8}), indices = Indices({1, 2});
  EXPECT_EQ(Touched([&] { return at::mm(at::embedding(table, indices), table.t()); }),
            100 * 8 * kFloatBytes + 2 * kLongBytes + 2 * 100 * kFloatBytes);
}

TEST(CountBytes, OfViewsIsNothing) {
  const at::Tensor x = Randn({10, 100});
  EXPECT_EQ(Touched([&] { return x.view({100, 10}); }), 0);
  EXPECT_EQ(Touched([&] { return x.t().narrow(0, 3, 5).unsqueeze(0).expand({7, 5, 10}); }), 0);
  EXPECT_EQ(Touched([&] { return x.reshape({-1}); }), 0);
  EXPECT_EQ(Touched([&] { return at::empty_like(x); }), 0) << "nothing was written";
  EXPECT_EQ(Touched([&] { return at::zeros_like(x); }), 1000 * kFloatBytes) << "nothing was read";
}

TEST(CountBytes, OfAPartIsThePart) {
  const at::Tensor x = Randn({10, 100});
  EXPECT_EQ(Touched([&] { return x.narrow(0, 0, 2).clone(); }), 2 * 200 * kFloatBytes);
  EXPECT_EQ(Touched([&] { return at::slice_copy(x, 0, 0, 2); }), 2 * 200 * kFloatBytes);
  const at::Tensor one = Randn({1, 1});
  EXPECT_EQ(Touched([&] { return one.expand({10, 100}).contiguous(); }), (1 + 1000) * kFloatBytes);
  EXPECT_EQ(Touched([&] {
              return x.narrow(1, 0, 1).expand({10, 100}).contiguous();
            }),
            (10 + 1000) * kFloatBytes)
      << "a column, though its memory is as large as what it is expanded to";
  EXPECT_EQ(Touched([&] { return x.narrow(1, 0, 1).expand({10, 0}).clone(); }), 0);
  EXPECT_EQ(Touched([&] {
              return std::vector<at::Tensor>{x.narrow(0, 0, 9).clone(), x.clone()};
            }),
            (1000 + 900 + 1000) * kFloatBytes)
      << "parts that overlap are no more than the whole";
}

TEST(CountBytes, InPlaceReadsAndWrites) {
  const at::Tensor x = Randn({10, 100}), y = Randn({10, 100});
  EXPECT_EQ(Touched([&] { return x.add_(1); }), 2 * 1000 * kFloatBytes);
  EXPECT_EQ(Touched([&] { return x.add_(y); }), 3 * 1000 * kFloatBytes);
  EXPECT_EQ(Touched([&] { return x.copy_(y); }), 2 * 1000 * kFloatBytes)
      << "what was there is not read";
  EXPECT_EQ(Touched([&] { return x.zero_(); }), 1000 * kFloatBytes);
  at::Tensor out = Randn({10, 100});
  EXPECT_EQ(Touched([&] { return at::add_out(out, x, y); }), 3 * 1000 * kFloatBytes);
  EXPECT_EQ(Touched([&] { return at::add(x, y).relu_(); }), 3 * 1000 * kFloatBytes);
  EXPECT_EQ(Touched([&] {
              return x.index_copy_(0, Indices({4}), Randn({1, 100}));
            }),
            100 * kFloatBytes)
      << "a row, from memory of the call's own";
  const at::Tensor index = Indices({4, 7}), rows = Randn({2, 100});
  EXPECT_EQ(Touched([&] { return x.index_add_(0, index, rows); }),
            3 * 200 * kFloatBytes + 2 * kLongBytes);
  EXPECT_EQ(Touched([&] {
              at::_foreach_add_(std::vector<at::Tensor>{x, y}, 1);
              return 0;
            }),
            4 * 1000 * kFloatBytes);
}

// The schema says that gradients are written, too.
TEST(CountBytes, OfAFusedUpdateIsReadAndWrittenButForTheGradients) {
  const at::Tensor weight = Randn({1000}), gradient = Randn({1000}), first = Randn({1000}),
                   second = Randn({1000}).abs(), steps = at::tensor({1.0F});
  const std::optional<at::Tensor> two = at::tensor({2.0F});
  const auto sgd = [&](const std::optional<at::Tensor>& scale) {
    at::_fused_sgd_({weight}, {gradient}, {first}, 0, 0.9, 1e-3, 0, false, false, false, scale);
    return weight;
  };
  EXPECT_EQ(Touched([&] { return sgd(std::nullopt); }), 5 * 1000 * kFloatBytes);
  EXPECT_EQ(Touched([&] { return sgd(two); }), (6 * 1000 + 1) * kFloatBytes);
  EXPECT_EQ(Touched([&] {
              at::_fused_adamw_({weight}, {gradient}, {first}, {second}, {}, {steps}, 1e-3, 0.9,
                                0.999, 0, 1e-8, false, false);
              return weight;
            }),
            (7 * 1000 + 1) * kFloatBytes);
}

TEST(CountBytes, LeavesOutWhatLiesBetween) {
  const at::Tensor x = Randn({10, 100});
  EXPECT_EQ(Touched([&] { return at::sum(at::exp(at::relu(x))); }), (1000 + 1) * kFloatBytes);
}

TEST(CountBytes, OfBackwardIsWhatWasSavedAndGradients) {
  const at::Tensor a = Randn({2, 3}).requires_grad_(true), b = Randn({3, 4}).requires_grad_(true);
  const at::Tensor start = Randn({2, 4});
  const auto backward = [&](const at::Tensor& result) {
    return Touched([&] {
      torch::autograd::backward({result}, {start});
      return 0;
    });
  };
  EXPECT_EQ(backward(at::mm(a, b)), (6 + 12 + 8 + 6 + 12) * kFloatBytes);
  EXPECT_EQ(backward(at::mm(a, b)), (6 + 12 + 8 + 2 * (6 + 12)) * kFloatBytes)
      << "gradients that are added to those that are there";
  const at::Tensor table = Randn({50, 4}).requires_grad_(true), indices = Indices({3, 3});
  EXPECT_EQ(backward(at::embedding(table, indices)), (8 + 50 * 4) * kFloatBytes + 2 * kLongBytes)
      << "the gradient of a table is whole";
}

TEST(CountBytes, OfAForwardPassIsAlsoWhatItSaves) {
  const at::Tensor x = Randn({10, 100}).requires_grad_(true);
  EXPECT_EQ(Touched([&] { return at::exp(at::exp(x)); }), 3 * 1000 * kFloatBytes);
}

TEST(CountBytes, OfAModelIsItsStateInputsAndOutputs) {
  const c10::InferenceMode inference;
  models::Parameters parameters;
  for (const char* name : {"in_features", "hidden_features", "out_features"})
    parameters.Set(name, int64_t{16});
  const auto model = models::Create("mlp", parameters);
  ASSERT_TRUE(model.ok()) << model.status();
  int64_t state = 0;
  for (const models::NamedTensor& entry : (*model)->State())
    state += static_cast<int64_t>(entry.tensor.nbytes());
  ASSERT_EQ(state, 3 * (16 * 16 + 16) * kFloatBytes);
  const at::Tensor x = Randn({2, 16});
  EXPECT_EQ(Touched([&] { return (*model)->Forward({x}); }), state + 2 * 2 * 16 * kFloatBytes);
}

TEST(CountBytes, IsUnknownWhereNobodyCanTell) {
  const at::Tensor sparse = at::eye(4).to_sparse();
  EXPECT_EQ(Touched([&] { return at::mm(sparse, Randn({4, 4})); }), std::nullopt);
  EXPECT_EQ(Touched([&] { return at::eye(4).to_sparse(); }), std::nullopt);
}

TEST(CountBytes, GivesTheErrorOfTheCall) {
  EXPECT_EQ(CountBytes([] { return absl::AbortedError("no"); }).status().message(), "no");
}

TEST(CountBytes, CountsOperatorsThatReadOrWriteMemory) {
  const at::Tensor x = Randn({2, 8}), weight = Randn({4, 8}), bias = Randn({4});
  const at::Tensor image = Randn({1, 3, 8, 8}), kernel = Randn({4, 3, 3, 3});
  at::Tensor y;
  const auto operators = [&](const std::function<at::Tensor()>& call) {
    const auto count = CountBytes([&] {
      y = call();
      return absl::OkStatus();
    });
    return count->operators;
  };
  EXPECT_EQ(operators([&] { return at::add(x, x); }), 1);
  EXPECT_EQ(operators([&] { return at::relu(at::add(x, x)).add_(1); }), 3);
  EXPECT_EQ(operators([&] { return at::linear(x, weight, bias); }), 1) << "of it only addmm";
  EXPECT_EQ(operators([&] { return at::conv2d(image, kernel); }), 1) << "whatever it calls";
  EXPECT_EQ(operators([&] { return x.t().reshape({2, 8}).contiguous(); }), 1) << "one copy";
  EXPECT_EQ(operators([&] { return x.view({4, 4}).t().contiguous().to(at::kFloat); }), 1);
  EXPECT_EQ(operators([&] { return x.t(); }), 0);
  EXPECT_EQ(operators([&] { return at::empty_like(x); }), 0) << "an allocation";
  EXPECT_EQ(operators([&] { return at::zeros_like(x); }), 1);
  EXPECT_EQ(operators([&] { return at::eye(4).to_sparse(); }), 2) << "of unknown bytes";
}

TEST(CountCost, IsAllCountsOfOneCall) {
  const at::Tensor a = Randn({2, 3}), b = Randn({3, 4});
  at::Tensor result;
  int calls = 0;
  const absl::StatusOr<CallCost> cost = CountCost([&] {
    ++calls;
    result = at::mm(a, b);
    return absl::OkStatus();
  });
  ASSERT_TRUE(cost.ok()) << cost.status();
  EXPECT_EQ(cost->figures.bytes_per_call(), (6 + 12 + 8) * kFloatBytes);
  EXPECT_EQ(cost->figures.flops_per_call(), 48);
  EXPECT_EQ(cost->figures.operators_per_call(), 1);
  EXPECT_EQ(calls, 1);
  EXPECT_EQ(CountCost([] { return absl::AbortedError("no"); }).status().message(), "no");
}

TEST(CountCost, NamesTheKernelsOfAttentionOnce) {
  const at::Tensor x = Randn({1, 2, 8, 16});
  at::Tensor y;
  const absl::StatusOr<CallCost> cost = CountCost([&] {
    for (int call = 0; call < 2; ++call) y = at::scaled_dot_product_attention(x, x, x);
    y = at::scaled_dot_product_attention(x[0], x[0], x[0]);
    return absl::OkStatus();
  });
  EXPECT_THAT(cost->figures.attention_kernels(), testing::ElementsAre("flash", "math"));
  const absl::StatusOr<CallCost> none = CountCost([] { return absl::OkStatus(); });
  EXPECT_TRUE(none->figures.attention_kernels().empty());
}

TEST(AddCost, EntersEachFigureAndLeavesTheOthers) {
  CallCost cost;
  cost.figures.set_bytes_per_call(5);
  cost.figures.add_attention_kernels("math");
  Measurement measurement;
  measurement.set_median_ns(3);
  AddCost(cost, measurement);
  EXPECT_EQ(measurement.bytes_per_call(), 5);
  EXPECT_THAT(measurement.attention_kernels(), testing::ElementsAre("math"));
  EXPECT_EQ(measurement.median_ns(), 3);
}

}  // namespace
}  // namespace assay::costs

#include "benchmarks/harness/costs/flop_count.h"

#include <ATen/core/Tensor.h>
#include <ATen/ops/_int_mm.h>
#include <ATen/ops/addmm.h>
#include <ATen/ops/addmv.h>
#include <ATen/ops/baddbmm.h>
#include <ATen/ops/batch_norm.h>
#include <ATen/ops/bilinear.h>
#include <ATen/ops/bmm.h>
#include <ATen/ops/cdist.h>
#include <ATen/ops/conv1d.h>
#include <ATen/ops/conv2d.h>
#include <ATen/ops/conv3d.h>
#include <ATen/ops/conv_tbc.h>
#include <ATen/ops/conv_transpose1d.h>
#include <ATen/ops/conv_transpose2d.h>
#include <ATen/ops/conv_transpose3d.h>
#include <ATen/ops/dot.h>
#include <ATen/ops/einsum.h>
#include <ATen/ops/embedding.h>
#include <ATen/ops/eye.h>
#include <ATen/ops/fft_fft.h>
#include <ATen/ops/gru.h>
#include <ATen/ops/gru_cell.h>
#include <ATen/ops/layer_norm.h>
#include <ATen/ops/linalg_cholesky.h>
#include <ATen/ops/linalg_inv.h>
#include <ATen/ops/linalg_solve.h>
#include <ATen/ops/linalg_svd.h>
#include <ATen/ops/linalg_vector_norm.h>
#include <ATen/ops/linear.h>
#include <ATen/ops/lstm.h>
#include <ATen/ops/matmul.h>
#include <ATen/ops/mm.h>
#include <ATen/ops/mv.h>
#include <ATen/ops/ones.h>
#include <ATen/ops/randn.h>
#include <ATen/ops/relu.h>
#include <ATen/ops/scaled_dot_product_attention.h>
#include <ATen/ops/softmax.h>
#include <ATen/ops/tensordot.h>
#include <ATen/ops/upsample_linear1d.h>
#include <ATen/ops/zeros.h>
#include <c10/core/InferenceMode.h>

#include <fstream>
#include <functional>
#include <map>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "absl/status/status.h"
#include "benchmarks/harness/costs/operator_flops.h"
#include "gtest/gtest.h"
#include "models/registry.h"

namespace assay::costs {
namespace {

using GoldenCalls = std::map<std::string, std::function<void()>>;

const std::vector<int64_t> kUnpadded = {0, 0};  // a plain 0 could be read as a null pointer

std::optional<FlopCount> Count(const std::function<void()>& call) {
  const auto count = CountFlops([&] {
    call();
    return absl::OkStatus();
  });
  EXPECT_TRUE(count.ok()) << count.status();
  return *count;
}

std::optional<double> Flops(const std::function<void()>& call) {
  const std::optional<FlopCount> count = Count(call);
  return count ? std::optional(count->all) : std::nullopt;
}

at::Tensor R(at::IntArrayRef shape) { return at::randn(shape); }

at::Tensor Attend(at::IntArrayRef q, at::IntArrayRef k, at::IntArrayRef v,
                  const std::optional<at::Tensor>& mask = {}, bool causal = false,
                  bool grouped = false) {
  return at::scaled_dot_product_attention(R(q), R(k), R(v), mask, 0, causal, {}, grouped);
}

// Runs forward and backward, with gradients for all tensors.
void Train(const std::function<at::Tensor(const execution::Tensors&)>& call,
           const execution::Tensors& tensors) {
  for (const at::Tensor& tensor : tensors) tensor.requires_grad_(true);
  call(tensors).sum().backward();
}

// The calls of ci/goldens/flop_goldens.py, under the same names.
GoldenCalls Products() {
  return {
      {"mm",
       [] {
         at::mm(R({2, 3}), R({3, 4}));
       }},
      {"addmm",
       [] {
         at::addmm(R({4}), R({2, 3}), R({3, 4}));
       }},
      {"bmm",
       [] {
         at::bmm(R({5, 2, 3}), R({5, 3, 4}));
       }},
      {"baddbmm",
       [] {
         at::baddbmm(R({5, 2, 4}), R({5, 2, 3}), R({5, 3, 4}));
       }},
      {"matmul_2d",
       [] {
         at::matmul(R({2, 3}), R({3, 4}));
       }},
      {"matmul_3d",
       [] {
         at::matmul(R({5, 2, 3}), R({5, 3, 4}));
       }},
      {"matmul_broadcast",
       [] {
         at::matmul(R({6, 1, 2, 3}), R({5, 3, 4}));
       }},
      {"matmul_3d_by_2d",
       [] {
         at::matmul(R({5, 2, 3}), R({3, 4}));
       }},
      {"linear",
       [] {
         at::linear(R({2, 3}), R({4, 3}), R({4}));
       }},
      {"linear_3d",
       [] {
         at::linear(R({5, 2, 3}), R({4, 3}), R({4}));
       }},
      {"linear_without_bias",
       [] {
         at::linear(R({5, 2, 3}), R({4, 3}));
       }},
      {"einsum_product",
       [] {
         at::einsum("bij,bjk->bik", {R({5, 2, 3}), R({5, 3, 4})});
       }},
      {"einsum_heads",
       [] {
         at::einsum("bqhd,bkhd->bhqk", {R({2, 5, 3, 4}), R({2, 6, 3, 4})});
       }},
      {"einsum_transpose",
       [] {
         at::einsum("ij->ji", {R({2, 3})});
       }},
      {"tensordot",
       [] {
         at::tensordot(R({2, 3, 4}), R({3, 4, 5}), {1, 2}, {0, 1});
       }},
      {"gru_cell",
       [] {
         at::gru_cell(R({2, 3}), R({2, 4}), R({12, 3}), R({12, 4}), R({12}), R({12}));
       }},
      {"relu", [] { at::relu(R({5})); }},
  };
}

GoldenCalls Convolutions() {
  return {
      {"conv1d",
       [] {
         at::conv1d(R({2, 3, 20}), R({4, 3, 5}), R({4}), 2, 1);
       }},
      {"conv2d",
       [] {
         at::conv2d(R({2, 3, 9, 10}), R({4, 3, 3, 5}), R({4}), {2, 1}, {1, 2});
       }},
      {"conv2d_dilated",
       [] {
         at::conv2d(R({2, 3, 12, 12}), R({4, 3, 3, 3}), {}, 1, kUnpadded, /*dilation=*/2);
       }},
      {"conv2d_groups",
       [] {
         at::conv2d(R({2, 6, 8, 8}), R({9, 2, 3, 3}), {}, 1, kUnpadded, 1, /*groups=*/3);
       }},
      {"conv2d_depthwise",
       [] {
         at::conv2d(R({2, 6, 8, 8}), R({6, 1, 3, 3}), {}, 1, 1, 1, /*groups=*/6);
       }},
      {"conv2d_unbatched",
       [] {
         at::conv2d(R({3, 9, 10}), R({4, 3, 3, 3}));
       }},
      {"conv2d_same",
       [] {
         at::conv2d(R({2, 3, 9, 10}), R({4, 3, 3, 5}), {}, 1, "same");
       }},
      {"conv2d_same_even",
       [] {
         at::conv2d(R({2, 3, 9, 10}), R({4, 3, 2, 4}), {}, 1, "same");
       }},
      {"conv2d_valid",
       [] {
         at::conv2d(R({2, 3, 9, 10}), R({4, 3, 3, 3}), {}, 1, "valid");
       }},
      {"conv3d",
       [] {
         at::conv3d(R({2, 3, 5, 6, 7}), R({4, 3, 3, 2, 3}), {}, 2, 1);
       }},
      {"conv_transpose1d",
       [] {
         at::conv_transpose1d(R({2, 3, 10}), R({3, 4, 5}), {}, 2);
       }},
      {"conv_transpose2d",
       [] {
         at::conv_transpose2d(R({2, 3, 5, 6}), R({3, 4, 3, 3}), {}, 2, 1, 1);
       }},
      {"conv_transpose2d_groups",
       [] {
         at::conv_transpose2d(R({2, 6, 5, 6}), R({6, 2, 3, 3}), {}, 1, 0, 0, 3);
       }},
      {"conv_transpose3d",
       [] {
         at::conv_transpose3d(R({2, 3, 4, 5, 6}), R({3, 4, 2, 3, 2}), {}, 2);
       }},
  };
}

GoldenCalls Attentions() {
  return {
      {"attention",
       [] {
         Attend({2, 3, 5, 8}, {2, 3, 5, 8}, {2, 3, 5, 8});
       }},
      {"attention_cross",
       [] {
         Attend({2, 3, 5, 8}, {2, 3, 7, 8}, {2, 3, 7, 6});
       }},
      {"attention_causal",
       [] {
         Attend({2, 3, 5, 8}, {2, 3, 5, 8}, {2, 3, 5, 8}, {}, true);
       }},
      {"attention_masked",
       [] {
         Attend({2, 3, 5, 8}, {2, 3, 7, 8}, {2, 3, 7, 8}, R({2, 1, 5, 7}));
       }},
      {"attention_grouped_query",
       [] {
         Attend({2, 6, 5, 8}, {2, 2, 5, 8}, {2, 2, 5, 8}, {}, false, /*grouped=*/true);
       }},
  };
}

GoldenCalls TrainingSteps() {
  return {
      {"train_mm",
       [] {
         Train([](auto& t) { return t[0].mm(t[1]); }, {R({2, 3}), R({3, 4})});
       }},
      {"train_linear",
       [] {
         Train([](auto& t) { return at::linear(t[0], t[1], t[2]); },
               {R({5, 2, 3}), R({4, 3}), R({4})});
       }},
      {"train_bmm",
       [] {
         Train([](auto& t) { return t[0].bmm(t[1]); }, {R({5, 2, 3}), R({5, 3, 4})});
       }},
      {"train_conv1d",
       [] {
         Train([](auto& t) { return at::conv1d(t[0], t[1], t[2], 2, 1); },
               {R({2, 3, 20}), R({4, 3, 5}), R({4})});
       }},
      {"train_conv2d",
       [] {
         Train([](auto& t) { return at::conv2d(t[0], t[1], {}, 2, 1); },
               {R({2, 3, 9, 10}), R({4, 3, 3, 3})});
       }},
      {"train_conv2d_weight_only",
       [] {
         Train(
             [](auto& t) {
               return at::conv2d(at::ones({2, 3, 9, 10}), t[0]);
             },
             {R({4, 3, 3, 3})});
       }},
      {"train_conv_transpose2d",
       [] {
         Train([](auto& t) { return at::conv_transpose2d(t[0], t[1], {}, 2); },
               {R({2, 3, 5, 6}), R({3, 4, 3, 3})});
       }},
  };
}

const nlohmann::json& FlopGoldens() {
  static const auto* const goldens = new nlohmann::json(
      nlohmann::json::parse(std::ifstream("benchmarks/harness/costs/testdata/flop_goldens.json")));
  return *goldens;
}

void ExpectGoldens(const GoldenCalls& calls) {
  for (const auto& [name, call] : calls) {
    EXPECT_EQ(Flops(call), FlopGoldens().at("flops").at(name).get<double>()) << name;
  }
}

TEST(CountFlops, AgreesWithTorchsFlopCounterOnMatrixProducts) { ExpectGoldens(Products()); }
TEST(CountFlops, AgreesWithTorchsFlopCounterOnConvolutions) { ExpectGoldens(Convolutions()); }
TEST(CountFlops, AgreesWithTorchsFlopCounterOnAttention) { ExpectGoldens(Attentions()); }
TEST(CountFlops, AgreesWithTorchsFlopCounterOnTraining) { ExpectGoldens(TrainingSteps()); }

TEST(CountFlops, AgreesInInferenceModeAndLowPrecisionToo) {
  const c10::InferenceMode guard;
  ExpectGoldens(Products());
  ExpectGoldens(Convolutions());
  ExpectGoldens(Attentions());
  EXPECT_EQ(Flops([] { at::mm(R({2, 3}).to(at::kBFloat16), R({3, 4}).to(at::kBFloat16)); }), 48);
}

TEST(CountFlops, CallsAllThatTheGoldensHold) {
  size_t calls = 0;
  for (const GoldenCalls& some : {Products(), Convolutions(), Attentions(), TrainingSteps()}) {
    calls += some.size();
  }
  EXPECT_EQ(calls + 1, FlopGoldens().at("flops").size()) << "one is in the test below";
}

double PaddingFlops(const std::function<void()>& call) { return Count(call).value().padding; }

TEST(CountFlops, KnowsTheProductsWithPadding) {
  // In each direction the kernel's three places meet 2, 3 and 2 of three elements: 7 of 9.
  const double square = 2 * (81 - 49);
  EXPECT_EQ(PaddingFlops([] { at::conv2d(R({1, 1, 3, 3}), R({1, 1, 3, 3}), {}, 1, 1); }), square);
  EXPECT_EQ(PaddingFlops([] {
              at::conv2d(R({5, 6, 3, 3}), R({4, 3, 3, 3}), {}, 1, 1, 1, 2);
            }),
            5 * 4 * 3 * square);
  EXPECT_EQ(PaddingFlops([] {
              at::conv2d(R({5, 6, 3, 3}), R({4, 6, 3, 3}), {}, 1, kUnpadded);
            }),
            0);
  // The output starts at -2, 0 and 2: the kernel's five places meet 2, 3 and 2 of the input's
  // elements there.
  EXPECT_EQ(PaddingFlops([] { at::conv1d(R({1, 1, 5}), R({1, 1, 3}), {}, 2, 2, 2); }), 2 * (9 - 7));
  // A transposed convolution cuts off two of three places at each of three elements.
  EXPECT_EQ(PaddingFlops([] {
              at::conv_transpose1d(R({1, 1, 3}), R({1, 1, 3}), {}, 1, 1);
            }),
            2 * (9 - 7));
  // From -1, 1 and 3 on, with a last element at 5 that output_padding adds: 2, 3 and 3 of three.
  const auto padded = [](const execution::Tensors& t) {
    return at::conv_transpose1d(t[0], t[1], {}, /*stride=*/2, /*padding=*/1, /*output_padding=*/1);
  };
  EXPECT_EQ(PaddingFlops([&] { padded({R({1, 1, 3}), R({1, 1, 3})}); }), 2 * (9 - 8));
  EXPECT_EQ(PaddingFlops([&] { Train(padded, {R({1, 1, 3}), R({1, 1, 3})}); }), 3 * 2 * (9 - 8));
  EXPECT_EQ(PaddingFlops([] {
              Train([](auto& t) { return at::conv2d(t[0], t[1], {}, 1, 1); },
                    {R({1, 1, 3, 3}), R({1, 1, 3, 3})});
            }),
            3 * square);
  EXPECT_EQ(PaddingFlops([] { at::mm(R({2, 3}), R({3, 4})); }), 0);
}

TEST(CountFlops, AGroupsWeightGradientReadsItsOwnChannelsOnly) {
  const double forward = 2.0 * 2 * 36 * 9 * 2 * 9;
  EXPECT_EQ(Flops([] {
              Train(
                  [](auto& t) { return at::conv2d(t[0], t[1], {}, 1, kUnpadded, 1, /*groups=*/3); },
                  {R({2, 6, 8, 8}), R({9, 2, 3, 3})});
            }),
            3 * forward);
  EXPECT_EQ(FlopGoldens().at("flops").at("train_conv2d_groups").get<double>(), (2 + 3) * forward)
      << "flop_counter counts right now: move this call to the others";
}

TEST(CountFlops, CountsVectorsAsMatricesOfOneColumn) {
  EXPECT_EQ(Flops([] { at::mv(R({2, 3}), R({3})); }), 12);
  EXPECT_EQ(Flops([] { at::matmul(R({2, 3}), R({3})); }), 12);
  EXPECT_EQ(Flops([] { at::addmv(R({2}), R({2, 3}), R({3})); }), 12);
  EXPECT_EQ(Flops([] { at::dot(R({3}), R({3})); }), 6);
}

TEST(CountFlops, OfFusedAttentionsTrainingIsThatOfTorchsFormula) {
  const double product = 2.0 * 2 * 3 * 5 * 5 * 8;
  const auto flops = Flops([] {
    Train([](auto& t) { return at::scaled_dot_product_attention(t[0], t[1], t[2]); },
          {R({2, 3, 5, 8}), R({2, 3, 5, 8}), R({2, 3, 5, 8})});
  });
  EXPECT_EQ(flops, 7 * product) << "two forward; five backward, the scores' again among them";
}

TEST(CountFlops, InPlaceAndOutVariantsCountAlike) {
  at::Tensor out = R({2, 4});
  EXPECT_EQ(Flops([&] { out.addmm_(R({2, 3}), R({3, 4})); }), 48);
  EXPECT_EQ(Flops([&] { at::mm_out(out, R({2, 3}), R({3, 4})); }), 48);
}

TEST(CountFlops, CountsAnOperatorThatOnlyCallsOthersByThose) {
  // Three matrix products, one for each place of the kernel.
  EXPECT_EQ(Flops([] {
              at::conv_tbc(R({9, 2, 3}), R({3, 3, 4}), R({4}));
            }),
            3 * 2.0 * 7 * 2 * 3 * 4);
}

TEST(CountFlops, AddsUpOverOperators) {
  EXPECT_EQ(Flops([] {
              at::mm(R({2, 3}), R({3, 4}));
              at::relu(at::mm(R({2, 3}), R({3, 4})));
            }),
            96);
  EXPECT_EQ(Flops([] {}), 0) << "each count starts anew";
}

// Each call also has an operator that is counted, so the sum would be too small a number.
TEST(CountFlops, IsUnknownWhereAProductIsNotCounted) {
  const GoldenCalls calls = {
      {"bilinear",
       [] {
         at::bilinear(R({2, 3}), R({2, 4}), R({5, 3, 4}), R({5}));
       }},
      {"cdist",
       [] {
         at::cdist(R({2, 3}), R({4, 3}), 1.0);
       }},
      {"fft", [] { at::fft_fft(R({8})); }},
      {"inverse", [] { at::linalg_inv(at::eye(3)); }},
      {"solve", [] { at::linalg_solve(at::eye(3), R({3})); }},
      {"singular values",
       [] {
         at::linalg_svd(R({3, 3}));
       }},
      {"cholesky", [] { at::linalg_cholesky(at::eye(3)); }},
      {"sparse",
       [] {
         at::mm(at::eye(3).to_sparse(), R({3, 4}));
       }},
      {"integers",
       [] {
         at::_int_mm(at::ones({32, 32}, at::kChar), at::ones({32, 32}, at::kChar));
       }},
  };
  for (const auto& [name, call] : calls) {
    EXPECT_EQ(Flops([&] {
                at::mm(R({2, 3}), R({3, 4}));
                call();
              }),
              std::nullopt)
        << name;
  }
}

// Both weights meet each of 2 rows in each of 5 steps; gates: 4 in an LSTM, 3 in a GRU. In float32
// an LSTM is one kernel of oneDNN, and all else is made of matrix products.
TEST(CountFlops, RecurrentNetworksAsTheirProducts) {
  const auto lstm = [](const execution::Tensors& t) {
    const auto weights = at::TensorList(t).slice(2);
    return std::get<0>(at::lstm(t[0], {t[1], t[1]}, weights, true, 1, 0, false, false, false));
  };
  const auto gru = [](const execution::Tensors& t) {
    const auto weights = at::TensorList(t).slice(2);
    return std::get<0>(at::gru(t[0], t[1], weights, true, 1, 0, false, false, false));
  };
  for (const at::ScalarType dtype : {at::kFloat, at::kDouble}) {
    const auto tensors = [dtype](int64_t rows) {
      execution::Tensors made = {R({5, 2, 3}), R({1, 2, 4}), R({rows, 3}),
                                 R({rows, 4}), R({rows}),    R({rows})};
      for (at::Tensor& tensor : made) tensor = tensor.to(dtype);
      return made;
    };
    const auto forward = [](double rows) { return 2 * 5 * 2 * rows * (3 + 4); };
    EXPECT_EQ(Flops([&] { lstm(tensors(16)); }), forward(16)) << dtype;
    EXPECT_EQ(Flops([&] { gru(tensors(12)); }), forward(12)) << dtype;
    EXPECT_EQ(Flops([&] { Train(lstm, tensors(16)); }), 3 * forward(16)) << dtype;
    EXPECT_EQ(Flops([&] { Train(gru, tensors(12)); }), 3 * forward(12)) << dtype;
  }
}

// a (3, 64) times b (64, 16); two elements of float4_e2m1fn_x2 share a byte.
TEST(JudgeOperator, CountsElementsThatShareAByte) {
  const at::Tensor a = at::zeros({3, 64}, at::kByte), b = at::zeros({16, 64}, at::kByte);
  const at::Tensor pairs_a = at::zeros({3, 32}, at::kByte),
                   pairs_b = at::zeros({16, 32}, at::kByte);
  constexpr double kFlops = 2 * 3 * 64 * 16;
  EXPECT_EQ(JudgeOperator("aten::_scaled_mm_v2",
                          {a.view(at::kFloat8_e4m3fn), b.view(at::kFloat8_e4m3fn).t()})
                .flops.all,
            kFlops);
  EXPECT_EQ(JudgeOperator("aten::_scaled_mm_v2", {pairs_a.view(at::kFloat4_e2m1fn_x2),
                                                  pairs_b.view(at::kFloat4_e2m1fn_x2).t()})
                .flops.all,
            kFlops);
}

TEST(CountFlops, KnowsWhatComputesNoProducts) {
  EXPECT_EQ(Flops([] {
              at::layer_norm(R({2, 3}), {3});
              at::embedding(R({9, 3}), at::zeros({2}, at::kLong));
              at::upsample_linear1d(R({1, 2, 3}), {6}, false);
              at::softmax(R({2, 3}), -1).to(at::kDouble).cumsum(0);
              at::linalg_vector_norm(R({3}));
              at::batch_norm(R({2, 3, 4, 4}), {}, {}, {}, {}, true, 0.1, 1e-5, false);
            }),
            0);
}

TEST(CountFlops, PassesTheCallsErrorOn) {
  const auto failed = CountFlops([] { return absl::InternalError("shapes"); });
  EXPECT_EQ(failed.status(), absl::InternalError("shapes"));
  EXPECT_EQ(Flops([] { at::mm(R({2, 3}), R({3, 4})); }), 48) << "the next count is sound";
}

models::Parameters ParametersOf(const nlohmann::json& values) {
  models::Parameters parameters;
  for (const auto& [name, value] : values.items()) {
    if (value.is_string()) parameters.Set(name, value.get<std::string>());
    if (value.is_array()) parameters.Set(name, value.get<std::vector<int64_t>>());
    if (value.is_number_float()) parameters.Set(name, value.get<double>());
    if (value.is_number_integer()) parameters.Set(name, value.get<int64_t>());
  }
  return parameters;
}

TEST(CountFlops, AgreesWithTorchsFlopCounterOnAModelOfEachFamily) {
  for (const nlohmann::json& row : FlopGoldens().at("models")) {
    const auto model = models::Create(row.at("family").get<std::string>(),  //
                                      ParametersOf(row.at("parameters")));
    ASSERT_TRUE(model.ok()) << model.status();
    for (const models::NamedTensor& entry : (*model)->State()) {
      if (entry.NeedsFilling()) entry.tensor.fill_(0.5);
    }
    execution::Tensors inputs;
    for (const nlohmann::json& input : row.at("inputs")) {
      const auto shape = input.at("shape").get<std::vector<int64_t>>();
      inputs.push_back(input.at("kind") == "real" ? R(shape) : at::ones(shape, at::kLong));
    }
    const auto flops = Flops([&, m = model->get()] {
      const c10::InferenceMode guard;
      m->Forward(inputs);
    });
    EXPECT_EQ(flops, row.at("flops").get<double>()) << row;
  }
}

}  // namespace
}  // namespace assay::costs

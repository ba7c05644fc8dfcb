// Compares updates with the formulas in torch.optim's documentation, written here element by
// element in float64.

#include "benchmarks/harness/programs/fused_optimizer.h"

#include <ATen/ops/allclose.h>
#include <ATen/ops/equal.h>
#include <ATen/ops/full.h>
#include <ATen/ops/ones.h>
#include <ATen/ops/tensor.h>
#include <ATen/ops/zeros.h>
#include <google/protobuf/text_format.h>
#include <gtest/gtest.h>

#include <cmath>
#include <string>
#include <utility>

namespace assay::execution {
namespace {

constexpr int kSteps = 4;
constexpr double kFirst[] = {0.5, -1.5, 2.0};

Optimizer ParsedOptimizer(const std::string& text) {
  Optimizer optimizer;
  EXPECT_TRUE(google::protobuf::TextFormat::ParseFromString(text, &optimizer));
  return optimizer;
}

// The gradient of element `i` in step `step`; different in each step.
double GradientOf(int i, int step) { return 0.25 * (i + 1) - 0.125 * step; }

at::Tensor Doubles(const std::vector<double>& values) { return at::tensor(values, at::kDouble); }

void SetGradient(at::Tensor& parameter, int step) {
  parameter.mutable_grad() =
      Doubles({GradientOf(0, step), GradientOf(1, step), GradientOf(2, step)});
}

at::Tensor AfterSteps(const std::string& settings) {
  at::Tensor parameter = Doubles({kFirst[0], kFirst[1], kFirst[2]});
  FusedOptimizer optimizer(ParsedOptimizer(settings), {parameter});
  for (int step = 1; step <= kSteps; ++step) {
    SetGradient(parameter, step);
    optimizer.Step();
  }
  return parameter;
}

// Applies `update` to each element: it gets the value, the gradient and the step.
template <typename NewUpdate>
void ExpectSteps(const std::string& settings, const NewUpdate& new_update) {
  const at::Tensor got = AfterSteps(settings);
  for (int i = 0; i < 3; ++i) {
    double want = kFirst[i];
    auto update = new_update();
    for (int step = 1; step <= kSteps; ++step) want = update(want, GradientOf(i, step), step);
    EXPECT_NEAR(got[i].item<double>(), want, 1e-14) << settings << " element " << i;
  }
}

TEST(FusedOptimizer, Sgd) {
  ExpectSteps("sgd { learning_rate: 0.1 }",
              [] { return [](double w, double g, int) { return w - 0.1 * g; }; });
}

TEST(FusedOptimizer, SgdWithMomentumAndWeightDecay) {
  ExpectSteps("sgd { learning_rate: 0.1 momentum: 0.9 weight_decay: 0.01 }", [] {
    return [velocity = 0.0](double w, double g, int) mutable {
      velocity = 0.9 * velocity + g + 0.01 * w;
      return w - 0.1 * velocity;
    };
  });
}

TEST(FusedOptimizer, SgdWithNesterov) {
  ExpectSteps("sgd { learning_rate: 0.1 momentum: 0.9 nesterov: true }", [] {
    return [velocity = 0.0](double w, double g, int) mutable {
      velocity = 0.9 * velocity + g;
      return w - 0.1 * (g + 0.9 * velocity);
    };
  });
}

// `decoupled`: AdamW's weight decay.
auto AdamUpdate(bool decoupled) {
  return [=, m = 0.0, v = 0.0](double w, double g, int step) mutable {
    if (decoupled) {
      w -= 0.1 * 0.25 * w;
    } else {
      g += 0.25 * w;
    }
    m = 0.75 * m + 0.25 * g;
    v = 0.875 * v + 0.125 * g * g;
    const double m_hat = m / (1 - std::pow(0.75, step)), v_hat = v / (1 - std::pow(0.875, step));
    return w - 0.1 * m_hat / (std::sqrt(v_hat) + 1e-3);
  };
}

constexpr char kAdamSettings[] =
    "{ learning_rate: 0.1 beta1: 0.75 beta2: 0.875 epsilon: 1e-3 weight_decay: 0.25 }";

TEST(FusedOptimizer, Adam) {
  ExpectSteps(std::string("adam ") + kAdamSettings, [] { return AdamUpdate(false); });
}

TEST(FusedOptimizer, AdamW) {
  ExpectSteps(std::string("adamw ") + kAdamSettings, [] { return AdamUpdate(true); });
}

TEST(FusedOptimizer, KeepsNoMoreThanTorchOptim) {
  const std::pair<std::string, size_t> kept[] = {
      {"sgd { learning_rate: 0.1 }", 0},
      {"sgd { learning_rate: 0.1 momentum: 0.9 }", 1},
      {std::string("adam ") + kAdamSettings, 3},  // two moments and the number of steps
  };
  for (const auto& [settings, count] : kept) {
    at::Tensor with = Doubles({1, 2, 3});
    FusedOptimizer optimizer(ParsedOptimizer(settings), {with, Doubles({4, 5})});
    EXPECT_TRUE(optimizer.State().empty()) << settings;
    SetGradient(with, 1);
    optimizer.Step();
    EXPECT_EQ(optimizer.State().size(), count) << settings;
  }
}

class EveryOptimizer : public testing::TestWithParam<const char*> {};

TEST_P(EveryOptimizer, LeavesParametersWithoutAGradientAlone) {
  at::Tensor with = Doubles({1, 2, 3}), without = Doubles({4, 5});
  FusedOptimizer optimizer(ParsedOptimizer(GetParam()), {without, with});
  SetGradient(with, 1);
  optimizer.Step();
  EXPECT_TRUE(at::equal(without, Doubles({4, 5})));
  EXPECT_FALSE(at::equal(with, Doubles({1, 2, 3})));
}

// A skipped step leaves no trace.
TEST_P(EveryOptimizer, SkipsAStepWhoseGradientsOverflowed) {
  const auto run = [](bool with_skipped_step) {
    at::Tensor parameter = Doubles({kFirst[0], kFirst[1], kFirst[2]});
    FusedOptimizer optimizer(ParsedOptimizer(GetParam()), {parameter});
    for (int step = 1; step <= kSteps; ++step) {
      if (with_skipped_step && step == 2) {
        parameter.mutable_grad() = at::full({3}, INFINITY, at::kDouble);
        optimizer.Step(at::ones({}, at::kFloat));
      }
      SetGradient(parameter, step);
      optimizer.Step(at::zeros({}, at::kFloat));
    }
    return parameter;
  };
  EXPECT_TRUE(at::equal(run(true), run(false)));
}

TEST_P(EveryOptimizer, MovesLessAtASmallerLearningRate) {
  at::Tensor parameter = Doubles({1, 2, 3});
  FusedOptimizer optimizer(ParsedOptimizer(GetParam()), {parameter});
  optimizer.SetLearningRate(1e-12);
  SetGradient(parameter, 1);
  optimizer.Step();
  EXPECT_TRUE(at::allclose(parameter, Doubles({1, 2, 3}), 0, 1e-11));
}

INSTANTIATE_TEST_SUITE_P(
    All, EveryOptimizer,
    testing::Values("sgd { learning_rate: 0.1 momentum: 0.9 }",
                    "adam { learning_rate: 0.1 beta1: 0.9 beta2: 0.99 epsilon: 1e-8 }",
                    "adamw { learning_rate: 0.1 beta1: 0.9 beta2: 0.99 epsilon: 1e-8 }"));

}  // namespace
}  // namespace assay::execution

// Programs that compute a function and its derivative in one pass. The first has no parameters: the
// derivative of sea water's dynamic enthalpy by its temperature, for the rational function of 48 terms
// for its volume (IOC et al. 2010; pyhpc-benchmarks' equation_of_state). The second one is TorchBench's
// lennard_jones: energies and forces of pairs of atoms by an MLP of their distance, which its Python
// code differentiates backwards.

#include <ATen/TensorOperators.h>
#include <ATen/core/Tensor.h>
#include <ATen/ops/linear.h>
#include <ATen/ops/matmul.h>
#include <ATen/ops/mse_loss.h>
#include <ATen/ops/ones_like.h>
#include <ATen/ops/zeros_like.h>

#include <cstddef>
#include <cstdint>
#include <deque>
#include <initializer_list>
#include <iterator>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "absl/status/statusor.h"
#include "absl/strings/str_cat.h"
#include "models/layers/core/layered_model.h"
#include "models/layers/core/recipes.h"
#include "models/parameters.h"
#include "models/registry.h"
#include "models/trainable.h"

namespace assay::models {
namespace {

// A value and its derivative by the one variable of a program.
struct Dual {
  at::Tensor value;
  at::Tensor slope;
};

Dual operator+(const Dual& a, const Dual& b) { return {a.value + b.value, a.slope + b.slope}; }
Dual operator-(const Dual& a, const Dual& b) { return {a.value - b.value, a.slope - b.slope}; }
Dual operator*(const Dual& a, const Dual& b) {
  return {a.value * b.value, a.slope * b.value + a.value * b.slope};
}
Dual operator/(const Dual& a, const Dual& b) {
  const at::Tensor quotient = a.value / b.value;
  return {quotient, (a.slope - quotient * b.slope) / b.value};
}
// A constant is a tensor or a number that does not depend on the variable.
template <typename Constant>
Dual operator*(const Constant& k, const Dual& a) {
  return {a.value * k, a.slope * k};
}
template <typename Constant>
Dual operator+(const Constant& k, const Dual& a) {
  return {a.value + k, a.slope};
}
Dual Log(const Dual& a) { return {a.value.log(), a.slope / a.value}; }
Dual Sqrt(const Dual& a) {
  const at::Tensor root = a.value.sqrt();
  return {root, a.slope / root * 0.5};
}

// The polynomial of x with these coefficients, that of x^0 first; two or more (Horner).
Dual Polynomial(const at::Tensor& x, std::initializer_list<double> coefficients) {
  auto next = std::rbegin(coefficients);
  Dual sum = {at::zeros_like(x) + *next, at::zeros_like(x)};
  for (++next; next != std::rend(coefficients); ++next)
    sum = {sum.value * x + *next, sum.slope * x + sum.value};
  return sum;
}

class EquationOfState final : public LayeredModel {
 public:
  // Absolute salinity in g / kg and temperature in degrees Celsius (N, x, y, z), pressure in dbar
  // (N, 1, 1, z) -> the derivative (N, x, y, z).
  std::vector<at::Tensor> Forward(at::ArrayRef<at::Tensor> inputs) override {
    return {Enthalpy(inputs[0], inputs[1], inputs[2]).slope};
  }

 private:
  // A volume is (b0 + 2 b1 p + b2 p^2 + b3 p^3) / (a0 + 2 a1 p + a2 p^2). Its integral over the
  // pressure is a sum of p times a rational function and of two logarithms.
  static Dual Enthalpy(const at::Tensor& salinity, const at::Tensor& t, const at::Tensor& p) {
    const at::Tensor root = salinity.sqrt();
    const Dual a0 =
        Polynomial(t, {9.998420897506056e2, 2.839940833161907, -3.147759265588511e-2,
                       1.181805545074306e-3}) +
        salinity *
            (Polynomial(t, {-6.698001071123802, -2.986498947203215e-2, 2.327859407479162e-4}) +
             root * Polynomial(t, {-3.988822378968490e-2, 5.095422573880500e-4,
                                   -1.426984671633621e-5, 1.645039373682922e-7}));
    const Dual a1 =
        0.5 * (Polynomial(t, {-2.233269627352527e-2, -3.436090079851880e-4, 3.726050720345733e-6}) +
               salinity * Polynomial(t, {-1.806789763745328e-4, 6.876837219536232e-7}));
    const Dual a2 =
        salinity * 1.550932729220080e-10 +
        Polynomial(t, {-3.087032500374211e-7, -1.988366587925593e-8, -1.061519070296458e-11});
    const Dual b0 =
        Polynomial(t, {1, 2.775927747785646e-3, -2.349607444135925e-5, 1.119513357486743e-6,
                       6.743689325042773e-10}) +
        salinity *
            (salinity * 5.419326551148740e-6 +
             Polynomial(t, {-7.521448093615448e-3, -2.764306979894411e-5, 1.262937315098546e-7,
                            9.527875081696435e-10, -1.811147201949891e-11}) +
             root *
                 Polynomial(t, {-3.303308871386421e-5, 3.801564588876298e-7, -7.672876869259043e-9,
                                -4.634182341116144e-11, 2.681097235569143e-12}));
    const Dual twice_b1 = Polynomial(t, {-2.742185394906099e-5, -3.212746477974189e-7,
                                         3.191413910561627e-9, -1.931012931541776e-12}) +
                          salinity * Polynomial(t, {-1.105097577149576e-7, 6.211426728363857e-10});
    const Dual b2 =
        Polynomial(t, {-1.119011592875110e-10, -1.941660213148725e-11, -1.864826425365600e-14}) +
        salinity * Polynomial(t, {0, 1.119522344879478e-14});
    const Dual b3 = Polynomial(t, {-1.200507748551599e-15, 6.057902487546866e-17});

    const Dual n = b0 + (2.0 * (b3 * a0 * a1 / a2) - b2 * a0) / a2;
    const Dual m = twice_b1 + (4.0 * (b3 * a1 * a1 / a2) - a0 * b3 - 2.0 * (a1 * b2)) / a2;
    const Dual discriminant = Sqrt(a1 * a1 - a0 * a2);
    const Dual through = p * a2;
    const Dual rational = p * ((b2 - 2.0 * (b3 * a1 / a2) + 0.5 * (p * b3)) / a2);
    const Dual whole = Log(1.0 + p * (2.0 * a1 + through) / a0);
    const Dual parted = Log(1.0 + 2.0 * (through * discriminant) /
                                      ((a1 - discriminant) * (a1 + discriminant + through)));
    const Dual sum = rational + m / (2.0 * a2) * whole +
                     (n * a2 - m * a1) / (2.0 * (a2 * discriminant)) * parted;
    return kPascals * sum;
  }

  static constexpr double kPascals = 1e4;  // of a dbar
};

constexpr double kTanhGain = 5.0 / 3;  // keeps the spread of what passes through many a tanh

// torch.nn.Linear of a value and its derivative.
class DualLinear final : public Layer {
 public:
  DualLinear(Layer& parent, std::string name, int64_t in, int64_t out)
      : Layer(parent, std::move(name)) {
    AddParameter("weight", {out, in}, WeightInit(in, kTanhGain), weight_);
    AddParameter("bias", {out}, BiasInit(), bias_);
  }

  Dual Forward(const Dual& x) const {
    return {at::linear(x.value, weight_, bias_), at::matmul(x.slope, weight_.t())};
  }

 private:
  at::Tensor weight_;  // (out, in)
  at::Tensor bias_;    // (out)
};

class LennardJones final : public LayeredModel, public Trainable {
 public:
  LennardJones(int64_t hidden, int64_t layers) {
    for (int64_t i = 0; i < layers; ++i) {
      layers_.emplace_back(*this, absl::StrCat(2 * i), i == 0 ? 1 : hidden,
                           i + 1 == layers ? 1 : hidden);
    }
  }

  // From one atom to the other (N, 3) -> energies (N, 1), forces (N, 3).
  std::vector<at::Tensor> Forward(at::ArrayRef<at::Tensor> inputs) override {
    const at::Tensor distance = inputs[0].norm(2, {1}, /*keepdim=*/true);
    Dual x = {distance, at::ones_like(distance)};
    for (size_t i = 0; i < layers_.size(); ++i) {
      if (i > 0) {
        const at::Tensor tanh = x.value.tanh();
        x = {tanh, x.slope * (1 - tanh * tanh)};
      }
      x = layers_[i].Forward(x);
    }
    return {x.value, x.slope.neg() * inputs[0] / distance};
  }

  at::Tensor Loss(at::ArrayRef<at::Tensor> outputs, at::ArrayRef<at::Tensor> targets) override {
    return at::mse_loss(outputs[0], targets[0]) + at::mse_loss(outputs[1], targets[1]) * (0.01 / 3);
  }

 private:
  std::deque<DualLinear> layers_;
};

ASSAY_MODEL_IMPLEMENTATION("equation_of_state",
                           [](const Parameters&) -> absl::StatusOr<std::unique_ptr<Model>> {
                             return std::make_unique<EquationOfState>();
                           });
ASSAY_MODEL_IMPLEMENTATION(
    "lennard_jones", [](const Parameters& parameters) -> absl::StatusOr<std::unique_ptr<Model>> {
      return std::make_unique<LennardJones>(parameters.Integer("hidden"),
                                            parameters.Integer("layers"));
    });

}  // namespace
}  // namespace assay::models

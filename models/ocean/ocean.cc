// Two programs of an ocean model without a parameter, as pyhpc-benchmarks takes them from Veros:
// mixing along surfaces of equal density (Griffies et al. 1998), and a step of the kinetic energy of
// turbulence (Gaspar et al. 1990) with Roe's limiter "superbee". An array of cells is (N, x, y, z),
// z upwards, and each of the N grids is computed alone. Outputs keep what the inputs of the same name
// hold in the two outermost rows of cells.

#include "models/ocean/ocean.h"

#include <ATen/TensorOperators.h>
#include <ATen/core/Tensor.h>
#include <ATen/ops/arange.h>
#include <ATen/ops/constant_pad_nd.h>
#include <ATen/ops/maximum.h>
#include <ATen/ops/stack.h>
#include <ATen/ops/where.h>
#include <ATen/ops/zeros_like.h>

#include <array>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <vector>

#include "absl/status/statusor.h"
#include "models/layers/core/layered_model.h"
#include "models/parameters.h"
#include "models/registry.h"

namespace assay::models {
namespace {

constexpr double kTiny = 1e-20;  // in the place of a divisor that is zero
constexpr Box kInside = {{{2, -2}, {2, -2}, {}}};

class IsoneutralMixing final : public LayeredModel {
 public:
  std::vector<at::Tensor> Forward(at::ArrayRef<at::Tensor> in) override {
    const at::Tensor temperature = in[kTemp].select(kTime, 0), salt = in[kSalt].select(kTime, 0);
    const at::Tensor by_temperature =
        (temperature - (283.0 - 273.15)) * 1e-5 +
        (Along(kZ, in[kDepth]).abs() * (1.1e-8 * 9.81 * kDensity) + 1) * 1.67e-4;
    const at::Tensor distances[] = {
        Along(kX, in[kDxu], {0, -1}) * Along(kY, in[kCost]),
        Along(kY, in[kDyu], {0, -1}),
        Along(kZ, in[kDzw], {0, -1}),
    };
    Water water = {in,
                   {in[kMaskT] * by_temperature * -kDensity, in[kMaskT] * (0.78e-3 * kDensity)}};
    for (const int64_t axis : {kX, kY, kZ}) {
      const auto at = static_cast<size_t>(axis - kX);
      water.gradients[at] = {Gradient(temperature, axis, in[kMaskU + at], distances[at]),
                             Gradient(salt, axis, in[kMaskU + at], distances[at])};
    }
    std::vector<at::Tensor> out;
    for (size_t i = kK11; i <= kAiBy; ++i) out.push_back(in[i].clone());
    MixThroughSides(water, kX, out[0], out[3]);
    MixThroughSides(water, kY, out[1], out[4]);
    const at::Tensor above = Of(out[2], WithLevels(kInside, {0, -1}));
    above.copy_(MixThroughTops(water, kX, out[5]) / (Along(kX, in[kDxt], {2, -2}) * 4) +
                MixThroughTops(water, kY, out[6]) / (Along(kY, in[kDyt] * in[kCost], {2, -2}) * 4));
    Of(out[2], WithLevels(kInside, {-1, kEnd})).zero_();
    return out;
  }

 private:
  // Places of the inputs; the masks and the distances of the three axes follow one another.
  static constexpr size_t kMaskT = 0, kMaskU = 1, kMaskV = 2, kMaskW = 3, kDxt = 4, kDxu = 5,
                          kDyt = 6, kDyu = 7, kDzt = 8, kDzw = 9, kCost = 10, kCosu = 11,
                          kSalt = 12, kTemp = 13, kDepth = 14, kKIso = 15, kK11 = 16, kK22 = 17,
                          kK33 = 18, kAiEz = 19, kAiNz = 20, kAiBx = 21, kAiBy = 22;
  static constexpr double kDensity = 1024;  // kg / m^3

  struct Pair {
    at::Tensor temperature;
    at::Tensor salt;
  };
  struct Water {
    at::ArrayRef<at::Tensor> in;
    Pair effects;            // of each on the density
    Pair gradients[3] = {};  // along x, y and z

    at::Tensor DensityGradient(const Box& cells, int64_t axis, const Box& places) const {
      const Pair& gradient = gradients[axis - kX];
      return Of(effects.temperature, cells) * Of(gradient.temperature, places) +
             Of(effects.salt, cells) * Of(gradient.salt, places);
    }
  };

  static at::Tensor Slope(const at::Tensor& across, const at::Tensor& down) {
    return across.neg() / (down.clamp_max(0) - kTiny);
  }
  // Towards 0 where the surface is steep.
  static at::Tensor Taper(const at::Tensor& slope) {
    return (((1e-3 - slope.abs()) / 1e-3).tanh() + 1) * 0.5;
  }

  // Through the cells' far sides: the mixing, and the matrix of tapered slopes.
  static void MixThroughSides(const Water& water, int64_t axis, const at::Tensor& mixing,
                              const at::Tensor& matrix) {
    const at::ArrayRef<at::Tensor> in = water.in;
    Box here = kInside;
    here[static_cast<size_t>(axis - kX)] = {1, -2};
    const at::Tensor beside = Of(in[kKIso], here) + Of(in[kKIso], Shifted(here, axis, 1));
    at::Tensor diffusivity = beside * 0.5;
    diffusivity.slice(kZ, 1).copy_((beside.slice(kZ, 1) + beside.slice(kZ, 0, -1)) * 0.25);
    at::Tensor sum = at::zeros_like(beside);
    for (const int64_t upper : {0, 1}) {
      const Range levels = {1 - upper, kEnd}, tops = {0, upper == 1 ? kEnd : -1};
      const Box sides = WithLevels(here, levels);
      const at::Tensor mask = Of(in[kMaskU + static_cast<size_t>(axis - kX)], sides);
      for (const int64_t side : {0, 1}) {
        const Box cells = Shifted(sides, axis, side);
        const at::Tensor slope = Slope(water.DensityGradient(cells, axis, sides),
                                       water.DensityGradient(cells, kZ, WithLevels(cells, tops)));
        const at::Tensor taper = Taper(slope);
        sum.slice(kZ, levels.first)
            .add_(Along(kZ, in[kDzw], tops) * mask *
                  (diffusivity.slice(kZ, levels.first) * taper).clamp_min(50));
        Of(matrix.select(5, upper).select(4, side), sides).copy_(taper * slope * mask);
      }
    }
    Of(mixing, here).copy_(sum / (Along(kZ, in[kDzt]) * 4));
  }

  // Through the cells' tops: the sum of what `axis` adds to their mixing, inside and without the last level.
  static at::Tensor MixThroughTops(const Water& water, int64_t axis, const at::Tensor& matrix) {
    const at::ArrayRef<at::Tensor> in = water.in;
    const Box tops = WithLevels(kInside, {0, -1});
    const at::Tensor mask = Of(in[kMaskW], tops), diffusivity = Of(in[kKIso], tops);
    const at::Tensor widths = axis == kX ? in[kDxu] : in[kCosu] * in[kDyu];
    at::Tensor sum = at::zeros_like(mask);
    for (const int64_t upper : {0, 1}) {
      const Box cells = WithLevels(kInside, {upper, upper == 1 ? kEnd : -1});
      const at::Tensor down = water.DensityGradient(cells, kZ, tops);
      for (const int64_t side : {0, 1}) {
        const at::Tensor slope =
            Slope(water.DensityGradient(cells, axis, Shifted(cells, axis, side - 1)), down);
        const at::Tensor taper = Taper(slope);
        sum.add_(Along(axis, widths, {1 + side, -3 + side}) * diffusivity * taper * slope.square() *
                 mask);
        Of(matrix.select(5, upper).select(4, side), tops).copy_(taper * slope * mask);
      }
    }
    return sum;
  }
};

class TurbulentKineticEnergy final : public LayeredModel {
 public:
  // The times of tke and dtke are now, the next step and the last one; a step takes a second.
  std::vector<at::Tensor> Forward(at::ArrayRef<at::Tensor> in) override {
    at::Tensor tke = in[kTke].clone(), dtke = in[kDtke].clone();
    const at::Tensor now = tke.select(kTime, 0), inner = Of(tke.select(kTime, 1), kInside);
    at::Tensor height = Along(kZ, in[kDzw]).clone();
    height.slice(kZ, -1).mul_(0.5);

    SolveColumns(in, Of(now, kInside), height, inner);
    at::Tensor surface = inner.select(kZ, -1);
    at::Tensor correction = at::zeros_like(in[kForcSurface]);
    Of(correction.unsqueeze(kZ), kInside)
        .squeeze(kZ)
        .copy_(surface.clamp_max(0).neg() * height.select(kZ, -1));
    surface.clamp_min_(0);

    const at::Tensor cost = Along(kY, in[kCost]), mask = Of(in[kMaskW], kInside);
    const at::Tensor east = Gradient(now, kX, in[kMaskU], cost * Along(kX, in[kDxu], {0, -1}));
    const at::Tensor north = Gradient(now, kY, in[kMaskV], Along(kY, in[kDyu], {0, -1}));
    inner.add_(mask * Convergence(in, east * 2000, north * 2000 * Along(kY, in[kCosu])));

    at::Tensor change = dtke.select(kTime, 0);
    const auto [by_x, by_y, by_z] = Advection(in, now);
    Of(change, kInside).copy_(mask.neg() * Convergence(in, by_x, by_y));
    change.sub_(by_z / height);
    change.slice(kZ, 1).add_(by_z.slice(kZ, 0, -1) / height.slice(kZ, 1));
    tke.select(kTime, 1).add_(change * 1.6 - dtke.select(kTime, 2) * 0.6);
    return {tke, dtke, correction};
  }

 private:
  static constexpr size_t kU = 0, kV = 1, kW = 2, kMaskU = 3, kMaskV = 4, kMaskW = 5, kDxt = 6,
                          kDxu = 7, kDyt = 8, kDyu = 9, kDzt = 10, kDzw = 11, kCost = 12,
                          kCosu = 13, kKbot = 14, kKappaM = 15, kMxl = 16, kForc = 17,
                          kForcSurface = 18, kTke = 19, kDtke = 20;

  // Diffusion and dissipation in each column from its floor upwards, of the cells inside.
  static void SolveColumns(at::ArrayRef<at::Tensor> in, const at::Tensor& now,
                           const at::Tensor& height, const at::Tensor& solution) {
    const at::Tensor kappa = Of(in[kKappaM], kInside);
    at::Tensor between = at::zeros_like(kappa);
    between.slice(kZ, 0, -1).copy_((kappa.slice(kZ, 0, -1) + kappa.slice(kZ, 1)) * 0.5 /
                                   Along(kZ, in[kDzt], {1, kEnd}));
    at::Tensor lower = at::zeros_like(kappa);
    lower.slice(kZ, 1).copy_(between.slice(kZ, 0, -1).neg() / height.slice(kZ, 1));
    at::Tensor upper = between.neg() / height;
    at::Tensor given = now + Of(in[kForc], kInside);
    given.select(kZ, -1).add_(Of(in[kForcSurface].unsqueeze(kZ), kInside).squeeze(kZ) /
                              height.select(kZ, -1));

    const at::Tensor floor = (Of(in[kKbot].unsqueeze(kZ), kInside) - 1);
    const at::Tensor level = at::arange(kappa.size(kZ), floor.options());
    const at::Tensor water = floor.ge(0).logical_and(level.ge(floor));
    const at::Tensor above_floor = water.logical_and(level.ne(floor));
    lower = at::where(above_floor, lower, 0.0);
    upper = at::where(water, upper, 0.0);
    const at::Tensor decay = now.clamp_min(0).sqrt() * 0.7 / Of(in[kMxl], kInside);
    const at::Tensor middle = at::where(water, decay + 1 - lower - upper, 1.0);
    solution.copy_(at::where(water, Tridiagonal(lower, middle, upper, at::where(water, given, 0.0)),
                             solution));
  }

  // Solves a system of equations for each row of the last dimension (Thomas's algorithm).
  static at::Tensor Tridiagonal(const at::Tensor& lower, const at::Tensor& middle,
                                const at::Tensor& upper, const at::Tensor& given) {
    const std::vector<at::Tensor> a = lower.unbind(kZ), c = upper.unbind(kZ);
    std::vector<at::Tensor> b = middle.unbind(kZ), x = given.unbind(kZ);
    for (size_t i = 1; i < b.size(); ++i) {
      const at::Tensor factor = a[i] / b[i - 1];
      b[i] = b[i] - factor * c[i - 1];
      x[i] = x[i] - factor * x[i - 1];
    }
    x.back() = x.back() / b.back();
    for (size_t i = b.size() - 1; i-- > 0;) x[i] = (x[i] - c[i] * x[i + 1]) / b[i];
    return at::stack(x, kZ);
  }

  // The flow out of the cells inside through their four sides, each the far one of a cell.
  static at::Tensor Convergence(at::ArrayRef<at::Tensor> in, const at::Tensor& east,
                                const at::Tensor& north) {
    const at::Tensor cost = Along(kY, in[kCost], {2, -2});
    return (Of(east, kInside) - Of(east, Shifted(kInside, kX, -1))) /
               (cost * Along(kX, in[kDxt], {2, -2})) +
           (Of(north, kInside) - Of(north, Shifted(kInside, kY, -1))) /
               (cost * Along(kY, in[kDyt], {2, -2}));
  }

  // The flow with the water through the far sides and the tops of cells; zero at the edges.
  static std::array<at::Tensor, 3> Advection(at::ArrayRef<at::Tensor> in, const at::Tensor& now) {
    const auto speed = [&](size_t which, const Box& box) {
      return Of(in[which].select(kTime, 0), box);
    };
    const auto padded = [](const at::Tensor& cells) {
      return at::constant_pad_nd(Of(cells, kInside), {1, 1});
    };
    const Box far_x = {{{1, -2}, {2, -2}, {}}}, far_y = {{{2, -2}, {1, -2}, {}}},
              tops = WithLevels(kInside, {0, -1}), all_x = {{{}, {2, -2}, {}}},
              all_y = {{{2, -2}, {}, {}}};
    const at::Tensor& water = in[kMaskW];
    std::array<at::Tensor, 3> flows = {at::zeros_like(now), at::zeros_like(now),
                                       at::zeros_like(now)};
    Of(flows[0], far_x)
        .copy_(Superbee(kX, speed(kU, far_x), speed(kU, far_x), Of(now, all_x), Of(water, all_x),
                        Along(kY, in[kCost], {2, -2}) * Along(kX, in[kDxt], {1, -2})));
    Of(flows[1], far_y)
        .copy_(Superbee(kY, speed(kV, far_y), speed(kV, far_y) * Along(kY, in[kCosu], {1, -2}),
                        Of(now, all_y), Of(water, all_y),
                        Along(kY, in[kCost] * in[kDyt], {1, -2})));
    Of(flows[2], tops)
        .copy_(Superbee(kZ, speed(kW, tops), speed(kW, tops), padded(now), padded(water),
                        Along(kZ, in[kDzw], {0, -1})));
    return flows;
  }

  // The transport by `flow` through the far sides of cells 1 to -3 of the axis. The sign of `speed` says
  // which side is upwind; `energy` and `water` have all cells of the axis.
  static at::Tensor Superbee(int64_t axis, const at::Tensor& speed, const at::Tensor& flow,
                             const at::Tensor& energy, const at::Tensor& water,
                             const at::Tensor& distance) {
    const at::Tensor steps = (energy.slice(axis, 1) - energy.slice(axis, 0, -1)) *
                             (water.slice(axis, 1) * water.slice(axis, 0, -1));
    const at::Tensor step = steps.slice(axis, 1, -1);
    const at::Tensor upwind =
        at::where(speed.gt(0), steps.slice(axis, 0, -2), steps.slice(axis, 2));
    const at::Tensor ratio = upwind / at::where(step.abs().lt(kTiny), kTiny, step);
    const at::Tensor limit = at::maximum((ratio * 2).clamp_max(1), ratio.clamp_max(2)).clamp_min(0);
    const at::Tensor courant = (flow / distance).abs();
    return flow * (energy.slice(axis, 2, -1) + energy.slice(axis, 1, -2)) * 0.5 -
           flow.abs() * (1 - limit + courant * limit) * step * 0.5;
  }
};

ASSAY_MODEL_IMPLEMENTATION("isoneutral_mixing",
                           [](const Parameters&) -> absl::StatusOr<std::unique_ptr<Model>> {
                             return std::make_unique<IsoneutralMixing>();
                           });
ASSAY_MODEL_IMPLEMENTATION("turbulent_kinetic_energy",
                           [](const Parameters&) -> absl::StatusOr<std::unique_ptr<Model>> {
                             return std::make_unique<TurbulentKineticEnergy>();
                           });

}  // namespace
}  // namespace assay::models

#ifndef ASSAY_MODELS_INIT_H_
#define ASSAY_MODELS_INIT_H_

// ---------------------------------------------------------------------------------------------
// models/init.h: how one tensor of a model is filled with seeded numbers.
//
// A model says what kind of tensor each weight is (a convolution kernel, a norm scale, ...); the
// harness draws u, uniform on a grid of [-1, 1) that is exact in float32, and stores
//
//     float32(multiplier * (offset + slope * u))
//
// computed in double and rounded once. So the same weights come out on every machine. That holds
// only if `offset + slope * u` is exact in double: use (0, 1) for values around zero and (1, 0.5)
// for values around one, and put every other factor into `multiplier`.
//
// Not for: drawing the numbers (benchmarks/harness/numerics/seeded_tensor.h), nor for training
// recipes; these values make outputs well scaled and sensitive to every weight, nothing else.
//
// Example: a linear layer's weight with 512 inputs has mean 0 and standard deviation 1/sqrt(512):
//
//     Init{.multiplier = std::sqrt(3.0) / std::sqrt(512.0), .offset = 0, .slope = 1}
//
// This header needs neither LibTorch nor a model, so that the filling code can use it alone.
// ---------------------------------------------------------------------------------------------

namespace assay::models {

struct Init {
  double multiplier = 1;
  double offset = 0;
  double slope = 1;

  friend bool operator==(const Init&, const Init&) = default;
};

}  // namespace assay::models

#endif  // ASSAY_MODELS_INIT_H_

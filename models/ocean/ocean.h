#ifndef ASSAY_MODELS_OCEAN_OCEAN_H_
#define ASSAY_MODELS_OCEAN_OCEAN_H_

// ---------------------------------------------------------------------------------------------
// models/ocean/ocean.h: parts of arrays of cells, (N, x, y, z), and their differences.
//
// Not for: arrays whose axes stand in another order.
//
// Example:
//
//     const Box inside = {{{2, -2}, {2, -2}, {}}};
//     at::Tensor step = Of(cells, Shifted(inside, kX, 1)) - Of(cells, inside);
// ---------------------------------------------------------------------------------------------

#include <ATen/TensorOperators.h>
#include <ATen/core/Tensor.h>
#include <ATen/ops/zeros_like.h>

#include <array>
#include <cstddef>
#include <cstdint>
#include <limits>

namespace assay::models {

inline constexpr int64_t kX = 1, kY = 2, kZ = 3, kTime = 4;
inline constexpr int64_t kEnd = std::numeric_limits<int64_t>::max();

// Places first to end - 1 of an axis. A negative number counts from the end.
struct Range {
  int64_t first = 0;
  int64_t end = kEnd;
};
using Box = std::array<Range, 3>;  // along x, y and z

inline Box Shifted(Box box, int64_t axis, int64_t by) {
  Range& range = box[static_cast<size_t>(axis - kX)];
  if (range.end != kEnd) range.end = range.end + by == 0 ? kEnd : range.end + by;
  range.first += by;
  return box;
}

inline Box WithLevels(Box box, Range levels) {
  box[2] = levels;
  return box;
}

// A view of the cells of the box.
inline at::Tensor Of(at::Tensor cells, const Box& box) {
  for (int64_t axis = kX; axis <= kZ; ++axis) {
    const Range& range = box[static_cast<size_t>(axis - kX)];
    if (range.first != 0 || range.end != kEnd) cells = cells.slice(axis, range.first, range.end);
  }
  return cells;
}

// Numbers of an axis (N, n), those of a range -> (N, n, 1, 1), (N, 1, n, 1) or (N, 1, 1, n).
inline at::Tensor Along(int64_t axis, const at::Tensor& numbers, Range range = {}) {
  std::array<int64_t, 4> shape = {numbers.size(0), 1, 1, 1};
  shape[static_cast<size_t>(axis)] = -1;
  return numbers.slice(1, range.first, range.end).reshape(shape);
}

// The slope of cells towards the next one; zero in the last one. `distance` is that to each next one.
inline at::Tensor Gradient(const at::Tensor& cells, int64_t axis, const at::Tensor& mask,
                           const at::Tensor& distance) {
  at::Tensor gradient = at::zeros_like(cells);
  gradient.slice(axis, 0, -1)
      .copy_(mask.slice(axis, 0, -1) * (cells.slice(axis, 1) - cells.slice(axis, 0, -1)) /
             distance);
  return gradient;
}

}  // namespace assay::models

#endif  // ASSAY_MODELS_OCEAN_OCEAN_H_

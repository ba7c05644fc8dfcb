#ifndef ASSAY_BENCHMARKS_HARNESS_TEXT_SHAPE_TEXT_H_
#define ASSAY_BENCHMARKS_HARNESS_TEXT_SHAPE_TEXT_H_

// ---------------------------------------------------------------------------------------------
// shape_text.h: a shape, or an index into one, as every message of the suite writes it.
//
// Not for: reading a shape back.
//
// Example:
//   ShapeText(tensor.sizes());  // "[2, 3]"; a scalar is "[]"
// ---------------------------------------------------------------------------------------------

#include <cstdint>
#include <string>

#include "absl/types/span.h"

namespace assay::base {

// Shows at most 16 dimensions, since a damaged file may claim millions: "[1, 1, … of 70000 dimensions]".
std::string ShapeText(absl::Span<const int64_t> shape);

}  // namespace assay::base

#endif  // ASSAY_BENCHMARKS_HARNESS_TEXT_SHAPE_TEXT_H_

#ifndef ASSAY_BENCHMARKS_HARNESS_NUMERICS_SEEDED_TENSOR_H_
#define ASSAY_BENCHMARKS_HARNESS_NUMERICS_SEEDED_TENSOR_H_

// ---------------------------------------------------------------------------------------------
// seeded_tensor.h: makes weights and inputs from (seed, name), the same bits on every machine.
//
// Element e of a tensor, counted row-major, comes from word e of the PhiloxStream (seed, name). So
// values depend neither on threads nor on LibTorch's version, and the first rows of a large batch
// are a small batch. All arithmetic is on integers, or IEEE's +, *, /, sqrt on doubles (this file
// is compiled without contraction), then one rounding to float32: the same bits on every machine.
// artifacts/format/seeded_inputs.py makes the same inputs; tests compare both with
// artifacts/format/testdata/seeded_inputs.json.
//
// Not for: deciding which Init a weight gets (models/), nor for random data inside a model
// (dropout).
//
// Example:
//   absl::Status filled = Fill(weight, /*seed=*/0, "fc.weight", {.multiplier = 0.1});
//   absl::StatusOr<at::Tensor> x = MakeInput(spec, Dtype::BF16, /*seed=*/0);
// ---------------------------------------------------------------------------------------------

#include <cstdint>
#include <string_view>

#include "ATen/core/Tensor.h"
#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "benchmarks/harness/base/dtype.h"
#include "defs/proto/suite.pb.h"
#include "models/init.h"

namespace assay::numerics {

// Overwrites the elements of `tensor` with float32(multiplier * (offset + slope * u)). float64
// tensors hold that float32 value, so that a float64 run has the very weights of a float32 run;
// bf16 and fp16 tensors hold it rounded once more, as moving a float32 tensor to the dtype does.
//
// InvalidArgument, naming the tensor, unless it is a contiguous floating-point tensor on the CPU, and
// `init` has finite parts of which offset and slope are multiples of 2^-20 up to 256 in size (which
// makes offset + slope * u exact).
absl::Status Fill(const at::Tensor& tensor, uint64_t seed, std::string_view name,
                  const models::Init& init);

// A new CPU tensor for one input, drawn from its distribution (suite.proto). Its stream's name is
// "input:" + spec.name, so that an input never has the numbers of a weight of the same name. Floats
// are made in float32 and rounded once to spec.dtype, or to `case_dtype` where that is unspecified.
//
// InvalidArgument, naming the input, where distribution, dtype and shape don't fit together;
// ResourceExhausted where memory does not suffice.
absl::StatusOr<at::Tensor> MakeInput(const TensorSpec& spec, Dtype case_dtype, uint64_t seed);

}  // namespace assay::numerics

#endif  // ASSAY_BENCHMARKS_HARNESS_NUMERICS_SEEDED_TENSOR_H_

#ifndef ASSAY_DEFS_CASE_LOWERINGS_H_
#define ASSAY_DEFS_CASE_LOWERINGS_H_

// ---------------------------------------------------------------------------------------------
// lowerings.h: what a model may be made into once its weights are in place (models/model.h).
//
//   merged_branches  each block's branches, norms included, as the one convolution that they amount to
//   int8_dynamic     linear layers with weights of 8 bits, and inputs that are rounded to 7 bits in
//                    each call, as torch.ao.quantization.quantize_dynamic
//   int8_weights     linear layers with weights of 8 bits and a scale for each row
//   int4_weights     linear layers with weights of 4 bits, and a scale and a zero for each group of a row
//   fp8_dynamic      linear layers with weights in float8_e4m3fn and one scale, and inputs that are
//                    rounded to it in each call
//   mxfp8_dynamic    the same with a scale for each 32 elements of a row, a power of two
//   nvfp4_dynamic    linear layers with weights in float4_e2m1, a scale for each 16 elements of a row and
//                    one for the weight, and inputs that are rounded to it in each call
//   int8_static      convolutions with their norms, linear layers, sums and means on integers of 8 bits, as
//                    torch.ao.quantization.convert: weights have a scale for each channel, activations
//                    lie on 128 steps of the range that a call in float64 has shown before
//
// A lowering that rounds weights is judged twice: the model against the reference of the model before
// it, and each lowered layer against its own result in float64, of the rounded values.
//
// Example:
//   absl::Status lowered = model->Lower({lowerings::kInt8Dynamic});
// ---------------------------------------------------------------------------------------------

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace at {
class Tensor;
}

namespace assay {

// A call of a lowered layer beside the same product in float64, of the values to which the lowering
// rounds the weight (and the input). Errors are in units of what rounding explains: u (|p| + |y|) +
// sqrt(n) 2^-24 s for an element y, the sum of the product p and the bias, with the unit roundoff u of
// its dtype; s is the root of the sum of the squares of the n terms, which are added in float32.
struct LayerError {
  std::string layer;  // as in the names of the state
  double rms = 0;     // of the elements
  double worst = 0;   // of one element
  // A layer whose results are integers has these errors alone.
  int64_t integers = 0;
  int64_t at_ties =
      0;  // a step away, where float64 is nearer to the middle of two than float32 tells
  int64_t wrong = 0;  // elsewhere, or further away
};

struct JudgedLayers {
  std::vector<LayerError> errors;      // one for each call of a lowered layer
  std::vector<std::string> kept = {};  // linear layers whose sizes the kernel does not take
  std::vector<LayerError> weights =
      {};                   // of a layer whose results are integers; their bias counts as well
  std::string engine = {};  // whose kernels compute with integers; empty: of none
  // A call with integers is compared in its first rows alone, those that have calibrated; 0: in all.
  int64_t rows = 0;
};

struct Lowering {
  std::string_view name;
  // If not null, each lowered layer judges its calls. It must outlive the model.
  JudgedLayers* judged = nullptr;
  std::string layer = {};  // the one that is lowered; empty: the model
  // For a lowering that calibrates: the inputs of the call that shows the ranges of activations.
  const std::vector<at::Tensor>* calibration = nullptr;
  // The layers are not lowered yet, but are to watch the calls that follow.
  bool watches = false;
};

namespace lowerings {

inline constexpr std::string_view kMergedBranches = "merged_branches";
inline constexpr std::string_view kInt8Dynamic = "int8_dynamic";
inline constexpr std::string_view kInt8Weights = "int8_weights";
inline constexpr std::string_view kInt4Weights = "int4_weights";
inline constexpr std::string_view kFp8Dynamic = "fp8_dynamic";
inline constexpr std::string_view kMxfp8Dynamic = "mxfp8_dynamic";
inline constexpr std::string_view kNvfp4Dynamic = "nvfp4_dynamic";
inline constexpr std::string_view kInt8Static = "int8_static";

struct Row {
  std::string_view name;
  std::string_view dtypes = "";       // of the cases that it takes; empty: all
  bool rounds = false;                // weights
  bool on_cpu_alone = false;          // defs/cases.bzl has the reason
  bool calibrates = false;            // Lowering.calibration
  std::string_view capability = "";   // compute capability that a GPU needs; no CPU has its kernels
  std::string_view untraceable = "";  // why a trace cannot hold its weights; empty: it can
};

inline constexpr std::string_view kNoTensors = "whose weights are no tensors";
inline constexpr std::string_view kViewedBytes = "whose weights are bytes viewed as another dtype";

inline constexpr Row kTable[] = {
    {kMergedBranches},
    {.name = kInt8Dynamic,
     .dtypes = "fp32",
     .rounds = true,
     .on_cpu_alone = true,
     .untraceable = kNoTensors},
    {.name = kInt8Weights, .dtypes = "bf16", .rounds = true, .on_cpu_alone = true},
    {.name = kInt4Weights, .dtypes = "bf16, fp16, fp32", .rounds = true, .on_cpu_alone = true},
    {.name = kFp8Dynamic, .dtypes = "bf16", .rounds = true, .untraceable = kViewedBytes},
    {.name = kMxfp8Dynamic,
     .dtypes = "bf16",
     .rounds = true,
     .capability = "10.0",
     .untraceable = kViewedBytes},
    {.name = kNvfp4Dynamic,
     .dtypes = "bf16",
     .rounds = true,
     .capability = "10.0",
     .untraceable = kViewedBytes},
    {.name = kInt8Static,
     .dtypes = "fp32",
     .rounds = true,
     .on_cpu_alone = true,
     .calibrates = true,
     .untraceable = kNoTensors},
};

// Null: there is none of this name.
constexpr const Row* Find(std::string_view name) {
  for (const Row& row : kTable) {
    if (row.name == name) return &row;
  }
  return nullptr;
}

// "merged_branches, int8_dynamic, ...".
inline std::string Names() {
  std::string names;
  for (const Row& row : kTable) {
    if (!names.empty()) names += ", ";
    names += row.name;
  }
  return names;
}

}  // namespace lowerings
}  // namespace assay

#endif  // ASSAY_DEFS_CASE_LOWERINGS_H_

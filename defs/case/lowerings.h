#ifndef ASSAY_DEFS_CASE_LOWERINGS_H_
#define ASSAY_DEFS_CASE_LOWERINGS_H_

// ---------------------------------------------------------------------------------------------
// lowerings.h: what a model may be made into once its weights are in place (models/model.h).
//
//   merged_branches  each block's branches, norms included, as the one convolution that they amount to
//   int8_dynamic     linear layers with weights of 8 bits, and inputs that are rounded to 7 bits in
//                    each call, as torch.ao.quantization.quantize_dynamic
//   int8_weights     linear layers with weights of 8 bits and a scale for each row, multiplied in bf16
//
// Example:
//   absl::Status lowered = model->Lower(lowerings::kInt8Dynamic);
// ---------------------------------------------------------------------------------------------

#include <string_view>

namespace assay::lowerings {

inline constexpr std::string_view kMergedBranches = "merged_branches";
inline constexpr std::string_view kInt8Dynamic = "int8_dynamic";

inline constexpr std::string_view kInt8Weights = "int8_weights";

inline constexpr std::string_view kAll[] = {kMergedBranches, kInt8Dynamic, kInt8Weights};

}  // namespace assay::lowerings

#endif  // ASSAY_DEFS_CASE_LOWERINGS_H_

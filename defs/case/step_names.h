#ifndef ASSAY_DEFS_CASE_STEP_NAMES_H_
#define ASSAY_DEFS_CASE_STEP_NAMES_H_

// step_names.h: the names of the steps of cases. case_steps.h says what each does.

#include <string_view>

namespace assay::steps {

inline constexpr std::string_view kForward = "forward";
inline constexpr std::string_view kBackward = "backward";
inline constexpr std::string_view kOptimizer = "optimizer";
inline constexpr std::string_view kTrainStep = "train_step";
inline constexpr std::string_view kPrefill = "prefill";
inline constexpr std::string_view kDecode = "decode";
inline constexpr std::string_view kGenerate = "generate";
inline constexpr std::string_view kPreprocess = "preprocess";
inline constexpr std::string_view kPostprocess = "postprocess";
inline constexpr std::string_view kHostToDevice = "h2d";
inline constexpr std::string_view kDeviceToHost = "d2h";

inline constexpr std::string_view kAll[] = {kForward,     kBackward,     kOptimizer,   kTrainStep,
                                            kPrefill,     kDecode,       kGenerate,    kPreprocess,
                                            kPostprocess, kHostToDevice, kDeviceToHost};

}  // namespace assay::steps

#endif  // ASSAY_DEFS_CASE_STEP_NAMES_H_

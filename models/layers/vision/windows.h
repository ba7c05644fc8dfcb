#ifndef ASSAY_MODELS_LAYERS_VISION_WINDOWS_H_
#define ASSAY_MODELS_LAYERS_VISION_WINDOWS_H_

// ---------------------------------------------------------------------------------------------
// models/layers/vision/windows.h: the tokens of an image or a video in windows of neighbours, among which
// attention works. An image is a video of one frame.
//
// Not for: windows that overlap; windows over a rolled image (swin_blocks.h has their mask).
//
// Example:
//
//     const WindowSizes window = {1, 14, 14};
//     const at::Tensor padded = PaddedToMultiples(x, window);  // (N, 1, 64, 64, C) -> (N, 1, 70, 70, C)
//     const at::Tensor y = Attended(Windows(padded, window));             // (N * 25, 196, C)
//     return WithoutWindows(y, window, padded);                                // (N, 1, 70, 70, C)
// ---------------------------------------------------------------------------------------------

#include <ATen/core/Tensor.h>

#include <array>
#include <cstdint>

namespace assay::models {

using WindowSizes = std::array<int64_t, 3>;  // of frames, rows and columns

// x (N, T, H, W, C) with zeros behind it, so that each size is a multiple.
at::Tensor PaddedToMultiples(const at::Tensor& x, const WindowSizes& multiple);

// (N, T, H, W, C) in whole windows -> (N * windows, tokens of a window, C).
at::Tensor Windows(const at::Tensor& x, const WindowSizes& window);

// The reverse: `like` has the shape of the result.
at::Tensor WithoutWindows(const at::Tensor& windows, const WindowSizes& window,
                          const at::Tensor& like);

}  // namespace assay::models

#endif  // ASSAY_MODELS_LAYERS_VISION_WINDOWS_H_

#include "models/layers/detection/bilinear_samples.h"

namespace assay::models {

void CheckRegions(const char* op, const at::Tensor& features, const at::Tensor& regions,
                  int64_t pooled_height, int64_t pooled_width) {
  TORCH_CHECK_VALUE(regions.dim() == 2 && regions.size(1) == kRegionNumbers, op, ": rois is ",
                    regions.sizes(), "; it must be (K, 5)");
  TORCH_CHECK_VALUE(regions.is_cpu() && (regions.scalar_type() == at::kFloat ||
                                         regions.scalar_type() == at::kDouble),
                    op, ": rois is ", regions.scalar_type(), " on ", regions.device(),
                    "; this kernel is for float32 and float64 on the CPU");
  TORCH_CHECK_VALUE(features.dim() == 4 && features.is_cpu() && features.size(2) > 0 &&
                        features.size(3) > 0 && features.scalar_type() == regions.scalar_type(),
                    op, ": the input is ", features.scalar_type(), " ", features.sizes(), " on ",
                    features.device(), "; it must be ", regions.scalar_type(),
                    " (N, C, H, W) on the CPU, as the rois are");
  TORCH_CHECK_VALUE(pooled_height > 0 && pooled_width > 0, op, ": the result is ", pooled_height,
                    " x ", pooled_width, "; each must be at least 1");
  if (regions.size(0) == 0) return;
  const at::Tensor images = regions.select(1, 0);
  const double least = images.min().item<double>(), most = images.max().item<double>();
  TORCH_CHECK_VALUE(least >= 0 && most < static_cast<double>(features.size(0)), op,
                    ": rois name the images ", least, " to ", most, " of ", features.size(0),
                    "; the first column must be from 0 to ", features.size(0) - 1);
  TORCH_CHECK_VALUE(regions.isfinite().all().item<bool>(), op,
                    ": a roi is NaN or infinite; leave such boxes out");
}

}  // namespace assay::models

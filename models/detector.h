#ifndef ASSAY_MODELS_DETECTOR_H_
#define ASSAY_MODELS_DETECTOR_H_

// ---------------------------------------------------------------------------------------------
// models/detector.h: the interface that a model adds to models/model.h if its outputs become boxes.
//
// A row of detections is a box: label, score, x1, y1, x2, y2, where corners are in pixels of the image. The
// rows of an image are a set: two programs that differ by rounding may list them in another order. Where an
// image has fewer boxes than rows, the label of the others is -1 and their numbers are 0.
//
// Not for: comparing boxes (benchmarks/harness/numerics/detections.h).
//
// Example:
//
//     auto* detector = dynamic_cast<Detector*>(model.get());     // null: its outputs are not of boxes
//     at::Tensor boxes = detector->Detections(model->Forward({image}));
// ---------------------------------------------------------------------------------------------

#include <ATen/core/Tensor.h>

namespace assay::models {

class Detector {
 public:
  virtual ~Detector() = default;

  // The outputs of the last Forward -> detections (N, boxes of an image, 6), in float32, or in float64 of
  // outputs in that. Lets c10::Error through.
  virtual at::Tensor Detections(at::ArrayRef<at::Tensor> outputs) = 0;
};

}  // namespace assay::models

#endif  // ASSAY_MODELS_DETECTOR_H_

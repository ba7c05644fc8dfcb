#ifndef ASSAY_BENCHMARKS_HARNESS_GOLDENS_TRAINING_WATCH_H_
#define ASSAY_BENCHMARKS_HARNESS_GOLDENS_TRAINING_WATCH_H_

// ---------------------------------------------------------------------------------------------
// training_watch.h: records properties that a model's outputs hardly show: epsilon and momentum of
// each norm by its name, and the probabilities of dropout in a call in training. It watches the
// operators that are called, so no model needs a line for it. ci/goldens/training_watch.py
// watches the Python implementation and writes the same lines:
//
//     norm batch_norm eps 1e-05 momentum 0.1 x20 bn1 .. layer4.1.bn2
//     norm layer_norm eps 1e-06 x1 head.norm
//     drops elements 0.1 x25
//     drops rows 0.0181818 x2, 0.0363636
//
// A line is a run of equal neighbours, norms in the order of the state and drops in the order of
// the calls, so that a wrong one has a line of its own, with its name. "elements": each by itself
// (dropout); "rows": a whole row of the batch at once (stochastic depth). A norm whose scale is
// computed has the name "-".
//
// Not for: models in evaluation, which drop nothing.
//
// Example:
//   std::vector<std::string> lines = TrainingLines(*model, inputs);
// ---------------------------------------------------------------------------------------------

#include <ATen/core/Tensor.h>

#include <string>
#include <vector>

#include "models/model.h"

namespace assay::goldens {

// Calls the model once in training, without gradients. Its buffers change, and it stays in
// training.
std::vector<std::string> TrainingLines(models::Model& model, at::ArrayRef<at::Tensor> inputs);

}  // namespace assay::goldens

#endif  // ASSAY_BENCHMARKS_HARNESS_GOLDENS_TRAINING_WATCH_H_

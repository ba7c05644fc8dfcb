#ifndef ASSAY_BENCHMARKS_HARNESS_CHECKPOINTS_CHECKPOINT_LOADING_H_
#define ASSAY_BENCHMARKS_HARNESS_CHECKPOINTS_CHECKPOINT_LOADING_H_

// ---------------------------------------------------------------------------------------------
// checkpoint_loading.h: loads a checkpoint's tensors into a program's state, by name, all or none.
//
// Names must be the model's, apart from the differences that checkpoint_plan.h knows; shapes and
// kinds of numbers must be the model's. One message lists everything that does not fit:
//
//   weights model.safetensors do not fit the model
//     missing     2: "fc.bias", "fc.weight"
//     unexpected  1: "head.weight"
//     mis-shaped  1: "conv1.weight" is [64, 1, 7, 7], the model's is [64, 3, 7, 7]
//     mis-typed   1: "bn1.num_batches_tracked" is F32, the model's is int64
//     looks like  ResNet of bottleneck blocks (torchvision, timm); ...
//
// Floating-point tensors are rounded once, from the file's dtype to the case's: a float32
// checkpoint in a bf16 case is normal. Integers must be of the same type. A name may be missing if
// its tensor shares its memory with one that the file has (tied weights); if the file has both,
// they must be equal.
//
// Not for: reading files (tensor_files/checkpoint.h), nor for matching names (checkpoint_plan.h).
//
// Example:
//   auto program = NewProgram(c, c.measured());
//   absl::StatusOr<LoadedWeights> loaded = LoadCheckpoint(*checkpoint, {}, BF16, **program);
//   for (const std::string& warning : loaded->warnings) std::cerr << warning << "\n";
// ---------------------------------------------------------------------------------------------

#include <cstdint>
#include <string>
#include <vector>

#include "absl/status/statusor.h"
#include "benchmarks/harness/checkpoints/checkpoint_plan.h"
#include "benchmarks/harness/programs/program.h"
#include "benchmarks/harness/tensor_files/checkpoint.h"
#include "defs/proto/suite.pb.h"

namespace assay::checkpoints {

struct LoadedWeights {
  int64_t tensors = 0;
  std::vector<std::string> conversions;  // the plan's notes, "62 tensors F32 converted to bf16"
  std::vector<std::string> warnings;     // NaN or infinity, with the first name
};

// Moves the program to `dtype` on the CPU and fills its state. InvalidArgument with the lists above
// (each sorted, and cut after 20 names) where the checkpoint does not fit; DataLoss where a tensor
// is malformed or tied tensors differ; ResourceExhausted.
absl::StatusOr<LoadedWeights> LoadCheckpoint(const tensor_files::Checkpoint& checkpoint,
                                             const LoadingRules& rules, Dtype dtype,
                                             execution::Program& program);

}  // namespace assay::checkpoints

#endif  // ASSAY_BENCHMARKS_HARNESS_CHECKPOINTS_CHECKPOINT_LOADING_H_

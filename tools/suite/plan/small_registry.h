// -----------------------------------------------------------------------------
// File: small_registry.h
// -----------------------------------------------------------------------------
//
// A registry for tests: the models mlp and cnn, in fp32 and bf16 at the batches 1 and 8, and
// training cases of mlp in fp32 at 8. cnn's input is an image; cnn_bf16_b8 is skipped on CUDA.
//
//   const Registry registry = SmallRegistry();

#ifndef ASSAY_TOOLS_SUITE_PLAN_SMALL_REGISTRY_H_
#define ASSAY_TOOLS_SUITE_PLAN_SMALL_REGISTRY_H_

#include "defs/proto/suite.pb.h"

namespace assay::suite {

Registry SmallRegistry();

}  // namespace assay::suite

#endif  // ASSAY_TOOLS_SUITE_PLAN_SMALL_REGISTRY_H_

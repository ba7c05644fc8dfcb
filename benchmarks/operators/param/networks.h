#ifndef ASSAY_BENCHMARKS_OPERATORS_PARAM_NETWORKS_H_
#define ASSAY_BENCHMARKS_OPERATORS_PARAM_NETWORKS_H_

// ---------------------------------------------------------------------------------------------
// networks.h: builds the two networks among PARAM's operators, those of models/, in training mode:
// dropout is on, and batch norm uses the batch's statistics. Float64 is the same model's.
//
//   AlexNet(num_classes=1000): torchvision's, images (N, 3, 224, 224)
//   ResNet(layers=[3, 4, 6, 3], num_classes=1000, groups=1, width_per_group=64): bottleneck blocks
//
// Example:
//   absl::StatusOr<Operator> network = BuildAlexNet({}, at::kCPU);
// ---------------------------------------------------------------------------------------------

#include "absl/status/statusor.h"
#include "benchmarks/operators/param/operators.h"

namespace assay::param {

absl::StatusOr<Operator> BuildAlexNet(const execution::OperatorArguments& build,
                                      c10::Device device);
absl::StatusOr<Operator> BuildResNet(const execution::OperatorArguments& build, c10::Device device);

}  // namespace assay::param

#endif  // ASSAY_BENCHMARKS_OPERATORS_PARAM_NETWORKS_H_

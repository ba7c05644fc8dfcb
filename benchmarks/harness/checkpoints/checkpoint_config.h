#ifndef ASSAY_BENCHMARKS_HARNESS_CHECKPOINTS_CHECKPOINT_CONFIG_H_
#define ASSAY_BENCHMARKS_HARNESS_CHECKPOINTS_CHECKPOINT_CONFIG_H_

// ---------------------------------------------------------------------------------------------
// checkpoint_config.h: gives a case the sizes that a config.json beside weights says.
//
// The implementation's table (suite.proto: CheckpointConfig) says which key sets which parameter, and
// which values of other keys the code computes. A file is refused where it
//
//   is of another model_type                  "model_type" is "t5"
//   wants what the code does not compute      "activation_function" is "relu"
//   lacks a size                              it has no "hidden_size"
//   has a key that no table knows             "my_scale" is 0.5
//
// and the message names key, value, and what is there.
//
// Not for: weights (checkpoint_loading.h).
//
// Example:
//   absl::StatusOr<ConfiguredCase> configured = WithCheckpointConfig(c, json, {});
//   configured->notes;   // "sizes of config.json (of the case): n_layer 3 (2)"
// ---------------------------------------------------------------------------------------------

#include <string>
#include <string_view>
#include <vector>

#include "absl/status/statusor.h"
#include "defs/proto/suite.pb.h"

namespace assay::checkpoints {

struct ConfiguredCase {
  ResolvedCase resolved;
  std::vector<std::string> notes;
};

// `ignored`: keys, as the user gave them ("a.b" in the object a), that are left out. InvalidArgument for
// a file as above, for such a key that the file lacks or the table reads, and for sizes that the case's implementation or its inputs do not allow. An implementation without a
// table leaves the case as it is, and a note says so.
absl::StatusOr<ConfiguredCase> WithCheckpointConfig(const ResolvedCase& c, std::string_view json,
                                                    const std::vector<std::string>& ignored);

}  // namespace assay::checkpoints

#endif  // ASSAY_BENCHMARKS_HARNESS_CHECKPOINTS_CHECKPOINT_CONFIG_H_

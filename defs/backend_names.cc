#include "defs/backend_names.h"

#include "absl/strings/ascii.h"

namespace assay {

std::string BackendName(const Execution& execution) {
  return execution.backend().empty() ? std::string(kBackends[0])
                                     : absl::AsciiStrToLower(execution.backend());
}

absl::Status CheckBackend(const BenchmarkCase& c) {
  const Execution& execution = c.execution();
  if (execution.backend() != "torchscript") return absl::OkStatus();
  if (c.mode() == TRAIN || c.mode() == GENERATE || c.operator_call().backward()) {
    return absl::InvalidArgumentError(
        "--backend=torchscript: it traces a forward pass; the case does more");
  }
  if (execution.autocast() == DTYPE_UNSPECIFIED) return absl::OkStatus();
  return absl::InvalidArgumentError(
      "--backend=torchscript: it takes no --autocast; take a case of that dtype");
}

}  // namespace assay

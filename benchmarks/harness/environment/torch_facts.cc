#include "benchmarks/harness/environment/torch_facts.h"

#include "ATen/Context.h"
#include "ATen/Parallel.h"
#include "ATen/Version.h"
#include "c10/util/Exception.h"
#include "torch/csrc/api/include/torch/version.h"

namespace assay::environment {
namespace {

// The getters refuse to answer when the old and the new switches of LibTorch were both used and
// contradict each other; TF32 may then be on, so this reports it as on.
template <typename Getter>
bool MayUse(Getter getter) {
  try {
    return getter();
  } catch (const c10::Error&) {
    return true;
  }
}

}  // namespace

void AddTorchFacts(Environment& environment) {
  environment.set_torch_version(TORCH_VERSION);
  environment.set_cpu_capability(at::get_cpu_capability());
  environment.set_tf32_matmul(MayUse([] { return at::globalContext().allowTF32CuBLAS(); }));
  environment.set_tf32_cudnn(MayUse([] { return at::globalContext().allowTF32CuDNN(); }));
  if (environment.threads() == 0) environment.set_threads(at::get_num_threads());
}

}  // namespace assay::environment

#include "benchmarks/harness/runner/serving/thread_team.h"

#include <dlfcn.h>

namespace assay::runner {

void ReleaseThreadTeam() {
  // omp_pause_resource_all(omp_pause_soft), of the OpenMP that LibTorch brings.
  constexpr int kSoft = 1;
  void* const pause = dlsym(RTLD_DEFAULT, "omp_pause_resource_all");
  if (pause != nullptr) reinterpret_cast<int (*)(int)>(pause)(kSoft);
}

}  // namespace assay::runner

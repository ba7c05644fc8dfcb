#ifndef ASSAY_BENCHMARKS_HARNESS_RUNNER_SERVING_THREAD_TEAM_H_
#define ASSAY_BENCHMARKS_HARNESS_RUNNER_SERVING_THREAD_TEAM_H_

// ---------------------------------------------------------------------------------------------
// thread_team.h: ends the threads that OpenMP keeps for the calling thread.
//
// libgomp keeps the threads of a parallel region for the next one. Where a process has more of them
// than cores, none waits actively any more: each region then wakes sleeping threads. A worker's team
// beside an idle one of the main thread is such a process.
//
// Example:
//   ReleaseThreadTeam();   // then start the workers' threads
// ---------------------------------------------------------------------------------------------

#include <dlfcn.h>

namespace assay::runner {

// Does nothing where LibTorch's OpenMP is older than 5.0. Outside of parallel regions only. The next
// region makes a team again.
inline void ReleaseThreadTeam() {
  // omp_pause_resource_all(omp_pause_soft), of the OpenMP that LibTorch brings.
  constexpr int kSoft = 1;
  void* const pause = dlsym(RTLD_DEFAULT, "omp_pause_resource_all");
  if (pause != nullptr) reinterpret_cast<int (*)(int)>(pause)(kSoft);
}

}  // namespace assay::runner

#endif  // ASSAY_BENCHMARKS_HARNESS_RUNNER_SERVING_THREAD_TEAM_H_

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

namespace assay::runner {

// Does nothing where LibTorch's OpenMP is older than 5.0. Outside of parallel regions only. The next
// region makes a team again.
void ReleaseThreadTeam();

}  // namespace assay::runner

#endif  // ASSAY_BENCHMARKS_HARNESS_RUNNER_SERVING_THREAD_TEAM_H_

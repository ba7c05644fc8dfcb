#ifndef ASSAY_BENCHMARKS_TRACES_REPLAY_RANDOM_START_H_
#define ASSAY_BENCHMARKS_TRACES_REPLAY_RANDOM_START_H_

// ---------------------------------------------------------------------------------------------
// random_start.h: where the random numbers of a replay begin: at the states that the program's
// generators had, or at a seed.
//
// Example:
//   start.Restore();   // before each replay
// ---------------------------------------------------------------------------------------------

#include <ATen/core/Generator.h>
#include <ATen/core/Tensor.h>

#include <cstdint>
#include <utility>
#include <vector>

namespace assay::traces {

struct RandomStart {
  bool draws = false;     // a call draws random numbers
  uint64_t seed = 0;      // where there is no state
  at::Tensor state = {};  // of LibTorch's CPU generator
  // Generators that calls are given, each with its state at that call.
  std::vector<std::pair<at::Generator, at::Tensor>> given = {};

  void Restore() const;
};

}  // namespace assay::traces

#endif  // ASSAY_BENCHMARKS_TRACES_REPLAY_RANDOM_START_H_

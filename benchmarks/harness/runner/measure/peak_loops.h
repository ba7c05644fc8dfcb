#ifndef ASSAY_BENCHMARKS_HARNESS_RUNNER_MEASURE_PEAK_LOOPS_H_
#define ASSAY_BENCHMARKS_HARNESS_RUNNER_MEASURE_PEAK_LOOPS_H_

// ---------------------------------------------------------------------------------------------
// peak_loops.h: measures the peaks of a CPU's cores by loops that do nothing else: multiply-adds in
// registers, and reading. They run on LibTorch's own threads, so their number and pinning are those
// of a case.
//
// On x86-64 a multiply-add takes 4 or 5 cycles and two start in a cycle, so 12 independent ones keep
// the units of today's cores busy. With factor and term they fit into 16 registers. 64-bit Arm has 32
// registers, and cores that start four in a cycle: 24.
//
// Example:
//   for (const FmaLoop& loop : FmaLoops(/*float64=*/false)) loop.Run(1 << 20);
// ---------------------------------------------------------------------------------------------

#include <ATen/core/Tensor.h>

#include <cstdint>
#include <string>
#include <vector>

namespace assay::runner {

// sum = sum * 0.5 + 1 in each lane of all vectors.
struct FmaLoop {
  std::string name;                         // "fma loop avx512, fp32"
  double operations;                        // operations of one iteration in one thread
  double (*of_thread)(int64_t iterations);  // returns the sum of all lanes

  // Runs on every thread at once. Returns the sum over all threads; each lane is 2 after 60
  // iterations.
  double Run(int64_t iterations) const;
};

// One loop for each vector unit that compiler and CPU have, that of 16 bytes first.
std::vector<FmaLoop> FmaLoops(bool float64);

// Reads an int64 tensor once, each thread its part; returns the sum, which wraps round.
int64_t SumOfWords(const at::Tensor& words);

}  // namespace assay::runner

#endif  // ASSAY_BENCHMARKS_HARNESS_RUNNER_MEASURE_PEAK_LOOPS_H_

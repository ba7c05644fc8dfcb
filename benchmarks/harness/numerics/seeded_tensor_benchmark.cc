// Measures how fast weights are made, page faults of fresh memory included, as when a model is
// built. Not how fast they are moved to a device.
//
//   tools/bazel run //benchmarks/harness/numerics:seeded_tensor_benchmark

#include <cstdint>

#include "ATen/Parallel.h"
#include "ATen/core/Tensor.h"
#include "ATen/ops/empty.h"
#include "benchmark/benchmark.h"
#include "benchmarks/harness/numerics/seeded_tensor.h"

namespace assay::numerics {
namespace {

constexpr int64_t kBertLargeElements = 335'141'888;

void BM_FillFresh(benchmark::State& state) {
  at::set_num_threads(static_cast<int>(state.range(0)));
  for (auto _ : state) {
    const at::Tensor tensor = at::empty({kBertLargeElements}, at::kFloat);
    if (!Fill(tensor, 0, "w", {.multiplier = 0.1}).ok()) state.SkipWithError("not filled");
  }
  state.SetItemsProcessed(state.iterations() * kBertLargeElements);
}
BENCHMARK(BM_FillFresh)->Arg(1)->Arg(2)->Unit(benchmark::kMillisecond)->UseRealTime();

}  // namespace
}  // namespace assay::numerics

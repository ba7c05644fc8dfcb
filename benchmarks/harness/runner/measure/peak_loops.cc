#include "benchmarks/harness/runner/measure/peak_loops.h"

#include <ATen/Parallel.h>
#include <ATen/TensorIterator.h>
#include <ATen/ops/zeros.h>

#include <atomic>
#include <cstddef>
#include <string_view>
#include <utility>

#include "absl/strings/str_cat.h"

namespace assay::runner {
namespace {

#if defined(__aarch64__)
constexpr auto kChains = std::make_index_sequence<24>();
constexpr std::string_view kBaseline = "neon";
#else
constexpr auto kChains = std::make_index_sequence<12>();
constexpr std::string_view kBaseline = "of 16 bytes";
#endif
constexpr int kBaselineBytes = 16, kAvx2Bytes = 32, kAvx512Bytes = 64;

// A vector type of the compiler. The function that uses it decides which instructions it becomes.
template <typename Number, int kBytes>
struct Vector {
  using Type [[gnu::vector_size(kBytes)]] = Number;
};

template <typename Number, int kBytes, size_t... kChain>
[[gnu::always_inline]] inline double MultiplyAdd(int64_t iterations,
                                                 std::index_sequence<kChain...>) {
  using Lanes = typename Vector<Number, kBytes>::Type;
  // volatile, or the compiler would compute the sums beforehand.
  volatile Number given_factor = 0.5, given_term = 1;
  const Number factor = given_factor, term = given_term;
  Lanes sums[] = {Lanes{} + static_cast<Number>(kChain)...};
  for (int64_t i = 0; i < iterations; ++i) ((sums[kChain] = sums[kChain] * factor + term), ...);
  const Lanes lanes = (sums[kChain] + ...);
  double sum = 0;
  for (size_t lane = 0; lane < kBytes / sizeof(Number); ++lane) sum += lanes[lane];
  return sum;
}

template <typename Number>
double Baseline(int64_t iterations) {
  return MultiplyAdd<Number, kBaselineBytes>(iterations, kChains);
}

#if defined(__x86_64__)
template <typename Number>
[[gnu::target("avx2,fma")]] double Avx2(int64_t iterations) {
  return MultiplyAdd<Number, kAvx2Bytes>(iterations, kChains);
}

template <typename Number>
[[gnu::target("avx512f")]] double Avx512(int64_t iterations) {
  return MultiplyAdd<Number, kAvx512Bytes>(iterations, kChains);
}
#endif

template <typename Number>
std::vector<FmaLoop> LoopsOf(std::string_view dtype) {
  std::vector<FmaLoop> loops;
  const auto add = [&](std::string_view unit, int bytes, double (*of_thread)(int64_t)) {
    const double lanes = static_cast<double>(bytes) / sizeof(Number);
    loops.push_back({.name = absl::StrCat("fma loop ", unit, ", ", dtype),
                     .operations = 2 * static_cast<double>(kChains.size()) * lanes,
                     .of_thread = of_thread});
  };
  add(kBaseline, kBaselineBytes, Baseline<Number>);
#if defined(__x86_64__)
  if (__builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma"))
    add("avx2", kAvx2Bytes, Avx2<Number>);
  if (__builtin_cpu_supports("avx512f")) add("avx512", kAvx512Bytes, Avx512<Number>);
#endif
  return loops;
}

// Wider vectors read no faster from memory. Two sums let two loads start in a cycle.
uint64_t SumOfPart(const char* data, int64_t count) {
  using Pair [[gnu::vector_size(16), gnu::aligned(8), gnu::may_alias]] = uint64_t;
  const auto* const pairs = reinterpret_cast<const Pair*>(data);
  Pair even = {}, odd = {};
  for (int64_t i = 0; i + 1 < count / 2; i += 2) {
    even += pairs[i];
    odd += pairs[i + 1];
  }
  even += odd;
  uint64_t sum = even[0] + even[1];
  const auto* const words = reinterpret_cast<const uint64_t*>(data);
  for (int64_t i = count / 4 * 4; i < count; ++i) sum += words[i];
  return sum;
}

// Calls body(elements, count) with the parts of a contiguous 1-d tensor, a part for each thread.
// at::parallel_for would need OpenMP in this translation unit.
template <typename Body>
void OnEachThread(const at::Tensor& tensor, const Body& body) {
  at::TensorIterator iterator = at::TensorIteratorConfig()
                                    .check_all_same_dtype(false)
                                    .add_output(tensor)
                                    .resize_outputs(false)
                                    .build();
  const auto loop = [&](char** data, const int64_t*, int64_t count, int64_t /*1*/) {
    body(data[0], count);
  };
  iterator.for_each(loop, /*grain_size=*/1);
}

}  // namespace

double FmaLoop::Run(int64_t iterations) const {
  const at::Tensor sums = at::zeros({at::get_num_threads()}, at::kDouble);
  OnEachThread(sums, [&](char* data, int64_t count) {
    for (int64_t i = 0; i < count; ++i) reinterpret_cast<double*>(data)[i] = of_thread(iterations);
  });
  return sums.sum().item<double>();
}

std::vector<FmaLoop> FmaLoops(bool float64) {
  return float64 ? LoopsOf<double>("fp64") : LoopsOf<float>("fp32");
}

int64_t SumOfWords(const at::Tensor& words) {
  std::atomic<uint64_t> total = 0;
  OnEachThread(words, [&](char* data, int64_t count) { total += SumOfPart(data, count); });
  return static_cast<int64_t>(total.load());
}

}  // namespace assay::runner

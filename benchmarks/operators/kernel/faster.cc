#include "benchmarks/operators/kernel/faster.h"

#include <ATen/TensorOperators.h>
#include <ATen/ops/empty_like.h>
#include <ATen/ops/zeros.h>
#include <c10/core/GradMode.h>
#include <time.h>

#include <algorithm>
#include <cmath>
#include <cstring>
#include <random>
#include <utility>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_format.h"
#include "absl/time/clock.h"
#include "benchmarks/harness/base/tensor_memory.h"
#include "benchmarks/harness/base/torch_status.h"
#include "benchmarks/harness/statistics/describe/quantile.h"
#include "benchmarks/operators/kernel/candidate.h"
#include "benchmarks/operators/kernel/element_check.h"
#include "benchmarks/operators/kernel/isolated_call.h"
#include "benchmarks/operators/kernel/sized_call.h"
#include "benchmarks/operators/kernel/truth.h"

namespace assay::kernel {
namespace {

constexpr int kFewestSets = 4;  // of inputs: each call of a cold turn has one of its own
constexpr int kMostSets = 32;
constexpr int64_t kBytesOfSets = int64_t{8} << 20;  // beyond the fewest
constexpr int64_t kShortestSampleNs = 20'000;
constexpr int64_t kFewestHotTurns = 3, kFewestColdTurns = 1;  // overwriting the caches takes 20 ms
constexpr double kClocksApart = 0.05;  // two clocks of one machine differ by less
constexpr double kMostBeside =
    0.02;  // no other thread is there, and both clocks of CPU time are exact
constexpr double kReadingNs = 400;  // of a sample

SizedCall OwnCopy(SizedCall call) {
  for (auto& [name, tensor] : call.inputs) tensor = tensor.clone(at::MemoryFormat::Contiguous);
  return call;
}

std::vector<at::Tensor> InputsOf(const SizedCall& call) {
  std::vector<at::Tensor> inputs;
  for (const auto& [name, tensor] : call.inputs) inputs.push_back(tensor);
  return inputs;
}

int64_t ThreadCpuNs() {
  timespec now = {};
  clock_gettime(CLOCK_THREAD_CPUTIME_ID, &now);
  return int64_t{now.tv_sec} * 1'000'000'000 + now.tv_nsec;
}

int SetsFor(const SizedCall& call) {
  int64_t bytes = 1;
  for (const auto& [name, tensor] : call.inputs) bytes += static_cast<int64_t>(tensor.nbytes());
  return static_cast<int>(std::clamp<int64_t>(kBytesOfSets / bytes, kFewestSets, kMostSets));
}

// The most that one call allocates at a time.
int64_t BytesOf(const execution::BoundOperator& bound) {
  const base::TensorMemory memory;
  c10::Stack stack = bound.arguments;
  bound.handle.callBoxed(stack);
  return memory.Counts().peak_bytes;
}

}  // namespace

uint64_t SecondClock::Count() {
#if defined(__x86_64__)
  return __builtin_ia32_rdtsc();
#elif defined(__aarch64__)
  uint64_t count = 0;
  asm volatile("mrs %0, cntvct_el0" : "=r"(count));
  return count;
#else
  return 0;
#endif
}

SecondClock::SecondClock() {
  if (Count() == 0) return;
  struct Reading {
    uint64_t count = 0, within = ~uint64_t{0};
    absl::Time time = {};
  };
  // The narrowest of some, since another program may run between the two clocks.
  const auto read = [] {
    Reading best;
    for (int i = 0; i < 20; ++i) {
      const uint64_t count = Count();
      const absl::Time time = absl::Now();
      const uint64_t within = Count() - count;
      if (within < best.within) best = {count, within, time};
    }
    return best;
  };
  const Reading first = read();
  absl::SleepFor(absl::Milliseconds(20));
  const Reading last = read();
  ns_per_count_ = absl::ToDoubleNanoseconds(last.time - first.time) /
                  static_cast<double>(last.count - first.count);
}

absl::StatusOr<TimedPair> TimedPair::Make(const Candidate& candidate, const PairOptions& options) {
  TimedPair pair(candidate, options);
  const std::string& like_name = candidate.row.call().name();
  for (int i = 0, sets = 1; i < sets; ++i) {
    absl::StatusOr<SizedCall> call = AtSizes(candidate.row, options.sizes, options.dtype,
                                             options.seed + static_cast<uint64_t>(i));
    if (!call.ok()) return call.status();
    *call = OwnCopy(*std::move(call));
    sets = SetsFor(*call);
    const SizedCall aten = OwnCopy(*call);
    const absl::StatusOr<execution::BoundOperator> like = Bind(like_name, *call);
    if (!like.ok()) return like.status();
    const absl::StatusOr<execution::BoundOperator> own = BindLike(candidate.name, *like);
    if (!own.ok()) return own.status();
    if (i == 0) {
      const CallEnd alone = CallIsolated(
          *own, {.threads = candidate.threads, .twice = false, .timeout = candidate.timeout});
      if (!alone.kind.empty())
        return absl::FailedPreconditionError(absl::StrCat(alone.kind, ": ", alone.text));
    }
    pair.sets_.push_back({.call = *call,
                          .candidate = *own,
                          .aten = *Bind(like_name, aten),
                          .candidate_inputs = InputsOf(*call),
                          .aten_inputs = InputsOf(aten),
                          .values = InputsOf(OwnCopy(*call))});
  }
  return pair;
}

// One measurement of a pair.
class PairSampling {
 public:
  PairSampling(TimedPair& pair, sampling::Device& device, const SecondClock& second, Heat heat)
      : pair_(pair),
        device_(device),
        second_(second),
        heat_(heat),
        one_thread_(pair.candidate_.threads == 1),
        draw_(pair.options_.seed) {}

  absl::StatusOr<PairTimes> Run() {
    const at::NoGradGuard no_grad;
    for (TimedPair::Set& set : pair_.sets_) Change(set, true), Change(set, false);
    for (int i = 0; i < 2; ++i)
      Sample(true), Sample(false);  // warm-up; the first calls build plans
    Size();
    times_.candidate_bytes = BytesOf(SetOf(0).candidate);
    times_.aten_bytes = BytesOf(SetOf(0).aten);
    spent_ = {};
    timed_ = true;
    const double budget_ns = absl::ToDoubleNanoseconds(pair_.options_.budget), begin = Now();
    std::vector<double> ratios;
    const int64_t delay = device_.Counters().run_delay_ns, cpu = device_.ProcessCpuNs(),
                  own_cpu = ThreadCpuNs();
    for (int64_t turn = 0; turn < (heat_ == Heat::kHot ? kFewestHotTurns : kFewestColdTurns) ||
                           Now() - begin < budget_ns;
         ++turn) {
      if (heat_ == Heat::kCold) {
        for (TimedPair::Set& set : pair_.sets_) Change(set, true), Change(set, false);
        if (absl::Status flushed = device_.FlushCache(); !flushed.ok()) return flushed;
        WakeThreads();
      }
      const bool candidate_first = (turn + pair_.options_.process) % 2 == 0;
      double sums[2] = {0, 0};  // logarithms: ATen, candidate
      for (const bool candidate :
           {candidate_first, !candidate_first, !candidate_first, candidate_first}) {
        const double ns = Sample(candidate);
        (candidate ? times_.candidate_ns : times_.aten_ns).push_back(ns);
        sums[candidate] += std::log(std::max(ns, 1.0));
        if (!times_.wrong.empty()) return std::move(times_);
      }
      ratios.push_back((sums[0] - sums[1]) / 2);
    }
    if (times_.checked < spent_.candidate_samples) Sample(true, /*last=*/true);
    std::sort(ratios.begin(), ratios.end());
    times_.log_ratio = statistics::Median(ratios);
    const double took_ns = Now() - begin;
    const auto cpu_ns = static_cast<double>(device_.ProcessCpuNs() - cpu);
    const auto waited_ns =
        delay < 0 ? 0 : static_cast<double>(device_.Counters().run_delay_ns - delay);
    times_.waited = waited_ns / std::max(took_ns, 1.0);
    // Whatever other programs do. Overwriting the caches takes several threads.
    if (one_thread_ && heat_ == Heat::kHot)
      beside_ = (cpu_ns - static_cast<double>(ThreadCpuNs() - own_cpu)) / std::max(cpu_ns, 1.0);
    Doubt();
    return std::move(times_);
  }

 private:
  // The time of all samples together.
  struct Spent {
    double clock_ns = 0;                       // by the system's clock
    double least_counts = 0, most_counts = 0;  // by the processor's counter, read within and around
    int64_t samples = 0, candidate_samples = 0;
  };

  // By the processor's counter, since a library can stop the system's clock.
  double Now() {
    return second_.NsPerCount() > 0
               ? static_cast<double>(SecondClock::Count()) * second_.NsPerCount()
               : static_cast<double>(device_.NowNs());
  }

  // The time of one call, in nanoseconds. Checks the results now and then. Nothing tells the kernel
  // whether they will be looked at, nor how many calls a sample has, nor which sample is the last: all that is drawn from
  // another source than the seed, which a library could read.
  //
  // Sample n is looked at with probability 2/n, and the last one always: work that is left out from some call on shows, and
  // work that is left out from sample a to sample b is missed with probability (a/b)^2 in one measurement.
  double Sample(bool candidate, bool last = false) {
    results_.clear();
    calls_ = heat_ == Heat::kCold
                 ? 1
                 : fewest_calls_ + static_cast<int>(chance_() % (fewest_calls_ / 2 + 1));
    Refresh(candidate);
    const bool looks = candidate && timed_ && (last || chance_() % ++spent_.candidate_samples < 2);
    const uint64_t before = SecondClock::Count();
    const int64_t start = device_.NowNs();
    const uint64_t began = SecondClock::Count();
    for (int call = 0; call < calls_; ++call) {
      TimedPair::Set& set = SetOf(call);
      const execution::BoundOperator& bound = candidate ? set.candidate : set.aten;
      c10::Stack stack = bound.arguments;
      bound.handle.callBoxed(stack);
      results_.push_back(std::move(stack));
    }
    const uint64_t ended = SecondClock::Count();
    const int64_t ns = device_.NowNs() - start;
    const auto counts = static_cast<double>(SecondClock::Count() - before);
    if (looks) Look();
    ++spent_.samples;
    spent_.clock_ns += static_cast<double>(ns);
    spent_.least_counts += static_cast<double>(ended - began);
    spent_.most_counts += counts;
    return static_cast<double>(ns) / calls_;
  }

  TimedPair::Set& SetOf(int call) {
    return pair_
        .sets_[(static_cast<size_t>(first_set_) + static_cast<size_t>(call)) % pair_.sets_.size()];
  }

  // Other values for the sets of the next sample. Cold sets stay cold: they are changed before the caches are overwritten.
  void Refresh(bool candidate) {
    if (heat_ == Heat::kCold) {
      first_set_ = (first_set_ + 1) % kFewestSets;
      return;
    }
    first_set_ = static_cast<int>(draw_() % pair_.sets_.size());
    for (int call = 0; call < calls_; ++call) Change(SetOf(call), candidate);
  }

  void Change(TimedPair::Set& set, bool candidate) {
    const auto number = static_cast<uint32_t>(draw_());
    if (candidate) set.number = number;
    Fill(set, number, candidate ? set.candidate_inputs : set.aten_inputs);
  }

  // Values that no call has had, as `number` decides: those of one set, and of another some rows and an element elsewhere.
  // Integers stay as they were drawn together.
  void Fill(const TimedPair::Set& set, uint32_t number, const std::vector<at::Tensor>& inputs) {
    std::minstd_rand draw(number);
    const TimedPair::Set& one = pair_.sets_[draw() % pair_.sets_.size()];
    const TimedPair::Set& other = pair_.sets_[draw() % pair_.sets_.size()];
    for (size_t i = 0; i < inputs.size(); ++i) {
      const at::Tensor& input = inputs[i];
      // A list of bags has its own length.
      const bool alike = input.sizes() == one.values[i].sizes();
      auto* to = static_cast<char*>(input.mutable_data_ptr());
      std::memcpy(to, (alike ? one : set).values[i].const_data_ptr(), input.nbytes());
      if (!input.is_floating_point() || input.numel() == 0) continue;
      const auto* from = static_cast<const char*>(other.values[i].const_data_ptr());
      const size_t rows = input.dim() == 0 ? 1 : static_cast<size_t>(input.size(0));
      const size_t row = input.nbytes() / rows, first = draw() % rows;
      std::memcpy(to + first * row, from + first * row, (1 + draw() % (rows - first)) * row);
      const auto n = static_cast<size_t>(input.numel());
      const size_t size = input.nbytes() / n;
      std::memcpy(to + draw() % n * size, from + draw() % n * size, size);
    }
  }

  // The first call after a pause would pay for it. Large enough that ATen gives every thread a part.
  void WakeThreads() { wake_.add_(1); }

  // As many calls as last 20 us, each with a set of its own. Cold caches are cold for one.
  void Size() {
    if (heat_ == Heat::kCold) return;
    const double ns = std::max(1.0, std::min(Sample(true), Sample(false)));
    // A sample has up to half as many again.
    fewest_calls_ = static_cast<int>(std::clamp<double>(
        std::ceil(kShortestSampleNs / ns), 1, static_cast<double>(2 * pair_.sets_.size() / 3)));
  }

  // At the last call of the sample, where work that is put off is missing, and at one by chance.
  void Look() {
    ++times_.checked;
    std::vector<int> calls = {calls_ - 1};
    if (calls_ > 1)
      calls.push_back(static_cast<int>(chance_() % static_cast<uint64_t>(calls_ - 1)));
    // Copied before the truth takes time, in which a kernel's own threads could finish.
    std::vector<std::vector<at::Tensor>> got;
    for (const int call : calls) {
      got.emplace_back();
      for (const at::Tensor& result : execution::TensorsOf(results_[static_cast<size_t>(call)]))
        got.back().push_back(result.clone());
    }
    for (size_t i = 0; i < calls.size() && times_.wrong.empty(); ++i) {
      const TimedPair::Set& set = SetOf(calls[i]);
      if (times_.wrong = WrittenInput(set); !times_.wrong.empty()) return;
      const absl::StatusOr<Truth> truth = TruthOf(set.call);
      if (!truth.ok()) continue;
      times_.wrong = CompareResults(set.call, got[i], *truth, /*usual=*/false).text;
    }
  }

  // Here inputs lie in ordinary memory, and the truth is computed from what they hold now.
  std::string WrittenInput(const TimedPair::Set& set) {
    std::vector<at::Tensor> given;
    for (const at::Tensor& input : set.candidate_inputs) given.push_back(at::empty_like(input));
    Fill(set, set.number, given);
    for (size_t i = 0; i < given.size(); ++i) {
      if (std::memcmp(given[i].const_data_ptr(), set.candidate_inputs[i].const_data_ptr(),
                      given[i].nbytes()) != 0)
        return absl::StrCat("it writes to input '", set.call.inputs[i].first, "'");
    }
    return "";
  }

  // Why the times are not to be believed. Another program that runs between two readings lengthens what lies around the
  // other clock's span, and not what lies within it.
  void Doubt() {
    const double ns_per_count = second_.NsPerCount();
    if (ns_per_count <= 0) return;
    const double reading_ns = kReadingNs * static_cast<double>(spent_.samples);
    const double least = spent_.least_counts * ns_per_count,
                 most = spent_.most_counts * ns_per_count;
    if (spent_.clock_ns < least * (1 - kClocksApart) - reading_ns ||
        spent_.clock_ns > most * (1 + kClocksApart) + reading_ns)
      times_.flagged =
          absl::StrFormat("the system's clock and the processor's counter differ by %.0f %%",
                          100 * (spent_.clock_ns / most - 1));
    if (beside_ > kMostBeside)
      times_.flagged = absl::StrFormat(
          "%.0f %% of the CPU time is of other threads, and it has one thread", 100 * beside_);
  }

  TimedPair& pair_;
  sampling::Device& device_;
  const SecondClock& second_;
  const Heat heat_;
  const bool one_thread_;
  bool timed_ = false;  // the warm-up is over
  std::mt19937_64 draw_;
  std::random_device chance_;
  int fewest_calls_ = 1, calls_ = 1, first_set_ = 0;
  std::vector<c10::Stack> results_;
  at::Tensor wake_ = at::zeros({1 << 17}, at::kFloat);
  Spent spent_;
  double beside_ = 0;  // the share of CPU time that other threads of this process had
  PairTimes times_;
};

absl::StatusOr<PairTimes> TimedPair::Time(sampling::Device& device, const SecondClock& second,
                                          Heat heat) {
  absl::StatusOr<PairTimes> times = PairTimes();
  const absl::Status called = base::CatchTorch(
      "while it was timed", [&] { times = PairSampling(*this, device, second, heat).Run(); });
  if (!called.ok()) return called;
  return times;
}

}  // namespace assay::kernel

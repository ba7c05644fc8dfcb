#include "benchmarks/operators/kernel/faster.h"

#include <ATen/TensorOperators.h>
#include <ATen/ops/zeros.h>
#include <c10/core/GradMode.h>
#include <time.h>

#include <algorithm>
#include <cmath>
#include <random>
#include <utility>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_format.h"
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
constexpr int64_t kMostChecks = 12;  // of a measurement: each takes a call in float64
constexpr double kClocksApart = 0.05;

SizedCall OwnCopy(SizedCall call) {
  for (auto& [name, tensor] : call.inputs) tensor = tensor.clone();
  return call;
}

std::vector<at::Tensor> InputsOf(const SizedCall& call) {
  std::vector<at::Tensor> inputs;
  for (const auto& [name, tensor] : call.inputs) inputs.push_back(tensor);
  return inputs;
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
#else
  return 0;
#endif
}

SecondClock::SecondClock() {
  const absl::Time start = absl::Now();
  const uint64_t first = Count();
  while (absl::Now() - start < absl::Milliseconds(20)) {
  }
  const uint64_t counts = Count() - first;
  if (counts > 0)
    ns_per_count_ = absl::ToDoubleNanoseconds(absl::Now() - start) / static_cast<double>(counts);
}

absl::StatusOr<TimedPair> TimedPair::Make(const Candidate& candidate, const PairOptions& options) {
  TimedPair pair(candidate, options);
  const std::string& like_name = candidate.row.call().name();
  for (int i = 0, sets = 1; i < sets; ++i) {
    absl::StatusOr<SizedCall> call = AtSizes(candidate.row, options.sizes, options.dtype,
                                             options.seed + static_cast<uint64_t>(i));
    if (!call.ok()) return call.status();
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
      : pair_(pair), device_(device), second_(second), heat_(heat), draw_(pair.options_.seed) {}

  absl::StatusOr<PairTimes> Run() {
    const at::NoGradGuard no_grad;
    for (int i = 0; i < 2; ++i)
      Sample(true), Sample(false);  // warm-up; the first calls build plans
    Size();
    times_ = {.candidate_bytes = BytesOf(SetOf(0).candidate),
              .aten_bytes = BytesOf(SetOf(0).aten),
              .wrong = times_.wrong};
    clock_ns_ = counter_ns_ = 0;
    const absl::Time end = absl::Now() + pair_.options_.budget;
    std::vector<double> ratios;
    const int64_t delay = device_.Counters().run_delay_ns, start = device_.NowNs();
    for (int64_t turn = 0;
         turn < (heat_ == Heat::kHot ? kFewestHotTurns : kFewestColdTurns) || absl::Now() < end;
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
    std::sort(ratios.begin(), ratios.end());
    times_.log_ratio = statistics::Median(ratios);
    times_.waited = delay < 0
                        ? 0
                        : static_cast<double>(device_.Counters().run_delay_ns - delay) /
                              static_cast<double>(std::max<int64_t>(device_.NowNs() - start, 1));
    CompareClocks();
    return std::move(times_);
  }

 private:
  // The time of one call, in nanoseconds. Checks the results now and then.
  double Sample(bool candidate) {
    results_.clear();
    Refresh(candidate);
    // Nothing tells the kernel whether its results will be looked at.
    const bool looks =
        candidate && times_.checked < kMostChecks && (times_.checked < 2 || draw_() % 4 == 0);
    const uint64_t counter = SecondClock::Count();
    const int64_t start = device_.NowNs();
    for (int call = 0; call < calls_; ++call) {
      TimedPair::Set& set = SetOf(call);
      const execution::BoundOperator& bound = candidate ? set.candidate : set.aten;
      c10::Stack stack = bound.arguments;
      bound.handle.callBoxed(stack);
      results_.push_back(std::move(stack));
    }
    const int64_t ns = device_.NowNs() - start;
    counter_ns_ += static_cast<double>(SecondClock::Count() - counter) * second_.NsPerCount();
    clock_ns_ += static_cast<double>(ns);
    if (looks) Look();
    return static_cast<double>(ns) / calls_;
  }

  TimedPair::Set& SetOf(int call) {
    return pair_
        .sets_[(static_cast<size_t>(first_set_) + static_cast<size_t>(call)) % pair_.sets_.size()];
  }

  // Other values for the sets of the next sample: those of another set, and one element that no call
  // has had. Cold sets stay cold: they are changed before the caches are overwritten.
  void Refresh(bool candidate) {
    if (heat_ == Heat::kCold) {
      first_set_ = (first_set_ + 1) % kFewestSets;
      return;
    }
    first_set_ = static_cast<int>(draw_() % pair_.sets_.size());
    for (int call = 0; call < calls_; ++call) Change(SetOf(call), candidate);
  }

  void Change(TimedPair::Set& set, bool candidate) {
    const TimedPair::Set& other = pair_.sets_[draw_() % pair_.sets_.size()];
    std::vector<at::Tensor>& inputs = candidate ? set.candidate_inputs : set.aten_inputs;
    for (size_t i = 0; i < inputs.size(); ++i) {
      // A list of bags has its own length.
      if (inputs[i].sizes() != other.values[i].sizes()) continue;
      inputs[i].copy_(other.values[i]);
      if (!inputs[i].is_floating_point() || inputs[i].numel() == 0) continue;
      at::Tensor flat = inputs[i].view({-1});
      const int64_t n = flat.numel();
      const auto element = static_cast<int64_t>(draw_() % static_cast<uint64_t>(n));
      flat[element] = flat[(element + 1) % n] * (0.5 + 0.25 * static_cast<double>(draw_() % 3));
    }
  }

  // The first call after a pause would pay for it. Large enough that ATen gives every thread a part.
  void WakeThreads() { wake_.add_(1); }

  // As many calls as last 20 us, each with a set of its own. Cold caches are cold for one.
  void Size() {
    if (heat_ == Heat::kCold) return;
    const double ns = std::max(1.0, std::min(Sample(true), Sample(false)));
    calls_ = static_cast<int>(std::clamp<double>(std::ceil(kShortestSampleNs / ns), 1,
                                                 static_cast<double>(pair_.sets_.size())));
  }

  // At the last call of the sample, where work that is put off is missing, and at one by chance.
  void Look() {
    ++times_.checked;
    std::vector<int> calls = {calls_ - 1};
    if (calls_ > 1) calls.push_back(static_cast<int>(draw_() % static_cast<uint64_t>(calls_ - 1)));
    // Copied before the truth takes time, in which a kernel's own threads could finish.
    std::vector<std::vector<at::Tensor>> got;
    for (const int call : calls) {
      got.emplace_back();
      for (const at::Tensor& result : execution::TensorsOf(results_[static_cast<size_t>(call)]))
        got.back().push_back(result.clone());
    }
    for (size_t i = 0; i < calls.size() && times_.wrong.empty(); ++i) {
      const SizedCall& call = SetOf(calls[i]).call;
      const absl::StatusOr<Truth> truth = TruthOf(call);
      if (!truth.ok()) continue;
      times_.wrong = CompareResults(call, got[i], *truth, /*usual=*/false).text;
    }
  }

  void CompareClocks() {
    if (second_.NsPerCount() <= 0 || counter_ns_ <= 0) return;
    // Reading the one lies within the span of the other.
    constexpr double kReadingNs = 400;
    const auto samples = static_cast<double>(times_.candidate_ns.size() + times_.aten_ns.size());
    const double share = clock_ns_ / counter_ns_ - 1;
    if (std::abs(clock_ns_ - counter_ns_) > kClocksApart * counter_ns_ + kReadingNs * samples)
      times_.flagged = absl::StrFormat(
          "the system's clock and the processor's counter differ by %.0f %%", 100 * share);
  }

  TimedPair& pair_;
  sampling::Device& device_;
  const SecondClock& second_;
  const Heat heat_;
  std::mt19937_64 draw_;
  int calls_ = 1, first_set_ = 0;
  std::vector<c10::Stack> results_;
  at::Tensor wake_ = at::zeros({1 << 17}, at::kFloat);
  double clock_ns_ = 0, counter_ns_ = 0;
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

#include "benchmarks/harness/runner/measure/peak_probes.h"

#include <ATen/Parallel.h>
#include <ATen/core/Tensor.h>
#include <ATen/ops/conv2d.h>
#include <ATen/ops/empty.h>
#include <ATen/ops/empty_like.h>
#include <ATen/ops/mm.h>
#include <ATen/ops/sum.h>
#include <c10/core/InferenceMode.h>
#include <unistd.h>

#include <algorithm>
#include <functional>
#include <map>
#include <string_view>
#include <utility>

#include "absl/status/status.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_format.h"
#include "absl/strings/str_join.h"
#include "benchmarks/harness/base/dtype.h"
#include "benchmarks/harness/base/torch_status.h"
#include "benchmarks/harness/numerics/seeded_tensor.h"
#include "benchmarks/harness/runner/measure/peak_loops.h"
#include "benchmarks/harness/sampling/measure.h"
#include "benchmarks/harness/statistics/describe/quantile.h"
#include "benchmarks/harness/statistics/intervals/series_interval.h"
#include "benchmarks/harness/text/byte_text.h"

namespace assay::runner {
namespace {

constexpr int64_t kMiB = int64_t{1} << 20;
constexpr int64_t kGiB = int64_t{1} << 30;

// A call that may be the fastest of its kind.
struct Candidate {
  std::string probe;  // the kernel that it calls
  double work = 0;    // operations or bytes of one call
  std::function<void()> call;
};

sampling::SamplingOptions EngineOptions(const PeakOptions& options) {
  sampling::SamplingOptions engine;
  engine.precision.budget = options.budget;
  engine.precision.min_time = options.budget / 2;
  engine.interrupted = options.interrupted;
  return engine;
}

// Uses the device's own timer where there is one: the host's work between calls is no part of a
// peak.
absl::StatusOr<sampling::SampleSet> SamplesOf(sampling::Device& device,
                                              const sampling::SamplingOptions& engine,
                                              const std::function<void()>& call) {
  const sampling::Mode mode =
      device.TimerCount() > 0 ? sampling::Mode::kHot : sampling::Mode::kWall;
  absl::StatusOr<sampling::SampleSet> set;
  const absl::Status caught =
      base::CatchTorch("--peaks", [&] { set = sampling::Measure(device, mode, call, engine); });
  if (!caught.ok()) return caught;
  if (!set.ok()) return set.status();
  if (set->stop_reason == sampling::StopReason::kInterrupted || set->samples_ns.empty())
    return absl::CancelledError("--peaks: interrupted");
  return set;
}

// ", FLAGGED cpu_contention": a busy machine reaches less than it could.
std::string FlaggedText(const sampling::SampleSet& set) {
  std::vector<std::string_view> names;
  for (const sampling::Check& check : set.checks) {
    if (check.status == sampling::CheckStatus::kFlagged) names.push_back(check.name);
  }
  return names.empty() ? "" : absl::StrCat(", FLAGGED ", absl::StrJoin(names, " "));
}

absl::StatusOr<Peak> PeakOf(sampling::Device& device, const PeakOptions& options,
                            const Candidate& candidate) {
  const absl::StatusOr<sampling::SampleSet> set =
      SamplesOf(device, EngineOptions(options), candidate.call);
  if (!set.ok()) return set.status();
  Peak peak;
  SetRate(candidate.work, set->samples_ns, peak);
  peak.set_probe(absl::StrCat(candidate.probe, FlaggedText(*set)));
  return peak;
}

// Measures the candidates and returns the peak of the fastest.
absl::StatusOr<Peak> PeakOf(sampling::Device& device, const PeakOptions& options,
                            std::string_view name, Dtype dtype,
                            const std::vector<Candidate>& candidates) {
  Peak highest;
  for (const Candidate& candidate : candidates) {
    absl::StatusOr<Peak> peak = PeakOf(device, options, candidate);
    if (!peak.ok()) return peak.status();
    if (peak->per_s() > highest.per_s()) highest = *std::move(peak);
  }
  highest.set_name(std::string(name));
  highest.set_dtype(dtype);
  return highest;
}

// Seeded random values as weights have them: on a GPU the power that a product takes, and so its
// clock, depends on the values.
at::Tensor Filled(at::IntArrayRef shape, const char* name, const at::TensorOptions& options) {
  at::Tensor tensor = at::empty(shape, at::kFloat);
  numerics::Fill(tensor, /*seed=*/0, name, {.multiplier = 1, .offset = 0, .slope = 1})
      .IgnoreError();  // a contiguous float32 tensor on the CPU
  return tensor.to(options);
}

Candidate Product(int64_t rows, const at::TensorOptions& options) {
  const at::Tensor a = Filled({rows, rows}, "peak.a", options);
  const at::Tensor b = Filled({rows, rows}, "peak.b", options);
  at::Tensor result = at::empty({rows, rows}, options);
  const auto n = static_cast<double>(rows);
  return {.probe = absl::StrFormat("mm %d x %d x %d", rows, rows, rows),
          .work = 2 * n * n * n,
          .call = [=]() mutable { at::mm_out(result, a, b); }};
}

// A convolution of a ResNet's third stage. It has no padding: a kernel may skip the products with
// padding, though they count as work.
Candidate Convolution(int64_t batch, const at::TensorOptions& options) {
  constexpr int64_t kChannels = 256, kKernel = 3, kOutput = 14, kInput = kOutput + kKernel - 1;
  const auto filled = [&](at::IntArrayRef shape, const char* name) {
    return Filled(shape, name, options).contiguous(at::MemoryFormat::ChannelsLast);
  };
  const at::Tensor x = filled({batch, kChannels, kInput, kInput}, "peak.x");
  const at::Tensor weight = filled({kChannels, kChannels, kKernel, kKernel}, "peak.weight");
  return {.probe = absl::StrFormat("conv2d 3x3 256x256 to 14x14, batch %d", batch),
          .work = 2.0 * batch * kOutput * kOutput * kChannels * kChannels * kKernel * kKernel,
          .call = [=] { at::conv2d(x, weight); }};
}

// Tries many candidates for a short time and keeps the best two.
class Trials {
 public:
  Trials(sampling::Device& device, const PeakOptions& options)
      : device_(device), options_(options), engine_(EngineOptions(options)) {
    engine_.precision.budget = options.budget / 20;
    engine_.precision.min_time = absl::ZeroDuration();
    engine_.warmup->min_time = options.budget / 50;
    engine_.checks = false;
  }

  // Tries larger and larger sizes of one kind of candidate until a call would take too long.
  absl::Status Climb(Candidate (*candidate_of)(int64_t, const at::TensorOptions&),
                     const std::vector<int64_t>& sizes, const at::TensorOptions& options) {
    double per_s = 0;
    for (const int64_t size : sizes) {
      Candidate candidate = candidate_of(size, options);
      if (per_s > 0 && candidate.work / per_s > absl::ToDoubleSeconds(options_.budget / 20)) break;
      const absl::StatusOr<double> tried = Try(std::move(candidate));
      if (!tried.ok()) return tried.status();
      per_s = *tried;
    }
    return absl::OkStatus();
  }

  // Returns the operations or bytes per second of the shortest call: a call that waited for a CPU
  // would seem slow.
  absl::StatusOr<double> Try(Candidate candidate) {
    const absl::StatusOr<sampling::SampleSet> set = SamplesOf(device_, engine_, candidate.call);
    if (!set.ok()) return set.status();
    const double per_s =
        1e9 * candidate.work / *std::min_element(set->samples_ns.begin(), set->samples_ns.end());
    best_.emplace(per_s, std::move(candidate));
    if (best_.size() > 2) best_.erase(best_.begin());
    return per_s;
  }

  std::vector<Candidate> Best() && {
    std::vector<Candidate> best;
    for (auto& [per_s, candidate] : best_) best.push_back(std::move(candidate));
    return best;
  }

 private:
  sampling::Device& device_;
  const PeakOptions& options_;
  sampling::SamplingOptions engine_;
  std::multimap<double, Candidate> best_;
};

absl::StatusOr<Peak> MeasureCompute(sampling::Device& device, c10::Device torch_device, Dtype dtype,
                                    const PeakOptions& options) {
  const auto tensors = at::TensorOptions().dtype(base::ToScalarType(dtype)).device(torch_device);
  Trials trials(device, options);
  absl::Status tried = trials.Climb(Product, {256, 512, 1024, 2048, 4096, 8192}, tensors);
  if (tried.ok()) tried = trials.Climb(Convolution, {1, 8, 64, 512}, tensors);
  if (!tried.ok()) return tried;
  // bf16 and fp16 values are float32 values, too, so their peak is at least that of float32's loop.
  const std::vector<FmaLoop> loops =
      torch_device.is_cpu() ? FmaLoops(/*float64=*/dtype == FP64) : std::vector<FmaLoop>();
  for (const FmaLoop& loop : loops) {
    // Half a millisecond: a busy machine seldom leaves a longer call alone.
    constexpr int64_t kIterations = int64_t{1} << 18;
    const absl::Status status =
        trials
            .Try({.probe = loop.name,
                  .work = loop.operations * kIterations * at::get_num_threads(),
                  .call = [loop] { loop.Run(kIterations); }})
            .status();
    if (!status.ok()) return status;
  }
  return PeakOf(device, options, "compute", dtype, std::move(trials).Best());
}

// The size of each of two arrays on a CPU: four times the last cache.
int64_t CpuArrayBytes() {
  // Some machines report the sum over all dies.
  return std::clamp(4 * static_cast<int64_t>(sysconf(_SC_LEVEL3_CACHE_SIZE)), 256 * kMiB, kGiB);
}

// Measures "stream" and "read" on the same arrays.
absl::Status MeasureMemory(sampling::Device& device, c10::Device torch_device,
                           const PeakOptions& options, std::vector<Peak>& peaks) {
  const int64_t bytes = options.array_bytes > 0 ? options.array_bytes
                        : torch_device.is_cpu() ? CpuArrayBytes()
                                                : GpuArrayBytes(device.Facts());
  const auto work = static_cast<double>(bytes);
  const std::string text = base::ByteText(bytes);
  const at::Tensor from =
      at::empty({bytes / 4}, at::TensorOptions().dtype(at::kFloat).device(torch_device)).fill_(1);
  const at::Tensor to = at::empty_like(from).fill_(0);
  const Candidate copy = {absl::StrCat("copy_ of ", text), 2 * work, [&] { to.copy_(from); }};
  std::vector<Candidate> reads = {{absl::StrCat("sum of ", text), work, [&] { at::sum(from); }}};
  const at::Tensor words = from.view(at::kLong);
  if (torch_device.is_cpu())
    reads.push_back({absl::StrCat("loop over ", text), work, [&] { SumOfWords(words); }});
  for (const auto& [name, candidates] :
       {std::pair("stream", std::vector{copy}), std::pair("read", reads)}) {
    absl::StatusOr<Peak> peak = PeakOf(device, options, name, FP32, candidates);
    if (!peak.ok()) return peak.status();
    peaks.push_back(*std::move(peak));
  }
  return absl::OkStatus();
}

std::string PeakText(const Peak& peak) {
  const bool compute = peak.name() == "compute";
  const std::string name =
      compute ? absl::StrCat(peak.name(), " ", base::DtypeName(peak.dtype())) : peak.name();
  // Four digits hold the GFLOP/s of a CPU.
  const bool tera = peak.per_s() >= 1e13;
  const double half_width = 50 * (peak.ci_high_per_s() - peak.ci_low_per_s()) / peak.per_s();
  return absl::StrFormat("%s %.4g %s%s%s (%s)", name, peak.per_s() * (tera ? 1e-12 : 1e-9),
                         tera ? "T" : "G", compute ? "FLOP/s" : "B/s",
                         half_width > 0 ? absl::StrFormat(" ±%.2g %%", half_width) : "",
                         peak.probe());
}

}  // namespace

absl::StatusOr<std::vector<Peak>> MeasurePeaks(sampling::Device& device, c10::Device torch_device,
                                               Dtype dtype, const PeakOptions& options) {
  const c10::InferenceMode inference;
  std::vector<Peak> peaks;
  const auto measure = [&]() -> absl::Status {
    if (base::IsFloatingPoint(dtype)) {
      absl::StatusOr<Peak> compute = MeasureCompute(device, torch_device, dtype, options);
      if (!compute.ok()) return compute.status();
      peaks.push_back(*std::move(compute));
    }
    return MeasureMemory(device, torch_device, options, peaks);
  };
  absl::Status status;
  const absl::Status caught = base::CatchTorch("--peaks", [&] { status = measure(); });
  if (!caught.ok()) return caught;
  if (!status.ok()) return status;
  return peaks;
}

int64_t GpuArrayBytes(const sampling::DeviceFacts& facts) {
  const int64_t wanted = std::max(16 * facts.l2_bytes, kGiB);
  if (facts.memory_bytes <= 0) return wanted;
  return std::min(wanted, facts.memory_bytes / 8 / kMiB * kMiB);
}

void SetRate(double work, const std::vector<double>& samples_ns, Peak& peak) {
  const double per_ns = work * 1e9;
  peak.set_per_s(per_ns / statistics::MedianOf(samples_ns));
  const absl::StatusOr<statistics::Interval> interval =
      statistics::SeriesMedianInterval(samples_ns);
  if (!interval.ok()) return;
  peak.set_ci_low_per_s(per_ns / interval->high);
  peak.set_ci_high_per_s(per_ns / interval->low);
}

std::string PeaksLine(const Record& record) {
  if (record.peaks().empty()) return "";
  const auto add = [](std::string* text, const Peak& peak) {
    absl::StrAppend(text, PeakText(peak));
  };
  return absl::StrFormat("%-10s%-9s%s\n", "peaks", "", absl::StrJoin(record.peaks(), "; ", add));
}

}  // namespace assay::runner

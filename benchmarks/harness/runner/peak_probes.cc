#include "benchmarks/harness/runner/peak_probes.h"

#include <ATen/core/Tensor.h>
#include <ATen/ops/empty.h>
#include <ATen/ops/empty_like.h>
#include <ATen/ops/mm.h>
#include <c10/core/InferenceMode.h>
#include <unistd.h>

#include <algorithm>
#include <functional>
#include <string_view>
#include <utility>

#include "absl/status/status.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_format.h"
#include "absl/strings/str_join.h"
#include "benchmarks/harness/base/byte_text.h"
#include "benchmarks/harness/base/dtype.h"
#include "benchmarks/harness/base/torch_status.h"
#include "benchmarks/harness/numerics/seeded_tensor.h"
#include "benchmarks/harness/sampling/measure.h"
#include "benchmarks/harness/statistics/quantile.h"
#include "benchmarks/harness/statistics/series_interval.h"

namespace assay::runner {
namespace {

constexpr int64_t kMostRows = 8192, kLeastRows = 256;
constexpr int64_t kMiB = int64_t{1} << 20;

sampling::SamplingOptions EngineOptions(const PeakOptions& options) {
  sampling::SamplingOptions engine;
  engine.precision.budget = options.budget;
  engine.precision.min_time = options.budget / 2;
  engine.interrupted = options.interrupted;
  return engine;
}

// The device's own timer where there is one: what the host does between calls is no part of a peak.
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

// ", FLAGGED cpu_contention": a machine that was busy reached less than it can.
std::string FlaggedText(const sampling::SampleSet& set) {
  std::vector<std::string_view> names;
  for (const sampling::Check& check : set.checks) {
    if (check.status == sampling::CheckStatus::kFlagged) names.push_back(check.name);
  }
  return names.empty() ? "" : absl::StrCat(", FLAGGED ", absl::StrJoin(names, " "));
}

// A call moves or computes `work`, and is described by `probe`.
absl::StatusOr<Peak> PeakOf(sampling::Device& device, const PeakOptions& options, double work,
                            std::string_view probe, const std::function<void()>& call) {
  const absl::StatusOr<sampling::SampleSet> set = SamplesOf(device, EngineOptions(options), call);
  if (!set.ok()) return set.status();
  Peak peak;
  const double per_ns = work * 1e9;
  peak.set_per_s(per_ns / statistics::MedianOf(set->samples_ns));
  const absl::StatusOr<statistics::Interval> interval =
      statistics::SeriesMedianInterval(set->samples_ns);
  if (interval.ok()) {
    peak.set_ci_low_per_s(per_ns / interval->high);
    peak.set_ci_high_per_s(per_ns / interval->low);
  }
  peak.set_probe(absl::StrCat(probe, FlaggedText(*set)));
  return peak;
}

// Square matrices with values as ordinary weights have them: on a GPU the power that a product
// takes, and so its clock, depends on them.
struct Product {
  at::Tensor a, b, result;

  Product(int64_t rows, at::ScalarType dtype, c10::Device device) {
    const auto filled = [&](const char* name) {
      at::Tensor tensor = at::empty({rows, rows}, at::kFloat);
      numerics::Fill(tensor, /*seed=*/0, name, {.multiplier = 1, .offset = 0, .slope = 1})
          .IgnoreError();  // a contiguous float32 tensor on the CPU
      return tensor.to(device, dtype);
    };
    a = filled("peak.a");
    b = filled("peak.b");
    result = at::empty({rows, rows}, a.options());
  }
  void Call() { at::mm_out(result, a, b); }
};

double Operations(int64_t rows) {
  const auto n = static_cast<double>(rows);
  return 2 * n * n * n;
}

// How many rows; found by a few calls with the fewest, from which larger ones follow.
absl::StatusOr<int64_t> RowsOf(sampling::Device& device, c10::Device torch_device,
                               at::ScalarType dtype, const PeakOptions& options) {
  Product product(kLeastRows, dtype, torch_device);
  sampling::SamplingOptions engine = EngineOptions(options);
  engine.precision.budget = options.budget / 20;
  engine.precision.min_time = absl::ZeroDuration();
  engine.checks = false;
  const absl::StatusOr<sampling::SampleSet> set =
      SamplesOf(device, engine, [&] { product.Call(); });
  if (!set.ok()) return set.status();
  // The shortest call: who waited for a CPU would choose too few.
  const double per_operation_ns =
      *std::min_element(set->samples_ns.begin(), set->samples_ns.end()) / Operations(kLeastRows);
  const double longest_ns = absl::ToDoubleNanoseconds(options.budget / 6);
  int64_t rows = kMostRows;
  while (rows > kLeastRows && Operations(rows) * per_operation_ns > longest_ns) rows /= 2;
  return rows;
}

absl::StatusOr<Peak> MeasureProduct(sampling::Device& device, c10::Device torch_device, Dtype dtype,
                                    const PeakOptions& options) {
  const at::ScalarType type = base::ToScalarType(dtype);
  const absl::StatusOr<int64_t> rows = RowsOf(device, torch_device, type, options);
  if (!rows.ok()) return rows.status();
  Product product(*rows, type, torch_device);
  const std::string probe = absl::StrFormat("mm %d x %d x %d", *rows, *rows, *rows);
  absl::StatusOr<Peak> peak =
      PeakOf(device, options, Operations(*rows), probe, [&] { product.Call(); });
  if (!peak.ok()) return peak.status();
  peak->set_name("gemm");
  peak->set_dtype(dtype);
  return peak;
}

// Of each of two arrays: four times the last cache.
int64_t ArrayBytes(const sampling::Device& device, bool is_cpu) {
  const int64_t cache =
      is_cpu ? static_cast<int64_t>(sysconf(_SC_LEVEL3_CACHE_SIZE)) : device.Facts().l2_bytes;
  // Some machines report the sum over all dies.
  return std::clamp(4 * cache, 256 * kMiB, 1024 * kMiB);
}

absl::StatusOr<Peak> MeasureStream(sampling::Device& device, c10::Device torch_device,
                                   const PeakOptions& options) {
  const int64_t bytes = ArrayBytes(device, torch_device.is_cpu());
  const at::Tensor from =
      at::empty({bytes / 4}, at::TensorOptions().dtype(at::kFloat).device(torch_device));
  const at::Tensor to = at::empty_like(from).fill_(0);
  from.fill_(1);
  absl::StatusOr<Peak> peak =
      PeakOf(device, options, 2 * static_cast<double>(bytes),
             absl::StrCat("copy_ of ", base::ByteText(bytes)), [&] { to.copy_(from); });
  if (!peak.ok()) return peak.status();
  peak->set_name("stream");
  peak->set_dtype(FP32);
  return peak;
}

std::string PeakText(const Peak& peak) {
  const bool product = peak.name() == "gemm";
  const std::string name =
      product ? absl::StrCat(peak.name(), " ", base::DtypeName(peak.dtype())) : peak.name();
  return absl::StrFormat(
      "%s %.4g %s ±%.2g %% (%s)", name, peak.per_s() * 1e-9, product ? "GFLOP/s" : "GB/s",
      50 * (peak.ci_high_per_s() - peak.ci_low_per_s()) / peak.per_s(), peak.probe());
}

}  // namespace

absl::StatusOr<std::vector<Peak>> MeasurePeaks(sampling::Device& device, c10::Device torch_device,
                                               Dtype dtype, const PeakOptions& options) {
  const c10::InferenceMode inference;
  std::vector<Peak> peaks;
  absl::Status status;
  const auto keep = [&](const auto& measure) {
    absl::StatusOr<Peak> peak;
    status = base::CatchTorch("--peaks", [&] { peak = measure(); });
    if (status.ok()) status = peak.status();
    if (status.ok()) peaks.push_back(*std::move(peak));
  };
  if (base::IsFloatingPoint(dtype))
    keep([&] { return MeasureProduct(device, torch_device, dtype, options); });
  if (status.ok()) keep([&] { return MeasureStream(device, torch_device, options); });
  if (!status.ok()) return status;
  return peaks;
}

std::string PeaksLine(const Record& record) {
  if (record.peaks().empty()) return "";
  const auto add = [](std::string* text, const Peak& peak) {
    absl::StrAppend(text, PeakText(peak));
  };
  return absl::StrFormat("%-10s%-9s%s\n", "peaks", "", absl::StrJoin(record.peaks(), "; ", add));
}

}  // namespace assay::runner

#include "benchmarks/harness/runner/serving/served_samples.h"

#include <algorithm>
#include <utility>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_format.h"
#include "benchmarks/harness/base/steady_time.h"
#include "benchmarks/harness/base/torch_status.h"
#include "benchmarks/harness/configuration/with_call_flags.h"
#include "benchmarks/harness/programs/program.h"
#include "benchmarks/harness/programs/seeded_program.h"
#include "benchmarks/harness/runner/verdict/compared_rows.h"
#include "benchmarks/harness/runner/verdict/truth.h"
#include "benchmarks/harness/statistics/describe/quantile.h"

namespace assay::runner {
namespace {

using execution::Tensors;

absl::StatusOr<Workload> OfBatch(const ResolvedCase& c, int64_t batch, at::Device device) {
  const absl::StatusOr<ResolvedCase> called = configuration::WithCallFlags(
      c, {.batch = batch}, configuration::Comparison::kNone, device.is_cuda() ? CUDA : CPU);
  if (!called.ok()) return called.status();
  return called->measured();
}

}  // namespace

absl::Status CheckRowsFit(const ResolvedCase& c, int64_t rows, std::string_view flag,
                          int64_t memory_bytes) {
  double bytes = 0;
  for (const TensorSpec& spec : c.measured().inputs()) {
    double of_input = 4;  // made in float32
    for (const int64_t size : spec.shape()) of_input *= static_cast<double>(size);
    bytes += of_input;
  }
  bytes *=
      static_cast<double>(rows) / static_cast<double>(std::max<int64_t>(c.measured().batch(), 1));
  if (memory_bytes <= 0 || bytes <= static_cast<double>(memory_bytes)) return absl::OkStatus();
  return absl::InvalidArgumentError(absl::StrFormat(
      "%s: inputs of %d rows take %.0f MiB, of memory there are %d MiB; give a smaller number",
      flag, rows, bytes / (1 << 20), memory_bytes >> 20));
}

absl::StatusOr<std::vector<Workload>> BatchesUpTo(const ResolvedCase& c, int64_t most,
                                                  at::Device device) {
  std::vector<Workload> batches;
  for (int64_t n = 1; n <= most; ++n) {
    absl::StatusOr<Workload> batch = OfBatch(c, n, device);
    if (!batch.ok()) return batch.status();
    batches.push_back(*std::move(batch));
  }
  return batches;
}

absl::StatusOr<ServedSamples> ServedSamples::Make(const ResolvedCase& c,
                                                  execution::Executable& executable,
                                                  at::Device device, int64_t count,
                                                  std::vector<Workload> batches,
                                                  const std::atomic<bool>& interrupted) {
  const BenchmarkCase& b = c.benchmark_case();
  if (executable.program().Contract() != execution::StateContract::kPure) {
    return absl::InvalidArgumentError(
        "--scenario: calls of this case change its state, so that a reply depends on those before "
        "it; only cases of one forward pass are served");
  }
  ServedSamples samples;
  samples.batches_ = std::move(batches);
  // More rows than a batch has: rows are chosen along the dimensions in which both differ.
  absl::StatusOr<Workload> all =
      OfBatch(c, std::max(count, static_cast<int64_t>(samples.batches_.size()) + 1), device);
  if (!all.ok()) return all.status();
  samples.all_ = *std::move(all);
  samples.limits_ = b.verify();
  absl::StatusOr<Tensors> inputs =
      execution::SeededInputs(samples.all_, b.dtype(), b.seed(), device);
  if (!inputs.ok()) return inputs.status();
  samples.inputs_ = *std::move(inputs);
  std::vector<double> seconds;
  for (int64_t sample = 0; sample < count; ++sample) {
    if (interrupted) return absl::CancelledError("interrupted");
    Tensors row;
    const absl::Status cut =
        base::CatchTorch("cutting out a sample", [&] { row = samples.Batch({sample}); });
    if (!cut.ok()) return cut;
    const absl::Duration start = base::SteadyNow();
    absl::StatusOr<Tensors> outputs = execution::OutputsOf(executable, std::move(row));
    if (!outputs.ok()) return outputs.status();
    seconds.push_back(absl::ToDoubleSeconds(base::SteadyNow() - start));
    if (sample == 0) {
      const numerics::ExpectedOutputs expected = ExpectedOf(b, samples.batches_[0], *outputs);
      for (int i = 0; i < expected.size(); ++i) {
        if (!expected[i].batched()) continue;
        *samples.rows_.Add() = expected[i];
        samples.places_.push_back(static_cast<size_t>(i));
      }
      if (samples.places_.empty()) {
        return absl::InvalidArgumentError(
            "--scenario: no output of this case has a row for each row of the batch, so no request "
            "has a reply of its own");
      }
    }
    const absl::Status kept = base::CatchTorch("keeping what a sample gives", [&] {
      samples.alone_.push_back(samples.RowsOf(*outputs, 0));
    });
    if (!kept.ok()) return kept;
  }
  samples.time_alone_ = absl::Seconds(statistics::MedianOf(std::move(seconds)));
  return samples;
}

Tensors ServedSamples::Batch(const std::vector<int64_t>& samples) const {
  return RowsOfInputs(inputs_, all_, batches_.at(samples.size() - 1), samples);
}

Tensors ServedSamples::RowsOf(const Tensors& outputs, int64_t row) const {
  Tensors rows;
  for (const size_t place : places_)
    rows.push_back(outputs.at(place).narrow(0, row, 1).cpu().contiguous());
  return rows;
}

OutputDifference ServedSamples::Compare(int64_t sample, const Tensors& reply) const {
  return DifferenceOf(rows_, reply, alone_.at(static_cast<size_t>(sample)), limits_);
}

PairsAlike ServedSamples::LookForPairsAlike() const {
  constexpr int64_t kMost = 2000;
  PairsAlike pairs;
  for (size_t a = 0; a < alone_.size(); ++a) {
    for (size_t b = 0; b < a && pairs.looked_at < kMost; ++b, ++pairs.looked_at)
      if (DifferenceOf(rows_, alone_[a], alone_[b], limits_).within_limits) ++pairs.found;
  }
  return pairs;
}

}  // namespace assay::runner

#include "benchmarks/harness/runner/serving/served_samples.h"

#include <algorithm>
#include <cmath>
#include <ostream>
#include <utility>

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

using execution::Tensors;

absl::Status CheckFits(std::string_view flag, int64_t count, double each, const ServedCase& given) {
  const double all = each * static_cast<double>(count);
  const auto memory = static_cast<double>(given.memory_bytes);
  if (memory <= 0 || all <= memory) return absl::OkStatus();
  return absl::InvalidArgumentError(absl::StrFormat(
      "%s=%d: so many take %.0f MiB, of memory there are %d MiB; at most %.0f fit", flag, count,
      all / (1 << 20), given.memory_bytes >> 20, std::floor(memory / each)));
}

double RowBytes(const ResolvedCase& c) {
  return execution::BytesOfInputs(c.measured()) /
         static_cast<double>(std::max<int64_t>(c.measured().batch(), 1));
}

absl::StatusOr<absl::Duration> ComputeAlone(
    const ServedCase& given, int64_t count,
    absl::FunctionRef<absl::Status(int64_t sample)> compute) {
  constexpr int64_t kFirst = 4;  // of which the others' time is known
  std::vector<double> seconds;
  for (int64_t sample = 0; sample < count; ++sample) {
    if (given.interrupted) return absl::CancelledError("interrupted");
    const absl::Duration start = base::SteadyNow();
    if (absl::Status computed = compute(sample); !computed.ok()) return computed;
    seconds.push_back(absl::ToDoubleSeconds(base::SteadyNow() - start));
    if (sample + 1 != kFirst) continue;
    const double others_s = statistics::MedianOf(seconds) * static_cast<double>(count - kFirst);
    if (others_s < 5) continue;
    given.out << absl::StrFormat(
                     "samples   %d are computed alone, which takes about %.0f s; a smaller "
                     "--samples takes less\n",
                     count, others_s)
              << std::flush;
  }
  return absl::Seconds(statistics::MedianOf(std::move(seconds)));
}

absl::StatusOr<Workload> OfBatch(const ResolvedCase& c, int64_t batch, at::Device device) {
  const absl::StatusOr<ResolvedCase> called = configuration::WithCallFlags(
      c, {.batch = batch}, configuration::Comparison::kNone, device.is_cuda() ? CUDA : CPU);
  if (!called.ok()) return called.status();
  return called->measured();
}

absl::StatusOr<ServedSamples> ServedSamples::Make(const ServedCase& given,
                                                  execution::Executable& executable,
                                                  int64_t count) {
  const BenchmarkCase& b = given.c.benchmark_case();
  const at::Device device = given.request.device;
  if (executable.program().Contract() != execution::StateContract::kPure) {
    return absl::InvalidArgumentError(
        "--scenario: calls of this case change its state, so that a reply depends on those before "
        "it; only cases of one forward pass are served");
  }
  ServedSamples samples;
  samples.limits_ = b.verify();
  // More rows than one: rows are chosen along the dimensions in which both differ.
  for (const auto& [rows, to] :
       {std::pair{int64_t{1}, &samples.one_}, {std::max<int64_t>(count, 2), &samples.all_}}) {
    absl::StatusOr<Workload> workload = OfBatch(given.c, rows, device);
    if (!workload.ok()) return workload.status();
    *to = *std::move(workload);
  }
  absl::StatusOr<Tensors> inputs =
      execution::SeededInputs(samples.all_, b.dtype(), b.seed(), device);
  if (!inputs.ok()) return inputs.status();
  samples.inputs_ = *std::move(inputs);
  const absl::StatusOr<absl::Duration> alone = ComputeAlone(given, count, [&](int64_t sample) {
    absl::StatusOr<Tensors> outputs;
    absl::Status computed = base::CatchTorch("computing a sample alone", [&] {
      outputs = execution::OutputsOf(executable, samples.Batch({sample}));
    });
    computed.Update(outputs.status());
    if (!computed.ok()) return computed;
    if (sample == 0) {
      const numerics::ExpectedOutputs expected = ExpectedOf(b, samples.one_, *outputs);
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
    return base::CatchTorch("keeping what a sample gives",
                            [&] { samples.alone_.push_back(samples.RowsOf(*outputs, 0)); });
  });
  if (!alone.ok()) return alone.status();
  samples.time_alone_ = *alone;
  return samples;
}

Tensors ServedSamples::Batch(const std::vector<int64_t>& samples) const {
  return RowsOfInputs(inputs_, all_, one_, samples);
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
  return PairsAlike::Among(count(), [this](int64_t a, int64_t b) {
    return Compare(a, alone_.at(static_cast<size_t>(b))).within_limits;
  });
}

}  // namespace assay::runner

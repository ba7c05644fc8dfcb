#include "benchmarks/harness/runner/vary/varied_case.h"

#include <algorithm>
#include <memory>
#include <string_view>
#include <utility>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_format.h"
#include "absl/strings/str_join.h"
#include "benchmarks/harness/base/torch_status.h"
#include "benchmarks/harness/execution/repeatability.h"
#include "benchmarks/harness/numerics/fingerprint.h"
#include "benchmarks/harness/output/output.h"
#include "benchmarks/harness/programs/seeded_program.h"
#include "benchmarks/harness/programs/timed_inputs.h"
#include "benchmarks/harness/record/measurement.h"
#include "benchmarks/harness/record/outcome.h"
#include "benchmarks/harness/runner/verdict/operator_truth.h"
#include "benchmarks/harness/runner/verdict/run_status.h"
#include "benchmarks/harness/runner/verdict/timed_check.h"
#include "benchmarks/harness/runner/verdict/verification.h"
#include "defs/case/case_steps.h"
#include "defs/case/program_kinds.h"

namespace assay::runner {
namespace {

constexpr int kSets = 2;

void AddCheck(std::string_view name, CheckStatus status, std::string detail,
              google::protobuf::RepeatedPtrField<Check>& checks) {
  Check& check = *checks.Add();
  check.set_name(std::string(name));
  check.set_status(status);
  check.set_detail(std::move(detail));
}

// The outputs of a program of this size in float64.
absl::StatusOr<numerics::ReferenceOutputs> TruthOfSize(const ResolvedCase& c) {
  if (KindOf(c).truth == TruthSource::kOwnFloat64) return OperatorTruth(c);
  const BenchmarkCase& b = c.benchmark_case();
  absl::StatusOr<std::unique_ptr<execution::Program>> program =
      execution::SeededProgram(c, c.measured(), b.dtype());
  if (!program.ok()) return program.status();
  absl::Status rounded = execution::Move(**program, at::kCPU, b.dtype());
  if (!rounded.ok()) return rounded;
  absl::StatusOr<execution::Tensors> inputs =
      execution::SeededInputs(c.measured(), b.dtype(), b.seed(), at::kCPU);
  if (!inputs.ok()) return inputs.status();
  const absl::StatusOr<execution::Tensors> outputs =
      OutputsInFloat64(**program, *std::move(inputs));
  if (!outputs.ok()) return outputs.status();
  return TruthOf("the program", c.measured().outputs(), *outputs);
}

// Errors of a size that the model itself does not take are the command line's.
absl::Status RefusedByModel(const MixSize& size, const absl::Status& status) {
  if (!absl::IsInternal(status) && !absl::IsInvalidArgument(status)) return status;
  return UsageError(
      absl::StrCat("--vary: ", size.Name(), ": the model does not take it: ", status.message()));
}

double WorstRms(const Verdict& verdict) {
  double worst = 0;
  for (const OutputVerdict& output : verdict.outputs()) worst = std::max(worst, output.rms_error());
  return worst;
}

double UnitsOf(const ResolvedCase& c) {
  for (const StepSpec& step : c.steps()) {
    if (step.name() == steps::kForward) return step.units_per_call();
  }
  return 0;
}

}  // namespace

// Calls of the executable, as the rounds make them.
class VariedCase::Work final : public VariedWork {
 public:
  Work(execution::Executable& executable, const std::vector<Size>& sizes)
      : executable_(executable), sizes_(sizes) {}

  void Use(size_t size, int64_t call) override {
    executable_.SetInputs(sizes_[size].sets[static_cast<size_t>(call % kSets)]);
  }
  void Call() override {
    outputs_.clear();  // first, so that the call can use this memory again
    outputs_ = executable_.Call(steps::kForward);
  }

 private:
  execution::Executable& executable_;
  const std::vector<Size>& sizes_;
  execution::Tensors outputs_;
};

// The executable's program may be lowered, so two that are newly made are compared.
absl::Status VariedCase::CheckState(size_t size) const {
  const ResolvedCase &declared = parts_.declared, &sized = parts_.sizes[size];
  if (!KindOf(declared).names_model) return absl::OkStatus();
  const absl::StatusOr<std::unique_ptr<execution::Program>> of_declared =
      execution::NewProgram(declared, declared.measured());
  if (!of_declared.ok()) return of_declared.status();
  const absl::StatusOr<std::unique_ptr<execution::Program>> of_size =
      execution::NewProgram(sized, sized.measured());
  if (!of_size.ok()) return of_size.status();
  const auto state = (*of_declared)->State(), other = (*of_size)->State();
  for (size_t i = 0; i < std::min(state.size(), other.size()); ++i) {
    if (state[i].name == other[i].name && state[i].tensor.sizes() == other[i].tensor.sizes())
      continue;
    return absl::InvalidArgumentError(
        absl::StrCat("its weights \"", other[i].name, "\" are [",
                     absl::StrJoin(other[i].tensor.sizes(), ", "), "], and this program has \"",
                     state[i].name, "\" [", absl::StrJoin(state[i].tensor.sizes(), ", "), "]"));
  }
  if (state.size() == other.size()) return absl::OkStatus();
  return absl::InvalidArgumentError(
      absl::StrCat("it has ", other.size(), " weights, and this program ", state.size()));
}

absl::Status VariedCase::Open(bool compared) {
  const BenchmarkCase& b = parts_.declared.benchmark_case();
  for (size_t i = 0; i < parts_.sizes.size(); ++i) {
    const ResolvedCase& sized = parts_.sizes[i];
    Size& size = sizes_.emplace_back();
    absl::Status status = CheckState(i);
    if (status.ok() && compared) {
      absl::StatusOr<numerics::ReferenceOutputs> truth = TruthOfSize(sized);
      status = truth.status();
      if (truth.ok()) size.truth = *std::move(truth);
    }
    if (!status.ok()) return RefusedByModel(parts_.mix.sizes[i], status);
    for (int set = 0; set < kSets; ++set) {
      absl::StatusOr<execution::Tensors> inputs =
          execution::TimedInputs(sized.measured(), b, parts_.torch_device, {}, set);
      if (!inputs.ok()) return inputs.status();
      size.sets.push_back(*std::move(inputs));
    }
  }
  return absl::OkStatus();
}

absl::Status VariedCase::CallFirst() {
  execution::Executable& executable = parts_.executable;
  for (Size& size : sizes_) {
    const int64_t compilations = executable.Compilations();
    const int64_t start_ns = parts_.device.NowNs();
    absl::Status status = execution::SetInputsOf(executable, size.sets[0]);
    if (!status.ok()) return status;
    const int64_t set_ns = parts_.device.NowNs();
    absl::StatusOr<execution::Tensors> outputs = execution::OutputsOf(executable);
    if (!outputs.ok()) return outputs.status();
    if (status = parts_.device.Synchronize(); !status.ok()) return status;
    size.first_call_ns = static_cast<double>(parts_.device.NowNs() - set_ns);
    size.compilations = executable.Compilations() - compilations;
    if (size.compilations > 0) size.made_ns = static_cast<double>(set_ns - start_ns);
    // Converted once, because sets change between timed calls.
    for (execution::Tensors& set : size.sets) {
      if (status = execution::SetInputsOf(executable, set); !status.ok()) return status;
      set = executable.Inputs();
    }
  }
  return absl::OkStatus();
}

absl::StatusOr<uint64_t> VariedCase::DigestOfCall(const execution::Tensors& inputs) {
  const absl::StatusOr<execution::Tensors> outputs =
      execution::OutputsOf(parts_.executable, inputs);
  if (!outputs.ok()) return outputs.status();
  uint64_t digest = 0;
  const absl::Status read =
      base::CatchTorch("reading outputs", [&] { digest = numerics::Fingerprint(*outputs); });
  if (!read.ok()) return read;
  return digest;
}

// Each call follows one of another size.
absl::StatusOr<std::string> VariedCase::DifferenceBetweenOthers() {
  for (int round = 0; round < 2; ++round) {
    for (size_t i = 0; i < sizes_.size(); ++i) {
      const absl::StatusOr<uint64_t> digest = DigestOfCall(sizes_[i].sets[0]);
      if (!digest.ok()) return digest.status();
      if (*digest == sizes_[i].digest) continue;
      const std::string before = parts_.mix.sizes[(i + sizes_.size() - 1) % sizes_.size()].Name();
      return absl::StrCat(
          parts_.mix.sizes[i].Name(), ": a call behind one of ", before,
          " gives other outputs than a call behind one of its own size, of the same "
          "inputs: something of the other size was kept");
    }
  }
  return "";
}

// With the verified inputs in the memory of the others, so that a call that remembers its results by
// tensor returns a wrong one.
absl::StatusOr<std::string> VariedCase::DifferenceOfTimed() {
  for (size_t i = 0; i < sizes_.size(); ++i) {
    std::vector<execution::Tensors>& sets = sizes_[i].sets;
    const absl::Status copied = base::CatchTorch("copying inputs", [&] {
      for (size_t input = 0; input < sets[0].size(); ++input) sets[1][input].copy_(sets[0][input]);
    });
    if (!copied.ok()) return copied;
    uint64_t digest = 0;
    const absl::Status called = base::CatchTorch("calling as timed", [&] {
      parts_.executable.SetInputs(sets[1]);
      execution::Tensors outputs;
      for (const execution::VerifiedOutput& output : parts_.executable.program().Verified(
               steps::kForward, parts_.executable.Call(steps::kForward)))
        outputs.push_back(output.tensor);
      digest = numerics::Fingerprint(outputs);
    });
    if (!called.ok()) return called;
    if (digest != sizes_[i].digest) {
      return absl::StrCat(
          parts_.mix.sizes[i].Name(),
          ": behind the timed calls, the verified inputs give other outputs than in "
          "the verified call");
    }
  }
  return "";
}

void VariedCase::Verify(Verdict& verdict) {
  const auto fail = [&](Outcome outcome, std::string_view check, const std::string& message) {
    AddCheck(check, CHECK_FLAGGED, message.substr(0, message.find('\n')),
             *verdict.mutable_checks());
    verdict.set_outcome(outcome);
    verdict.set_message(message);
  };
  for (size_t i = 0; i < sizes_.size(); ++i) {
    const std::string name = parts_.mix.sizes[i].Name();
    const Verdict of_size = VerifyAgainst(parts_.sizes[i], parts_.executable, parts_.torch_device,
                                          {}, *sizes_[i].truth);
    if (of_size.outcome() != PASS)
      return fail(of_size.outcome(), "size", absl::StrCat(name, ": ", of_size.message()));
    const absl::StatusOr<uint64_t> digest = DigestOfCall(sizes_[i].sets[0]);
    if (!digest.ok()) {
      return fail(OutcomeOf(digest.status()), "size",
                  absl::StrCat(name, ": ", digest.status().message()));
    }
    sizes_[i].digest = *digest;
    AddCheck("size", CHECK_OK,
             absl::StrFormat("%s: rms %.1e of std, against the same code in float64", name,
                             WorstRms(of_size)),
             *verdict.mutable_checks());
  }
  const execution::Repeatability calls =
      execution::RepeatabilityOf(parts_.declared.benchmark_case(), parts_.torch_device);
  if (calls.MayDiffer()) {
    return AddCheck("between_sizes", CHECK_NOT_RUN,
                    absl::StrCat("equal calls may differ: ", calls.reason),
                    *verdict.mutable_checks());
  }
  const absl::StatusOr<std::string> difference = DifferenceBetweenOthers();
  if (!difference.ok()) {
    return fail(OutcomeOf(difference.status()), "between_sizes",
                std::string(difference.status().message()));
  }
  if (!difference->empty()) return fail(FAIL_ACCURACY, "between_sizes", *difference);
  AddCheck("between_sizes", CHECK_OK,
           "two calls of each size, each behind one of another size, equal the verified one to the "
           "bit",
           *verdict.mutable_checks());
  verified_ = true;
}

absl::StatusOr<Measurement> VariedCase::MeasurementOf(const VariedTimes& times,
                                                      std::optional<size_t> size,
                                                      int64_t late_compilations) const {
  const Mix& mix = parts_.mix;
  sampling::SampleSet set = {.samples_ns = size ? times.between_ns[*size] : times.dealt_ns,
                             .elapsed_ns = times.evidence.elapsed_ns};
  set.checks = ChecksOf(times, set.samples_ns);
  absl::StatusOr<Measurement> made = record::ToMeasurement(set, steps::kForward);
  if (!made.ok()) return made.status();
  made->set_mode(std::string(kVaryMode));
  Varied& varied = *made->mutable_varied();
  varied.set_seed(mix.seed);
  varied.set_decks(times.decks);
  const VariedRatio ratio = RatioOf(mix, times, size);
  varied.set_ratio(ratio.median);
  varied.set_ratio_low(ratio.low);
  varied.set_ratio_high(ratio.high);
  for (size_t i = 0; i < sizes_.size(); ++i) {
    if (size && *size != i) continue;
    varied.set_weight(varied.weight() + mix.sizes[i].weight);
    varied.set_made_s(varied.made_s() + 1e-9 * sizes_[i].made_ns);
    varied.set_compilations(varied.compilations() + sizes_[i].compilations);
  }
  if (!size) {
    made->set_headline(true);
    varied.set_late_compilations(late_compilations);
    return made;
  }
  varied.set_size(mix.sizes[*size].Name());
  made->set_mode(absl::StrCat(kVaryMode, ":", varied.size()));
  made->set_first_call_ns(sizes_[*size].first_call_ns);
  made->set_unit(parts_.declared.implementation().unit());
  made->set_units_per_call(UnitsOf(parts_.sizes[*size]));
  set.samples_ns = times.alone_ns[*size];
  const absl::StatusOr<Measurement> alone = record::ToMeasurement(set, steps::kForward);
  if (!alone.ok()) return alone.status();
  varied.set_alone_ns(alone->median_ns());
  return made;
}

absl::StatusOr<std::vector<Measurement>> VariedCase::Measure(const VariedOptions& options) {
  Work work(parts_.executable, sizes_);
  const int64_t compilations = parts_.executable.Compilations();
  absl::StatusOr<VariedTimes> times;
  const absl::Status timed = base::CatchTorch("measuring calls of several sizes", [&] {
    parts_.executable.Begin(steps::kForward);
    times = MeasureVaried(parts_.device, parts_.mix, work, options);
  });
  if (!timed.ok()) return timed;
  if (!times.ok()) return times.status();
  const int64_t late = parts_.executable.Compilations() - compilations;
  std::vector<Measurement> measurements;
  for (size_t row = 0; row <= sizes_.size(); ++row) {
    absl::StatusOr<Measurement> made =
        MeasurementOf(*times, row == 0 ? std::nullopt : std::optional(row - 1), late);
    if (!made.ok()) return made.status();
    made->set_budget_s(absl::ToDoubleSeconds(options.budget));
    measurements.push_back(*std::move(made));
  }
  if (late > 0) {
    AddCheck("sizes_kept", CHECK_NOTED,
             absl::StrCat("the back end compiled ", late,
                          " times while calls were timed: it keeps "
                          "fewer programs than there are sizes"),
             *measurements[0].mutable_checks());
  }
  absl::StatusOr<std::string> difference = "";
  if (verified_) difference = DifferenceOfTimed();
  if (!difference.ok()) return difference.status();
  if (!difference->empty()) return Ended(FAIL_ACCURACY, *difference);
  for (Measurement& m : measurements) {
    AddCheck(kTimedCheck, verified_ ? CHECK_OK : CHECK_NOT_RUN,
             verified_ ? "" : "the sizes were not verified to the bit", *m.mutable_checks());
  }
  return measurements;
}

std::string VariedLines(const Record& record) {
  std::vector<std::vector<std::string>> rows;
  std::string head, unit;
  double units = 0, weight = 0;  // of a deck
  for (const Measurement& m : record.measurements()) {
    if (m.varied().size().empty()) continue;
    unit = m.unit();
    units += static_cast<double>(m.varied().weight()) * m.units_per_call();
    weight += static_cast<double>(m.varied().weight());
  }
  const auto time = [](double ns) { return output::TimeText(ns, 3); };
  for (const Measurement& m : record.measurements()) {
    if (!m.has_varied()) continue;
    const Varied& varied = m.varied();
    if (rows.empty()) {
      const int64_t programs = varied.compilations() + varied.late_compilations();
      const std::string made =
          programs > 0 ? absl::StrCat("; the back end made ", programs, " programs") : "";
      rows.push_back({"size", "calls", "median", "ci%", "p90",
                      units > 0 ? absl::StrCat(unit, "/s") : "units/s", "/ alone", "95 %",
                      "first call", "made in"});
      head = absl::StrFormat("%-10s%-9s%d decks of %d calls, dealt by seed %d%s\n", "vary", "",
                             varied.decks(), varied.weight(), varied.seed(), made);
    }
    rows.push_back(
        {varied.size().empty() ? "all, as dealt" : varied.size(), absl::StrCat(m.samples_ns_size()),
         output::TimeText(m.median_ns()),
         m.ci_high_ns() > 0
             ? absl::StrFormat("%.1f", 50 * (m.ci_high_ns() - m.ci_low_ns()) / m.median_ns())
             : "-",
         m.p90_ns() > 0 ? output::TimeText(m.p90_ns()) : "-",
         units > 0 ? absl::StrFormat("%.4g", varied.size().empty()
                                                 ? 1e9 * units / weight / m.mean_ns()
                                                 : 1e9 * m.units_per_call() / m.median_ns())
                   : "-",
         absl::StrFormat("%.3f", varied.ratio()),
         varied.ratio_high() > 0
             ? absl::StrFormat("%.3f .. %.3f", varied.ratio_low(), varied.ratio_high())
             : "-",
         m.first_call_ns() > 0 ? time(m.first_call_ns()) : "-",
         varied.made_s() > 0 ? time(1e9 * varied.made_s()) : "-"});
  }
  if (rows.empty()) return "";
  return absl::StrCat(head, output::TextTable(rows, {0}));
}

}  // namespace assay::runner

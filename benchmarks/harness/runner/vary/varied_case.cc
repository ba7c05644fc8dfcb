#include "benchmarks/harness/runner/vary/varied_case.h"

#include <algorithm>
#include <memory>
#include <string_view>
#include <utility>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_format.h"
#include "absl/strings/str_join.h"
#include "benchmarks/harness/base/torch_status.h"
#include "benchmarks/harness/dispatcher/kernels_over_aten.h"
#include "benchmarks/harness/numerics/comparison.h"
#include "benchmarks/harness/numerics/fingerprint.h"
#include "benchmarks/harness/output/output.h"
#include "benchmarks/harness/programs/seeded_program.h"
#include "benchmarks/harness/programs/timed_inputs.h"
#include "benchmarks/harness/record/measurement.h"
#include "benchmarks/harness/record/outcome.h"
#include "benchmarks/harness/runner/verdict/lowered_layers.h"
#include "benchmarks/harness/runner/verdict/operator_truth.h"
#include "benchmarks/harness/runner/verdict/run_status.h"
#include "benchmarks/harness/runner/verdict/timed_check.h"
#include "benchmarks/harness/runner/verdict/truth.h"
#include "benchmarks/harness/runner/verdict/verification.h"
#include "defs/case/case_steps.h"
#include "defs/case/execution_names.h"
#include "defs/case/program_kinds.h"

namespace assay::runner {
namespace {

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

VariedCase::VariedCase(const VariedParts& parts)
    : parts_(parts),
      calls_(execution::RepeatabilityOf(parts.declared.benchmark_case(), parts.torch_device)) {}

absl::Status VariedCase::CheckState(execution::Program& declared, size_t size) const {
  const ResolvedCase& sized = parts_.sizes[size];
  const absl::StatusOr<std::unique_ptr<execution::Program>> of_size =
      execution::NewProgram(sized, sized.measured());
  if (!of_size.ok()) return of_size.status();
  const auto state = declared.State(), other = (*of_size)->State();
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

absl::Status VariedCase::Open() {
  const BenchmarkCase& b = parts_.declared.benchmark_case();
  const bool has_model = KindOf(parts_.declared).names_model;
  // The executable's program may be lowered, so those that are compared are newly made.
  std::unique_ptr<execution::Program> declared;
  if (has_model) {
    absl::StatusOr<std::unique_ptr<execution::Program>> made =
        execution::NewProgram(parts_.declared, parts_.declared.measured());
    if (!made.ok()) return made.status();
    declared = *std::move(made);
  }
  for (size_t i = 0; i < parts_.sizes.size(); ++i) {
    Size& size = sizes_.emplace_back();
    if (has_model) {
      const absl::Status status = CheckState(*declared, i);
      if (!status.ok()) return RefusedByModel(parts_.mix.sizes[i], status);
    }
    for (int set = 0; set < kSets; ++set) {
      absl::StatusOr<execution::Tensors> inputs =
          execution::TimedInputs(parts_.sizes[i].measured(), b, parts_.torch_device, {}, set);
      if (!inputs.ok()) return inputs.status();
      size.sets.push_back(*std::move(inputs));
    }
  }
  return absl::OkStatus();
}

absl::Status VariedCase::ErrorAt(size_t size, const absl::Status& status) const {
  if (!absl::IsInternal(status) && !absl::IsInvalidArgument(status)) return status;
  // A back end may fail where the model does not, and the model at every size.
  const absl::Status of_model = TruthOfSize(parts_.sizes[size]).status();
  if (of_model.ok() || !TruthOfSize(parts_.declared).ok()) return status;
  return RefusedByModel(parts_.mix.sizes[size], of_model);
}

absl::Status VariedCase::CallFirst(const std::function<void()>& called) {
  execution::Executable& executable = parts_.executable;
  const bool makes_files = IsLinkable(BackendName(parts_.declared.benchmark_case().execution()));
  const auto set_inputs = [&](size_t i, const execution::Tensors& inputs) {
    const absl::Status set = execution::SetInputsOf(executable, inputs);
    const absl::Status error = set.ok() ? set : ErrorAt(i, set);
    if (error.ok() || IsUsageError(error) || absl::IsResourceExhausted(error)) return error;
    return makes_files ? Ended(ARTIFACT_UNAVAILABLE, error.message()) : error;
  };
  for (size_t i = 0; i < sizes_.size(); ++i) {
    Size& size = sizes_[i];
    const int64_t compilations = executable.Compilations();
    const int64_t start_ns = parts_.device.NowNs();
    absl::Status status = set_inputs(i, size.sets[0]);
    if (!status.ok()) return status;
    const int64_t set_ns = parts_.device.NowNs();
    absl::StatusOr<execution::Tensors> outputs = execution::OutputsOf(executable);
    if (!outputs.ok()) return ErrorAt(i, outputs.status());
    if (status = parts_.device.Synchronize(); !status.ok()) return status;
    size.first_call_ns = static_cast<double>(parts_.device.NowNs() - set_ns);
    if (i == 0 && called) called();
    size.compilations = executable.Compilations() - compilations;
    if (size.compilations > 0) size.made_ns = static_cast<double>(set_ns - start_ns);
    // Converted once, because sets change between timed calls.
    for (execution::Tensors& set : size.sets) {
      if (status = set_inputs(i, set); !status.ok()) return status;
      set = executable.Inputs();
    }
  }
  return absl::OkStatus();
}

absl::Status VariedCase::ComputeTruths() {
  for (size_t i = 0; i < sizes_.size(); ++i) {
    absl::StatusOr<numerics::ReferenceOutputs> truth = TruthOfSize(parts_.sizes[i]);
    if (!truth.ok()) return ErrorAt(i, truth.status());
    sizes_[i].truth = *std::move(truth);
  }
  return absl::OkStatus();
}

absl::StatusOr<uint64_t> VariedCase::DigestOf(size_t size,
                                              const execution::Tensors& outputs) const {
  const auto& named = parts_.sizes[size].measured().outputs();
  uint64_t digest = 0;
  const absl::Status read = base::CatchTorch("reading outputs", [&] {
    execution::Tensors equal;
    for (size_t i = 0; i < outputs.size(); ++i) {
      const std::string name = static_cast<int>(i) < named.size()
                                   ? named[static_cast<int>(i)].name()
                                   : absl::StrCat("#", i);
      if (!calls_.MayDiffer(name)) equal.push_back(outputs[i]);
    }
    digest = numerics::Fingerprint(equal);
  });
  if (!read.ok()) return read;
  return digest;
}

absl::StatusOr<std::optional<std::string>> VariedCase::DifferenceOf(
    size_t size, const execution::Tensors& outputs) const {
  const ResolvedCase& sized = parts_.sizes[size];
  const absl::StatusOr<uint64_t> digest = DigestOf(size, outputs);
  if (!digest.ok()) return digest.status();
  if (*digest != sizes_[size].digest) return std::string();
  if (!calls_.MayDiffer()) return std::nullopt;
  const absl::StatusOr<KnownCall> known =
      Truth::Given(sized, {}, *sizes_[size].truth).For(sized.verified(), parts_.torch_device);
  if (!known.ok()) return known.status();
  const execution::OwnKernels own;
  if (!own.status().ok()) return own.status();
  const Verdict compared = numerics::Compare(
      known->reference, ExpectedOf(sized.benchmark_case(), sized.verified(), outputs), outputs,
      sized.benchmark_case().verify(), sizes_[size].baseline, known->rows);
  if (compared.outcome() == PASS) return std::nullopt;
  if (record::ExitCode(compared.outcome()) != 1)
    return Ended(compared.outcome(), compared.message());
  return absl::StrCat("\n", compared.message());
}

// Each call follows one of another size: of the size before it in the mix, and then of the one after it.
absl::StatusOr<std::string> VariedCase::DifferenceBetweenOthers() {
  const size_t count = sizes_.size();
  size_t before = count - 1;
  for (size_t call = 0; call < 2 * count; ++call) {
    const size_t i = call < count ? call : (3 * count - 2 - call) % count;
    const absl::StatusOr<execution::Tensors> outputs =
        execution::OutputsOf(parts_.executable, sizes_[i].sets[0]);
    if (!outputs.ok()) return outputs.status();
    const absl::StatusOr<std::optional<std::string>> difference = DifferenceOf(i, *outputs);
    if (!difference.ok()) return difference.status();
    if (*difference) {
      return absl::StrCat(
          parts_.mix.sizes[i].Name(), ": a call behind one of ", parts_.mix.sizes[before].Name(),
          " gives other outputs than a call behind one of its own size, of the same "
          "inputs: something of the other size was kept",
          **difference);
    }
    before = i;
  }
  return "";
}

// With the verified inputs in the memory of the others, so that a call that remembers its results by
// tensor returns a wrong one.
absl::StatusOr<std::string> VariedCase::DifferenceOfTimed() {
  for (size_t i = 0; i < sizes_.size(); ++i) {
    std::vector<execution::Tensors>& sets = sizes_[i].sets;
    execution::Tensors outputs;
    const absl::Status called = base::CatchTorch("calling as timed", [&] {
      for (size_t input = 0; input < sets[0].size(); ++input) sets[1][input].copy_(sets[0][input]);
      parts_.executable.SetInputs(sets[1]);
      for (const execution::VerifiedOutput& output : parts_.executable.program().Verified(
               steps::kForward, parts_.executable.Call(steps::kForward)))
        outputs.push_back(output.tensor);
    });
    if (!called.ok()) return called;
    const absl::StatusOr<std::optional<std::string>> difference = DifferenceOf(i, outputs);
    if (!difference.ok()) return difference.status();
    if (*difference) {
      return absl::StrCat(
          parts_.mix.sizes[i].Name(),
          ": behind the timed calls, the verified inputs give other outputs than in "
          "the verified call",
          **difference);
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
    Size& size = sizes_[i];
    const ResolvedCase& sized = parts_.sizes[i];
    const std::string name = parts_.mix.sizes[i].Name();
    VerifyOptions options;
    options.also = [&](const VerifiedCall& call, Verdict& of_size) {
      const absl::StatusOr<uint64_t> digest = DigestOf(i, call.outputs);
      if (!digest.ok()) return digest.status();
      size.digest = *digest;
      if (calls_.MayDiffer()) size.baseline = call.baseline;
      if (!RoundsWeights(sized.benchmark_case())) return absl::OkStatus();
      return CheckLoweredLayers(sized, parts_.torch_device, call.inputs, call.outputs, of_size);
    };
    const Verdict of_size =
        VerifyAgainst(sized, parts_.executable, parts_.torch_device, {}, *size.truth, options);
    if (!calls_.MayDiffer()) size.truth.reset();
    if (of_size.outcome() != PASS)
      return fail(of_size.outcome(), "size", absl::StrCat(name, ": ", of_size.message()));
    AddCheck("size", CHECK_OK,
             absl::StrFormat("%s: rms %.1e of std, against the same code in float64", name,
                             WorstRms(of_size)),
             *verdict.mutable_checks());
  }
  const absl::StatusOr<std::string> difference = DifferenceBetweenOthers();
  if (!difference.ok()) {
    return fail(OutcomeOf(difference.status()), "between_sizes",
                std::string(difference.status().message()));
  }
  if (!difference->empty()) return fail(FAIL_ACCURACY, "between_sizes", *difference);
  AddCheck("between_sizes", CHECK_OK,
           absl::StrCat("two calls of each size, each behind one of another size, equal the "
                        "verified one ",
                        calls_.MayDiffer() ? absl::StrCat("within the limits; ", calls_.reason)
                                           : "to the bit"),
           *verdict.mutable_checks());
  verified_ = true;
}

absl::StatusOr<Measurement> VariedCase::MeasurementOf(const VariedTimes& times,
                                                      std::optional<size_t> size) const {
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
  made->set_unit(parts_.declared.implementation().unit());
  if (!size) {
    double units = 0;  // of a deck
    for (size_t i = 0; i < sizes_.size(); ++i)
      units += static_cast<double>(mix.sizes[i].weight) * UnitsOf(parts_.sizes[i]);
    made->set_units_per_call(units / static_cast<double>(varied.weight()));
    made->set_calls_per_sample(varied.weight());
    made->set_headline(true);
    return made;
  }
  varied.set_size(mix.sizes[*size].Name());
  made->set_mode(absl::StrCat(kVaryMode, ":", varied.size()));
  made->set_first_call_ns(sizes_[*size].first_call_ns);
  made->set_units_per_call(UnitsOf(parts_.sizes[*size]));
  set.samples_ns = times.alone_ns[*size];
  const absl::StatusOr<Measurement> alone = record::ToMeasurement(set, steps::kForward);
  if (!alone.ok()) return alone.status();
  varied.set_alone_ns(alone->median_ns());
  return made;
}

absl::StatusOr<std::vector<Measurement>> VariedCase::Measure(const VariedOptions& options) {
  Work work(parts_.executable, sizes_);
  absl::StatusOr<VariedTimes> times;
  const absl::Status timed = base::CatchTorch("measuring calls of several sizes", [&] {
    parts_.executable.Begin(steps::kForward);
    times = MeasureVaried(parts_.device, parts_.mix, work, options);
  });
  if (!timed.ok()) return timed;
  if (!times.ok()) return times.status();
  std::vector<Measurement> measurements;
  for (size_t row = 0; row <= sizes_.size(); ++row) {
    absl::StatusOr<Measurement> made =
        MeasurementOf(*times, row == 0 ? std::nullopt : std::optional(row - 1));
    if (!made.ok()) return made.status();
    made->set_budget_s(absl::ToDoubleSeconds(options.budget));
    measurements.push_back(*std::move(made));
  }
  absl::StatusOr<std::string> difference = "";
  if (verified_) difference = DifferenceOfTimed();
  if (!difference.ok()) return difference.status();
  if (!difference->empty()) return Ended(FAIL_ACCURACY, *difference);
  for (Measurement& m : measurements) {
    AddCheck(kTimedCheck, verified_ ? CHECK_OK : CHECK_NOT_RUN,
             verified_ ? "" : "the sizes were not verified", *m.mutable_checks());
  }
  return measurements;
}

std::string VariedLines(const Record& record) {
  std::vector<std::vector<std::string>> rows;
  std::string head;
  const auto time = [](double ns) { return output::TimeText(ns, 3); };
  for (const Measurement& m : record.measurements()) {
    if (!m.has_varied()) continue;
    const Varied& varied = m.varied();
    if (rows.empty()) {
      const std::string made =
          varied.compilations() > 0
              ? absl::StrCat("; the back end made ", varied.compilations(),
                             varied.compilations() == 1 ? " program" : " programs")
              : "";
      rows.push_back({"size", "calls", "median", "ci%", "p90",
                      m.units_per_call() > 0 ? absl::StrCat(m.unit(), "/s") : "units/s", "/ alone",
                      "95 %", "first call", "made in"});
      head = absl::StrFormat("%-10s%-9s%d %s of %d calls, dealt by seed %d%s\n", "vary", "",
                             varied.decks(), varied.decks() == 1 ? "deck" : "decks",
                             varied.weight(), varied.seed(), made);
    }
    rows.push_back(
        {varied.size().empty() ? "all, as dealt" : varied.size(),
         absl::StrCat(m.samples_ns_size() * m.calls_per_sample()), output::TimeText(m.median_ns()),
         m.ci_high_ns() > 0
             ? absl::StrFormat("%.1f", 50 * (m.ci_high_ns() - m.ci_low_ns()) / m.median_ns())
             : "-",
         m.p90_ns() > 0 ? output::TimeText(m.p90_ns()) : "-",
         m.units_per_call() > 0 ? absl::StrFormat("%.4g", 1e9 * m.units_per_call() / m.median_ns())
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

#include "benchmarks/harness/numerics/comparison.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "ATen/core/Tensor.h"
#include "ATen/ops/tensor.h"
#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_format.h"
#include "absl/strings/str_join.h"
#include "absl/strings/strip.h"
#include "benchmarks/harness/base/dtype.h"
#include "benchmarks/harness/base/torch_status.h"
#include "benchmarks/harness/numerics/accuracy_message.h"
#include "benchmarks/harness/numerics/reference.h"
#include "benchmarks/harness/numerics/rules.h"
#include "benchmarks/harness/numerics/tensor_values.h"
#include "benchmarks/harness/text/shape_text.h"
#include "c10/core/GradMode.h"
#include "defs/proto/record.pb.h"
#include "defs/proto/suite.pb.h"

namespace assay::numerics {
namespace {

// Worst first: outcomes that make a verdict worthless, then those that make the values irrelevant.
constexpr std::array<Outcome, 9> kGravestFirst = {
    Outcome::FAIL_ARTIFACT,  Outcome::DEVICE_LOST,   Outcome::OUT_OF_MEMORY,
    Outcome::CRASH,          Outcome::FAIL_SHAPE,    Outcome::FAIL_DTYPE,
    Outcome::FAIL_NONFINITE, Outcome::FAIL_ACCURACY, Outcome::PASS,
};

// One output with everything that its comparison needs.
struct Task {
  const ReferenceOutputs& reference;
  VerifyParameters limits;  // with the output's own rule, if it has one
  const ExpectedOutput& expected;
  const std::string& name;
  at::Tensor got;
  at::Tensor baseline;   // undefined: none
  at::IntArrayRef rows;  // rows of `got` that the reference has; empty: all

  // The part of an output that the reference has.
  at::Tensor Compared(const at::Tensor& output) const {
    return rows.empty() ? output : output.index_select(0, at::tensor(rows).to(output.device()));
  }
};

// Records hold finite numbers only.
double Recordable(double value) {
  if (std::isnan(value)) return 0;
  return std::clamp(value, std::numeric_limits<double>::lowest(),
                    std::numeric_limits<double>::max());
}

// "[2, any, 768]".
std::string SpecifiedShape(const ExpectedOutput& expected) {
  std::vector<std::string> sizes;
  for (const int64_t size : expected.shape())
    sizes.push_back(size == -1 ? "any" : absl::StrCat(size));
  return absl::StrCat("[", absl::StrJoin(sizes, ", "), "]");
}

// An integer output is never compared by a rule for floats; a boolean one by IOU if the case says
// so.
VerifyParameters LimitsOf(const ExpectedOutput& expected, VerifyParameters limits) {
  if (!base::IsFloatingPoint(expected.dtype())) {
    const bool mask = expected.dtype() == Dtype::BOOL && expected.rule() == Rule::IOU;
    limits.set_rule(mask ? Rule::IOU : Rule::EXACT);
  } else if (expected.rule() != Rule::RULE_UNSPECIFIED) {
    limits.set_rule(expected.rule());
  }
  if (expected.limit_factor() > 0) {
    limits.set_rms_limit(limits.rms_limit() * expected.limit_factor());
    limits.set_max_limit(limits.max_limit() * expected.limit_factor());
  }
  return limits;
}

OutputVerdict Failed(std::string_view name, Outcome outcome, std::string_view message) {
  OutputVerdict verdict;
  verdict.set_name(std::string(name));
  verdict.set_outcome(outcome);
  verdict.set_message(absl::StrCat("output \"", name, "\" ", message));
  return verdict;
}

OutputVerdict FailedByTorch(const Task& task, const absl::Status& status) {
  Outcome outcome = Outcome::CRASH;
  if (status.code() == absl::StatusCode::kResourceExhausted) {
    outcome = Outcome::OUT_OF_MEMORY;
  } else if (!task.got.device().is_cpu()) {
    outcome = Outcome::DEVICE_LOST;  // an earlier kernel's error is reported by this copy
  }
  return Failed(task.name, outcome, absl::StrCat("cannot be read: ", status.message()));
}

// Marks where in the output the verdict's worst element is.
void SetWorst(const std::vector<int64_t>& index, double got, double want, OutputVerdict& verdict) {
  *verdict.mutable_worst_index() = {index.begin(), index.end()};
  verdict.set_worst_got(Recordable(got));
  verdict.set_worst_want(Recordable(want));
}

// `values` are those of the whole output.
OutputVerdict NonfiniteVerdict(const Task& task, const TensorValues& values) {
  const double first = values.At(values.first_nonfinite());
  const std::vector<int64_t> index = Unravel(values.first_nonfinite(), task.got.sizes());
  OutputVerdict verdict = Failed(
      task.name, Outcome::FAIL_NONFINITE,
      absl::StrFormat("is not finite\n  first  [%s]  got %g\n  wrong  %d of %d elements (%.3g %%)",
                      absl::StrJoin(index, ", "), first, values.nonfinite(), values.elements(),
                      100.0 * static_cast<double>(values.nonfinite()) /
                          static_cast<double>(values.elements())));
  SetWorst(index, first, 0, verdict);
  verdict.set_elements_wrong(values.nonfinite());
  return verdict;
}

// Shape, dtype and layout; PASS where all are as expected.
OutputVerdict CheckForm(const Task& task, const ReferenceOutput& want) {
  const at::Tensor& got = task.got;
  std::vector<int64_t> shape = want.shape;
  if (!task.rows.empty()) {
    if (want.shape.empty() || want.shape[0] != static_cast<int64_t>(task.rows.size())) {
      return Failed(task.name, Outcome::FAIL_SHAPE,
                    absl::StrCat("is compared in ", task.rows.size(), " rows, the reference has ",
                                 base::ShapeText(want.shape)));
    }
    shape[0] = got.dim() > 0 ? got.size(0) : 0;  // held to the specification, below
  }
  if (got.sizes() != at::IntArrayRef(shape)) {
    return Failed(task.name, Outcome::FAIL_SHAPE,
                  absl::StrCat("has shape ", base::ShapeText(got.sizes()), ", the reference ",
                               base::ShapeText(shape)));
  }
  if (const std::optional<Misfit> misfit = MisfitOf(task.expected, got); misfit.has_value()) {
    return Failed(task.name, misfit->outcome, misfit->message);
  }
  OutputVerdict verdict;
  verdict.set_outcome(Outcome::PASS);
  return verdict;
}

absl::Status CheckBaseline(const Task& task) {
  if (!task.baseline.defined() || task.baseline.sizes() == task.got.sizes())
    return absl::OkStatus();
  return absl::InvalidArgumentError(absl::StrCat("has a baseline of shape ",
                                                 base::ShapeText(task.baseline.sizes()),
                                                 ", itself ", base::ShapeText(task.got.sizes())));
}

std::vector<double> Compared(const TensorValues& values, const ReferenceOutput& want) {
  return want.HasIndices() ? values.At(want.indices) : values.All();
}

bool AreAlike(double got, double want) { return std::isnan(want) ? std::isnan(got) : got == want; }

// FAIL_NONFINITE where the output is not NaN or infinite just as a reference that is; PASS otherwise.
OutputVerdict CheckNonfinite(const Task& task, const TensorValues& values,
                             const ReferenceOutput& want) {
  std::vector<double> wanted(static_cast<size_t>(values.elements()), 0);  // 0: any finite number
  for (const NonfiniteElement& element : want.nonfinite)
    wanted[static_cast<size_t>(element.index)] = element.value;
  const std::vector<double> got = values.All();
  int64_t wrong = 0, first = -1;
  for (std::size_t i = 0; i < got.size(); ++i) {
    const bool alike =
        std::isfinite(wanted[i]) ? std::isfinite(got[i]) : AreAlike(got[i], wanted[i]);
    if (!alike && wrong++ == 0) first = static_cast<int64_t>(i);
  }
  OutputVerdict verdict;
  verdict.set_outcome(Outcome::PASS);
  if (wrong == 0) return verdict;
  const double value = got[static_cast<size_t>(first)], right = wanted[static_cast<size_t>(first)];
  std::vector<int64_t> index = Unravel(first, want.shape);
  if (!task.rows.empty()) index[0] = task.rows[static_cast<std::size_t>(index[0])];
  verdict = Failed(
      task.name, Outcome::FAIL_NONFINITE,
      absl::StrFormat("is not NaN or infinite just where the reference is\n  first  [%s]  got %g  "
                      "want %s\n  wrong  %d of %d elements (%.3g %%)",
                      absl::StrJoin(index, ", "), value,
                      std::isfinite(right) ? "a finite number" : absl::StrFormat("%g", right),
                      wrong, values.elements(),
                      100.0 * static_cast<double>(wrong) / static_cast<double>(values.elements())));
  SetWorst(index, value, right, verdict);
  verdict.set_elements_wrong(wrong);
  return verdict;
}

// The note on outputs that hold NaN or infinity where their references do; none where there are none.
void NoteNonfinite(const ReferenceOutputs& reference, Verdict& verdict) {
  std::vector<std::string> texts;
  for (const OutputVerdict& output : verdict.outputs()) {
    const ReferenceOutput* want = reference.Find(output.name());
    if (want == nullptr || output.outcome() == Outcome::FAIL_NONFINITE) continue;
    const auto nan = std::count_if(want->nonfinite.begin(), want->nonfinite.end(),
                                   [](const auto& element) { return std::isnan(element.value); });
    const auto all = static_cast<int64_t>(want->nonfinite.size());
    std::string text = NonfiniteText(output.name(), nan, all - nan, output.elements());
    if (!text.empty()) texts.push_back(std::move(text));
  }
  if (texts.empty()) return;
  assay::Check& check = *verdict.add_checks();
  check.set_name("nonfinite_outputs");
  check.set_status(CHECK_NOTED);
  check.set_detail(absl::StrCat(absl::StrJoin(texts, "; "),
                                " of its elements, just where the reference is; the limits are of "
                                "the others"));
}

void FillErrors(const RuleResult& result, const VerifyParameters& limits, OutputVerdict& verdict) {
  verdict.set_rms_error(Recordable(result.rms_error));
  verdict.set_max_error(Recordable(result.max_error));
  verdict.set_cosine(Recordable(result.cosine));
  verdict.set_elements_wrong(result.wrong);
  if (limits.rule() == Rule::MEAN_RELATIVE)
    verdict.set_mean_relative_error(Recordable(result.mean_relative));
  if (limits.rule() == Rule::IOU) verdict.set_iou(result.iou);
  if (limits.rule() == Rule::DETECTIONS) {
    verdict.set_boxes_matched(result.boxes_matched);
    verdict.set_corner_error(result.corner_error);
    verdict.set_score_error(result.score_error);
  }
  if (limits.rule() == Rule::RELATIVE_TO_STD) {
    verdict.set_rms_limit(limits.rms_limit());
    verdict.set_max_limit(limits.max_limit());
  }
}

// The baseline at the compared elements. A baseline with NaN or infinity anywhere but where the
// reference has it cannot serve as one: it becomes NaN.
std::vector<double> BaselineOf(const TensorValues& baseline, const ReferenceOutput& want) {
  if (baseline.nonfinite() == static_cast<int64_t>(want.nonfinite.size())) {
    std::vector<double> compared = Compared(baseline, want);
    if (std::all_of(compared.begin(), compared.end(), [](double x) { return std::isfinite(x); }))
      return compared;
  }
  return std::vector<double>(want.values.size(), std::numeric_limits<double>::quiet_NaN());
}

// The largest error of one rounding, as a share of the value.
double UnitRoundoff(Dtype dtype) {
  switch (dtype) {
    case Dtype::FP64:
      return 0x1p-53;
    case Dtype::FP32:
      return 0x1p-24;
    case Dtype::FP16:
      return 0x1p-11;
    case Dtype::BF16:
      return 0x1p-8;
    default:
      return 0;
  }
}

// The part that rounding may take from an output's norms (rules.h); 0 unless they are norms of
// updates, beside which the reference has the weights (training_steps.h).
double MostLost(const Task& task, const ReferenceOutput& want) {
  std::string_view prefix = task.name;
  if (!absl::ConsumeSuffix(&prefix, "update_norms")) return 0;
  const ReferenceOutput* updated = task.reference.Find(absl::StrCat(prefix, "parameters"));
  if (updated == nullptr) return 0;
  const double tensors = static_cast<double>(ElementsOf(want.shape).value());
  return UnitRoundoff(task.expected.dtype()) * updated->stats.l2_norm / std::sqrt(tensors);
}

// Judges the values of an output that has the right form and is finite. `baseline`: null where there is none.
OutputVerdict JudgeValues(const Task& task, const TensorValues& values,
                          const TensorValues* baseline, const ReferenceOutput& want) {
  if (want.values.empty()) {  // all are infinite, as they must be
    OutputVerdict verdict;
    verdict.set_name(task.name);
    verdict.set_outcome(Outcome::PASS);
    return verdict;
  }
  const std::vector<double> got = Compared(values, want);
  std::vector<double> base;
  if (baseline != nullptr) base = BaselineOf(*baseline, want);
  const RuleResult result = Judge(
      {.want = &want,
       .got = got,
       .baseline = base,
       .got_stats = values.stats(),
       .baseline_stats = baseline == nullptr ? std::nullopt : std::optional(baseline->stats()),
       .dtype = task.expected.dtype(),
       .least_share = task.expected.least_share(),
       .most_lost = MostLost(task, want)},
      task.limits);
  OutputVerdict verdict;
  verdict.set_name(task.name);
  verdict.set_elements(task.got.numel());
  FillErrors(result, task.limits, verdict);
  std::vector<int64_t> index =
      Unravel(want.HasIndices() ? want.indices[result.worst] : static_cast<int64_t>(result.worst),
              want.shape);
  if (!task.rows.empty()) index[0] = task.rows[static_cast<std::size_t>(index[0])];
  SetWorst(index, got[result.worst], want.values[result.worst], verdict);
  verdict.set_outcome(result.passed ? Outcome::PASS : Outcome::FAIL_ACCURACY);
  if (!result.passed) {
    verdict.set_message(AccuracyMessage(verdict, result, want, task.reference));
  }
  return verdict;
}

OutputVerdict CompareValues(const Task& task, const ReferenceOutput& want) {
  at::Tensor compared;
  const absl::Status chosen = base::CatchTorch("reading a tensor", [&] {
    // If one of the other rows is not finite, the whole output is read, to name the place. Where the
    // reference holds NaN or infinity in its rows, others may, too.
    const bool all =
        task.rows.empty() || (want.nonfinite.empty() && FirstNonfinite(task.got).has_value());
    compared = all ? task.got : task.Compared(task.got);
  });
  if (!chosen.ok()) return FailedByTorch(task, chosen);
  const absl::StatusOr<TensorValues> values = ValuesOf(compared);
  if (!values.ok()) return FailedByTorch(task, values.status());
  OutputVerdict verdict;
  const absl::Status caught = base::CatchTorch("reading a tensor", [&] {
    if (!want.nonfinite.empty()) {
      verdict = CheckNonfinite(task, *values, want);
      if (verdict.outcome() != Outcome::PASS) return;
    } else if (values->nonfinite() > 0) {
      verdict = NonfiniteVerdict(task, *values);
      return;
    }
    if (!task.baseline.defined()) {
      verdict = JudgeValues(task, *values, nullptr, want);
      return;
    }
    const absl::StatusOr<TensorValues> baseline = ValuesOf(task.Compared(task.baseline));
    verdict = baseline.ok() ? JudgeValues(task, *values, &*baseline, want)
                            : FailedByTorch(task, baseline.status());
  });
  return caught.ok() ? verdict : FailedByTorch(task, caught);
}

OutputVerdict CompareOutput(const Task& task) {
  const ReferenceOutput* want = task.reference.Find(task.name);
  if (!task.got.defined()) {
    return Failed(task.name, Outcome::FAIL_SHAPE, "is missing: the program did not return it");
  }
  if (want == nullptr) {
    return Failed(task.name, Outcome::FAIL_SHAPE, "is surplus: the reference does not have it");
  }
  if (absl::Status status = CheckLimits(task.limits); !status.ok()) {
    return Failed(task.name, Outcome::FAIL_ACCURACY,
                  absl::StrCat("has no limits: ", status.message()));
  }
  if (absl::Status status = Validate(*want); !status.ok()) {
    return Failed(task.name, Outcome::FAIL_ARTIFACT, status.message());
  }
  OutputVerdict verdict = CheckForm(task, *want);
  if (verdict.outcome() == Outcome::PASS) {
    const absl::Status baseline = CheckBaseline(task);
    verdict = baseline.ok() ? CompareValues(task, *want)
                            : Failed(task.name, Outcome::FAIL_SHAPE, baseline.message());
  }
  verdict.set_elements(task.got.numel());
  verdict.set_elements_compared(static_cast<int64_t>(want->values.size() + want->nonfinite.size()));
  return verdict;
}

// Reports outputs that are not positions of both `expected` and `got`.
void CompareLists(const ReferenceOutputs& reference, const ExpectedOutputs& expected,
                  at::ArrayRef<at::Tensor> got, Verdict& verdict) {
  const auto declared = static_cast<std::size_t>(expected.size());
  for (std::size_t i = declared; i < got.size(); ++i) {
    *verdict.add_outputs() = Failed(absl::StrCat("#", i), Outcome::FAIL_SHAPE,
                                    absl::StrCat("is surplus: the program returned ", got.size(),
                                                 " outputs, ", declared, " are declared"));
  }
  std::set<std::string> seen;
  for (const ExpectedOutput& output : expected) {
    if (seen.insert(output.name()).second) continue;
    *verdict.add_outputs() = Failed(output.name(), Outcome::FAIL_SHAPE,
                                    "is declared twice; outputs need distinct names");
  }
  for (const ReferenceOutput& output : reference.outputs) {
    if (seen.contains(output.name)) continue;
    *verdict.add_outputs() =
        Failed(output.name, Outcome::FAIL_SHAPE,
               "is missing: the reference has it, the program does not declare it");
  }
}

// Sets outcome and message of the verdict from those of its outputs.
void Conclude(Verdict& verdict) {
  const auto rank = [](Outcome outcome) {
    return std::find(kGravestFirst.begin(), kGravestFirst.end(), outcome) - kGravestFirst.begin();
  };
  Outcome gravest = Outcome::PASS;
  std::vector<std::string> messages;
  for (const OutputVerdict& output : verdict.outputs()) {
    if (rank(output.outcome()) < rank(gravest)) gravest = output.outcome();
    if (output.outcome() != Outcome::PASS) messages.push_back(output.message());
  }
  verdict.set_outcome(gravest);
  verdict.set_message(absl::StrJoin(messages, "\n"));
}

}  // namespace

std::string NonfiniteText(std::string_view name, int64_t nan, int64_t infinite, int64_t elements) {
  std::vector<std::string> parts;
  const auto part = [&](std::string_view what, int64_t count) {
    if (count == 0) return;
    parts.push_back(absl::StrFormat(
        "%s in %.3g %%", what, 100 * static_cast<double>(count) / static_cast<double>(elements)));
  };
  part("NaN", nan);
  part("infinite", infinite);
  if (parts.empty()) return "";
  return absl::StrCat(name, " is ", absl::StrJoin(parts, " and "));
}

std::optional<Misfit> MisfitOf(const ExpectedOutput& expected, const at::Tensor& got) {
  if (!got.defined())
    return Misfit{Outcome::FAIL_SHAPE, "is missing: the program did not return it"};
  const bool fits = got.dim() == expected.shape_size() && [&] {
    for (int i = 0; i < expected.shape_size(); ++i) {
      const int64_t want = expected.shape(i), size = got.size(i);
      if (want != -1 && size != want) return false;
    }
    return true;
  }();
  if (!fits) {
    return Misfit{Outcome::FAIL_SHAPE,
                  absl::StrCat("has shape ", base::ShapeText(got.sizes()),
                               ", its specification says ", SpecifiedShape(expected))};
  }
  if (got.scalar_type() != base::ToScalarType(expected.dtype())) {
    const Dtype dtype = base::FromScalarType(got.scalar_type());
    const std::string_view name = dtype == Dtype::DTYPE_UNSPECIFIED
                                      ? std::string_view(c10::toString(got.scalar_type()))
                                      : base::DtypeName(dtype);
    return Misfit{Outcome::FAIL_DTYPE,
                  absl::StrCat("is ", name, ", expected ", base::DtypeName(expected.dtype()))};
  }
  if (got.layout() != at::kStrided) return Misfit{Outcome::FAIL_DTYPE, "is not a dense tensor"};
  return std::nullopt;
}

Verdict Compare(const ReferenceOutputs& reference, const ExpectedOutputs& expected,
                at::ArrayRef<at::Tensor> got, const VerifyParameters& limits,
                at::ArrayRef<at::Tensor> baseline, at::IntArrayRef rows) {
  const c10::NoGradGuard no_grad;  // outputs of a training step carry a graph
  Verdict verdict;
  verdict.set_rule(limits.rule());
  verdict.set_limits_provenance(limits.provenance());
  verdict.mutable_reference()->set_sha256(reference.sha256);
  if (absl::Status status = CheckLimits(limits); !status.ok()) {
    verdict.set_outcome(Outcome::FAIL_ACCURACY);
    verdict.set_message(std::string(status.message()));
    return verdict;
  }
  if (reference.outputs.empty()) {
    verdict.set_outcome(Outcome::FAIL_ARTIFACT);
    verdict.set_message("the reference holds no output, so nothing could be compared");
    return verdict;
  }
  for (std::size_t i = 0; i < static_cast<std::size_t>(expected.size()); ++i) {
    const ExpectedOutput& output = expected[static_cast<int>(i)];
    *verdict.add_outputs() =
        CompareOutput({.reference = reference,
                       .limits = LimitsOf(output, limits),
                       .expected = output,
                       .name = output.name(),
                       .got = i < got.size() ? got[i] : at::Tensor(),
                       .baseline = i < baseline.size() ? baseline[i] : at::Tensor(),
                       .rows = output.batched() ? rows : at::IntArrayRef()});
  }
  CompareLists(reference, expected, got, verdict);
  Conclude(verdict);
  NoteNonfinite(reference, verdict);
  return verdict;
}

}  // namespace assay::numerics

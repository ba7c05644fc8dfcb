#include "benchmarks/operators/param/call_verdict.h"

#include <map>
#include <string>
#include <utility>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_format.h"
#include "benchmarks/harness/dispatcher/boxed_operator.h"
#include "benchmarks/operators/judge/call_notes.h"
#include "benchmarks/operators/judge/judgement.h"
#include "benchmarks/operators/sweep/sample_table.h"

namespace assay::param {
namespace {

using operators::Finding;
using operators::Judgement;

Outcome OutcomeOf(Finding finding) {
  switch (finding) {
    case Finding::kVerified:
      return PASS;
    case Finding::kDiffers:
    case Finding::kWrites:
    case Finding::kAliases:
      return FAIL_ACCURACY;
    case Finding::kNondeterministic:
      return NONDETERMINISTIC_BASELINE;
    default:
      return NOT_VERIFIED;
  }
}

// The memory that float64 takes: arguments, results, and twice as much for gradients and work.
double BytesInFloat64(const BoundCall& call, const VerdictOptions& options) {
  double elements = 0;
  const auto add = [&](const execution::Tensors& tensors) {
    for (const at::Tensor& tensor : tensors) elements += static_cast<double>(tensor.numel());
  };
  for (const JudgedCall& judged : call.judged) {
    add(execution::TensorsOf(judged.call.arguments));
    add(judged.call.weights);
  }
  if (options.timed != nullptr) add(*options.timed);
  // Without a backward pass autograd keeps nothing in float64; with one, twice what float32 takes.
  return 3 * sizeof(double) * elements + (options.backward ? 2 * options.pass_bytes : 0);
}

Verdict NotVerified(std::string reason) {
  Verdict verdict;
  verdict.set_outcome(NOT_VERIFIED);
  verdict.set_message(std::move(reason));
  return verdict;
}

// The notes of samples.txt about the operator. The table is read when the first call is judged.
const operators::CallNotes& NotesOf(const std::string& operator_name) {
  static const auto* const table =
      new sweep::SampleTable(*sweep::SampleTable::Parse(sweep::BuiltInSamples()));
  static auto* const known = new std::map<std::string, operators::CallNotes>();
  const auto [found, is_new] = known->try_emplace(operator_name);
  if (is_new) found->second = table->For(operator_name).notes;
  return found->second;
}

Judgement Judged(const JudgedCall& judged, const BoundCall& call, const VerdictOptions& options) {
  return operators::Judge(judged.call, operators::ArgumentState(judged.call),
                          judged.in_float64 ? judged.in_float64 : operators::ByCasting(judged.call),
                          NotesOf(judged.operator_name),
                          {.random = judged.random,
                           .gradients = options.backward && call.differentiable && !call.backward,
                           .own_memory = false,
                           .unit = operators::Unit::kRootMeanSquare,
                           .gradient_factor = judged.gradient_factor,
                           .timed = judged.repeats && !judged.backward ? options.timed : nullptr});
}

}  // namespace

Verdict VerdictOf(const BoundCall& call, const VerdictOptions& options) {
  if (call.judged.empty()) return NotVerified("there is no reference for it");
  const double bytes = BytesInFloat64(call, options);
  if (options.memory_bytes > 0 && bytes > options.memory_bytes / 2) {
    return NotVerified(absl::StrFormat("float64 would need %.1f GB; %.1f GB are free", bytes / 1e9,
                                       options.memory_bytes / 1e9));
  }
  Verdict verdict;
  verdict.set_outcome(PASS);
  verdict.set_limits_provenance(
      "defs/tolerances.bzl, in units of the root mean square of float64's result");
  for (const JudgedCall& judged : call.judged) {
    if (judged.backward && !options.backward) continue;
    const Judgement judgement = Judged(judged, call, options);
    OutputVerdict& output = *verdict.add_outputs();
    output.set_name(judged.backward            ? "backward"
                    : judgement.differentiated ? "forward and gradients"
                                               : "forward");
    output.set_outcome(OutcomeOf(judgement.finding));
    output.set_max_error(judgement.error);
    if (output.outcome() == PASS) continue;
    output.set_message(absl::StrCat(operators::FindingName(judgement.finding),
                                    judgement.reason.empty() ? "" : ": ", judgement.reason));
    // A fault counts more than what could not be compared.
    if (verdict.outcome() != PASS && output.outcome() == NOT_VERIFIED) continue;
    verdict.set_outcome(output.outcome());
    verdict.set_message(absl::StrCat(judged.backward ? "backward: " : "", output.message()));
  }
  return verdict;
}

}  // namespace assay::param

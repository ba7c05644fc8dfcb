// The process in which `kernel` (tools/kernel) has a library's kernel called: checked or timed, as its
// plan says. Users do not start it. The answer is a KernelCandidate as text, on the descriptor kAnswer.
#include <ATen/Parallel.h>
#include <google/protobuf/text_format.h>
#include <torch/headeronly/version.h>
#include <unistd.h>

#include <algorithm>
#include <cmath>
#include <fstream>
#include <iterator>
#include <string>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/ascii.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/strip.h"
#include "benchmarks/harness/base/flags.h"
#include "benchmarks/harness/base/torch_status.h"
#include "benchmarks/harness/costs/call_cost.h"
#include "benchmarks/harness/dispatcher/boxed_operator.h"
#include "benchmarks/harness/processes/child_process.h"
#include "benchmarks/harness/processes/program_main.h"
#include "benchmarks/harness/runner/measure/peak_probes.h"
#include "benchmarks/harness/sampling/device/cpu_device.h"
#include "benchmarks/operators/kernel/candidate.h"
#include "benchmarks/operators/kernel/faster.h"
#include "benchmarks/operators/kernel/kernel.pb.h"
#include "benchmarks/operators/kernel/right.h"
#include "benchmarks/operators/kernel/sized_call.h"
#include "benchmarks/operators/kernel/traced_operator.h"
#include "benchmarks/operators/kernel/tvm_ffi_candidate.h"
#include "defs/proto/record.pb.h"

namespace assay::kernel {
namespace {

absl::StatusOr<KernelPlan> ReadPlan(const std::string& path) {
  std::ifstream file(path);
  const std::string text((std::istreambuf_iterator<char>(file)), {});
  KernelPlan plan;
  if (!file.is_open() || !google::protobuf::TextFormat::ParseFromString(text, &plan))
    return absl::FailedPreconditionError(absl::StrCat("no plan in ", path));
  return plan;
}

int Answer(const KernelCandidate& candidate) {
  std::string text;
  google::protobuf::TextFormat::PrintToString(candidate, &text);
  const ssize_t written = write(processes::kAnswer, text.data(), text.size());
  return written == static_cast<ssize_t>(text.size()) ? 0 : 2;
}

int NotVerified(KernelCandidate answer, const absl::Status& why) {
  answer.set_verdict(absl::IsInvalidArgument(why) ? "WRONG" : "NOT_VERIFIED");
  answer.set_reason(std::string(why.message()));
  return Answer(answer);
}

void Check(const KernelPlan& plan, const Candidate& candidate, KernelCandidate& answer) {
  const RightPlan right_plan = {.sizes = {plan.sizes().begin(), plan.sizes().end()},
                                .dtype = plan.dtype(),
                                .seed = plan.seed(),
                                .no_others = plan.row().has_traced()};
  const RightEnd end = IsRight(candidate, right_plan);
  answer.set_verified_calls(end.verified);
  answer.set_planned_calls(end.planned);
  for (const std::string& warning : end.warnings) answer.add_warnings(warning);
  for (size_t i = 0; i < end.error_shares.size(); ++i) {
    KernelSize& size = *answer.add_sizes();
    *size.mutable_sizes() = plan.sizes(static_cast<int>(i));
    size.set_error_share(end.error_shares[i]);
    size.set_max_absolute_error(end.errors[i].first);
    size.set_max_relative_error(end.errors[i].second);
    size.set_right(end.state == TrialEnd::State::kRight);
  }
  switch (end.state) {
    case TrialEnd::State::kRight:
      answer.set_verdict("RIGHT");
      break;
    case TrialEnd::State::kWrong:
      answer.set_verdict("WRONG");
      *answer.mutable_failure() = end.failure;
      break;
    default:
      answer.set_verdict("NOT_VERIFIED");
      answer.set_reason(end.failure.text());
  }
}

void Enter(const PairTimes& times, KernelTimes& entry, KernelSize& size) {
  for (const double ns : times.candidate_ns) entry.add_candidate_ns(ns);
  for (const double ns : times.aten_ns) entry.add_aten_ns(ns);
  entry.set_samples(static_cast<int64_t>(times.candidate_ns.size()));
  entry.set_speedup(std::exp(times.log_ratio));
  size.set_memory_bytes(static_cast<double>(times.candidate_bytes));
  size.set_aten_memory_bytes(static_cast<double>(times.aten_bytes));
  size.set_waited(std::max(size.waited(), times.waited));
  if (!times.flagged.empty()) size.set_flagged(times.flagged);
}

// What ATen's own call must move and compute, at least.
void Count(const OperatorRow& row, const PairOptions& options, KernelSize& size) {
  const absl::StatusOr<SizedCall> call = AtSizes(row, options.sizes, options.dtype, options.seed);
  if (!call.ok()) return;
  const absl::StatusOr<execution::BoundOperator> bound = Bind(row.call().name(), *call);
  if (!bound.ok()) return;
  c10::Stack stack = bound->arguments;
  const absl::StatusOr<costs::CallCost> cost = costs::CountCost([&] {
    return base::CatchTorch("ATen's own kernel", [&] { bound->handle.callBoxed(stack); });
  });
  if (!cost.ok()) return;
  size.set_bytes(cost->figures.bytes_per_call());
  size.set_flops(cost->figures.flops_per_call());
}

absl::Status TimeAll(const KernelPlan& plan, int process, const Candidate& candidate,
                     const SecondClock& second, KernelCandidate& answer) {
  sampling::CpuDevice device;
  std::vector<TimedPair> pairs;
  std::vector<PairOptions> options;
  for (const Sizes& sizes : plan.sizes()) {
    options.push_back({.sizes = sizes,
                       .dtype = plan.dtype(),
                       .seed = plan.seed(),
                       .process = process,
                       .budget = absl::Milliseconds(plan.milliseconds())});
    absl::StatusOr<TimedPair> pair = TimedPair::Make(candidate, options.back());
    if (!pair.ok()) return pair.status();
    pairs.push_back(*std::move(pair));
  }
  at::set_num_threads(candidate.threads);
  for (size_t i = 0; i < pairs.size(); ++i) {
    KernelSize& size = *answer.add_sizes();
    *size.mutable_sizes() = options[i].sizes;
    Count(candidate.row, options[i], size);
    for (const Heat heat : {Heat::kHot, Heat::kCold}) {
      const absl::StatusOr<PairTimes> times = pairs[i].Time(device, second, heat);
      if (!times.ok()) return times.status();
      if (!times->wrong.empty()) {
        KernelFailure& failure = *answer.mutable_failure();
        failure.set_kind("wrong while it was timed");
        failure.set_where(SizesText(options[i].sizes));
        failure.set_text(times->wrong);
        *failure.mutable_smallest() = options[i].sizes;
        answer.set_verdict("WRONG");
        return absl::OkStatus();
      }
      Enter(*times, heat == Heat::kHot ? *size.mutable_hot() : *size.mutable_cold(), size);
    }
  }
  answer.set_verdict("RIGHT");
  return absl::OkStatus();
}

// Without the candidate's library.
absl::Status MeasurePeaks(Dtype dtype, KernelPeaks& answer) {
  sampling::CpuDevice device;
  const absl::StatusOr<std::vector<Peak>> peaks = runner::MeasurePeaks(device, at::kCPU, dtype, {});
  if (!peaks.ok()) return peaks.status();
  Record record;
  *record.mutable_peaks() = {peaks->begin(), peaks->end()};
  answer.set_text(std::string(
      absl::StripAsciiWhitespace(absl::StripPrefix(runner::PeaksLine(record), "peaks"))));
  for (const Peak& peak : *peaks) {
    if (peak.name() == "compute") {
      answer.set_flops_per_s(peak.per_s());
    } else {
      answer.set_bytes_per_s(std::max(answer.bytes_per_s(), peak.per_s()));
    }
  }
  return absl::OkStatus();
}

// The name of the candidate's operator.
absl::StatusOr<std::string> Load(const KernelPlan& plan) {
  if (plan.tvm_ffi_functions().empty()) return LoadCandidate(plan.library(), plan.operator_name());
  // Its operator has the schema of the overload that takes the plan's call.
  const absl::StatusOr<SizedCall> call =
      AtSizes(plan.row(), plan.sizes().empty() ? Sizes() : plan.sizes(0), plan.dtype(), 0);
  if (!call.ok()) return absl::FailedPreconditionError(call.status().message());
  const absl::StatusOr<execution::BoundOperator> like = Bind(plan.row().call().name(), *call);
  if (!like.ok()) return absl::FailedPreconditionError(like.status().message());
  return LoadTvmFfiCandidate(
      {.path = plan.library(),
       .runtime = plan.tvm_ffi_runtime(),
       .functions = {plan.tvm_ffi_functions().begin(), plan.tvm_ffi_functions().end()}},
      plan.operator_name(), *like);
}

absl::StatusOr<int> Main(const std::vector<std::string>& words) {
  std::string path, action = "check";
  int process = 0;
  const absl::Status parsed =
      base::ParseFlags({{"plan", base::TextFlag(path)},
                        {"action", base::ChoiceFlag(action, {"check", "time", "peaks"})},
                        {"process", base::WholeNumberFlag(process, 0, 1000)}},
                       words);
  if (!parsed.ok()) return parsed;
  const absl::StatusOr<KernelPlan> plan = ReadPlan(path);
  if (!plan.ok()) return plan.status();
  const SecondClock second;
  // Copies of this process must find no pool of threads (isolated_call.h).
  at::set_num_threads(1);
  const int threads = plan->threads() > 0 ? plan->threads() : at::intraop_default_num_threads();
  KernelCandidate answer;
  answer.set_threads(threads);
  if (action == "peaks") {
    at::set_num_threads(threads);
    if (absl::Status measured = MeasurePeaks(plan->dtype(), *answer.mutable_peaks());
        !measured.ok())
      return measured;
    answer.set_verdict("RIGHT");
    return Answer(answer);
  }
  answer.set_torch_version(TORCH_VERSION);
  if (plan->row().has_traced()) {
    if (absl::Status registered = RegisterTraced(plan->row()); !registered.ok())
      return NotVerified(answer, registered);
  }
  const absl::StatusOr<std::string> name = Load(*plan);
  if (!name.ok()) return NotVerified(answer, name.status());
  if (absl::Status has = HasCpuKernel(*name); !has.ok()) return NotVerified(answer, has);
  answer.set_operator_name(*name);
  const Candidate candidate = {.name = *name,
                               .row = plan->row(),
                               .nondeterministic = plan->nondeterministic(),
                               .threads = threads,
                               .timeout = absl::Seconds(plan->call_timeout_s())};
  if (action == "check") {
    Check(*plan, candidate, answer);
  } else if (absl::Status timed = TimeAll(*plan, process, candidate, second, answer); !timed.ok()) {
    return NotVerified(answer, timed);
  }
  return Answer(answer);
}

}  // namespace
}  // namespace assay::kernel

int main(int argc, char** argv) {
  return assay::processes::ProgramMain(
      argc, argv, {.name = "kernel_child", .run = assay::kernel::Main, .leaves_at_once = true});
}

#include "benchmarks/harness/runner/measure/memory_pass.h"

#include <algorithm>
#include <optional>
#include <utility>
#include <vector>

#include "absl/algorithm/container.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_format.h"
#include "absl/strings/str_join.h"
#include "benchmarks/harness/costs/memory_timeline.h"
#include "benchmarks/harness/costs/memory_use.h"
#include "benchmarks/harness/costs/timeline_files.h"
#include "benchmarks/harness/execution/executable.h"
#include "benchmarks/harness/programs/timed_inputs.h"
#include "benchmarks/harness/runner/verdict/run_status.h"
#include "benchmarks/harness/tensor_files/file_bytes.h"
#include "benchmarks/harness/text/byte_text.h"
#include "defs/case/case_steps.h"

namespace assay::runner {
namespace {

using Measurements = google::protobuf::RepeatedPtrField<Measurement>;

// The measured steps, each once and in order; without steps that have no samples.
std::vector<execution::Step> StepsOf(const Measurements& measurements) {
  std::vector<execution::Step> steps;
  for (const Measurement& m : measurements) {
    if (!m.samples_ns().empty() && !absl::c_linear_search(steps, m.step()))
      steps.push_back(m.step());
  }
  return steps;
}

double LongestCallNs(const Measurements& measurements) {
  double longest = 0;
  for (const Measurement& m : measurements) longest = std::max(longest, m.median_ns());
  return longest;
}

costs::Calls CallsFor(const Measurements& measurements) {
  return LongestCallNs(measurements) > kLongCallNs ? costs::Calls::kOne : costs::Calls::kSteady;
}

absl::Status SetTimedInputs(const ResolvedCase& c, execution::Executable& executable,
                            at::Device device, execution::TensorsRef as_given) {
  absl::StatusOr<execution::Tensors> inputs =
      execution::TimedInputs(c.measured(), c.benchmark_case(), device, as_given);
  if (!inputs.ok()) return inputs.status();
  return execution::SetInputsOf(executable, *std::move(inputs));
}

// The step whose time stands for the case, or else the first; copies allocate nothing.
absl::StatusOr<StepSpec> ShownStep(const ResolvedCase& c, const Measurements& measurements) {
  std::optional<StepSpec> shown;
  for (const execution::Step name : StepsOf(measurements)) {
    const absl::StatusOr<StepSpec> step = FindStep(c, name, CPU);
    if (step.ok() && (!shown || step->headline())) shown = *step;
  }
  if (shown) return *shown;
  return Ended(RECORD_FAILED, "--memory-timeline: no step was measured that allocates memory");
}

Check CheckOf(const StepMemory& step, double longest_call_ns) {
  Check check;
  check.set_name("tensors_freed");
  if (longest_call_ns > kLongCallNs) {
    check.set_status(CHECK_NOT_RUN);
    check.set_detail(absl::StrFormat("a call takes %.3g s, so memory was counted in one call only",
                                     longest_call_ns * 1e-9));
    return check;
  }
  const int64_t leaked = step.leaked_bytes();
  check.set_status(leaked == 0                  ? CHECK_OK
                   : leaked < kFlaggedLeakBytes ? CHECK_NOTED
                                                : CHECK_FLAGGED);
  if (leaked > 0) {
    check.set_detail(
        absl::StrCat("each call leaves ", base::ByteText(leaked), " of tensors that stay alive"));
  }
  return check;
}

}  // namespace

absl::StatusOr<ProgramMemory> MemoryPass(const ResolvedCase& c, execution::Executable& executable,
                                         at::Device device, const Measurements& measurements,
                                         execution::TensorsRef as_given) {
  const absl::Status set = SetTimedInputs(c, executable, device, as_given);
  if (!set.ok()) return set;
  ProgramMemory memory = costs::StateMemory(executable.program());
  const absl::Status counted =
      costs::CountMemory(executable, c, StepsOf(measurements), CallsFor(measurements), memory);
  if (!counted.ok()) return counted;
  if (!executable.program().Differentiates()) {
    for (const at::Tensor& tensor : executable.program().Kept())
      memory.set_cache_bytes(memory.cache_bytes() + static_cast<int64_t>(tensor.nbytes()));
  }
  return memory;
}

absl::Status WriteTimeline(const ResolvedCase& c, execution::Executable& executable,
                           at::Device device, const Measurements& measurements,
                           execution::TensorsRef as_given, const std::string& path,
                           std::ostream& out) {
  const absl::StatusOr<StepSpec> step = ShownStep(c, measurements);
  if (!step.ok()) return step.status();
  const absl::Status set = SetTimedInputs(c, executable, device, as_given);
  if (!set.ok()) return set;
  const absl::StatusOr<costs::MemoryTimeline> timeline =
      costs::RecordTimeline(executable, *step, CallsFor(measurements));
  if (!timeline.ok()) return timeline.status();
  const absl::Status written = tensor_files::WriteFileAtomically(
      path, costs::TimelineFile(*timeline, c.benchmark_case().name(), path));
  if (!written.ok()) return Ended(RECORD_FAILED, written.message());
  out << costs::TimelineLines(*timeline) << absl::StrFormat("%-10s%-11s%s\n", "", "written", path);
  return absl::OkStatus();
}

void AddMemoryChecks(Record& record) {
  const double longest_call_ns = LongestCallNs(record.measurements());
  for (const StepMemory& step : record.memory().steps()) {
    for (Measurement& m : *record.mutable_measurements()) {
      if (m.step() != step.step() || m.samples_ns().empty() || !m.preset().empty()) continue;
      *m.add_checks() = CheckOf(step, longest_call_ns);
    }
  }
}

std::string MemoryLine(const Record& record) {
  const ProgramMemory& memory = record.memory();
  if (memory.steps().empty()) return "";
  std::vector<std::string> state, peaks;
  const auto add = [&](const char* what, int64_t bytes) {
    if (bytes > 0) state.push_back(absl::StrCat(what, " ", base::ByteText(bytes)));
  };
  add("parameters", memory.parameter_bytes());
  add("buffers", memory.buffer_bytes());
  add("cache", memory.cache_bytes());
  add("gradients", memory.gradient_bytes());
  add("optimizer", memory.optimizer_bytes());
  add("saved activations", memory.saved_activation_bytes());
  for (const StepMemory& step : memory.steps()) {
    peaks.push_back(absl::StrCat(step.step(), " ", base::ByteText(step.peak_bytes())));
  }
  std::vector<std::string> parts;
  if (!state.empty()) parts.push_back(absl::StrJoin(state, ", "));
  parts.push_back(absl::StrCat("peak of a call: ", absl::StrJoin(peaks, ", ")));
  int64_t on_gpu = 0;
  for (const Measurement& m : record.measurements())
    on_gpu = std::max(on_gpu, m.peak_device_bytes());
  if (on_gpu > 0) {
    const int64_t all = record.environment().gpu_memory_bytes();
    parts.push_back(absl::StrCat("peak of tensors on the GPU: ", base::ByteText(on_gpu),
                                 all > 0 ? " of " + base::ByteText(all) : ""));
  }
  if (memory.peak_host_bytes() > 0)
    parts.push_back(absl::StrCat("peak of the process",
                                 record.device() == CUDA ? " on the host" : "", ": ",
                                 base::ByteText(memory.peak_host_bytes())));
  return absl::StrFormat("%-10s%-9s%s\n", "memory", "", absl::StrJoin(parts, "; "));
}

}  // namespace assay::runner

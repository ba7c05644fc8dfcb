#include "benchmarks/traces/reader/kineto_file.h"

#include <algorithm>
#include <string_view>
#include <unordered_map>
#include <utility>
#include <vector>

#include "absl/strings/match.h"
#include "absl/strings/numbers.h"
#include "absl/strings/str_cat.h"
#include "benchmarks/traces/reader/kineto_event.h"
#include "benchmarks/traces/reader/node_splitter.h"

namespace assay::traces {
namespace {

// Times are printed with three digits after the microsecond, start and length each rounded.
constexpr int64_t kRoundingNs = 3;

struct KinetoSpan {
  int64_t start_ns = 0, end_ns = 0;
  uint32_t thread = 0;
  uint32_t place = 0;  // among the nodes, or among the launches, in the file's order
  bool launch = false;
};

// The first reading keeps this.
struct Outline {
  std::vector<KinetoSpan> spans = {};
  std::vector<std::pair<std::string, int64_t>> threads = {};  // "pid/tid", tid
  std::unordered_map<std::string, uint32_t> thread_places = {};
  std::vector<int64_t> external_ids = {};  // of the nodes
  std::vector<int64_t> correlations = {};  // of the launches
  std::vector<int64_t> kernel_externals = {};
  std::unordered_map<std::string, size_t> kernel_names = {};

  // By the nodes' places.
  std::vector<int64_t> ids = {}, parents = {};
};

// As HTA has it (hta/utils/utils.py, get_kernel_type()), but by category where that tells more.
KernelKind KernelKindOf(const KinetoEvent& event) {
  if (event.memory) return KernelKind::kMemory;
  const std::string_view name = event.node.name;
  return absl::StartsWith(name, "nccl") && absl::StrContains(name, "Kernel")
             ? KernelKind::kCommunication
             : KernelKind::kCompute;
}

void Note(const KinetoEvent& event, Outline& outline, TraceReading& about) {
  using Kind = KinetoEvent::Kind;
  const TraceNode& node = event.node;
  if (event.kind == Kind::kNoLength) {
    ++about.without_length;
    return;
  }
  if (event.kind == Kind::kKernel) {
    const auto [name, added] =
        outline.kernel_names.try_emplace(node.name, outline.kernel_names.size());
    if (added) about.kernel_names.push_back(node.name);
    about.kernels.push_back({.name = name->second,
                             .kind = KernelKindOf(event),
                             .start_ns = node.start_ns,
                             .duration_ns = node.duration_ns,
                             .device = event.device,
                             .stream = event.stream,
                             .correlation = event.correlation});
    outline.kernel_externals.push_back(event.external_id);
    return;
  }
  const auto [thread, added] = outline.thread_places.try_emplace(
      event.thread, static_cast<uint32_t>(outline.threads.size()));
  if (added) outline.threads.emplace_back(event.thread, node.tid);
  const bool launch = event.kind == Kind::kLaunch;
  std::vector<int64_t>& of_kind = launch ? outline.correlations : outline.external_ids;
  outline.spans.push_back({.start_ns = node.start_ns,
                           .end_ns = node.start_ns + node.duration_ns,
                           .thread = thread->second,
                           .place = static_cast<uint32_t>(of_kind.size()),
                           .launch = launch});
  of_kind.push_back(launch ? event.correlation : event.external_id);
}

struct KinetoLaunch {
  int64_t node = 0;  // that made it; 0: none did
  int64_t start_ns = 0, duration_ns = 0;
};

// Numbers the nodes and finds who called them; the result: the launches by their correlations.
std::unordered_map<int64_t, KinetoLaunch> Nest(Outline& outline) {
  std::sort(outline.spans.begin(), outline.spans.end(),
            [](const KinetoSpan& a, const KinetoSpan& b) {
              if (a.start_ns != b.start_ns) return a.start_ns < b.start_ns;
              if (a.end_ns != b.end_ns) return a.end_ns > b.end_ns;
              return std::pair(a.launch, a.place) < std::pair(b.launch, b.place);
            });
  std::unordered_map<int64_t, KinetoLaunch> launches;
  std::vector<std::vector<const KinetoSpan*>> open(outline.threads.size());
  outline.ids.resize(outline.external_ids.size());
  outline.parents.resize(outline.external_ids.size());
  auto next = static_cast<int64_t>(outline.threads.size()) + 2;
  for (const KinetoSpan& span : outline.spans) {
    std::vector<const KinetoSpan*>& around = open[span.thread];
    while (!around.empty() && around.back()->end_ns < span.end_ns - kRoundingNs) around.pop_back();
    const int64_t parent =
        around.empty() ? int64_t{span.thread} + 2 : outline.ids[around.back()->place];
    if (span.launch) {
      // The driver's call within the runtime's may have the same correlation.
      launches.try_emplace(outline.correlations[span.place],
                           KinetoLaunch{.node = around.empty() ? 0 : parent,
                                        .start_ns = span.start_ns,
                                        .duration_ns = span.end_ns - span.start_ns});
      continue;
    }
    outline.ids[span.place] = next++;
    outline.parents[span.place] = parent;
    around.push_back(&span);
  }
  launches.erase(0);  // of calls that launch nothing
  return launches;
}

void LinkKernels(const Outline& outline, const std::unordered_map<int64_t, KinetoLaunch>& launches,
                 TraceReading& about) {
  // Only of the operators that kernels name.
  std::unordered_map<int64_t, int64_t> by_external;
  for (size_t i = 0; i < about.kernels.size(); ++i) {
    TraceKernel& kernel = about.kernels[i];
    if (const auto launch = launches.find(kernel.correlation); launch != launches.end()) {
      kernel.node = launch->second.node;
      kernel.launch_ns = launch->second.start_ns;
      kernel.launch_duration_ns = launch->second.duration_ns;
    }
    if (kernel.node == 0 && outline.kernel_externals[i] != 0)
      by_external[outline.kernel_externals[i]] = 0;
  }
  if (!by_external.empty()) {
    for (size_t i = 0; i < outline.external_ids.size(); ++i) {
      const auto found = by_external.find(outline.external_ids[i]);
      if (found != by_external.end()) found->second = outline.ids[i];
    }
    for (size_t i = 0; i < about.kernels.size(); ++i) {
      const auto found = by_external.find(outline.kernel_externals[i]);
      if (about.kernels[i].node == 0 && found != by_external.end())
        about.kernels[i].node = found->second;
    }
  }
  std::stable_sort(
      about.kernels.begin(), about.kernels.end(),
      [](const TraceKernel& a, const TraceKernel& b) { return a.start_ns < b.start_ns; });
}

absl::Status Numbered(int64_t event, const absl::Status& status) {
  return absl::InvalidArgumentError(absl::StrCat("event number ", event, ": ", status.message()));
}

absl::Status ReadOutline(const TraceSource& source, Outline& outline, TraceReading& about) {
  int64_t events = 0;
  const absl::StatusOr<SourceEnd> end =
      SplitSource(source, [&](std::string_view text, const std::string&) -> absl::Status {
        ++events;
        absl::StatusOr<KinetoEvent> event = ParseEvent(text, /*with_values=*/false);
        if (!event.ok()) return Numbered(events, event.status());
        if (event->kind != KinetoEvent::Kind::kOther) Note(*event, outline, about);
        if (outline.spans.size() >= UINT32_MAX)
          return absl::InvalidArgumentError("it has more than 4 billion events");
        return absl::OkStatus();
      });
  if (!end.ok()) return end.status();
  about.torn = end->torn;
  LinkKernels(outline, Nest(outline), about);
  // The second reading needs the ids alone.
  std::vector<KinetoSpan>().swap(outline.spans);
  std::vector<int64_t>().swap(outline.external_ids);
  return absl::OkStatus();
}

// The process and the threads, which have no events.
std::vector<TraceNode> NodesOfThreads(const Outline& outline, TraceReading& about) {
  std::vector<TraceNode> nodes = {
      {.id = 1, .ctrl_deps = 1, .name = "[pytorch|profiler|execution_trace|process]"}};
  for (const auto& [name, tid] : outline.threads) {
    nodes.push_back({.id = static_cast<int64_t>(nodes.size()) + 1,
                     .ctrl_deps = 1,
                     .name = "[pytorch|profiler|execution_trace|thread]",
                     .tid = tid});
    if (about.pid == 0 && !absl::SimpleAtoi(name.substr(0, name.find('/')), &about.pid))
      about.pid = 0;
  }
  return nodes;
}

}  // namespace

absl::StatusOr<TraceReading> ReadKineto(const TraceSource& source,
                                        const std::function<absl::Status(TraceNode node)>& take) {
  TraceReading about = {.format = TraceFormat::kKineto, .schema = "Kineto", .exact = true};
  Outline outline;
  absl::Status status = ReadOutline(source, outline, about);
  if (!status.ok()) return status;
  for (TraceNode& node : NodesOfThreads(outline, about)) {
    ++about.nodes;
    if (status = take(std::move(node)); !status.ok()) return status;
  }
  int64_t events = 0;
  size_t place = 0;
  const absl::StatusOr<SourceEnd> end =
      SplitSource(source, [&](std::string_view text, const std::string&) -> absl::Status {
        ++events;
        absl::StatusOr<KinetoEvent> event = ParseEvent(text);
        if (!event.ok()) return Numbered(events, event.status());
        if (event->kind != KinetoEvent::Kind::kNode) return absl::OkStatus();
        if (place >= outline.ids.size())
          return absl::InvalidArgumentError("the file grew while it was read");
        event->node.id = outline.ids[place];
        event->node.ctrl_deps = outline.parents[place++];
        ++about.nodes;
        return take(std::move(event->node));
      });
  if (!end.ok()) return end.status();
  return about;
}

}  // namespace assay::traces

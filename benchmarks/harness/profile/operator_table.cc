#include "benchmarks/harness/profile/operator_table.h"

#include <algorithm>
#include <limits>
#include <map>
#include <nlohmann/json.hpp>
#include <unordered_map>

#include "absl/algorithm/container.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_format.h"
#include "absl/strings/str_replace.h"

namespace assay::profile {
namespace {

constexpr size_t kNone = std::numeric_limits<size_t>::max();

bool OnDevice(EventKind kind) { return kind == EventKind::kKernel || kind == EventKind::kCopy; }

// Facts about each event, by its index.
struct Placed {
  uint64_t thread = 0;
  size_t step = kNone;   // index into the table's steps
  size_t range = kNone;  // the event that is the step's open range
  size_t parent = kNone;
  int64_t children_ns = 0;
  int64_t self_device_ns = 0;
  int64_t device_ns = 0;
};

class Accounting {
 public:
  Accounting(absl::Span<const ProfiledEvent> events, absl::Span<const std::string> ranges)
      : events_(events), placed_(events.size()) {
    for (const std::string& range : ranges) {
      table_.steps.push_back({});
      table_.steps.back().range = range;
    }
  }

  OperatorTable Table() && {
    FindOperators();
    FindSteps();
    FindParents();
    AddDeviceTime();
    MakeRows();
    return std::move(table_);
  }

 private:
  int64_t Span(size_t i) const { return events_[i].end_ns - events_[i].start_ns; }

  void FindOperators() {
    for (size_t i = 0; i < events_.size(); ++i) {
      const ProfiledEvent& event = events_[i];
      const bool is_operator =
          event.kind == EventKind::kRange || event.kind == EventKind::kOperator;
      if (is_operator && event.correlation != 0) by_correlation_[event.correlation] = i;
    }
    for (size_t i = 0; i < events_.size(); ++i) {
      placed_[i].thread = events_[i].thread;
      // The runtime library's calls name threads by another number than LibTorch.
      const size_t maker = MakerOf(i);
      if (maker != kNone) placed_[i].thread = events_[maker].thread;
    }
  }

  size_t MakerOf(size_t i) const {
    const auto found = by_correlation_.find(events_[i].linked);
    return events_[i].linked == 0 || found == by_correlation_.end() ? kNone : found->second;
  }

  // A host event belongs to the range that was open when it began, on whatever thread; a device
  // event belongs to the range of the operator that launched it.
  void FindSteps() {
    std::map<int64_t, size_t> opened;  // by start
    for (size_t i = 0; i < events_.size(); ++i) {
      if (events_[i].kind != EventKind::kRange) continue;
      const auto step = absl::c_find_if(
          table_.steps, [&](const StepCounts& s) { return s.range == events_[i].name; });
      if (step == table_.steps.end()) continue;
      placed_[i].step = static_cast<size_t>(step - table_.steps.begin());
      placed_[i].range = i;
      opened[events_[i].start_ns] = i;
    }
    const auto place = [&](size_t i, int64_t at_ns) {
      auto after = opened.upper_bound(at_ns);
      if (after == opened.begin()) return;
      const size_t range = std::prev(after)->second;
      if (at_ns >= events_[range].end_ns) return;
      placed_[i].step = placed_[range].step;
      placed_[i].range = range;
    };
    for (size_t i = 0; i < events_.size(); ++i) {
      if (!OnDevice(events_[i].kind) && placed_[i].range == kNone) place(i, events_[i].start_ns);
    }
    for (size_t i = 0; i < events_.size(); ++i) {
      const size_t maker = OnDevice(events_[i].kind) ? MakerOf(i) : kNone;
      if (maker != kNone) placed_[i] = {.step = placed_[maker].step, .range = placed_[maker].range};
    }
  }

  // Parents come before their children in `order_`.
  void FindParents() {
    for (size_t i = 0; i < events_.size(); ++i) {
      if (placed_[i].step != kNone && !OnDevice(events_[i].kind)) order_.push_back(i);
    }
    absl::c_stable_sort(order_, [this](size_t a, size_t b) {
      if (placed_[a].thread != placed_[b].thread) return placed_[a].thread < placed_[b].thread;
      if (events_[a].start_ns != events_[b].start_ns)
        return events_[a].start_ns < events_[b].start_ns;
      return events_[a].end_ns > events_[b].end_ns;
    });
    std::vector<size_t> open;
    for (const size_t i : order_) {
      while (!open.empty() && (placed_[open.back()].thread != placed_[i].thread ||
                               events_[open.back()].end_ns <= events_[i].start_ns)) {
        open.pop_back();
      }
      if (!open.empty()) {
        placed_[i].parent = open.back();
        placed_[open.back()].children_ns += Span(i);
      }
      open.push_back(i);
    }
  }

  void AddDeviceTime() {
    for (size_t i = 0; i < events_.size(); ++i) {
      if (!OnDevice(events_[i].kind) || placed_[i].step == kNone) continue;
      placed_[MakerOf(i)].self_device_ns += Span(i);
    }
    for (auto at = order_.rbegin(); at != order_.rend(); ++at) {
      Placed& placed = placed_[*at];
      placed.device_ns += placed.self_device_ns;
      const bool elsewhere = placed.parent == kNone && placed.range != *at;
      const size_t heir = elsewhere ? placed.range : placed.parent;
      if (heir != kNone && !elsewhere) placed_[heir].device_ns += placed.device_ns;
      if (elsewhere) from_other_threads_[heir] += placed.device_ns;
    }
  }

  bool InsideItsName(size_t i) const {
    for (size_t up = placed_[i].parent; up != kNone; up = placed_[up].parent) {
      if (events_[up].name == events_[i].name) return true;
    }
    return false;
  }

  void Count(size_t i) {
    StepCounts& step = table_.steps[placed_[i].step];
    switch (events_[i].kind) {
      case EventKind::kRange:
        if (placed_[i].range != i) return;
        ++step.calls;
        step.cpu_ns += Span(i);
        return;
      case EventKind::kOperator:
        ++step.operators;
        return;
      case EventKind::kLaunch:
        ++step.launches;
        return;
      case EventKind::kHostCall:
        return;
      case EventKind::kKernel:
        ++step.kernels;
        step.device_ns += Span(i);
        return;
      case EventKind::kCopy:
        ++step.copies;
        step.device_ns += Span(i);
        return;
    }
  }

  void MakeRows() {
    std::map<std::string_view, OperatorRow> rows;
    std::map<std::string_view, KernelRow> kernels;
    for (size_t i = 0; i < events_.size(); ++i) {
      const Placed& placed = placed_[i];
      if (placed.step == kNone) continue;
      Count(i);
      if (OnDevice(events_[i].kind)) {
        KernelRow& kernel = kernels[events_[i].name];
        ++kernel.calls;
        kernel.device_ns += Span(i);
        continue;
      }
      OperatorRow& row = rows[events_[i].name];
      ++row.calls;
      // Spans are rounded one by one, so the children together may be a few ns longer.
      row.self_cpu_ns += std::max<int64_t>(Span(i) - placed.children_ns, 0);
      row.self_device_ns += placed.self_device_ns;
      if (InsideItsName(i)) continue;
      row.cpu_ns += Span(i);
      row.device_ns += placed.device_ns;
      const auto others = from_other_threads_.find(i);
      if (others != from_other_threads_.end()) row.device_ns += others->second;
    }
    for (auto& [name, row] : rows) {
      row.name = name;
      table_.self_cpu_ns += row.self_cpu_ns;
      table_.self_device_ns += row.self_device_ns;
      table_.rows.push_back(row);
    }
    for (auto& [name, kernel] : kernels) {
      kernel.name = name;
      table_.kernels.push_back(kernel);
    }
    const bool by_device = table_.self_device_ns > 0;
    absl::c_stable_sort(table_.rows, [by_device](const OperatorRow& a, const OperatorRow& b) {
      if (by_device && a.self_device_ns != b.self_device_ns)
        return a.self_device_ns > b.self_device_ns;
      return a.self_cpu_ns > b.self_cpu_ns;
    });
    absl::c_stable_sort(table_.kernels, [](const KernelRow& a, const KernelRow& b) {
      return a.device_ns > b.device_ns;
    });
  }

  const absl::Span<const ProfiledEvent> events_;
  std::vector<Placed> placed_;
  std::unordered_map<uint64_t, size_t> by_correlation_;
  std::unordered_map<size_t, int64_t> from_other_threads_;  // by the range's event
  std::vector<size_t> order_;
  OperatorTable table_;
};

double Percent(int64_t part, int64_t whole) {
  return whole == 0 ? 0 : 100 * static_cast<double>(part) / static_cast<double>(whole);
}

int64_t Average(int64_t sum, int64_t calls) { return calls == 0 ? 0 : sum / calls; }

std::string TimeText(int64_t ns) {
  const auto value = static_cast<double>(ns);
  if (ns < 1'000'000) return absl::StrFormat("%.3fus", value / 1e3);
  if (ns < 1'000'000'000) return absl::StrFormat("%.3fms", value / 1e6);
  return absl::StrFormat("%.3fs", value / 1e9);
}

std::string Shortened(const std::string& name, size_t most) {
  return name.size() <= most ? name : absl::StrCat(name.substr(0, most - 3), "...");
}

// A count for one call; a fraction where calls differ.
std::string PerCall(int64_t count, int64_t calls) {
  if (calls == 0) return "0";
  if (count % calls == 0) return absl::StrCat(count / calls);
  return absl::StrFormat("%.1f", static_cast<double>(count) / static_cast<double>(calls));
}

std::string CsvWord(const std::string& word) {
  if (word.find_first_of(",\"\n") == std::string::npos) return word;
  return absl::StrCat("\"", absl::StrReplaceAll(word, {{"\"", "\"\""}}), "\"");
}

}  // namespace

OperatorTable MakeOperatorTable(absl::Span<const ProfiledEvent> events,
                                absl::Span<const std::string> ranges) {
  return Accounting(events, ranges).Table();
}

std::string StepLines(const OperatorTable& table) {
  std::string lines;
  for (const StepCounts& s : table.steps) {
    absl::StrAppendFormat(&lines, "%s: %d %s; in each %s operators, %s launches, %s kernels, %s ",
                          s.range, s.calls, s.calls == 1 ? "call" : "calls",
                          PerCall(s.operators, s.calls), PerCall(s.launches, s.calls),
                          PerCall(s.kernels, s.calls), PerCall(s.copies, s.calls));
    absl::StrAppend(&lines, "copies; CPU ", TimeText(Average(s.cpu_ns, s.calls)), ", device ",
                    TimeText(Average(s.device_ns, s.calls)), "\n");
  }
  return lines;
}

std::string TableText(const OperatorTable& table, size_t most_rows) {
  const size_t rows = std::min(most_rows, table.rows.size());
  size_t width = 4;
  for (size_t i = 0; i < rows; ++i) width = std::max(width, table.rows[i].name.size());
  width = std::min<size_t>(width, 60);
  const int name_width = -static_cast<int>(width);
  std::string text =
      absl::StrFormat("%*s %11s %11s %12s %11s %11s %13s %12s %12s %11s %11s\n", name_width, "Name",
                      "Self CPU %", "Self CPU", "CPU total %", "CPU total", "CPU avg",
                      "Self device %", "Self device", "device total", "device avg", "# of Calls");
  absl::StrAppend(&text, std::string(text.size() - 1, '-'), "\n");
  for (size_t i = 0; i < rows; ++i) {
    const OperatorRow& r = table.rows[i];
    absl::StrAppendFormat(
        &text, "%*s %10.2f%% %11s %11.2f%% %11s %11s %12.2f%% %12s %12s %11s %11d\n", name_width,
        Shortened(r.name, width), Percent(r.self_cpu_ns, table.self_cpu_ns),
        TimeText(r.self_cpu_ns), Percent(r.cpu_ns, table.self_cpu_ns), TimeText(r.cpu_ns),
        TimeText(Average(r.cpu_ns, r.calls)), Percent(r.self_device_ns, table.self_device_ns),
        TimeText(r.self_device_ns), TimeText(r.device_ns), TimeText(Average(r.device_ns, r.calls)),
        r.calls);
  }
  absl::StrAppend(&text, "Self CPU time total: ", TimeText(table.self_cpu_ns),
                  "; self device time total: ", TimeText(table.self_device_ns), "; ",
                  rows < table.rows.size() ? absl::StrCat(rows, " of ") : "", table.rows.size(),
                  " rows\n");
  return text;
}

std::string TableCsv(const OperatorTable& table) {
  std::string csv =
      "Name,Self CPU %,Self CPU (ns),CPU total %,CPU total (ns),CPU avg (ns),Self device %,"
      "Self device (ns),device total (ns),device avg (ns),# of Calls\n";
  for (const OperatorRow& r : table.rows) {
    absl::StrAppendFormat(&csv, "%s,%.4f,%d,%.4f,%d,%d,%.4f,%d,%d,%d,%d\n", CsvWord(r.name),
                          Percent(r.self_cpu_ns, table.self_cpu_ns), r.self_cpu_ns,
                          Percent(r.cpu_ns, table.self_cpu_ns), r.cpu_ns,
                          Average(r.cpu_ns, r.calls),
                          Percent(r.self_device_ns, table.self_device_ns), r.self_device_ns,
                          r.device_ns, Average(r.device_ns, r.calls), r.calls);
  }
  return csv;
}

std::string TableJson(const OperatorTable& table, std::string_view case_name) {
  using Json = nlohmann::ordered_json;
  Json steps = Json::array();
  for (const StepCounts& s : table.steps) {
    steps.push_back({{"range", s.range},
                     {"calls", s.calls},
                     {"operator_calls", s.operators},
                     {"launches", s.launches},
                     {"kernels", s.kernels},
                     {"copies", s.copies},
                     {"cpu_ns", s.cpu_ns},
                     {"device_ns", s.device_ns}});
  }
  Json rows = Json::array();
  for (const OperatorRow& r : table.rows) {
    rows.push_back({{"name", r.name},
                    {"self_cpu_percent", Percent(r.self_cpu_ns, table.self_cpu_ns)},
                    {"self_cpu_ns", r.self_cpu_ns},
                    {"cpu_total_percent", Percent(r.cpu_ns, table.self_cpu_ns)},
                    {"cpu_total_ns", r.cpu_ns},
                    {"cpu_avg_ns", Average(r.cpu_ns, r.calls)},
                    {"self_device_percent", Percent(r.self_device_ns, table.self_device_ns)},
                    {"self_device_ns", r.self_device_ns},
                    {"device_total_ns", r.device_ns},
                    {"device_avg_ns", Average(r.device_ns, r.calls)},
                    {"calls", r.calls}});
  }
  Json kernels = Json::array();
  for (const KernelRow& k : table.kernels)
    kernels.push_back({{"name", k.name}, {"calls", k.calls}, {"device_ns", k.device_ns}});
  const Json all = {{"case", case_name},
                    {"sorted_by", table.self_device_ns > 0 ? "self_device_ns" : "self_cpu_ns"},
                    {"self_cpu_ns", table.self_cpu_ns},
                    {"self_device_ns", table.self_device_ns},
                    {"steps", steps},
                    {"operators", rows},
                    {"kernels", kernels}};
  // A kernel's name may be any bytes.
  return all.dump(2, ' ', false, Json::error_handler_t::replace) + "\n";
}

}  // namespace assay::profile

#include "tools/kernel/report/kernel_page.h"

#include <algorithm>
#include <set>
#include <utility>
#include <vector>

#include "absl/algorithm/container.h"
#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_format.h"
#include "benchmarks/harness/output/output.h"
#include "benchmarks/operators/kernel/sizes_text.h"
#include "tools/kernel/report/kernel_plot.h"
#include "tools/kernel/report/kernel_report.h"
#include "tools/kernel/report/verdicts.h"

namespace assay::kernel {
namespace {

constexpr char kPageHead[] = R"(<!doctype html>
<html lang="en">
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="default-src 'none'; style-src 'unsafe-inline'">
<meta name="viewport" content="width=device-width, initial-scale=1">
<style>
:root { color-scheme: light dark; --paper: #fff; --ink: #1c1e21; --faint: #6b7280; --rule: #e2e5e9; --good: #1a7f37;
  --c: var(--faint); --bad: #c2291b; --doubt: #9a6700; --c0: #7a828c; --c1: #1f6fb4; --c2: #d1661a; --c3: #2b8a3e; --c4: #7b4fb0; --c5: #b8266f; --c6: #0f8b8d; }
@media (prefers-color-scheme: dark) { :root { --paper: #15181c; --ink: #e4e7eb; --faint: #98a2ae; --rule: #30363d; --good: #57c26d;
  --bad: #ff7b72; --doubt: #d9a634; --c0: #98a2ae; --c1: #6cb0f0; --c2: #f0965a; --c3: #6fcf82; --c4: #b694ea; --c5: #f07fb5; --c6: #52c7c9; } }
body { margin: 2rem auto; max-width: 80rem; padding: 0 1.5rem; background: var(--paper); color: var(--ink);
  font: 15px/1.5 system-ui, sans-serif; font-variant-numeric: tabular-nums; }
h1 { font-size: 1.5rem; margin: 0; }
h2 { font-size: 1.1rem; margin: 2rem 0 .5rem; }
p, figcaption { color: var(--faint); margin: .2rem 0; }
dl { display: grid; grid-template-columns: max-content 1fr; gap: .15rem 1rem; margin: 1rem 0; padding: .7rem 1rem;
  border: 1px solid var(--rule); border-left: 4px solid var(--mark, var(--doubt)); border-radius: 4px; }
dl.RIGHT { --mark: var(--good); } dl.WRONG { --mark: var(--bad); }
dt { color: var(--faint); } dd { margin: 0; white-space: pre-wrap; overflow-wrap: anywhere; }
dd.verdict { font-weight: 600; color: var(--mark, var(--doubt)); }
.wide { overflow-x: auto; }
table { border-collapse: collapse; font-size: .9rem; } th, td { padding: .25rem .5rem; text-align: right; white-space: nowrap; }
th { border-bottom: 2px solid var(--rule); font-weight: 600; } td { border-bottom: 1px solid var(--rule); }
.word { text-align: left; } .FASTER { color: var(--good); } .SLOWER, .FLAGGED { color: var(--bad); } .INCONCLUSIVE, .SAME { color: var(--faint); }
figure { margin: 0; } .plots { display: grid; grid-template-columns: repeat(auto-fit, minmax(24rem, 1fr)); gap: 1rem; }
svg { width: 100%; font-size: 12px; fill: var(--ink); } svg .title { font-weight: 600; }
.grid { stroke: var(--rule); } .axis { stroke: var(--faint); } polyline { fill: none; stroke-width: 2; stroke: var(--c); }
circle { fill: var(--c); stroke: var(--paper); } .bar { stroke: var(--c); stroke-width: 1.5; }
.roof { stroke: var(--ink); stroke-width: 1.5; stroke-dasharray: 6 4; } .over { paint-order: stroke; stroke: var(--paper); stroke-width: 4; }
.key { margin-right: 1.2rem; } .key::before { content: ""; display: inline-block; width: .7rem; height: .7rem; margin-right: .4rem;
  border-radius: 50%; background: var(--c); }
.s0 { --c: var(--c0); } .s1 { --c: var(--c1); } .s2 { --c: var(--c2); } .s3 { --c: var(--c3); } .s4 { --c: var(--c4); }
.s5 { --c: var(--c5); } .s6 { --c: var(--c6); }
</style>
)";

using Times = google::protobuf::RepeatedField<double>;

// Amounts are operations where the operator has some, else bytes.
bool CountsOperations(const KernelReport& report) {
  for (const KernelCandidate& candidate : report.candidates()) {
    for (const KernelSize& size : candidate.sizes()) {
      if (size.flops() > 0) return true;
    }
  }
  return false;
}

// Each once: several dtypes of a candidate share theirs.
std::vector<std::string> LabelsOf(const KernelReport& report) {
  std::vector<std::string> labels;
  for (const KernelCandidate& candidate : report.candidates()) {
    if (std::string label = LabelOf(report, candidate); !absl::c_linear_search(labels, label))
      labels.push_back(std::move(label));
  }
  return labels;
}

// Candidates of one dtype, with one kind of cache.
class Panel {
 public:
  Panel(const KernelReport& report, const std::vector<std::string>& labels,
        const std::string& dtype, bool cold)
      : report_(report),
        labels_(labels),
        dtype_(dtype),
        cold_(cold),
        operations_(CountsOperations(report)) {}

  std::string Svg() {
    plot_.unit = operations_ ? "GFLOP/s" : "GB/s";
    plot_.title = absl::StrCat(dtype_, cold_ ? ", cold caches" : ", hot caches");
    plot_.series.resize(1 + labels_.size());
    std::vector<Times> aten;
    const KernelCandidate* first = nullptr;
    for (const KernelCandidate& candidate : report_.candidates()) {
      if (candidate.sizes().empty() || candidate.sizes(0).dtype() != dtype_) continue;
      if (first == nullptr) first = &candidate;
      const std::string label = LabelOf(report_, candidate);
      const auto place = absl::c_find(labels_, label) - labels_.begin();
      std::vector<PlotPoint>& points = plot_.series[static_cast<size_t>(place) + 1];
      aten.resize(static_cast<size_t>(candidate.sizes_size()));
      for (int i = 0; i < candidate.sizes_size(); ++i) {
        const KernelSize& size = candidate.sizes(i);
        Add(points, label, size, TimesOf(size).candidate_ns());
        aten[static_cast<size_t>(i)].MergeFrom(TimesOf(size).aten_ns());
      }
    }
    for (size_t i = 0; i < aten.size(); ++i)
      Add(plot_.series[0], "ATen", first->sizes(static_cast<int>(i)), aten[i]);
    if (first != nullptr) AddRoof(*first);
    for (std::vector<PlotPoint>* points : Lines())
      std::sort(points->begin(), points->end(),
                [](const PlotPoint& a, const PlotPoint& b) { return a.bytes < b.bytes; });
    return PlotOf(plot_);
  }

 private:
  const KernelTimes& TimesOf(const KernelSize& size) const {
    return cold_ ? size.cold() : size.hot();
  }

  double AmountOf(const KernelSize& size) const {
    return operations_ ? size.flops() : size.bytes();
  }

  std::vector<std::vector<PlotPoint>*> Lines() {
    std::vector<std::vector<PlotPoint>*> lines = {&plot_.roof};
    for (std::vector<PlotPoint>& points : plot_.series) lines.push_back(&points);
    return lines;
  }

  void Add(std::vector<PlotPoint>& points, const std::string& label, const KernelSize& size,
           const Times& ns) {
    const double amount = AmountOf(size);
    if (ns.empty() || size.bytes() <= 0 || amount <= 0) return;
    const auto [fastest, slowest] = std::minmax_element(ns.begin(), ns.end());
    PlotPoint point = {.bytes = size.bytes(),
                       .rate = amount / MedianOf(ns),
                       .least = amount / *slowest,
                       .most = amount / *fastest};
    point.text = absl::StrFormat("%s, %s: %.3g %s (%.3g to %.3g), %s", label,
                                 SizesText(size.sizes()), point.rate, plot_.unit, point.least,
                                 point.most, output::TimeText(MedianOf(ns)));
    points.push_back(std::move(point));
  }

  void AddRoof(const KernelCandidate& candidate) {
    for (const KernelSize& size : candidate.sizes()) {
      const double least_ns = LeastNs(size, candidate.peaks(), /*cold=*/true);
      if (least_ns <= 0 || size.bytes() <= 0 || AmountOf(size) <= 0) continue;
      const double rate = AmountOf(size) / least_ns;
      plot_.roof.push_back({.bytes = size.bytes(),
                            .rate = rate,
                            .text = absl::StrFormat("peak: %.3g %s", rate, plot_.unit)});
    }
  }

  const KernelReport& report_;
  const std::vector<std::string>& labels_;
  const std::string dtype_;
  const bool cold_, operations_;
  Plot plot_;
};

std::string VerdictList(const KernelReport& report, const KernelCandidate& candidate) {
  std::string html = absl::StrCat("<dl class=\"", candidate.verdict(), "\">\n");
  for (const auto& [label, line] : LinesOf(report, candidate))
    absl::StrAppend(&html, "<dt>", label, "<dd class=\"", label, "\">", Escaped(line), "\n");
  return html + "</dl>\n";
}

std::string Plots(const KernelReport& report) {
  const std::vector<std::string> labels = LabelsOf(report);
  std::string plots, keys = "<span class=\"key s0\">ATen</span>";
  std::set<std::string> dtypes;
  for (const KernelCandidate& candidate : report.candidates()) {
    if (candidate.sizes().empty() || !dtypes.insert(candidate.sizes(0).dtype()).second) continue;
    for (const bool cold : {false, true})
      plots += Panel(report, labels, candidate.sizes(0).dtype(), cold).Svg();
  }
  if (plots.empty()) return "";
  for (size_t i = 0; i < labels.size(); ++i) {
    const std::string number = absl::StrCat("s", i + 1, "\">");
    if (absl::StrContains(plots, absl::StrCat("<g class=\"", number)))
      absl::StrAppend(&keys, "<span class=\"key ", number, Escaped(labels[i]), "</span>");
  }
  return absl::StrCat(
      "<h2>Over the sizes</h2>\n<figure>\n<p>", keys, "</p>\n<div class=\"plots\">\n", plots,
      "</div>\n<figcaption>Points: medians. Bars: from the slowest to the fastest process.",
      absl::StrContains(plots, "\"roof\"") ? " Dashed: what this machine's memory and arithmetic "
                                             "were measured to reach; caches are faster."
                                           : "",
      "</figcaption>\n</figure>\n");
}

std::string TableHtml(const KernelReport& report) {
  const std::vector<std::vector<std::string>> rows = TableOf(report);
  if (rows.empty()) return "";
  std::string html = "<h2>Each size</h2>\n<div class=\"wide\"><table>\n";
  for (size_t r = 0; r < rows.size(); ++r) {
    html += "<tr>";
    for (size_t i = 0; i < rows[r].size(); ++i)
      absl::StrAppendFormat(&html, r == 0 ? "<th class=\"%s\">%s" : "<td class=\"%s\">%s",
                            rows[0][i] == "conclusion" ? absl::StrCat("word ", rows[r][i])
                            : HoldsWords(rows[0][i])   ? "word"
                                                       : "",
                            Escaped(rows[r][i]));
    html += "\n";
  }
  return html + "</table></div>\n";
}

}  // namespace

std::string PageOf(const KernelReport& report) {
  const std::vector<std::string> labels = LabelsOf(report);
  const std::string title =
      absl::StrCat(labels.size() == 1 ? labels[0] : absl::StrCat(labels.size(), " kernels"),
                   " like ", report.like());
  std::string page =
      absl::StrCat(kPageHead, "<title>", Escaped(title), "</title>\n<h1>", Escaped(title),
                   "</h1>\n<p>", Escaped(report.machine()), "</p>\n");
  for (const KernelCandidate& candidate : report.candidates())
    page += VerdictList(report, candidate);
  return absl::StrCat(page, Plots(report), TableHtml(report), "</html>\n");
}

}  // namespace assay::kernel

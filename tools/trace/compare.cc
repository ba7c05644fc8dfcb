#include <algorithm>
#include <cstdlib>
#include <map>
#include <string>
#include <vector>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_format.h"
#include "absl/strings/str_join.h"
#include "benchmarks/harness/base/exit_code.h"
#include "benchmarks/harness/output/output.h"
#include "benchmarks/harness/processes/program_main.h"
#include "benchmarks/harness/text/untrusted_text.h"
#include "benchmarks/traces/analysis/comparison.h"
#include "benchmarks/traces/graph/trace_tree.h"
#include "nlohmann/json.hpp"
#include "tools/trace/actions.h"

namespace assay::trace {
namespace {

using OrderedJson = nlohmann::ordered_json;
using traces::Comparison;
using traces::Difference;

size_t CallsOf(const Difference& difference) {
  return std::max(difference.nodes_before.size(), difference.nodes_after.size());
}

std::string SignedTime(double ns) {
  return absl::StrCat(ns < 0 ? "-" : "+", output::TimeText(std::abs(ns)));
}

std::string What(const Difference& difference) {
  const auto call = [](const std::string& text) { return base::Printable(text, 100); };
  if (difference.before.empty()) return call(difference.after);
  if (difference.after.empty() || difference.before == difference.after)
    return call(difference.before);
  return absl::StrCat(call(difference.before), " -> ", call(difference.after));
}

std::string VerdictText(const Comparison& c) {
  if (c.Same()) return absl::StrCat("same      ", CountText(c.equal, "call"), " are equal\n");
  std::map<std::string_view, size_t> kinds;
  for (const Difference& one : c.differences)
    if (one.kind != "slower" && one.kind != "faster") kinds[one.kind] += CallsOf(one);
  return absl::StrCat("different ", CountText(c.different, "call"), ": ",
                      absl::StrJoin(kinds, ", ",
                                    [](std::string* out, const auto& kind) {
                                      absl::StrAppend(out, kind.second, " ", kind.first);
                                    }),
                      "; ", c.equal, " are equal\n");
}

std::string JsonText(const Comparison& c) {
  OrderedJson all = {{"same", c.Same()}, {"equal", c.equal}, {"different", c.different}};
  if (c.timed) {
    all["before_ns"] = c.before_ns;
    all["after_ns"] = c.after_ns;
  }
  all["differences"] = OrderedJson::array();
  for (const Difference& one : c.differences) {
    OrderedJson row = {{"kind", one.kind}, {"calls", CallsOf(one)}};
    if (!one.before.empty()) row["before"] = one.before;
    if (!one.after.empty()) row["after"] = one.after;
    if (c.timed) row["change_ns"] = one.change_ns;
    all["differences"].push_back(std::move(row));
  }
  return JsonFileText(all);
}

}  // namespace

absl::StatusOr<int> CompareTraces(GivenTraces& given) {
  const traces::TraceTree before(given.traces[0].nodes), after(given.traces[1].nodes);
  const Comparison c = traces::Compare(before, after);
  const int code = given.flags.gate && !c.Same() ? base::kProductWrong : base::kRight;
  if (given.flags.json) {
    processes::Print(JsonText(c));
    return code;
  }
  std::string text = VerdictText(c);
  const auto change = static_cast<double>(c.after_ns - c.before_ns);
  if (c.timed) {
    absl::StrAppend(&text, "time      ", NsText(c.before_ns), " -> ", NsText(c.after_ns), ", ",
                    SignedTime(change),
                    absl::StrFormat(" (%+.1f %%)", 100 * change / static_cast<double>(c.before_ns)),
                    "; each operator was timed once\n");
  }
  std::vector<std::vector<std::string>> rows = {{"Difference", "Calls", "What"}};
  if (c.timed) rows[0] = {"Difference", "Calls", "Change", "Of the total", "What"};
  const size_t most = RowsOf(given.flags);
  for (size_t i = 0; i < std::min(most, c.differences.size()); ++i) {
    const Difference& one = c.differences[i];
    std::vector<std::string> row = {std::string(one.kind), absl::StrCat(CallsOf(one)), What(one)};
    if (c.timed) {
      const auto ns = static_cast<double>(one.change_ns);
      row.insert(
          row.begin() + 2,
          {SignedTime(ns), change == 0 ? "-" : absl::StrFormat("%.1f %%", 100 * ns / change)});
    }
    rows.push_back(std::move(row));
  }
  if (rows.size() > 1) text += output::TextTable(rows, {0, rows[0].size() - 1});
  if (c.differences.size() > most)
    absl::StrAppend(&text, "and ", c.differences.size() - most, " more: --top=N\n");
  processes::Print(text);
  return code;
}

}  // namespace assay::trace

#include "benchmarks/harness/profile/trace_check.h"

#include <cstddef>
#include <map>
#include <nlohmann/json.hpp>
#include <set>
#include <vector>

#include "absl/algorithm/container.h"
#include "absl/strings/str_cat.h"

namespace assay::profile {
namespace {

using Json = nlohmann::json;

// Times are printed with three digits after the microsecond, start and length each rounded.
constexpr double kRoundingUs = 0.003;

struct HostSpan {
  std::string name;
  double start_us = 0;
  double end_us = 0;
};

absl::Status Broken(size_t index, const Json& event, std::string_view what) {
  constexpr size_t kShown = 200;
  return absl::DataLossError(
      absl::StrCat("traceEvents[", index, "]: ", what, ": ", event.dump().substr(0, kShown)));
}

bool HasNumber(const Json& event, const char* key) {
  return event.contains(key) && event[key].is_number();
}

bool HasId(const Json& event, const char* key) {
  return event.contains(key) && (event[key].is_number() || event[key].is_string());
}

// Checks that an event has the fields of its kind.
absl::Status CheckEvent(size_t index, const Json& event) {
  if (!event.is_object()) return Broken(index, event, "no object");
  if (!event.contains("ph") || !event["ph"].is_string()) return Broken(index, event, "no ph");
  const bool metadata = event["ph"] == "M";
  if (!HasId(event, "pid")) return Broken(index, event, "no pid");
  if (!metadata && !HasId(event, "tid")) return Broken(index, event, "no tid");
  if (!metadata && !HasNumber(event, "ts")) return Broken(index, event, "no ts");
  const bool span = event["ph"] == "X";
  if (span && !(HasNumber(event, "dur") && event["dur"] >= 0))
    return Broken(index, event, "a span without dur");
  if ((span || metadata) && !(event.contains("name") && event["name"].is_string()))
    return Broken(index, event, "no name");
  return absl::OkStatus();
}

// Spans of operators and ranges: what is checked for containment. Kineto's own span around the
// whole recording stands on a thread of its own.
bool IsHostSpan(const Json& event) {
  if (event["ph"] != "X" || !event.contains("cat")) return false;
  return event["cat"] == "cpu_op" || event["cat"] == "user_annotation";
}

// Checks one thread. Removes from `empty` the ranges that contain something.
absl::Status CheckNesting(std::vector<HostSpan>& spans, std::set<std::string>& empty) {
  absl::c_sort(spans, [](const HostSpan& a, const HostSpan& b) {
    return a.start_us != b.start_us ? a.start_us < b.start_us : a.end_us > b.end_us;
  });
  std::vector<const HostSpan*> open;
  for (const HostSpan& span : spans) {
    while (!open.empty() && open.back()->end_us <= span.start_us + kRoundingUs) open.pop_back();
    if (!open.empty() && span.end_us > open.back()->end_us + kRoundingUs) {
      return absl::DataLossError(absl::StrCat("\"", span.name, "\" at ", span.start_us,
                                              " us ends after \"", open.back()->name,
                                              "\", in which it began"));
    }
    for (const HostSpan* outer : open) empty.erase(outer->name);
    open.push_back(&span);
  }
  return absl::OkStatus();
}

}  // namespace

absl::Status CheckTrace(std::string_view text, absl::Span<const std::string> ranges) {
  const Json trace = Json::parse(text, nullptr, /*allow_exceptions=*/false);
  if (trace.is_discarded()) return absl::DataLossError("the trace is no JSON, or is cut off");
  if (!trace.is_object() || !trace.contains("traceEvents") || !trace["traceEvents"].is_array())
    return absl::DataLossError("the trace has no array traceEvents");
  std::map<std::string, std::vector<HostSpan>> threads;
  std::set<std::string> missing(ranges.begin(), ranges.end());
  size_t index = 0;
  for (const Json& event : trace["traceEvents"]) {
    if (absl::Status checked = CheckEvent(index++, event); !checked.ok()) return checked;
    if (!IsHostSpan(event)) continue;
    const HostSpan span = {.name = event["name"],
                           .start_us = event["ts"],
                           .end_us = event["ts"].get<double>() + event["dur"].get<double>()};
    missing.erase(span.name);
    threads[absl::StrCat(event["pid"].dump(), "/", event["tid"].dump())].push_back(span);
  }
  if (!missing.empty())
    return absl::DataLossError(absl::StrCat("the trace has no range \"", *missing.begin(), "\""));
  std::set<std::string> empty(ranges.begin(), ranges.end());
  for (auto& [thread, spans] : threads) {
    if (absl::Status nested = CheckNesting(spans, empty); !nested.ok()) return nested;
  }
  if (!empty.empty())
    return absl::DataLossError(absl::StrCat("the range \"", *empty.begin(), "\" contains nothing"));
  return absl::OkStatus();
}

}  // namespace assay::profile

#include "benchmarks/traces/reader/trace_file.h"

#include <algorithm>
#include <iterator>
#include <limits>
#include <memory>
#include <string_view>
#include <utility>

#include "absl/strings/ascii.h"
#include "absl/strings/escaping.h"
#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "benchmarks/harness/text/untrusted_text.h"
#include "benchmarks/traces/reader/chakra_file.h"
#include "benchmarks/traces/reader/kineto_file.h"
#include "benchmarks/traces/reader/node_json.h"
#include "benchmarks/traces/reader/node_splitter.h"
#include "benchmarks/traces/reader/trace_source.h"
#include "nlohmann/json.hpp"

namespace assay::traces {
namespace {

constexpr std::string_view kSchemas[] = {"1.0.1",
                                         "1.0.2-chakra.0.0.4",
                                         "1.0.3-chakra.0.0.4",
                                         "1.0.4-chakra.0.0.4",
                                         "1.1.0-chakra.0.0.4",
                                         "1.1.1-chakra.0.0.4"};

absl::Status ReadHeader(const std::string& text, TraceReading& about) {
  const nlohmann::json header = nlohmann::json::parse(text, nullptr, /*allow_exceptions=*/false);
  if (header.is_discarded()) return absl::InvalidArgumentError("its header is no JSON");
  if (header.contains("traceEvents") && header["traceEvents"].is_array()) {
    about.format = TraceFormat::kKineto;
    return absl::OkStatus();
  }
  if (!header.contains("schema") || !header["schema"].is_string())
    return absl::InvalidArgumentError("it is no trace: it has neither a schema nor traceEvents");
  about.schema = header["schema"].get<std::string>();
  if (std::find(std::begin(kSchemas), std::end(kSchemas), about.schema) == std::end(kSchemas)) {
    return absl::InvalidArgumentError(absl::StrCat("its schema is ", base::Quoted(about.schema),
                                                   "; known are ", absl::StrJoin(kSchemas, ", ")));
  }
  const auto number = [&](const char* name) {
    return header.contains(name) && header[name].is_number_integer() ? header[name].get<int64_t>()
                                                                     : 0;
  };
  about.exact = header.contains("generators");
  if (about.exact && header["generators"].is_object()) {
    for (const auto& [device, state] : header["generators"].items()) {
      const std::string digits = state.is_string() ? state.get<std::string>() : "?";
      if (digits.size() % 2 != 0 ||
          digits.find_first_not_of("0123456789abcdef") != std::string::npos) {
        return absl::InvalidArgumentError(
            absl::StrCat("the state of generator ", base::Quoted(device), " is not in hex digits"));
      }
      about.generators[device] = absl::HexStringToBytes(digits);
    }
  }
  if (header.contains("time") && header["time"].is_string()) about.time = header["time"];
  about.pid = number("pid");
  about.start_ms = number("start_ts");
  about.finish_ms = number("finish_ts");
  return absl::OkStatus();
}

// Names the kind of a file that is no trace, by its first bytes.
std::string LooksLike(std::string_view bytes) {
  constexpr std::pair<std::string_view, std::string_view> kBeginnings[] = {
      {"PK\x03\x04", "a zip archive within another file (unpack one of them first)"},
      {"\x7f"
       "ELF",
       "a program"},
      {"\x89PNG", "a picture"},
      {"\x28\xb5\x2f\xfd", "zstd's compression (unpack it with zstd -d first)"},
      {"\xfd"
       "7zXZ",
       "xz's compression (unpack it with xz -d first)"},
      {"BZh", "bzip2's compression (unpack it with bzip2 -d first)"},
      {"\x80\x02", "a pickle of Python"},
      {"<", "HTML or XML, as of a download page"},
      {"[",
       "a JSON list, as trace viewers write it; put {\"traceEvents\": before it and } behind it"},
      {"version https://git-lfs", "a pointer of Git LFS, not the file itself (git lfs pull)"}};
  for (const auto& [beginning, name] : kBeginnings) {
    if (absl::StartsWith(bytes, beginning)) return absl::StrCat("it looks like ", name);
  }
  return bytes.empty() ? "it is empty: its writer may have been stopped"
                       : absl::StrCat("it begins with ", base::Quoted(bytes.substr(0, 16)));
}

absl::StatusOr<TraceReading> ReadJson(const TraceSource& source,
                                      const std::function<absl::Status(TraceNode node)>& take) {
  TraceReading about;
  const absl::StatusOr<SourceEnd> end =
      SplitSource(source, [&](std::string_view text, const std::string& head) -> absl::Status {
        if (about.nodes == 0) {
          const absl::Status read = ReadHeader(absl::StrCat(head, "]}"), about);
          if (!read.ok() || about.format == TraceFormat::kKineto)
            return read.ok() ? absl::CancelledError() : read;
        }
        absl::StatusOr<TraceNode> node = ParseNode(text);
        if (!node.ok()) {
          return absl::InvalidArgumentError(
              absl::StrCat("node number ", about.nodes + 1, ": ", node.status().message()));
        }
        ++about.nodes;
        return take(*std::move(node));
      });
  if (about.format == TraceFormat::kKineto) return ReadKineto(source, take);
  if (!end.ok()) return end.status();
  if (!end->torn.empty() && about.nodes == 0)
    return absl::InvalidArgumentError("it is no trace: it ends before a first node");
  about.torn = end->torn;
  const absl::Status read = about.torn.empty() ? ReadHeader(end->header, about) : absl::OkStatus();
  if (!read.ok()) return read;
  if (about.format == TraceFormat::kKineto) return ReadKineto(source, take);
  return about;
}

absl::StatusOr<TraceReading> ReadSource(const TraceSource& source,
                                        const std::function<absl::Status(TraceNode node)>& take) {
  absl::StatusOr<TracePieces> pieces = TracePieces::Open(source);
  if (!pieces.ok()) return pieces.status();
  const std::string first(pieces->Next().substr(0, size_t{1} << 16));
  if (first.empty() && !pieces->Damage().empty())
    return absl::InvalidArgumentError(absl::StrCat("the packed data: ", pieces->Damage()));
  const std::string_view text = absl::StripLeadingAsciiWhitespace(first);
  if (absl::StartsWith(text, "{")) return ReadJson(source, take);
  if (IsChakra(first)) return ReadChakra(source, take);
  return absl::InvalidArgumentError(absl::StrCat(
      "it is no trace: ", LooksLike(text),
      ". Traces are JSON of ExecutionTraceObserver or torch.profiler, or Chakra's .et"));
}

}  // namespace

absl::StatusOr<Trace> LoadTrace(const std::string& path, int64_t rank, bool values) {
  const absl::StatusOr<TraceSource> source = ChooseTrace(path, rank);
  if (!source.ok()) return source.status();
  Trace trace;
  absl::StatusOr<TraceReading> about = ReadSource(*source, [&](TraceNode node) {
    if (!values && node.recorded != nullptr) {
      node.recorded = std::make_shared<RecordedValues>(
          RecordedValues{.wrapped_numbers = node.recorded->wrapped_numbers});
    }
    trace.nodes.Add(std::move(node));
    return trace.nodes.size() < std::numeric_limits<uint32_t>::max()
               ? absl::OkStatus()
               : absl::InvalidArgumentError("it has more than 4 billion nodes");
  });
  if (about.ok()) {
    trace.about = *std::move(about);
    return trace;
  }
  if (absl::StartsWith(about.status().message(), source->path)) return about.status();
  // A stranger chose a member's name.
  const std::string name = source->member.empty() ? path : base::Printable(source->Name(), 300);
  return absl::Status(about.status().code(), absl::StrCat(name, ": ", about.status().message()));
}

}  // namespace assay::traces

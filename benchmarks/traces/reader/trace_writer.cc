#include "benchmarks/traces/reader/trace_writer.h"

#include <cstddef>

#include "absl/status/statusor.h"
#include "absl/strings/escaping.h"
#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "benchmarks/harness/tensor_files/atomic_file.h"
#include "benchmarks/harness/text/json_text.h"
#include "benchmarks/traces/reader/node_text.h"

namespace assay::traces {

absl::Status WriteTrace(const std::string& path, const Trace& trace) {
  if (!absl::EndsWith(path, ".json"))
    return absl::InvalidArgumentError(
        absl::StrCat("the execution trace ", path, ": its name must end with .json"));
  absl::StatusOr<tensor_files::AtomicFile> file = tensor_files::AtomicFile::Create(path);
  if (!file.ok()) return file.status();
  const TraceReading& about = trace.about;
  std::string text =
      absl::StrCat("{\"schema\":\"1.1.1-chakra.0.0.4\",\"pid\":", about.pid,
                   ",\"time\":", base::JsonText(about.time), ",\"start_ts\":", about.start_ms);
  // The name of this member says that numbers and lists are whole.
  if (about.exact) {
    std::string states;
    for (const auto& [device, state] : about.generators) {
      absl::StrAppend(&states, states.empty() ? "" : ",", base::JsonText(device), ":\"",
                      absl::BytesToHexString(state), "\"");
    }
    absl::StrAppend(&text, ",\"generators\":{", states, "}");
  }
  text += ",\"nodes\":[";
  constexpr size_t kBufferBytes = 1 << 20;
  for (size_t node = 0; node < trace.nodes.size(); ++node) {
    absl::StrAppend(&text, node == 0 ? "\n" : ",\n", JsonOfNode(trace.nodes[node]));
    if (text.size() < kBufferBytes) continue;
    file->Append(text);
    text.clear();
  }
  file->Append(absl::StrCat(text, "\n],\"finish_ts\":", about.finish_ms, "}\n"));
  return file->Commit();
}

}  // namespace assay::traces

#include "benchmarks/traces/reader/trace_writer.h"

#include <cstddef>

#include "absl/strings/escaping.h"
#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "benchmarks/harness/text/json_text.h"
#include "benchmarks/traces/reader/node_text.h"

namespace assay::traces {

absl::StatusOr<TraceWriter> TraceWriter::Create(const std::string& path,
                                                const TraceReading& about) {
  if (!absl::EndsWith(path, ".json"))
    return absl::InvalidArgumentError(
        absl::StrCat("the execution trace ", path, ": its name must end with .json"));
  absl::StatusOr<tensor_files::AtomicFile> file = tensor_files::AtomicFile::Create(path);
  if (!file.ok()) return file.status();
  std::string head =
      absl::StrCat("{\"schema\":\"1.1.1-chakra.0.0.4\",\"pid\":", about.pid,
                   ",\"time\":", base::JsonText(about.time), ",\"start_ts\":", about.start_ms);
  // The name of this member says that numbers and lists are whole.
  if (about.exact) {
    std::string states;
    for (const auto& [device, state] : about.generators) {
      absl::StrAppend(&states, states.empty() ? "" : ",", base::JsonText(device), ":\"",
                      absl::BytesToHexString(state), "\"");
    }
    absl::StrAppend(&head, ",\"generators\":{", states, "}");
  }
  return TraceWriter(*std::move(file), head + ",\"nodes\":[",
                     absl::StrCat("\n],\"finish_ts\":", about.finish_ms, "}\n"));
}

void TraceWriter::Add(const TraceNode& node) {
  constexpr size_t kBufferBytes = 1 << 20;
  absl::StrAppend(&text_, empty_ ? "\n" : ",\n", JsonOfNode(node));
  empty_ = false;
  if (text_.size() < kBufferBytes) return;
  file_.Append(text_);
  text_.clear();
}

absl::Status TraceWriter::Commit() {
  file_.Append(text_ + tail_);
  return file_.Commit();
}

absl::Status WriteTrace(const std::string& path, const Trace& trace) {
  absl::StatusOr<TraceWriter> writer = TraceWriter::Create(path, trace.about);
  if (!writer.ok()) return writer.status();
  for (const TraceNode& node : trace.nodes) writer->Add(node);
  return writer->Commit();
}

}  // namespace assay::traces

#include "benchmarks/traces/reader/trace_file.h"

#include <zlib.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <exception>
#include <memory>
#include <string_view>
#include <utility>

#include "absl/strings/escaping.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "benchmarks/harness/text/untrusted_text.h"
#include "benchmarks/traces/reader/node_json.h"
#include "benchmarks/traces/reader/node_splitter.h"
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
  if (!header.contains("schema") || !header["schema"].is_string()) {
    return absl::InvalidArgumentError(absl::StrCat(
        "it is no execution trace: it has no schema",
        header.contains("traceEvents") ? "; traceEvents are of Kineto, another format" : ""));
  }
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
      if (digits.size() % 2 != 0 || digits.find_first_not_of("0123456789abcdef") != digits.npos)
        return absl::InvalidArgumentError(
            absl::StrCat("the state of generator ", base::Quoted(device), " is not in hex digits"));
      about.generators[device] = absl::HexStringToBytes(digits);
    }
  }
  if (header.contains("time") && header["time"].is_string()) about.time = header["time"];
  about.pid = number("pid");
  about.start_ms = number("start_ts");
  about.finish_ms = number("finish_ts");
  return absl::OkStatus();
}

// The text of a file in pieces, unpacked where it is packed.
class PieceReader {
 public:
  explicit PieceReader(const std::string& path) : file_(gzopen(path.c_str(), "rb"), gzclose) {
    if (file_ != nullptr) gzbuffer(file_.get(), 1 << 18);
  }
  bool Opened() const { return file_ != nullptr; }

  // Empty at the end, and where the packed data is damaged.
  std::string_view Next() {
    const int got = gzread(file_.get(), buffer_.data(), static_cast<unsigned>(buffer_.size()));
    int code = Z_OK;
    const char* text = gzerror(file_.get(), &code);
    if (code != Z_OK && code != Z_STREAM_END) damage = text;
    return {buffer_.data(), static_cast<size_t>(std::max(got, 0))};
  }

  std::string damage = {};

 private:
  std::unique_ptr<gzFile_s, int (*)(gzFile_s*)> file_;
  std::vector<char> buffer_ = std::vector<char>(1 << 20);
};

}  // namespace

absl::StatusOr<TraceReading> ReadTrace(const std::string& path,
                                       const std::function<absl::Status(TraceNode node)>& take) {
  PieceReader pieces(path);
  if (!pieces.Opened()) return absl::NotFoundError(absl::StrCat(path, ": ", std::strerror(errno)));
  TraceReading about;
  NodeSplitter* header = nullptr;
  NodeSplitter splitter([&](std::string_view text) -> absl::Status {
    if (about.nodes == 0) {
      const absl::Status read = ReadHeader(absl::StrCat(header->Header(), "]}"), about);
      if (!read.ok()) return read;
    }
    absl::StatusOr<TraceNode> node = ParseNode(text);
    if (!node.ok()) {
      return absl::InvalidArgumentError(
          absl::StrCat("node number ", about.nodes + 1, ": ", node.status().message()));
    }
    ++about.nodes;
    return take(*std::move(node));
  });
  header = &splitter;
  absl::Status status;
  for (std::string_view piece = pieces.Next(); !piece.empty() && status.ok(); piece = pieces.Next())
    status = splitter.Feed(piece);
  if (status.ok() && splitter.Whole()) status = ReadHeader(splitter.Header(), about);
  if (status.ok() && about.nodes == 0 && !splitter.Whole())
    status = absl::InvalidArgumentError("it is no execution trace: it ends before a first node");
  if (!status.ok()) return absl::Status(status.code(), absl::StrCat(path, ": ", status.message()));
  if (!splitter.Whole()) {
    about.torn = absl::StrCat("the file ends within or behind node ", about.nodes,
                              pieces.damage.empty() ? "" : "; the packed data: ", pieces.damage,
                              "; nodes that were not written yet are missing");
  }
  return about;
}

absl::StatusOr<Trace> LoadTrace(const std::string& path) {
  Trace trace;
  absl::StatusOr<TraceReading> about = ReadTrace(path, [&](TraceNode node) {
    trace.nodes.push_back(std::move(node));
    return absl::OkStatus();
  });
  if (!about.ok()) return about.status();
  trace.about = *std::move(about);
  return trace;
}

}  // namespace assay::traces

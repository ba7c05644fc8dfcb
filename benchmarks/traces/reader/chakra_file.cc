#include "benchmarks/traces/reader/chakra_file.h"

#include <algorithm>
#include <cstdint>
#include <iterator>
#include <map>
#include <utility>

#include "absl/strings/ascii.h"
#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "benchmarks/harness/tensor_files/atomic_file.h"
#include "benchmarks/harness/text/json_text.h"
#include "benchmarks/traces/reader/chakra.pb.h"
#include "benchmarks/traces/reader/node_json.h"
#include "benchmarks/traces/reader/node_splitter.h"
#include "benchmarks/traces/reader/node_text.h"
#include "google/protobuf/io/coded_stream.h"
#include "google/protobuf/io/zero_copy_stream.h"
#include "google/protobuf/util/delimited_message_util.h"
#include "nlohmann/json.hpp"

namespace assay::traces {
namespace {

using Message = google::protobuf::MessageLite;

// "execution_graph" in place of "execution_trace" before schema 1.0.2.
bool IsProcess(std::string_view name) {
  return absl::StartsWith(name, "[pytorch|profiler|") && absl::EndsWith(name, "|process]");
}

bool IsThread(std::string_view name) {
  return absl::StartsWith(name, "[pytorch|profiler|") && absl::EndsWith(name, "|thread]");
}

// TracePieces as Protocol Buffers read them.
class PieceStream : public google::protobuf::io::ZeroCopyInputStream {
 public:
  explicit PieceStream(TracePieces& pieces) : pieces_(pieces) {}

  bool Next(const void** data, int* size) override {
    if (piece_.empty()) piece_ = pieces_.Next();
    ended_ = piece_.empty();
    *data = piece_.data();
    *size = static_cast<int>(piece_.size());
    bytes_ += *size;
    piece_end_ = piece_.data() + piece_.size();
    piece_ = {};
    return !ended_;
  }
  void BackUp(int count) override {
    piece_ = {piece_end_ - count, static_cast<size_t>(count)};
    bytes_ -= count;
  }
  bool Skip(int count) override {
    const void* data = nullptr;
    int size = 0;
    while (count > 0 && Next(&data, &size)) {
      if (size > count) BackUp(size - count);
      count -= std::min(size, count);
    }
    return count <= 0;
  }
  int64_t ByteCount() const override { return bytes_; }
  // Whether all was given out and more was wanted.
  bool Ended() const { return ended_; }

 private:
  TracePieces& pieces_;
  std::string_view piece_;
  const char* piece_end_ = nullptr;
  int64_t bytes_ = 0;
  bool ended_ = false;
};

// {"name", its type in an execution trace, its value as JSON}; no name for a kind that has none.
TraceAttribute AttributeOf(const chakra::Attribute& attribute) {
  const std::string& name = attribute.name();
  switch (attribute.value_case()) {
    case chakra::Attribute::kDoubleVal:
      return {name, "double", base::JsonNumber(attribute.double_val())};
    case chakra::Attribute::kFloatVal:
      return {name, "double", base::JsonNumber(attribute.float_val())};
    case chakra::Attribute::kInt32Val:
      return {name, "int64", absl::StrCat(attribute.int32_val())};
    case chakra::Attribute::kInt64Val:
      return {name, "int64", absl::StrCat(attribute.int64_val())};
    case chakra::Attribute::kUint32Val:
      return {name, "uint64", absl::StrCat(attribute.uint32_val())};
    case chakra::Attribute::kUint64Val:
      return {name, "uint64", absl::StrCat(attribute.uint64_val())};
    case chakra::Attribute::kBoolVal:
      return {name, "bool", attribute.bool_val() ? "true" : "false"};
    case chakra::Attribute::kStringVal:
      return {name, "string", base::JsonText(attribute.string_val())};
    case chakra::Attribute::kBytesVal:
    case chakra::Attribute::VALUE_NOT_SET:
      return {};
  }
  return {};
}

std::string TextOfAttribute(const chakra::Node& node, std::string_view name) {
  for (const chakra::Attribute& attribute : node.attr()) {
    if (attribute.name() == name) return attribute.string_val();
  }
  return "";
}

std::string SideOf(const chakra::Values& values, const std::string& strides) {
  const auto list = [](const std::string& text) {
    return text.empty() ? "[]" : JsonOfPython(text);
  };
  return absl::StrCat("{\"values\":", list(values.values()), ",\"shapes\":", list(values.shapes()),
                      ",\"types\":", list(values.types()),
                      strides.empty() ? "" : ",\"strides\":", strides, "}");
}

// As an execution trace has the node, so that one reader knows all values.
std::string JsonOfMessage(const chakra::Node& node) {
  std::string attributes;
  for (const chakra::Attribute& attribute : node.attr()) {
    const TraceAttribute made = AttributeOf(attribute);
    // Chakra's own, which says nothing of an operator of the host.
    const bool plain = made.name == "is_cpu_op" && made.json == "true";
    if (made.name.empty() || plain || made.name == "input_strides" || made.name == "output_strides")
      continue;
    absl::StrAppend(&attributes, attributes.empty() ? "" : ",",
                    "{\"name\":", base::JsonText(made.name), ",\"type\":\"", made.type,
                    "\",\"value\":", made.json, "}");
  }
  const uint64_t parent = node.ctrl_deps_size() > 0 ? node.ctrl_deps(0)
                          : IsProcess(node.name())  ? node.id()
                                                    : 0;
  return absl::StrCat(
      "{\"id\":", node.id(), ",\"name\":", base::JsonText(node.name()), ",\"ctrl_deps\":", parent,
      ",\"inputs\":", SideOf(node.inputs(), TextOfAttribute(node, "input_strides")),
      ",\"outputs\":", SideOf(node.outputs(), TextOfAttribute(node, "output_strides")),
      ",\"attrs\":[", attributes, "]}");
}

void ReadMetadata(const chakra::GlobalMetadata& metadata, TraceReading& about) {
  for (const chakra::Attribute& attribute : metadata.attr()) {
    const std::string& name = attribute.name();
    const auto whole = [&attribute] {
      return attribute.value_case() == chakra::Attribute::kUint64Val
                 ? static_cast<int64_t>(attribute.uint64_val())
                 : attribute.int64_val();
    };
    if (name == "schema") about.schema = attribute.string_val();
    if (name == "time") about.time = attribute.string_val();
    if (name == "pid") about.pid = whole();
    if (name == "start_ts") about.start_ms = whole();
    if (name == "finish_ts") about.finish_ms = whole();
    if (name == "exact") about.exact = attribute.bool_val();
    if (name.rfind("generator ", 0) == 0) about.generators[name.substr(10)] = attribute.bytes_val();
  }
}

// Fields of Protocol Buffers are UTF-8.
std::string Utf8(std::string_view text) {
  return nlohmann::json::parse(base::JsonText(text)).get<std::string>();
}

template <typename Owner>
chakra::Attribute& NewAttribute(std::string_view name, Owner& owner) {
  chakra::Attribute* const attribute = owner.add_attr();
  attribute->set_name(Utf8(name));
  return *attribute;
}

template <typename Owner>
void AddText(std::string_view name, std::string_view text, Owner& owner) {
  NewAttribute(name, owner).set_string_val(Utf8(text));
}

void AddMetadataWhole(std::string_view name, int64_t value, chakra::GlobalMetadata& metadata) {
  NewAttribute(name, metadata).set_uint64_val(static_cast<uint64_t>(value));
}

void SetSide(const std::vector<TraceValue>& values, const std::string& strides_name,
             chakra::Values& side, chakra::Node& message) {
  const ValuesText text = TextOf(values);
  side.set_values(text.values);
  side.set_shapes(text.shapes);
  side.set_types(text.types);
  AddText(strides_name, text.strides, message);
}

bool IsOfEveryNode(std::string_view name) {
  constexpr std::string_view kNames[] = {"rf_id", "fw_parent", "scope", "tid", "fw_tid"};
  return std::find(std::begin(kNames), std::end(kNames), name) != std::end(kNames);
}

// An attribute as node_text.h writes it.
void AddAttribute(const nlohmann::json& json, chakra::Node& node) {
  const std::string name = json["name"];
  const nlohmann::json& value = json["value"];
  if (value.is_string()) {
    AddText(name, value.get<std::string>(), node);
  } else if (value.is_boolean()) {
    NewAttribute(name, node).set_bool_val(value);
  } else if (value.is_number_float()) {
    NewAttribute(name, node).set_double_val(value);
  } else if (json["type"] == "uint64" && !IsOfEveryNode(name)) {
    NewAttribute(name, node).set_uint64_val(value);
  } else if (value.is_number_unsigned()) {
    // Chakra's converter writes signed numbers; an id that was never set becomes -1.
    NewAttribute(name, node).set_int64_val(static_cast<int64_t>(value.get<uint64_t>()));
  } else if (value.is_number_integer()) {
    NewAttribute(name, node).set_int64_val(value);
  }
}

chakra::Node MessageOf(const TraceNode& node, int64_t waits_for) {
  chakra::Node message;
  message.set_id(static_cast<uint64_t>(node.id));
  message.set_name(Utf8(node.name));
  const bool label = IsProcess(node.name) || IsThread(node.name);
  message.set_type(label                               ? chakra::METADATA_NODE
                   : node.name == "record_param_comms" ? chakra::COMM_COLL_NODE
                                                       : chakra::COMP_NODE);
  // A node that waits for itself would be a cycle.
  if (node.ctrl_deps != node.id && node.ctrl_deps > 0)
    message.add_ctrl_deps(static_cast<uint64_t>(node.ctrl_deps));
  if (waits_for > 0) message.add_data_deps(static_cast<uint64_t>(waits_for));
  if (node.start_ns > 0) message.set_start_time_micros(static_cast<uint64_t>(node.start_ns) / 1000);
  if (node.duration_ns > 0)
    message.set_duration_micros(static_cast<uint64_t>(node.duration_ns) / 1000);
  SetSide(node.inputs, "input_strides", *message.mutable_inputs(), message);
  SetSide(node.outputs, "output_strides", *message.mutable_outputs(), message);
  TraceNode bare = node;
  bare.inputs.clear();
  bare.outputs.clear();
  const nlohmann::json json = nlohmann::json::parse(JsonOfNode(bare));
  for (const nlohmann::json& attribute : json["attrs"]) AddAttribute(attribute, message);
  NewAttribute("is_cpu_op", message).set_bool_val(true);
  return message;
}

void AppendMessage(const Message& message, tensor_files::AtomicFile& file) {
  std::string bytes;
  google::protobuf::io::StringOutputStream stream(&bytes);
  google::protobuf::util::SerializeDelimitedToZeroCopyStream(message, &stream);
  file.Append(bytes);
}

// The text of a Python string that begins at text[i], as a JSON string; leaves i at its last quote.
std::string JsonOfPythonString(std::string_view text, size_t& i) {
  const char quote = text[i];
  std::string json = "\"";
  for (++i; i < text.size() && text[i] != quote; ++i) {
    const char next = i + 1 < text.size() ? text[i + 1] : '\0';
    if (text[i] == '"') {
      json += "\\\"";
    } else if (text[i] != '\\') {
      json += text[i];
    } else if (next == '\'') {
      json += text[++i];
    } else if (next == 'x') {
      json += "\\u00";
      ++i;
    } else {
      json += text[i];
      json += next;
      ++i;
    }
  }
  return json + "\"";
}

}  // namespace

std::string JsonOfPython(std::string_view text) {
  if (nlohmann::json::accept(text)) return std::string(text);
  static const auto& words = *new std::map<std::string_view, std::string_view>{
      {"True", "true"},   {"False", "false"}, {"None", "null"},
      {"nan", "\"nan\""}, {"inf", "\"inf\""}, {"-inf", "\"-inf\""}};
  std::string json;
  for (size_t i = 0; i < text.size(); ++i) {
    if (text[i] == '\'' || text[i] == '"') {
      json += JsonOfPythonString(text, i);
      continue;
    }
    if (text[i] == '(' || text[i] == ')') {
      json += text[i] == '(' ? '[' : ']';  // a tuple
      continue;
    }
    size_t end = i;
    while (end < text.size() &&
           (absl::ascii_isalpha(static_cast<unsigned char>(text[end])) || text[end] == '-'))
      ++end;
    const auto word = words.find(text.substr(i, end - i));
    if (word == words.end()) {
      json += text[i];
    } else {
      json += word->second;
      i = end - 1;
    }
  }
  return json;
}

bool IsChakra(std::string_view beginning) {
  google::protobuf::io::CodedInputStream stream(reinterpret_cast<const uint8_t*>(beginning.data()),
                                                static_cast<int>(beginning.size()));
  uint32_t length = 0;
  if (!stream.ReadVarint32(&length) || length == 0) return false;
  const size_t head = static_cast<size_t>(stream.CurrentPosition());
  // Field 1 or 2, with a length of its own.
  if (head >= beginning.size() || (beginning[head] != '\x0a' && beginning[head] != '\x12'))
    return false;
  chakra::GlobalMetadata metadata;
  return length > beginning.size() - head ||
         metadata.ParseFromArray(beginning.data() + head, static_cast<int>(length));
}

absl::StatusOr<TraceReading> ReadChakra(const TraceSource& source,
                                        const std::function<absl::Status(TraceNode node)>& take) {
  absl::StatusOr<TracePieces> pieces = TracePieces::Open(source);
  if (!pieces.ok()) return pieces.status();
  PieceStream stream(*pieces);
  TraceReading about = {.format = TraceFormat::kChakra};
  chakra::GlobalMetadata metadata;
  chakra::Node message;
  bool end = false,
       read = google::protobuf::util::ParseDelimitedFromZeroCopyStream(&metadata, &stream, &end);
  if (!read) return absl::InvalidArgumentError("its metadata is no message of Chakra");
  ReadMetadata(metadata, about);
  while (
      (read = google::protobuf::util::ParseDelimitedFromZeroCopyStream(&message, &stream, &end))) {
    absl::StatusOr<TraceNode> node = ParseNode(JsonOfMessage(message));
    if (!node.ok()) {
      return absl::InvalidArgumentError(
          absl::StrCat("node number ", about.nodes + 1, ": ", node.status().message()));
    }
    // Files of other programs have whole microseconds only.
    if (node->duration_ns < 0 &&
        (message.start_time_micros() > 0 || message.duration_micros() > 0)) {
      node->start_ns =
          static_cast<int64_t>(message.start_time_micros() % (uint64_t{1} << 53)) * 1000;
      node->duration_ns =
          static_cast<int64_t>(message.duration_micros() % (uint64_t{1} << 53)) * 1000;
    }
    ++about.nodes;
    if (absl::Status taken = take(*std::move(node)); !taken.ok()) return taken;
    message.Clear();
  }
  if (!end && !stream.Ended()) {
    return absl::InvalidArgumentError(
        absl::StrCat("node number ", about.nodes + 1, " is no message of Chakra"));
  }
  if (!end || !pieces->Damage().empty()) about.torn = TornText(about.nodes, pieces->Damage());
  return about;
}

absl::Status WriteChakra(const std::string& path, const TraceReading& about,
                         const NodeList& nodes) {
  absl::StatusOr<tensor_files::AtomicFile> file = tensor_files::AtomicFile::Create(path);
  if (!file.ok()) return file.status();
  chakra::GlobalMetadata metadata;
  metadata.set_version("0.0.4");
  AddText("schema", about.schema, metadata);
  AddMetadataWhole("pid", about.pid, metadata);
  AddText("time", about.time, metadata);
  AddMetadataWhole("start_ts", about.start_ms, metadata);
  AddMetadataWhole("finish_ts", about.finish_ms, metadata);
  if (about.exact) NewAttribute("exact", metadata).set_bool_val(true);
  for (const auto& [device, state] : about.generators)
    NewAttribute(absl::StrCat("generator ", device), metadata).set_bytes_val(state);
  AppendMessage(metadata, *file);
  std::vector<std::pair<int64_t, size_t>> sorted;  // by id
  for (size_t node = 0; node < nodes.size(); ++node)
    sorted.emplace_back(nodes.IdsOf(node).id, node);
  std::sort(sorted.begin(), sorted.end());
  std::map<int64_t, int64_t> last;  // the node before, by thread
  for (const auto& [id, place] : sorted) {
    if (id <= 0)
      return absl::InvalidArgumentError(absl::StrCat("node ", id, " has no positive id"));
    const TraceNode node = nodes[place];
    const bool process = IsProcess(node.name);
    AppendMessage(MessageOf(node, process ? 0 : last[node.tid]), *file);
    if (!process) last[node.tid] = id;
  }
  return file->Commit();
}

}  // namespace assay::traces

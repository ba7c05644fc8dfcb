#include "benchmarks/traces/reader/node_list.h"

#include <cstring>
#include <iterator>
#include <map>
#include <string_view>
#include <utility>

namespace assay::traces {
namespace {

void PutUnsigned(uint64_t number, std::string& bytes) {
  for (; number >= 0x80; number >>= 7) bytes += static_cast<char>(number | 0x80);
  bytes += static_cast<char>(number);
}

// Small numbers of either sign take few bytes.
void PutSigned(int64_t number, std::string& bytes) {
  PutUnsigned((static_cast<uint64_t>(number) << 1) ^ static_cast<uint64_t>(number >> 63), bytes);
}

// Without overflow, as a stranger chose the numbers.
int64_t Minus(int64_t a, int64_t b) {
  return static_cast<int64_t>(static_cast<uint64_t>(a) - static_cast<uint64_t>(b));
}

void PutText(std::string_view text, std::string& bytes) {
  PutUnsigned(text.size(), bytes);
  bytes += text;
}

void PutDouble(double number, std::string& bytes) {
  bytes.append(reinterpret_cast<const char*>(&number), sizeof number);
}

class ByteReader {
 public:
  explicit ByteReader(const char* at) : at_(at) {}

  uint64_t Unsigned() {
    uint64_t number = 0;
    int shift = 0;
    for (; (*at_ & '\x80') != 0; shift += 7) number |= uint64_t(*at_++ & '\x7f') << shift;
    return number | uint64_t(*at_++) << shift;
  }
  int64_t Signed() {
    const uint64_t number = Unsigned();
    return static_cast<int64_t>((number >> 1) ^ (~(number & 1) + 1));
  }
  std::string Text() {
    const size_t size = Unsigned();
    return std::string(std::exchange(at_, at_ + size), size);
  }
  double Double() {
    double number = 0;
    std::memcpy(&number, std::exchange(at_, at_ + sizeof number), sizeof number);
    return number;
  }

 private:
  const char* at_;
};

// Calls `take` with each tensor of the values, to be changed.
template <typename Take>
void ForEachChangeable(std::vector<TraceValue>& values, Take&& take) {
  for (TraceValue& value : values) {
    if (value.kind == TraceValue::Kind::kTensor) take(value.tensor);
    ForEachChangeable(value.items, take);
  }
}

constexpr int64_t TraceNode::*kOwnNumbers[] = {&TraceNode::start_ns, &TraceNode::duration_ns,
                                               &TraceNode::rf_id, &TraceNode::fw_parent,
                                               &TraceNode::seq_id};

void PutRecorded(const RecordedValues& recorded, std::string& bytes) {
  for (const auto* texts : {&recorded.snapshots, &recorded.generator_states}) {
    PutUnsigned(texts->size(), bytes);
    for (const auto& [place, text] : *texts) {
      PutUnsigned(place, bytes);
      PutText(text, bytes);
    }
  }
  PutUnsigned(recorded.output_digests.size(), bytes);
  for (const std::string& digest : recorded.output_digests) PutText(digest, bytes);
  PutUnsigned(recorded.output_samples.size(), bytes);
  for (const auto& output : recorded.output_samples) {
    PutUnsigned(output.size(), bytes);
    for (const auto& [place, number] : output) {
      PutSigned(place, bytes);
      PutDouble(number, bytes);
    }
  }
}

void ReadRecorded(ByteReader& reader, RecordedValues& recorded) {
  for (auto* texts : {&recorded.snapshots, &recorded.generator_states}) {
    for (uint64_t left = reader.Unsigned(); left > 0; --left) {
      const size_t place = reader.Unsigned();
      texts->emplace(place, reader.Text());
    }
  }
  for (uint64_t left = reader.Unsigned(); left > 0; --left)
    recorded.output_digests.push_back(reader.Text());
  for (uint64_t outputs = reader.Unsigned(); outputs > 0; --outputs) {
    auto& samples = recorded.output_samples.emplace_back();
    for (uint64_t left = reader.Unsigned(); left > 0; --left) {
      const int64_t place = reader.Signed();
      samples.emplace_back(place, reader.Double());
    }
  }
}

void PutValues(const std::vector<TraceValue>& values, std::string& bytes) {
  PutUnsigned(values.size(), bytes);
  for (const TraceValue& value : values) {
    PutUnsigned(static_cast<uint64_t>(value.kind), bytes);
    PutText(value.type, bytes);
    PutSigned(value.integer, bytes);
    PutDouble(value.number, bytes);
    PutText(value.text, bytes);
    const TraceTensor& tensor = value.tensor;
    for (const int64_t number : {tensor.id, tensor.storage, tensor.offset, tensor.elements,
                                 tensor.element_size, int64_t{tensor.has_strides}})
      PutSigned(number, bytes);
    PutText(tensor.device, bytes);
    PutText(tensor.dtype, bytes);
    for (const auto* numbers : {&tensor.sizes, &tensor.strides}) {
      PutUnsigned(numbers->size(), bytes);
      for (const int64_t number : *numbers) PutSigned(number, bytes);
    }
    PutValues(value.items, bytes);
  }
}

// All that the call is: equal calls, to the bit of their numbers, have equal keys.
std::string KeyOf(const TraceNode& call) {
  std::string key;
  for (const std::string* text :
       {&call.name, &call.op_schema, &call.kernel_backend, &call.kernel_file, &call.tensor_range})
    PutText(*text, key);
  for (const int64_t number :
       {call.scope, call.tid, call.fw_tid, int64_t{call.threw}, int64_t{call.recorded != nullptr}})
    PutSigned(number, key);
  PutValues(call.inputs, key);
  PutValues(call.outputs, key);
  PutUnsigned(call.other_attributes.size(), key);
  for (const TraceAttribute& other : call.other_attributes) {
    for (const std::string* text : {&other.name, &other.type, &other.json}) PutText(*text, key);
  }
  if (call.recorded == nullptr) return key;
  for (const auto& [place, number] : call.recorded->wrapped_numbers) {
    PutUnsigned(place, key);
    PutDouble(number, key);
  }
  return key;
}

void TakeTensors(const std::vector<TraceValue>& values, int64_t id, ByteReader& reader,
                 NodeList::TakeTensor take) {
  ForEachTensor(values, [&](const TraceTensor& like) {
    const int64_t tensor = Minus(id, reader.Signed());
    take(like, tensor, Minus(tensor, reader.Signed()));
  });
}

// Passes over the number of the call.
ByteReader Behind(const char* bytes) {
  ByteReader reader(bytes);
  reader.Unsigned();
  return reader;
}

}  // namespace

void NodeList::Add(TraceNode node) {
  std::string own;
  const int64_t id = std::exchange(node.id, 0);
  PutSigned(id, own);
  PutSigned(Minus(id, std::exchange(node.ctrl_deps, 0)), own);
  for (int64_t TraceNode::*number : kOwnNumbers) PutSigned(std::exchange(node.*number, 0), own);
  for (std::vector<TraceValue>* values : {&node.inputs, &node.outputs}) {
    ForEachChangeable(*values, [&](TraceTensor& tensor) {
      PutSigned(Minus(id, tensor.id), own);
      PutSigned(Minus(tensor.id, tensor.storage), own);
      tensor.id = tensor.storage = 0;
    });
  }
  if (node.recorded != nullptr) {
    PutRecorded(*node.recorded, own);
    node.recorded = std::make_shared<RecordedValues>(
        RecordedValues{.wrapped_numbers = node.recorded->wrapped_numbers});
  }
  const auto [number, added] = numbers_.try_emplace(KeyOf(node), calls_.size());
  starts_.push_back(bytes_.size());
  PutUnsigned(number->second, bytes_);
  bytes_ += own;
  if (added) calls_.push_back(std::make_shared<const TraceNode>(std::move(node)));
}

size_t NodeList::CallNumber(size_t node) const {
  return ByteReader(bytes_.data() + starts_[node]).Unsigned();
}

NodeList::Ids NodeList::IdsOf(size_t node) const {
  ByteReader reader = Behind(bytes_.data() + starts_[node]);
  const int64_t id = reader.Signed();
  return {.id = id, .ctrl_deps = Minus(id, reader.Signed())};
}

NodeList::Times NodeList::TimesOf(size_t node) const {
  ByteReader reader = Behind(bytes_.data() + starts_[node]);
  for (int skipped = 0; skipped < 2; ++skipped) reader.Signed();
  const int64_t start = reader.Signed();
  return {.start_ns = start, .duration_ns = reader.Signed()};
}

TraceNode NodeList::operator[](size_t node) const {
  TraceNode made = CallOf(node);
  ByteReader reader = Behind(bytes_.data() + starts_[node]);
  made.id = reader.Signed();
  made.ctrl_deps = Minus(made.id, reader.Signed());
  for (int64_t TraceNode::*number : kOwnNumbers) made.*number = reader.Signed();
  for (std::vector<TraceValue>* values : {&made.inputs, &made.outputs}) {
    ForEachChangeable(*values, [&](TraceTensor& tensor) {
      tensor.id = Minus(made.id, reader.Signed());
      tensor.storage = Minus(tensor.id, reader.Signed());
    });
  }
  if (made.recorded == nullptr) return made;
  auto recorded = std::make_shared<RecordedValues>(*made.recorded);
  ReadRecorded(reader, *recorded);
  made.recorded = std::move(recorded);
  return made;
}

void NodeList::ForEachInput(size_t node, TakeTensor take) const {
  ByteReader reader = Behind(bytes_.data() + starts_[node]);
  const int64_t id = reader.Signed();
  for (size_t skipped = 0; skipped < 1 + std::size(kOwnNumbers); ++skipped) reader.Signed();
  TakeTensors(CallOf(node).inputs, id, reader, take);
}

void NodeList::ForEachOutput(size_t node, TakeTensor take) const {
  ByteReader reader = Behind(bytes_.data() + starts_[node]);
  const int64_t id = reader.Signed();
  for (size_t skipped = 0; skipped < 1 + std::size(kOwnNumbers); ++skipped) reader.Signed();
  const TraceNode& call = CallOf(node);
  TakeTensors(call.inputs, id, reader, [](const TraceTensor&, int64_t, int64_t) {});
  TakeTensors(call.outputs, id, reader, take);
}

void NodeList::Keep(const std::vector<bool>& kept) {
  starts_.push_back(bytes_.size());
  size_t nodes = 0, end = 0;
  for (size_t node = 0; node < kept.size(); ++node) {
    if (!kept[node]) continue;
    const size_t begin = starts_[node], size = starts_[node + 1] - begin;
    std::memmove(bytes_.data() + end, bytes_.data() + begin, size);
    starts_[nodes++] = end;
    end += size;
  }
  starts_.resize(nodes);
  bytes_.resize(end);
}

void NodeList::Change(absl::FunctionRef<void(TraceNode& node)> change) {
  NodeList made;
  for (TraceNode node : *this) {
    change(node);
    made.Add(std::move(node));
  }
  *this = std::move(made);
}

void NodeList::ChangeCalls(absl::FunctionRef<void(TraceNode& call, int64_t nodes)> change) {
  std::vector<int64_t> counts(calls_.size());
  for (size_t node = 0; node < size(); ++node) ++counts[CallNumber(node)];
  for (size_t number = 0; number < calls_.size(); ++number) {
    TraceNode call = *calls_[number];
    change(call, counts[number]);
    calls_[number] = std::make_shared<const TraceNode>(std::move(call));
  }
  numbers_.clear();  // keys of calls as they were
}

}  // namespace assay::traces

#include "benchmarks/traces/reader/kineto_event.h"

#include <rapidjson/document.h>
#include <rapidjson/error/en.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>
#include <exception>
#include <iterator>
#include <limits>
#include <stdexcept>
#include <utility>
#include <vector>

#include "absl/strings/match.h"
#include "absl/strings/numbers.h"
#include "absl/strings/str_cat.h"
#include "benchmarks/harness/text/untrusted_text.h"

namespace assay::traces {
namespace {

using EventJson = rapidjson::Value;

constexpr std::pair<std::string_view, int64_t> kElementSizes[] = {{"float", 4},
                                                                  {"double", 8},
                                                                  {"c10::Half", 2},
                                                                  {"c10::BFloat16", 2},
                                                                  {"long int", 8},
                                                                  {"long", 8},
                                                                  {"int", 4},
                                                                  {"short int", 2},
                                                                  {"short", 2},
                                                                  {"signed char", 1},
                                                                  {"unsigned char", 1},
                                                                  {"bool", 1},
                                                                  {"c10::complex<float>", 8},
                                                                  {"c10::complex<double>", 16},
                                                                  {"c10::Float8_e4m3fn", 1},
                                                                  {"c10::Float8_e5m2", 1}};

// All numbers are texts, so that no digit of a time is lost (kParseNumbersAsStringsFlag).
std::string_view Text(const EventJson& object, const char* name) {
  const auto found = object.FindMember(name);
  if (found == object.MemberEnd() || !found->value.IsString()) return "";
  return {found->value.GetString(), found->value.GetStringLength()};
}

int64_t Whole(const EventJson& object, const char* name, int64_t absent) {
  const std::string_view text = Text(object, name);
  int64_t whole = 0;
  if (text.empty()) return absent;
  if (absl::SimpleAtoi(text, &whole)) return whole;
  // An id that was never set is 2^64 - 1.
  uint64_t large = 0;
  if (absl::SimpleAtoi(text, &large)) return static_cast<int64_t>(large);
  throw std::invalid_argument(
      absl::StrCat(base::Quoted(name), " is ", base::Quoted(text), ", no whole number"));
}

// Microseconds with decimals into nanoseconds. A double would lose digits of times since 1970.
int64_t Nanoseconds(const EventJson& object, const char* name) {
  const std::string_view text = Text(object, name);
  const size_t point = text.find('.');
  int64_t whole = 0;
  double number = 0;
  constexpr int64_t kMost = std::numeric_limits<int64_t>::max() / 2000;
  if (absl::SimpleAtoi(text.substr(0, point), &whole) && whole >= 0 && whole < kMost) {
    int64_t nanoseconds = 0;
    const std::string_view decimals = point == std::string_view::npos ? "" : text.substr(point + 1);
    const bool digits =
        std::all_of(decimals.begin(), decimals.end(), [](char c) { return c >= '0' && c <= '9'; });
    for (size_t i = 0; i < 3; ++i)
      nanoseconds = 10 * nanoseconds + (i < decimals.size() ? decimals[i] - '0' : 0);
    if (digits) return 1000 * whole + nanoseconds;
  }
  if (absl::SimpleAtod(text, &number) && number >= 0 && number < static_cast<double>(kMost))
    return std::llround(number * 1000);
  throw std::invalid_argument(
      absl::StrCat(base::Quoted(name), " is ", base::Quoted(text), ", no time in microseconds"));
}

const EventJson& ItemOf(const EventJson* list, rapidjson::SizeType i) {
  static const auto& none = *new EventJson(rapidjson::kArrayType);
  return list != nullptr && list->IsArray() && i < list->Size() ? (*list)[i] : none;
}

std::string_view TextIn(const EventJson* list, rapidjson::SizeType i) {
  const EventJson& item = ItemOf(list, i);
  return item.IsString() ? std::string_view(item.GetString(), item.GetStringLength()) : "";
}

bool Wholes(const EventJson& list, std::vector<int64_t>& wholes) {
  if (!list.IsArray()) return false;
  wholes.reserve(list.Size());
  for (rapidjson::SizeType i = 0; i < list.Size(); ++i) {
    int64_t whole = 0;
    if (!absl::SimpleAtoi(TextIn(&list, i), &whole)) return false;
    wholes.push_back(whole);
  }
  return true;
}

TraceValue TensorValue(const EventJson& dims, const EventJson& strides, std::string_view dtype) {
  static thread_local int64_t tensors = 0;
  --tensors;
  TraceValue value = {.kind = TraceValue::Kind::kTensor,
                      .type = absl::StrCat("Tensor(", dtype, ")"),
                      .tensor = {.id = tensors,
                                 .storage = tensors,
                                 .elements = 1,
                                 .element_size = ElementSizeOf(dtype),
                                 .device = "?",  // the profiler does not say
                                 .dtype = std::string(dtype)}};
  TraceTensor& tensor = value.tensor;
  if (!Wholes(dims, tensor.sizes)) throw std::invalid_argument("\"Input Dims\" has no sizes");
  for (const int64_t size : tensor.sizes) {
    if (size < 0 || __builtin_mul_overflow(tensor.elements, size, &tensor.elements))
      throw std::invalid_argument(absl::StrCat("\"Input Dims\" has a tensor of the size ", size));
  }
  if (strides.IsArray() && strides.Size() == tensor.sizes.size())
    tensor.has_strides = Wholes(strides, tensor.strides);
  if (!tensor.has_strides) tensor.strides.clear();
  return value;
}

std::vector<TraceValue> Arguments(const EventJson& args) {
  const auto list = [&](const char* name) -> const EventJson* {
    const auto found = args.FindMember(name);
    return found == args.MemberEnd() || !found->value.IsArray() ? nullptr : &found->value;
  };
  const EventJson* const types = list("Input type");
  const EventJson* const dims = list("Input Dims");
  const EventJson* const strides = list("Input Strides");
  const EventJson* const concrete = list("Concrete Inputs");
  std::vector<TraceValue> values;
  if (types == nullptr) return values;
  for (rapidjson::SizeType i = 0; i < types->Size(); ++i) {
    const std::string_view type = TextIn(types, i);
    const EventJson& sizes = ItemOf(dims, i);
    if (type == "TensorList" && sizes.IsArray() && !sizes.Empty()) {
      TraceValue items = {.kind = TraceValue::Kind::kList};
      for (rapidjson::SizeType j = 0; j < sizes.Size(); ++j) {
        items.items.push_back(TensorValue(sizes[j], ItemOf(&ItemOf(strides, i), j), ""));
        absl::StrAppend(&items.type, j == 0 ? "GenericList[" : ",", items.items.back().type);
      }
      items.type += "]";
      values.push_back(std::move(items));
    } else if (ElementSizeOf(type) > 0 || absl::StartsWith(type, "c10::")) {
      values.push_back(TensorValue(sizes, ItemOf(strides, i), type));
    } else {
      values.push_back({.kind = TraceValue::Kind::kLost,
                        .type = std::string(type),
                        .text = std::string(TextIn(concrete, i))});
    }
  }
  return values;
}

bool IsMemory(std::string_view category) {
  return category == "gpu_memcpy" || category == "gpu_memset" || category == "Memcpy" ||
         category == "Memset";
}

KinetoEvent::Kind KindOf(std::string_view category, std::string_view name) {
  using Kind = KinetoEvent::Kind;
  // Names with a capital are those of PyTorch before 1.13.
  if (category == "cpu_op" || category == "user_annotation" || category == "Operator")
    return Kind::kNode;
  if (category == "python_function" && absl::StartsWith(name, "nn.Module: ")) return Kind::kNode;
  if (category == "cuda_runtime" || category == "cuda_driver" || category == "Runtime")
    return Kind::kLaunch;
  if (category == "kernel" || category == "Kernel" || IsMemory(category)) return Kind::kKernel;
  return Kind::kOther;
}

void ReadEvent(const EventJson& json, bool with_values, KinetoEvent& event) {
  if (!json.IsObject()) throw std::invalid_argument("it is no object");
  if (Text(json, "ph") != "X") return;
  event.node.name = Text(json, "name");
  event.kind = KindOf(Text(json, "cat"), event.node.name);
  if (event.kind == KinetoEvent::Kind::kOther) return;
  if (const std::string_view length = Text(json, "dur"); length.empty() || length[0] == '-') {
    event.kind = KinetoEvent::Kind::kNoLength;
    event.node.start_ns = event.node.duration_ns = 0;
    return;
  }
  event.memory = IsMemory(Text(json, "cat"));
  event.node.start_ns = Nanoseconds(json, "ts");
  event.node.duration_ns = Nanoseconds(json, "dur");
  event.thread = absl::StrCat(Text(json, "pid"), "/", Text(json, "tid"));
  if (!absl::SimpleAtoi(Text(json, "tid"), &event.node.tid)) event.node.tid = 0;
  const auto args = json.FindMember("args");
  if (args == json.MemberEnd() || !args->value.IsObject()) return;
  event.node.rf_id = Whole(args->value, "Record function id", 0);
  event.node.seq_id = Whole(args->value, "Sequence number", -1);
  event.node.fw_tid = Whole(args->value, "Fwd thread id", 0);
  event.external_id = Whole(args->value, "External id", 0);
  event.correlation = Whole(args->value, "correlation", 0);
  event.device = Whole(args->value, "device", -1);
  event.stream = Whole(args->value, "stream", -1);
  if (with_values && event.kind == KinetoEvent::Kind::kNode)
    event.node.inputs = Arguments(args->value);
}

}  // namespace

int64_t ElementSizeOf(std::string_view dtype) {
  for (const auto& [name, size] : kElementSizes) {
    if (name == dtype) return size;
  }
  return 0;
}

absl::StatusOr<KinetoEvent> ParseEvent(std::string_view text, bool with_values) {
  alignas(std::max_align_t) thread_local std::array<char, size_t{1} << 16> buffer;
  rapidjson::MemoryPoolAllocator<> pool(buffer.data(), buffer.size());
  rapidjson::Document document(&pool);
  document.Parse<rapidjson::kParseIterativeFlag | rapidjson::kParseNumbersAsStringsFlag>(
      text.data(), text.size());
  if (document.HasParseError()) {
    return absl::InvalidArgumentError(
        absl::StrCat("no JSON at byte ", document.GetErrorOffset(), ": ",
                     rapidjson::GetParseError_En(document.GetParseError())));
  }
  KinetoEvent event;
  try {
    ReadEvent(document, with_values, event);
  } catch (const std::exception& error) {
    return absl::InvalidArgumentError(
        absl::StrCat("event ", base::Quoted(event.node.name), ": ", error.what()));
  }
  return event;
}

}  // namespace assay::traces

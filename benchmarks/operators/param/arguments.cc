#include "benchmarks/operators/param/arguments.h"

#include <algorithm>
#include <initializer_list>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "absl/status/status.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "benchmarks/harness/text/untrusted_text.h"
#include "benchmarks/operators/param/error_class.h"

namespace assay::param {
namespace {

using Place = const std::string&;  // a JSON pointer

absl::Status Wrong(std::string_view place, std::string_view what) {
  constexpr size_t kLongest = 400;
  return Classed("INVALID_CONFIG", absl::InvalidArgumentError(
                                       base::Printable(absl::StrCat(place, ": ", what), kLongest)));
}

// Shows a value from the file in a message.
std::string Shown(const Json& value) {
  constexpr size_t kLongest = 80;
  return base::Printable(value.dump(-1, ' ', false, Json::error_handler_t::replace), kLongest);
}

const Json* Member(const Json& object, const char* name) {
  const auto found = object.find(name);
  return found == object.end() ? nullptr : &*found;
}

// Refuses a key that is neither a word for readers nor one of `known`: a misspelled key would
// leave its value out.
absl::Status CheckKeys(const Json& object, std::initializer_list<const char*> known, Place place) {
  const std::vector<std::string> keys(known.begin(), known.end());
  for (const auto& [key, value] : object.items()) {
    if (IsComment(key) || std::find(keys.begin(), keys.end(), key) != keys.end()) continue;
    const bool macro = key == "__range__" || key == "__list__" || key == "__copy__";
    return Wrong(absl::StrCat(place, "/", key),
                 macro ? "wants \"input_iterator\": \"RangeConfigIterator\" (build_iterator for a "
                         "build)"
                       : UnknownKey(key, keys));
  }
  return absl::OkStatus();
}

absl::StatusOr<Argument> NumberOf(const Json& value, Place place) {
  if (value.is_number_unsigned() && value.get<uint64_t>() > uint64_t{INT64_MAX})
    return Wrong(place, absl::StrCat("too large: ", Shown(value)));
  if (value.is_number_integer()) return Argument{value.get<int64_t>()};
  if (value.is_number_float()) return Argument{value.get<double>()};
  if (value.is_boolean()) return Argument{value.get<bool>()};
  return Wrong(place, absl::StrCat("want a number, given is ", Shown(value)));
}

absl::StatusOr<Argument> ReadArgument(const Json& json, Place place);

absl::StatusOr<Argument> ReadRange(const Json& range, bool whole, Place place) {
  const bool two = range.is_array() && range.size() == 2 && range[0].is_number() &&
                   range[1].is_number() &&
                   (!whole || (range[0].is_number_integer() && range[1].is_number_integer()));
  if (!two) {
    return Wrong(place, absl::StrCat("want [low, high], two ", whole ? "integers" : "numbers",
                                     ", given is ", Shown(range)));
  }
  if (range[0].get<double>() > range[1].get<double>())
    return Wrong(place, absl::StrCat("low is above high: ", Shown(range)));
  if (whole) return Argument{Drawn<int64_t>{range[0].get<int64_t>(), range[1].get<int64_t>()}};
  return Argument{Drawn<double>{range[0].get<double>(), range[1].get<double>()}};
}

absl::StatusOr<Argument> ReadList(const Json& items, bool is_tuple, Place place) {
  if (!items.is_array())
    return Wrong(place, absl::StrCat("want a list of arguments, given is ", Shown(items)));
  ListArgument list = {.items = {}, .is_tuple = is_tuple};
  for (size_t i = 0; i < items.size(); ++i) {
    absl::StatusOr<Argument> item = ReadArgument(items[i], absl::StrCat(place, "/", i));
    if (!item.ok()) return item;
    list.items.push_back(*std::move(item));
  }
  return Argument{std::move(list)};
}

template <bool kWhole>
absl::StatusOr<Argument> ReadNumber(const Json& json, Place place) {
  const Json* const value = Member(json, "value");
  if (value == nullptr) {
    const Json* const range = Member(json, "value_range");
    if (range == nullptr) return Wrong(place, "has neither \"value\" nor \"value_range\"");
    return ReadRange(*range, kWhole, place + "/value_range");
  }
  // One number for each table of an embedding.
  if (value->is_array()) return ReadList(*value, false, place + "/value");
  return NumberOf(*value, place + "/value");
}

absl::StatusOr<Argument> ReadBoolean(const Json& json, Place place) {
  const Json* const value = Member(json, "value");
  if (value != nullptr && value->is_boolean()) return Argument{value->get<bool>()};
  return Wrong(place + "/value", "want true or false");
}

absl::StatusOr<Argument> ReadText(const Json& json, Place place) {
  const Json* const value = Member(json, "value");
  if (value == nullptr) return Argument{std::string()};
  if (value->is_string()) return Argument{value->get<std::string>()};
  return Wrong(place + "/value", absl::StrCat("want a text, given is ", Shown(*value)));
}

absl::StatusOr<Argument> ReadDevice(const Json& json, Place place) {
  const Json* const value = Member(json, "value");
  if (value != nullptr && value->is_string()) return Argument{Device{value->get<std::string>()}};
  return Wrong(place + "/value", "want a device, such as \"cpu\"");
}

absl::StatusOr<Argument> ReadNone(const Json&, Place) { return Argument{}; }

template <bool kTuple>
absl::StatusOr<Argument> ReadListArgument(const Json& json, Place place) {
  const Json* const value = Member(json, "value");
  if (value == nullptr) return Wrong(place, "has no \"value\"");
  return ReadList(*value, kTuple, place + "/value");
}

const std::map<std::string, c10::ScalarType, std::less<>>& Dtypes() {
  static const auto* const dtypes = new std::map<std::string, c10::ScalarType, std::less<>>{
      {"uint8", c10::kByte},    {"int8", c10::kChar},    {"int16", c10::kShort},
      {"int", c10::kInt},       {"long", c10::kLong},    {"float", c10::kFloat},
      {"double", c10::kDouble}, {"float16", c10::kHalf}, {"bfloat16", c10::kBFloat16},
      {"bool", c10::kBool}};
  return *dtypes;
}

// `what`: "size" or "stride".
absl::Status ReadSizes(const Json& json, Place place, std::string_view what,
                       std::vector<int64_t>& sizes) {
  for (size_t i = 0; i < json.size(); ++i) {
    const Json& size = json[i];
    const bool too_large = size.is_number_unsigned() && size.get<uint64_t>() > uint64_t{INT64_MAX};
    if (!size.is_number_integer() || too_large || size.get<int64_t>() < 0) {
      return Wrong(
          absl::StrCat(place, "/", i),
          absl::StrCat("a ", what, " is a whole number that is not negative: ", Shown(size)));
    }
    sizes.push_back(size.get<int64_t>());
  }
  return absl::OkStatus();
}

absl::StatusOr<Argument> ReadTensor(const Json& json, Place place) {
  TensorArgument tensor;
  const Json* const dtype = Member(json, "dtype");
  const auto found = dtype != nullptr && dtype->is_string()
                         ? Dtypes().find(dtype->get_ref<const std::string&>())
                         : Dtypes().end();
  if (found == Dtypes().end()) {
    return Wrong(place + "/dtype",
                 absl::StrCat("want one of ",
                              absl::StrJoin(Dtypes(), ", ",
                                            [](std::string* out, const auto& entry) {
                                              out->append(entry.first);
                                            }),
                              dtype == nullptr ? "" : ", given is " + Shown(*dtype)));
  }
  tensor.dtype = found->second;
  const Json* const shape = Member(json, "shape");
  if (shape == nullptr || !shape->is_array())
    return Wrong(place + "/shape", "want a list of sizes");
  if (absl::Status read = ReadSizes(*shape, place + "/shape", "size", tensor.shape); !read.ok())
    return read;
  if (const Json* const strides = Member(json, "strides"); strides != nullptr) {
    if (!strides->is_array() || strides->size() != tensor.shape.size())
      return Wrong(place + "/strides", "want a stride for each size");
    if (absl::Status read = ReadSizes(*strides, place + "/strides", "stride", tensor.strides);
        !read.ok())
      return read;
  }
  if (const Json* const range = Member(json, "value_range"); range != nullptr) {
    if (!c10::isIntegralType(tensor.dtype, /*includeBool=*/false))
      return Wrong(place + "/value_range", "is of tensors of whole numbers");
    const absl::StatusOr<Argument> read = ReadRange(*range, /*whole=*/true, place + "/value_range");
    if (!read.ok()) return read.status();
    tensor.values = std::get<Drawn<int64_t>>(read->value);
    if (tensor.values->high == INT64_MAX) return Wrong(place + "/value_range/1", "is too large");
  }
  if (const Json* const requires_grad = Member(json, "requires_grad"); requires_grad != nullptr) {
    if (!requires_grad->is_boolean()) return Wrong(place + "/requires_grad", "want true or false");
    tensor.requires_grad = requires_grad->get<bool>();
  }
  return Argument{std::move(tensor)};
}

using Reader = absl::StatusOr<Argument> (*)(const Json&, Place);

struct ArgumentType {
  Reader read;
  std::initializer_list<const char*> keys;
};

// Every argument may have a "name", as the configurations of FBGEMM do; the files of tensors are an
// embedding's (embedding_data.h).
constexpr std::initializer_list<const char*> kNumberKeys = {"type",           "name",
                                                            "value",          "value_range",
                                                            "indices_tensor", "offsets_tensor",
                                                            "weights_tensor"},
                                             kValueKeys = {"type", "name", "value"},
                                             kTensorKeys = {
                                                 "type",          "name",    "dtype",      "shape",
                                                 "requires_grad", "strides", "value_range"};

const std::map<std::string, ArgumentType, std::less<>>& Readers() {
  static const auto* const readers = new std::map<std::string, ArgumentType, std::less<>>{
      {"int", {ReadNumber<true>, kNumberKeys}},
      {"long", {ReadNumber<true>, kNumberKeys}},
      {"float", {ReadNumber<false>, kNumberKeys}},
      {"double", {ReadNumber<false>, kNumberKeys}},
      {"bool", {ReadBoolean, kValueKeys}},
      {"device", {ReadDevice, kValueKeys}},
      {"str", {ReadText, kValueKeys}},
      {"genericlist", {ReadListArgument<false>, kValueKeys}},
      {"tuple", {ReadListArgument<true>, kValueKeys}},
      {"tensor", {ReadTensor, kTensorKeys}},
      {"none", {ReadNone, kValueKeys}}};
  return *readers;
}

absl::StatusOr<Argument> ReadArgument(const Json& json, Place place) {
  if (json.is_number() || json.is_boolean()) return NumberOf(json, place);
  if (json.is_string()) return Argument{json.get<std::string>()};
  if (json.is_null()) return Argument{};
  const Json* const type = json.is_object() ? Member(json, "type") : nullptr;
  const auto found = type != nullptr && type->is_string()
                         ? Readers().find(type->get_ref<const std::string&>())
                         : Readers().end();
  if (found != Readers().end()) {
    const auto& [read, keys] = found->second;
    if (absl::Status known = CheckKeys(json, keys, place); !known.ok()) return known;
    return read(json, place);
  }
  return Wrong(place + (type == nullptr ? "" : "/type"),
               absl::StrCat("want an argument's type, one of ",
                            absl::StrJoin(Readers(), ", ",
                                          [](std::string* out, const auto& entry) {
                                            out->append(entry.first);
                                          }),
                            ", given is ", Shown(type == nullptr ? json : *type)));
}

double BytesOf(const Argument& argument) {
  if (const auto* list = std::get_if<ListArgument>(&argument.value)) {
    double bytes = 0;
    for (const Argument& item : list->items) bytes += BytesOf(item);
    return bytes;
  }
  const auto* tensor = std::get_if<TensorArgument>(&argument.value);
  if (tensor == nullptr) return 0;
  auto bytes = static_cast<double>(c10::elementSize(tensor->dtype));
  if (tensor->strides.empty()) {
    for (const int64_t size : tensor->shape) bytes *= static_cast<double>(size);
    return bytes;
  }
  double last = 1;
  for (size_t i = 0; i < tensor->shape.size(); ++i) {
    if (tensor->shape[i] == 0) return 0;
    last += static_cast<double>(tensor->shape[i] - 1) * static_cast<double>(tensor->strides[i]);
  }
  return bytes * last;
}

}  // namespace

absl::StatusOr<Arguments> ReadArguments(const Json& config) {
  Arguments arguments;
  if (config.is_null() || (config.is_array() && config.empty())) return arguments;
  if (!config.is_object()) return Wrong("", "want an object with \"args\" and \"kwargs\"");
  // The inputs of run_batch have an "id" (run_items.cc).
  if (absl::Status known = CheckKeys(config, {"args", "kwargs", "id"}, ""); !known.ok())
    return known;
  if (const Json* const args = Member(config, "args"); args != nullptr && !args->is_null()) {
    if (!args->is_array()) return Wrong("/args", "want a list");
    for (size_t i = 0; i < args->size(); ++i) {
      absl::StatusOr<Argument> argument = ReadArgument((*args)[i], absl::StrCat("/args/", i));
      if (!argument.ok()) return argument.status();
      arguments.positional.push_back(*std::move(argument));
    }
  }
  if (const Json* const kwargs = Member(config, "kwargs");
      kwargs != nullptr && !kwargs->is_null()) {
    if (!kwargs->is_object()) return Wrong("/kwargs", "want an object");
    for (const auto& [name, value] : kwargs->items()) {
      absl::StatusOr<Argument> argument = ReadArgument(value, absl::StrCat("/kwargs/", name));
      if (!argument.ok()) return argument.status();
      arguments.named.emplace_back(name, *std::move(argument));
    }
  }
  return arguments;
}

double TensorBytes(const Arguments& arguments) {
  double bytes = 0;
  for (const Argument& argument : arguments.positional) bytes += BytesOf(argument);
  for (const auto& [name, argument] : arguments.named) bytes += BytesOf(argument);
  return bytes;
}

}  // namespace assay::param

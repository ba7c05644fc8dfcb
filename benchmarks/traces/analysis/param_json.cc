#include "benchmarks/traces/analysis/param_json.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <optional>
#include <utility>
#include <vector>

#include "absl/algorithm/container.h"
#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "benchmarks/harness/text/untrusted_text.h"
#include "benchmarks/traces/graph/storages.h"

namespace assay::traces {
namespace {

using Json = nlohmann::ordered_json;
using Kind = TraceValue::Kind;

constexpr std::array<std::pair<std::string_view, std::string_view>, 10> kDtypes = {
    {{"float", "float"},
     {"double", "double"},
     {"long int", "long"},
     {"int", "int"},
     {"short int", "int16"},
     {"signed char", "int8"},
     {"unsigned char", "uint8"},
     {"bool", "bool"},
     {"c10::Half", "float16"},
     {"c10::BFloat16", "bfloat16"}}};

absl::Status Refused(std::string_view what) { return absl::InvalidArgumentError(what); }

class Writer {
 public:
  Writer(const TraceNode& node, const NeededContents& contents)
      : numbers_(node), contents_(contents) {}

  absl::StatusOr<Json> Of(const TraceValue& value) {
    if (const std::optional<double> number = numbers_.Next(value); number) {
      ++place_;
      if (value.tensor.dtype == "double" || value.tensor.dtype == "float") return OfNumber(*number);
      return Json{{"type", "int"}, {"value", static_cast<int64_t>(*number)}};
    }
    switch (value.kind) {
      case Kind::kNone:
      case Kind::kUndefinedTensor:
      case Kind::kGenerator:
        return Json{{"type", "none"}};
      case Kind::kTensor:
        return OfTensor(value.tensor);
      case Kind::kInt:
        return Json{{"type", "int"}, {"value", value.integer}};
      case Kind::kDouble:
        return OfNumber(value.number);
      case Kind::kBool:
        return Json{{"type", "bool"}, {"value", value.integer != 0}};
      case Kind::kString:
        return Json{{"type", "str"}, {"value", value.text}};
      case Kind::kDevice:
        return Json{{"type", "device"}, {"value", "cpu"}};
      case Kind::kList:
        return OfList(value);
      case Kind::kLost:
        return Refused(absl::StrCat("the trace has lost an argument of type ",
                                    base::Printable(value.type, 60)));
    }
    return Refused("a value of an unknown kind");
  }

 private:
  static absl::StatusOr<Json> OfNumber(double number) {
    if (!std::isfinite(number))
      return Refused(absl::StrCat("JSON has no number ", number, ", which is an argument"));
    return Json{{"type", "float"}, {"value", number}};
  }

  absl::StatusOr<Json> OfList(const TraceValue& value) {
    if (value.items.size() == kCutList)
      return Refused("an argument has 4097 values, where LibTorch's observer cuts longer lists");
    Json items = Json::array();
    for (const TraceValue& item : value.items) {
      absl::StatusOr<Json> written = Of(item);
      if (!written.ok()) return written;
      items.push_back(*std::move(written));
    }
    return Json{{"type", "genericlist"}, {"value", std::move(items)}};
  }

  absl::StatusOr<Json> OfTensor(const TraceTensor& tensor) {
    const size_t place = place_++;
    const auto* const dtype =
        absl::c_find_if(kDtypes, [&](const auto& row) { return row.first == tensor.dtype; });
    if (dtype == kDtypes.end())
      return Refused(absl::StrCat("it has a tensor of dtype ", base::Quoted(tensor.dtype)));
    if (ExtentOf(tensor) < 0)
      return Refused(absl::StrCat("tensor ", tensor.id, " has impossible sizes or strides"));
    Json made = {{"type", "tensor"},
                 {"dtype", dtype->second},
                 {"shape", tensor.sizes},
                 {"requires_grad", false}};
    if (absl::StrContains(TensorText(tensor), "{")) made["strides"] = tensor.strides;
    const auto content = contents_.find(place);
    if (content != contents_.end() && content->second.limit)
      made["value_range"] = {0, std::max<int64_t>(*content->second.limit - 1, 0)};
    return made;
  }

  WrappedNumbers numbers_;
  const NeededContents& contents_;
  size_t place_ = 0;  // of the next tensor
};

// The argument without its comments, so that they can be compared.
Json WithoutComments(const Json& json) {
  if (json.is_array()) {
    Json made = Json::array();
    for (const Json& item : json) made.push_back(WithoutComments(item));
    return made;
  }
  if (!json.is_object()) return json;
  Json made = Json::object();
  for (const auto& [key, value] : json.items()) {
    if (!absl::StartsWith(key, "_")) made[key] = WithoutComments(value);
  }
  return made;
}

}  // namespace

absl::StatusOr<Json> ParamArguments(const TraceNode& node, const NeededContents& contents) {
  const std::vector<size_t> left_out = RunningStatistics(node);
  Json arguments = Json::array();
  Writer writer(node, contents);
  for (size_t i = 0; i < node.inputs.size(); ++i) {
    absl::StatusOr<Json> argument = writer.Of(node.inputs[i]);
    if (!argument.ok()) return argument;
    arguments.push_back(absl::c_linear_search(left_out, i) ? Json{{"type", "none"}}
                                                           : *std::move(argument));
  }
  return arguments;
}

absl::Status ParamFile::Add(const TraceNode& node, const MixedOperator& one,
                            const NeededContents& contents) {
  absl::StatusOr<Json> arguments = ParamArguments(node, contents);
  if (!arguments.ok()) return arguments.status();
  Json build = {{"args", {{{"type", "str"}, {"value", node.op_schema}}}}};
  Json input = {{"args", *std::move(arguments)}, {"_calls", one.nodes.size()}};
  if (one.recorded_ns > 0) input["_recorded_ns"] = one.recorded_ns;
  Json& configs = file_[node.name]["config"];
  for (Json& config : configs) {
    if (config["build"][0] != build) continue;
    config["input"].push_back(std::move(input));
    return absl::OkStatus();
  }
  configs.push_back({{"build", {std::move(build)}}, {"input", {std::move(input)}}});
  return absl::OkStatus();
}

std::string ParamFile::Text() const {
  return absl::StrCat(file_.dump(1, ' ', false, Json::error_handler_t::replace), "\n");
}

std::string ParamKey(std::string_view name, const Json& build, const Json& input) {
  const auto text = [](const Json& json) {
    return WithoutComments(json).dump(-1, ' ', false, Json::error_handler_t::replace);
  };
  return absl::StrCat(name, "|", text(build), "|", text(input));
}

}  // namespace assay::traces

#include "benchmarks/backends/exported_graph.h"

#include <ATen/ScalarOps.h>
#include <ATen/ops/empty.h>
#include <ATen/ops/from_blob.h>
#include <caffe2/serialize/inline_container.h>

#include <algorithm>
#include <limits>
#include <map>
#include <memory>
#include <optional>
#include <string_view>
#include <tuple>
#include <utility>

#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_split.h"
#include "absl/strings/strip.h"
#include "benchmarks/backends/number_operators.h"
#include "benchmarks/harness/dispatcher/boxed_operator.h"
#include "nlohmann/json.hpp"

namespace assay::backends {
namespace {

using Json = nlohmann::json;
using caffe2::serialize::PyTorchStreamReader;
using execution::GraphCall;
using execution::kNoTensor;
using execution::OperatorGraph;
using execution::TensorArgument;

constexpr int kSchemaVersion = 8;
// Folders of the archive with tensors' bytes, each with its table.
constexpr std::string_view kWeights = "data/weights/", kConstants = "data/constants/";

absl::Status Refused(std::string_view what) {
  return absl::InvalidArgumentError(absl::StrCat("the exported graph ", what));
}

// The enumerators of schema.py, which are not ATen's.
std::optional<at::ScalarType> ScalarTypeOf(int number) {
  constexpr at::ScalarType kTypes[] = {
      at::kByte,          at::kChar,  at::kShort,   at::kInt,         at::kLong,
      at::kHalf,          at::kFloat, at::kDouble,  at::kComplexHalf, at::kComplexFloat,
      at::kComplexDouble, at::kBool,  at::kBFloat16};
  if (number < 1 || number > 13) return std::nullopt;
  return kTypes[number - 1];
}

std::optional<at::MemoryFormat> MemoryFormatOf(int number) {
  constexpr at::MemoryFormat kFormats[] = {
      at::MemoryFormat::Contiguous, at::MemoryFormat::ChannelsLast,
      at::MemoryFormat::ChannelsLast3d, at::MemoryFormat::Preserve};
  if (number < 1 || number > 4) return std::nullopt;
  return kFormats[number - 1];
}

// JSON has no infinities; the exporter writes them as words.
double FloatOf(const Json& value) {
  if (value.is_number()) return value.get<double>();
  const auto word = value.get<std::string>();
  if (word == "Infinity") return std::numeric_limits<double>::infinity();
  if (word == "-Infinity") return -std::numeric_limits<double>::infinity();
  return std::numeric_limits<double>::quiet_NaN();
}

template <typename T, typename Read>
c10::IValue ListOf(const Json& values, Read read) {
  c10::List<T> list;
  for (const Json& value : values) list.push_back(read(value));
  return list;
}

std::vector<int64_t> IntegersOf(const Json& sizes) {
  std::vector<int64_t> integers;
  for (const Json& size : sizes) {
    TORCH_CHECK(size.contains("as_int"), "the exported graph has a weight whose size varies (",
                size.dump(), ")");
    integers.push_back(size.at("as_int").get<int64_t>());
  }
  return integers;
}

// A size that an expression gives. Only a symbol has a name and a range.
execution::OpenSize OpenSizeOf(const Json& size, const Json& ranges) {
  execution::OpenSize open;
  const auto text = size.at("as_expr").at("expr_str").get<std::string>();
  constexpr std::string_view kBegin = "Symbol('";
  if (!absl::StartsWith(text, kBegin)) return open;
  open.name = text.substr(kBegin.size(), text.find('\'', kBegin.size()) - kBegin.size());
  if (!ranges.contains(open.name)) return open;
  const Json& range = ranges.at(open.name);
  const auto bound = [&](const char* key, int64_t& value) {
    if (range.contains(key) && range.at(key).is_number_integer())
      value = range.at(key).get<int64_t>();
  };
  bound("min_val", open.least);
  bound("max_val", open.most);
  return open;
}

// A value of the schema's unions: its tag, and what it holds.
std::pair<std::string, const Json&> Tagged(const Json& object) {
  TORCH_CHECK(object.is_object() && !object.empty(), "the exported graph has ", object.dump(),
              " in the place of a tagged value");
  const auto first = object.begin();
  return {first.key(), first.value()};
}

Json JsonOf(PyTorchStreamReader& archive, const std::string& name) {
  const auto [data, size] = archive.getRecord(name);
  const auto* bytes = static_cast<const char*>(data.get());
  return Json::parse(bytes, bytes + size);
}

// An argument that is no tensor, by its tag. Nothing for a tag that this reader does not have.
std::optional<c10::IValue> PlainValue(const std::string& tag, const Json& value) {
  const auto integer = [](const Json& v) {
    return v.is_object() ? v.at("as_int").get<int64_t>() : v.get<int64_t>();
  };
  if (tag == "as_none") return c10::IValue();
  if (tag == "as_int" || tag == "as_sym_int") return c10::IValue(integer(value));
  if (tag == "as_sym_float") return c10::IValue(FloatOf(value.at("as_float")));
  if (tag == "as_sym_bool") return c10::IValue(value.at("as_bool").get<bool>());
  if (tag == "as_float") return c10::IValue(FloatOf(value));
  if (tag == "as_bool") return c10::IValue(value.get<bool>());
  if (tag == "as_string") return c10::IValue(value.get<std::string>());
  if (tag == "as_ints" || tag == "as_sym_ints") return ListOf<int64_t>(value, integer);
  if (tag == "as_floats") return ListOf<double>(value, FloatOf);
  if (tag == "as_bools") return ListOf<bool>(value, [](const Json& v) { return v.get<bool>(); });
  if (tag == "as_scalar_type") {
    const std::optional<at::ScalarType> type = ScalarTypeOf(value.get<int>());
    if (type) return c10::IValue(static_cast<int64_t>(*type));
  }
  if (tag == "as_memory_format") {
    const std::optional<at::MemoryFormat> format = MemoryFormatOf(value.get<int>());
    if (format) return c10::IValue(static_cast<int64_t>(*format));
  }
  if (tag == "as_layout" && value.get<int>() == 7)
    return c10::IValue(static_cast<int64_t>(at::kStrided));
  if (tag == "as_device") return c10::IValue(c10::Device(value.at("type").get<std::string>()));
  return std::nullopt;
}

// A number where a tensor is wanted (x * 0.5), as LibTorch takes it: without dimensions, and without
// a say in the dtype of the result.
c10::IValue AsWanted(const c10::Argument& argument, c10::IValue value) {
  const bool tensor = argument.type()->isSubtypeOf(*c10::OptionalType::ofTensor());
  if (!tensor || !(value.isInt() || value.isDouble() || value.isBool())) return value;
  at::Tensor wrapped = c10::scalar_to_tensor(value.toScalar());
  wrapped.unsafeGetTensorImpl()->set_wrapped_number(true);
  return wrapped;
}

// Checks of shapes and dtypes that the exporter puts in, where both are the file's. A check of a number is made.
bool IsCheck(std::string_view target, const Json& inputs) {
  if (absl::StrContains(target, "._assert_tensor_metadata.")) return true;
  return absl::StrContains(target, "._assert_scalar.") &&
         !absl::StrContains(inputs.dump(), "\"as_name\"");
}

// The operator of arithmetic (number_operators.h) that a function of Python's is; empty: it is none.
std::string NumberOperator(std::string_view target) {
  for (const std::string_view module : {"_operator.", "math.", "torch.sym_", "torch._sym_"}) {
    if (absl::ConsumePrefix(&target, module))
      return absl::StrCat(kNumberOperators, "::sym_", absl::StripSuffix(target, "_"));
  }
  return "";
}

// Whether the call computes as while training: dropout, or a batch norm that has statistics and does not use them.
bool Trains(const GraphCall& call) {
  const c10::FunctionSchema& schema = call.handle.schema();
  const auto on = [&](const char* name) {
    const std::optional<int> at = schema.argumentIndexWithName(name);
    return at && call.arguments[static_cast<size_t>(*at)].isBool() &&
           call.arguments[static_cast<size_t>(*at)].toBool();
  };
  if (absl::StrContains(schema.name(), "dropout")) {
    const std::optional<int> share = schema.argumentIndexWithName("p");
    const bool none = share && call.arguments[static_cast<size_t>(*share)].isDouble() &&
                      call.arguments[static_cast<size_t>(*share)].toDouble() == 0;
    return on("train") && !none;
  }
  const std::optional<int> mean = schema.argumentIndexWithName("running_mean");
  return absl::StrContains(schema.name(), "batch_norm") && mean && on("training") &&
         std::any_of(call.tensors.begin(), call.tensors.end(), [&](const TensorArgument& tensor) {
           return tensor.argument == static_cast<size_t>(*mean);
         });
}

// Whether a call of higher order changes nothing where nothing is differentiated.
bool IsInlined(std::string_view target, const Json& inputs) {
  if (absl::EndsWith(target, ".wrap_with_set_grad_enabled")) return true;
  constexpr size_t kEnabled = 2;  // behind the device's type and the dtype
  if (!absl::EndsWith(target, ".wrap_with_autocast") || inputs.size() <= kEnabled) return false;
  const auto [tag, enabled] = Tagged(inputs[kEnabled].at("arg"));
  return tag == "as_bool" && !enabled.get<bool>();
}

// Reads one archive.
class ExportedGraphReader {
 public:
  explicit ExportedGraphReader(const std::string& path) : archive_(path) {}

  absl::StatusOr<OperatorGraph> Read() {
    const std::string name = ModelName();
    if (name.empty()) return Refused("is not in the file: it has no models/*.json");
    const Json model = JsonOf(archive_, absl::StrCat("models/", name, ".json"));
    if (const int major = model.at("schema_version").at("major"); major != kSchemaVersion) {
      return Refused(absl::StrCat("has version ", major, " of torch.export's schema, this reader ",
                                  kSchemaVersion, "; export it again by torch 2.11"));
    }
    const Json& module = model.at("graph_module");
    const Json& graph = module.at("graph");
    ranges_ = model.value("range_constraints", Json::object());
    RegisterNumberOperators();
    absl::Status status =
        ReadInputs(module.at("signature").at("input_specs"), graph.at("tensor_values"), name);
    for (const Json& node : graph.at("nodes")) {
      if (status.ok()) status = ReadNode(node);
    }
    if (status.ok()) status = ReadOutputs(module.at("signature").at("output_specs"));
    if (!status.ok()) return status;
    made_.FindLastUses();
    return std::move(made_);
  }

 private:
  std::string ModelName() {
    for (const std::string& record : archive_.getAllRecords()) {
      std::string_view name = record;
      if (absl::ConsumePrefix(&name, "models/") && absl::ConsumeSuffix(&name, ".json"))
        return std::string(name);
    }
    return "";
  }

  int NewValue(const std::string& name) {
    const int number = made_.NewValue();
    values_[name.empty() ? absl::StrCat(" ", number) : name] = number;
    return number;
  }

  void AddInput(const std::string& name, at::ScalarType dtype, const Json& sizes) {
    OperatorGraph::Input input = {.value = NewValue(name), .dtype = dtype, .name = name};
    for (const Json& size : sizes) {
      const bool open = !size.contains("as_int");
      if (open) input.open[input.sizes.size()] = OpenSizeOf(size, ranges_);
      input.sizes.push_back(open ? -1 : size.at("as_int").get<int64_t>());
    }
    made_.inputs.push_back(std::move(input));
  }

  absl::Status ReadInputs(const Json& specs, const Json& metas, const std::string& name) {
    const Json weights = TableOf(absl::StrCat(kWeights, name, "_weights_config.json"));
    // Tensors that are no parameters: constants, and buffers that are not part of the state.
    const Json constants = TableOf(absl::StrCat(kConstants, name, "_constants_config.json"));
    for (const Json& spec : specs) {
      const auto [kind, what] = Tagged(spec);
      if (kind == "user_input" && what.at("arg").contains("as_tensor")) {
        const auto value = what.at("arg").at("as_tensor").at("name").get<std::string>();
        const Json& meta = metas.at(value);
        const std::optional<at::ScalarType> dtype = ScalarTypeOf(meta.at("dtype").get<int>());
        if (!dtype) return Refused(absl::StrCat("has an input of dtype ", meta.at("dtype").dump()));
        AddInput(value, *dtype, meta.at("sizes"));
      } else if (kind == "constant_input" ||
                 (kind == "user_input" &&
                  PlainValue(Tagged(what.at("arg")).first, Tagged(what.at("arg")).second))) {
        // A number or a switch that the exporter was given: the graph has its value in it.
      } else if (kind == "parameter" || kind == "buffer" || kind == "tensor_constant") {
        const auto weight = what.at(kind + "_name").get<std::string>();
        const bool constant = !weights.contains(weight);
        if (constant && !constants.contains(weight))
          return Refused(absl::StrCat("has no bytes for its ", kind, " ", weight));
        absl::StatusOr<at::Tensor> tensor = constant
                                                ? TensorOf(weight, constants.at(weight), kConstants)
                                                : TensorOf(weight, weights.at(weight), kWeights);
        if (!tensor.ok()) return tensor.status();
        const int value = NewValue(what.at("arg").at("name").get<std::string>());
        made_.constants[static_cast<size_t>(value)] = *std::move(tensor);
      } else {
        return Refused(absl::StrCat("has an input of kind ", spec.dump().substr(0, 200),
                                    ", which this reader does not have"));
      }
    }
    return absl::OkStatus();
  }

  // The rows of a table; none where the archive lacks it.
  Json TableOf(const std::string& name) {
    return archive_.hasRecord(name) ? JsonOf(archive_, name).at("config") : Json::object();
  }

  absl::StatusOr<at::Tensor> TensorOf(const std::string& name, const Json& payload,
                                      std::string_view folder) {
    const Json& meta = payload.at("tensor_meta");
    const std::optional<at::ScalarType> dtype = ScalarTypeOf(meta.at("dtype").get<int>());
    if (!dtype || payload.at("use_pickle").get<bool>())
      return Refused(absl::StrCat("keeps ", name, " as an object, not as a tensor's bytes"));
    const auto file = absl::StrCat(folder, payload.at("path_name").get<std::string>());
    if (storages_.count(file) == 0) {
      auto [data, size] = archive_.getRecord(file);
      auto shared = std::make_shared<at::DataPtr>(std::move(data));
      storages_[file] = at::from_blob(
          shared->get(), {static_cast<int64_t>(size)}, [shared](void*) {},
          at::TensorOptions().dtype(at::kByte));
    }
    // Throws where the storage is smaller.
    return at::empty({0}, *dtype)
        .set_(storages_[file].storage(), meta.at("storage_offset").at("as_int").get<int64_t>(),
              IntegersOf(meta.at("sizes")), IntegersOf(meta.at("strides")));
  }

  absl::StatusOr<int> Named(const std::string& name) const {
    const auto found = values_.find(name);
    if (found == values_.end())
      return Refused(absl::StrCat("reads ", name, ", which nothing computes"));
    return found->second;
  }
  absl::StatusOr<int> ValueOf(const Json& tensor) const {
    return Named(tensor.at("name").get<std::string>());
  }
  absl::StatusOr<int> NumberOf(const Json& number) const {
    return Named(number.at("as_name").get<std::string>());
  }

  // The tensors of an argument; nothing where it is none of them.
  absl::StatusOr<std::optional<TensorArgument>> Tensors(const std::string& tag,
                                                        const Json& value) const {
    TensorArgument found;
    std::vector<const Json*> elements;
    const bool optionals = tag == "as_optional_tensors";
    const auto named = [](const Json& number) {
      return number.is_object() && number.contains("as_name");
    };
    if (tag == "as_sym_ints" && std::any_of(value.begin(), value.end(), named)) {
      found.list = found.number = true;
      for (const Json& size : value) {
        const absl::StatusOr<int> number = named(size) ? NumberOf(size) : kNoTensor;
        if (!number.ok()) return number.status();
        found.values.push_back(*number);
        found.literals.push_back(*number == kNoTensor ? size.at("as_int").get<int64_t>() : 0);
      }
      return std::optional(std::move(found));
    }
    if (absl::StartsWith(tag, "as_sym_") && named(value)) {
      const absl::StatusOr<int> number = NumberOf(value);
      if (!number.ok()) return number.status();
      found.number = true;
      found.values = {*number};
      return std::optional(std::move(found));
    }
    if (tag == "as_tensor") {
      elements = {&value};
    } else if (tag == "as_optional_tensor" && value.contains("as_tensor")) {
      elements = {&value.at("as_tensor")};
    } else if (tag == "as_tensors" || optionals) {
      found.list = true;
      found.optional = optionals;
      for (const Json& element : value) {
        const bool none = optionals && !element.contains("as_tensor");
        elements.push_back(none ? nullptr : optionals ? &element.at("as_tensor") : &element);
      }
    } else {
      return std::optional<TensorArgument>();
    }
    for (const Json* element : elements) {
      const absl::StatusOr<int> number = element ? ValueOf(*element) : kNoTensor;
      if (!number.ok()) return number.status();
      found.values.push_back(*number);
    }
    return std::optional(std::move(found));
  }

  // A part of the graph for which gradients are off, or autocast, as both are here: its nodes are
  // read in its place. Its names are its own.
  absl::Status ReadPart(const Json& node, const std::string& target) {
    const Json* part = nullptr;
    std::vector<int> given;
    for (const Json& input : node.at("inputs")) {
      const auto [tag, value] = Tagged(input.at("arg"));
      if (tag == "as_graph") {
        part = &value.at("graph");
      } else if (part != nullptr) {
        const absl::StatusOr<int> number =
            tag == "as_tensor" ? ValueOf(value)
                               : Refused(absl::StrCat("gives ", target, " a ", tag));
        if (!number.ok()) return number.status();
        given.push_back(*number);
      }
    }
    if (part == nullptr || part->at("inputs").size() != given.size())
      return Refused(absl::StrCat("calls ", target, " without a graph for its arguments"));
    std::map<std::string, int> outer = std::move(values_);
    values_.clear();
    for (size_t i = 0; i < given.size(); ++i)
      values_[part->at("inputs")[i].at("as_tensor").at("name").get<std::string>()] = given[i];
    absl::Status status;
    for (const Json& inner : part->at("nodes")) {
      if (status.ok()) status = ReadNode(inner);
    }
    const Json& results = part->at("outputs");
    const Json& names = node.at("outputs");
    if (status.ok() && results.size() != names.size())
      status = Refused(absl::StrCat("takes other results from ", target, " than it has"));
    for (size_t i = 0; status.ok() && i < results.size(); ++i) {
      const absl::StatusOr<int> number = ValueOf(results[i].at("as_tensor"));
      status = number.status();
      if (number.ok()) outer[names[i].at("as_tensor").at("name").get<std::string>()] = *number;
    }
    values_ = std::move(outer);
    return status;
  }

  absl::Status ReadNode(const Json& node) {
    const auto target = node.at("target").get<std::string>();
    if (IsCheck(target, node.at("inputs"))) return absl::OkStatus();
    const std::string arithmetic = NumberOperator(target);
    if (IsInlined(target, node.at("inputs"))) return ReadPart(node, target);
    const std::vector<std::string> parts = absl::StrSplit(target, '.');
    // torch.ops.aten.conv2d.default
    if (arithmetic.empty() && (parts.size() != 5 || parts[0] != "torch" || parts[1] != "ops"))
      return Refused(absl::StrCat("calls ", target, ", which is no operator of the dispatcher"));
    if (arithmetic.empty() && parts[3] == "from_file")
      return Refused(absl::StrCat("calls ", target, ", which opens files"));
    const auto handle = c10::Dispatcher::singleton().findSchema(
        arithmetic.empty() ? c10::OperatorName(absl::StrCat(parts[2], "::", parts[3]),
                                               parts[4] == "default" ? "" : parts[4])
                           : c10::OperatorName(arithmetic, ""));
    if (!handle) return Refused(absl::StrCat("calls ", target, ", which this LibTorch lacks"));
    GraphCall call{.handle = *handle};
    execution::OperatorArguments given;
    for (const Json& input : node.at("inputs")) {
      const auto [tag, value] = Tagged(input.at("arg"));
      const std::vector<c10::Argument>& declared = handle->schema().arguments();
      // Python's functions have other names for their arguments.
      const auto name = !arithmetic.empty() && given.named.size() < declared.size()
                            ? declared[given.named.size()].name()
                            : input.at("name").get<std::string>();
      const std::optional<int> at = handle->schema().argumentIndexWithName(name);
      if (!at) return Refused(absl::StrCat("gives ", target, " an argument ", name));
      absl::StatusOr<std::optional<TensorArgument>> tensors = Tensors(tag, value);
      if (!tensors.ok()) return tensors.status();
      if (*tensors) {
        (*tensors)->argument = static_cast<size_t>(*at);
        call.tensors.push_back(**std::move(tensors));
        const bool tensor = c10::TensorType::get()->isSubtypeOf(*declared[*at].type());
        given.named.emplace_back(name, Stand(call.tensors.back(), tensor));
        continue;
      }
      const std::optional<c10::IValue> plain =
          tag == "as_optional_tensor" ? std::optional(c10::IValue()) : PlainValue(tag, value);
      if (!plain) {
        return Refused(absl::StrCat("gives ", target, " for ", name, " ", tag, " ", value.dump(),
                                    ", which this reader does not have"));
      }
      given.named.emplace_back(name, AsWanted(declared[static_cast<size_t>(*at)], *plain));
    }
    absl::StatusOr<c10::Stack> bound = execution::BindArguments(handle->schema(), given);
    if (!bound.ok()) return bound.status();
    call.arguments = *std::move(bound);
    if (Trains(call)) {
      return Refused(absl::StrCat("was exported in training mode: it calls ", target,
                                  " as while training; call model.eval() before "
                                  "torch.export.export()"));
    }
    return ReadResults(node, target, std::move(call));
  }

  // A value that stands for tensors or numbers while arguments are checked. `tensor`: where a tensor is wanted.
  static c10::IValue Stand(const TensorArgument& tensors, bool tensor) {
    if (tensors.number && tensors.list) return c10::IValue(tensors.literals);
    if (tensors.number && !tensor) return c10::IValue(int64_t{1});
    const at::Tensor some = at::empty({0});
    if (!tensors.list) return some;
    c10::impl::GenericList list(tensors.optional ? c10::OptionalType::ofTensor()
                                                 : c10::TypePtr(c10::TensorType::get()));
    for (const int value : tensors.values)
      list.push_back(value == kNoTensor ? c10::IValue() : c10::IValue(some));
    return list;
  }

  absl::Status ReadResults(const Json& node, const std::string& target, GraphCall call) {
    for (const Json& output : node.at("outputs")) {
      const auto [tag, value] = Tagged(output);
      std::vector<int> numbers;
      if (tag == "as_tensor") {
        numbers.push_back(NewValue(value.at("name").get<std::string>()));
      } else if (tag == "as_tensors") {
        for (const Json& one : value)
          numbers.push_back(NewValue(one.at("name").get<std::string>()));
      } else if (absl::StartsWith(tag, "as_sym_") && value.contains("as_name")) {
        numbers.push_back(NewValue(value.at("as_name").get<std::string>()));
      } else if (tag != "as_none") {
        return Refused(absl::StrCat("takes ", tag, " from ", target));
      }
      call.results.push_back(std::move(numbers));
      call.result_is_list.push_back(tag == "as_tensors");
    }
    if (call.results.size() > call.handle.schema().returns().size())
      return Refused(absl::StrCat("takes more results from ", target, " than it has"));
    made_.calls.push_back(std::move(call));
    return absl::OkStatus();
  }

  absl::Status ReadOutputs(const Json& specs) {
    for (const Json& spec : specs) {
      const auto [kind, what] = Tagged(spec);
      const Json none = Json::object();
      const Json& arg = kind == "user_output" ? what.at("arg") : none;
      // Nothing, or a number that the graph has in it, is no output to compare.
      if (!arg.empty() && (absl::StartsWith(Tagged(arg).first, "as_sym_") ||
                           PlainValue(Tagged(arg).first, Tagged(arg).second)))
        continue;
      if (!arg.contains("as_tensor")) {
        return Refused(absl::StrCat("has an output of kind ", spec.dump().substr(0, 200),
                                    ", which this reader does not have"));
      }
      const absl::StatusOr<int> value = ValueOf(what.at("arg").at("as_tensor"));
      if (!value.ok()) return value.status();
      made_.outputs.push_back(*value);
    }
    if (made_.outputs.empty()) return Refused("returns no tensor");
    return absl::OkStatus();
  }

  PyTorchStreamReader archive_;
  Json ranges_;  // of symbols
  std::map<std::string, int> values_;
  std::map<std::string, at::Tensor> storages_;
  OperatorGraph made_;
};

}  // namespace

absl::StatusOr<OperatorGraph> ReadExportedGraph(const std::string& path) {
  return ExportedGraphReader(path).Read();
}

}  // namespace assay::backends
